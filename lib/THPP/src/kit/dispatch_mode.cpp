#include "dispatch_mode.h"

#include "guard.h"

namespace thpp {

constinit thread_local const EnteredMode *asked_mode = nullptr;

namespace {

// The modes from here on may not be left: they were entered before the mode that answers a call, or are not asked.
constinit thread_local const EnteredMode *bottom_mode = nullptr;

DispatchMode *leave() {
  const EnteredMode *const left = asked_mode;
  asked_mode = left->below;
  DispatchMode *const mode = left->mode;
  delete left;
  count_guarding(-1);
  return mode;
}
void leave_all() {
  while (asked_mode != bottom_mode) leave();
}

struct AtThreadsEnd {
  ~AtThreadsEnd() {
    bottom_mode = nullptr;
    leave_all();
  }
};

// While one lives, calls ask the mode before the one that was asked. What that one has entered is left at the end.
class BelowMode {
 public:
  BelowMode() : asked_(asked_mode), bottom_(bottom_mode) { bottom_mode = asked_mode = asked_->below; }
  ~BelowMode() {
    leave_all();
    asked_mode = asked_;
    bottom_mode = bottom_;
  }
  BelowMode(const BelowMode &) = delete;

 private:
  const EnteredMode *const asked_, *const bottom_;
};

}  // namespace

void push_dispatch_mode(DispatchMode *mode) {
  thread_local const AtThreadsEnd leaving;
  asked_mode = new EnteredMode{mode, asked_mode};
  count_guarding(1);
}

DispatchMode *pop_dispatch_mode() {
  if (asked_mode == bottom_mode) THError(TH_ERROR_RUNTIME, "there is no mode to leave, or it answers a call");
  return leave();
}

WithoutModes::WithoutModes() : asked_(asked_mode), bottom_(bottom_mode) { asked_mode = bottom_mode = nullptr; }
WithoutModes::~WithoutModes() {
  leave_all();
  asked_mode = asked_;
  bottom_mode = bottom_;
}

std::vector<Tensor> ask_mode(size_t slot, std::span<const Argument> arguments,
                             const std::function<std::vector<Tensor>()> &run) {
  DispatchMode *const mode = asked_mode->mode;
  const BelowMode below;
  return mode->call(kOperators[slot], arguments, run);
}

void wrong_count(size_t slot, size_t given, size_t wanted) {
  THError(TH_ERROR_RUNTIME, "%s(): a mode gave %zu results instead of %zu", kOperators[slot].name, given, wanted);
}

}  // namespace thpp
