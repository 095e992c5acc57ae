// Norms, and sums that pass NaN over: sums and extrema of something that is made of the elements.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/reduce_norm.cpp"
#include <hwy/foreach_target.h>
#include "reduce-inl.hpp"

#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct Adding {
  static constexpr T identity = 0;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = a + b; }
};
template <class V> HWY_INLINE void makeAbsolute(V &x) { x = x <= V{} ? V{} - x : x; }

template <class T> struct Absolutes : Adding<T> {
  template <class V> static HWY_INLINE void map(V &x) { makeAbsolute(x); }
};
template <class T> struct Squares : Adding<T> {
  template <class V> static HWY_INLINE void map(V &x) { x = x * x; }
};
template <class T> struct Nonzeros : Adding<T> {
  template <class V> static HWY_INLINE void map(V &x) { x = x != V{} ? V{} + T(1) : V{}; }
};
template <class T> struct Numbers : Adding<T> {
  template <class V> static HWY_INLINE void map(V &x) { x = x == x ? x : V{}; }
};
// NaN wins, as in reduce_extrema.cpp.
template <class T> struct Greatest {
  static constexpr T identity = 0;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = ((a != a) | (a >= b)) ? a : b; }
  template <class V> static HWY_INLINE void map(V &x) { makeAbsolute(x); }
};
template <class T> struct Least {
  static constexpr T identity = std::numeric_limits<T>::infinity();
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = ((a != a) | (a <= b)) ? a : b; }
  template <class V> static HWY_INLINE void map(V &x) { makeAbsolute(x); }
};

template <class T>
void finishRoot(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t, double) {
  for (int64_t j = 0; j < w; j++)
    *reinterpret_cast<T *>(out[0] + j * strides[0]) = std::sqrt(static_cast<const T *>(states)[j]);
}

template <template <class> class Op>
constexpr ReductionTable table() {
  return floatingTable(makeReduction<Op, float, TH_Float>(), makeReduction<Op, double, TH_Double>());
}
constexpr ReductionTable absolutes = table<Absolutes>(), nonzeros = table<Nonzeros>(), numbers = table<Numbers>(),
                         greatest = table<Greatest>(), least = table<Least>();
constexpr ReductionTable squares = floatingTable(makeReduction<Squares, float, TH_Float>(finishRoot<float>),
                                                 makeReduction<Squares, double, TH_Double>(finishRoot<double>));

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THPrepare.h>
#include <TH/THTensorMath.h>
#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

// The kernels that a norm is put together from, by dtype.
struct Parts {
  void (*abs)(THTensor *, const THTensor *);
  void (*pow)(THTensor *, const THTensor *, const THTensor *);
  void (*sum)(THTensor *, const THTensor *, uint64_t, bool);
  void (*sub)(THTensor *, const THTensor *, THScalar, const THTensor *);
  void (*mul)(THTensor *, const THTensor *, const THTensor *);
  void (*norm)(THTensor *, const THTensor *, double, uint64_t, bool);
};
#define TH_PARTS(Name, ...)                                                                            \
  if (dtype == TH_##Name)                                                                              \
    return {TH##Name##Tensor_abs,  TH##Name##Tensor_cpow, TH##Name##Tensor_sum, TH##Name##Tensor_csub, \
            TH##Name##Tensor_cmul, TH##Name##Tensor_norm};
constexpr Parts partsOf(THDtype dtype) {
  TH_FOR_floating(TH_PARTS, )
  return {};
}

void norm(THDtype dtype, THTensor *r, const THTensor *t, double p, uint64_t dims, bool keepdim) {
  THPrepare_norm(t, p, dims);
  auto by = [&](const ReductionTable &table) { reduce(table.of[dtype], dtype, r, nullptr, t, dims, keepdim); };
  if (p == 2) return by(TH_BEST_TARGET(squares));
  if (p == 1) return by(TH_BEST_TARGET(absolutes));
  if (p == 0) return by(TH_BEST_TARGET(nonzeros));
  if (p == std::numeric_limits<double>::infinity()) return by(TH_BEST_TARGET(greatest));
  if (p == -std::numeric_limits<double>::infinity()) return by(TH_BEST_TARGET(least));
  // Half types keep their powers in float, lest they overflow.
  const THDtype wide = isHalf(dtype) ? TH_Float : dtype;
  const Parts parts = partsOf(wide);
  Ref powers(newLike(t, wide)), exponent(THTensor_newWithScalar(wide, scalar(p))),
      root(THTensor_newWithScalar(wide, scalar(1 / p))), total(newLike(t, wide));
  parts.abs(powers, t);
  parts.pow(powers, powers, exponent);
  parts.sum(total, powers, dims, keepdim);
  parts.pow(r, total, root);
}

void dist(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b, double p) {
  const Parts parts = partsOf(dtype);
  Ref difference(newLike(a, dtype));
  parts.sub(difference, a, scalar(int64_t(1)), b);
  parts.norm(r, difference, p, TH_ALL_DIMS, false);
}

void renorm(THDtype dtype, THTensor *r, const THTensor *t, double p, int dim, double maxnorm) {
  dim = TH_wrapDim(dim, t->ndim);
  const Parts parts = partsOf(dtype);
  const THDtype wide = isHalf(dtype) ? TH_Float : dtype;
  Ref factors(newLike(t, wide));
  const uint64_t all = t->ndim == 64 ? TH_ALL_DIMS : (uint64_t(1) << t->ndim) - 1;
  parts.norm(factors, t, p, all & ~(uint64_t(1) << dim), true);
  auto scale = [&]<class T>(T *factor) {
    for (int64_t i = 0; i < factors->numel; i++)
      factor[i] = factor[i] > T(maxnorm) ? T(maxnorm) / (factor[i] + T(1e-7)) : T(1);
  };
  if (hasMemory(t)) wide == TH_Double ? scale(elements<double>(factors)) : scale(elements<float>(factors));
  parts.mul(r, t, factors);
}

}  // namespace
}  // namespace th

void THPrepare_norm(const THTensor *t, double p, uint64_t dims) {
  if (t->numel || !(p < 0 || std::isinf(p))) return;
  if (dims == TH_ALL_DIMS || t->ndim == 0)
    THError(TH_ERROR_RUNTIME,
            "linalg.vector_norm cannot compute the %g norm on an empty tensor because the operation does not have an "
            "identity",
            p);
  for (int d = 0; d < t->ndim; d++)
    if ((dims >> d & 1) && t->size[d] == 0)
      THError(TH_ERROR_RUNTIME,
              "linalg.vector_norm cannot compute the %g norm on the dimension %d because this dimension is empty and "
              "the operation does not have an identity",
              p, d);
}

TH_DEFINE(nansum, floating, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim),
          th::reduce(TH_BEST_TARGET(numbers).of[dtype], dtype, r, nullptr, t, dims, keepdim))
TH_DEFINE(norm, floating, (THTensor *r, const THTensor *t, double p, uint64_t dims, bool keepdim),
          th::norm(dtype, r, t, p, dims, keepdim))
TH_DEFINE(dist, floating, (THTensor *r, const THTensor *a, const THTensor *b, double p), th::dist(dtype, r, a, b, p))
TH_DEFINE(renorm, floating, (THTensor *r, const THTensor *t, double p, int dim, double maxnorm),
          th::renorm(dtype, r, t, p, dim, maxnorm))

#endif
