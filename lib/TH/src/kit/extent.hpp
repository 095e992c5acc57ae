// How far integers reach: their least and greatest, and the first that lies outside given limits.
#pragma once

#include <cstdint>
#include <tuple>

namespace th {

template <class T>
struct MinMax {
  T low, high;
  uint64_t span() const { return uint64_t(high) - uint64_t(low); }
};

template <class T> using ExtentLoop = MinMax<T> (*)(const T *, int64_t);
struct ExtentLoops {  // of one SIMD target
  std::tuple<ExtentLoop<uint8_t>, ExtentLoop<int8_t>, ExtentLoop<int16_t>, ExtentLoop<int32_t>, ExtentLoop<int64_t>> of;
  bool (*anyOutside)(const int64_t *, int64_t, int64_t, int64_t);
};

// Of n > 0 numbers of any integer dtype (not bool).
template <class T> MinMax<T> extentOf(const T *x, int64_t n);

// Where the first of n numbers outside low … high - 1 stands; -1 if there is none. low <= 0 <= high.
int64_t findOutOfRange(const int64_t *numbers, int64_t n, int64_t low, int64_t high);

}  // namespace th
