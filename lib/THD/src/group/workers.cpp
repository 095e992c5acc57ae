#include "workers.hpp"

#include <csignal>
#include <pthread.h>

namespace thd {

thread_local Workers::Shared *Workers::mine_ = nullptr;

bool Workers::add(int64_t number, std::function<void()> job) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->stopping) return false;
  shared_->jobs.emplace_back(number, std::move(job));
  shared_->grow();
  shared_->changed.notify_one();
  return true;
}

void Workers::Shared::grow() {
  if (jobs.empty() || busy + jobs.size() <= threads.size() || threads.size() >= most + away) return;
  // Signals are for the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  threads.emplace_back([self = shared_from_this()] { self->run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!stopped) return;
  threads.back().detach();
  threads.pop_back();
}

Workers::Away::Away(int64_t before) : shared_(mine_) {
  if (shared_ && shared_->owner != ::getpid()) shared_ = nullptr;  // a forked child has none of the threads
  if (!shared_) return;
  const std::lock_guard lock(shared_->mutex);
  const auto &jobs = shared_->jobs;
  if (before != kAny && (jobs.empty() || jobs.front().first >= before)) {
    shared_ = nullptr;
    return;
  }
  ++shared_->away;
  shared_->grow();
}
Workers::Away::~Away() {
  if (!shared_) return;
  const std::lock_guard lock(shared_->mutex);
  --shared_->away;
}

void Workers::stop() {
  std::unique_lock lock(shared_->mutex);
  shared_->stopping = true;
  shared_->changed.notify_all();
  while (!shared_->threads.empty()) {
    std::thread thread = std::move(shared_->threads.back());
    shared_->threads.pop_back();
    lock.unlock();
    if (thread.get_id() == std::this_thread::get_id())
      thread.detach();
    else
      thread.join();
    lock.lock();
  }
  shared_->stopped = true;
}

void Workers::forget() {
  const size_t most = shared_->most;
  new std::shared_ptr<Shared>(std::move(shared_));  // whoever held its lock in the parent will not let go of it here
  shared_ = std::make_shared<Shared>(most);
}

void Workers::Shared::run() {
  mine_ = this;
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return stopping || !jobs.empty(); });
    if (jobs.empty()) return;
    std::function<void()> job = std::move(jobs.front().second);
    jobs.pop_front();
    ++busy;
    lock.unlock();
    job();
    job = nullptr;  // what it holds is let go of before anybody is told
    lock.lock();
    --busy;
  }
}

}  // namespace thd
