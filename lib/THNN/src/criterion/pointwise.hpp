// What a criterion of single elements is made of, for one SIMD target: pointwise.cpp.
#pragma once

#include "kit/iterator.hpp"

namespace thnn {

// The sum over n contiguous elements of each operand.
struct Sums {
  double (*single)(const void *param, const float *const *from, int64_t n);
  double (*twice)(const void *param, const double *const *from, int64_t n);
  template <class C> auto of() const {
    if constexpr (sizeof(C) == sizeof(float))
      return single;
    else
      return twice;
  }
};
struct Loss {
  th::KernelTable each, gradient;
  Sums sums;
};

}  // namespace thnn
