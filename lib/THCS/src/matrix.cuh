// A sparse matrix by rows, whatever layout it has: what products read.
#pragma once

#include <memory>

#include "sparse.cuh"

namespace thcs {

// Entries of row r are entry(i) for i in [begin[r], begin[r + 1]). Values stay where they are.
struct Rows {
  int64_t rows, columns, entries;
  const int64_t *begin, *column;
  const int64_t *order;  // NULL: entries stand by rows

  __device__ __forceinline__ int64_t entry(int64_t i) const { return order ? order[i] : i; }
  // The row of the entry that stands at i.
  __device__ __forceinline__ int64_t rowAt(int64_t i) const { return countUpTo(begin, rows + 1, i) - 1; }
};

class Matrix {
 public:
  Matrix(const THSTensor *t, const OnDevice &on);
  const Rows &rows() const { return rows_; }

 private:
  Ref places_, begins_;
  std::unique_ptr<Sorted> sorted_;
  Rows rows_;
};

}  // namespace thcs
