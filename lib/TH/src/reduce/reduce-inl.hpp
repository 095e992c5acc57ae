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
#include <type_traits>
#include "kit/halves-inl.hpp"
#include "kit/kernel.hpp"
#include "kit/reduce.hpp"
#include "kit/scalar.hpp"
#include "kit/vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> using Vector = VectorInMemory<T, 32>;
// As much of it as the target has registers for.
template <class T> using Register = VectorInMemory < T, HWY_MAX_BYTES<32 ? HWY_MAX_BYTES : 32>;

// body(a, b…) for each of the registers that vectors a, b… are made of; or for elements. The operation may have a
// condition, and of one on a vector that is wider than a register the compiler makes scalar code, lane by lane.
template <class Body, class V, class... W>
HWY_INLINE void byRegisters(const Body &body, V &a, W &...b) {
  if constexpr (sizeof(V) > HWY_MAX_BYTES) {
    using R = Register<std::remove_cvref_t<decltype(a[0])>>;
    static_assert((std::is_same_v<std::remove_const_t<W>, V> && ...));
    for (size_t i = 0; i < sizeof(V) / sizeof(R); i++)
      body(reinterpret_cast<R *>(&a)[i], reinterpret_cast<const R *>(&b)[i]...);
  } else {
    body(a, b...);
  }
}

// v = the elements at x, in the type that they are joined in: half types become float on the way.
template <class V, class S>
HWY_INLINE void loadVector(V &v, const S *x) {
  if constexpr (!isHalfType<S>) {
    v = *reinterpret_cast<const V *>(x);
  } else {
#if TH_HALF_VECTORS
    v = Floats(x).v;
#else
    for (size_t i = 0; i < sizeof v / sizeof(float); i++) v[i] = x[i];
#endif
  }
}

// What the operation makes of an element before it takes it: `map`, if it has one.
template <class Op, class V>
HWY_INLINE void mapElement([[maybe_unused]] V &x) {
  if constexpr (requires { Op::map(x); }) byRegisters([](auto &part) { Op::map(part); }, x);
}
// a joined with b
template <class Op, class V>
HWY_INLINE void join(V &a, const V &b) {
  byRegisters([](auto &x, const auto &y) { Op::take(x, y); }, a, b);
}
// a joined with element x
template <class Op, class V>
HWY_INLINE void takeElement(V &a, const V &x) {
  V y = x;
  mapElement<Op>(y);
  join<Op>(a, y);
}

// n contiguous elements. Eight vectors hide the latency of an addition.
template <template <class> class Op, class S, class T = Compute<S>>
HWY_INLINE T reduceRun(const S *x, int64_t n) {
  using V = Vector<T>;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  T result = Op<T>::identity;
  const int64_t vectors = n / lanes;
  if (vectors) {
    auto load = [x](V &v, int64_t i) {
      loadVector(v, x + i * lanes);
      mapElement<Op<T>>(v);
    };
    auto take = [load](V &v, int64_t i) {
      V y;
      load(y, i);
      join<Op<T>>(v, y);
    };
    V a;
    load(a, 0);
    int64_t i = 1;
    if (vectors >= 8) {
      V b, c, d, e, f, g, h;
      load(b, 1), load(c, 2), load(d, 3), load(e, 4), load(f, 5), load(g, 6), load(h, 7);
      for (i = 8; i + 8 <= vectors; i += 8) {
        take(a, i), take(b, i + 1), take(c, i + 2), take(d, i + 3);
        take(e, i + 4), take(f, i + 5), take(g, i + 6), take(h, i + 7);
      }
      join<Op<T>>(a, b), join<Op<T>>(c, d), join<Op<T>>(e, f), join<Op<T>>(g, h);
      join<Op<T>>(a, c), join<Op<T>>(e, g);
      join<Op<T>>(a, e);
    }
    for (; i < vectors; i++) take(a, i);
    T lane[lanes];
    std::memcpy(lane, &a, sizeof a);
    for (int64_t half = lanes / 2; half; half /= 2)
      for (int64_t k = 0; k < half; k++) Op<T>::take(lane[k], lane[k + half]);
    result = lane[0];
  }
  for (int64_t i = vectors * lanes; i < n; i++) takeElement<Op<T>>(result, T(x[i]));
  return result;
}

// Row i of rows `stride` bytes apart.
template <class T>
HWY_INLINE const T *rowOf(const void *x, int64_t stride, int64_t i) {
  return reinterpret_cast<const T *>(static_cast<const char *>(x) + i * stride);
}

template <template <class> class Op, class T>
void startStates(void *states, int64_t w) {
  for (int64_t j = 0; j < w; j++) static_cast<T *>(states)[j] = Op<T>::identity;
}

template <template <class> class Op, class S>
void runStates(void *states, const void *x, int64_t stride, int64_t w, int64_t n, int64_t) {
  for (int64_t j = 0; j < w; j++) static_cast<Compute<S> *>(states)[j] = reduceRun<Op>(rowOf<S>(x, stride, j), n);
}

// Calls body(i, pointers to rows i, i + 1, …), four rows at a time, so that what the body loads and
// stores beside them is worth while; the rest one by one.
template <class T, class Body>
HWY_INLINE void forRows(const void *x, int64_t stride, int64_t rows, const Body &body) {
  auto row = [&](int64_t i) { return rowOf<T>(x, stride, i); };
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) body(i, row(i), row(i + 1), row(i + 2), row(i + 3));
  for (; i < rows; i++) body(i, row(i));
}

// s[j] takes in row[j] of every row. Conditions on floats keep the compiler from making vectors of
// the plain loop, so they are written out.
template <template <class> class Op, class T, class... Row>
HWY_INLINE void takeRows(T *s, int64_t w, Row... row) {
  using V = Vector<T>;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  int64_t j = 0;
  for (; j + lanes <= w; j += lanes) {
    V v = *reinterpret_cast<const V *>(s + j), y;
    ((loadVector(y, row + j), takeElement<Op<T>>(v, y)), ...);
    *reinterpret_cast<V *>(s + j) = v;
  }
  for (; j < w; j++) (takeElement<Op<T>>(s[j], T(row[j])), ...);
}

template <template <class> class Op, class S>
void rowStates(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t) {
  auto *s = static_cast<Compute<S> *>(states);
  auto take = [=](int64_t, auto... row) { takeRows<Op>(s, w, row...); };
  forRows<S>(x, stride, rows, take);
}

template <template <class> class Op, class T>
void joinStates(void *a, const void *b, int64_t w) {
  using V = Vector<T>;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  auto *x = static_cast<T *>(a);
  auto *y = static_cast<const T *>(b);
  int64_t j = 0;
  for (; j + lanes <= w; j += lanes) join<Op<T>>(*reinterpret_cast<V *>(x + j), *reinterpret_cast<const V *>(y + j));
  for (; j < w; j++) Op<T>::take(x[j], y[j]);
}

// The state is the result.
template <class T>
void finishSame(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t, double) {
  for (int64_t j = 0; j < w; j++) *reinterpret_cast<T *>(out[0] + j * strides[0]) = static_cast<const T *>(states)[j];
}

// Of elements S; those of half types are joined as floats, and the result is float.
template <template <class> class Op, class S, THDtype dtype>
constexpr Reduction makeReduction(decltype(Reduction::finish) finish = finishSame<Compute<S>>) {
  using T = Compute<S>;
  return {
      dtype, native(dtype), false, sizeof(T), startStates<Op, T>, runStates<Op, S>, rowStates<Op, S>, joinStates<Op, T>,
      finish};
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
