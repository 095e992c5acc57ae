// Page-locked memory of the host. To lock pages is slow and waits for all devices, so blocks are kept, and handed out again
// when the streams that have used them are done. Their sizes are powers of two.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "state.hpp"

namespace {

constexpr int kClasses = 64;

using thc::Use;

struct Block {
  char *data;
  int sizeClass;
  bool allocated = true;
  std::vector<Use> uses;
};

struct Pending {
  cudaEvent_t event;
  Block *block;
};

class PinnedMemory {
 public:
  void *allocate(size_t nbytes) {
    const std::lock_guard lock(mutex_);
    collect();
    const int sizeClass = std::bit_width(std::max<size_t>(nbytes, 512) - 1);
    if (auto &free = free_[sizeClass]; !free.empty()) {
      Block *block = free.back();
      free.pop_back();
      block->allocated = true;
      return block->data;
    }
    void *data = lockPages(size_t(1) << sizeClass);
    if (!data) {
      giveBack();
      data = lockPages(size_t(1) << sizeClass);
    }
    if (!data)
      THError(TH_ERROR_MEMORY, "CUDA error: out of memory: the host has no %s that can be page-locked",
              thc::formatSize(size_t(1) << sizeClass).c_str());
    blocks_.emplace(static_cast<char *>(data), new Block{static_cast<char *>(data), sizeClass, true, {}});
    return data;
  }

  bool free(const void *data) {
    const std::lock_guard lock(mutex_);
    Block *block = find(data);
    if (!block || block->data != data) return false;
    block->allocated = false;
    for (const Use &use : block->uses) await(block, use);
    block->uses.clear();
    if (!isAwaited(block)) free_[block->sizeClass].push_back(block);
    return true;
  }

  void record(const void *data, Use use) {
    const std::lock_guard lock(mutex_);
    Block *block = find(data);
    if (block && std::find(block->uses.begin(), block->uses.end(), use) == block->uses.end())
      block->uses.push_back(use);
  }

  bool holds(const void *data) {
    const std::lock_guard lock(mutex_);
    return find(data) != nullptr;
  }

 private:
  // Which allocated block has this address, maybe not at its beginning; NULL: none.
  Block *find(const void *data) {
    const auto *at = static_cast<const char *>(data);
    auto next = blocks_.upper_bound(const_cast<char *>(at));
    if (next == blocks_.begin()) return nullptr;
    Block *block = std::prev(next)->second;
    return block->allocated && size_t(at - block->data) < size_t(1) << block->sizeClass ? block : nullptr;
  }

  static void *lockPages(size_t nbytes) {
    void *data = nullptr;
    const cudaError_t error = cudaHostAlloc(&data, nbytes, cudaHostAllocPortable);
    if (error == cudaSuccess) return data;
    if (error != cudaErrorMemoryAllocation) THC_raiseError(error, "cudaHostAlloc", __func__);
    (void)cudaGetLastError();
    return nullptr;
  }

  // Nothing is raised, since who frees may be a destructor. Where a stream cannot be waited for, its device is.
  void await(Block *block, const Use &use) try {
    const thc::DeviceGuard guard(use.device);
    cudaEvent_t event = nullptr;
    THC_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    if (cudaEventRecord(event, use.stream) == cudaSuccess) {
      pending_.push_back({event, block});
      return;
    }
    (void)cudaGetLastError();
    (void)cudaEventDestroy(event);
    thc::drain(use.device);
  } catch (...) {
    thc::drain(use.device);
  }

  bool isAwaited(const Block *block) const {
    return std::any_of(pending_.begin(), pending_.end(), [=](const Pending &each) { return each.block == block; });
  }

  // Blocks whose streams are done become free.
  void collect() {
    for (size_t i = 0; i < pending_.size();) {
      const Pending pending = pending_[i];
      if (!thc::isReady(cudaEventQuery(pending.event), __func__)) {
        i++;
        continue;
      }
      pending_[i] = pending_.back();
      pending_.pop_back();
      (void)cudaEventDestroy(pending.event);
      if (!isAwaited(pending.block)) free_[pending.block->sizeClass].push_back(pending.block);
    }
  }

  void giveBack() {
    for (auto &list : free_)
      for (; !list.empty(); list.pop_back()) {
        Block *block = list.back();
        THC_CHECK(cudaFreeHost(block->data));
        blocks_.erase(block->data);
        delete block;
      }
  }

  std::mutex mutex_;
  std::map<char *, Block *> blocks_;
  std::vector<Block *> free_[kClasses];
  std::vector<Pending> pending_;
};

PinnedMemory &pinned() {
  static PinnedMemory *const memory = new PinnedMemory;
  return *memory;
}

}  // namespace

void *THC_mallocHost(size_t nbytes) {
  const int device = thc::checkDevice(-1);
  if (!nbytes) return nullptr;
  if (nbytes > size_t(1) << 62)
    THError(TH_ERROR_MEMORY, "CUDA error: out of memory: %zu bytes of the host cannot be page-locked", nbytes);
  const thc::DeviceGuard guard(device);
  return pinned().allocate(nbytes);
}

void THC_freeHost(void *data) try {
  if (!data || thc::isForked()) return;
  if (pinned().free(data)) return;
  char text[128];
  std::snprintf(text, sizeof text, "%p is no block of page-locked memory, or has been freed", data);
  thc::keepError(TH_ERROR_RUNTIME, text);
} catch (const std::exception &error) {
  thc::keepError(TH_ERROR_RUNTIME, error.what());
}

bool THC_isPinned(const void *data) {
  if (!data || THC_deviceCount() == 0) return false;
  if (pinned().holds(data)) return true;
  // Others may have locked it. They have used a device, then.
  bool used = false;
  for (int device = 0; device < THC_deviceCount(); device++) used = used || thc::isUsed(device);
  if (!used) return false;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) == cudaSuccess) return attributes.type == cudaMemoryTypeHost;
  (void)cudaGetLastError();
  return false;
}

void THC_recordStreamHost(const void *data, THCStream stream, int device) {
  pinned().record(data, {thc::checkDevice(device), stream});
}

THTensor *THC_newPinned(THDtype dtype, int ndim, const int64_t *size) {
  // A tensor without memory judges the sizes.
  THTensor *shape = THTensor_newWithSizeOn({TH_Meta, 0}, dtype, ndim, size);
  const size_t nbytes = size_t(shape->numel) * TH_elementSize(dtype);
  THTensor_free(shape);
  THStorage *storage = THStorage_newWithData(
      THC_mallocHost(nbytes), nbytes, [](void *, void *data) { THC_freeHost(data); }, nullptr);
  THTensor *tensor = nullptr;
  try {
    tensor = THTensor_newWithStorage(dtype, storage, 0, ndim, size, nullptr);
  } catch (...) {
    THStorage_free(storage);
    throw;
  }
  THStorage_free(storage);
  return tensor;
}
