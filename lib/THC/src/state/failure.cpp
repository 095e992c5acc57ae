// What kernels report: kit/failure.cuh has the records, here are their memory and the words.
#include "kit/failure.cuh"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include "kit/messages.hpp"
#include "state.hpp"

namespace {

using thc::Failure;
using thc::FailureKind;

constexpr uint32_t kOperators = 1024;  // further ones share a record without a name

// The operators' names, by address. Record 0 is the device's own, record 1 that of the nameless.
std::atomic<const char *> names[kOperators];

struct Noted {
  const char *name = nullptr;
  bool inside = false;  // an operator's call
  const char *recorded = nullptr;  // whose record is
  uint32_t record = 1;
};
thread_local Noted noted;

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
  thc::Claim *claim = nullptr;  // the device's
  cudaStream_t stream = nullptr;  // in which that is cleared, whatever runs in others
  std::atomic<unsigned> raised{0};  // how many of the reports
};
Records &recordsOf(int device) {
  static Records *const table = new Records[thc::kMaxDevices];
  return table[device];
}

// From now on kernels may report again.
cudaError_t clear(const Records &records, size_t nbytes) {
  const cudaError_t error = cudaMemsetAsync(records.claim, 0, nbytes, records.stream);
  return error == cudaSuccess ? cudaStreamSynchronize(records.stream) : error;
}

// What was made before something failed is kept for the next time.
void makeRecords(Records &records, int device) {
  const thc::DeviceGuard guard(device);
  void *host = nullptr, *seen = nullptr, *claim = nullptr;
  const size_t nbytes = kOperators * sizeof(Failure);
  if (!records.stream) THC_CHECK(cudaStreamCreateWithFlags(&records.stream, cudaStreamNonBlocking));
  if (!records.claim) {
    cudaError_t error = cudaMalloc(&claim, sizeof(thc::Claim));
    if (error == cudaErrorMemoryAllocation) {
      THC_emptyCache();  // which may hold all that there is
      error = cudaMalloc(&claim, sizeof(thc::Claim));
    }
    THC_CHECK(error);
    records.claim = static_cast<thc::Claim *>(claim);
  }
  THC_CHECK(clear(records, sizeof(thc::Claim)));
  THC_CHECK(cudaHostAlloc(&host, nbytes, cudaHostAllocMapped | cudaHostAllocPortable));
  std::memset(host, 0, nbytes);
  THC_CHECK(cudaHostGetDevicePointer(&seen, host, 0));
  records.device = static_cast<Failure *>(seen);
  for (uint32_t i = 0; i < kOperators; i++) {
    static_cast<Failure *>(host)[i].first = records.device;
    static_cast<Failure *>(host)[i].claim = records.claim;
  }
  records.host.store(static_cast<Failure *>(host), std::memory_order_release);
}

struct Text {
  THErrorKind error;
  std::string text;
};

template <class... Argument>
Text textOf(THErrorKind error, const char *format, Argument... argument) {
  char text[256];
  std::snprintf(text, sizeof text, format, argument...);
  return {error, text};
}

Text describe(const Failure &failure, const char *name) {
  const auto value = (long long)failure.value, size = (long long)failure.size;
  switch (failure.kind) {
    case FailureKind::Index: return textOf(TH_ERROR_INDEX, TH_INDEX_OUTSIDE, value, failure.dim, size);
    case FailureKind::Slice: return textOf(TH_ERROR_RUNTIME, TH_INDEX_OUTSIDE, value, failure.dim, size);
    case FailureKind::SliceOf: return textOf(TH_ERROR_INDEX, "%s(): " TH_INDEX_OUTSIDE, name, value, failure.dim, size);
    case FailureKind::Row: return {TH_ERROR_INDEX, TH_ROW_OUTSIDE};
    case FailureKind::Target: return textOf(TH_ERROR_INDEX, TH_TARGET_OUTSIDE, value);
    case FailureKind::Count: return {TH_ERROR_RUNTIME, TH_NEGATIVE_COUNT};
    case FailureKind::Rate: return textOf(TH_ERROR_RUNTIME, TH_NEGATIVE_RATE, failure.number);
    case FailureKind::Probability: return textOf(TH_ERROR_RUNTIME, TH_BAD_PROBABILITY, failure.number, value);
    case FailureKind::Weight: return textOf(TH_ERROR_RUNTIME, TH_NEGATIVE_WEIGHT, failure.number, value);
    case FailureKind::NotFinite: return textOf(TH_ERROR_RUNTIME, TH_WEIGHT_NOT_FINITE, failure.number, value);
    case FailureKind::NoWeight: return {TH_ERROR_RUNTIME, TH_NO_WEIGHT};
  }
  return {TH_ERROR_RUNTIME, "a failure of an unknown kind"};
}

// ---- what could not be raised where it happened -------------------------------------------------------------
struct Kept {
  std::atomic<bool> any{false};
  std::mutex mutex;
  THErrorKind kind = TH_ERROR_RUNTIME;
  std::string text;
};
Kept &kept() {
  static Kept *const one = new Kept;
  return *one;
}

bool isBlocking() {
  static const bool blocking = [] {
    const char *value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && std::strcmp(value, "1") == 0;
  }();
  return blocking;
}

}  // namespace

void thc::keepError(THErrorKind kind, const char *text) noexcept {
  Kept &self = kept();
  const std::lock_guard lock(self.mutex);
  if (self.any.load(std::memory_order_relaxed)) return;
  try {
    self.text = text;
  } catch (...) {
    self.text.clear();  // no memory for it
  }
  self.kind = kind;
  self.any.store(true, std::memory_order_release);
}

void thc::raiseKept() {
  Kept &self = kept();
  if (!self.any.load(std::memory_order_acquire)) [[likely]]
    return;
  std::string text;
  {
    const std::lock_guard lock(self.mutex);
    if (!self.any.exchange(false)) return;  // another thread raises it
    text.swap(self.text);
  }
  THError(self.kind, "%s", text.c_str());
}

bool THC_enterOperator(const char *name) {
  if (noted.inside) return false;
  noted.inside = true;
  noted.name = name;
  return true;
}

void THC_leaveOperator(void) {
  noted.inside = false;
  noted.name = nullptr;
}

void THC_noteOperator(const char *name) { noted.name = name; }

void *THC_failureRecord(int device) {
  device = thc::checkDevice(device);
  Records &records = recordsOf(device);
  std::call_once(records.made, [&] { makeRecords(records, device); });
  if (noted.name != noted.recorded) {
    noted.record = recordOf(noted.name);
    noted.recorded = noted.name;
  }
  if (noted.record > 1) {
    Failure &own = records.host.load(std::memory_order_acquire)[noted.record];
    __atomic_store_n(&own.operatorName, noted.name, __ATOMIC_RELEASE);
  }
  return records.device + noted.record;
}

void THC_checkFailure(int device) {
  device = thc::checkDevice(device);
  thc::raiseKept();
  Records &records = recordsOf(device);
  Failure *const first = records.host.load(std::memory_order_acquire);
  if (!first) return;
  const auto reports = [=] { return __atomic_load_n(&first->reports, __ATOMIC_ACQUIRE); };
  if (reports() == records.raised.load(std::memory_order_relaxed)) [[likely]]
    return;
  static std::mutex *const reading = new std::mutex;
  Failure failure;
  {
    const std::lock_guard lock(*reading);
    const unsigned now = reports();
    if (now == records.raised.load(std::memory_order_relaxed)) return;  // another thread raises it
    const thc::DeviceGuard guard(device);  // which may raise, and then nothing has been taken yet
    failure = *first;  // which no kernel writes before the claim is cleared
    // Where that fails the device is lost, and whoever waits for it hears of that.
    if (clear(records, sizeof records.claim->taken) != cudaSuccess) (void)cudaGetLastError();
    records.raised.store(now, std::memory_order_relaxed);
  }
  const char *const name = failure.operatorName ? failure.operatorName : "a kernel";
  const Text text = describe(failure, name);
  THError(text.error, "%s (reported by %s on cuda:%d)", text.text.c_str(), name, device);
}

void THC_checkLaunch(THCStream stream, const char *function) {
  THC_checkLaunchError(stream, cudaGetLastError(), function);
}

void THC_checkLaunchError(THCStream stream, int told, const char *function) {
  auto error = cudaError_t(told);
  if (error == cudaSuccess) [[likely]] {
    if (!isBlocking()) [[likely]]
      return;
    error = cudaStreamSynchronize(stream);
  }
  if (error != cudaSuccess) {
    (void)cudaGetLastError();  // or the next call would raise it
    THC_raiseError(error, "a launch", noted.name ? noted.name : function);
  }
  THC_checkFailure(-1);
}
