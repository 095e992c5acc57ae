// What kernels of THNN share besides TH's kit: exported names, checks of modules, results that may be inputs.
#pragma once

#include <initializer_list>
#include <optional>
#include <THNN/THNN.h>
#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace thnn {

using namespace th;

// An argument, as messages call it.
struct Named {
  const THTensor *tensor;
  const char *name;
};

// Raises unless all have this dtype and the inputs one shape.
void check(THDtype dtype, const Named &result, std::initializer_list<Named> inputs);

// The same of the arguments of pointwise functions, which the CPU's run without a plan (prepare.cpp).
void checkOutput(THDtype dtype, const THTensor *input, const THTensor *output);
void checkGradient(THDtype dtype, const THTensor *gradOutput, const THTensor *gradInput, const THTensor *output);

// After a function in place: `view` becomes another view of what was written.
inline void shareMemory(THTensor *view, THTensor *written) {
  if (view != written) THTensor_set(view, written);
}

// Contiguous memory for the first result of a plan, which may overlap inputs: where a ContiguousResult would spoil them, a
// temporary's, which finish() copies. All n results get their shapes, before or then; to be made when all else has been
// checked. `inPlace`: the kernel reads each element before it writes it, so that an input may be the very result.
class Output {
 public:
  Output(const THResult *results, int n, std::initializer_list<const THTensor *> inputs, bool inPlace = true);
  THTensor *tensor() const { return own_ ? static_cast<THTensor *>(own_) : direct_->tensor(); }
  template <class T> T *data() const { return elements<T>(tensor()); }
  void finish();

 private:
  const THResult *results_;
  int n_;
  Ref own_;
  std::optional<ContiguousResult> direct_;
};

}  // namespace thnn

// Defines what THNN_FUNCTION declares; in the last argument, T is the element type and `dtype` its THDtype:
//     THNN_DEFINE(Tanh_updateGradInput, floating, (THNNState *, …), thnn::tanhBackward(dtype, …))
#define THNN_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(THNN_DEFINE_, op, args, __VA_ARGS__)
#define THNN_DEFINE_(Name, op, args, ...)                 \
  void THNN_##Name##op args {                             \
    [[maybe_unused]] constexpr THDtype dtype = TH_##Name; \
    using T [[maybe_unused]] = th::Element<TH_##Name>;    \
    __VA_ARGS__;                                          \
  }
