// One dimension of a resampling as a matrix with few entries: result o is the sum of its taps' weights times elements.
#pragma once

#include <cstdint>
#include <vector>
#include <THNN/Upsampling.h>

namespace thnn {

template <class C>
struct Taps {
  int64_t rows = 0;
  int64_t most = 0;  // taps of a row
  bool even = true;  // every row has `most`
  bool plain = false;  // which is one, of weight 1: elements are copied
  // Tap k of row o is at [k * rows + o], so that loops run over neighbours; those that a row has not got weigh nothing and
  // name an element all the same.
  std::vector<int32_t> index;
  std::vector<C> weight;
  std::vector<int32_t> count;  // of each row

  Taps(int64_t rows, int64_t most)
      : rows(rows), most(most), index(size_t(rows * most)), weight(size_t(rows * most)), count(size_t(rows)) {}
  void add(int64_t row, int64_t element, C w) {
    const size_t at = size_t(count[size_t(row)]++ * rows + row);
    index[at] = int32_t(element);
    weight[at] = w;
  }
};

// Of dimension d of a plan.
template <class C> Taps<C> tapsOf(const THNNUpSamplingPlan &plan, int d);

// The gradient's: each element of the input has a row, which holds the results that it is part of, in their order.
template <class C> Taps<C> transposed(const Taps<C> &taps, int64_t elements);

// Taps of uint8, whose weights are integers: with as many bits behind the point as the greatest one leaves of 15.
struct FixedTaps {
  const Taps<double> &taps;
  std::vector<int32_t> weight;
  int bits = 0;
  explicit FixedTaps(const Taps<double> &taps);
};

}  // namespace thnn
