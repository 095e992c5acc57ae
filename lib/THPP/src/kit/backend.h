// Where a call runs, by the tensors that it is given.
#pragma once

#include <THPP/Backend.h>
#include <THPP/Meta.h>

namespace thpp {

using Untyped = void (*)();

// Whether elements can be looked at: not those of a tensor that is shape and dtype alone.
inline bool has_values(THDevice device) { return device.kind != TH_Meta; }
inline bool has_values(const Tensor &t) { return has_values(t.device()); }

struct Backend {
  THDevice device = {};
  uint8_t dtype = 0;  // of the tensor that chose it, for messages
  THLayout layout = TH_STRIDED;
  const BackendTable *table = nullptr;  // nullptr: the CPU
};

inline uint8_t flags(const Tensor &tensor) {
  if (!tensor.defined()) return 0;
  const uint8_t own = guard_flags(tensor);
  return aliases_recorded(tensor.get()) ? own | TH_RECORDED : own;  // the recorder judges whether it is written
}
inline uint8_t flags(TensorList tensors) {
  uint8_t all = 0;
  for (const Tensor &tensor : tensors) all |= flags(tensor);
  return all;
}
template <class T>
constexpr uint8_t flags(const T &) {
  return 0;
}
// What all tensors of a call have in their flags. Functions look once, and hand it on to their bodies.
template <class... T>
uint8_t flags_of(const T &...arguments) {
  return uint8_t((0 | ... | flags(arguments)));
}

// The tensors of a call, whatever else it has.
inline TensorList tensors_of(const Tensor &tensor) { return {&tensor, 1}; }
inline TensorList tensors_of(TensorList tensors) { return tensors; }
template <class T>
TensorList tensors_of(const T &) {
  return {};
}

// The backend of the first tensor of another layout than strided, else of the first that is not the CPU's. Raises if
// nobody has registered it.
[[gnu::cold]] Backend foreign_backend(std::span<const TensorList> arguments);
// Raises if a tensor is elsewhere, and no 0-dim one of the CPU.
[[gnu::cold]] void check_devices(std::span<const TensorList> arguments, THDevice device);

template <bool check, class... T>
[[gnu::cold, gnu::noinline]] Backend backend_among(const T &...arguments) {
  const TensorList all[] = {tensors_of(arguments)...};
  const Backend on = foreign_backend(all);
  if (check) check_devices(all, on.device);
  return on;
}
// `flags`: flags_of the arguments. Tensors of the CPU have no bit of TH_NON_CPU.
template <class... T>
[[gnu::always_inline]] inline Backend backend_of(uint8_t flags, const T &...arguments) {
  if (!(flags & TH_NON_CPU)) [[likely]]
    return {};
  return backend_among<true>(arguments...);
}
// The same for calls whose tensors may be on several devices.
template <class... T>
[[gnu::always_inline]] inline Backend any_backend_of(uint8_t flags, const T &...arguments) {
  if (!(flags & TH_NON_CPU)) [[likely]]
    return {};
  return backend_among<false>(arguments...);
}

// Where the members of sparse tensors are, by which THS's kernels are found: those of strided tensors on that device.
[[gnu::cold]] Backend foreign_device(std::span<const TensorList> arguments);
template <class... T>
[[gnu::always_inline]] inline Backend device_of(uint8_t flags, const T &...arguments) {
  if (!(flags & TH_NON_CPU)) return {};
  const TensorList all[] = {tensors_of(arguments)...};
  return foreign_device(all);
}

// The kernel with this slot for another backend than the CPU, whose rows are `cpu`; nullptr: there is none. What the CPU
// has none for no backend has: its list is the declaration's.
[[gnu::cold]] Untyped foreign_kernel(const Backend &on, size_t slot, const Untyped *cpu, THDtype dtype);
// The same of a kernel that serves all dtypes, `name` for the message that there is none.
[[gnu::cold]] Untyped foreign_function(const Backend &on, const char *name, size_t slot, Untyped cpu);

// Raises if the generator, which may be nullptr, is of another device; where nothing is drawn it may be of any.
void check_generator(THDevice device, const THGenerator *given);
// The generator that a call has been given, else that of the device.
THGenerator *generator_of(const Backend &on, THGenerator *given);
inline THNNState *nn_state_of(const Backend &on) { return on.table ? on.table->nn_state(on.device) : nullptr; }

}  // namespace thpp
