// One dimension's elements made of another's, on devices without THNN's kernels: each is the sum of a few, its taps, times
// weights. Resampling is this, and averages are, dimension by dimension.
#pragma once

#include <vector>

#include <THPP/THPP.h>

namespace thpp {

struct Taps {
  int64_t rows, most;  // results, and taps of one
  // Of tap k of row o, at [o * most + k]; index -1: the row has fewer.
  std::vector<int64_t> index;
  std::vector<double> weight;

  Taps(int64_t rows, int64_t most)
      : rows(rows), most(most), index(size_t(rows * most), -1), weight(size_t(rows * most)) {}
  void set(int64_t row, int64_t k, int64_t element, double w) {
    index[size_t(row * most + k)] = element;
    weight[size_t(row * most + k)] = w;
  }
};

// self with its dimension `dim` become the rows.
Tensor combined(const Tensor &self, int dim, const Taps &taps);
// The other way: each row's value times its weights, added to the elements, of which there are `size`.
Tensor distributed(const Tensor &rows, int dim, const Taps &taps, int64_t size);

}  // namespace thpp
