// Sums, products and means of complex numbers. A sum is one of real numbers, twice as many.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/reduce_complex.cpp"
#include <hwy/foreach_target.h>
#include "reduce-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class Z>
void startSums(void *states, int64_t w) {
  std::memset(states, 0, size_t(w) * sizeof(Z));
}

template <class Z, class T = typename Z::value_type>
Z sumRun(const T *x, int64_t n) {
  using V = Vector<T>;
  constexpr int64_t lanes = sizeof(V) / sizeof(T), step = 4 * lanes;
  T real = 0, imag = 0;
  int64_t i = 0;
  n *= 2;
  if (n >= step) {
    V sum[4] = {};
    for (; i + step <= n; i += step)
      for (int64_t k = 0; k < 4; k++) sum[k] += *reinterpret_cast<const V *>(x + i + k * lanes);
    const V all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    T lane[lanes];
    std::memcpy(lane, &all, sizeof all);
    for (int64_t half = lanes / 2; half > 1; half /= 2)
      for (int64_t k = 0; k < half; k++) lane[k] += lane[k + half];
    real = lane[0], imag = lane[1];
  }
  for (; i < n; i += 2) real += x[i], imag += x[i + 1];
  return {real, imag};
}

template <class Z>
void runSums(void *states, const void *x, int64_t stride, int64_t w, int64_t n, int64_t) {
  for (int64_t j = 0; j < w; j++)
    static_cast<Z *>(states)[j] = sumRun<Z>(rowOf<typename Z::value_type>(x, stride, j), n);
}

template <class T>
void add(T *to, const T *from, int64_t n) {
#pragma GCC ivdep
  for (int64_t j = 0; j < n; j++) to[j] += from[j];
}

template <class Z>
void rowSums(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t) {
  using T = typename Z::value_type;
  for (int64_t i = 0; i < rows; i++) add(static_cast<T *>(states), rowOf<T>(x, stride, i), 2 * w);
}

template <class Z>
void joinSums(void *a, const void *b, int64_t w) {
  using T = typename Z::value_type;
  add(static_cast<T *>(a), static_cast<const T *>(b), 2 * w);
}

template <class Z>
void finishMean(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t count, double) {
  using T = typename Z::value_type;
  for (int64_t j = 0; j < w; j++)
    for (int64_t k = 0; k < 2; k++)
      reinterpret_cast<T *>(out[0] + j * strides[0])[k] = static_cast<const T *>(states)[2 * j + k] / T(count);
}

template <THDtype d>
constexpr Reduction sumOf(decltype(Reduction::finish) finish) {
  using Z = Element<d>;
  return {d, d, false, sizeof(Z), startSums<Z>, runSums<Z>, rowSums<Z>, joinSums<Z>, finish};
}
// complex64, complex128
constexpr Reduction sum[] = {sumOf<TH_ComplexFloat>(finishSame<THComplexFloat>),
                             sumOf<TH_ComplexDouble>(finishSame<THComplexDouble>)};
constexpr Reduction mean[] = {sumOf<TH_ComplexFloat>(finishMean<THComplexFloat>),
                              sumOf<TH_ComplexDouble>(finishMean<THComplexDouble>)};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorComplex.h>

namespace th {
namespace {

// Products are rare: compiled once.
template <class Z>
void startProducts(void *states, int64_t w) {
  for (int64_t j = 0; j < w; j++) static_cast<Z *>(states)[j] = 1;
}

template <class Z>
Z productRun(const Z *x, int64_t n) {
  using T = typename Z::value_type;
  constexpr int64_t lanes = 64 / sizeof(T);  // products side by side: each would wait for its predecessor
  T real[lanes], imag[lanes];
  for (int64_t k = 0; k < lanes; k++) real[k] = 1, imag[k] = 0;
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t k = 0; k < lanes; k++) {
      const T a = real[k], b = imag[k], c = x[i + k].real(), d = x[i + k].imag();
      real[k] = a * c - b * d;
      imag[k] = a * d + b * c;
    }
  Z result = 1;
  for (int64_t k = 0; k < lanes && i; k++) result = result * Z(real[k], imag[k]);
  for (; i < n; i++) result = result * x[i];
  return result;
}

template <class Z>
void runProducts(void *states, const void *x, int64_t stride, int64_t w, int64_t n, int64_t) {
  for (int64_t j = 0; j < w; j++) static_cast<Z *>(states)[j] = productRun(HWY_NAMESPACE::rowOf<Z>(x, stride, j), n);
}

template <class Z>
void rowProducts(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t) {
  auto *s = static_cast<Z *>(states);
  for (int64_t i = 0; i < rows; i++) {
    auto *row = HWY_NAMESPACE::rowOf<Z>(x, stride, i);
    for (int64_t j = 0; j < w; j++) s[j] = s[j] * row[j];
  }
}

template <class Z>
void joinProducts(void *a, const void *b, int64_t w) {
  for (int64_t j = 0; j < w; j++) static_cast<Z *>(a)[j] = static_cast<Z *>(a)[j] * static_cast<const Z *>(b)[j];
}

template <THDtype d>
constexpr Reduction productOf() {
  using Z = Element<d>;
  return {d,
          d,
          false,
          sizeof(Z),
          startProducts<Z>,
          runProducts<Z>,
          rowProducts<Z>,
          joinProducts<Z>,
          HWY_NAMESPACE::finishSame<Z>};
}

constexpr Reduction product[] = {productOf<TH_ComplexFloat>(), productOf<TH_ComplexDouble>()};

}  // namespace
}  // namespace th

#define REDUCE(table) th::reduce(table[dtype == TH_ComplexDouble], dtype, r, nullptr, t, dims, keepdim)
#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
TH_DEFINE(sum, complex, REDUCTION, REDUCE(TH_BEST_TARGET(sum)))
TH_DEFINE(prod, complex, REDUCTION, REDUCE(th::product))
TH_DEFINE(mean, complex, REDUCTION, REDUCE(TH_BEST_TARGET(mean)))

#endif
