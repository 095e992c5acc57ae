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

// Of one dimension: the elements of windows, `most` of each, one after the other; a window that has fewer has its first
// one several times.
struct Windows {
  int64_t count, most;
  std::vector<int64_t> elements;
};
// What of windows of a pooling lies in a dimension of `size` elements.
Windows windows_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation);
// Windows of which each dimension has a share of its own.
Windows shares_of(int64_t size, int64_t count);
// Where in a plane of `size` the elements of all combinations of windows are: (windows, elements of one).
Tensor places_of(const std::vector<Windows> &windows, IntList size, THDevice device);
// The greatest elements of windows and where they are in their planes, of planes (n, elements) and places (windows, elements
// of one) or (n, windows, elements of one): both (n, windows).
std::pair<Tensor, Tensor> greatest(const Tensor &planes, const Tensor &places);

// ---- averages, a dimension at a time -----------------------------------------------------------------------------------

// counts_padding: what lies around the elements counts, with 0. whole: sums instead.
Taps averages_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, bool counts_padding,
                 bool whole);
Taps averages_of_shares(int64_t size, int64_t count);

}  // namespace thpp
