// Large blocks of memory, of which freed ones are kept for a while: large.cpp.
#pragma once

#include <cstddef>

namespace th {

constexpr size_t kLarge = size_t(32) << 10, kLargest = size_t(32) << 20;
constexpr bool isLarge(size_t size) { return size > kLarge && size <= kLargest; }

void *newLarge(size_t size);  // NULL where the system has no more
void freeLarge(void *block, size_t size);

// A wish that the system makes pages of 2 MiB of what it can of a block.
void askForHugePages(void *block, size_t size);

}  // namespace th
