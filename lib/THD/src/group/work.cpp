#include <THD/Work.h>

#include <condition_variable>
#include <mutex>

#include "workers.hpp"

namespace thd {

struct Work::State {
  std::mutex mutex;
  std::condition_variable done;
  bool completed = false;
  std::exception_ptr failure;
  std::vector<std::function<void(Work &)>> calls;
  std::mutex completing;
  bool completes = false;  // by its first wait(), which takes `complete`
  std::function<void(Milliseconds)> complete;
};

Work::Work(std::string name, int rank) : name_(std::move(name)), rank_(rank), state_(std::make_unique<State>()) {}
Work::~Work() = default;

bool Work::is_completed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->completed;
}
bool Work::is_success() const {
  const std::lock_guard lock(state_->mutex);
  return state_->completed && !state_->failure;
}
std::exception_ptr Work::exception() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

void Work::complete_by(std::function<void(Milliseconds)> complete) {
  state_->complete = std::move(complete);
  state_->completes = true;
}

void Work::wait(Milliseconds timeout) {
  const Workers::Away away;  // what follows an operation may wait for another
  if (state_->completes) {
    const std::lock_guard one(state_->completing);
    if (!is_completed()) {
      try {
        state_->complete(timeout);
        finish();
      } catch (...) {
        finish(std::current_exception());
      }
    }
    state_->complete = nullptr;
  }
  std::unique_lock lock(state_->mutex);
  const auto done = [&] { return state_->completed; };
  if (timeout == kNoTimeout)
    state_->done.wait(lock, done);
  else if (!state_->done.wait_for(lock, timeout, done))
    throw Error(ErrorKind::Backend, name_ + " on rank " + std::to_string(rank_) + " is not done after " +
                                        std::to_string(timeout.count()) + "ms");
  if (state_->failure) std::rethrow_exception(state_->failure);
}

const std::vector<thpp::Tensor> &Work::result() const {
  if (!is_completed()) throw Error(ErrorKind::Runtime, name_ + " is not done: its result is not there yet");
  return results;
}
int Work::source_rank() const {
  if (source < 0) throw Error(ErrorKind::Runtime, name_ + " has no source: it is no message that was received");
  return source;
}

void Work::then(std::function<void(Work &)> call) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->completed) {
      state_->calls.push_back(std::move(call));
      return;
    }
  }
  call(*this);
}

void Work::finish(std::exception_ptr failure) {
  std::vector<std::function<void(Work &)>> calls;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->completed) return;
    state_->completed = true;
    state_->failure = std::move(failure);
    calls.swap(state_->calls);
  }
  for (const auto &call : calls) call(*this);
  state_->done.notify_all();
}

}  // namespace thd
