// Operations that follow each other in the order in which they are called.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

#include <THD/Work.h>

namespace thd {

class Turns : public std::enable_shared_from_this<Turns> {
 public:
  // Its place; over when it is let go of.
  class Turn {
   public:
    explicit Turn(std::shared_ptr<Turns> turns) : turns_(std::move(turns)), number_(turns_->last_++) {}
    Turn(const Turn &) = delete;
    ~Turn() { turns_->end(number_); }
    // Whether those before it are over, within the timeout.
    bool wait(Milliseconds timeout) const { return turns_->wait(number_, timeout); }

   private:
    const std::shared_ptr<Turns> turns_;
    const int64_t number_;
  };
  // Of calls that are in an order: the caller's lock sees to that.
  std::shared_ptr<Turn> next() { return std::make_shared<Turn>(shared_from_this()); }

 private:
  bool wait(int64_t number, Milliseconds timeout) {
    std::unique_lock lock(mutex_);
    if (now_ == number) return true;
    ++waiting_;
    const bool came = changed_.wait_for(lock, timeout, [&] { return now_ == number; });
    --waiting_;
    return came;
  }
  void end(int64_t number) {
    const std::lock_guard lock(mutex_);
    over_.insert(number);
    while (over_.erase(now_)) ++now_;
    if (waiting_) changed_.notify_all();
  }

  int64_t last_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t now_ = 0;
  int waiting_ = 0;
  std::set<int64_t> over_;  // and some before them are not
};

}  // namespace thd
