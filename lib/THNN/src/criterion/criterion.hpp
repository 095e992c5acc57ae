// What criterions share: losses of one number, and sums that no number of threads changes.
#pragma once

#include <algorithm>

#include "kit/module.hpp"
#include "kit/parallel.hpp"

namespace thnn {

void checkMse(THDtype dtype, const THTensor *input, const THTensor *target, const THTensor *output);
void checkMseGradient(THDtype dtype, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
                      const THTensor *gradInput, bool reduce);

// Rounded to T here: too large is infinite, not an error.
template <class T>
void setNumber(THTensor *r, double value) {
  THTensor_fill(r, scalar(double(Compute<T>(T(Compute<T>(value))))));
}

// The number that a kernel needs to fill r; any where r has no elements to be filled.
template <class T>
double number(const THTensor *r, const THTensor *t) {
  return hasMemory(r) ? double(Compute<T>(*elements<T>(t))) : 0;
}

// The sum of term(begin, end) over blocks of n numbers: blocks are added one after the other, in
// double, whatever thread computed them.
template <class Term>
double blockSum(int64_t n, const Term &term) {
  constexpr int64_t block = 4096, batch = 256;
  double total = 0, partial[batch];
  for (int64_t first = 0; first < n; first += block * batch) {
    const int64_t blocks = std::min(batch, (n - first + block - 1) / block);
    parallelFor(blocks, kGrain / block, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; b++) partial[b] = term(first + b * block, std::min(n, first + (b + 1) * block));
    });
    for (int64_t b = 0; b < blocks; b++) total += partial[b];
  }
  return total;
}

}  // namespace thnn
