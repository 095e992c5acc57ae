// Logarithm, exponential and log-factorial by series, for random numbers: the same bits on every
// machine, which the library's functions do not promise.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "boxmuller.hpp"

namespace th {

inline double logSeries(double x) { return logScaled<double>(x, 0); }  // of normal x > 0

// ln(1 - p) for p in [0, 1): by -2 artanh(p / (2 - p)) where 1 - p would lose digits.
inline double logOneMinus(double p) {
  if (p > 0.25) return logSeries(1 - p);
  const double s = p / (2 - p), s2 = s * s;
  double sum = 0;
  for (int i = 11; i >= 0; i--) sum = sum * s2 + 2.0 / (2 * i + 1);
  return -s * sum;
}

// x = k ln 2 + r with |r| <= 0.35, and a Taylor series for e^r. ln 2 in two parts, the first with few bits.
inline double expSeries(double x) {
  if (!(x < 709.7)) return std::isnan(x) ? x : std::numeric_limits<double>::infinity();
  if (x < -745) return 0;
  const double k = std::nearbyint(x * 1.4426950408889634);
  const double r = x - k * 0.693147180369123816490 - k * 1.90821492927058770002e-10;
  double sum = 1;
  for (int i = 13; i >= 1; i--) sum = 1 + sum * r * (1.0 / i);
  return std::ldexp(sum, int(k));
}

// ln k! less Stirling's (k + 1/2) ln(k + 1) - (k + 1) + ln(2π)/2.
inline double stirlingTail(double k) {
  if (k < 10) {
    double sum = 0;
    for (double i = 2; i <= k; i++) sum += logSeries(i);
    return sum - ((k + 0.5) * logSeries(k + 1) - (k + 1) + 0.91893853320467274);
  }
  const double x = 1 / (k + 1), x2 = x * x;
  return x * (1.0 / 12 - x2 * (1.0 / 360 - x2 * (1.0 / 1260 - x2 * (1.0 / 1680))));
}
inline double logFactorial(double k) {
  static const auto few = [] {
    std::array<double, 256> sums{};
    for (size_t i = 2; i < sums.size(); i++) sums[i] = sums[i - 1] + logSeries(double(i));
    return sums;
  }();
  if (k < double(few.size())) return few[size_t(k)];
  return (k + 0.5) * logSeries(k + 1) - (k + 1) + 0.91893853320467274 + stirlingTail(k);
}

// Exponential deviates, mean 1, from random bits: -ln of the middle of one of 2^32 or 2^52 parts of
// (0, 1), so never 0 and never infinite.
inline double exponentialOf(uint32_t word) { return -logScaled<double>(2 * double(word) + 1, 33); }
inline double exponentialOf(uint32_t low, uint32_t high) {
  const uint64_t word = low | uint64_t(high) << 32;
  return -logScaled<double>(double(int64_t(word >> 12 << 1 | 1)), 53);
}

// Chunks of deviates, for this machine's vectors (deviates.cpp): n of them out of n words, or 2 n where they are of 53
// or 64 bits.
struct DeviateLoops {
  void (*words)(uint32_t *words, uint64_t seed, uint64_t first, int64_t n);
  void (*normal32)(float *out, const uint32_t *words, int64_t n);  // n is even
  void (*normal64)(double *out, const uint32_t *words, int64_t n);
  void (*exponential32)(double *out, const uint32_t *words, int64_t n);
  void (*exponential64)(double *out, const uint32_t *words, int64_t n);
  void (*tangent32)(float *out, const uint32_t *words, int64_t n);  // of a uniform angle
  void (*tangent64)(double *out, const uint32_t *words, int64_t n);
  void (*exp)(double *x, int64_t n);  // expSeries, in place
};
const DeviateLoops &deviateLoops();

}  // namespace th
