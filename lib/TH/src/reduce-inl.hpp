// The inner loops of reductions, compiled once per SIMD target.
//
// An operation is a type with `identity`, and `take(a, b)`: a joined with b. It works on vectors of
// the compiler, too. The lanes of a run are fixed, 128 bytes of them, whatever the target's vectors are: so
// every target (and every number of threads) joins in the same order.
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

// n contiguous elements.
template <template <class> class Op, class T>
HWY_INLINE T reduceRun(const T *x, int64_t n) {
  using V = typename Vector<T>::Type;
  constexpr int64_t lanes = sizeof(V) / sizeof(T), step = 4 * lanes;
  T result = Op<T>::identity;
  int64_t i = 0;
  if (n >= step) {
    auto load = [x](int64_t at, V &v) { v = *reinterpret_cast<const V *>(x + at); };
    V a, b, c, d, e;
    load(0, a), load(lanes, b), load(2 * lanes, c), load(3 * lanes, d);
    for (i = step; i + step <= n; i += step) {
      load(i, e), Op<T>::take(a, e);
      load(i + lanes, e), Op<T>::take(b, e);
      load(i + 2 * lanes, e), Op<T>::take(c, e);
      load(i + 3 * lanes, e), Op<T>::take(d, e);
    }
    Op<T>::take(a, b);
    Op<T>::take(c, d);
    Op<T>::take(a, c);
    T lane[lanes];
    std::memcpy(lane, &a, sizeof a);
    for (int64_t half = lanes / 2; half; half /= 2)
      for (int64_t k = 0; k < half; k++) Op<T>::take(lane[k], lane[k + half]);
    result = lane[0];
  }
  for (; i < n; i++) Op<T>::take(result, x[i]);
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

template <template <class> class Op, class T>
void rowStates(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t) {
  auto *s = static_cast<T *>(states);
  for (int64_t i = 0; i < rows; i++) {
    auto *row = reinterpret_cast<const T *>(static_cast<const char *>(x) + i * stride);
#pragma GCC ivdep
    for (int64_t j = 0; j < w; j++) Op<T>::take(s[j], row[j]);
  }
}

template <template <class> class Op, class T>
void joinStates(void *a, const void *b, int64_t w) {
#pragma GCC ivdep
  for (int64_t j = 0; j < w; j++) Op<T>::take(static_cast<T *>(a)[j], static_cast<const T *>(b)[j]);
}

// The state is the result.
template <class T>
void finishSame(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t) {
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
