// The inner loops of reductions, compiled once per SIMD target.
//
// An operation is a type with `identity`, and `take(a, b)`: a joined with b; maybe `map(x)`, of an
// element before. They work on vectors of the compiler, too. The lanes of a run are fixed, 256 bytes of
// them, whatever the target's vectors are: so every target (and every number of threads) joins in the
// same order.
#if defined(TH_REDUCE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_REDUCE_INL
#undef TH_REDUCE_INL
#else
#define TH_REDUCE_INL
#endif

#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <cstring>
#include "kernel.hpp"
#include "reduce.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T>
struct Vector {
  typedef T Type __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
};

// What the operation makes of an element before it takes it: `map`, if it has one.
template <class Op, class V>
HWY_INLINE void mapElement([[maybe_unused]] V &x) {
  if constexpr (requires { Op::map(x); }) Op::map(x);
}
// a joined with element x
template <class Op, class V>
HWY_INLINE void takeElement(V &a, const V &x) {
  V y = x;
  mapElement<Op>(y);
  Op::take(a, y);
}

// n contiguous elements. Eight vectors hide the latency of an addition.
template <template <class> class Op, class T>
HWY_INLINE T reduceRun(const T *x, int64_t n) {
  using V = typename Vector<T>::Type;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  T result = Op<T>::identity;
  const int64_t vectors = n / lanes;
  if (vectors) {
    auto at = [x](int64_t i) -> const V & { return *reinterpret_cast<const V *>(x + i * lanes); };
    V a = at(0);
    mapElement<Op<T>>(a);
    int64_t i = 1;
    if (vectors >= 8) {
      V b = at(1), c = at(2), d = at(3), e = at(4), f = at(5), g = at(6), h = at(7);
      mapElement<Op<T>>(b), mapElement<Op<T>>(c), mapElement<Op<T>>(d), mapElement<Op<T>>(e);
      mapElement<Op<T>>(f), mapElement<Op<T>>(g), mapElement<Op<T>>(h);
      for (i = 8; i + 8 <= vectors; i += 8) {
        takeElement<Op<T>>(a, at(i)), takeElement<Op<T>>(b, at(i + 1)), takeElement<Op<T>>(c, at(i + 2));
        takeElement<Op<T>>(d, at(i + 3)), takeElement<Op<T>>(e, at(i + 4)), takeElement<Op<T>>(f, at(i + 5));
        takeElement<Op<T>>(g, at(i + 6)), takeElement<Op<T>>(h, at(i + 7));
      }
      Op<T>::take(a, b), Op<T>::take(c, d), Op<T>::take(e, f), Op<T>::take(g, h);
      Op<T>::take(a, c), Op<T>::take(e, g);
      Op<T>::take(a, e);
    }
    for (; i < vectors; i++) takeElement<Op<T>>(a, at(i));
    T lane[lanes];
    std::memcpy(lane, &a, sizeof a);
    for (int64_t half = lanes / 2; half; half /= 2)
      for (int64_t k = 0; k < half; k++) Op<T>::take(lane[k], lane[k + half]);
    result = lane[0];
  }
  for (int64_t i = vectors * lanes; i < n; i++) takeElement<Op<T>>(result, x[i]);
  return result;
}

template <template <class> class Op, class T>
void startStates(void *states, int64_t w) {
  for (int64_t j = 0; j < w; j++) static_cast<T *>(states)[j] = Op<T>::identity;
}

template <template <class> class Op, class T>
void runState(void *state, const void *x, int64_t n, int64_t) {
  *static_cast<T *>(state) = reduceRun<Op>(static_cast<const T *>(x), n);
}

// Calls body(i, pointers to rows i, i + 1, …), four rows at a time, so that what the body loads and
// stores beside them is worth while; the rest one by one.
template <class T, class Body>
HWY_INLINE void forRows(const void *x, int64_t stride, int64_t rows, const Body &body) {
  auto row = [&](int64_t i) { return reinterpret_cast<const T *>(static_cast<const char *>(x) + i * stride); };
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) body(i, row(i), row(i + 1), row(i + 2), row(i + 3));
  for (; i < rows; i++) body(i, row(i));
}

// s[j] takes in row[j] of every row. Conditions on floats keep the compiler from making vectors of
// the plain loop, so they are written out.
template <template <class> class Op, class T, class... Row>
HWY_INLINE void takeRows(T *s, int64_t w, Row... row) {
  using V = typename Vector<T>::Type;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  int64_t j = 0;
  for (; j + lanes <= w; j += lanes) {
    V v = *reinterpret_cast<const V *>(s + j);
    (takeElement<Op<T>>(v, *reinterpret_cast<const V *>(row + j)), ...);
    *reinterpret_cast<V *>(s + j) = v;
  }
  for (; j < w; j++) (takeElement<Op<T>>(s[j], row[j]), ...);
}

template <template <class> class Op, class T>
void rowStates(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t) {
  auto *s = static_cast<T *>(states);
  auto take = [=](int64_t, auto... row) { takeRows<Op>(s, w, row...); };
  forRows<T>(x, stride, rows, take);
}

template <template <class> class Op, class T>
void joinStates(void *a, const void *b, int64_t w) {
  using V = typename Vector<T>::Type;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  auto *x = static_cast<T *>(a);
  auto *y = static_cast<const T *>(b);
  int64_t j = 0;
  for (; j + lanes <= w; j += lanes) Op<T>::take(*reinterpret_cast<V *>(x + j), *reinterpret_cast<const V *>(y + j));
  for (; j < w; j++) Op<T>::take(x[j], y[j]);
}

// The state is the result.
template <class T>
void finishSame(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t, double) {
  for (int64_t j = 0; j < w; j++) *reinterpret_cast<T *>(out[0] + j * strides[0]) = static_cast<const T *>(states)[j];
}

template <template <class> class Op, class T, THDtype dtype>
constexpr Reduction makeReduction(decltype(Reduction::finish) finish = finishSame<T>) {
  return {dtype, dtype, false, sizeof(T), startStates<Op, T>, runState<Op, T>, rowStates<Op, T>, joinStates<Op, T>,
          finish};
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
