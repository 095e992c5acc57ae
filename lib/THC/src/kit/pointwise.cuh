// Pointwise kernels: a functor of elements becomes a function of tensors.
//
//     struct Multiply {
//       template <class C> __device__ C operator()(C a, C b) const { return a * b; }
//     };
//     THC_DEFINE(cmul, all, (THTensor *r, const THTensor *t, const THTensor *src),
//                thc::pointwise<T>(Multiply{}, r, t, src))
//
// computes in Compute<T> (float for half types; a bool is a byte). Per functor and T there are two kernels: one for operands
// that are contiguous, aligned and of dtype T (and a result of T, or of the dtype that the functor gives), 16 bytes at a time; and one,
// per Compute<T>, for operands of any strides and dtypes. thc::pointwise<T, C> computes in C, which is wider: where the work
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

// ---- contiguous operands ----------------------------------------------------------------------------
template <class T>
struct Input {
  const T *data = nullptr;  // nullptr: a number
  Compute<T> number = {};
};

template <class T, int width>
struct alignas(sizeof(T) * width) Vector {
  T of[width];
};
constexpr int64_t kVectorBytes = 16;

template <int width, class Op, class R, class T, class... Inputs>
__global__ void __launch_bounds__(kBlock) contiguousKernel(Op op, R *r, int64_t n, Inputs... inputs) {
  const int64_t vectors = n / width, step = int64_t(gridDim.x) * blockDim.x;
  const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int64_t v = first; v < vectors; v += step) {
    const auto load = [v](const auto &input) {
      Vector<T, width> x;
      if (input.data) x = reinterpret_cast<const Vector<T, width> *>(input.data)[v];
      return x;
    };
    const auto all = std::make_tuple(load(inputs)...);
    Vector<R, width> result;
#pragma unroll
    for (int i = 0; i < width; i++)
      std::apply(
          [&](const auto &...x) {
            result.of[i] = th::convertTo<R>(
                op((inputs.data ? readElement<Compute<T>, T>(&x.of[i]) : inputs.number)...));
          },
          all);
    reinterpret_cast<Vector<R, width> *>(r)[v] = result;
  }
  if (first < n - vectors * width) {
    const int64_t i = vectors * width + first;
    r[i] = th::convertTo<R>(op((inputs.data ? readElement<Compute<T>, T>(inputs.data + i) : inputs.number)...));
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

  const OnDevice on(r);
  const THTensor *const operands[] = {r, inputs...};
  Strided<n, C> strided;
  char *data[n];
  bool plain = plan.ndim == 1 && r->dtype == th::DtypeOf<S>::value && plan.stride[0][0] == int64_t(sizeof(S));
  for (int k = 0; k < n; k++) {
    const THTensor *t = operands[k];
    data[k] = k && t->device == TH_CPU ? nullptr : dataOf(t, on);
    strided.dtype[k] = t->dtype;
    // Elements of another dtype are rounded on their way in and out, unless they are numbers that count in full.
    strided.via[k] = uint8_t(k ? dtype : th::DtypeOf<S>::value);
    if (!data[k]) {
      strided.number[k] = th::convertTo<C>(numberOf<T>(t, number));
      continue;
    }
    if (k && number == Number::exact && t->numel == 1 && th::isHalf(dtype)) strided.via[k] = TH_Float;
    if (k) plain = plain && t->dtype == dtype && plan.stride[0][k] == int64_t(sizeof(T));
    plain = plain && reinterpret_cast<uintptr_t>(data[k]) % kVectorBytes == 0;
  }
  if constexpr (std::is_same_v<C, Compute<T>>) {
    if (plain) {
      constexpr int width = int(kVectorBytes / (sizeof(T) > sizeof(S) ? sizeof(T) : sizeof(S)));
      int k = 0;
      const auto input = [&](const THTensor *) {
        k++;
        return Input<T>{reinterpret_cast<const T *>(data[k]), strided.number[k]};
      };
      const std::tuple<decltype(input(inputs))...> all{input(inputs)...};
      std::apply(
          [&](const auto &...x) {
            launch(contiguousKernel<width, Op, S, T, std::decay_t<decltype(x)>...>,
                   blocksFor((plan.numel + width - 1) / width), kBlock, 0, on.stream, op,
                   reinterpret_cast<S *>(data[0]), plan.numel, x...);
          },
          all);
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
