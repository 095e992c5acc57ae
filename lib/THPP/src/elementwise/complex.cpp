// Complex tensors and their parts.
#include "creation.h"

#include <cmath>

#include "bodies.h"

namespace thpp {

namespace {

// Real part (0) or imaginary part (1).
Tensor part(const Tensor &self, int64_t which) {
  std::vector<int64_t> stride(self.strides().begin(), self.strides().end());
  for (int64_t &step : stride) step = TH_saturatedProduct(step, 2);
  return reinterpreted(self, real_dtype(self.dtype()),
                       TH_saturatedSum(TH_saturatedProduct(self.storage_offset(), 2), which), self.sizes(), stride);
}

// Whether numbers of a dtype can be a complex dtype's parts.
bool has_complex(THDtype dtype) { return dtype == TH_Half || dtype == TH_Float || dtype == TH_Double; }

}  // namespace

Tensor body::real(const Tensor &self) { return is_complex(self.dtype()) ? part(self, 0) : self; }

Tensor body::imag(const Tensor &self) {
  if (!is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME, "imag is not implemented for tensors with non-complex dtypes.");
  return part(self, 1);
}

Tensor body::view_as_real(const Tensor &self) {
  if (!is_complex(self.dtype())) THError(TH_ERROR_RUNTIME, "view_as_real is only supported for complex tensors");
  std::vector<int64_t> size(self.sizes().begin(), self.sizes().end());
  std::vector<int64_t> stride(self.strides().begin(), self.strides().end());
  for (int64_t &step : stride) step = TH_saturatedProduct(step, 2);
  size.push_back(2);
  stride.push_back(1);
  return reinterpreted(self, real_dtype(self.dtype()), TH_saturatedProduct(self.storage_offset(), 2), size, stride);
}

Tensor body::view_as_complex(const Tensor &self) {
  if (!has_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME,
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: %s",
            TH_typeName(self.dtype()));
  if (self.dim() == 0) THError(TH_ERROR_RUNTIME, "Input tensor must have one or more dimensions");
  const int last = self.dim() - 1;
  if (self.size(last) != 2) THError(TH_ERROR_RUNTIME, "Tensor must have a last dimension of size 2");
  if (self.strides()[last] != 1) THError(TH_ERROR_RUNTIME, "Tensor must have a last dimension with stride 1");
  const auto halved = [](int64_t n, const char *what) {
    if (n % 2) THError(TH_ERROR_RUNTIME, "Tensor must have a %s divisible by 2", what);
    return n / 2;
  };
  const IntList size = self.sizes().first(last);
  std::vector<int64_t> stride;
  for (int64_t step : self.strides().first(last)) stride.push_back(halved(step, "stride"));
  return reinterpreted(self, complex_dtype(self.dtype()), halved(self.storage_offset(), "storage_offset"), size,
                       stride);
}

Tensor body::conj(const Tensor &self) { return is_complex(self.dtype()) ? thpp::conj_physical(self) : self; }

void body::conj_physical_out(Tensor &out, const Tensor &self) {
  if (is_complex(self.dtype())) return thpp::_conj_out(out, self);
  if (!out.defined()) out = self;
  if (out.is_same(self)) return;
  check_exact(out, self);
  THTensor_checkDistinct(out.get());
  thpp::_resize_as_(out, self);
  thpp::_copy_(out, self);
}

void body::sgn_out(Tensor &out, const Tensor &self) {
  is_complex(self.dtype()) ? thpp::_sgn_out(out, self) : thpp::sign_out(out, self);
}

void body::angle_out(Tensor &out, const Tensor &self) {
  if (is_complex(self.dtype())) return thpp::_angle_out(out, self);
  const THDtype t = floating(self.dtype());
  const Tensor x = thpp::to(self, t);
  // 0 or pi; NaN stays NaN
  thpp::add_out(out, thpp::mul(thpp::to(thpp::lt(x, wrapped_number(0)), t), wrapped_number(M_PI)),
                thpp::where(thpp::ne(x, x), x, wrapped_number(0)));
}

namespace {

// Both of one floating dtype; the result's.
THDtype parts_dtype(const Tensor &first, const Tensor &second) {
  if (!has_complex(first.dtype()) || !has_complex(second.dtype()))
    THError(TH_ERROR_RUNTIME, "Expected both inputs to be Half, Float or Double tensors but got %s and %s",
            TH_typeName(first.dtype()), TH_typeName(second.dtype()));
  if (first.dtype() != second.dtype())
    THError(TH_ERROR_RUNTIME, "Expected object of scalar type %s but got scalar type %s for second argument",
            TH_typeName(first.dtype()), TH_typeName(second.dtype()));
  return complex_dtype(first.dtype());
}
// They are made by kernels that are told the result's dtype.
Tensor &target_of_parts(Tensor &out, THDevice device, THDtype dtype) {
  if (out.defined() && out.dtype() != dtype)
    THError(TH_ERROR_RUNTIME, "Expected object of scalar type %s but got scalar type %s for argument 'out'",
            TH_typeName(dtype), TH_typeName(out.dtype()));
  if (!out.defined()) out = new_result(device, dtype);
  return out;
}

}  // namespace

void body::complex_out(Tensor &out, const Tensor &real, const Tensor &imag) {
  const THDtype dtype = parts_dtype(real, imag);
  thpp::_complex_out(target_of_parts(out, real.device(), dtype), real, imag);
}
void body::polar_out(Tensor &out, const Tensor &abs, const Tensor &angle) {
  const THDtype dtype = parts_dtype(abs, angle);
  thpp::_polar_out(target_of_parts(out, abs.device(), dtype), abs, angle);
}

Tensor body::adjoint(const Tensor &self) {
  if (self.dim() == 1)
    THError(TH_ERROR_RUNTIME, "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.");
  return thpp::conj(self.dim() ? thpp::transpose(self, -2, -1) : self);
}

Tensor body::resolved(const Tensor &self) { return self; }
bool body::is_conj(const Tensor &) { return false; }
bool body::is_neg(const Tensor &) { return false; }

Tensor body::isreal(const Tensor &self) {
  return is_complex(self.dtype()) ? thpp::eq(thpp::imag(self), wrapped_number(0)) : thpp::ones_like(self, TH_Bool);
}

}  // namespace thpp
