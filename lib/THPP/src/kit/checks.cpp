// Checks that declarations name: called with the dtype computed in and all arguments.
#include "dispatch.h"

#include "bodies.h"

namespace thpp {

void check_alpha(THDtype t, const Tensor &, const Tensor &, const Scalar &alpha) { THCheck_factor(t, "alpha", alpha); }

void check_sub(THDtype t, const Tensor &self, const Tensor &other, const Scalar &alpha) {
  const bool a = self.dtype() == TH_Bool, b = other.dtype() == TH_Bool;
  if (a && b)
    THError(
        TH_ERROR_RUNTIME,
        "Subtraction, the `-` operator, with two bool tensors is not supported; `^`, torch.logical_xor, is true where "
        "they differ");
  if (a || b)
    THError(
        TH_ERROR_RUNTIME,
        "Subtraction, the `-` operator, with a bool tensor is not supported; `~`, torch.logical_not, inverts a mask");
  check_alpha(t, self, other, alpha);
}

void check_neg(THDtype t, const Tensor &) {
  if (t == TH_Bool)
    THError(TH_ERROR_RUNTIME,
            "Negation, the `-` operator, on a bool tensor is not supported; `~`, torch.logical_not, inverts a mask");
}

void check_holds(THDtype t, const Tensor &operand, bool one) {
  if (!operand.defined() || !operand.is_wrapped_number() || operand.dtype() == t) return;
  const Scalar number = operand.item();
  const bool small = !number.is_complex() && number.to_double() >= 0 && number.to_double() <= 127;
  static constexpr int64_t none[] = {0};
  if (!small) thpp::full(one ? IntList() : IntList(none), number, t);  // which raises
}

Scalar factor_in(THDtype t, const Scalar &factor, const Tensor &operand) {
  if (!is_stored(t) || !has_values(operand)) return factor;
  const Tensor rounded = thpp::full({}, factor, t);
  return is_wide_unsigned(t) ? thpp::view_dtype(rounded, kernels_of(t)).item() : rounded.item();
}

void check_clamp(THDtype t, const Tensor &self, const Tensor &min, const Tensor &max) {
  THCheck_bounds(min.get(), max.get());
  if (min.defined() && max.defined() && min.is_wrapped_number() != max.is_wrapped_number() && (min.dim() || max.dim()))
    THError(TH_ERROR_TYPE,
            "clamp() received an invalid combination of arguments: one bound is a number, the other a tensor of %d "
            "dimensions",
            std::max(min.dim(), max.dim()));
  if (has_values(self)) check_holds(t, min), check_holds(t, max);
  // Bools have one bound, a tensor.
  if (t == TH_Bool && ((min.defined() && max.defined()) || (min.defined() ? min : max).is_wrapped_number()))
    throw_kernel(kernel_for(self, "clamp").c_str(), t);
}
void check_clamp_min(THDtype t, const Tensor &self, const Tensor &min) { check_clamp(t, self, min, {}); }
void check_clamp_max(THDtype t, const Tensor &self, const Tensor &max) { check_clamp(t, self, {}, max); }

void check_mean(THDtype t, const Tensor &self, IntList, bool, std::optional<THDtype> dtype) {
  if (is_inexact(t)) return;
  if (dtype)
    THError(TH_ERROR_RUNTIME, "mean(): the dtype argument must be a floating point dtype, not torch.%s",
            TH_dtypeName(t));
  THError(TH_ERROR_RUNTIME, "mean(): could not infer output dtype. Input dtype must be a floating point dtype. Got: %s",
          TH_typeName(self.dtype()));
}

void check_nonempty(THDtype, const Tensor &self) { THCheck_notEmpty("max(), min()", self.get(), TH_ALL_DIMS); }

void check_extremum(THDtype t, const Tensor &self, IntList dim, bool) {
  if (dim.empty()) return check_nonempty(t, self);
  if (self.numel()) return;
  uint64_t dims = 0;
  for (int64_t d : dim) dims |= uint64_t(1) << TH_wrapDim(d, self.dim());
  THCheck_notEmpty("amax(), amin()", self.get(), dims);
}

// The dimension, before a dtype that has no kernel is refused.
static void check_order_dim(const char *name, const Tensor &self, int64_t dim) {
  THCheck_notEmpty(name, self.get(), uint64_t(1) << TH_wrapDim(dim, self.dim()));
}
void check_median(THDtype, const Tensor &self, int64_t dim, bool) { check_order_dim("median", self, dim); }
void check_nanmedian(THDtype, const Tensor &self, int64_t dim, bool) { check_order_dim("nanmedian", self, dim); }
void check_kthvalue(THDtype, const Tensor &self, int64_t k, int64_t dim, bool) {
  THCheck_kthvalue(self.get(), k, TH_wrapDim(dim, self.dim()));
}

void check_topk(THDtype, const Tensor &self, int64_t k, int64_t dim, bool, bool) {
  THCheck_topk(self.get(), k, TH_wrapDim(dim, self.dim()));
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "topk(): bool tensors are not supported");
}

void check_uniform(THDtype, const Tensor &, double from, double to, THGenerator *) { THCheck_uniform(from, to); }

void check_normal(THDtype, const Tensor &, double, double std, THGenerator *) { THCheck_normal(std); }

void check_index_select(THDtype, const Tensor &, int64_t, const Tensor &index) {
  THTensor_checkIndex(index.get(), "index_select");
}

void check_mask(THDtype, const Tensor &, const Tensor &mask) {
  if (mask.dtype() != TH_Bool)
    THError(TH_ERROR_RUNTIME, "masked_select: expected BoolTensor for mask, but got torch.%s",
            TH_dtypeName(mask.dtype()));
}

void check_dot(THDtype, const Tensor &self, const Tensor &tensor) { THCheck_dot(self.get(), tensor.get()); }

void check_mm(THDtype, const Tensor &self, const Tensor &mat2) { THCheck_addmm(self.get(), mat2.get()); }
void check_mv(THDtype, const Tensor &self, const Tensor &vec) { THCheck_addmv(nullptr, self.get(), vec.get()); }
void check_bmm(THDtype, const Tensor &self, const Tensor &mat2) { THCheck_baddbmm(self.get(), mat2.get()); }

void check_addmm(THDtype, const Tensor &, const Tensor &mat1, const Tensor &mat2, const Scalar &, const Scalar &) {
  THCheck_addmm(mat1.get(), mat2.get());
}

void check_addbmm(THDtype, const Tensor &, const Tensor &batch1, const Tensor &batch2, const Scalar &, const Scalar &) {
  THCheck_addbmm(batch1.get(), batch2.get());
}

void check_baddbmm(THDtype, const Tensor &, const Tensor &batch1, const Tensor &batch2, const Scalar &,
                   const Scalar &) {
  THCheck_baddbmm(batch1.get(), batch2.get());
}

void check_addmv(THDtype, const Tensor &, const Tensor &mat, const Tensor &vec, const Scalar &, const Scalar &) {
  THCheck_addmv(nullptr, mat.get(), vec.get());
}

void check_addr(THDtype t, const Tensor &, const Tensor &, const Tensor &, const Scalar &beta, const Scalar &alpha) {
  THCheck_factor(t, "beta", beta);
  THCheck_factor(t, "alpha", alpha);
}

}  // namespace thpp
