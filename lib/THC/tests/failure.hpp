// The kernel of the failures' tests.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace thc {
struct Failure;
}

// Reports index[i] of each i that is not below `size`, in one block or more.
void launchReporting(const int64_t *index, int n, int64_t size, int dim, thc::Failure *failure, cudaStream_t stream);
// Ends as if an assertion had failed.
void launchTrap(cudaStream_t stream);
// Reports a rate that is negative.
void launchRate(double rate, thc::Failure *failure, cudaStream_t stream);
