// Results of 32 KiB and more. What they cost is the pages that the process is the first to touch: 0.3 us and more for
// each of 4 KiB, as much as it takes to compute what stands in it.
//
// The C library returns the end of its heap to the system whenever twice the largest block that it once mapped is free
// there: so two or three results of one size, made and dropped in turn, go back and come anew in each turn, or never,
// as chance has laid other blocks behind them. (x.relu() + 1).neg().abs() took 11 ms of 4 MiB, with 990 page faults,
// and half of the processes that ran the same program had none. So freed blocks are kept here, kKept bytes in any case,
// the oldest go first; and those that can have pages of 2 MiB begin in one.
//
// A step of training frees and needs again as much as it has parameters and activations: gradients of 411 MB for one
// layer of VGG-11. So more is kept where the process has needed it before: never more than what it has less than at its
// peak, and no more than twice what it has. What is idle goes back when the rest does.
//
// Where all of them begin at the same place of a page, as blocks do that the C library has mapped, a processor that
// compares 12 bits of addresses first takes loads for those of bytes just stored: roll of 4 MiB by three elements then
// takes 0.74 ms instead of 0.41. So they begin at different places.
#include "large.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

namespace th {
namespace {

constexpr size_t kKept = size_t(64) << 20;
constexpr size_t kHugePage = size_t(2) << 20, kPage = 4096, kAlignment = 64;  // x86-64's pages
constexpr size_t kApart = 512;  // bytes of a page between the places where blocks begin
constexpr int kBlocks = 256;

// Sizes are rounded up by an eighth or 2 MiB at most, so that a block serves its neighbours' sizes too. Pages that are
// not touched cost nothing. Not where nothing is left of the address space to round up to.
constexpr size_t capacityOf(size_t size) {
  const size_t step = std::min(std::bit_floor(size) / 8, kHugePage);
  return size > SIZE_MAX - step ? size : (size + step - 1) / step * step;
}
constexpr bool isMapped(size_t capacity) { return capacity >= kHugePage; }

struct Block {
  void *memory;
  size_t capacity;
};

// Freed blocks, the newest first. The lock is taken or left: a child that was forked while another thread held it
// would wait for ever.
constinit Block kept[kBlocks];
constinit int count = 0;
constinit size_t bytes = 0;
constinit std::atomic_flag locked{};
constinit std::atomic<unsigned> mapped = 0;
constinit std::atomic<size_t> live = 0;  // bytes of the blocks that are in use
constinit size_t peak = 0;  // the most of them, but for moments when the lock was taken

bool lock() {
  for (int i = 0; i < 100; i++)
    if (!locked.test_and_set(std::memory_order_acquire)) return true;
  return false;
}
void unlock() { locked.clear(std::memory_order_release); }

void release(Block block) {
  const int before = errno;
  if (isMapped(block.capacity))
    munmap(reinterpret_cast<void *>(uintptr_t(block.memory) / kHugePage * kHugePage), block.capacity + kPage);
  else
    std::free(block.memory);
  errno = before;
}

// A wish that the system makes pages of 2 MiB of what it can of a block.
void askForHugePages([[maybe_unused]] void *block, [[maybe_unused]] size_t size) {
#ifdef MADV_HUGEPAGE
  const uintptr_t first = (uintptr_t(block) + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t last = (uintptr_t(block) + size) / kHugePage * kHugePage;
  const int before = errno;
  if (first < last) madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);  // it may fail
  errno = before;
#endif
}

void *allocate(size_t capacity) {
  if (!isMapped(capacity)) {
    void *block = nullptr;
    return posix_memalign(&block, kAlignment, capacity) == 0 ? block : nullptr;
  }
  if (capacity > SIZE_MAX / 2) return nullptr;
  const size_t size = capacity + kPage;
  void *const map = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return nullptr;
  const size_t before = -uintptr_t(map) % kHugePage;
  char *const start = static_cast<char *>(map) + before;
  if (before) munmap(map, before);
  munmap(start + size, kHugePage - before);
  askForHugePages(start, size);
  return start + mapped.fetch_add(1, std::memory_order_relaxed) % (kPage / kApart) * kApart;
}

// The oldest block goes. Under the lock.
Block dropOldest() {
  bytes -= kept[--count].capacity;
  return kept[count];
}

// How much may be kept beside so many bytes in use. Under the lock.
size_t room(size_t used) { return std::max(kKept, std::min(2 * used, peak - std::min(peak, used))); }

// Makes room for `more` among the blocks kept. Under the lock.
void shrink(size_t used, size_t more) {
  while (count && (count == kBlocks || bytes + more > room(used))) release(dropOldest());
}

}  // namespace

void *newLarge(size_t size) {
  const size_t capacity = capacityOf(size);
  if (lock()) {
    Block *const end = kept + count;
    Block *const found = std::find_if(kept, end, [=](const Block &block) { return block.capacity == capacity; });
    void *memory = nullptr;
    if (found != end) {
      memory = found->memory;
      std::copy(found + 1, end, found);
      count--;
      bytes -= capacity;
      const size_t used = live.fetch_add(capacity, std::memory_order_relaxed) + capacity;
      peak = std::max(peak, used);
    }
    unlock();
    if (memory) return memory;
  }
  void *memory = allocate(capacity);
  if (lock()) {
    if (!memory) {
      // What is kept may be what the system lacks.
      while (count) release(dropOldest());
      memory = allocate(capacity);
    }
    if (memory) {
      const size_t used = live.fetch_add(capacity, std::memory_order_relaxed) + capacity;
      peak = std::max(peak, used);
      shrink(used, 0);
    }
    unlock();
  } else if (memory) {
    live.fetch_add(capacity, std::memory_order_relaxed);
  }
  return memory;
}

void freeLarge(void *memory, size_t size) {
  const Block block{memory, capacityOf(size)};
  const size_t used = live.fetch_sub(block.capacity, std::memory_order_relaxed) - block.capacity;
  if (!lock()) return release(block);
  const bool isKept = block.capacity <= room(used);
  shrink(used, isKept ? block.capacity : 0);
  if (isKept) {
    std::copy_backward(kept, kept + count, kept + count + 1);
    kept[0] = block;
    count++;
    bytes += block.capacity;
  }
  unlock();
  if (!isKept) release(block);
}

}  // namespace th
