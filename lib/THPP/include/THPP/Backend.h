// How a library brings operators to tensors of another device or layout.
//
// The CPU's kernels are constants. Another backend, which is a (device, layout), hands over a table of its own when its
// library is loaded:
//
//     thpp::Kernels kernels{};
//     kernels.cadd[TH_Float] = THCudaTensor_cadd;      // the CPU's signature; what stays empty is refused by name
//     thpp::register_backend(TH_CUDA, TH_STRIDED, &backend);
//
// An operator's checks, promotion and composition serve every backend. Kernels are handed tensors that are on one device,
// but for 0-dim tensors of the CPU among their inputs.
#pragma once

#include <THPP/Kernels.h>

namespace thpp {

struct BackendTable {
  // nullptr on a device whose tensors have no elements: the CPU's kernels, which prepare a result and stop there.
  const Kernels *kernels;
  THGenerator *(*generator)(THDevice device);  // whose numbers are taken where a call names none
  THNNState *(*nn_state)(THDevice device);  // the first argument of THNN's functions
  // What a kind of device may do without:
  int (*device_count)();  // nullptr: there is one
  int (*current_device)();  // which one a call means that names the kind alone; nullptr: the first
  bool (*set_non_blocking)(bool wanted);  // of copies in the calling thread that need not wait; returns the old setting
};

// The table must live until another one, or nullptr, takes its place. No operator may run in another thread meanwhile.
// Raises for strided tensors on the CPU, whose kernels are THPP's own, and for a device or layout that there is not.
THPP_API void register_backend(THDeviceKind device, THLayout layout, const BackendTable *table);
THPP_API const BackendTable *find_backend(THDeviceKind device, THLayout layout);  // nullptr: nobody has registered it

// While it lives, copies between these kinds of devices do not wait where they need not, if `on`.
class NonBlocking {
 public:
  NonBlocking(bool on, THDeviceKind a, THDeviceKind b) {
    if (on) begin(a, b);
  }
  NonBlocking(const NonBlocking &) = delete;
  ~NonBlocking() {
    if (set_) set_(before_);
  }

 private:
  THPP_API void begin(THDeviceKind a, THDeviceKind b);
  bool (*set_)(bool) = nullptr;
  bool before_ = false;
};

}  // namespace thpp
