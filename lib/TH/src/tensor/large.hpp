// Large blocks of memory, of which freed ones are kept for a while: large.cpp.
#pragma once

#include <cstddef>

namespace th {

constexpr size_t kLarge = size_t(32) << 10;
constexpr bool isLarge(size_t size) { return size > kLarge; }

void *newLarge(size_t size);  // NULL where the system has no more
void freeLarge(void *block, size_t size);

}  // namespace th
