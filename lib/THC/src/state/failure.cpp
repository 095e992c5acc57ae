// What kernels report: kit/failure.cuh has the records, here are their memory and the words.
#include "kit/failure.cuh"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include "state.hpp"

namespace {

using thc::Failure;
using thc::FailureKind;

constexpr uint32_t kOperators = 1024;  // further ones share a record without a name

// The operators' names, by address. Record 0 is the device's own, record 1 that of the nameless.
std::atomic<const char *> names[kOperators];
thread_local const char *noted = nullptr;
thread_local uint32_t notedRecord = 1;

uint32_t recordOf(const char *name) {
  if (!name) return 1;
  const uint32_t first = uint32_t((reinterpret_cast<uintptr_t>(name) * 0x9e3779b97f4a7c15) >> 32);
  for (uint32_t step = 0; step < kOperators; step++) {
    const uint32_t i = (first + step) % kOperators;
    if (i < 2) continue;
    const char *there = names[i].load(std::memory_order_acquire);
    if (!there && names[i].compare_exchange_strong(there, name)) return i;
    if (there == name) return i;
  }
  return 1;
}

// A device's records: as the host sees them, and as the device does.
struct Records {
  std::once_flag made;
  std::atomic<Failure *> host{nullptr};
  Failure *device = nullptr;
};
Records &recordsOf(int device) {
  static Records *const table = new Records[thc::kMaxDevices];
  return table[device];
}

void makeRecords(Records &records, int device) {
  const thc::DeviceGuard guard(device);
  void *host = nullptr, *seen = nullptr;
  const size_t nbytes = kOperators * sizeof(Failure);
  THC_CHECK(cudaHostAlloc(&host, nbytes, cudaHostAllocMapped | cudaHostAllocPortable));
  std::memset(host, 0, nbytes);
  if (const cudaError_t error = cudaHostGetDevicePointer(&seen, host, 0); error != cudaSuccess) {
    (void)cudaFreeHost(host);
    THC_raiseError(error, "cudaHostGetDevicePointer", __func__);
  }
  records.device = static_cast<Failure *>(seen);
  for (uint32_t i = 0; i < kOperators; i++) static_cast<Failure *>(host)[i].first = records.device;
  records.host.store(static_cast<Failure *>(host), std::memory_order_release);
}

struct Text {
  THErrorKind error;
  const char *message;
};
constexpr Text texts[] = {{TH_ERROR_RUNTIME, ""},
#define THC_FAILURE_TEXT(Name, error, message) {error, message},
                          THC_FAILURES(THC_FAILURE_TEXT)
#undef THC_FAILURE_TEXT
};

std::string replaced(std::string text, const char *word, const std::string &by) {
  if (const size_t at = text.find(word); at != text.npos) text.replace(at, std::strlen(word), by);
  return text;
}

std::string describe(const Failure &failure, int device) {
  const std::string name = failure.operatorName ? failure.operatorName : "a kernel";
  char number[32];
  std::snprintf(number, sizeof number, "%g", failure.number);
  std::string text = texts[int(failure.kind)].message;
  text = replaced(std::move(text), "{value}", std::to_string(failure.value));
  text = replaced(std::move(text), "{size}", std::to_string(failure.size));
  text = replaced(std::move(text), "{dim}", std::to_string(failure.dim));
  text = replaced(std::move(text), "{number}", number);
  text = replaced(std::move(text), "{operator}", name);
  return text + " (reported by " + name + " on cuda:" + std::to_string(device) + ")";
}

bool isBlocking() {
  static const bool blocking = [] {
    const char *value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && std::strcmp(value, "1") == 0;
  }();
  return blocking;
}

}  // namespace

void THC_noteOperator(const char *name) {
  if (name == noted) return;
  notedRecord = recordOf(name);
  noted = name;
}

void *THC_failureRecord(int device) {
  device = thc::checkDevice(device);
  Records &records = recordsOf(device);
  std::call_once(records.made, [&] { makeRecords(records, device); });
  if (notedRecord > 1) {
    Failure &own = records.host.load(std::memory_order_acquire)[notedRecord];
    __atomic_store_n(&own.operatorName, noted, __ATOMIC_RELEASE);
  }
  return records.device + notedRecord;
}

void THC_checkFailure(int device) {
  device = thc::checkDevice(device);
  Failure *const first = recordsOf(device).host.load(std::memory_order_acquire);
  if (!first) return;
  auto *const kind = reinterpret_cast<int *>(&first->kind);
  if (__atomic_load_n(kind, __ATOMIC_ACQUIRE) == int(FailureKind::None)) [[likely]]
    return;
  static std::mutex *const reading = new std::mutex;
  Failure failure;
  {
    const std::lock_guard lock(*reading);
    if (__atomic_load_n(kind, __ATOMIC_ACQUIRE) == int(FailureKind::None)) return;  // another thread raises it
    failure = *first;
    __atomic_store_n(kind, int(FailureKind::None), __ATOMIC_RELAXED);
    __atomic_store_n(&first->claimed, 0, __ATOMIC_RELEASE);
  }
  THError(texts[int(failure.kind)].error, "%s", describe(failure, device).c_str());
}

void THC_checkLaunch(THCStream stream, const char *function) {
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) [[unlikely]]
    THC_raiseError(error, "a launch", function);
  THC_settleLaunch(stream, function);
}

void THC_settleLaunch(THCStream stream, const char *function) {
  if (!isBlocking()) [[likely]]
    return;
  if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess)
    THC_raiseError(error, "a launch", function);
  THC_checkFailure(-1);
}
