// What the parts of NCCL share: communicators, and the operations in which their ranks meet.
#ifndef HOST_CUDA_SRC_NCCL_HPP
#define HOST_CUDA_SRC_NCCL_HPP

#include <host_cuda/task.h>
#include <nccl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace hostcuda {

using Bytes = std::vector<char>;
using Time = std::chrono::steady_clock::time_point;

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
  Bytes factor = {};  // of each element before the sum; empty: none
};

// What the work in streams sees of a communicator: it takes none of the locks below.
struct Fate {
  std::atomic<bool> aborted = false;
  std::atomic<ncclResult_t> error = ncclSuccess;
};

// Calls of several ranks that belong together. A rank's stream gives what it sends as it comes to it, and goes on when all
// have done so.
struct Meeting {
  explicit Meeting(size_t ranks) : parts(ranks), came(ranks), sent(ranks), last(ranks) {}
  std::mutex lock;  // of all that follows
  std::vector<Part> parts;
  std::vector<bool> came;
  std::vector<Bytes> sent;
  std::vector<hostcudaMoment> last;  // of each rank's stream: when it has sent
  size_t missing() const;
  bool differs = false, refused = false;  // ranks have called something else; a rank's memory may not be touched
};

// A message from one rank to another, which the one sends and the other receives.
struct Message {
  std::mutex lock;
  bool here[2] = {};  // the sender's call, the receiver's
  size_t count[2] = {};
  ncclDataType_t type[2] = {};
  hostcudaMoment last[2];
  Bytes bytes;
  bool refused = false;
};

struct Splitting {  // of each rank
  std::vector<int> color, key;
  std::vector<ncclComm_t *> made;
  std::vector<bool> blocking;
  int arrived = 0;
  ncclResult_t result = ncclInProgress;
};

// The ranks that talk to each other.
struct Clique {
  explicit Clique(int count) : devices(size_t(count), -1), next(size_t(count)), splits(size_t(count)) {}
  std::vector<int> devices;                      // of each rank; -1: not here yet
  std::vector<size_t> next;                      // of each rank: the number of its next collective
  std::deque<std::shared_ptr<Meeting>> meetings;  // those that some rank is still to come to
  size_t first = 0;                              // the number of meetings[0]
  // From, to, the how manieth: those that one side has called.
  std::map<std::tuple<int, int, size_t>, std::shared_ptr<Message>> messages;
  std::map<std::tuple<int, int, bool>, size_t> messagesOf;  // from, to, is it the receiver
  std::vector<size_t> splits;
  std::map<size_t, std::shared_ptr<Splitting>> splitting;
  int joined = 0;
  ncclResult_t broken = ncclSuccess;  // a rank has not come, or has asked for something else
  int size() const { return int(devices.size()); }
};

}  // namespace hostcuda

struct ncclComm {
  std::shared_ptr<hostcuda::Clique> clique;
  int rank, device;
  bool blocking = true;
  std::shared_ptr<hostcuda::Fate> fate = std::make_shared<hostcuda::Fate>();
  std::shared_ptr<hostcuda::Splitting> splitting = nullptr;
  int answers = 0;  // how often it still says that a call is in progress
  std::map<int, std::pair<ncclDataType_t, hostcuda::Bytes>> factors = {};  // of operations that were made
};

namespace hostcuda {

// Guards communicators and cliques. What runs in a stream's order does not take it.
std::mutex &ncclLock();
std::condition_variable &ncclChanged();
std::chrono::milliseconds patience();  // how long ranks wait for each other (HOST_CUDA_NCCL_WAIT)
// Waits, holding the lock, until `done()`; false if it takes longer than ranks may.
bool waitForRanks(std::unique_lock<std::mutex> &guard, const std::function<bool()> &done);

bool isComm(ncclComm_t comm);
// May operations of it be called? Otherwise the result of a call that tries.
ncclResult_t usable(ncclComm_t comm, const char *name);
// The result of a call that has been begun: of a communicator that does not block it says so at first.
ncclResult_t begun(ncclComm_t comm);
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
// Bytes that a rank sends and receives.
struct Sizes {
  size_t send, receive;
};
Sizes sizesOf(const Part &part, int rank, size_t ranks);
// What a rank gets out of what all have sent.
Bytes outcome(const std::vector<Part> &parts, const std::vector<Bytes> &sent, size_t rank);

// Puts a rank's call into its stream. The lock is held.
ncclResult_t attend(ncclComm_t comm, const std::shared_ptr<Meeting> &meeting, const Part &part);
// A message's end: of messages that one group has for one stream.
struct Ending {
  std::shared_ptr<Message> message;
  bool receives;
  const void *data;
  size_t bytes;
};
ncclResult_t exchange(ncclComm_t comm, cudaStream_t stream, const std::vector<Ending> &endings);

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
