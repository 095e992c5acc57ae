#include "observer.h"

#include "guard.h"

namespace thpp {

constinit thread_local size_t observed_call = kUnobserved;

namespace {

struct Watching {
  Observer *observer = nullptr;

  ~Watching() {
    if (observer) count_guarding(-1);
    observer = nullptr;  // who ends later in this thread may still ask
  }
};
thread_local Watching watching;

}  // namespace

Observer *observer() { return watching.observer; }

void set_observer(Observer *observer) {
  if (!observer == !watching.observer) {
    watching.observer = observer;
    return;
  }
  count_guarding(observer ? 1 : -1);
  watching.observer = observer;
  observed_call = observer ? kNoCall : kUnobserved;
}

void Observation::begin(size_t slot, std::span<const Argument> arguments) {
  begun_ = to_->begin(kOperators[slot], arguments, is_recording());
  observed_call = slot;
}

// The observer may have been taken away inside.
Observation::~Observation() {
  if (!observer()) return;
  observed_call = before_;
  if (observer() == to_) to_->end(begun_);
}

}  // namespace thpp
