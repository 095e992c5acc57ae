// One dimension's elements made of another's, on devices without THNN's kernels: each is the sum of a few, its taps, times
// weights. Resampling is this, and averages are, dimension by dimension.
#pragma once

#include <vector>

#include <THPP/THPP.h>

namespace thpp {

// Tensors (rows, most): a row for each element that is made.
struct Taps {
  Tensor index;  // the number of elements where a row has fewer taps than most
  Tensor weight;  // undefined: a row is its one element
};

// Of lists in the host's memory, row by row, with -1 where a row has fewer. The copy waits for the device.
Taps taps_of(const std::vector<int64_t> &index, const std::vector<double> &weight, int64_t rows, int64_t elements,
             THDevice device);

// self with its dimension `dim` become the rows.
Tensor combined(const Tensor &self, int dim, const Taps &taps);
// The other way: each row's value times its weights, added to the elements, of which there are `size`.
Tensor distributed(const Tensor &rows, int dim, const Taps &taps, int64_t size);

}  // namespace thpp
