#define TH_WIDE_TARGETS
#include "simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kit/extent.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <atomic>

#include "extent.hpp"
#include "parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// Several extents side by side, so that no step waits for the one before.
template <class T>
MinMax<T> extentLoop(const T *x, int64_t n) {
  constexpr int64_t lanes = 256 / sizeof(T);
  MinMax<T> all{x[0], x[0]};
  int64_t i = 0;
  if (n >= lanes) {
    T low[lanes], high[lanes];
    std::copy_n(x, lanes, low);
    std::copy_n(x, lanes, high);
    for (i = lanes; i + lanes <= n; i += lanes)
      for (int64_t k = 0; k < lanes; k++) {
        low[k] = x[i + k] < low[k] ? x[i + k] : low[k];
        high[k] = x[i + k] > high[k] ? x[i + k] : high[k];
      }
    for (int64_t k = 0; k < lanes; k++) all = {std::min(all.low, low[k]), std::max(all.high, high[k])};
  }
  for (; i < n; i++) all = {std::min(all.low, x[i]), std::max(all.high, x[i])};
  return all;
}

// The sign of what is collected is set by x below `low` or above `high` - 1; as low <= 0 <= high, wrapping keeps that.
bool anyOutside(const int64_t *x, int64_t n, int64_t low, int64_t high) {
  uint64_t outside = 0;
  for (int64_t i = 0; i < n; i++) outside |= (uint64_t(x[i]) - uint64_t(low)) | (uint64_t(high - 1) - uint64_t(x[i]));
  return int64_t(outside) < 0;
}

constexpr ExtentLoops loops = {
    {extentLoop<uint8_t>, extentLoop<int8_t>, extentLoop<int16_t>, extentLoop<int32_t>, extentLoop<int64_t>},
    anyOutside};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace th {

static const ExtentLoops &best() { return TH_BEST_TARGET(loops); }

template <class T>
MinMax<T> extentOf(const T *x, int64_t n) {
  return std::get<ExtentLoop<T>>(best().of)(x, n);
}
template MinMax<uint8_t> extentOf(const uint8_t *, int64_t);
template MinMax<int8_t> extentOf(const int8_t *, int64_t);
template MinMax<int16_t> extentOf(const int16_t *, int64_t);
template MinMax<int32_t> extentOf(const int32_t *, int64_t);
template MinMax<int64_t> extentOf(const int64_t *, int64_t);

int64_t findOutOfRange(const int64_t *numbers, int64_t n, int64_t low, int64_t high) {
  constexpr int64_t few = 16;  // that a plain loop has seen before others have begun
  if (n <= few) {
    for (int64_t j = 0; j < n; j++)
      if (numbers[j] < low || numbers[j] >= high) return j;
    return -1;
  }
  const auto anyOutside = best().anyOutside;
  std::atomic<int64_t> first{n};
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t block = 1024;
    for (int64_t i = begin; i < end; i += block) {
      if (!anyOutside(numbers + i, std::min(end - i, block), low, high)) continue;
      int64_t j = i;
      while (numbers[j] >= low && numbers[j] < high) j++;
      for (int64_t seen = first; j < seen && !first.compare_exchange_weak(seen, j);) {
      }
      return;
    }
  });
  return first == n ? -1 : int64_t(first);
}

}  // namespace th
#endif
