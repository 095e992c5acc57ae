// Products of vectors: inner, outer and vector products; traces.
#include <THC/THCTensorBlas.h>
#include <THC/THCTensorReduce.h>
#include <TH/THPrepare.h>

#include <algorithm>

#include "kit/operands.hpp"
#include "kit/pointwise.cuh"

namespace thc {
namespace {

// ---- inner products: as many sums as blocks, then one block adds them up; the order is fixed ------------
// Integers wrap, so they are added as unsigned ones.
template <class T>
struct Summed {
  using Type = Compute<T>;
};
template <>
struct Summed<int32_t> {
  using Type = uint32_t;
};
template <>
struct Summed<int64_t> {
  using Type = uint64_t;
};

constexpr int64_t kDotBlocks = 256;

template <class C>
__device__ void addUp(C sum, C *to) {
  THC_SHARED(C, partial, kBlock);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kBlock / 2; half; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] = C(partial[threadIdx.x] + partial[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *to = partial[0];
}

template <class T, class C>
__global__ void __launch_bounds__(kBlock)
    dotKernel(const T *a, int64_t aStride, const T *b, int64_t bStride, int64_t n, C *sums) {
  C sum = C(0);
  for (int64_t i = int64_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += int64_t(gridDim.x) * kBlock)
    sum = C(sum + C(readElement<C, T>(a + i * aStride) * readElement<C, T>(b + i * bStride)));
  addUp(sum, sums + blockIdx.x);
}

template <class C>
__global__ void __launch_bounds__(kBlock) addSumsKernel(const C *sums, int n, C *r) {
  addUp(int(threadIdx.x) < n ? sums[threadIdx.x] : C(0), r);
}
static_assert(kDotBlocks <= kBlock);

template <class T>
void dotInto(THTensor *sum, const THTensor *a, const THTensor *b) {
  using C = typename Summed<T>::Type;
  using Element = std::conditional_t<std::is_integral_v<T>, C, T>;
  const OnDevice on(sum);
  const int64_t n = a->numel, blocks = std::clamp<int64_t>((n + 4 * kBlock - 1) / (4 * kBlock), 1, kDotBlocks);
  const Workspace sums(size_t(blocks) * sizeof(C), on.index);
  launch(dotKernel<Element, C>, unsigned(blocks), kBlock, 0, on.stream,
         reinterpret_cast<const Element *>(dataOf(a, on)), a->stride[0],
         reinterpret_cast<const Element *>(dataOf(b, on)), b->stride[0], n, sums.as<C>());
  launch(addSumsKernel<C>, 1, kBlock, 0, on.stream, sums.as<C>(), int(blocks), reinterpret_cast<C *>(dataOf(sum, on)));
}

void dot(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b) {
  requireOneDevice({r}, {a, b});
  THResult result;
  THPrepare_dot(&result, dtype, r, a, b);
  const bool small = dtype == TH_Byte || dtype == TH_Char || dtype == TH_Short;
  const auto ready = [&](const THTensor *t) {
    if (!small && t->device == TH_CUDA) return Ref(THTensor_newWithTensor(const_cast<THTensor *>(t)));
    return contiguousAs(small ? TH_Int : dtype, t, r);
  };
  const Ref left = ready(a), right = ready(b);
  const THDtype compute = small ? TH_Int : th::isHalf(dtype) ? TH_Float : dtype;
  const Ref sum(th::newLike(r, compute, 0, nullptr));
  switch (small ? TH_Int : dtype) {
    case TH_Half: dotInto<th::half>(sum, left, right); break;
    case TH_BFloat16: dotInto<th::bfloat16>(sum, left, right); break;
    case TH_Float: dotInto<float>(sum, left, right); break;
    case TH_Double: dotInto<double>(sum, left, right); break;
    case TH_ComplexFloat: dotInto<THComplexFloat>(sum, left, right); break;
    case TH_ComplexDouble: dotInto<THComplexDouble>(sum, left, right); break;
    case TH_Int: dotInto<int32_t>(sum, left, right); break;
    default: dotInto<int64_t>(sum, left, right); break;
  }
  THResult_resize(&result, 1);
  THCTensor_copy(r, sum);
}

// ---- outer products: half types are rounded after each step -------------------------------------------------
template <class T, class C>
__device__ C roundedTo(C x) {
  if constexpr (th::isSmallFloat<T>)
    return C(th::convertTo<T>(x));
  else
    return x;
}
template <class T, class C>
__device__ C times(C a, C b) {
  if constexpr (std::is_same_v<T, bool>)
    return C(a & b);
  else
    return roundedTo<T>(C(a * b));
}

template <class T>
struct ScaledProduct {
  Compute<T> alpha;
  __device__ Compute<T> operator()(Compute<T> b, Compute<T> a) const { return times<T>(times<T>(alpha, a), b); }
};
template <class T>
struct AddScaledProduct {
  Compute<T> beta, alpha;
  __device__ Compute<T> operator()(Compute<T> t, Compute<T> b, Compute<T> a) const {
    const Compute<T> x = times<T>(beta, t), y = times<T>(times<T>(alpha, a), b);
    if constexpr (std::is_same_v<T, bool>)
      return Compute<T>(x | y);
    else
      return roundedTo<T>(Compute<T>(x + y));
  }
};

template <class T>
void addr(THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *v1, const THTensor *v2) {
  requireOneDevice({r}, {t, v1, v2});
  using U = th::Stored<T>;
  alignas(8) char factors[2 * th::kWidest];
  THPointwisePlan plan;
  if (!THPrepare_addr(&plan, factors, th::DtypeOf<T>::value, r, beta, t, alpha, v1, v2)) return;
  const Compute<T> first = th::convertTo<Compute<T>>(*reinterpret_cast<const U *>(factors));
  const Compute<T> second = th::convertTo<Compute<T>>(*reinterpret_cast<const U *>(factors + sizeof(T)));
  if (th::isScalar(beta, 0))
    runPointwise<T>(plan, ScaledProduct<T>{second}, Number::rounded, r, v2, v1);
  else
    runPointwise<T>(plan, AddScaledProduct<T>{first, second}, Number::rounded, r, t, v2, v1);
}

// ---- vector products --------------------------------------------------------------------------------------
struct Difference {
  template <class C>
  __device__ C operator()(C a, C b, C c, C d) const {
    return C(C(a * b) - C(c * d));
  }
};

template <class T>
void cross(THTensor *r, const THTensor *a, const THTensor *b, int dim) {
  requireOneDevice({r}, {a, b});
  THResult result;
  dim = THPrepare_cross(&result, r, a, b, dim);
  THResult_resize(&result, 1);
  const Ref left(THTensor_newExpand(const_cast<THTensor *>(a), result.ndim, result.size));
  const Ref right(THTensor_newExpand(const_cast<THTensor *>(b), result.ndim, result.size));
  const auto part = [&](THTensor *t, int i) { return Ref(THTensor_newSelect(t, dim, i % 3)); };
  for (int i = 0; i < 3; i++) {
    const Ref to = part(r, i), a1 = part(left, i + 1), b2 = part(right, i + 2), a2 = part(left, i + 2),
              b1 = part(right, i + 1);
    const auto input = [](const Ref &t) { return static_cast<const THTensor *>(static_cast<THTensor *>(t)); };
    pointwise<T>(Difference{}, static_cast<THTensor *>(to), input(a1), input(b2), input(a2), input(b1));
  }
}

}  // namespace
}  // namespace thc

#define OUTER_ARGUMENTS \
  (THTensor * r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *v1, const THTensor *v2)
THC_DEFINE(dot, number_complex, (THTensor *r, const THTensor *a, const THTensor *b), thc::dot(dtype, r, a, b))
THC_DEFINE(addr, all_complex, OUTER_ARGUMENTS, thc::addr<T>(r, beta, t, alpha, v1, v2))
THC_DEFINE(cross, number_complex, (THTensor *r, const THTensor *a, const THTensor *b, int dim),
           thc::cross<T>(r, a, b, dim))
