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

struct State {
  bool enabled = false;
  bool converts = false;  // enabled, and not below an operator that has
  bool cache_enabled = true;
  THDtype dtype = TH_BFloat16;
  std::unordered_map<const THTensor *, Cached> cache;

  ~State() { enable(false); }
  void enable(bool on) {
    if (on != enabled) count_guarding_thread(on ? 1 : -1);
    enabled = converts = on;
  }
};

thread_local State state;

bool is_eligible(const Tensor &tensor) {
  if (!tensor.defined() || tensor.device().kind != TH_CPU) return false;
  const THDtype dtype = tensor.dtype();
  return dtype == TH_Float || dtype == TH_Half || dtype == TH_BFloat16;
}

}  // namespace

bool autocast_enabled() { return state.enabled; }
bool autocast_converts() { return state.converts; }
void set_autocast_enabled(bool on) { state.enable(on); }
THDtype autocast_dtype() { return state.dtype; }
void set_autocast_dtype(THDtype dtype) { state.dtype = dtype; }
bool autocast_cache_enabled() { return state.cache_enabled; }
void set_autocast_cache_enabled(bool on) { state.cache_enabled = on; }
void clear_autocast_cache() { state.cache.clear(); }
void set_autocast_leaf(bool (*leaf)(const Tensor &)) { is_leaf = leaf; }

THDtype autocast_target(Cast policy, TensorList arguments) {
  if (policy == Cast::Float) return TH_Float;
  THDtype target = state.dtype;
  if (policy == Cast::Widest)
    for (const Tensor &tensor : arguments)
      if (is_eligible(tensor) && tensor.dtype() != target) target = TH_Float;  // half and bfloat16 have none else
  return target;
}

Tensor autocast_to(const Tensor &tensor, THDtype dtype) {
  if (!is_eligible(tensor) || tensor.dtype() == dtype) return tensor;
  const bool keeps = state.cache_enabled && dtype == state.dtype && tensor.dtype() == TH_Float && is_leaf &&
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

NoAutocast::NoAutocast() : before_(std::exchange(state.converts, false)) {}
NoAutocast::~NoAutocast() { state.converts = before_; }

}  // namespace thpp
