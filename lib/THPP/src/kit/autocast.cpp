#include "autocast.h"

#include <unordered_map>

#include <THPP/Functions.h>
#include "guard.h"

namespace thpp {

namespace {

bool (*is_leaf)(const Tensor &) = nullptr;

struct Cached {
  Tensor of;  // kept, so that its address stays its own
  uint32_t version;
  Tensor cast;
};

struct Setting {
  bool enabled = false;
  bool converts = false;  // enabled, and not below an operator that has
  THDtype dtype;
};

struct State {
  Setting cpu{.dtype = TH_BFloat16}, cuda{.dtype = TH_Half};
  bool cache_enabled = true;
  std::unordered_map<const THTensor *, Cached> cache;

  ~State() { enable(cpu, false), enable(cuda, false); }
  Setting &of(THDeviceKind kind) { return kind == TH_CPU ? cpu : cuda; }
  void enable(Setting &setting, bool on) {
    if (on != setting.enabled) count_guarding(on ? 1 : -1);
    setting.enabled = setting.converts = on;
  }
};

thread_local State state;

}  // namespace

bool autocast_enabled(THDeviceKind kind) { return state.of(kind).enabled; }
bool autocast_converts(THDeviceKind kind) { return state.of(kind).converts; }
void set_autocast_enabled(THDeviceKind kind, bool on) { state.enable(state.of(kind), on); }
THDtype autocast_dtype(THDeviceKind kind) { return state.of(kind).dtype; }
void set_autocast_dtype(THDeviceKind kind, THDtype dtype) { state.of(kind).dtype = dtype; }
bool autocast_cache_enabled() { return state.cache_enabled; }
void set_autocast_cache_enabled(bool on) { state.cache_enabled = on; }
void clear_autocast_cache() { state.cache.clear(); }
void set_autocast_leaf(bool (*leaf)(const Tensor &)) { is_leaf = leaf; }

const Operators *autocast_rows(uint8_t flags) {
  if (flags & TH_NON_CPU) return state.cuda.converts ? &kAutocastOnCUDA : nullptr;
  return state.cpu.converts ? &kAutocastOnCPU : nullptr;
}

bool autocast_eligible(THDeviceKind kind, const Tensor &tensor) {
  if (!tensor.defined() || tensor.device().kind != kind) return false;
  const THDtype dtype = tensor.dtype();
  return dtype == TH_Float || dtype == TH_Half || dtype == TH_BFloat16;
}

THDtype autocast_target(THDeviceKind kind, Cast policy, TensorList arguments) {
  if (policy == Cast::Float) return TH_Float;
  THDtype target = state.of(kind).dtype;
  if (policy == Cast::Widest)
    for (const Tensor &tensor : arguments)
      if (autocast_eligible(kind, tensor) && tensor.dtype() != target)
        target = TH_Float;  // half and bfloat16 have none else
  return target;
}

Tensor autocast_to(THDeviceKind kind, const Tensor &tensor, THDtype dtype) {
  if (!autocast_eligible(kind, tensor) || tensor.dtype() == dtype) return tensor;
  const bool keeps = state.cache_enabled && dtype == state.of(kind).dtype && tensor.dtype() == TH_Float && is_leaf &&
                     !(tensor.get()->flags & TH_VIEW) && is_leaf(tensor);
  if (keeps) {
    const auto found = state.cache.find(tensor.get());
    if (found != state.cache.end()) {
      const Cached &kept = found->second;
      if (kept.version == tensor.version() && kept.cast.dtype() == dtype) return kept.cast;
    }
  }
  const Tensor cast = thpp::to(tensor, dtype);
  // What was made where nothing is recorded has no way back to the leaf.
  if (keeps && grad_mode()) state.cache.insert_or_assign(tensor.get(), Cached{tensor, tensor.version(), cast});
  return cast;
}

// Its only operator is binary_cross_entropy, whose phrase programs match on.
void throw_autocast() {
  THError(
      TH_ERROR_RUNTIME,
      "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast: the logarithm of what a "
      "sigmoid has rounded to 0 or 1 is not finite. Leave out the sigmoid, and call "
      "torch.nn.functional.binary_cross_entropy_with_logits or torch.nn.BCEWithLogitsLoss.");
}

NoAutocast::NoAutocast()
    : before_{std::exchange(state.cpu.converts, false), std::exchange(state.cuda.converts, false)} {}
NoAutocast::~NoAutocast() {
  state.cpu.converts = before_[0];
  state.cuda.converts = before_[1];
}

}  // namespace thpp
