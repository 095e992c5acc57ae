// Contiguous elements in reverse order.
#pragma once

#include <cstdint>
#include <tuple>

#include "kit/define.hpp"

namespace th {

template <class T> using ReverseLoop = void (*)(T *to, const T *last, int64_t n);

// By width, of one SIMD target.
using ReverseLoops = std::tuple<ReverseLoop<uint8_t>, ReverseLoop<uint16_t>, ReverseLoop<uint32_t>,
                                ReverseLoop<uint64_t>, ReverseLoop<Wide>>;

// to[0 … n - 1] = last[0], last[-1], …
const ReverseLoops &reverseLoops();

}  // namespace th
