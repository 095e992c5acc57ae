// Pointwise kernels: a functor of elements becomes a function of tensors.
//
//     struct Multiply {
//       template <class C> __device__ C operator()(C a, C b) const { return a * b; }
//     };
//     THC_DEFINE(cmul, all, (THTensor *r, const THTensor *t, const THTensor *src),
//                thc::pointwise<T>(Multiply{}, r, t, src))
//
// computes in Compute<T> (float for half types; a bool is a byte). Per functor and T there are two kernels: one for operands
// of dtype T (and a result of T, or of the dtype that the functor gives) that are contiguous along the innermost dimension, or
// repeat one element there, 16 bytes at a time; and one, per Compute<T>, for operands of any strides and dtypes. thc::pointwise<T, C> computes in C, which is wider: where the work
// outweighs the memory, so that there is one kernel for all T.
#pragma once

#include <TH/THPrepare.h>
#include "kit/convert.cuh"
#include "kit/define.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/walk.cuh"

namespace thc {

template <class R, class C>
struct ResultOf {  // what lies in memory where the functor gives R for T computed as C
  template <class T>
  using Stored = std::conditional_t<std::is_same_v<R, bool>, bool, std::conditional_t<std::is_same_v<R, C>, T, R>>;
};

// ---- contiguous or repeated elements -----------------------------------------------------------------
template <class T, int width>
struct alignas(sizeof(T) * width) Vector {
  T of[width];
};
constexpr int64_t kVectorBytes = 16;

// How an operand's elements of one step are reached: as one vector; one by one, from where no vector may begin; one that
// stands for all of them; or not at all, as it is a number.
enum class Access : uint8_t { vector, element, repeated, number };

template <int n, class T>
struct Groups {
  Walk<n> walk;  // in steps of some elements; operand 0 is the result
  Compute<T> number[n] = {};
  Access access[n] = {};
  int last = 0;  // elements of the walk's last step
};

// `count` elements; those that a step has no longer are like its last one.
template <class T, int width>
__device__ __forceinline__ Vector<T, width> loadGroup(const char *at, Access access, int count) {
  if (access == Access::number) return {};
  if (access == Access::vector && count == width) return *reinterpret_cast<const Vector<T, width> *>(at);
  const int last = access == Access::repeated ? 0 : count - 1;
  Vector<T, width> x;
#pragma unroll
  for (int i = 0; i < width; i++) x.of[i] = reinterpret_cast<const T *>(at)[i < last ? i : last];
  return x;
}

template <int width, class R, class T, class Op, int n, int... k>
__device__ __forceinline__ void applyGroup(const Op &op, const Groups<n, T> &p, char *const (&at)[n], int count,
                                           std::integer_sequence<int, k...>) {
  const Vector<Byte<T>, width> x[n] = {loadGroup<Byte<T>, width>(at[k + 1], p.access[k + 1], count)...};
  Vector<R, width> result;
#pragma unroll
  for (int i = 0; i < width; i++)
    result.of[i] = th::convertTo<R>(
        op((p.access[k + 1] == Access::number ? p.number[k + 1] : readElement<Compute<T>, T>(&x[k].of[i]))...));
  if (p.access[0] == Access::vector && count == width) {
    *reinterpret_cast<Vector<R, width> *>(at[0]) = result;
    return;
  }
#pragma unroll
  for (int i = 0; i < width; i++)
    if (i < count) reinterpret_cast<R *>(at[0])[i] = result.of[i];
}

template <int width, class Op, class R, class T, int n>
__global__ void __launch_bounds__(kBlock) groupsKernel(Op op, Groups<n, T> p) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < p.walk.count; i += step) {
    char *at[n];
    p.walk.addresses(i, at);
    applyGroup<width, R>(op, p, at, i + 1 < p.walk.count ? width : p.last, std::make_integer_sequence<int, n - 1>());
  }
}

// ---- any operands -----------------------------------------------------------------------------------
template <int n, class C>
struct Strided {
  Walk<n> walk;  // operand 0 is the result
  uint8_t dtype[n] = {}, via[n] = {};
  C number[n] = {};

  // Element k, through the dtype `via` where one comes between.
  __device__ __forceinline__ C load(int k, const char *at) const {
    if (!walk.data[k]) return number[k];
    if (dtype[k] == th::DtypeOf<C>::value && via[k] == dtype[k]) return *reinterpret_cast<const C *>(at);
    return readVia<C>(at, THDtype(dtype[k]), THDtype(via[k]));
  }
};

template <class Op, class R, class C, int n, int... k>
__device__ __forceinline__ R applyStrided(const Op &op, const Strided<n, C> &operands, char *const (&at)[n],
                                          std::integer_sequence<int, k...>) {
  return op(operands.load(k + 1, at[k + 1])...);
}

template <class Op, class R, class C, int n>
__global__ void __launch_bounds__(kBlock) stridedKernel(Op op, Strided<n, C> operands) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < operands.walk.count; i += step) {
    char *at[n];
    operands.walk.addresses(i, at);
    const R value = applyStrided<Op, R>(op, operands, at, std::make_integer_sequence<int, n - 1>());
    if (operands.dtype[0] == th::DtypeOf<R>::value && operands.via[0] == operands.dtype[0])
      *reinterpret_cast<R *>(at[0]) = value;
    else
      writeVia<R>(at[0], THDtype(operands.dtype[0]), THDtype(operands.via[0]), value);
  }
}

// ---- from tensors to launches -----------------------------------------------------------------------
// Operand 0 of a plan is r, the others are inputs; those on the CPU are numbers.
template <class T, class C = Compute<T>, class Op, class... Tensors>
void runPointwise(const THPointwisePlan &plan, const Op &op, Number number, THTensor *r, const Tensors *...inputs) {
  constexpr int n = 1 + int(sizeof...(inputs));
  using R = decltype(op(((void)inputs, C())...));
  using S = typename ResultOf<R, C>::template Stored<T>;
  constexpr THDtype dtype = th::DtypeOf<T>::value;

  constexpr int width = int(kVectorBytes / (sizeof(T) > sizeof(S) ? sizeof(T) : sizeof(S)));

  const OnDevice on(r);
  const THTensor *const operands[] = {r, inputs...};
  Strided<n, C> strided;
  Groups<n, T> groups;
  char *data[n];
  // Whole vectors along dimension 0: of one dimension the last one may be a part.
  bool grouped = std::is_same_v<C, Compute<T>> && (plan.ndim == 1 || plan.shape[0] % width == 0);
  for (int k = 0; k < n; k++) {
    const THTensor *t = operands[k];
    data[k] = k && t->device == TH_CPU ? nullptr : dataOf(t, on);
    strided.dtype[k] = t->dtype;
    // Elements of another dtype are rounded on their way in and out, unless they are numbers that count in full.
    strided.via[k] = uint8_t(k ? dtype : th::DtypeOf<S>::value);
    if (!data[k]) {
      strided.number[k] = th::convertTo<C>(numberOf<T>(t, number));
      groups.number[k] = th::convertTo<Compute<T>>(strided.number[k]);
      groups.access[k] = Access::number;
      continue;
    }
    if (k && number == Number::exact && t->numel == 1 && th::isHalf(dtype)) strided.via[k] = TH_Float;
    const int64_t size = k ? sizeof(T) : sizeof(S);
    const bool repeated = k && plan.stride[0][k] == 0;
    grouped = grouped && t->dtype == (k ? dtype : th::DtypeOf<S>::value) && (repeated || plan.stride[0][k] == size);
    bool aligned = reinterpret_cast<uintptr_t>(data[k]) % uintptr_t(size * width) == 0;
    for (int d = 1; grouped && d < plan.ndim; d++) aligned = aligned && plan.stride[d][k] % (size * width) == 0;
    groups.access[k] = repeated ? Access::repeated : aligned ? Access::vector : Access::element;
  }
  if constexpr (std::is_same_v<C, Compute<T>>) {
    if (grouped) {
      int64_t left = plan.numel;
      forWalks<n>(
          plan, data,
          [&](const Walk<n> &walk) {
            groups.walk = walk;
            groups.last = int(left < int64_t(walk.count) * width ? left - int64_t(walk.count - 1) * width : width);
            left -= int64_t(walk.count) * width;
            launch(groupsKernel<width, Op, S, T, n>, blocksFor(walk.count), kBlock, 0, on.stream, op, groups);
          },
          width);
      return;
    }
  }
  forWalks<n>(plan, data, [&](const Walk<n> &walk) {
    strided.walk = walk;
    launch(stridedKernel<Op, Byte<R>, C, n>, blocksFor(walk.count), kBlock, 0, on.stream, op, strided);
  });
}

template <class T, class C = Compute<T>, class Op, class... Tensors>
void pointwise(Number number, const Op &op, THTensor *r, const Tensors *...inputs) {
  requireOneDevice({r}, {inputs...});
  const THTensor *const operands[] = {r, inputs...};
  THPointwisePlan plan;
  if (THPrepare_pointwise(&plan, 1 + int(sizeof...(inputs)), operands, TH_RESULT_RESIZED))
    runPointwise<T, C>(plan, op, number, r, inputs...);
}
template <class T, class C = Compute<T>, class Op, class... Tensors>
void pointwise(const Op &op, THTensor *r, const Tensors *...inputs) {
  pointwise<T, C>(Number::rounded, op, r, inputs...);
}

}  // namespace thc
