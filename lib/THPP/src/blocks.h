// Windows that go over planes, by operators, for devices without THNN's kernels. Lists have an entry per dimension.
#pragma once

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
// Where in a plane of `size` the elements of all combinations of windows are: (windows, elements of one).
Tensor places_of(const std::vector<Tensor> &windows, IntList size);
// The greatest elements of windows and where they are in their planes, of planes (n, elements) and places (windows, elements
// of one) or (n, windows, elements of one): both (n, windows).
std::pair<Tensor, Tensor> greatest(const Tensor &planes, const Tensor &places);

// ---- averages, a dimension at a time -----------------------------------------------------------------------------------

// How many elements of a dimension each window has, at least 1; counts_padding: with what lies around them.
Tensor counts_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, bool counts_padding,
                 THDevice device);
// Sums of windows, divided by such numbers, or by those that broadcast with them.
Taps averages_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, const Tensor &counts);
Taps averages_of_shares(int64_t size, int64_t count, THDevice device);

}  // namespace thpp
