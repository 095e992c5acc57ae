#include "dispatch_mode.h"

#include "guard.h"

namespace thpp {

constinit thread_local size_t modes_asked = 0;

namespace {

struct Modes {
  std::vector<DispatchMode *> list;

  ~Modes() {
    if (!list.empty()) count_guarding(-1);
  }
};
thread_local Modes modes;

}  // namespace

void push_dispatch_mode(DispatchMode *mode) {
  if (modes_asked != modes.list.size()) THError(TH_ERROR_RUNTIME, "a mode cannot be entered while one answers a call");
  if (modes.list.empty()) count_guarding(1);
  modes.list.push_back(mode);
  ++modes_asked;
}

void pop_dispatch_mode() {
  if (modes.list.empty() || modes_asked != modes.list.size())
    THError(TH_ERROR_RUNTIME, "there is no mode to leave, or one answers a call");
  modes.list.pop_back();
  --modes_asked;
  if (modes.list.empty()) count_guarding(-1);
}

std::vector<Tensor> ask_mode(size_t slot, std::span<const Argument> arguments,
                             const std::function<std::vector<Tensor>()> &run) {
  const BelowMode below;
  return modes.list[modes_asked]->call(kOperators[slot], arguments, run);
}

void wrong_count(size_t slot, size_t given, size_t wanted) {
  THError(TH_ERROR_RUNTIME, "%s(): a mode gave %zu results instead of %zu", kOperators[slot].name, given, wanted);
}

}  // namespace thpp
