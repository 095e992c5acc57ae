// Places of values among sorted ones; quantiles.
#include <THC/THCTensorOrder.h>
#include <THC/THCTensorSpecial.h>
#include <TH/THPrepare.h>
#include "kit/define.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"
#include "kit/pointwise.cuh"
#include "order/apart.hpp"

namespace thc {
namespace {

struct Search {
  const int64_t *order;            // NULL: rows are sorted
  int64_t *places;
  int64_t count, length, perRow;   // values; boundaries of a row; values that are searched in the same row
  bool right;
};

template <class T>
__global__ void __launch_bounds__(kBlock) searchKernel(Search s, const T *boundaries, const T *values) {
  using C = Compute<T>;
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < s.count; i += step) {
    const int64_t skip = i / s.perRow * s.length;
    const C x = th::convertTo<C>(values[i]);
    int64_t low = 0, high = s.length;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      const C y = th::convertTo<C>(boundaries[skip + (s.order ? s.order[skip + middle] : middle)]);
      if (s.right ? !(y > x) : !(y >= x))  // NaN goes to the end
        low = middle + 1;
      else
        high = middle;
    }
    s.places[i] = low;
  }
}

template <class T>
void searchsorted(THTensor *r, const THTensor *boundaries, const THTensor *values, const THTensor *sorter, bool right) {
  requireOneDevice({r}, {boundaries, values, sorter});
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  THResult shape;
  THPrepare_searchsorted(&shape, r, boundaries, values, sorter);
  const OnDevice on(r);
  const Ref sorted = contiguousAs(dtype, boundaries, r), wanted = contiguousApart(r, dtype, values),
            order = sorter ? contiguousAs(TH_Long, sorter, r) : Ref();
  THResult_resize(&shape, 1);
  if (!values->numel) return;
  Target target(TH_Long, r);
  // One row of boundaries for all values, or one for each row of them.
  const bool single = boundaries->ndim == 1 || !values->ndim;
  const Search search{order ? thc::elements<const int64_t>(order) : nullptr,
                      target.data<int64_t>(),
                      values->numel,
                      boundaries->size[boundaries->ndim - 1],
                      single ? values->numel : values->size[values->ndim - 1],
                      right};
  launch(searchKernel<T>, blocksFor(search.count), kBlock, 0, on.stream, search, thc::elements<const T>(sorted),
         thc::elements<const T>(wanted));
  target.finish();
}

// ---- quantiles --------------------------------------------------------------------------------------------
struct Quantile {
  int64_t rows, length, count;  // of the sorted matrix; how many quantiles
  int interpolation;
  bool ignoreNan;
};

// torch's lerp, which is exact at both ends.
template <class C>
__device__ C between(C a, C b, C weight) {
  return weight < C(0.5) ? a + weight * (b - a) : b - (b - a) * (1 - weight);
}

template <class T>
__global__ void __launch_bounds__(kBlock) quantileKernel(Quantile p, T *to, const T *from, const T *fraction) {
  using C = Compute<T>;
  const int64_t n = p.length, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.rows * p.count; i += step) {
    const T *const row = from + i % p.rows * n;
    int64_t numbers = 0, end = n;  // NaN stands at the end
    while (numbers < end) {
      const int64_t middle = numbers + (end - numbers) / 2;
      const C x = th::convertTo<C>(row[middle]);
      if (x == x)
        numbers = middle + 1;
      else
        end = middle;
    }
    C rank = th::convertTo<C>(fraction[i / p.rows]) * C((p.ignoreNan ? numbers : n) - 1);
    if (p.ignoreNan)
      rank = rank < C(0) ? C(0) : rank;
    else if (numbers < n)
      rank = C(n - 1);
    if (p.interpolation == TH_INTERPOLATE_LOWER) rank = floor(rank);
    if (p.interpolation == TH_INTERPOLATE_HIGHER) rank = ceil(rank);
    if (p.interpolation == TH_INTERPOLATE_NEAREST) rank = nearbyint(rank);
    const int64_t below = int64_t(rank) < n - 1 ? int64_t(rank) : n - 1;
    T value = row[below];
    if (p.interpolation == TH_INTERPOLATE_LINEAR || p.interpolation == TH_INTERPOLATE_MIDPOINT) {
      const C weight = p.interpolation == TH_INTERPOLATE_LINEAR ? rank - C(below) : C(0.5);
      const auto above = int64_t(ceil(rank));
      value = th::convertTo<T>(
          between(th::convertTo<C>(value), th::convertTo<C>(row[above < n - 1 ? above : n - 1]), weight));
    }
    to[i] = value;
  }
}

template <class T>
void quantile(THTensor *r, const THTensor *t, const THTensor *q, int interpolation, bool ignoreNan) {
  requireOneDevice({r}, {t, q});
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  THResult shape;
  THPrepare_quantile(&shape, dtype, r, t, q);
  const OnDevice on(r);
  const Ref sorted = contiguousApart(r, dtype, t), fractions = contiguousApart(r, dtype, q);
  const Quantile p{t->size[0], t->size[1], q->numel, interpolation, ignoreNan};
  THResult_resize(&shape, 1);
  if (!p.rows || !p.count) return;
  Target target(dtype, r);
  launch(quantileKernel<T>, blocksFor(p.rows * p.count), kBlock, 0, on.stream, p, target.data<T>(),
         thc::elements<const T>(sorted), thc::elements<const T>(fractions));
  target.finish();
}

// Among ascending elements, of which NaN, the last, equals nothing.
template <class T>
struct Among {
  const T *elements;
  int64_t count;
  bool invert;
  __device__ bool operator()(Compute<T> x) const {
    int64_t low = 0, high = count;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (readElement<Compute<T>, T>(elements + middle) < x)
        low = middle + 1;
      else
        high = middle;
    }
    return (low < count && readElement<Compute<T>, T>(elements + low) == x) != invert;
  }
};

// `sort`: of the same dtype.
template <class T>
void isin(THTensor *r, const THTensor *t, const THTensor *elements, bool invert, decltype(THCudaTensor_sort) *sort) {
  requireOneDevice({r}, {t, elements});
  THPointwisePlan plan;
  if (!THPrepare_isin(&plan, th::DtypeOf<T>::value, r, t, elements)) return;
  const Ref converted = contiguousAs(th::DtypeOf<T>::value, elements, r);
  Ref row(THTensor_newView(converted, 1, &elements->numel)),
      sorted(THTensor_newWithSizeOn(r->storage->device, th::DtypeOf<T>::value, 1, &elements->numel)),
      order(THTensor_newWithSizeOn(r->storage->device, TH_Long, 1, &elements->numel));
  sort(sorted, order, row, 0, false, false);
  runPointwise<T>(plan, Among<T>{thc::elements<const T>(sorted), elements->numel, invert}, Number::rounded, r, t);
}

}  // namespace
}  // namespace thc

THC_DEFINE(quantile, floating, (THTensor *r, const THTensor *t, const THTensor *q, int interpolation, bool ignoreNan),
           thc::quantile<T>(r, t, q, interpolation, ignoreNan))
#define THC_ISIN(Name, _)                                                                                         \
  void THC_TENSOR(Name, isin)(THTensor * r, const THTensor *t, const THTensor *elements, bool invert) {          \
    const thc::Operator named("isin");                                                                            \
    thc::isin<th::Element<TH_##Name>>(r, t, elements, invert, THC_TENSOR(Name, sort));                           \
  }
TH_FOR_number(THC_ISIN, )
THC_DEFINE(searchsorted, number,
           (THTensor *r, const THTensor *boundaries, const THTensor *values, const THTensor *sorter, bool right),
           thc::searchsorted<T>(r, boundaries, values, sorter, right))
