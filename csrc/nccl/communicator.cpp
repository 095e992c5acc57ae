#include "communicator.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <thread>

namespace torch::cuda {

namespace {

using std::chrono::steady_clock;

Milliseconds since(Time began) { return std::chrono::duration_cast<Milliseconds>(steady_clock::now() - began); }
std::string shown(Milliseconds time) { return std::to_string(time.count()) + " ms"; }

// Sleeps longer each time, while something is asked for again and again.
class Pause {
 public:
  void operator()() {
    std::this_thread::sleep_for(length_);
    length_ = std::min<std::chrono::microseconds>(length_ * 2, Milliseconds(1));
  }

 private:
  std::chrono::microseconds length_{2};
};

// The thread that looks after communicators, from the first one on. It sleeps while there are none.
class Watch {
 public:
  void add(const std::shared_ptr<Communicator> &communicator) {
    const std::lock_guard guard(lock_);
    watched_.push_back(communicator);
    if (!thread_.joinable() && !over_) thread_ = std::thread([this] { run(); });
    changed_.notify_all();
  }
  void stop() {
    {
      const std::lock_guard guard(lock_);
      over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    std::unique_lock guard(lock_);
    while (!over_) {
      std::erase_if(watched_, [](const auto &each) { return each.expired(); });
      changed_.wait(guard, [this] { return over_ || !watched_.empty(); });
      const std::vector<std::weak_ptr<Communicator>> all = watched_;
      guard.unlock();
      for (const auto &each : all)
        if (const auto communicator = each.lock()) communicator->look();
      guard.lock();
      changed_.wait_for(guard, Milliseconds(100), [this] { return over_; });
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<std::weak_ptr<Communicator>> watched_;
  std::thread thread_;
  bool over_ = false;
};

// Never destroyed, as what it looks at may outlive the process's static objects.
Watch &watch() {
  static auto &watch = *new Watch;
  return watch;
}

}  // namespace

void stop_watching() { watch().stop(); }

// ---- works ------------------------------------------------------------------------------------------
Work::Work(std::shared_ptr<Communicator> of, std::string what, Milliseconds timeout)
    : of_(std::move(of)), what_(std::move(what)), timeout_(timeout), event_(THCEvent_new(false, false, false)) {}
Work::~Work() {
  if (of_->process_ == getpid()) THCEvent_free(event_);
}

void Work::record() {
  const std::lock_guard guard(of_->lock_);
  if (state_ != Begun) return;
  const OnDevice on(of_->device_);
  THCEvent_record(event_, THC_currentStream(of_->device_), of_->device_);
  recorded_ = true;
}

Work::State Work::state() {
  const std::lock_guard guard(of_->lock_);
  of_->ask(*this);
  return state_;
}

std::string Work::error() {
  const std::lock_guard guard(of_->lock_);
  return error_;
}

void Work::wait() {
  const std::lock_guard guard(of_->lock_);
  if (state_ == Failed) throw std::runtime_error(error_);
  const OnDevice on(of_->device_);
  THCEvent_wait(event_, THC_currentStream(of_->device_), of_->device_);
}

void Work::synchronize(Milliseconds timeout) {
  const Time until = steady_clock::now() + timeout;
  for (Pause pause;; pause()) {
    const std::lock_guard guard(of_->lock_);
    of_->ask(*this);
    if (state_ == Begun && (timeout.count() ? steady_clock::now() >= until : since(began_) >= timeout_))
      of_->fail(what_ + " is not done after " + shown(since(began_)));
    if (state_ == Failed) throw std::runtime_error(error_);
    if (state_ == Done) return;
  }
}

// ---- communicators ----------------------------------------------------------------------------------
Communicator::Communicator(int device, std::string who) : device_(device), who_(std::move(who)), process_(getpid()) {}

Communicator::~Communicator() {
  if (comm_ && process_ == getpid()) ncclCommAbort(comm_);
}

void Communicator::settle(std::unique_lock<std::mutex> &guard, ncclResult_t result, const char *call,
                          const std::string &what, Milliseconds timeout) {
  const Time began = steady_clock::now();
  for (Pause pause; result == ncclInProgress;) {
    guard.unlock();
    pause();
    guard.lock();
    throw_failed();
    if (const ncclResult_t asked = ncclCommGetAsyncError(comm_, &result)) result = asked;
    if (result == ncclInProgress && since(began) >= timeout) {
      fail(what + ": " + call + " is not done after " + shown(timeout) + "; another rank has not come");
      throw_failed();
    }
  }
  if (result) {
    fail(what + ": " + text_of(result, call, comm_));
    throw_failed();
  }
}

std::shared_ptr<Communicator> Communicator::join(int size, const ncclUniqueId &id, int rank, int device,
                                                 Milliseconds timeout, std::string who) {
  const std::shared_ptr<Communicator> made(new Communicator(device, std::move(who)));
  std::unique_lock guard(made->lock_);
  const OnDevice on(device);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  const ncclResult_t result = ncclCommInitRankConfig(&made->comm_, size, id, rank, &config);
  made->settle(guard, result, "ncclCommInitRankConfig", "a communicator", timeout);
  guard.unlock();
  watch().add(made);
  return made;
}

std::shared_ptr<Communicator> Communicator::split(int color, int key, Milliseconds timeout, std::string who) {
  const std::shared_ptr<Communicator> made(new Communicator(device_, std::move(who)));
  std::unique_lock guard(lock_);
  throw_failed();
  const OnDevice on(device_);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  const ncclResult_t result = ncclCommSplit(comm_, color < 0 ? NCCL_SPLIT_NOCOLOR : color, key, &made->comm_, &config);
  // The new one is there when the call of the old one is done.
  settle(guard, result, "ncclCommSplit", "splitting a communicator", timeout);
  guard.unlock();
  if (!made->comm_) return nullptr;
  std::unique_lock inner(made->lock_);
  made->settle(inner, ncclInProgress, "ncclCommSplit", "a communicator", timeout);
  inner.unlock();
  watch().add(made);
  return made;
}

void Communicator::throw_failed() const {
  if (!comm_) throw std::runtime_error(failure_.empty() ? who_ + ": the group has been left" : failure_);
}

// The lock is held, as in all that follows without taking it.
void Communicator::fail(const std::string &why) {
  if (!failure_.empty()) return;
  failure_ = who_ + ": " + why;
  for (const auto &work : under_way_)
    if (work->state_ == Work::Begun) {
      work->state_ = Work::Failed;
      work->error_ = failure_;
    }
  under_way_.clear();
  if (comm_) ncclCommAbort(comm_);
  comm_ = nullptr;
}

void Communicator::ask(Work &work) {
  if (work.state_ != Work::Begun || !work.recorded_) return;
  try {
    const OnDevice on(device_);
    if (THCEvent_query(work.event_)) work.state_ = Work::Done;
  } catch (const std::exception &error) {
    fail(work.what_ + ": " + error.what());
  }
}

void Communicator::look() {
  const std::lock_guard guard(lock_);
  if (!comm_) return;
  ncclResult_t state = ncclSuccess;
  if (const ncclResult_t asked = ncclCommGetAsyncError(comm_, &state)) state = asked;
  if (state && state != ncclInProgress) return fail(text_of(state, "asked from time to time", comm_));
  while (!under_way_.empty()) {
    const std::shared_ptr<Work> first = under_way_.front();
    ask(*first);
    if (!comm_) return;
    if (first->state_ == Work::Begun) {
      if (since(first->began_) >= first->timeout_)
        fail(first->what_ + " is not done after " + shown(since(first->began_)) +
             ": other ranks have not called it, or something else");
      return;
    }
    under_way_.pop_front();
  }
}

ncclResult_t Communicator::run(const Operation &o, THCStream stream, std::vector<ncclRedOp_t> &made) {
  ncclRedOp_t op = o.op;
  if (!o.factor.empty()) {
    std::string factor = o.factor;
    const ncclResult_t result = ncclRedOpCreatePreMulSum(&op, factor.data(), o.type, ncclScalarHostImmediate, comm_);
    if (result) return result;
    made.push_back(op);
  }
  switch (o.kind) {
    case Operation::AllReduce: return ncclAllReduce(o.send, o.receive, o.count, o.type, op, comm_, stream);
    case Operation::Reduce: return ncclReduce(o.send, o.receive, o.count, o.type, op, o.peer, comm_, stream);
    case Operation::Broadcast: return ncclBroadcast(o.send, o.receive, o.count, o.type, o.peer, comm_, stream);
    case Operation::AllGather: return ncclAllGather(o.send, o.receive, o.count, o.type, comm_, stream);
    case Operation::ReduceScatter: return ncclReduceScatter(o.send, o.receive, o.count, o.type, op, comm_, stream);
    case Operation::Send: return ncclSend(o.send, o.count, o.type, o.peer, comm_, stream);
    case Operation::Receive: return ncclRecv(o.receive, o.count, o.type, o.peer, comm_, stream);
  }
  return ncclInvalidArgument;
}

std::shared_ptr<Work> Communicator::launch(const std::vector<Operation> &operations, THCStream stream,
                                           Milliseconds timeout, std::string what) {
  std::unique_lock guard(lock_);
  throw_failed();
  const OnDevice on(device_);
  const auto work = std::make_shared<Work>(shared_from_this(), std::move(what), timeout);
  std::vector<ncclRedOp_t> made;
  const auto note = [](ncclResult_t &result, ncclResult_t next) {
    if (next && (!result || result == ncclInProgress)) result = next;
  };
  ncclResult_t result = ncclGroupStart();
  for (const Operation &o : operations)
    if (!result || result == ncclInProgress) note(result, run(o, stream, made));
  note(result, ncclGroupEnd());
  under_way_.push_back(work);
  settle(guard, result, operations.size() == 1 ? "NCCL's call" : "NCCL's group of calls", work->what_, timeout);
  for (const ncclRedOp_t op : made) ncclRedOpDestroy(op, comm_);
  return work;
}

void Communicator::abort(const std::string &why) {
  const std::lock_guard guard(lock_);
  if (comm_) fail(why);
}

std::string Communicator::failure() {
  const std::lock_guard guard(lock_);
  return failure_;
}

void Communicator::destroy(Milliseconds timeout) {
  for (;;) {
    std::shared_ptr<Work> last;
    {
      const std::lock_guard guard(lock_);
      if (!comm_) return;
      if (under_way_.empty()) break;
      last = under_way_.back();
      if (!last->recorded_) return fail("left while operations were being begun");
    }
    last->synchronize(timeout);
    const std::lock_guard guard(lock_);
    if (!under_way_.empty() && under_way_.back() == last) under_way_.clear();
  }
  std::unique_lock guard(lock_);
  const OnDevice on(device_);
  settle(guard, ncclCommFinalize(comm_), "ncclCommFinalize", "leaving the group", timeout);
  ncclCommDestroy(comm_);
  comm_ = nullptr;
}

}  // namespace torch::cuda
