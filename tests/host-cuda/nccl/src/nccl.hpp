// What the parts of NCCL share: communicators, and the operations in which their ranks meet.
#ifndef HOST_CUDA_SRC_NCCL_HPP
#define HOST_CUDA_SRC_NCCL_HPP

#include <nccl.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hostcuda {

enum class Kind { allReduce, reduce, broadcast, allGather, reduceScatter };

// One rank's call of a collective.
struct Part {
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root;
  cudaStream_t stream;
};

// A collective: all ranks' calls of the same number.
struct Meeting {
  std::vector<Part> parts;
  std::vector<bool> here;
  int arrived = 0;
  bool over = false;
  ncclResult_t result = ncclSuccess;
};

// The ranks that talk to each other.
struct Clique {
  explicit Clique(int count) : devices(size_t(count), -1), next(size_t(count)) {}
  std::vector<int> devices;                      // of each rank; -1: not here yet
  std::vector<size_t> next;                      // of each rank: the number of its next collective
  std::deque<std::shared_ptr<Meeting>> meetings;  // those that some rank is still to come to
  size_t first = 0;                              // the number of meetings[0]
  int joined = 0;
  ncclResult_t broken = ncclSuccess;  // a rank has not come, or has asked for something else
  int size() const { return int(devices.size()); }
};

}  // namespace hostcuda

struct ncclComm {
  std::shared_ptr<hostcuda::Clique> clique;
  int rank, device;
};

namespace hostcuda {

// Guards all of the above. What runs in a stream's order does not take it.
std::mutex &ncclLock();
std::condition_variable &ncclChanged();
// Waits, holding the lock, until `done()`; false if it takes longer than ranks may (HOST_CUDA_NCCL_WAIT).
bool waitForRanks(std::unique_lock<std::mutex> &guard, const std::function<bool()> &done);

bool isComm(ncclComm_t comm);
// Notes why; for ncclGetLastError.
ncclResult_t refuse(ncclResult_t result, const std::string &why);

// Within a group it is put off until the end; otherwise `begin` and then `wait` are called at once.
// begin: what is done first for all that a group holds; wait: what needs the other ranks.
struct Deferred {
  std::function<ncclResult_t()> begin, wait;
};
ncclResult_t defer(Deferred work);
ncclResult_t inGroup(ncclResult_t result);  // a call's result, which also becomes the group's if it is an error

size_t sizeOf(ncclDataType_t type);  // 0: none
// Puts all ranks' calls into their streams.
ncclResult_t carryOut(const Clique &clique, const std::vector<Part> &parts);

// The device that is current while it lives.
class OnDevice {
 public:
  explicit OnDevice(int device) { failed_ = cudaGetDevice(&before_) || cudaSetDevice(device); }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice &) = delete;
  bool failed() const { return failed_; }

 private:
  int before_ = 0;
  bool failed_;
};

}  // namespace hostcuda

#endif
