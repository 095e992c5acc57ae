#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "product/spmm_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>

#include <TH/THGeneral.h>

#include "kit/define.hpp"
#include "spmm_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

using ths::Terms;

// Entries [first, last), which are of one row, for `tile` columns that begin at `at`; sums are in registers.
template <int tile, class C>
inline void addTile(const Terms<C> &t, int64_t first, int64_t last, int64_t at, C *r) {
  constexpr int64_t kAhead = 16;  // entries whose lines are fetched meanwhile, of the next rows, too
  C sums[tile] = {};
  for (int64_t i = first; i < last; i++) {
    const C *const next = t.x + t.column[std::min(i + kAhead, t.entries - 1)] * t.width + at;
    for (int d = 0; d < tile; d += int(64 / sizeof(C))) __builtin_prefetch(next + d);
    const C factor = t.values[i];
    const C *const line = t.x + t.column[i] * t.width + at;
    for (int d = 0; d < tile; d++) sums[d] = C(sums[d] + C(factor * line[d]));
  }
  for (int d = 0; d < tile; d++) r[at + d] = C((t.fresh ? C(0) : r[at + d]) + C(t.alpha * sums[d]));
}

template <class C>
void addRows(const Terms<C> &t, int64_t firstRow, int64_t lastRow, int64_t first, int64_t last, C *r) {
  for (int64_t row = firstRow; row < lastRow; row++, r += t.width) {
    const int64_t from = std::max(first, t.begin[row]), to = std::min(last, t.begin[row + 1]);
    int64_t at = 0;
    for (; at + 32 <= t.width; at += 32) addTile<32>(t, from, to, at, r);
    if (at + 16 <= t.width) {
      addTile<16>(t, from, to, at, r);
      at += 16;
    }
    if (at + 8 <= t.width) {
      addTile<8>(t, from, to, at, r);
      at += 8;
    }
    for (; at < t.width; at++) {
      C sum(0);
      for (int64_t i = from; i < to; i++) sum = C(sum + C(t.values[i] * t.x[t.column[i] * t.width + at]));
      r[at] = C((t.fresh ? C(0) : r[at]) + C(t.alpha * sum));
    }
  }
}

// A vector: its loop is as short as that of a row.
template <class C>
void addElements(const Terms<C> &t, int64_t firstRow, int64_t lastRow, int64_t first, int64_t last, C *r) {
  if (t.width != 1) return addRows(t, firstRow, lastRow, first, last, r);
  for (int64_t row = firstRow; row < lastRow; row++, r++) {
    const int64_t to = std::min(last, t.begin[row + 1]);
    C sum(0);
    for (int64_t i = std::max(first, t.begin[row]); i < to; i++) sum = C(sum + C(t.values[i] * t.x[t.column[i]]));
    *r = C((t.fresh ? C(0) : *r) + C(t.alpha * sum));
  }
}

constexpr ths::AddRows<float> ofFloat = addElements<float>;
constexpr ths::AddRows<double> ofDouble = addElements<double>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ths {

template <class C>
AddRows<C> addRows() {
  return th::HWY_NAMESPACE::addElements<C>;
}
template <>
AddRows<float> addRows() {
  return TH_BEST_TARGET(ofFloat);
}
template <>
AddRows<double> addRows() {
  return TH_BEST_TARGET(ofDouble);
}
template AddRows<uint8_t> addRows();
template AddRows<int8_t> addRows();
template AddRows<int16_t> addRows();
template AddRows<int32_t> addRows();
template AddRows<int64_t> addRows();
template AddRows<th::complex<float>> addRows();
template AddRows<th::complex<double>> addRows();

}  // namespace ths
#endif
