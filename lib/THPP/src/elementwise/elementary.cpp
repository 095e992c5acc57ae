// Functions of one operand that are more than one kernel.
#include "results.h"

#include "bodies.h"

namespace thpp {

void body::square_out(Tensor &out, const Tensor &self) {
  if (self.dtype() == TH_Bool)
    copy_to(out, self, TH_Long);
  else
    thpp::_square_out(out, self);
}

namespace {

void rounded(Tensor &out, const Tensor &self, const char *name, void (*kernel)(Tensor &, const Tensor &)) {
  if (is_floating(self.dtype())) return kernel(out, self);
  const bool is_round = kernel == _round_out;  // which looks at its result first
  if (!is_complex(self.dtype()) || is_round) check_exact(out, self);
  if (is_complex(self.dtype())) THError(TH_ERROR_NOT_IMPLEMENTED, "%s is not supported for complex inputs", name);
  if (self.dtype() == TH_Bool) throw_kernel(kernel_for(self, name).c_str(), TH_Bool);
  copy_to(out, self, self.dtype());
}

}  // namespace

void body::floor_out(Tensor &out, const Tensor &self) { rounded(out, self, "floor", _floor_out); }

void body::ceil_out(Tensor &out, const Tensor &self) { rounded(out, self, "ceil", _ceil_out); }

void body::round_out(Tensor &out, const Tensor &self) { rounded(out, self, "round", _round_out); }

void body::trunc_out(Tensor &out, const Tensor &self) { rounded(out, self, "trunc", _trunc_out); }

Tensor body::positive(const Tensor &self) {
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

void body::abs_out(Tensor &out, const Tensor &self) {
  if (!is_complex(self.dtype())) return thpp::_abs_out(out, self);
  if (out.is_same(self)) THError(TH_ERROR_RUNTIME, "In-place abs is not supported for complex tensors.");
  thpp::_abs_complex_out(out, self);
}

}  // namespace thpp
