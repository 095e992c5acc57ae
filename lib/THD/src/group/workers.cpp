#include "workers.hpp"

#include <csignal>
#include <pthread.h>

namespace thd {

bool Workers::add(int64_t number, std::function<void()> job) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->stopping) return false;
  shared_->jobs.emplace_back(number, std::move(job));
  if (shared_->busy + shared_->jobs.size() > threads_.size() && threads_.size() < most_) {
    // Signals are for the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    threads_.emplace_back([shared = shared_] { run(shared); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  shared_->changed.notify_one();
  return true;
}

thread_local const Workers::Shared *Workers::mine_ = nullptr;

bool Workers::is_one() const { return mine_ == shared_.get(); }
bool Workers::run_one_before(int64_t number) {
  std::function<void()> job;
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->jobs.empty() || shared_->jobs.front().first >= number) return false;
    job = std::move(shared_->jobs.front().second);
    shared_->jobs.pop_front();
  }
  job();
  return true;
}

void Workers::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
    threads.swap(threads_);
    shared_->changed.notify_all();
  }
  for (std::thread &thread : threads) {
    if (thread.get_id() == std::this_thread::get_id())
      thread.detach();
    else
      thread.join();
  }
}

void Workers::forget() {
  for (std::thread &thread : threads_) thread.detach();
  threads_.clear();
  new std::shared_ptr<Shared>(std::move(shared_));  // whoever held its lock in the parent will not let go of it here
  shared_ = std::make_shared<Shared>();
}

void Workers::run(const std::shared_ptr<Shared> &shared) {
  mine_ = shared.get();
  std::unique_lock lock(shared->mutex);
  for (;;) {
    shared->changed.wait(lock, [&] { return shared->stopping || !shared->jobs.empty(); });
    if (shared->jobs.empty()) return;
    std::function<void()> job = std::move(shared->jobs.front().second);
    shared->jobs.pop_front();
    ++shared->busy;
    lock.unlock();
    job();
    job = nullptr;  // what it holds is let go of before anybody is told
    lock.lock();
    --shared->busy;
  }
}

}  // namespace thd
