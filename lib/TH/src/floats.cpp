// Functions of floats, computed in vectors of double with as many terms as a float needs: that is quicker than
// a float's rounding errors are kept small. Relative errors below 4e-10 leave 0.51 units in the last place of
// a float.
//
// A function is a struct: lanes() for a vector, inside() where that is right, and single() for other elements.
// Every element goes the same way wherever it stands, as in elementary.cpp.
#define TH_WIDE_TARGETS
#include "simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "floats.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include "convert.hpp"
#include "floats.hpp"
#include "special.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr size_t kMaxLanes = HWY_MAX_BYTES / sizeof(double);
constexpr double kMost = std::numeric_limits<float>::max();

HWY_INLINE V set(double x) { return hn::Set(D(), x); }

// ---- pieces ------------------------------------------------------------------------------------------
HWY_INLINE V polynomial(V x, std::initializer_list<double> lowestFirst) {
  V r = hn::Zero(D());
  for (const double *c = lowestFirst.end(); c != lowestFirst.begin();) r = hn::MulAdd(r, x, set(*--c));
  return r;
}

// 2 artanh(s) / s / log(base) by its series, for s^2 up to `terms`' worth: 7 for 0.03, 10 for 0.12.
template <int terms>
HWY_INLINE V artanhSeries(V s2, double twoOverLog) {
  V r = set(twoOverLog / (2 * terms - 1));
  for (int k = terms - 1; k > 0; k--) r = hn::MulAdd(r, s2, set(twoOverLog / (2 * k - 1)));
  return r;
}
constexpr double kTwoOverLn2 = 2.88539008177792681472, kLn2 = 0.693147180559945309417;

// log2 of positive normal numbers: x = 2^e m with m from sqrt(1/2) to sqrt(2), log m = 2 artanh((m - 1) / (m + 1)).
HWY_INLINE V log2(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  constexpr uint64_t kOne = 0x3ff0000000000000, kRootHalf = 0x3fe6a09e667f3bcd, kTwo52 = 0x4330000000000000;
  const auto bits = hn::BitCast(du, x);
  const auto biased = hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, kOne - kRootHalf)));
  const V m = hn::BitCast(d, hn::Add(hn::Sub(bits, hn::ShiftLeft<52>(biased)), hn::Set(du, kOne)));
  const V e = hn::Sub(hn::BitCast(d, hn::Or(biased, hn::Set(du, kTwo52))), set(0x1p52 + 1023));
  const V s = hn::Div(hn::Sub(m, set(1)), hn::Add(m, set(1)));
  return hn::MulAdd(s, artanhSeries<7>(hn::Mul(s, s), kTwoOverLn2), e);
}

// 2^t = 2^n e^z. Beyond 1000 a float is 0 or infinite anyway. Adding 1.5 2^52 rounds to an integer, which then
// stands in the last bits.
HWY_INLINE V exp2(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const V t = hn::Min(hn::Max(x, set(-1000)), set(1000));
  const V shifted = hn::Add(t, set(0x1.8p52));
  const V z = hn::Mul(hn::Sub(t, hn::Sub(shifted, set(0x1.8p52))), set(kLn2));
  const V power = polynomial(z, {1., 1., 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320});
  return hn::BitCast(d, hn::Add(hn::BitCast(du, power), hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
}

// log(1 + u) / log(base) for u from 0 to 1, as 2 artanh(u / (u + 2)): small u keep their digits.
HWY_INLINE V log1p(V u, double twoOverLog) {
  const V s = hn::Div(u, hn::Add(u, set(2)));
  return hn::Mul(s, artanhSeries<10>(hn::Mul(s, s), twoOverLog));
}

HWY_INLINE M finite(V x) { return hn::Le(hn::Abs(x), set(kMost)); }
HWY_INLINE M positive(V x) { return hn::And(hn::Gt(x, hn::Zero(D())), hn::Le(x, set(kMost))); }

// ---- functions of two floats -------------------------------------------------------------------------
struct Power {
  static HWY_INLINE M inside(V x, V y) { return hn::And(positive(x), finite(y)); }
  static HWY_INLINE V lanes(V x, V y) { return exp2(hn::Mul(y, log2(x))); }
  static double single(double x, double y) { return std::pow(x, y); }
};

struct XLogY {
  static HWY_INLINE M inside(V x, V y) { return hn::And(finite(x), positive(y)); }
  static HWY_INLINE V lanes(V x, V y) { return hn::Mul(x, hn::Mul(log2(y), set(kLn2))); }
  static double single(double x, double y) { return y != y ? y : x == 0 ? 0 : x * std::log(y); }
};

// The larger plus what the other adds.
struct LogAddExp {
  static HWY_INLINE M inside(V x, V y) { return hn::And(finite(x), finite(y)); }
  static HWY_INLINE V lanes(V x, V y) {
    const V below = hn::Mul(hn::Abs(hn::Sub(x, y)), set(-1 / kLn2));
    return hn::Add(hn::Max(x, y), log1p(exp2(below), 2));
  }
  static double single(double x, double y) {
    if (x != x || y != y) return x + y;
    return std::isinf(x) && x == y ? x : std::max(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
  }
};
struct LogAddExp2 {
  static HWY_INLINE M inside(V x, V y) { return LogAddExp::inside(x, y); }
  static HWY_INLINE V lanes(V x, V y) {
    return hn::Add(hn::Max(x, y), log1p(exp2(hn::Neg(hn::Abs(hn::Sub(x, y)))), kTwoOverLn2));
  }
  static double single(double x, double y) {
    if (x != x || y != y) return x + y;
    return std::isinf(x) && x == y ? x : std::max(x, y) + std::log1p(std::exp2(-std::fabs(x - y))) / kLn2;
  }
};

// x - trunc(x / y) y is exact while the quotient is below 2^29: floats have 24 bits, so a quotient that is no integer
// is too far from one for double to round it there, and the product has at most 53 bits.
struct Fmod {
  static HWY_INLINE M inside(V x, V y) { return hn::And(finite(y), hn::Lt(hn::Abs(hn::Div(x, y)), set(0x1p29))); }
  static HWY_INLINE V lanes(V x, V y) { return hn::CopySign(hn::Sub(x, hn::Mul(hn::Trunc(hn::Div(x, y)), y)), x); }
  static double single(double x, double y) { return std::fmod(x, y); }
};
struct Remainder {
  static HWY_INLINE M inside(V x, V y) { return Fmod::inside(x, y); }
  static HWY_INLINE V lanes(V x, V y) {
    const V zero = hn::Zero(D()), m = Fmod::lanes(x, y);
    const M differ = hn::Xor(hn::Lt(m, zero), hn::Lt(y, zero));
    return hn::IfThenElse(hn::And(hn::Ne(m, zero), differ), hn::Add(m, y), m);
  }
  static double single(double x, double y) {
    const double m = std::fmod(x, y);
    return m != 0 && (m < 0) != (y < 0) ? m + y : m;
  }
};

// ---- functions of one float --------------------------------------------------------------------------
// e^(-x^2) times e^(x^2) erfc(x), which is a polynomial of (x - 2) / (x + 2) (interpolated at Chebyshev's nodes).
// Beyond 10.6 a float has nothing of it.
struct Erfc {
  static HWY_INLINE M inside(V x) { return hn::Eq(x, x); }
  static HWY_INLINE V lanes(V x) {
    const V a = hn::Min(hn::Abs(x), set(10.6));
    const V u = hn::Div(hn::Sub(a, set(2)), hn::Add(a, set(2)));
    const V scaled = polynomial(
        u, {0.255395676298203, -0.42718584753108, 0.241658195929465, -0.0789785743201726, 0.00373285638242356,
            0.00699734758170337, -0.000846883586486799, -0.00098112852208282, 4.289585120834e-05, 0.000171306185583578,
            2.73312024094474e-05, -2.24762446286989e-05, -1.0739717136908e-05, -1.29478248835522e-06});
    const V y = hn::Mul(scaled, exp2(hn::Mul(hn::Mul(a, a), set(-1 / kLn2))));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Sub(set(2), y), y);
  }
  static double single(double x) { return x; }
};

// x times a polynomial: of w = -log(1 - x^2) up to 6, of its root beyond (interpolated at Chebyshev's nodes).
struct Erfinv {
  static HWY_INLINE M inside(V x) { return hn::Lt(hn::Abs(x), set(1)); }
  static HWY_INLINE V lanes(V x) {
    const V rest = hn::Mul(hn::Sub(set(1), x), hn::Add(set(1), x));
    const V w = hn::Mul(log2(rest), set(-kLn2));
    const V small = polynomial(
        hn::Sub(w, set(3)),
        {1.6235420065382316, 0.2416304041505884, -0.005738136018748367, -0.000836181549259731, 0.00019506272951360786,
         -1.2716850761676694e-05, -1.7489211135266778e-06, 4.5028032937877996e-07, -2.3407418188886508e-08,
         -5.563785103878314e-09, 1.0683385257889045e-09, -1.5020727885379457e-11, -1.4560631578854707e-11,
         1.2787161395809005e-12});
    const V large = polynomial(
        hn::Sub(hn::Sqrt(hn::Max(w, set(6))), set(3)),
        {2.832976798882568, 1.001675280941539, 0.009445500142847889, -0.007643943137706964, 0.005685725881101679,
         -0.003557831988325171, 0.001478992712739347, -0.00014876321664538932, -0.00026756848796810617,
         0.0001896305559945768, -5.658899539899324e-05, 6.564045455277392e-06});
    return hn::Mul(x, hn::IfThenElse(hn::Le(w, set(6)), small, large));
  }
  static double single(double x) { return special::erfinv(x); }
};

// ---- loops -------------------------------------------------------------------------------------------
template <class Fn, class... Floats>
HWY_INLINE void evaluate(float *r, const Floats *...operands) {
  const D d;
  const hn::Rebind<float, D> df;
  const auto inside = Fn::inside(hn::PromoteTo(d, hn::LoadU(df, operands))...);
  const auto result = hn::DemoteTo(df, Fn::lanes(hn::PromoteTo(d, hn::LoadU(df, operands))...));
  if (HWY_LIKELY(hn::AllTrue(d, inside))) return hn::StoreU(result, df, r);
  float results[kMaxLanes];
  uint8_t bits[8] = {};
  hn::StoreU(result, df, results);
  hn::StoreMaskBits(d, inside, bits);
  for (size_t i = 0; i < hn::Lanes(d); i++)
    if (!(bits[i / 8] >> i % 8 & 1)) results[i] = float(Fn::single(double(operands[i])...));
  hn::StoreU(hn::LoadU(df, results), df, r);
}

// An operand of this block: the memory itself where that is contiguous and full vectors long.
inline const float *blockOf(float *block, const char *data, int64_t stride, int64_t i, int64_t m, int64_t lanes) {
  if (stride == sizeof(float) && m % lanes == 0) return reinterpret_cast<const float *>(data) + i;
  if (stride || i == 0) gather(block, data + i * stride, stride, m, sizeof *block);
  std::fill_n(block + m, lanes, 1.0f);
  return block;
}

template <class Fn, int inputs>
void floatLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  const int64_t lanes = int64_t(hn::Lanes(D()));
  float blocks[inputs][kBlock + kMaxLanes], results[kBlock + kMaxLanes];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(n - i, kBlock);
    const float *x = blockOf(blocks[0], data[1], strides[1], i, m, lanes), *y = x;
    if constexpr (inputs == 2) y = blockOf(blocks[1], data[2], strides[2], i, m, lanes);
    const bool direct = strides[0] == sizeof(float) && m % lanes == 0;
    float *r = direct ? reinterpret_cast<float *>(data[0]) + i : results;
    for (int64_t j = 0; j < m; j += lanes) {
      if constexpr (inputs == 2)
        evaluate<Fn>(r + j, x + j, y + j);
      else
        evaluate<Fn>(r + j, x + j);
    }
    if (!direct) scatter(data[0] + i * strides[0], strides[0], results, m, sizeof *results);
  }
}

template <class Fn, int inputs> constexpr Kernel kernel = {floatLoop<Fn, inputs>, TH_Float, TH_Float};
// In the order of FloatFunction.
constexpr Kernel kernels[] = {kernel<Power, 2>, kernel<LogAddExp, 2>, kernel<LogAddExp2, 2>, kernel<XLogY, 2>,
                              kernel<Fmod, 2>,  kernel<Remainder, 2>, kernel<Erfc, 1>,       kernel<Erfinv, 1>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::Kernel &th::kernelOfFloats(FloatFunction function) { return TH_BEST_TARGET(kernels)[int(function)]; }
#endif
