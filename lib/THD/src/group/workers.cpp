#include "workers.hpp"

#include <csignal>
#include <pthread.h>

namespace thd {

void Workers::add(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  if (busy_ + jobs_.size() > threads_.size() && threads_.size() < most_) {
    // Signals are for the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    threads_.emplace_back([this] { run(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  changed_.notify_one();
}

void Workers::drain() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return jobs_.empty() && busy_ == 0; });
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  for (std::thread &thread : threads_) thread.join();
  threads_.clear();
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    ++busy_;
    lock.unlock();
    job();
    job = nullptr;  // what it holds is let go of before anybody is told
    lock.lock();
    if (--busy_ == 0 && jobs_.empty()) idle_.notify_all();
  }
}

}  // namespace thd
