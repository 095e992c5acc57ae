// Logarithm and exponential by series, for random numbers: the same bits on every
// machine and device, which the library's functions do not promise.
#pragma once

#include <cmath>
#include <limits>

#include "boxmuller.hpp"

namespace th {

constexpr double logSeries(double x) { return logScaled<double>(x, 0); }  // of normal x > 0

// ln(1 - p) for p in [0, 1): by -2 artanh(p / (2 - p)) where 1 - p would lose digits.
constexpr double logOneMinus(double p) {
  if (p > 0.25) return logSeries(1 - p);
  const double s = p / (2 - p), s2 = s * s;
  double sum = 0;
#ifndef __CUDACC__  // which knows another one, and needs none
#pragma GCC unroll 16
#endif
  for (int i = 11; i >= 0; i--) sum = sum * s2 + 2.0 / (2 * i + 1);
  return -s * sum;
}

// x = k ln 2 + r with |r| <= 0.35, and a Taylor series for e^r. ln 2 in two parts, the first with few bits.
constexpr double expSeries(double x) {
  if (!(x < 709.7)) return std::isnan(x) ? x : std::numeric_limits<double>::infinity();
  if (x < -745) return 0;
  constexpr double shift = 0x1.8p52;  // added and subtracted it rounds to an integer, without a call
  const double k = (x * 1.4426950408889634 + shift) - shift;
  const double r = x - k * 0.693147180369123816490 - k * 1.90821492927058770002e-10;
  double sum = 1;
#ifndef __CUDACC__
#pragma GCC unroll 16
#endif
  for (int i = 13; i >= 1; i--) sum = 1 + sum * r * (1.0 / i);
  if (k > -1021 && k < 1023) return sum * std::bit_cast<double>((int64_t(k) + 1023) << 52);
  return std::ldexp(sum, int(k));
}

// ln k! less Stirling's (k + 1/2) ln(k + 1) - (k + 1) + ln(2π)/2.
constexpr double stirlingTail(double k) {
  if (k < 10) {
    double sum = 0;
    for (double i = 2; i <= k; i++) sum += logSeries(i);
    return sum - ((k + 0.5) * logSeries(k + 1) - (k + 1) + 0.91893853320467274);
  }
  const double x = 1 / (k + 1), x2 = x * x;
  return x * (1.0 / 12 - x2 * (1.0 / 360 - x2 * (1.0 / 1260 - x2 * (1.0 / 1680))));
}
// Exponential deviates, mean 1, from random bits: -ln of the middle of one of 2^32 or 2^52 parts of
// (0, 1), so never 0 and never infinite.
constexpr double exponentialOf(uint32_t word) { return -logScaled<double>(2 * double(word) + 1, 33); }
constexpr double exponentialOf(uint32_t low, uint32_t high) {
  const uint64_t word = low | uint64_t(high) << 32;
  return -logScaled<double>(double(int64_t(word >> 12 << 1 | 1)), 53);
}

}  // namespace th
