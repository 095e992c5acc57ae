// Any and all, and whether two tensors are equal.
#include <algorithm>
#include <THC/THCTensorReduce.h>
#include "kit/define.cuh"
#include "kit/hostread.hpp"
#include "kit/pointwise.cuh"
#include "kit/reduce.cuh"

namespace thc {
namespace {

// Is there an element that is not 0, or, inverted, are there none that are? An element is its bits; `mask` has all of them but
// the signs of zeros.
struct Truth {
  using In = uint64_t;
  using State = uint8_t;
  static constexpr bool ordered = false, vectors = true;
  uint64_t mask;
  bool inverted;
  __device__ State identity() const { return 0; }
  __device__ void take(State &s, uint64_t x, int64_t) const { s |= uint8_t(((x & mask) != 0) != inverted); }
  __device__ void join(State &a, const State &b) const { a |= b; }
  __device__ uint8_t value(const State &s, int64_t) const { return uint8_t((s != 0) != inverted); }
};

uint64_t maskOf(THDtype dtype) {
  const auto withoutSign = [](THDtype d) { return ~(uint64_t(1) << (8 * th::elementSize(d) - 1)); };
  switch (dtype) {
    case TH_Float8_e4m3fn:
    case TH_Float8_e5m2:
    case TH_Half:
    case TH_BFloat16:
    case TH_Float:
    case TH_Double: return withoutSign(dtype);
    case TH_ComplexHalf: return withoutSign(TH_Half) & withoutSign(TH_Float);
    case TH_ComplexFloat: return withoutSign(TH_Float) & withoutSign(TH_Double);
    default: return ~uint64_t(0);
  }
}

void truth(THDtype via, bool all, THTensor *r, const THTensor *t, uint64_t dims, bool keepdim) {
  Reduction reduction(via, nullptr, Truth::ordered, r, nullptr, t, dims, keepdim);
  if (reduction.runs()) {
    const Truth op{maskOf(reduction.dtype()), all};
    // What `via` cannot hold may be 0 there.
    const bool direct = reduction.isAligned() && (via == TH_Bool || holds(via, reduction.dtype()));
    switch (direct ? th::elementSize(reduction.dtype()) : 0) {
      case 1: reduceStored<uint8_t>(op, reduction); break;
      case 2: reduceStored<uint16_t>(op, reduction); break;
      case 4: reduceStored<uint32_t>(op, reduction); break;
      case 8: reduceStored<uint64_t>(op, reduction); break;
      default: reduceBy<Truth, void, 1>(op, reduction);
    }
  }
  reduction.finish();
}

// ---- equality -----------------------------------------------------------------------------------------
__device__ [[gnu::noinline]] bool areEqual(const void *a, const void *b, THDtype dtype) {
  switch (dtype) {
#define THC_EQUAL(Name, type, kind, kernels, name, alias)              \
  case TH_##Name: {                                                    \
    using C = Compute<th::Element<TH_##kernels>>;                      \
    return readElement<C, type>(a) == readElement<C, type>(b);         \
  }
    TH_DTYPES(THC_EQUAL)
#undef THC_EQUAL
    default: return false;
  }
}

__global__ void __launch_bounds__(kBlock) differKernel(Walk<2> walk, THDtype dtype, uint32_t *differ) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += step) {
    char *at[2];
    walk.addresses(i, at);
    if (!areEqual(at[0], at[1], dtype)) *differ = 1;  // whoever writes it
  }
}

// The elements of two tensors of one shape, which may share memory: neither is written.
THPointwisePlan pairs(const THTensor *a, const THTensor *b) {
  THPointwisePlan plan = {};
  const int64_t size = th::elementSize(THDtype(a->dtype));
  plan.n = 2;
  plan.numel = a->numel;
  for (int d = a->ndim; d-- > 0;) {
    if (a->size[d] == 1) continue;
    const int64_t stride[] = {a->stride[d] * size, b->stride[d] * size};
    const int last = plan.ndim - 1;
    if (plan.ndim && stride[0] == plan.stride[last][0] * plan.shape[last] &&
        stride[1] == plan.stride[last][1] * plan.shape[last]) {
      plan.shape[last] *= a->size[d];
      continue;
    }
    plan.shape[plan.ndim] = a->size[d];
    std::copy_n(stride, 2, plan.stride[plan.ndim++]);
  }
  if (!plan.ndim) plan.shape[plan.ndim++] = 1;
  return plan;
}

bool equal(const THTensor *a, const THTensor *b) {
  const OnDevice on(a);
  char *const data[] = {dataOf(a, on), dataOf(b, on)};
  if (!a->numel) return true;
  const Workspace differ(sizeof(uint32_t), on.index);
  THC_CHECK(cudaMemsetAsync(differ.data(), 0, sizeof(uint32_t), on.stream));
  forWalks<2>(pairs(a, b), data, [&](const Walk<2> &walk) {
    launch(differKernel, blocksFor(walk.count), kBlock, 0, on.stream, walk, THDtype(a->dtype), differ.as<uint32_t>());
  });
  return !readBack(differ.as<uint32_t>(), on.stream, on.index);
}

}  // namespace
}  // namespace thc

bool THCTensor_equal(const THTensor *a, const THTensor *b) {
  const thc::Operator named("equal");
  thc::requireOneDevice({a, b}, {});
  if (a->dtype != b->dtype)
    THError(TH_ERROR_RUNTIME, "Expected object of type %s but got type %s", TH_dtypeName(THDtype(a->dtype)),
            TH_dtypeName(THDtype(b->dtype)));
  if (a->dtype == TH_ComplexHalf)
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"equal_cuda\" not implemented for '%s'", TH_typeName(TH_ComplexHalf));
  return THTensor_isSameSizeAs(a, b) && thc::equal(a, b);
}

#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
THC_DEFINE(any, all_complex, REDUCTION, thc::truth(dtype, false, r, t, dims, keepdim))
THC_DEFINE(all, all_complex, REDUCTION, thc::truth(dtype, true, r, t, dims, keepdim))
