#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "product/spmm_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <type_traits>

#include <TH/THGeneral.h>

#include "kit/define.hpp"
#include "spmm_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

using ths::Terms;

constexpr int kBytes = HWY_TARGET == HWY_AVX2 ? 32 : 16;  // of a register
template <class C>
struct Vector {
  typedef C Type __attribute__((vector_size(kBytes)));
};

// Entries [first, last), which are of one row, for as many columns from `at` on as `bytes` are; sums are in registers.
// Loops over arrays in place of vectors become scalars, as the compiler unrolls them before it looks for vectors.
template <int bytes, class C, class I>
inline void addTile(const Terms<C, I> &t, int64_t first, int64_t last, int64_t at, C *r) {
  using V = typename Vector<C>::Type;
  constexpr int64_t kAhead = 16;  // entries whose lines are fetched meanwhile, of the next rows, too
  constexpr int n = bytes / kBytes, lanes = kBytes / int(sizeof(C));
  const I *const column = t.column;
  const int64_t width = t.width, end = t.entries - 1;
  const C *const x = t.x + at, *const values = t.values;
  V sums[n] = {};
  for (int64_t i = first; i < last; i++) {
    const C *const next = x + column[std::min(i + kAhead, end)] * width;
    for (int d = 0; d < bytes; d += 64) __builtin_prefetch(reinterpret_cast<const char *>(next) + d);
    const C *const line = x + column[i] * width;
    for (int k = 0; k < n; k++) {
      V elements;
      __builtin_memcpy(&elements, line + k * lanes, kBytes);
      sums[k] = sums[k] + values[i] * elements;
    }
  }
  for (int k = 0; k < n; k++) {
    V before = {};
    if (!t.fresh) __builtin_memcpy(&before, r + at + k * lanes, kBytes);
    const V sum = before + t.alpha * sums[k];
    __builtin_memcpy(r + at + k * lanes, &sum, kBytes);
  }
}

template <class C, class I>
inline void addElement(const Terms<C, I> &t, int64_t first, int64_t last, int64_t at, C *r) {
  C sum(0);
  for (int64_t i = first; i < last; i++) sum = C(sum + C(t.values[i] * t.x[t.column[i] * t.width + at]));
  r[at] = C((t.fresh ? C(0) : r[at]) + C(t.alpha * sum));
}

template <class C, class I>
void addRows(const Terms<C, I> &t, int64_t firstRow, int64_t lastRow, int64_t first, int64_t last, C *r) {
  for (int64_t row = firstRow; row < lastRow; row++, r += t.width) {
    const int64_t from = std::max<int64_t>(first, t.begin[row]), to = std::min<int64_t>(last, t.begin[row + 1]);
    int64_t at = 0;
    if constexpr (std::is_floating_point_v<C>) {
      constexpr int line = 64 / int(sizeof(C));  // elements of 64 bytes
      for (; at + 2 * line <= t.width; at += 2 * line) addTile<128>(t, from, to, at, r);
      if (at + line <= t.width) {
        addTile<64>(t, from, to, at, r);
        at += line;
      }
      if (at + line / 2 <= t.width) {
        addTile<32>(t, from, to, at, r);
        at += line / 2;
      }
      for (; at < t.width; at++) addElement(t, from, to, at, r);
    } else {
      // In memory, line by line.
      for (; at < t.width; at++) r[at] = t.fresh ? C(0) : r[at];
      for (int64_t i = from; i < to; i++) {
        const C factor = C(t.alpha * t.values[i]), *const line = t.x + t.column[i] * t.width;
        for (at = 0; at < t.width; at++) r[at] = C(r[at] + C(factor * line[at]));
      }
    }
  }
}

// A vector: its loop is as short as that of a row.
template <class C, class I>
void addElements(const Terms<C, I> &t, int64_t firstRow, int64_t lastRow, int64_t first, int64_t last, C *r) {
  if (t.width != 1) return addRows(t, firstRow, lastRow, first, last, r);
  const I *const begin = t.begin, *const column = t.column;
  const C *const values = t.values, *const x = t.x, alpha = t.alpha;
  const bool fresh = t.fresh;
  int64_t i = std::max<int64_t>(first, begin[firstRow]);
  for (int64_t row = firstRow; row < lastRow; row++, r++) {
    const int64_t to = std::min<int64_t>(last, begin[row + 1]);
    C sum(0);
#pragma GCC unroll 4
    for (; i < to; i++) sum = C(sum + C(values[i] * x[column[i]]));
    *r = C((fresh ? C(0) : *r) + C(alpha * sum));
  }
}

template <class C>
C dotOf(const C *a, const C *b, int64_t n) {
  using V = typename Vector<C>::Type;
  // As many sums for every target, added in one order.
  constexpr int lanes = kBytes / int(sizeof(C)), all = 32 / int(sizeof(C)), vectors = all / lanes;
  V sums[vectors] = {};
  int64_t d = 0;
  for (; d + all <= n; d += all)
    for (int k = 0; k < vectors; k++) {
      V x, y;
      __builtin_memcpy(&x, a + d + k * lanes, kBytes);
      __builtin_memcpy(&y, b + d + k * lanes, kBytes);
      sums[k] = sums[k] + x * y;
    }
  C each[all];
  __builtin_memcpy(each, sums, sizeof each);
  for (; d < n; d++) each[0] = each[0] + a[d] * b[d];
  for (int half = all / 2; half; half /= 2)
    for (int k = 0; k < half; k++) each[k] = each[k] + each[k + half];
  return each[0];
}

template <class C>
void dots(const ths::Lines<C> &t, int64_t row, int64_t first, int64_t last, C *r) {
  constexpr int64_t kAhead = 16;  // entries whose columns are fetched meanwhile: they stand anywhere
  for (int64_t i = first; i < last; i++) {
    while (t.begin[row + 1] <= i) row++;
    __builtin_prefetch(t.y + t.column[std::min(i + kAhead, t.entries - 1)] * t.inner);
    r[i - first] = dotOf(t.x + row * t.inner, t.y + t.column[i] * t.inner, t.inner);
  }
}

constexpr ths::Dots<float> dotsOfFloat = dots<float>;
constexpr ths::Dots<double> dotsOfDouble = dots<double>;
constexpr ths::AddRows<float, int64_t> ofFloat = addElements<float, int64_t>;
constexpr ths::AddRows<float, int32_t> ofFloatShort = addElements<float, int32_t>;
constexpr ths::AddRows<double, int64_t> ofDouble = addElements<double, int64_t>;
constexpr ths::AddRows<double, int32_t> ofDoubleShort = addElements<double, int32_t>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ths {

template <class C, class I>
AddRows<C, I> addRows() {
  return th::HWY_NAMESPACE::addElements<C, I>;
}
template <>
AddRows<float, int64_t> addRows() {
  return TH_BEST_TARGET(ofFloat);
}
template <>
AddRows<float, int32_t> addRows() {
  return TH_BEST_TARGET(ofFloatShort);
}
template <>
AddRows<double, int64_t> addRows() {
  return TH_BEST_TARGET(ofDouble);
}
template <>
AddRows<double, int32_t> addRows() {
  return TH_BEST_TARGET(ofDoubleShort);
}
template <>
Dots<float> dots() {
  return TH_BEST_TARGET(dotsOfFloat);
}
template <>
Dots<double> dots() {
  return TH_BEST_TARGET(dotsOfDouble);
}
template AddRows<uint8_t, int64_t> addRows();
template AddRows<int8_t, int64_t> addRows();
template AddRows<int16_t, int64_t> addRows();
template AddRows<int32_t, int64_t> addRows();
template AddRows<int64_t, int64_t> addRows();
template AddRows<th::complex<float>, int64_t> addRows();
template AddRows<th::complex<double>, int64_t> addRows();

}  // namespace ths
#endif
