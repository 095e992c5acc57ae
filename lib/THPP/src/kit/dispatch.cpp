#include "stored.h"

#include <atomic>

namespace thpp {

void throw_kernel(const char *name, THDtype dtype) {
  THError(TH_ERROR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", name, TH_typeName(dtype));
}

static std::string kernel_on(THDevice device, const char *name) {
  return std::string(name) + "_" + TH_deviceName(THDeviceKind(device.kind));
}
std::string kernel_for(const Tensor &self, const char *name) {
  return kernel_on(has_values(self) ? self.device() : THDevice{TH_CPU, 0}, name);
}

void throw_kernel(const char *name, const Backend &on, THDtype dtype, Refusal refusal) {
  if (is_complex(dtype) && refusal.no_complex) THError(refusal.kind, "%s", refusal.no_complex);
  if (refusal.message) throw_kernel(refusal.message, dtype);
  throw_kernel(kernel_on(on.device, name).c_str(), dtype);
}

Tensor new_foreign_result(THDevice device, THDtype dtype) {
  const int64_t none = 0;
  return Tensor::steal(THTensor_newWithSizeOn(device, dtype, 1, &none));
}

void throw_exact(const char *name, const Backend &on, THDtype dtype, Refusal refusal, bool missing, const Tensor &out,
                 const Tensor &self) {
  if (!missing && (!is_complex(dtype) || !refusal.no_complex)) check_exact(out, self);
  throw_kernel(name, on, dtype, refusal);
}

void check_exact(const Tensor &out, const Tensor &self) {
  if (!out.defined()) return;
  const THTensor *input = self.get();
  THTensor_checkPointwise(out.get(), 1, &input);
  if (out.dtype() != self.dtype()) throw_out(self.dtype(), out.dtype());
}

void check_pointwise(THDtype result, const Tensor &out, std::span<const THTensor *const> operands) {
  const THTensor *defined[8];
  int n = 0;
  for (const THTensor *operand : operands)
    if (operand) defined[n++] = operand;
  if (out.defined()) THTensor_checkPointwise(out.get(), n, defined);
  if (out.defined() && !can_cast(result, out.dtype())) throw_cast(result, out.dtype());
  int64_t size[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(n, defined, size);
  const bool in_place = std::find(defined, defined + n, out.get()) != defined + n;
  if (in_place && !std::ranges::equal(out.sizes(), IntList(size, size_t(ndim))))
    THError(TH_ERROR_RUNTIME, "output with shape %s doesn't match the broadcast shape", shape_text(out).c_str());
}

void throw_pointwise(const char *name, const Backend &on, THDtype dtype, THDtype result, Refusal refusal, bool missing,
                     const Tensor &out, std::span<const THTensor *const> operands) {
  if (!missing) check_pointwise(result, out, operands);
  throw_kernel(name, on, dtype, refusal);
}

THDtype promote(TensorList tensors) {
  std::vector<const Tensor *> all;
  for (const Tensor &tensor : tensors) all.push_back(&tensor);
  return result_type(all);
}

void throw_dtypes(THDtype a, THDtype b) {
  THError(TH_ERROR_RUNTIME, "expected all tensors to have the same dtype, but got torch.%s and torch.%s",
          TH_dtypeName(a), TH_dtypeName(b));
}

void throw_cast(THDtype from, THDtype to) {
  THError(TH_ERROR_RUNTIME, "result type %s can't be cast to the desired output type %s", TH_typeName(from),
          TH_typeName(to));
}

void throw_out(THDtype expected, THDtype found) {
  THError(TH_ERROR_RUNTIME, "Expected out tensor to have dtype torch.%s, but got torch.%s instead",
          TH_dtypeName(expected), TH_dtypeName(found));
}

void warn_if_discards(THDtype from, THDtype to) {
  static std::atomic_flag warned;
  if (!is_complex(from) || is_complex(to) || to == TH_Bool || warned.test_and_set()) return;
  warn("Casting complex values to real discards the imaginary part");
}

uint64_t dim_mask(IntList dims, int ndim) {
  if (dims.empty()) return TH_ALL_DIMS;
  uint64_t mask = 0;
  for (int64_t dim : dims) {
    const int wrapped = TH_wrapDim(dim, ndim);
    const uint64_t bit = uint64_t(1) << wrapped;
    if (mask & bit) THError(TH_ERROR_RUNTIME, "dim %d appears multiple times in the list of dims", wrapped);
    mask |= bit;
  }
  return mask;
}

void check_ndim(const Tensor &tensor, int ndim, const char *name) {
  if (tensor.dim() == ndim) return;
  const char *expected = ndim == 1 ? "vector" : ndim == 2 ? "matrix" : "3D tensor";
  THError(TH_ERROR_RUNTIME, "%s must be a %s, but its shape is %s", name, expected, shape_text(tensor).c_str());
}

Tensor expand_to(const Tensor &tensor, IntList size, const Tensor &result) {
  if (std::ranges::equal(tensor.sizes(), size)) return tensor;
  if (tensor.is_same(result))
    THError(TH_ERROR_RUNTIME, "the result of this in-place operation has another shape than self, which has %s",
            shape_text(tensor).c_str());
  return Tensor::steal(THTensor_newExpand(tensor.get(), int(size.size()), size.data()));
}

std::string shape_text(const Tensor &tensor) {
  char buffer[256];
  TH_sizeString(tensor.dim(), tensor.get()->size, buffer, sizeof buffer);
  return buffer;
}

}  // namespace thpp
