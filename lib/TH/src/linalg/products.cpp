// Outer and vector products, traces: T is computed in, element by element.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/products.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// In the dtype itself: half types are rounded after each step, as in torch. uint16_t would be promoted to int, which
// may overflow; in bool, * is and, + is or.
template <class T> T times(T a, T b) {
  if constexpr (std::is_same_v<T, uint16_t>)
    return T(uint32_t(a) * b);
  else
    return T(a * b);
}

template <class T> struct ScaledProduct {
  T alpha;
  T operator()(T b, T a) const { return times(times(alpha, a), b); }
};
template <class T> struct AddScaledProduct {
  T beta, alpha;
  T operator()(T t, T b, T a) const { return T(times(beta, t) + times(times(alpha, a), b)); }
};
template <> struct AddScaledProduct<bool> {
  bool beta, alpha;
  bool operator()(bool t, bool b, bool a) const { return (beta & t) | (alpha & a & b); }
};

// r[i] = op(t[i], b[i], a[i]); a stands still along the rows of an outer product
template <class Op, class T>
void outerLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const Op op = makeOp<Op>(param);
  constexpr int64_t width = sizeof(T);
  auto *r = reinterpret_cast<T *>(data[0]);
  auto *t = reinterpret_cast<const T *>(data[1]);
  auto *b = reinterpret_cast<const T *>(data[2]);
  auto *a = reinterpret_cast<const T *>(data[3]);
  if (strides[0] == width && strides[1] == width && strides[2] == width && strides[3] == 0) {
    const T x = *a;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(t[i], b[i], x);
  } else {
    for (int64_t i = 0; i < n; i++)
      *reinterpret_cast<T *>(data[0] + i * strides[0]) = op(*reinterpret_cast<const T *>(data[1] + i * strides[1]),
                                                            *reinterpret_cast<const T *>(data[2] + i * strides[2]),
                                                            *reinterpret_cast<const T *>(data[3] + i * strides[3]));
  }
}

template <THDtype d> using Own = std::conditional_t<d == TH_Bool, bool, typename SignFreeType<d>::T>;
struct Outer {
  template <THDtype d> constexpr Kernel operator()() const {
    return {binaryLoop<ScaledProduct<Own<d>>, Own<d>, Own<d>>, d, d};
  }
};
struct AddOuter {
  template <THDtype d> constexpr Kernel operator()() const {
    return {outerLoop<AddScaledProduct<Own<d>>, Own<d>>, d, d};
  }
};

// r[i] = a[i] * b[i] - c[i] * d[i]
template <class T>
void differenceLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  const auto at = [&](int k, int64_t i) { return *reinterpret_cast<const T *>(data[k] + i * strides[k]); };
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<T *>(data[0] + i * strides[0]) = T(times(at(1, i), at(2, i)) - times(at(3, i), at(4, i)));
}
struct Difference {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = native(d);
    return {differenceLoop<typename SignFreeType<c>::T>, c, c};
  }
};

constexpr KernelTable outer = makeTable(AllComplexDtypes{}, Outer{});
constexpr KernelTable addOuter = makeTable(AllComplexDtypes{}, AddOuter{});
constexpr KernelTable difference = makeTable(NumberComplexDtypes{}, Difference{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cstring>

#include <TH/THPrepare.h>
#include <TH/THTensorBlas.h>
#include <TH/THTensorComplex.h>
#include <TH/THTensorReduce.h>
#include "kit/scalar.hpp"
#include "kit/result.hpp"
#include "prepare.hpp"

namespace th {
namespace {

void addr(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *v1,
          const THTensor *v2) {
  alignas(8) char factors[2 * kWidest];
  const OuterOperands o(factors, dtype, r, beta, t, alpha, v1, v2);
  if (isScalar(beta, 0))
    pointwise(TH_BEST_TARGET(outer), dtype, factors + elementSize(dtype), r, {o.operand[2], o.operand[3]});
  else
    pointwise(TH_BEST_TARGET(addOuter), dtype, factors, r, {o.operand[1], o.operand[2], o.operand[3]});
}

void cross(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b, int dim) {
  THResult result;
  dim = THPrepare_cross(&result, r, a, b, dim);
  resizeResults(&result);
  if (!hasMemory(r)) return;
  const int ndim = result.ndim;
  const int64_t *const size = result.size;
  const Ref left(THTensor_newExpand(const_cast<THTensor *>(a), ndim, size));
  const Ref right(THTensor_newExpand(const_cast<THTensor *>(b), ndim, size));
  const auto part = [&](THTensor *t, int i) { return Ref(THTensor_newSelect(t, dim, i % 3)); };
  for (int i = 0; i < 3; i++)
    pointwise(TH_BEST_TARGET(difference), dtype, nullptr, part(r, i),
              {part(left, i + 1), part(right, i + 2), part(left, i + 2), part(right, i + 1)});
}

template <class Sum>
void trace(const Sum &sum, THTensor *r, const THTensor *t) {
  sum(r, Ref(THPrepare_trace(t)), TH_ALL_DIMS, false);
}

}  // namespace
}  // namespace th

#define OUTER_ARGUMENTS \
  (THTensor * r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *v1, const THTensor *v2)
TH_DEFINE(addr, all_complex, OUTER_ARGUMENTS, th::addr(dtype, r, beta, t, alpha, v1, v2))
TH_DEFINE(cross, number_complex, (THTensor *r, const THTensor *a, const THTensor *b, int dim),
          th::cross(dtype, r, a, b, dim))

#define TH_TRACE(Name, _) \
  void TH##Name##Tensor_trace(THTensor *r, const THTensor *t) { th::trace(TH##Name##Tensor_sum, r, t); }
TH_FOR_number_complex(TH_TRACE, )

#endif
