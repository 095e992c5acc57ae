// Elementwise operators of declarations/elementwise.cwrap that are more than one kernel.
#include "results.h"

#include <cmath>

#include "bodies.h"
#include "stored.h"

namespace thpp {

// ---- checks ------------------------------------------------------------------------------------
void check_addcdiv(THDtype, const Tensor &, const Tensor &tensor1, const Tensor &tensor2, const Scalar &) {
  if (is_inexact(tensor1.dtype()) || is_inexact(tensor2.dtype())) return;
  THError(TH_ERROR_RUNTIME,
          "Integer division with addcdiv is no longer supported: input + value * tensor1 / tensor2 divides exactly, "
          "and input + value * torch.div(tensor1, tensor2, rounding_mode='trunc') gives integers.");
}

namespace {

void check_lerp_dtype(const Tensor &self, const Tensor &other, const char *name) {
  if (other.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME, "expected dtype %s for `%s` but got dtype %s", TH_typeName(self.dtype()), name,
            TH_typeName(other.dtype()));
}

}  // namespace

void check_lerp(THDtype, const Tensor &self, const Tensor &end, const Scalar &) { check_lerp_dtype(self, end, "end"); }
void check_lerp_tensor(THDtype, const Tensor &self, const Tensor &end, const Tensor &weight) {
  check_lerp_dtype(self, end, "end");
  if (weight.dim()) check_lerp_dtype(self, weight, "weight");
}

void check_heaviside(THDtype, const Tensor &self, const Tensor &values) {
  if (self.dtype() != values.dtype())
    THError(TH_ERROR_RUNTIME, "heaviside is not yet implemented for tensors with different dtypes.");
}

// ---- numbers by their bits ---------------------------------------------------------------------
namespace {

void require_bool(const char *name, const Tensor &out) {
  if (out.defined() && out.dtype() != TH_Bool)
    THError(TH_ERROR_RUNTIME, "%s does not support non-boolean outputs.", name);
}

void all_false(Tensor &out, const Tensor &self) {
  target(out, self.device(), TH_Bool);
  thpp::_resize_as_(out, self);
  thpp::zero_(out);
}

void is_infinity(const char *name, Tensor &out, const Tensor &self, double infinity) {
  require_bool(name, out);
  if (is_complex(self.dtype())) THError(TH_ERROR_RUNTIME, "%s does not support complex inputs.", name);
  if (is_floating(self.dtype())) return thpp::eq_out(out, self, wrapped_number(infinity));
  all_false(out, self);
}

}  // namespace

void body::nan_to_num_out(Tensor &out, const Tensor &self, std::optional<double> nan, std::optional<double> posinf,
                          std::optional<double> neginf) {
  if (out.defined() && out.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME, "nan_to_num: dtype of out: %s should be same as input: %s", TH_typeName(out.dtype()),
            TH_typeName(self.dtype()));
  require_kernel("nan_to_num", self, 1u << TH_ComplexHalf);
  if (!out.defined()) out = thpp::empty_like(self);
  if (is_complex(self.dtype())) {
    thpp::_resize_as_(out, self);
    for (Tensor (*part)(const Tensor &) : {thpp::real, thpp::imag}) {
      Tensor to = part(out);
      thpp::nan_to_num_out(to, part(self), nan, posinf, neginf);
    }
    return;
  }
  if (!is_floating(self.dtype())) {
    exact_target(out, self.device(), self.dtype());
    return copy_to(out, self, self.dtype());
  }
  const double most = TH_finfoMax(self.dtype());
  thpp::_nan_to_num_out(out, self, nan.value_or(0), posinf.value_or(most), neginf.value_or(-most));
}

void body::relu_out(Tensor &out, const Tensor &self) {
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "Boolean inputs not supported for relu");
  thpp::clamp_min_out(out, self, wrapped_number(0));
}

void body::signbit_out(Tensor &out, const Tensor &self) {
  require_bool("signbit", out);
  if (is_wide_unsigned(self.dtype())) return all_false(out, self);
  thpp::_signbit_out(out, self);
}
void body::isposinf_out(Tensor &out, const Tensor &self) { is_infinity("isposinf", out, self, INFINITY); }
void body::isneginf_out(Tensor &out, const Tensor &self) { is_infinity("isneginf", out, self, -INFINITY); }

void body::frexp_out(Tensor &mantissa, Tensor &exponent, const Tensor &self) {
  const THDtype t = self.dtype();
  if (!is_floating(t)) THError(TH_ERROR_RUNTIME, "torch.frexp() only supports floating-point dtypes");
  if (mantissa.defined() && mantissa.dtype() != t)
    THError(TH_ERROR_RUNTIME, "torch.frexp() expects mantissa to have dtype %s but got %s", TH_typeName(t),
            TH_typeName(mantissa.dtype()));
  if (exponent.defined() && exponent.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME, "torch.frexp() expects exponent to have int dtype but got %s",
            TH_typeName(exponent.dtype()));
  if (!mantissa.defined()) mantissa = thpp::empty_like(self);
  if (!exponent.defined()) exponent = thpp::empty_like(self, TH_Int);
  thpp::_frexp_(mantissa, exponent, self);
}

// ---- by composition where there is no kernel ---------------------------------------------------------
void body::ldexp_out(Tensor &out, const Tensor &self, const Tensor &other) {
  const THDtype t = self.dtype(), n = other.dtype();
  const bool computed = !is_stored(t) && !is_stored(n), kernel = is_floating(t) && !is_inexact(n);
  if (kernel && (1u << t | 1u << n) & kRounded && has_values(self)) {
    const THTensor *const operands[] = {self.get(), other.get()};
    check_pointwise(t, out, operands);
    for (const Tensor *operand : {&self, &other}) require_computed(kernel_for(*operand, "ldexp").c_str(), *operand);
  }
  if (kernel || (computed && !is_complex(t) && !is_complex(n))) return thpp::_ldexp_out(out, self, other);
  thpp::mul_out(out, self, thpp::pow(is_complex(t) ? thpp::scalar_tensor(2, t) : wrapped_number(2.0), other));
}

// ---- float64 powers ----------------------------------------------------------------------------
namespace {

THDtype widest(THDtype dtype) { return is_complex(dtype) ? TH_ComplexDouble : TH_Double; }

void require_widest(const Tensor &out, const Tensor *self, THDtype dtype) {
  if (!out.defined() || out.dtype() == dtype) return;
  if (self && out.is_same(*self))
    THError(TH_ERROR_RUNTIME,
            "the base given to float_power_ has dtype %s but the operation's result requires dtype %s",
            TH_typeName(out.dtype()), TH_typeName(dtype));
  THError(TH_ERROR_RUNTIME, "the output given to float_power has dtype %s but the operation's result requires dtype %s",
          TH_typeName(out.dtype()), TH_typeName(dtype));
}

}  // namespace

void body::float_power_out(Tensor &out, const Tensor &self, const Tensor &exponent) {
  const THDtype t = std::max(widest(self.dtype()), widest(exponent.dtype()));
  require_widest(out, &self, t);
  thpp::pow_out(out, thpp::to(self, t), thpp::to(exponent, t));
}
void body::float_power_out(Tensor &out, const Tensor &self, const Scalar &exponent) {
  const THDtype t = exponent.is_complex() ? TH_ComplexDouble : widest(self.dtype());
  require_widest(out, &self, t);
  thpp::pow_out(out, thpp::to(self, t), exponent.is_complex() ? exponent : Scalar(exponent.to_double()));
}
void body::float_power_out(Tensor &out, const Scalar &self, const Tensor &exponent) {
  const THDtype t = self.is_complex() ? TH_ComplexDouble : widest(exponent.dtype());
  require_widest(out, nullptr, t);
  thpp::pow_out(out, self.is_complex() ? self : Scalar(self.to_double()), thpp::to(exponent, t));
}

// ---- membership --------------------------------------------------------------------------------
namespace {

void check_isin(const Tensor &elements, const Tensor &test_elements) {
  constexpr uint32_t refused = 1u << TH_Bool | 1u << TH_ComplexFloat | 1u << TH_ComplexDouble;
  for (const Tensor *operand : {&elements, &test_elements})
    if (refused >> operand->dtype() & 1)
      THError(TH_ERROR_RUNTIME, "Unsupported input type encountered for isin(): %s", TH_typeName(operand->dtype()));
}

}  // namespace

void body::isin_out(Tensor &out, const Tensor &elements, const Tensor &test_elements, bool, bool invert) {
  check_isin(elements, test_elements);
  exact_target(out, elements.device(), TH_Bool);
  const THDtype t = promote(elements, test_elements);
  thpp::_isin_out(out, thpp::to(elements, t), thpp::to(test_elements, t), invert);
}
void body::isin_out(Tensor &out, const Scalar &element, const Tensor &test_elements, bool unique, bool invert) {
  const THDtype t = promote(wrapped_number(element), test_elements);
  const Tensor number = wrapped_number(element);
  check_isin(number, test_elements);
  const Tensor elements = thpp::to(number, t, false, test_elements.device());
  thpp::isin_out(out, elements, test_elements, unique, invert);
}
void body::isin_out(Tensor &out, const Tensor &elements, const Scalar &test_element, bool, bool invert) {
  const Tensor number = wrapped_number(test_element);
  check_isin(elements, number);
  exact_target(out, elements.device(), TH_Bool);
  invert ? thpp::ne_out(out, elements, number) : thpp::eq_out(out, elements, number);
}

}  // namespace thpp
