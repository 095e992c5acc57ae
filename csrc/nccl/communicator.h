// One rank of a group of processes (or threads), with a device of its own: its communicator, which never blocks the
// host for longer than a timeout, and a thread that looks after what has been begun.
//
// The first failure ends a communicator: what is under way fails with its text, and so does whatever is called after.
#pragma once

#include "common.h"

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace torch::cuda {

using Milliseconds = std::chrono::milliseconds;
using Time = std::chrono::steady_clock::time_point;

// A call of NCCL's.
struct Operation {
  enum Kind { AllReduce, Reduce, Broadcast, AllGather, ReduceScatter, Send, Receive };
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  std::string factor;  // an element, by which all are multiplied before a sum; "": none
  int peer;  // the root, or whom a message is for or from
};

class Communicator;

// Operations that began together.
class Work {
 public:
  enum State { Begun, Done, Failed };
  Work(std::shared_ptr<Communicator> of, std::string what, Milliseconds timeout);
  ~Work();
  Work(const Work &) = delete;

  State state();  // asks the device
  std::string error();  // "": it has not failed
  void record();  // what the stream holds by now belongs to it
  // The device's current stream goes on when it is done.
  void wait();
  // Returns when it is done, raises what it failed with. 0: its own timeout.
  void synchronize(Milliseconds timeout);

 private:
  friend class Communicator;
  const std::shared_ptr<Communicator> of_;
  const std::string what_;
  const Milliseconds timeout_;
  const Time began_ = std::chrono::steady_clock::now();
  THCEvent *const event_;
  // Guarded by the communicator's lock.
  bool recorded_ = false;
  State state_ = Begun;
  std::string error_;
};

class Communicator : public std::enable_shared_from_this<Communicator> {
 public:
  // Returns when all have come. `who` begins texts of errors.
  static std::shared_ptr<Communicator> join(int size, const ncclUniqueId &id, int rank, int device,
                                            Milliseconds timeout, std::string who);
  // Of the ranks that give the same color, in the order of `key`; called by all. nullptr: a color below 0.
  std::shared_ptr<Communicator> split(int color, int key, Milliseconds timeout, std::string who);
  ~Communicator();
  Communicator(const Communicator &) = delete;

  std::shared_ptr<Work> launch(const std::vector<Operation> &operations, THCStream stream, Milliseconds timeout,
                               std::string what);
  void abort(const std::string &why);
  void destroy(Milliseconds timeout);  // waits for what is under way
  std::string failure();  // "": none
  void look();  // from time to time: what has been done, what has failed, what takes too long

 private:
  friend class Work;
  Communicator(int device, std::string who);
  void ask(Work &work);
  void fail(const std::string &why);
  void throw_failed() const;
  // Until the host's part of a call is done.
  void settle(std::unique_lock<std::mutex> &guard, ncclResult_t result, const char *call, const std::string &what,
              Milliseconds timeout);
  ncclResult_t run(const Operation &operation, THCStream stream, std::vector<ncclRedOp_t> &made);

  const int device_;
  const std::string who_;
  const int process_;
  std::mutex lock_;  // of what follows, and of NCCL's functions of this communicator
  ncclComm_t comm_ = nullptr;
  std::string failure_;
  std::deque<std::shared_ptr<Work>> under_way_;
};

void stop_watching();  // for the end of the process

}  // namespace torch::cuda
