// Who is told of what a thread computes, and when: a profiler. Nobody at first, and then it costs nothing: functions look
// at one flag, which they share with modes and autocast.
#pragma once

#include <cstdint>
#include <span>

#include <THPP/DispatchMode.h>

namespace thpp {

class Observer {
 public:
  explicit Observer(bool wants_arguments) : wants_arguments(wants_arguments) {}
  virtual ~Observer() = default;
  Observer(const Observer &) = delete;

  // A call of an operator begins, within those that have begun and not ended. What a recorder or a cast makes of the
  // call is no call of its own. `arguments` are empty where they are not wanted. `recording`: a node may come of it.
  // The answer is what end() is given.
  virtual size_t begin(const Op &op, std::span<const Argument> arguments, bool recording) = 0;
  // Something else that has a name: a node of the backward pass, a user's function. `sequence`: of the node, or -1.
  virtual size_t begin(const char *name, int64_t sequence) = 0;
  virtual void end(size_t begun) noexcept = 0;

  const bool wants_arguments;
};

// The calling thread's; nullptr takes it away. It must live until then, and until all that has begun has ended.
THPP_API void set_observer(Observer *observer);
THPP_API Observer *observer();

// Tells of something that lasts as long as this lives.
class ObservedScope {
 public:
  ObservedScope(Observer *to, const char *name, int64_t sequence)
      : to_(to), begun_(to ? to->begin(name, sequence) : 0) {}
  ~ObservedScope() {
    if (to_ && to_ == observer()) to_->end(begun_);
  }
  ObservedScope(const ObservedScope &) = delete;

 private:
  Observer *const to_;
  const size_t begun_;
};

}  // namespace thpp
