// Distances of all pairs of rows.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kit/vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// Vectors as wide as the target's. Their lanes are of different results, which so are the same for all.
constexpr int kBytes = HWY_TARGET <= HWY_AVX3 ? 64 : HWY_TARGET <= HWY_AVX2 ? 32 : 16;
template <class T> using Vector = VectorOf<T, kBytes>;
template <class T> constexpr int64_t kLanes = kBytes / sizeof(T);

// Of a number or of a vector of them.
template <class T, class X>
HWY_INLINE X magnitude(X x) {
  if constexpr (std::is_same_v<X, T>) {
    return std::abs(x);
  } else {
    using Bits = VectorOf<std::conditional_t<sizeof(T) == 4, int32_t, int64_t>, kBytes>;
    return X(Bits(x) & ~Bits(-X{}));
  }
}

// A sum over n elements in eight lanes, which the compiler makes vectors of, joined in a fixed order.
template <class T, class Term, class Join>
HWY_INLINE T overLanes(const T *a, const T *b, int64_t n, const Term &term, const Join &join) {
  constexpr int64_t lanes = 8;
  T sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t k = 0; k < lanes; k++) sums[k] = join(sums[k], term(a[i + k], b[i + k]));
  for (int64_t k = 0; i < n; i++, k++) sums[k] = join(sums[k], term(a[i], b[i]));
  for (int64_t width = lanes / 2; width; width /= 2)
    for (int64_t k = 0; k < width; k++) sums[k] = join(sums[k], sums[k + width]);
  return sums[0];
}

// So many rows of b are measured side by side, over so many columns at a time, which are transposed for it.
constexpr int64_t kVectors = 2, kColumns = 64;
template <class T> constexpr int64_t kBeside = kVectors * kLanes<T>;

// r = the joined terms of `rows` rows of a, all n apart, with the rows that `columns` has; to be joined with what r has.
template <int rows, class T, class Term, class Join>
HWY_INLINE void tile(T *r, int64_t right, int64_t used, bool joined, const T *a, int64_t n, int64_t m,
                     const Vector<T> (*columns)[kVectors], const Term &term, const Join &join) {
  alignas(64) Vector<T> sums[rows][kVectors];
  for (int i = 0; i < rows; i++)
    for (int v = 0; v < kVectors; v++) sums[i][v] = Vector<T>{};
  for (int64_t c = 0; c < m; c++)
    for (int i = 0; i < rows; i++)
      for (int v = 0; v < kVectors; v++) sums[i][v] = join(sums[i][v], term(Vector<T>{} + a[i * n + c], columns[c][v]));
  for (int i = 0; i < rows; i++) {
    T *const to = r + i * right, *const from = reinterpret_cast<T *>(sums[i]);
    if (joined)
      for (int64_t l = 0; l < used; l++) to[l] = join(to[l], from[l]);
    else if (used == kBeside<T>)
      std::memcpy(to, from, kBeside<T> * sizeof(T));
    else
      std::copy_n(from, used, to);
  }
}

// The same of all pairs of `left` and `right` rows. Sums of kColumns terms are summed.
template <class T, class Term, class Join>
HWY_INLINE void overPairs(T *r, const T *a, const T *b, int64_t left, int64_t right, int64_t n, const Term &term,
                          const Join &join) {
  Vector<T> columns[kColumns][kVectors] = {};
  for (int64_t j = 0; j < right; j += kBeside<T>) {
    const int64_t used = right - j < kBeside<T> ? right - j : kBeside<T>;
    for (int64_t k = 0; k < n || k == 0; k += kColumns) {
      const int64_t m = n - k < kColumns ? n - k : kColumns;
      for (int64_t l = 0; l < used; l++)
        for (int64_t c = 0; c < m; c++) reinterpret_cast<T *>(columns[c])[l] = b[(j + l) * n + k + c];
      int64_t i = 0;
      for (; i + 4 <= left; i += 4)
        tile<4>(r + i * right + j, right, used, k > 0, a + i * n + k, n, m, columns, term, join);
      for (; i < left; i++) tile<1>(r + i * right + j, right, used, k > 0, a + i * n + k, n, m, columns, term, join);
    }
  }
}

// r[i, j] is the distance of row i of a and row j of b. `many`: rows of a are worth that b is transposed.
template <class T>
void distances(T *r, const T *a, const T *b, int64_t left, int64_t right, int64_t n, double p, bool many) {
  const auto each = [=](const auto &term, const auto &join) {
    for (int64_t i = 0; i < left; i++)
      for (int64_t j = 0; j < right; j++) r[i * right + j] = overLanes(a + i * n, b + j * n, n, term, join);
  };
  const auto pairs = [=](const auto &term, const auto &join) {
    return many ? overPairs(r, a, b, left, right, n, term, join) : each(term, join);
  };
  const auto add = [](auto x, auto y) { return x + y; };
  const auto larger = [](auto x, auto y) { return y > x ? y : x; };  // passes over NaN, as torch does here
  const auto differ = [](auto x, auto y) {
    const decltype(x) difference = x - y, none = {}, one = none + T(1);
    return difference == difference ? (x != y ? one : none) : difference;
  };
  const auto absolute = [](auto x, auto y) { return magnitude<T>(x - y); };
  if (p == 0) return pairs(differ, add);
  if (p == 1) return pairs(absolute, add);
  if (std::isinf(p)) return pairs(absolute, larger);
  if (p == 2) {
    pairs([](auto x, auto y) { return (x - y) * (x - y); }, add);
    for (int64_t i = 0; i < left * right; i++) r[i] = std::sqrt(r[i]);
    return;
  }
  const T order = T(p);
  each([=](T x, T y) { return std::pow(std::abs(x - y), order); }, add);
  for (int64_t i = 0; i < left * right; i++) r[i] = std::pow(r[i], 1 / order);
}
constexpr auto single = distances<float>;
constexpr auto twofold = distances<double>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THPrepare.h>
#include <TH/THTensorLapack.h>
#include "kit/parallel.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

template <class T>
void cdist(THTensor *r, const THTensor *a, const THTensor *b, double p) {
  if (!THPrepare_cdist(DtypeOf<T>::value, r, a, b)) return;
  const int64_t n = a->size[a->ndim - 1], left = a->size[a->ndim - 2], right = b->size[b->ndim - 2];
  const int64_t count = r->numel / right;
  parallelFor(count, std::max<int64_t>(1, kGrain / ((n + 1) * right)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin, rows; i < end; i += rows) {
      const int64_t batch = i / left;
      rows = std::min(end, (batch + 1) * left) - i;
      const T *const x = elements<T>(a) + i * n, *const y = elements<T>(b) + batch * right * n;
      if constexpr (sizeof(T) == 4)
        TH_BEST_TARGET(single)(elements<T>(r) + i * right, x, y, rows, right, n, p, left >= 4);
      else
        TH_BEST_TARGET(twofold)(elements<T>(r) + i * right, x, y, rows, right, n, p, left >= 4);
    }
  });
}

}  // namespace
}  // namespace th

TH_DEFINE(cdist, float_double, (THTensor *r, const THTensor *a, const THTensor *b, double p), th::cdist<T>(r, a, b, p))

#endif
