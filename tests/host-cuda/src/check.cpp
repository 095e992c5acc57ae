// Called for every access in a translation unit of kernels (gcc -fsanitize=kernel-address): may this kernel touch that?
#include <link.h>

#include <algorithm>

#include <host_cuda/task.h>

#include "block.hpp"
#include "memory.hpp"

namespace hostcuda {
namespace {

struct Range {
  uintptr_t begin, end;
};

// Constants: segments that nobody writes.
bool isConstant(uintptr_t address, size_t size) {
  static std::vector<Range> ranges;
  const auto inside = [=](const Range &r) { return address >= r.begin && address + size <= r.end; };
  if (std::any_of(ranges.begin(), ranges.end(), inside)) return true;
  ranges.clear();
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *) {
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const ElfW(Phdr) &p = info->dlpi_phdr[i];
          if ((p.p_type == PT_LOAD && !(p.p_flags & PF_W)) || p.p_type == PT_GNU_RELRO)
            ranges.push_back({info->dlpi_addr + p.p_vaddr, info->dlpi_addr + p.p_vaddr + p.p_memsz});
        }
        return 0;
      },
      nullptr);
  return std::any_of(ranges.begin(), ranges.end(), inside);
}

[[gnu::noinline]] void checkSlowly(uintptr_t address, size_t size, bool store) {
  if (size == 0 || isLiveRange(address, size, running.spans) || isShared(address, size) ||
      isRegistered(address, size) || (!store && isConstant(address, size)))
    return;
  std::string where = describeShared(address);
  if (where.empty()) where = describeAddress(address);
  char at[40];
  std::snprintf(at, sizeof(at), "0x%llx", static_cast<unsigned long long>(address));
  stopKernel(cudaErrorIllegalAddress,
             std::string(store ? "writes " : "reads ") + std::to_string(size) + " bytes at " + at + " (" + where + ")");
}

[[gnu::always_inline]] inline void check(uintptr_t address, size_t size, bool store) {
  const Running &now = running;
  if (!now.spans) return;
  const uintptr_t depth = address - now.stackLow;
  if (depth < now.stackSize && depth + size <= now.stackSize) return;
  if (isLive(address, size, now.spans)) return;
  checkSlowly(address, size, store);
}

}  // namespace
}  // namespace hostcuda

#if !defined __SANITIZE_ADDRESS__
#define CHECKED __attribute__((visibility("default")))
#define CHECKS(size) \
  extern "C" CHECKED void __asan_load##size##_noabort(uintptr_t address) { hostcuda::check(address, size, false); } \
  extern "C" CHECKED void __asan_store##size##_noabort(uintptr_t address) { hostcuda::check(address, size, true); }
CHECKS(1)
CHECKS(2)
CHECKS(4)
CHECKS(8)
CHECKS(16)
extern "C" CHECKED void __asan_loadN_noabort(uintptr_t address, size_t size) { hostcuda::check(address, size, false); }
extern "C" CHECKED void __asan_storeN_noabort(uintptr_t address, size_t size) { hostcuda::check(address, size, true); }
// Calls around what needs no check.
extern "C" CHECKED void __asan_handle_no_return() {}
extern "C" CHECKED void __asan_before_dynamic_init(const char *) {}
extern "C" CHECKED void __asan_after_dynamic_init() {}
// What the compiler makes of memcpy and the like.
extern "C" CHECKED void *__asan_memcpy(void *to, const void *from, size_t size) {
  hostcuda::check(uintptr_t(to), size, true);
  hostcuda::check(uintptr_t(from), size, false);
  return __builtin_memcpy(to, from, size);
}
extern "C" CHECKED void *__asan_memmove(void *to, const void *from, size_t size) {
  hostcuda::check(uintptr_t(to), size, true);
  hostcuda::check(uintptr_t(from), size, false);
  return __builtin_memmove(to, from, size);
}
extern "C" CHECKED void *__asan_memset(void *to, int value, size_t size) {
  hostcuda::check(uintptr_t(to), size, true);
  return __builtin_memset(to, value, size);
}
#endif

extern "C" bool hostcudaMayTouch(int index, const void *pointer, size_t bytes, const char *who) {
  using namespace hostcuda;
  const uintptr_t address = uintptr_t(pointer);
  if (bytes == 0 || isLiveRange(address, bytes, spansOf(index)) || isRegistered(address, bytes)) return true;
  std::fprintf(stderr, "host CUDA: cudaErrorIllegalAddress: %s on device %d touches %zu bytes at %p (%s)\n", who, index,
               bytes, pointer, describeAddress(address).c_str());
  return false;
}
