// Where a call runs, by the tensors that it is given.
#pragma once

#include <THPP/Backend.h>

namespace thpp {

using Untyped = void (*)();

// Whether elements can be looked at: not those of a tensor that is shape and dtype alone.
inline bool has_values(const Tensor &t) { return t.device().kind != TH_Meta; }

struct Backend {
  THDevice device = {};
  const BackendTable *table = nullptr;  // nullptr: the CPU
};

inline uint8_t flags(const Tensor &tensor) { return tensor.defined() ? tensor.get()->flags : 0; }
inline uint8_t flags(TensorList tensors) {
  uint8_t all = 0;
  for (const Tensor &tensor : tensors) all |= flags(tensor);
  return all;
}
template <class T>
constexpr uint8_t flags(const T &) {
  return 0;
}

// The tensors of a call, whatever else it has.
inline TensorList tensors_of(const Tensor &tensor) { return {&tensor, 1}; }
inline TensorList tensors_of(TensorList tensors) { return tensors; }
template <class T>
TensorList tensors_of(const T &) {
  return {};
}

// The backend of the first tensor that is not the CPU's. Raises if nobody has registered it.
[[gnu::cold]] Backend foreign_backend(std::span<const TensorList> arguments);
// Raises if a tensor is elsewhere, and no 0-dim one of the CPU.
[[gnu::cold]] void check_devices(std::span<const TensorList> arguments, THDevice device);

template <bool check, class... T>
Backend backend_among(const T &...arguments) {
  if (!((0 | ... | flags(arguments)) & TH_FOREIGN)) [[likely]]
    return {};
  const TensorList all[] = {tensors_of(arguments)...};
  const Backend on = foreign_backend(all);
  if (check) check_devices(all, on.device);
  return on;
}
template <class... T>
Backend backend_of(const T &...arguments) {
  return backend_among<true>(arguments...);
}
// The same for calls whose tensors may be on several devices.
template <class... T>
Backend any_backend_of(const T &...arguments) {
  return backend_among<false>(arguments...);
}

// The kernel with this slot for another backend than the CPU, whose rows are `cpu`; nullptr: there is none.
[[gnu::cold]] Untyped foreign_kernel(const Backend &on, size_t slot, const Untyped *cpu, THDtype dtype);
// The same of a kernel that serves all dtypes. What the backend has none of is TH's, which refuses to look at elements.
[[gnu::cold]] Untyped foreign_function(const Backend &on, size_t slot, Untyped cpu);

THGenerator *generator_of(const Backend &on, THGenerator *given);
inline THNNState *nn_state_of(const Backend &on) { return on.table ? on.table->nn_state(on.device) : nullptr; }

}  // namespace thpp
