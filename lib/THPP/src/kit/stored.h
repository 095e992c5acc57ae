// Pointwise operators in a dtype that has no kernel: another dtype's computes, and takes and gives any. It would not
// round to the first dtype on the way, so operands and result have that one when it is called, and factors are
// factor_in() it.
#pragma once

#include "dispatch.h"

namespace thpp {

// What every pointwise kernel refuses, without an element looked at or a tensor changed: overlap, a result that cannot
// hold this dtype, shapes that do not broadcast.
void check_pointwise(THDtype result, const Tensor &out, std::span<const THTensor *const> operands);

// A call in dtype t, with a result of dtype r. If an operand or `out` has another dtype, it is to be made with result()
// and the operands that [] gives instead; what made() names then is to be written into `out`, or is the result itself.
class Rounded {
 public:
  Rounded(THDtype t, THDtype r, Tensor &out, std::initializer_list<const Tensor *> operands);
  explicit operator bool() const { return needed_; }
  const Tensor &operator[](size_t i) const { return operands_[i]; }
  Tensor &result() { return out_.defined() && out_.dtype() == r_ ? out_ : made_; }
  const Tensor *made() {
    if (out_.defined()) return out_.dtype() == r_ ? nullptr : &made_;
    out_ = made_;
    return nullptr;
  }

 private:
  const THDtype r_;
  Tensor &out_;
  bool needed_;
  Tensor operands_[3], made_;
};

// A call in a dtype of unsigned integers that have no kernel, by that of signed ones of their width: they have the same
// bits, or the same order, which is what matters to the kernel.
class BySigned {
 public:
  enum Way { Bits, Order };
  // exact: operands of other dtypes are refused, not converted.
  BySigned(THDtype t, Way way, bool exact) : t_(t), way_(way), exact_(exact) {}
  Tensor operator()(const Tensor &operand) const;  // for an undefined one the same
  Scalar operator()(const Scalar &factor, const Tensor &operand) const { return factor_in(t_, factor, operand); }
  THDtype dtype() const { return kernels_of(t_); }
  Tensor back(const Tensor &result) const;  // in t again

 private:
  const THDtype t_;
  const Way way_;
  const bool exact_;
};

}  // namespace thpp
