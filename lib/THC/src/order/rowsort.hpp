// Rows in order: for each of them, at which positions its elements stand in the order of TH/THTensorSort.h.
#pragma once

#include <cuda_runtime.h>
#include <TH/prepare/rows.h>
#include "kit/cuda.hpp"
#include "kit/tensor.hpp"

namespace thc {

// Elements that a block sorts in shared memory: rows that are no longer are sorted whole.
constexpr int kItems = 2048;

// Elements as unsigned numbers of the same order, row after row, whatever `stride` the rows have: of 32 bits, or of 64 where
// elements have as many. Half types and small integers have keys of as many bits as they are wide.
struct Keys {
  uint32_t *narrow = nullptr;
  uint64_t *wide = nullptr;
};
// Keys of T in Keys of 32 bits or 64.
void makeKeys(const Keys &keys, const THTensor *t, const THRows &rows, bool descending, cudaStream_t stream);

// What the key of NaN is in keys of a dtype; 0 where there is none (integers).
uint64_t nanKey(THDtype dtype);

// t is contiguous; of no rows it is not looked at. Raises where a row has more elements than 32 bits can count.
class SortedRows {
 public:
  SortedRows(const THTensor *t, const THRows &rows, bool descending, cudaStream_t stream, int device);
  // Row after row.
  const uint32_t *positions() const { return positions_.as<uint32_t>(); }
  Keys keys() const { return keys_; }  // in their order

 private:
  Workspace positions_, memory_;
  Keys keys_;
};
void requireShortRows(const THRows &rows);
// Sorts rows of keys that have this many bits, and says where they stood, row after row; equal ones stay in their order.
void sortKeys(const Keys &keys, uint32_t *positions, const THRows &rows, int bits, cudaStream_t stream, int device);

// Some of the elements of each row of t, which is contiguous: the first `taken` of `positions`, of which there are `perRow`
// for a row (0: the same for all). values and indices are contiguous, with `taken` in place of the rows' length; indices may be NULL.
struct Taken {
  const uint32_t *positions;
  int64_t perRow, taken;
};
void takeFromRows(void *values, int64_t *indices, const THTensor *t, const THRows &rows, const Taken &taken,
                  cudaStream_t stream);

}  // namespace thc
