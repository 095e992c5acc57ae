// Sums of contiguous elements, by loops that are compiled once per SIMD target.
#pragma once

#include <cstdint>
#include <tuple>

namespace th {

template <class T> using AddRun = void (*)(T *to, const T *from, int64_t n);
using AddRuns = std::tuple<AddRun<uint8_t>, AddRun<uint16_t>, AddRun<uint32_t>, AddRun<uint64_t>, AddRun<float>,
                           AddRun<double>>;

// to[0 … n - 1] += from[0 … n - 1], which lies apart
const AddRuns &addRuns();

}  // namespace th
