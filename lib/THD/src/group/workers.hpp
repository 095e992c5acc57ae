// The threads of a group, for operations that are not waited for where they begin. They come when they are needed.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace thd {

class Workers {
 public:
  explicit Workers(size_t most) : most_(most) {}
  ~Workers() { stop(); }
  Workers(const Workers &) = delete;

  // Jobs begin in the order in which they are added.
  void add(std::function<void()> job);
  // Returns once no job is left or running.
  void drain();
  // Runs what was added, then ends the threads.
  void stop();

 private:
  void run();

  const size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_, idle_;
  std::deque<std::function<void()>> jobs_;
  size_t busy_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace thd
