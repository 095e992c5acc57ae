// What the parts of the runtime share. Everything here is guarded by one lock, which every function of the interface
// takes; work of the devices is done while it is held, by the thread that waits for it. Who waits for what other threads
// are yet to call does not hold it.
#ifndef HOST_CUDA_SRC_RUNTIME_HPP
#define HOST_CUDA_SRC_RUNTIME_HPP

#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <vector>

namespace hostcuda {

constexpr int maxDevices = 8;
constexpr size_t maxSharedMemory = 48 * 1024, maxSharedMemoryOptin = 227 * 1024;
constexpr int maxThreadsPerBlock = 1024;
constexpr int lanesPerWarp = 32;

// ---- settings: environment variables, read once
struct Settings {
  int devices, driverVersion;  // 0: no driver
  int capability;  // of each device, 90 for 9.0
  size_t memory;  // bytes of each device
  bool randomOrder, mprotect;
  uint64_t seed;
};
const Settings &settings();
std::mt19937_64 &randomNumbers();

// ---- streams: queues of tasks
struct Stream;
using StreamRef = std::shared_ptr<Stream>;
struct Moment {  // the end of the stream's first `count` tasks
  StreamRef stream;
  uint64_t count = 0;
  bool done() const;
};
struct Task {
  std::function<cudaError_t()> run;
  std::vector<Moment> after;
  // May it begin? Asked again while it says no, which other threads can change; it adds what has to come first.
  std::function<bool(std::vector<Moment> &)> may;
  size_t staged = 0;  // bytes of copies that wait in host memory
  bool always = false;  // carried out also after an error: a callback, an event's time
};
struct Stream {
  int device = 0, priority = 0;
  unsigned flags = 0;
  uint64_t id = 0, enqueued = 0, finished = 0;
  bool isDefault = false, destroyed = false;
  bool busy = false;  // its next task is being carried out, or waits for others that are
  std::deque<Task> tasks;
};
inline bool Moment::done() const { return !stream || stream->finished >= count; }

struct Device {
  cudaError_t sticky = cudaSuccess;  // an error that ended all work with the device
  StreamRef defaultStream;
  std::vector<StreamRef> streams;  // the others, also destroyed ones that have work left
  bool peers[maxDevices] = {};  // whose memory kernels of this device may touch
  size_t used = 0;
};
Device &device(int index);
int currentDevice();
StreamRef findStream(cudaStream_t handle);  // null: no such stream
void enqueue(const StreamRef &stream, Task task);
void finish(const Moment &moment);
void finishDevice(int device);
void finishAll();
void resetDevice(int device);

// ---- the frame of each function of the interface
// A recursive mutex that a thread can let go of until another one has changed something.
class Lock {
 public:
  void lock() {
    mutex_.lock();
    ++depth_;
  }
  void unlock() {
    --depth_;
    mutex_.unlock();
  }
  void waitForChange();  // or a few milliseconds
  void changed();

 private:
  std::recursive_mutex mutex_;
  int depth_ = 0;
  std::mutex waiting_;
  std::condition_variable change_;
  uint64_t changes_ = 0;
  std::atomic<int> waiters_ = 0;
};
Lock &lock();
cudaError_t enter();  // is there a device to work with?
cudaError_t remember(cudaError_t error);  // as cudaGetLastError tells; passes it on
bool inCallback();
void count(const char *function);  // for hostcudaCalls; a literal
template <class F>
cudaError_t call(F &&body, const char *function = __builtin_FUNCTION()) noexcept {
  count(function);
  cudaError_t error = enter();
  if (error) return remember(error);
  std::lock_guard<Lock> guard(lock());
  if (inCallback()) return remember(cudaErrorNotPermitted);
  if ((error = device(currentDevice()).sticky)) return remember(error);
  try {
    error = body();
  } catch (const std::bad_alloc &) {
    error = cudaErrorMemoryAllocation;
  }
  return remember(error);
}

// ---- memory
enum class Kind { pageable, pinned, device };
struct Place {
  Kind kind = Kind::pageable;
  int device = -1;
  uintptr_t begin = 0, end = 0;  // of the allocation
};
Place placeOf(const void *pointer);
// Does [pointer, pointer + bytes) lie within one live allocation of a device or of pinned memory?
bool isInside(const Place &place, const void *pointer, size_t bytes);
cudaError_t allocateDevice(void **pointer, size_t bytes, int device);
cudaError_t freeDevice(void *pointer);
void freeMemoryOf(int device);
std::string describeAddress(uintptr_t address);
// While one lives, this thread may touch the memory of devices.
struct Open {
  Open();
  ~Open();
};

// ---- kernels
cudaError_t checkLaunch(const void *function, dim3 grid, dim3 block, size_t shared);
cudaError_t queueLaunch(const void *function, const Parameters &parameters, dim3 grid, dim3 block, void **arguments,
                        size_t shared, cudaStream_t stream);
cudaError_t setDynamicLimit(const void *function, int bytes);
void forgetFunction(const void *function);  // its code is about to go
void forgetModules(int device);
std::string nameOf(const void *function);
void prepareThread();  // an alternate stack for signals

}  // namespace hostcuda

#endif
