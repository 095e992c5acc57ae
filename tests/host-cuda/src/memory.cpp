// Memory: allocations, what a pointer points to, and who may touch it.
#include "memory.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace hostcuda {

Arena arena;

namespace {

struct Allocation {
  size_t bytes, pages;
  unsigned flags;
  int owner;  // the device whose reset ends it
};
auto &allocations = *new std::map<uintptr_t, Allocation>;
auto &freed = *new std::map<uintptr_t, size_t>;  // for messages
auto &registered = *new std::map<uintptr_t, Allocation>;
uintptr_t cursor[numSpans];
int key = -1;  // memory protection key, -1: none
int opened;
struct sigaction before;

uintptr_t spanBegin(int span) { return arena.base + (uintptr_t(span) << arena.spanShift); }
int spanOf(uintptr_t address) { return int((address - arena.base) >> arena.spanShift); }
size_t pagesOf(size_t bytes) { return (bytes + pageSize - 1) / pageSize; }

[[noreturn]] void die(const char *what) {
  std::fprintf(stderr, "host CUDA: %s: %s\n", what, std::strerror(errno));
  std::abort();
}

// Names the memory that the host touched and must not; whoever handled the signal before goes on.
void onFault(int, siginfo_t *info, void *) {
  const uintptr_t address = uintptr_t(info->si_addr);
  if (address - arena.base < arena.size) {
    char text[160];
    const int length = std::snprintf(text, sizeof(text), "host CUDA: the host touched memory of device %d at %p\n",
                                     spanOf(address), info->si_addr);
    [[maybe_unused]] ssize_t written = write(2, text, size_t(length));
  }
  sigaction(SIGSEGV, &before, nullptr);
}

void reserve() {
  if (arena.base) return;
  int shift = 34;
  while ((size_t(1) << shift) < 8 * settings().memory) shift++;
  const size_t size = size_t(numSpans) << shift;
  void *base = mmap(reinterpret_cast<void *>(uintptr_t(0x200000000000)), size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) die("reserving addresses");
  void *limits = mmap(nullptr, size / pageSize * sizeof(uint16_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (limits == MAP_FAILED) die("reserving addresses");
  arena = {uintptr_t(base), size, shift, static_cast<uint16_t *>(limits)};
  for (int i = 0; i < numSpans; i++) cursor[i] = spanBegin(i);
  if (!settings().mprotect) key = pkey_alloc(0, PKEY_DISABLE_ACCESS);

  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &before);
}

void protect(uintptr_t begin, size_t pages, int protection) {
  if (mprotect(reinterpret_cast<void *>(begin), pages * pageSize, protection)) die("mprotect");
}

void grant(uintptr_t begin, size_t pages, int span) {
  if (span == pinnedSpan)
    protect(begin, pages, PROT_READ | PROT_WRITE);
  else if (key < 0)
    protect(begin, pages, opened ? PROT_READ | PROT_WRITE : PROT_NONE);
  else if (pkey_mprotect(reinterpret_cast<void *>(begin), pages * pageSize, PROT_READ | PROT_WRITE, key))
    die("pkey_mprotect");
}

// The next run of free pages with a free one behind it, from where the last one ended: what has been freed stays free
// as long as can be.
uintptr_t findPages(int span, size_t pages) {
  const uintptr_t begin = spanBegin(span), end = spanBegin(span + 1);
  for (int round = 0; round < 2; round++) {
    uintptr_t at = cursor[span];
    auto next = allocations.lower_bound(at);
    if (next != allocations.begin()) {
      const auto last = std::prev(next);
      at = std::max(at, std::max(begin, last->first + (last->second.pages + 1) * pageSize));
    }
    while (at + (pages + 1) * pageSize <= end) {
      if (next == allocations.end() || next->first >= at + (pages + 1) * pageSize) {
        cursor[span] = at + (pages + 1) * pageSize;
        return at;
      }
      at = next->first + (next->second.pages + 1) * pageSize;
      ++next;
    }
    cursor[span] = begin;
  }
  return 0;
}

// Values that nobody counts on: at both ends, so that a large allocation costs no memory.
void fillWithGarbage(uintptr_t begin, size_t bytes) {
  constexpr size_t some = size_t(1) << 20;
  Open open;
  std::memset(reinterpret_cast<void *>(begin), 0xa5, std::min(bytes, some));
  if (bytes > some) {
    const size_t rest = std::min(bytes - some, some);
    std::memset(reinterpret_cast<void *>(begin + bytes - rest), 0xa5, rest);
  }
}

cudaError_t allocate(void **pointer, size_t bytes, int span, unsigned flags) {
  if (!pointer) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  reserve();
  const size_t largest = span == pinnedSpan ? arena.size / numSpans / 2 : settings().memory - device(span).used;
  if (bytes > largest || pagesOf(bytes) * pageSize > largest) return cudaErrorMemoryAllocation;
  const size_t pages = pagesOf(bytes);
  const uintptr_t begin = findPages(span, pages);
  if (!begin) return cudaErrorMemoryAllocation;
  allocations[begin] = {bytes, pages, flags, span == pinnedSpan ? currentDevice() : span};
  freed.erase(begin);
  uint16_t *limit = arena.limits + (begin - arena.base) / pageSize;
  for (size_t i = 0; i < pages; i++) limit[i] = uint16_t(std::min(pageSize, bytes - i * pageSize));
  grant(begin, pages, span);
  if (span != pinnedSpan) device(span).used += pages * pageSize;
  char *data = reinterpret_cast<char *>(begin);
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
  ASAN_POISON_MEMORY_REGION(data + bytes, (pages + 1) * pageSize - bytes);
  fillWithGarbage(begin, bytes);
  *pointer = data;
  return cudaSuccess;
}

void release(std::map<uintptr_t, Allocation>::iterator at) {
  const auto [begin, allocation] = *at;
  allocations.erase(at);
  std::memset(arena.limits + (begin - arena.base) / pageSize, 0, allocation.pages * sizeof(uint16_t));
  void *data = reinterpret_cast<void *>(begin);
  // New pages in their place: empty, and without rights.
  if (mmap(data, allocation.pages * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) != data)
    die("mmap");
  ASAN_POISON_MEMORY_REGION(data, allocation.pages * pageSize);
  const int span = spanOf(begin);
  if (span != pinnedSpan) device(span).used -= allocation.pages * pageSize;
  if (freed.size() >= 4096) freed.erase(freed.begin());
  freed[begin] = allocation.bytes;
}

cudaError_t freeIn(void *pointer, bool pinned) {
  if (!pointer) return cudaSuccess;
  finishAll();
  const auto at = allocations.find(uintptr_t(pointer));
  if (at == allocations.end() || (spanOf(at->first) == pinnedSpan) != pinned) return cudaErrorInvalidValue;
  if (cudaError_t error = device(currentDevice()).sticky) return error;
  release(at);
  return cudaSuccess;
}

std::map<uintptr_t, Allocation>::iterator containing(std::map<uintptr_t, Allocation> &map, uintptr_t address) {
  auto at = map.upper_bound(address);
  if (at == map.begin()) return map.end();
  --at;
  return address - at->first < at->second.bytes ? at : map.end();
}

}  // namespace

Open::Open() {
  if (opened++ || !arena.base) return;
  if (key >= 0)
    pkey_set(key, 0);
  else
    for (const auto &[begin, allocation] : allocations)
      if (spanOf(begin) != pinnedSpan) protect(begin, allocation.pages, PROT_READ | PROT_WRITE);
}

Open::~Open() {
  if (--opened || !arena.base) return;
  if (key >= 0)
    pkey_set(key, PKEY_DISABLE_ACCESS);
  else
    for (const auto &[begin, allocation] : allocations)
      if (spanOf(begin) != pinnedSpan) protect(begin, allocation.pages, PROT_NONE);
}

Place placeOf(const void *pointer) {
  const uintptr_t address = uintptr_t(pointer);
  if (auto at = containing(allocations, address); at != allocations.end()) {
    const int span = spanOf(address);
    return {span == pinnedSpan ? Kind::pinned : Kind::device, span == pinnedSpan ? 0 : span, at->first,
            at->first + at->second.bytes};
  }
  if (auto at = containing(registered, address); at != registered.end())
    return {Kind::pinned, 0, at->first, at->first + at->second.bytes};
  if (address - arena.base < arena.size) return {Kind::device, spanOf(address), 0, 0};  // and no allocation
  return {};
}

bool isInside(const Place &place, const void *pointer, size_t bytes) {
  const uintptr_t address = uintptr_t(pointer);
  return address >= place.begin && address <= place.end && bytes <= place.end - address;
}

bool isLiveRange(uintptr_t address, size_t size, unsigned spans) {
  while (size) {
    const size_t part = std::min(size, pageSize - address % pageSize);
    if (!isLive(address, part, spans)) return false;
    address += part;
    size -= part;
  }
  return true;
}

bool isRegistered(uintptr_t address, size_t size) {
  const auto at = containing(registered, address);
  return at != registered.end() && size <= at->first + at->second.bytes - address;
}

cudaError_t allocateDevice(void **pointer, size_t bytes, int index) { return allocate(pointer, bytes, index, 0); }

cudaError_t freeDevice(void *pointer) { return freeIn(pointer, false); }

void freeMemoryOf(int index) {
  for (auto at = allocations.begin(); at != allocations.end();) {
    const auto here = at++;
    if (here->second.owner == index) release(here);
  }
  std::erase_if(registered, [=](const auto &entry) { return entry.second.owner == index; });
}

std::string describeAddress(uintptr_t address) {
  char text[200];
  if (address - arena.base >= arena.size || !arena.base) {
    if (address < 4096) return "a null pointer";
    return "memory of the host that is not page-locked";
  }
  const int span = spanOf(address);
  const std::string owner = span == pinnedSpan ? "page-locked memory" : "device " + std::to_string(span);
  auto at = allocations.upper_bound(address);
  if (at != allocations.begin() && (--at)->first >= spanBegin(span)) {
    const uintptr_t end = at->first + at->second.bytes;
    if (address < end)
      std::snprintf(text, sizeof(text), "%s, byte %zu of an allocation of %zu", owner.c_str(), address - at->first,
                    at->second.bytes);
    else
      std::snprintf(text, sizeof(text), "%s, %zu bytes past an allocation of %zu", owner.c_str(), address - end,
                    at->second.bytes);
    if (address < end + pageSize) return text;
  }
  auto old = freed.upper_bound(address);
  if (old != freed.begin() && address - (--old)->first < old->second) {
    std::snprintf(text, sizeof(text), "%s, freed allocation of %zu", owner.c_str(), old->second);
    return text;
  }
  return owner + ", not allocated";
}

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return call([=] { return allocateDevice(pointer, bytes, currentDevice()); });
}

cudaError_t cudaFree(void *pointer) {
  return call([=] { return freeDevice(pointer); });
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle) {
  return call([=] {
    const StreamRef stream = findStream(handle);
    return stream ? allocateDevice(pointer, bytes, stream->device) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
  return call([=] {
    const StreamRef stream = findStream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    const auto at = allocations.find(uintptr_t(pointer));
    if (at == allocations.end() || spanOf(at->first) == pinnedSpan) return cudaErrorInvalidValue;
    Task task;
    task.run = [pointer] {
      const auto found = allocations.find(uintptr_t(pointer));
      if (found == allocations.end()) return cudaErrorInvalidValue;
      release(found);
      return cudaSuccess;
    };
    enqueue(stream, std::move(task));
    return cudaSuccess;
  });
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return call([=] {
    if (!pitch) return cudaErrorInvalidValue;
    const size_t row = (width + 511) / 512 * 512;
    if (height && row > SIZE_MAX / height) return cudaErrorMemoryAllocation;
    const cudaError_t error = allocateDevice(pointer, row * height, currentDevice());
    if (!error) *pitch = row;
    return error;
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) { return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault); }

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return call([=] {
    if (flags > 7) return cudaErrorInvalidValue;
    return allocate(pointer, bytes, pinnedSpan, flags);
  });
}

cudaError_t cudaFreeHost(void *pointer) {
  return call([=] { return freeIn(pointer, true); });
}

cudaError_t cudaHostGetDevicePointer(void **result, void *host, unsigned flags) {
  return call([=] {
    if (!result || flags || placeOf(host).kind != Kind::pinned) return cudaErrorInvalidValue;
    *result = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  return call([=] {
    const auto at = containing(allocations, uintptr_t(host));
    if (!flags || at == allocations.end() || spanOf(at->first) != pinnedSpan) return cudaErrorInvalidValue;
    *flags = at->second.flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  return call([=] {
    if (!pointer || !bytes || flags > 15) return cudaErrorInvalidValue;
    const uintptr_t begin = uintptr_t(pointer);
    if (placeOf(pointer).kind == Kind::device) return cudaErrorInvalidValue;
    const auto next = registered.lower_bound(begin);
    if (placeOf(pointer).kind == Kind::pinned || (next != registered.end() && next->first < begin + bytes))
      return cudaErrorHostMemoryAlreadyRegistered;
    registered[begin] = {bytes, 0, flags, currentDevice()};
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return call([=] {
    finishAll();
    return registered.erase(uintptr_t(pointer)) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return call([=] {
    if (!free || !total) return cudaErrorInvalidValue;
    *total = settings().memory;
    *free = *total - device(currentDevice()).used;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return call([=] {
    if (!attributes) return cudaErrorInvalidValue;
    void *p = const_cast<void *>(pointer);
    const Place place = placeOf(pointer);
    if (place.kind == Kind::pageable || !place.begin)
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
    else if (place.kind == Kind::device)
      *attributes = {cudaMemoryTypeDevice, place.device, p, nullptr};
    else
      *attributes = {cudaMemoryTypeHost, place.device, p, p};
    return cudaSuccess;
  });
}

// Memory of this process only.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) {
  return call([] { return cudaErrorNotSupported; });
}
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned) {
  return call([] { return cudaErrorNotSupported; });
}
cudaError_t cudaIpcCloseMemHandle(void *) {
  return call([] { return cudaErrorNotSupported; });
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) {
  return call([] { return cudaErrorNotSupported; });
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) {
  return call([] { return cudaErrorNotSupported; });
}

}  // extern "C"
