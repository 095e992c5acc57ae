// Places of values among sorted ones, and whether they are there at all.
#include <TH/THPrepare.h>
#include <TH/THTensorOrder.h>
#include <TH/THTensorSpecial.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "kit/extent.hpp"
#include "kit/kernel.hpp"
#include "kit/parallel.hpp"
#include "kit/apart.hpp"
#include "kit/scalar.hpp"
#include "kit/sortkeys.hpp"

namespace th {
namespace {

// found(i, place) for values i = 0 … count - 1: how many of row(0 … n - 1), which ascend, come before value(i), or, if
// `right`, not after it; the negations let NaN go to the end. Some values are searched side by side, so that none waits
// for another's memory, and without a branch, because no processor can predict it.
template <bool right, int64_t lanes, class Row, class Value, class Found>
void searchFrom(int64_t &i, int64_t n, const Row &row, int64_t count, const Value &value, const Found &found) {
  const int steps = std::bit_width(uint64_t(n));
  for (; i + lanes <= count; i += lanes) {
    decltype(value(i)) x[lanes];
    int64_t low[lanes], high[lanes];
    for (int64_t k = 0; k < lanes; k++) x[k] = value(i + k), low[k] = 0, high[k] = n;
    for (int s = 0; s < steps; s++)
      for (int64_t k = 0; k < lanes; k++) {
        const int64_t middle = low[k] + (high[k] - low[k]) / 2;
        const auto y = row(std::min(middle, n - 1));
        const int64_t open = -int64_t(low[k] < high[k]), after = open & -int64_t(right ? !(y > x[k]) : !(y >= x[k]));
        low[k] += (middle + 1 - low[k]) & after;
        high[k] += (middle - high[k]) & ~after;
      }
    for (int64_t k = 0; k < lanes; k++) found(i + k, low[k]);
  }
}
template <bool right, class Row, class Value, class Found>
void search(int64_t n, const Row &row, int64_t count, const Value &value, const Found &found) {
  int64_t i = 0;
  searchFrom<right, 8>(i, n, row, count, value, found);
  searchFrom<right, 1>(i, n, row, count, value, found);
}

template <class T>
void searchsorted(THTensor *r, const THTensor *boundaries, const THTensor *values, const THTensor *sorter, bool right) {
  using A = Compute<T>;
  THResult shape;
  THPrepare_searchsorted(&shape, r, boundaries, values, sorter);
  if (!hasMemory(r)) return resizeResults(&shape);
  const Ref sorted = contiguousAs(DtypeOf<T>::value, boundaries),
            wanted = contiguousApart(r, DtypeOf<T>::value, values);
  Ref order(sorter ? THTensor_newContiguous(const_cast<THTensor *>(sorter)) : nullptr);
  // One row of boundaries for all values, or one for each row of them.
  const int64_t n = boundaries->size[boundaries->ndim - 1];
  const bool single = boundaries->ndim == 1;
  const int64_t perRow = single || !values->ndim ? std::max<int64_t>(values->numel, 1) : values->size[values->ndim - 1];
  resizeResults(&shape);
  ContiguousResult result(r);
  const T *const row0 = elements<T>(sorted), *const v = elements<T>(wanted);
  const int64_t *const order0 = order ? elements<int64_t>(order) : nullptr;
  auto find = [&]<class I>(I *to) {
    parallelFor(values->numel, kGrain / 16, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end;) {
        const int64_t skip = i / perRow * n, count = std::min(end, (i / perRow + 1) * perRow) - i;
        const T *const row = row0 + skip, *const from = v + i;
        I *const place = to + i;
        const auto value = [=](int64_t k) { return A(from[k]); };
        const auto found = [=](int64_t k, int64_t low) { place[k] = I(low); };
        const auto searchIn = [&](const auto &at) {
          right ? search<true>(n, at, count, value, found) : search<false>(n, at, count, value, found);
        };
        if (order0)
          searchIn([=, o = order0 + skip](int64_t k) { return A(row[o[k]]); });
        else
          searchIn([=](int64_t k) { return A(row[k]); });
        i += count;
      }
    });
  };
  dtypeOf(r) == TH_Int ? find(result.data<int32_t>()) : find(result.data<int64_t>());
  result.finish();
}

// ---- membership ------------------------------------------------------------------------------------------

template <class X>
struct Among {
  std::vector<X> sorted;         // without NaN, which is among nothing
  std::vector<uint8_t> present;  // or whether low, low + 1, … are there
  X low;
  bool invert;
};

template <class X>
void amongSorted(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const auto &among = *static_cast<const Among<X> *>(param);
  const X *const row = among.sorted.data();
  const int64_t length = int64_t(among.sorted.size()), toStep = strides[0], step = strides[1];
  const bool invert = among.invert;
  char *const to = data[0], *const from = data[1];
  const auto value = [=](int64_t i) { return *reinterpret_cast<const X *>(from + i * step); };
  search<false>(
      length, [=](int64_t k) { return row[k]; }, n, value,
      [=](int64_t i, int64_t place) {
        const bool found = place < length && row[place] == value(i);
        *reinterpret_cast<bool *>(to + i * toStep) = found != invert;
      });
}

template <class X>
void amongPresent(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const auto &among = *static_cast<const Among<X> *>(param);
  const uint8_t *const present = among.present.data();
  const uint64_t low = uint64_t(among.low), length = among.present.size();
  const bool invert = among.invert;
  for (int64_t i = 0; i < n; i++) {
    const uint64_t place = uint64_t(*reinterpret_cast<const X *>(data[1] + i * strides[1])) - low;
    *reinterpret_cast<bool *>(data[0] + i * strides[0]) = (place < length && present[place]) != invert;
  }
}

// What the iterator does not check.
void checkElements(THDtype dtype, const THTensor *r, const THTensor *elements) {
  requireDtype(elements, dtype);
  requireMemory(r, elements);
}

// Takes in n numbers, among which `searches` others will be looked for, and chooses the loop for them.
template <class X>
Loop enter(Among<X> &among, const X *x, int64_t n, int64_t searches) {
  if constexpr (std::is_integral_v<X>)
    if (n) {
      const MinMax<X> extent = extentOf(x, n);
      if (extent.span() < tableLimit<uint8_t>(searches + n)) {
        among.low = extent.low;
        among.present.resize(extent.span() + 1);
        for (int64_t i = 0; i < n; i++) among.present[uint64_t(x[i]) - uint64_t(extent.low)] = 1;
        return amongPresent<X>;
      }
    }
  among.sorted.resize(size_t(n));
  among.sorted.erase(std::copy_if(x, x + n, among.sorted.begin(), [](X y) { return y == y; }), among.sorted.end());
  sortNumbers(among.sorted.data(), int64_t(among.sorted.size()));
  return amongSorted<X>;
}

template <class T>
void isin(THTensor *r, const THTensor *t, const THTensor *elements, bool invert) {
  using X = Compute<T>;
  constexpr THDtype dtype = DtypeOf<T>::value, c = native(dtype);
  checkElements(dtype, r, elements);
  Among<X> among{{}, {}, {}, invert};
  Loop loop = nullptr;
  if (hasMemory(r)) {
    const Ref converted = contiguousAs(c, elements);
    loop = enter(among, th::elements<X>(converted), elements->numel, t->numel);
  }
  KernelTable table{};
  table.of[dtype] = {loop, c, TH_Bool};
  pointwise(table, dtype, &among, r, {t});
}

}  // namespace
}  // namespace th

bool THPrepare_isin(THPointwisePlan *plan, THDtype dtype, THTensor *r, const THTensor *t, const THTensor *elements) {
  th::checkElements(dtype, r, elements);
  const THTensor *const operands[] = {r, t};
  return THPrepare_pointwise(plan, 2, operands, TH_RESULT_RESIZED);
}

TH_DEFINE(searchsorted, number,
          (THTensor *r, const THTensor *boundaries, const THTensor *values, const THTensor *sorter, bool right),
          th::searchsorted<T>(r, boundaries, values, sorter, right))
TH_DEFINE(isin, number, (THTensor *r, const THTensor *t, const THTensor *elements, bool invert),
          th::isin<T>(r, t, elements, invert))
