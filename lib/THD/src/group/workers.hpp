// The threads of a group, for operations that are not waited for where they begin. They come when they are needed.
#pragma once

#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace thd {

class Workers {
  // What threads look at belongs to them, too: the last job may let go of the group.
  struct Shared : std::enable_shared_from_this<Shared> {
    explicit Shared(size_t most) : most(most) {}
    void grow();  // under the mutex: if there are more jobs than threads for them, and may be more threads
    void run();

    const size_t most;
    const pid_t owner = ::getpid();
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<int64_t, std::function<void()>>> jobs;
    std::vector<std::thread> threads;
    size_t busy = 0, away = 0;
    bool stopping = false, stopped = false;
  };

 public:
  explicit Workers(size_t most) : shared_(std::make_shared<Shared>(most)) {}
  ~Workers() { stop(); }
  Workers(const Workers &) = delete;

  // Jobs begin in the order in which they are added; numbers grow in that order. False: the threads have been stopped,
  // and the job is not taken.
  bool add(int64_t number, std::function<void()> job);
  // While it lives, the calling thread waits for others. If it is one of somebody's threads, it does not count among
  // the most that may run, so that jobs go on: a job's caller may be what follows another job, in the same thread.
  class Away {
   public:
    static constexpr int64_t kAny = INT64_MAX;
    explicit Away(int64_t before = kAny);  // else only if the next job's number is less
    Away(const Away &) = delete;
    ~Away();

   private:
    Shared *shared_;
  };
  // Runs what was added, then ends the threads. One of them may call this: it ends after its job.
  void stop();
  // In a forked child, where the threads are not: lets go of them without a word.
  void forget();

 private:
  static thread_local Shared *mine_;  // of the calling thread, if it is one of somebody's

  std::shared_ptr<Shared> shared_;
};

}  // namespace thd
