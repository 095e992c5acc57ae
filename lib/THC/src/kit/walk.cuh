// Strided walks: from the number of an element to its addresses.
#pragma once

#include <TH/prepare/pointwise.h>
#include <cuda_runtime.h>

namespace thc {

// Division of 32-bit numbers below 2^31 by one that the host knows, as a product and a shift (Granlund and Montgomery,
// "Division by invariant integers using multiplication", PLDI 1994).
struct Divider {
  uint32_t divisor = 1, factor = 0, shift = 0;

  Divider() = default;
  explicit Divider(uint32_t d) : divisor(d) {
    while (shift < 32 && (uint64_t(1) << shift) < d) shift++;
    factor = uint32_t(((uint64_t(1) << 32) * ((uint64_t(1) << shift) - d)) / d + 1);
  }
  __device__ __forceinline__ uint32_t quotient(uint32_t n) const { return (__umulhi(n, factor) + n) >> shift; }
};

constexpr int kWalkDims = 10;  // that a launch walks; the host loops over further ones
constexpr int64_t kWalkElements = int64_t(1) << 30;  // at most, of one launch

// n operands over a box of fewer than 2^31 elements; dimension 0 is the innermost.
template <int n>
struct Walk {
  uint32_t count = 0;
  int ndim = 0;
  Divider size[kWalkDims];
  int64_t stride[kWalkDims][n] = {};  // in bytes
  char *data[n] = {};

  __device__ __forceinline__ void addresses(uint32_t index, char *(&at)[n]) const {
#pragma unroll
    for (int k = 0; k < n; k++) at[k] = data[k];
    for (int d = 0; d < ndim; d++) {
      // What is left is the last dimension's: a walk of one dimension divides nothing.
      const uint32_t rest = d + 1 < ndim ? size[d].quotient(index) : 0;
      const int64_t i = index - rest * size[d].divisor;
      index = rest;
#pragma unroll
      for (int k = 0; k < n; k++) at[k] += i * stride[d][k];
    }
  }
};

// Calls run(walk) for boxes that make up the plan's, each small enough for a launch. `data`: the operands' addresses. `width`:
// neighbours along dimension 0 that a step of the walk takes at once; the last step of it may have fewer.
template <int n, class Run>
void forWalks(const THPointwisePlan &plan, char *const (&data)[n], const Run &run, int width = 1) {
  const auto shape = [&](int d) { return d ? plan.shape[d] : (plan.shape[0] + width - 1) / width; };
  const auto stride = [&](int d, int k) { return d ? plan.stride[d][k] : plan.stride[0][k] * width; };
  // The first `inner` dimensions fit into one launch; of the next one, `step` at a time do.
  int inner = 0;
  int64_t count = 1;
  while (inner < plan.ndim && inner < kWalkDims && count * shape(inner) <= kWalkElements) count *= shape(inner++);
  const bool cut = inner < plan.ndim && inner < kWalkDims;
  const int64_t step = cut ? kWalkElements / count : 1;

  Walk<n> walk;
  for (int d = 0; d < inner; d++) {
    walk.size[d] = Divider(uint32_t(shape(d)));
    for (int k = 0; k < n; k++) walk.stride[d][k] = stride(d, k);
  }
  int64_t at[TH_MAX_DIM + 1] = {};
  for (;;) {
    for (int k = 0; k < n; k++) {
      walk.data[k] = data[k];
      for (int d = inner; d < plan.ndim; d++) walk.data[k] += at[d] * stride(d, k);
    }
    walk.ndim = inner;
    walk.count = uint32_t(count);
    if (cut) {
      const int64_t length = shape(inner) - at[inner] < step ? shape(inner) - at[inner] : step;
      walk.size[inner] = Divider(uint32_t(length));
      for (int k = 0; k < n; k++) walk.stride[inner][k] = stride(inner, k);
      walk.ndim++;
      walk.count = uint32_t(count * length);
    }
    run(walk);
    int d = inner;
    for (; d < plan.ndim; d++) {
      at[d] += d == inner ? step : 1;
      if (at[d] < shape(d)) break;
      at[d] = 0;
    }
    if (d == plan.ndim) return;
  }
}

}  // namespace thc
