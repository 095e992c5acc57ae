#include "dispatch.h"

#include <algorithm>

namespace thpp {

namespace {

// The device without memory is a backend of checks and shapes alone.
THGenerator *generator_of_cpu(THDevice) { return THGenerator_default(); }
THNNState *no_state(THDevice) { return nullptr; }
constexpr BackendTable kMeta = {nullptr, generator_of_cpu, no_state, nullptr, nullptr, nullptr};

const BackendTable *tables[TH_NUM_DEVICE_KINDS][TH_NUM_LAYOUTS] = {{}, {&kMeta}};
static_assert(TH_CPU == 0 && TH_Meta == 1 && TH_STRIDED == 0);

std::string name_of(THDevice device) {
  const std::string kind = TH_deviceName(THDeviceKind(device.kind));
  return device.kind == TH_CUDA ? kind + ":" + std::to_string(device.index) : kind;
}

bool same(THDevice a, THDevice b) { return a.kind == b.kind && a.index == b.index; }

Untyped slot_of(const Kernels &kernels, size_t slot) { return reinterpret_cast<const Untyped *>(&kernels)[slot]; }

}  // namespace

void register_backend(THDeviceKind device, THLayout layout, const BackendTable *table) {
  if (device == TH_CPU && layout == TH_STRIDED)
    THError(TH_ERROR_RUNTIME, "register_backend: the kernels of strided tensors on the CPU are THPP's own");
  if (unsigned(device) >= TH_NUM_DEVICE_KINDS || unsigned(layout) >= TH_NUM_LAYOUTS)
    THError(TH_ERROR_RUNTIME, "register_backend: there is no device %d with layout %d", int(device), int(layout));
  tables[device][layout] = table;
}

const BackendTable *find_backend(THDeviceKind device, THLayout layout) { return tables[device][layout]; }

void NonBlocking::begin(THDeviceKind a, THDeviceKind b) {
  const BackendTable *const table = tables[a == TH_CPU ? b : a][TH_STRIDED];
  set_ = table ? table->set_non_blocking : nullptr;
  if (set_) before_ = set_(true);
}

Backend foreign_backend(std::span<const TensorList> arguments) {
  const Tensor *first = nullptr;
  for (TensorList tensors : arguments)
    for (const Tensor &t : tensors)
      if ((flags(t) & TH_NON_CPU) && (!first || (t.layout() != TH_STRIDED && first->layout() == TH_STRIDED)))
        first = &t;
  const THDevice device = first->device();
  const THLayout layout = first->layout();
  const BackendTable *table = tables[device.kind][layout];
  if (!table)
    THError(TH_ERROR_NOT_IMPLEMENTED, "no loaded library has kernels for tensors %son device '%s'",
            layout == TH_STRIDED ? "" : "of this layout ", TH_deviceName(THDeviceKind(device.kind)));
  return {device, uint8_t(first->dtype()), layout, table};
}

Backend foreign_device(std::span<const TensorList> arguments) {
  for (TensorList tensors : arguments)
    for (const Tensor &t : tensors)
      if (t.defined() && t.device().kind != TH_CPU) {
        const THDevice device = t.device();
        check_devices(arguments, device);
        const BackendTable *const table = tables[device.kind][TH_STRIDED];
        if (!table)
          THError(TH_ERROR_NOT_IMPLEMENTED, "no loaded library has kernels for tensors on device '%s'",
                  TH_deviceName(THDeviceKind(device.kind)));
        return {device, uint8_t(t.dtype()), TH_STRIDED, table};
      }
  check_devices(arguments, {});
  return {};
}

void check_devices(std::span<const TensorList> arguments, THDevice device) {
  for (TensorList tensors : arguments)
    for (const Tensor &t : tensors)
      if (t.defined() && !same(t.device(), device) && (t.device().kind != TH_CPU || t.dim()))
        THError(TH_ERROR_RUNTIME,
                "Expected all tensors to be on the same device, but found at least two devices, %s and %s!",
                name_of(device).c_str(), name_of(t.device()).c_str());
}

Untyped foreign_kernel(const Backend &on, size_t slot, const Untyped *cpu, THDtype dtype) {
  if (on.table->kernels) return cpu[dtype] ? slot_of(*on.table->kernels, slot + dtype) : nullptr;
  // Only shapes are asked for, which are the same for every dtype.
  if (cpu[dtype]) return cpu[dtype];
  return *std::find_if(cpu, cpu + TH_NUM_DTYPES, [](Untyped f) { return f != nullptr; });
}

Untyped foreign_function(const Backend &on, const char *name, size_t slot, Untyped cpu) {
  if (!on.table->kernels) return cpu;
  const Untyped found = slot_of(*on.table->kernels, slot);
  if (!found) throw_kernel(name, on, THDtype(on.dtype), {});
  return found;
}

void check_generator(THDevice device, const THGenerator *given) {
  if (!given || !has_values(device)) return;
  const THDevice found = THGenerator_device(given);
  if (found.kind != device.kind)
    THError(TH_ERROR_RUNTIME, "Expected a '%s' device type for generator but found '%s'",
            TH_deviceName(THDeviceKind(device.kind)), TH_deviceName(THDeviceKind(found.kind)));
  if (!same(found, device))
    THError(TH_ERROR_RUNTIME, "Expected a '%s' generator device but found '%s'", name_of(device).c_str(),
            name_of(found).c_str());
}

THGenerator *generator_of(const Backend &on, THGenerator *given) {
  check_generator(on.device, given);
  return given ? given : on.table ? on.table->generator(on.device) : THGenerator_default();
}

}  // namespace thpp
