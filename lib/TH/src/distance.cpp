// Distances of all pairs of rows.
#include "simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <cmath>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

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

// r[j] is the distance of a and row j.
template <class T>
void distances(T *r, const T *a, const T *rows, int64_t count, int64_t n, double p) {
  const auto each = [=](const auto &term, const auto &join) {
    for (int64_t j = 0; j < count; j++) r[j] = overLanes(a, rows + j * n, n, term, join);
  };
  const auto add = [](T x, T y) { return x + y; };
  const auto larger = [](T x, T y) { return y > x ? y : x; };  // passes over NaN, as torch does here
  const auto differ = [](T x, T y) { return x - y == x - y ? T(x != y) : x - y; };
  const auto absolute = [](T x, T y) { return std::abs(x - y); };
  if (p == 0) return each(differ, add);
  if (p == 1) return each(absolute, add);
  if (std::isinf(p)) return each(absolute, larger);
  if (p == 2) {
    each([](T x, T y) { return (x - y) * (x - y); }, add);
    for (int64_t j = 0; j < count; j++) r[j] = std::sqrt(r[j]);
    return;
  }
  const T order = T(p);
  each([=](T x, T y) { return std::pow(std::abs(x - y), order); }, add);
  for (int64_t j = 0; j < count; j++) r[j] = std::pow(r[j], 1 / order);
}
constexpr auto single = distances<float>;
constexpr auto twofold = distances<double>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorLapack.h>
#include "parallel.hpp"
#include "result.hpp"

namespace th {
namespace {

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
      if constexpr (sizeof(T) == 4)
        TH_BEST_TARGET(single)(elements<T>(r) + i * right, x, others, right, n, p);
      else
        TH_BEST_TARGET(twofold)(elements<T>(r) + i * right, x, others, right, n, p);
    }
  });
}

}  // namespace
}  // namespace th

TH_DEFINE(cdist, float_double, (THTensor *r, const THTensor *a, const THTensor *b, double p), th::cdist<T>(r, a, b, p))

#endif
