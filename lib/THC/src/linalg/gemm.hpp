// Products of matrices that BLAS takes as they lie; integers are multiplied by a kernel of ours.
#pragma once

#include <TH/THTensor.h>
#include <cuda_runtime.h>
#include "linalg/matrix.hpp"

namespace thc {

// c[b] = alpha a[b] b[b] + beta c[b] for `batch` matrices that are so many elements apart, all of one dtype. All matrices
// are BLAS-ready, and no dimension is 0. beta 0: c is not read.
struct Product {
  THDtype dtype;
  th::Matrix<void> c;
  th::Matrix<const void> a, b;
  THScalar alpha, beta;
  int64_t batch = 1, cStep = 0, aStep = 0, bStep = 0;
};

void multiplyByBlas(const Product &product, int device);             // floating and complex dtypes
void multiplyIntegers(const Product &product, cudaStream_t stream);  // int32 and int64: sums wrap

}  // namespace thc
