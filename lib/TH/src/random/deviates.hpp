// Log-factorials, and the loops that make many words and deviates at once.
#pragma once

#include <array>
#include <cstdint>

#include "series.hpp"

namespace th {

inline double logFactorial(double k) {
  static const auto few = [] {
    std::array<double, 256> sums{};
    for (size_t i = 2; i < sums.size(); i++) sums[i] = sums[i - 1] + logSeries(double(i));
    return sums;
  }();
  if (k < double(few.size())) return few[size_t(k)];
  return (k + 0.5) * logSeries(k + 1) - (k + 1) + 0.91893853320467274 + stirlingTail(k);
}

// Words of blocks first … first + n - 1. n is a multiple of 4.
void philoxWords(uint32_t *words, uint64_t seed, uint64_t first, int64_t n);

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
