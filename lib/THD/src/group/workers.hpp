// The threads of a group, for operations that are not waited for where they begin. They come when they are needed.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace thd {

class Workers {
 public:
  explicit Workers(size_t most) : most_(most) {}
  ~Workers() { stop(); }
  Workers(const Workers &) = delete;

  // Jobs begin in the order in which they are added; numbers grow in that order. False: the threads have been stopped,
  // and the job is not taken.
  bool add(int64_t number, std::function<void()> job);
  // Whether the calling thread is one of them. It may do the next job, if there is one before `number`, while it waits.
  bool is_one() const;
  bool run_one_before(int64_t number);
  // Runs what was added, then ends the threads. One of them may call this: it ends after its job.
  void stop();
  // In a forked child, where the threads are not: lets go of them without a word.
  void forget();

 private:
  // What threads look at belongs to them, too: the last job may let go of the group.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<int64_t, std::function<void()>>> jobs;
    size_t busy = 0;
    bool stopping = false;
  };
  static void run(const std::shared_ptr<Shared> &shared);
  static thread_local const Shared *mine_;  // of the calling thread, if it is one of somebody's

  const size_t most_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::vector<std::thread> threads_;
};

}  // namespace thd
