// Sums, products, means. Integers are added in int64, modulo 2^64; half types in float.
#include <THC/THCTensorReduce.h>
#include "kit/define.cuh"
#include "kit/reduce.cuh"

namespace thc {
namespace {

// Unsigned, integers wrap around.
template <class C>
using Wrapping = std::conditional_t<std::is_same_v<C, int64_t>, uint64_t, C>;

template <class C>
__device__ C dividedBy(C sum, int64_t count) {
  if constexpr (th::isComplexType<C>) {
    using T = typename C::value_type;
    return {sum.real() / T(count), sum.imag() / T(count)};
  } else {
    return sum / C(count);
  }
}

template <class C>
struct Sum {
  using In = C;
  using State = Wrapping<C>;
  static constexpr bool ordered = false, vectors = true;
  bool mean;
  __device__ State identity() const { return State(0); }
  __device__ void take(State &s, C x, int64_t) const { s = s + State(x); }
  __device__ void join(State &a, const State &b) const { a = a + b; }
  __device__ C value(const State &s, int64_t count) const { return mean ? dividedBy(C(s), count) : C(s); }
};

template <class C>
struct Product {
  using In = C;
  using State = Wrapping<C>;
  static constexpr bool ordered = false, vectors = false;
  __device__ State identity() const { return State(1); }
  __device__ void take(State &s, C x, int64_t) const { s = s * State(x); }
  __device__ void join(State &a, const State &b) const { a = a * b; }
  __device__ C value(const State &s, int64_t) const { return C(s); }
};

template <template <class> class Op, class T, class... Param>
void reduceNumbers(THTensor *r, const THTensor *t, uint64_t dims, bool keepdim, Param... param) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  if constexpr (std::is_integral_v<T>)
    reduce<bool, uint8_t, int8_t, int16_t, int32_t, int64_t>(Op<int64_t>{param...}, dtype, nullptr, r, nullptr, t, dims,
                                                             keepdim);
  else if constexpr (std::is_same_v<Compute<T>, float>)
    reduce<th::half, th::bfloat16, float>(Op<float>{param...}, dtype, nullptr, r, nullptr, t, dims, keepdim);
  else
    reduce<T>(Op<T>{param...}, dtype, nullptr, r, nullptr, t, dims, keepdim);
}

}  // namespace
}  // namespace thc

#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
THC_DEFINE(sum, number_complex, REDUCTION, thc::reduceNumbers<thc::Sum, T>(r, t, dims, keepdim, false))
THC_DEFINE(prod, number_complex, REDUCTION, thc::reduceNumbers<thc::Product, T>(r, t, dims, keepdim))
THC_DEFINE(mean, floating_complex, REDUCTION, thc::reduceNumbers<thc::Sum, T>(r, t, dims, keepdim, true))
