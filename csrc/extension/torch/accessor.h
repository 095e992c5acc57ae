// Elements by index, strided and unchecked:
//
//     auto a = x.accessor<float, 2>();
//     for (int64_t i = 0; i < a.size(0); ++i)
//       for (int64_t j = 0; j < a.size(1); ++j) total += a[i][j];
//
// The tensor must live on, and its dtype and number of dimensions are checked once, when it is made.
#pragma once

#include <cstdint>

#include <torch/types.h>

namespace torch {

template <class T, int N>
class TensorAccessor {
 public:
  TensorAccessor(T *data, const int64_t *sizes, const int64_t *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  int64_t size(int d) const { return sizes_[d]; }
  int64_t stride(int d) const { return strides_[d]; }
  IntArrayRef sizes() const { return thpp::IntList(sizes_, size_t(N)); }
  IntArrayRef strides() const { return thpp::IntList(strides_, size_t(N)); }
  T *data() const { return data_; }
  // The element, or the accessor of what is left of the dimensions.
  decltype(auto) operator[](int64_t i) const {
    T *const at = data_ + i * strides_[0];
    if constexpr (N == 1)
      return *at;
    else
      return TensorAccessor<T, N - 1>(at, sizes_ + 1, strides_ + 1);
  }

 private:
  T *data_;
  const int64_t *sizes_, *strides_;
};

}  // namespace torch
