// Shapes of inner loops, compiled once per SIMD target. A functor says what happens to one element;
// the loop has a variant for each arrangement of operands that is worth vectorising.
#if defined(TH_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_LOOPS_INL
#undef TH_LOOPS_INL
#else
#define TH_LOOPS_INL
#endif

#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <cstring>
#include <type_traits>
#include "kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// A functor with a parameter is that parameter: `param` points to its bytes.
template <class Op>
inline Op makeOp(const void *param) {
  Op op{};
  if constexpr (!std::is_empty_v<Op>) std::memcpy(&op, param, sizeof op);
  return op;
}

// In all loops: operands are the same elements or disjoint (the iterator has seen to it), so
// iterations are independent; the pragma says so.

// r[i] = op(a[i])
template <class Op, class R, class T>
void unaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const Op op = makeOp<Op>(param);
  char *pr = data[0];
  const char *pa = data[1];
  if (strides[0] == sizeof(R) && strides[1] == sizeof(T)) {
    auto *r = reinterpret_cast<R *>(pr);
    auto *a = reinterpret_cast<const T *>(pa);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(a[i]);
  } else {
    const int64_t sr = strides[0], sa = strides[1];
    for (int64_t i = 0; i < n; i++) *reinterpret_cast<R *>(pr + i * sr) = op(*reinterpret_cast<const T *>(pa + i * sa));
  }
}

// r[i] = op(a[i], b[i])
template <class Op, class R, class T>
void binaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const Op op = makeOp<Op>(param);
  const int64_t sr = strides[0], sa = strides[1], sb = strides[2];
  constexpr int64_t width = sizeof(T);
  auto *r = reinterpret_cast<R *>(data[0]);
  auto *a = reinterpret_cast<const T *>(data[1]);
  auto *b = reinterpret_cast<const T *>(data[2]);
  if (sr == sizeof(R) && sa == width && sb == width) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(a[i], b[i]);
  } else if (sr == sizeof(R) && sa == width && sb == 0) {
    const T y = *b;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(a[i], y);
  } else if (sr == sizeof(R) && sa == 0 && sb == width) {
    const T x = *a;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(x, b[i]);
  } else {
    for (int64_t i = 0; i < n; i++)
      *reinterpret_cast<R *>(data[0] + i * sr) = op(*reinterpret_cast<const T *>(data[1] + i * sa),
                                                    *reinterpret_cast<const T *>(data[2] + i * sb));
  }
}

// r[i] = op(a[i], b[i], c[i])
template <class Op, class T>
void ternaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const Op op = makeOp<Op>(param);
  constexpr int64_t width = sizeof(T);
  auto *r = reinterpret_cast<T *>(data[0]);
  auto *a = reinterpret_cast<const T *>(data[1]);
  auto *b = reinterpret_cast<const T *>(data[2]);
  auto *c = reinterpret_cast<const T *>(data[3]);
  if (strides[0] == width && strides[1] == width && strides[2] == width && strides[3] == width) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(a[i], b[i], c[i]);
  } else if (strides[0] == width && strides[1] == width && strides[2] == width && strides[3] == 0) {
    const T z = *c;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = op(a[i], b[i], z);
  } else {
    for (int64_t i = 0; i < n; i++)
      *reinterpret_cast<T *>(data[0] + i * strides[0]) = op(*reinterpret_cast<const T *>(data[1] + i * strides[1]),
                                                            *reinterpret_cast<const T *>(data[2] + i * strides[2]),
                                                            *reinterpret_cast<const T *>(data[3] + i * strides[3]));
  }
}

// Kernels for makeTable: functor, choice of the compute dtype, type that the loop sees.
template <template <class> class Op, THDtype (*compute)(THDtype) = native,
          template <THDtype> class LoopType = SignFreeType>
struct Unary {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = compute(d);
    using T = typename LoopType<c>::T;
    return {unaryLoop<Op<T>, T, T>, c, c};
  }
};

template <template <class> class Op, THDtype (*compute)(THDtype) = native,
          template <THDtype> class LoopType = SignFreeType>
struct Binary {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = compute(d);
    using T = typename LoopType<c>::T;
    return {binaryLoop<Op<T>, T, T>, c, c};
  }
};

template <template <class> class Op, template <THDtype> class LoopType = SignFreeType>
struct Ternary {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = native(d);
    using T = typename LoopType<c>::T;
    return {ternaryLoop<Op<T>, T>, c, c};
  }
};

// To bool.
template <template <class> class Op, THDtype (*compute)(THDtype) = native,
          template <THDtype> class LoopType = SignFreeType>
struct UnaryTest {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = compute(d);
    using T = typename LoopType<c>::T;
    return {unaryLoop<Op<T>, uint8_t, T>, c, TH_Bool};
  }
};

template <template <class> class Op, THDtype (*compute)(THDtype) = native,
          template <THDtype> class LoopType = SignFreeType>
struct Compare {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = compute(d);
    using T = typename LoopType<c>::T;
    return {binaryLoop<Op<T>, uint8_t, T>, c, TH_Bool};
  }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
