// A matrix as BLAS is told of it, whoever computes the product.
#pragma once

#include <cstdint>

namespace th {

// Element (i, j) is at data[i * rowStride + j * columnStride].
template <class T>
struct Matrix {
  T *data;
  int64_t rows, columns, rowStride, columnStride;

  Matrix transposed() const { return {data, columns, rows, columnStride, rowStride}; }
  // How BLAS wants it: unit stride one way, and rows that do not overlap the other way.
  bool isRowMajor() const {
    return (columnStride == 1 || columns == 1) && (rowStride >= (columns > 1 ? columns : 1) || rows == 1);
  }
  bool isBlasReady() const { return isRowMajor() || transposed().isRowMajor(); }
  int64_t leadingDimension() const {  // of a row-major one
    return rows == 1 ? (columns > 1 ? columns : 1) : rowStride;
  }
};

}  // namespace th
