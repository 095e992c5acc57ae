// Counting: numbers, and those in bins between edges.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include <TH/THTensorMath.h>
#include <TH/THPrepare.h>
#include <TH/THTensorOrder.h>
#include <TH/THTensorReduce.h>
#include "kit/extent.hpp"
#include "kit/messages.hpp"
#include "kit/parallel.hpp"
#include "kit/apart.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

template <class T>
void bincount(THTensor *r, const THTensor *t, const THTensor *weights, int64_t minlength) {
  THPrepare_bincount(DtypeOf<T>::value, r, t, weights, minlength);
  const Ref numbers = contiguousApart(r, dtypeOf(t), t);
  const T *const x = elements<T>(numbers);
  const int64_t n = t->numel;  // of what r may be
  const auto [least, greatest] = n ? extentOf(x, n) : MinMax<T>{};
  if (least < 0) THError(TH_ERROR_RUNTIME, TH_NEGATIVE_COUNT);
  if (int64_t(greatest) == std::numeric_limits<int64_t>::max())
    THError(TH_ERROR_RUNTIME, "bincount: %lld is too large to be counted", (long long)greatest);
  const int64_t bins = std::max(n ? int64_t(greatest) + 1 : 0, minlength);
  THResult shape;
  THPrepare_bincountResult(&shape, r, t, weights, bins);
  if (!weights) {
    resizeResults(&shape);
    ContiguousResult result(r);
    int64_t *const count = result.data<int64_t>();
    std::fill_n(count, bins, 0);
    for (int64_t i = 0; i < n; i++) count[x[i]]++;
    return result.finish();
  }
  const Ref each = contiguousApart(r, TH_Double, weights);
  resizeResults(&shape);
  ResultAs result(TH_Double, r);
  double *const total = result.data<double>();
  std::fill_n(total, bins, 0.0);
  for (int64_t i = 0; i < n; i++) total[x[i]] += elements<double>(each)[i];
  result.finish();
}

// Calls hit(bin, i) for elements [begin, end) that lie between the first edge and the last.
template <class A, class T, class Hit>
void forHits(const T *x, int64_t begin, int64_t end, const A *edge, int64_t bins, bool uniform, bool exact,
             const Hit &hit) {
  const A low = edge[0], high = edge[bins];
  for (int64_t i = begin; i < end; i++) {
    const A v = A(x[i]);
    if (!(v >= low && v <= high)) continue;
    int64_t bin;
    // No number where both ends are one, or too far apart.
    const A place = uniform ? (v - low) * A(bins) / (high - low) : std::numeric_limits<A>::quiet_NaN();
    if (place >= 0 && place <= A(bins)) {
      bin = std::min(int64_t(place), bins);
      // Rounding may be off by one bin.
      if (exact) {
        const A *from = edge + std::max<int64_t>(0, bin - 1), *to = edge + std::min(bin + 2, bins + 1);
        bin = std::upper_bound(from, to, v) - edge - 1;
      }
    } else {
      bin = std::upper_bound(edge, edge + bins + 1, v) - edge - 1;
    }
    if (bins) hit(std::clamp<int64_t>(bin, 0, bins - 1), i);
  }
}

template <class T>
void histogram(THTensor *r, const THTensor *t, const THTensor *weights, const THTensor *edges, bool uniform,
               bool exact) {
  using A = Compute<T>;
  THResult shape;
  THPrepare_histogram(&shape, r, t, weights, edges);
  if (!hasMemory(r)) return resizeResults(&shape);
  const int64_t bins = edges->numel - 1, n = t->numel;
  const Ref input = contiguousApart(r, DtypeOf<T>::value, t), boundaries = contiguousApart(r, DtypeOf<A>::value, edges);
  const T *const x = elements<T>(input);
  const A *const edge = elements<A>(boundaries);
  // Counts are exact in int64, so threads may count separately. Weights are added up in order.
  if (!weights) {
    std::vector<int64_t> count(size_t(bins), 0);
    std::mutex adding;
    parallelFor(n, bins < n ? kGrain : n, [&](int64_t begin, int64_t end) {
      std::vector<int64_t> own(size_t(bins), 0);
      forHits(x, begin, end, edge, bins, uniform, exact, [&](int64_t bin, int64_t) { own[size_t(bin)]++; });
      const std::lock_guard lock(adding);
      for (int64_t b = 0; b < bins; b++) count[size_t(b)] += own[size_t(b)];
    });
    resizeResults(&shape);
    ResultAs result(TH_Long, r);
    std::copy(count.begin(), count.end(), result.data<int64_t>());
    return result.finish();
  }
  const Ref each = contiguousApart(r, TH_Double, weights);
  const double *const weight = elements<double>(each);
  resizeResults(&shape);
  ResultAs result(TH_Double, r);
  double *const total = result.data<double>();
  std::fill_n(total, bins, 0.0);
  forHits(x, 0, n, edge, bins, uniform, exact, [&](int64_t bin, int64_t i) { total[bin] += weight[i]; });
  result.finish();
}

using Extremum = void (*)(THTensor *, const THTensor *, uint64_t, bool);
struct Kernels {
  Extremum amin, amax;
  void (*linspace)(THTensor *, THScalar, THScalar, int64_t);
};

template <class T>
void histc(THTensor *r, const THTensor *t, int64_t bins, double low, double high, const Kernels &kernels) {
  THResult shape;
  THPrepare_histc(&shape, DtypeOf<T>::value, r, t, bins, low, high);
  if (!hasMemory(r)) return resizeResults(&shape);
  if (low == high && t->numel) {
    Ref end(THTensor_new(dtypeOf(t)));
    kernels.amin(end, t, TH_ALL_DIMS, false);
    low = scalarToDouble(THTensor_item(end));
    kernels.amax(end, t, TH_ALL_DIMS, false);
    high = scalarToDouble(THTensor_item(end));
  }
  if (low == high) low -= 1, high += 1;
  if (!std::isfinite(low) || !std::isfinite(high))
    THError(TH_ERROR_RUNTIME, "torch.histc: range of [%g, %g] is not finite", low, high);
  Ref edges(THTensor_new(DtypeOf<Compute<T>>::value));
  kernels.linspace(edges, scalar(low), scalar(high), bins + 1);
  histogram<T>(r, t, nullptr, edges, true, false);
}

}  // namespace
}  // namespace th

TH_DEFINE(bincount, integral, (THTensor *r, const THTensor *t, const THTensor *weights, int64_t minlength),
          th::bincount<T>(r, t, weights, minlength))
TH_DEFINE(histogram, floating,
          (THTensor *r, const THTensor *t, const THTensor *weights, const THTensor *edges, bool uniform, bool exact),
          th::histogram<T>(r, t, weights, edges, uniform, exact))
#define TH_HISTC(Name, ...)                                                                                     \
  void TH##Name##Tensor_histc(THTensor *r, const THTensor *t, int64_t bins, double low, double high) {          \
    using A = th::Compute<th::Element<TH_##Name>>;                                                              \
    const auto linspace = sizeof(A) == 8 ? THDoubleTensor_linspace : THFloatTensor_linspace;                    \
    th::histc<th::Element<TH_##Name>>(r, t, bins, low, high,                                                    \
                                      {TH##Name##Tensor_amin, TH##Name##Tensor_amax, linspace});                \
  }
TH_FOR_floating(TH_HISTC, )
