// The least elements of rows, in the order of TH/THTensorSort.h, without putting all of them in order: by their digits, from
// the highest on, a block finds the key of a rank, and then where it and what is less stand.
#pragma once

#include "order/rowsort.hpp"

namespace thc {

// Whether rows are long enough to be worth it, `taken` few of their elements, and the rows many enough for their blocks to
// outrun a sort by the whole device.
bool isSelected(const THRows &rows, int64_t taken);

// The positions of the first `taken` elements of each row of t, which is contiguous, as SortedRows would have them.
class SelectedRows {
 public:
  SelectedRows(const THTensor *t, const THRows &rows, int64_t taken, bool descending, cudaStream_t stream, int device);
  const uint32_t *positions() const { return positions_.as<uint32_t>(); }

 private:
  Workspace positions_;
};

// What stands in the middle, of all elements (NaN if there is one) or of those that are numbers.
enum class Median { no, of_all, of_numbers };
__host__ __device__ inline int64_t medianRank(Median median, int64_t numbers, int64_t length) {
  return numbers < length && median == Median::of_all ? numbers : numbers ? (numbers - 1) / 2 : 0;
}

// The position of one element of each row: of rank k, or of a median.
class ChosenRows {
 public:
  ChosenRows(const THTensor *t, const THRows &rows, Median median, int64_t k, cudaStream_t stream, int device);
  const uint32_t *positions() const { return positions_.as<uint32_t>(); }

 private:
  Workspace positions_;
};

}  // namespace thc
