// e^x for vectors that Highway or the compiler makes: x = n ln 2 + r with |r| <= ln 2 / 2, and e^r by a near-minimax
// polynomial (mpmath.chebyfit, 60 digits; coefficients rounded): a term or two fewer than Taylor's, relative error 1e-8
// in float, 2e-17 in double.
#pragma once

#include <cstdint>

namespace th {

template <class C> struct ExpFormat;
template <> struct ExpFormat<float> {
  using Int = int32_t;
  static constexpr float lowest = -87.33f;  // below, e^x is subnormal
  static constexpr float high = 0x1.62e4p-1f, low = 0x1.7f7d1cp-20f;  // ln 2 = high + low; n times high is exact
  static constexpr int mantissa = 23;
  static constexpr float terms[] = {1, 1, 0.5f, 0x1.5554dcp-3f, 0x1.555518p-5f, 0x1.120be2p-7f, 0x1.6d117cp-10f};
};
template <> struct ExpFormat<double> {
  using Int = int64_t;
  static constexpr double lowest = -708.39, high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45;
  static constexpr int mantissa = 52;
  static constexpr double terms[] = {1,
                                     1,
                                     0x1.0000000000011p-1,
                                     0x1.555555555555ap-3,
                                     0x1.555555554f0cep-5,
                                     0x1.111111110f225p-7,
                                     0x1.6c16c187fbea9p-10,
                                     0x1.a01a01b1437f6p-13,
                                     0x1.a01991ac6b2ddp-16,
                                     0x1.71ddf5748bd71p-19,
                                     0x1.28b405992d897p-22,
                                     0x1.af631d203b4edp-26};
};
// Added to a number, it rounds that to an integer, which then stands in the sum's last bits.
template <class C> constexpr C kRounder = C(typename ExpFormat<C>::Int(3) << (ExpFormat<C>::mantissa - 1));

}  // namespace th
