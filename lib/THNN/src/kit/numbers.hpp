// Parameters of kernels of single elements.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "kit/tensor.hpp"
#include "kit/scalar.hpp"

namespace thnn {

// A function's parameters, in the type that it computes in.
template <class T>
struct Numbers {
  th::Compute<T> of[4] = {};
  Numbers(std::initializer_list<double> values) {
    std::transform(values.begin(), values.end(), of, [](double x) { return th::Compute<T>(x); });
  }
};

}  // namespace thnn
