#include "failure.hpp"

#include "kit/failure.cuh"
#include "kit/launch.cuh"

namespace {

__global__ void reporting(const int64_t *index, int n, int64_t size, int dim, thc::Failure *failure) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && index[i] >= size) thc::report(failure, thc::FailureKind::Index, index[i], size, dim);
}

__global__ void negative(double rate, thc::Failure *failure) {
  if (rate < 0) thc::report(failure, thc::FailureKind::Rate, rate);
}

__global__ void trapping() { __trap(); }

}  // namespace

void launchTrap(cudaStream_t stream) { thc::launch(trapping, dim3(1), dim3(1), 0, stream); }

void launchReporting(const int64_t *index, int n, int64_t size, int dim, thc::Failure *failure, cudaStream_t stream) {
  thc::launch(reporting, dim3(unsigned(n + 63) / 64), dim3(64), 0, stream, index, n, size, dim, failure);
}

void launchRate(double rate, thc::Failure *failure, cudaStream_t stream) {
  thc::launch(negative, dim3(1), dim3(1), 0, stream, rate, failure);
}
