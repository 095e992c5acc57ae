// Runs of contiguous elements, by loops that are compiled once per SIMD target.
#pragma once

#include <cstdint>
#include <tuple>

#include "kit/define.hpp"

namespace th {

// By width, of one SIMD target.
template <template <class> class Run>
using Runs = std::tuple<Run<uint8_t>, Run<uint16_t>, Run<uint32_t>, Run<uint64_t>, Run<Wide>>;

template <class T> using ReverseRun = void (*)(T *to, const T *last, int64_t n);
template <class T> using FillRun = void (*)(T *to, int64_t n, T x);

// to[0 … n - 1] = last[0], last[-1], …
const Runs<ReverseRun> &reverseRuns();
// to[0 … n - 1] = x
const Runs<FillRun> &fillRuns();

}  // namespace th
