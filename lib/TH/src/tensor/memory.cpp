// Blocks of memory. Small ones come from free lists of the calling thread: tensors and their
// storages are made and dropped far more often than malloc likes. A block may be freed by another
// thread than the one that made it; it then joins that thread's list. Lists are bounded.
//
// Larger blocks are the C library's: from its threshold on (128 KiB at first; it follows the sizes that the program
// frees, up to 32 MiB) it maps each block by itself. So a huge tensor occupies what has been written of it, no more
// (in steps of 2 MiB), and goes back to the system when it is freed; tests/tensor/test_memory.py measures both.
#include <TH/THGeneral.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kSmall = 4096;       // larger blocks are not cached
constexpr size_t kCachedBytes = 32768;  // per class and thread
constexpr int kClasses = 7;           // 64 << 0 … 64 << 6
constexpr size_t kHugePage = size_t(2) << 20;

struct Block {
  Block *next;
};

struct List {
  Block *first;
  uint32_t count;
};

// Without constructor and destructor, so that reaching it costs one addition. initial-exec: the
// same from a shared library; it takes these few bytes from the loader's reserve.
struct Cache {
  List lists[kClasses];
  bool registered, closed;
};
__attribute__((tls_model("initial-exec"))) constinit thread_local Cache cache{};

// Returns a thread's blocks when it ends. Blocks that other destructors free later go to free().
struct Closer {
  ~Closer() {
    cache.closed = true;
    for (List &list : cache.lists)
      while (Block *block = list.first) {
        list.first = block->next;
        std::free(block);
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

// Most of the time that a large result takes goes into the pages that it is the first to touch: the system makes
// 64 MiB in 12 ms of pages of 2 MiB, and in 108 ms of those of 4 KiB.
void askForHugePages([[maybe_unused]] void *block, [[maybe_unused]] size_t size) {
#ifdef MADV_HUGEPAGE
  const uintptr_t first = (uintptr_t(block) + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t last = (uintptr_t(block) + size) / kHugePage * kHugePage;
  const int before = errno;
  if (first < last) madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);  // a wish: it may fail
  errno = before;
#endif
}

__attribute__((noinline)) void *newBlock(size_t size) {
  void *block = nullptr;
  if (posix_memalign(&block, kAlignment, size) != 0)  // not aligned_alloc, whose sizes are multiples: an overrun shows
    THError(TH_ERROR_RUNTIME,
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate %zu bytes. "
            "Error code %d (Cannot allocate memory)",
            size, ENOMEM);
  if (size >= 2 * kHugePage) askForHugePages(block, size);
  return block;
}

__attribute__((noinline)) bool registerThread() {
  cache.registered = true;
  static thread_local Closer closer;
  (void)&closer;
  return true;
}

}  // namespace

void *TH_alloc(size_t size) {
  if (kCache && size <= kSmall) {
    const int k = classOf(size);
    List &list = cache.lists[k];
    if (Block *block = list.first) {
      list.first = block->next;
      list.count--;
      return block;
    }
    return newBlock(kAlignment << k);
  }
  return newBlock(size);
}

void TH_free(void *pointer, size_t size) {
  if (!pointer) return;
  if (kCache && size <= kSmall) {
    const int k = classOf(size);
    List &list = cache.lists[k];
    if (list.count < (kCachedBytes / kAlignment) >> k && !cache.closed) {
      if (!cache.registered) registerThread();
      Block *block = static_cast<Block *>(pointer);
      block->next = list.first;
      list.first = block;
      list.count++;
      return;
    }
  }
  std::free(pointer);
}
