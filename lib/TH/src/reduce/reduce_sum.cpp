// Sums, products, means. Integers are added in int64, modulo 2^64; half types in float.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/reduce_sum.cpp"
#include <hwy/foreach_target.h>
#include "reduce-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct Sum {
  static constexpr T identity = 0;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = a + b; }
};
template <class T> struct Product {
  static constexpr T identity = 1;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = a * b; }
};

template <class T>
void finishMean(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t count, double) {
  for (int64_t j = 0; j < w; j++)
    *reinterpret_cast<T *>(out[0] + j * strides[0]) = static_cast<const T *>(states)[j] / T(count);
}

template <template <class> class Op>
constexpr ReductionTable numbers() {
  ReductionTable table{};
  for (const THDtype dtype : {TH_Byte, TH_Char, TH_Short, TH_Int, TH_Long})
    table.of[dtype] = makeReduction<Op, uint64_t, TH_Long>();
  table.of[TH_Half] = makeReduction<Op, half, TH_Half>();
  table.of[TH_BFloat16] = makeReduction<Op, bfloat16, TH_BFloat16>();
  table.of[TH_Float] = makeReduction<Op, float, TH_Float>();
  table.of[TH_Double] = makeReduction<Op, double, TH_Double>();
  return table;
}
constexpr ReductionTable sum = numbers<Sum>();
constexpr ReductionTable product = numbers<Product>();

constexpr ReductionTable mean = [] {
  ReductionTable table{};
  table.of[TH_Half] = makeReduction<Sum, half, TH_Half>(finishMean<float>);
  table.of[TH_BFloat16] = makeReduction<Sum, bfloat16, TH_BFloat16>(finishMean<float>);
  table.of[TH_Float] = makeReduction<Sum, float, TH_Float>(finishMean<float>);
  table.of[TH_Double] = makeReduction<Sum, double, TH_Double>(finishMean<double>);
  return table;
}();

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
TH_DEFINE(sum, number, REDUCTION, th::reduce(TH_BEST_TARGET(sum).of[dtype], dtype, r, nullptr, t, dims, keepdim))
TH_DEFINE(prod, number, REDUCTION, th::reduce(TH_BEST_TARGET(product).of[dtype], dtype, r, nullptr, t, dims, keepdim))
TH_DEFINE(mean, floating, REDUCTION, th::reduce(TH_BEST_TARGET(mean).of[dtype], dtype, r, nullptr, t, dims, keepdim))

#endif
