// Distances of all pairs of rows.
#include <TH/THTensorLapack.h>

#include <cmath>

#include "parallel.hpp"
#include "result.hpp"

namespace th {
namespace {

// A sum over n elements in eight lanes, which the compiler makes vectors of, joined in a fixed order.
template <class T, class Term, class Join>
T overLanes(const T *a, const T *b, int64_t n, const Term &term, const Join &join) {
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

template <class T>
T distance(const T *a, const T *b, int64_t n, double p) {
  const auto add = [](T x, T y) { return x + y; };
  const auto larger = [](T x, T y) { return y > x ? y : x; };  // passes over NaN, as torch does here
  const auto differ = [](T x, T y) { return x - y == x - y ? T(x != y) : x - y; };
  const auto absolute = [](T x, T y) { return std::abs(x - y); };
  if (p == 0) return overLanes(a, b, n, differ, add);
  if (p == 1) return overLanes(a, b, n, absolute, add);
  if (p == 2) return std::sqrt(overLanes(a, b, n, [](T x, T y) { return (x - y) * (x - y); }, add));
  if (std::isinf(p)) return overLanes(a, b, n, absolute, larger);
  const T order = T(p);
  return std::pow(overLanes(a, b, n, [&](T x, T y) { return std::pow(std::abs(x - y), order); }, add), 1 / order);
}

template <class T>
void cdist(THTensor *r, const THTensor *a, const THTensor *b, double p) {
  for (const THTensor *t : {static_cast<const THTensor *>(r), a, b}) {
    requireDtype<T>(t);
    if (t->ndim < 2 || !THTensor_isContiguous(t)) THError(TH_ERROR_RUNTIME, "cdist: contiguous matrices are needed");
  }
  const int64_t n = a->size[a->ndim - 1], left = a->size[a->ndim - 2], right = b->size[b->ndim - 2];
  if (b->size[b->ndim - 1] != n || r->size[r->ndim - 2] != left || r->size[r->ndim - 1] != right)
    THError(TH_ERROR_RUNTIME, "cdist: shapes do not fit");
  if (!r->numel) return;
  const int64_t count = r->numel / right;
  parallelFor(count, std::max<int64_t>(1, kGrain / ((n + 1) * right)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const T *const x = elements<T>(a) + i * n, *const others = elements<T>(b) + i / left * right * n;
      for (int64_t j = 0; j < right; j++) elements<T>(r)[i * right + j] = distance(x, others + j * n, n, p);
    }
  });
}

}  // namespace
}  // namespace th

TH_DEFINE(cdist, float_double, (THTensor *r, const THTensor *a, const THTensor *b, double p), th::cdist<T>(r, a, b, p))
