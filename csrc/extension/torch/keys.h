// Dispatch keys: which kernel of a user's operator a call is for, and what a scope leaves out.
#pragma once

#include <cstdint>

#include <autograd/library.h>

#include <torch/autograd.h>

namespace torch {

// By these names kernels are registered. Nothing here has tensors of the backends in the last line, so that kernels for
// them are kept, and never called.
#define TORCH_DISPATCH_KEYS(X)                                                                                       \
  X(Undefined) X(CPU) X(CUDA) X(Meta) X(BackendSelect) X(ADInplaceOrView)                                            \
  X(AutogradOther) X(AutogradCPU) X(AutogradCUDA) X(AutogradMeta) X(Autograd) X(AutocastCPU) X(AutocastCUDA)         \
  X(CompositeExplicitAutograd) X(CompositeExplicitAutogradNonFunctional) X(CompositeImplicitAutograd)                \
  X(SparseCPU) X(SparseCUDA) X(SparseCsrCPU) X(SparseCsrCUDA) X(QuantizedCPU) X(QuantizedCUDA) X(MPS) X(XPU)         \
  X(PrivateUse1) X(AutogradMPS) X(AutogradXPU) X(AutogradPrivateUse1) X(AutocastXPU) X(AutocastMPS) X(FuncTorchBatched)

enum class DispatchKey : uint16_t {
#define TORCH_ROW(name) name,
  TORCH_DISPATCH_KEYS(TORCH_ROW)
#undef TORCH_ROW
      Autocast = AutocastCUDA,
};
inline const char *toString(DispatchKey key) {
  static constexpr const char *names[] = {
#define TORCH_ROW(name) #name,
      TORCH_DISPATCH_KEYS(TORCH_ROW)
#undef TORCH_ROW
  };
  return names[size_t(key)];
}

namespace detail {

// Until the scope ends, calls of operators leave these keys out; without autograd's, nothing is recorded either.
class Excluding {
 public:
  explicit Excluding(unsigned keys) : before_(operators::excluded()), recorded_(GradMode::is_enabled()) {
    operators::set_excluded(before_ | keys);
    if (keys & operators::kAutograd) GradMode::set_enabled(false);
  }
  ~Excluding() {
    operators::set_excluded(before_);
    GradMode::set_enabled(recorded_);
  }
  Excluding(const Excluding &) = delete;

 private:
  const unsigned before_;
  const bool recorded_;
};

constexpr unsigned excluded_by(DispatchKey key) {
  switch (key) {
    case DispatchKey::Autograd:
    case DispatchKey::AutogradCPU:
    case DispatchKey::AutogradCUDA:
    case DispatchKey::AutogradMeta: return operators::kAutograd;
    case DispatchKey::ADInplaceOrView: return operators::kADInplaceOrView;
    case DispatchKey::AutocastCPU:
    case DispatchKey::AutocastCUDA: return operators::kAutocast;
    default: return 0;
  }
}

}  // namespace detail

// What a kernel for autograd makes before it calls its operator again, to have it computed.
struct AutoDispatchBelowAutograd : detail::Excluding {
  AutoDispatchBelowAutograd() : Excluding(operators::kAutograd) {}
};
struct AutoDispatchBelowADInplaceOrView : detail::Excluding {
  AutoDispatchBelowADInplaceOrView() : Excluding(operators::kAutograd | operators::kADInplaceOrView) {}
};
using AutoNonVariableTypeMode = AutoDispatchBelowADInplaceOrView;  // its older name

namespace impl {

struct ExcludeDispatchKeyGuard : detail::Excluding {
  explicit ExcludeDispatchKeyGuard(DispatchKey key) : Excluding(detail::excluded_by(key)) {}
};

}  // namespace impl
}  // namespace torch
