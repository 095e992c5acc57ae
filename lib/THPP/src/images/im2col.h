// Windows that go over planes, by operators, for devices without THNN's kernels. Lists have an entry per dimension.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <THPP/THPP.h>

#include "taps.h"

namespace thpp {

struct Steps {
  IntList kernel, stride, padding, dilation;
};

// ---- of one size, as views: convolutions and columns ---------------------------------------------------------------

// self (batch, channels, size…) as (batch, channels, positions…, kernel…), in a view of what has zeros around it.
Tensor blocks(const Tensor &self, const Steps &steps);
// The other way: `parts` of that shape, added to the elements that they were, (batch, channels, `size`…).
Tensor from_blocks(const Tensor &parts, IntList size, const Steps &steps);

// ---- of any sizes, as lists: greatest elements -----------------------------------------------------------------------

// A dimension's windows, each a row of elements; all lists are tensors of the device, so that nothing waits for it.
// Of `count` windows of a pooling over `size` elements: (count, kernel). Where an element lies outside, a window has its first
// one once more.
Tensor windows_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation,
                  THDevice device);
// Of windows that share the elements out: window o of n is [o size / n, (o + 1) size / n), rounded outwards.
Tensor shares_of(int64_t size, int64_t count, THDevice device);
// Of windows of `kernel` that begin at random, as setFractions() in lib/THNN/src/pooling/windows.cpp has them, by samples
// (batch, channels, dimensions) where in planes of `space` they are: (planes, windows, elements of one).
Tensor fractional_places(IntList space, IntList kernel, IntList size, const Tensor &samples);
// Where in a plane of `size` the elements of all combinations of windows are: (windows, elements of one).
Tensor places_of(const std::vector<Tensor> &windows, IntList size);
// The greatest elements of windows and where they are in their planes, of planes (n, elements) and places (windows, elements
// of one) or (n, windows, elements of one): both (n, windows).
std::pair<Tensor, Tensor> greatest(const Tensor &planes, const Tensor &places);

// ---- averages, a dimension at a time -----------------------------------------------------------------------------------

// Of averages over windows of one size.
struct AverageSteps {
  IntList kernel, stride, padding;
  bool counts_padding;
  std::optional<int64_t> divisor;

  // Of dimension d, (windows, 1).
  Tensor counts(int d, int64_t size, int64_t count, THDevice device) const;
  // Where sums are wanted, or divided by a number for all, each counts as one.
  Taps taps(int d, int64_t size, int64_t count, bool sums, THDevice device) const;
  // Sums of integers by what they are divided by, towards 0; `size`: of the input.
  Tensor divided(const Tensor &sums, int n, IntList size) const;
};
Taps averages_of_shares(int64_t size, int64_t count, THDevice device);

inline int64_t product(IntList sizes) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return n;
}

}  // namespace thpp
