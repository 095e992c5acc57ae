// Blocks of memory. Small ones come from free lists of the calling thread: tensors and their
// storages are made and dropped far more often than malloc likes. A block may be freed by another
// thread than the one that made it; it then joins that thread's list. Lists are bounded.
//
// Of larger ones the process keeps some that are freed (large.cpp); those of 2 MiB and more are mapped, each by itself. So
// a huge tensor occupies what has been written of it, no more (in steps of 2 MiB), and goes back to the system when it is
// freed, unless as much is in use besides; tests/tensor/test_memory.py measures both. Most of the time that a large result
// takes goes into the pages that it is the first to touch: the system makes 64 MiB in 12 ms of pages of 2 MiB, and in
// 108 ms of those of 4 KiB.
#include <TH/THGeneral.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "large.hpp"

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kSmall = 4096;  // larger blocks are not cached
constexpr size_t kCachedBytes = 32768;  // per class and thread
constexpr int kClasses = 7;  // 64 << 0 … 64 << 6

struct Block {
  Block *next;
};

struct List {
  Block *first;
  uint32_t room;  // how many more it may hold; 0 until the thread is registered, and when it has ended
};

// Without constructor and destructor, so that reaching it costs one addition. initial-exec: the
// same from a shared library; it takes these few bytes from the loader's reserve.
struct Cache {
  List lists[kClasses];
  bool registered;
};
__attribute__((tls_model("initial-exec"))) constinit thread_local Cache cache{};

// Returns a thread's blocks when it ends. Blocks that other destructors free later go to free().
struct Closer {
  ~Closer() {
    for (List &list : cache.lists) {
      list.room = 0;
      while (Block *block = list.first) {
        list.first = block->next;
        std::free(block);
      }
    }
  }
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCache = false;  // let the sanitizer see every block, and its end
#else
constexpr bool kCache = true;
#endif

inline int classOf(size_t size) { return size <= 64 ? 0 : std::bit_width(size - 1) - 6; }
static_assert(kSmall == kAlignment << (kClasses - 1));

__attribute__((noinline)) void *newBlock(size_t size) {
  void *block = nullptr;
  // posix_memalign, not aligned_alloc, whose sizes are multiples: an overrun shows.
  if (kCache && th::isLarge(size))
    block = th::newLarge(size);
  else if (posix_memalign(&block, kAlignment, size) != 0)
    block = nullptr;
  if (!block)
    THError(TH_ERROR_RUNTIME,
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate %zu bytes. "
            "Error code %d (Cannot allocate memory)",
            size, ENOMEM);
  return block;
}

void registerThread() {
  cache.registered = true;
  static thread_local Closer closer;
  (void)&closer;
  for (int k = 0; k < kClasses; k++) cache.lists[k].room = (kCachedBytes / kAlignment) >> k;
}

void keep(List &list, void *pointer) {
  Block *block = static_cast<Block *>(pointer);
  block->next = list.first;
  list.first = block;
  list.room--;
}

// A block for which its list has no room.
__attribute__((noinline)) void freeBlock(void *pointer, List &list) {
  if (cache.registered) return std::free(pointer);
  registerThread();
  keep(list, pointer);
}

}  // namespace

void *TH_alloc(size_t size) {
  if (kCache && size <= kSmall) {
    const int k = classOf(size);
    List &list = cache.lists[k];
    if (Block *block = list.first) {
      list.first = block->next;
      list.room++;
      return block;
    }
    return newBlock(kAlignment << k);
  }
  return newBlock(size);
}

void TH_free(void *pointer, size_t size) {
  if (!pointer) return;
  if (kCache && size <= kSmall) {
    List &list = cache.lists[classOf(size)];
    return list.room ? keep(list, pointer) : freeBlock(pointer, list);
  }
  if (kCache && th::isLarge(size)) return th::freeLarge(pointer, size);
  std::free(pointer);
}
