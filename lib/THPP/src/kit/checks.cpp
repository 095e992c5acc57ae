// Checks that declarations name: called with the dtype computed in and all arguments.
#include "dispatch.h"

#include "bodies.h"

namespace thpp {

void check_alpha(THDtype t, const Tensor &, const Tensor &, const Scalar &alpha) {
  if (alpha.kind >= TH_KIND_float && !is_inexact(t))
    THError(TH_ERROR_RUNTIME, "For integral input tensors, argument alpha must not be a floating point number.");
  if (alpha.kind == TH_KIND_bool && t != TH_Bool)
    THError(TH_ERROR_RUNTIME, "Boolean alpha only supported for Boolean results.");
}

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
  return is_stored(t) && is_inexact(t) && has_values(operand) ? thpp::full({}, factor, t).item() : factor;
}

void check_clamp(THDtype t, const Tensor &self, const Tensor &min, const Tensor &max) {
  if (!min.defined() && !max.defined())
    THError(TH_ERROR_RUNTIME, "torch.clamp: At least one of 'min' or 'max' must not be None");
  if (min.defined() && max.defined() && min.is_wrapped_number() != max.is_wrapped_number() && (min.dim() || max.dim()))
    THError(TH_ERROR_TYPE,
            "clamp() received an invalid combination of arguments: one bound is a number, the other a tensor of %d "
            "dimensions",
            std::max(min.dim(), max.dim()));
  if (has_values(self)) check_holds(t, min), check_holds(t, max);
  // Bools have one bound, a tensor.
  if (t == TH_Bool && ((min.defined() && max.defined()) || (min.defined() ? min : max).is_wrapped_number()))
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"clamp_cpu\" not implemented for 'Bool'");
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

void check_nonempty(THDtype, const Tensor &self) {
  if (self.numel() == 0)
    THError(TH_ERROR_RUNTIME, "max(), min(): Expected reduction dim to be specified for input.numel() == 0.");
}

void check_extremum(THDtype t, const Tensor &self, IntList dim, bool) {
  if (dim.empty()) return check_nonempty(t, self);
  if (self.numel()) return;
  for (int64_t d : dim) {
    const int wrapped = TH_wrapDim(d, self.dim());
    if (self.size(wrapped) == 0)
      THError(TH_ERROR_INDEX, "amax(), amin(): Expected reduction dim %d to have non-zero size.", wrapped);
  }
}

// The dimension, before a dtype that has no kernel is refused. Returns its size.
static int64_t check_order_dim(const char *name, const Tensor &self, int64_t dim) {
  const int d = TH_wrapDim(dim, self.dim());
  const int64_t size = self.dim() ? self.size(d) : 1;
  if (size == 0) THError(TH_ERROR_INDEX, "%s(): Expected reduction dim %d to have non-zero size.", name, d);
  return size;
}
void check_median(THDtype, const Tensor &self, int64_t dim, bool) { check_order_dim("median", self, dim); }
void check_nanmedian(THDtype, const Tensor &self, int64_t dim, bool) { check_order_dim("nanmedian", self, dim); }
void check_kthvalue(THDtype, const Tensor &self, int64_t k, int64_t dim, bool) {
  const int64_t size = check_order_dim("kthvalue", self, dim);
  if (k < 1 || k > size)
    THError(TH_ERROR_RUNTIME, "kthvalue(): selected number k out of range for dimension %d",
            TH_wrapDim(dim, self.dim()));
}

void check_topk(THDtype, const Tensor &self, int64_t k, int64_t dim, bool, bool) {
  const int d = TH_wrapDim(dim, self.dim());
  const int64_t size = self.dim() ? self.size(d) : 1;
  if (k < 0 || k > size) THError(TH_ERROR_RUNTIME, "selected index k out of range");
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "topk(): bool tensors are not supported");
}

void check_uniform(THDtype, const Tensor &, double from, double to, THGenerator *) {
  if (!(from <= to))
    THError(TH_ERROR_RUNTIME, "uniform_ expects to return a [from, to) range, but found from=%g > to=%g", from, to);
}

void check_normal(THDtype, const Tensor &, double, double std, THGenerator *) {
  if (!(std >= 0)) THError(TH_ERROR_RUNTIME, "normal expects std >= 0.0, but found std %g", std);
}

void check_index_select(THDtype, const Tensor &, int64_t, const Tensor &index) {
  THTensor_checkIndex(index.get(), "index_select");
}

void check_mask(THDtype, const Tensor &, const Tensor &mask) {
  if (mask.dtype() != TH_Bool)
    THError(TH_ERROR_RUNTIME, "masked_select: expected BoolTensor for mask, but got torch.%s",
            TH_dtypeName(mask.dtype()));
}

void check_dot(THDtype, const Tensor &self, const Tensor &tensor) {
  if (self.dim() != 1 || tensor.dim() != 1)
    THError(TH_ERROR_RUNTIME, "1D tensors expected, but got %dD and %dD tensors", self.dim(), tensor.dim());
  if (self.numel() != tensor.numel())
    THError(TH_ERROR_RUNTIME,
            "inconsistent tensor size, expected tensor [%lld] and src [%lld] to have the same "
            "number of elements",
            (long long)self.numel(), (long long)tensor.numel());
}

void check_addmm(THDtype, const Tensor &, const Tensor &mat1, const Tensor &mat2, const Scalar &, const Scalar &) {
  if (mat1.size(1) != mat2.size(0))
    THError(TH_ERROR_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
            (long long)mat1.size(0), (long long)mat1.size(1), (long long)mat2.size(0), (long long)mat2.size(1));
}

void check_addbmm(THDtype, const Tensor &, const Tensor &batch1, const Tensor &batch2, const Scalar &, const Scalar &) {
  if (batch1.size(0) != batch2.size(0))
    THError(TH_ERROR_RUNTIME, "batch1 and batch2 must have same number of batches, got %lld and %lld",
            (long long)batch1.size(0), (long long)batch2.size(0));
  if (batch1.size(2) != batch2.size(1))
    THError(TH_ERROR_RUNTIME, "Incompatible matrix sizes for bmm (%lldx%lld and %lldx%lld)", (long long)batch1.size(1),
            (long long)batch1.size(2), (long long)batch2.size(1), (long long)batch2.size(2));
}

void check_addr(THDtype t, const Tensor &, const Tensor &, const Tensor &, const Scalar &beta, const Scalar &alpha) {
  for (const auto &[factor, name] : {std::pair(&beta, "beta"), std::pair(&alpha, "alpha")}) {
    if (factor->kind >= TH_KIND_float && !is_inexact(t))
      THError(TH_ERROR_RUNTIME, "For integral input tensors, argument %s must not be a floating point number.", name);
    if (factor->kind == TH_KIND_bool && t != TH_Bool)
      THError(TH_ERROR_RUNTIME, "Boolean %s only supported for Boolean results.", name);
  }
}

void check_addmv(THDtype, const Tensor &, const Tensor &mat, const Tensor &vec, const Scalar &, const Scalar &) {
  if (mat.size(1) != vec.size(0))
    THError(TH_ERROR_RUNTIME, "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)", (long long)mat.size(0),
            (long long)mat.size(0), (long long)mat.size(1), (long long)vec.size(0));
}

void check_baddbmm(THDtype, const Tensor &, const Tensor &batch1, const Tensor &batch2, const Scalar &,
                   const Scalar &) {
  if (batch1.size(0) != batch2.size(0) || batch1.size(2) != batch2.size(1))
    THError(TH_ERROR_RUNTIME,
            "Expected size for first two dimensions of batch2 tensor to be: [%lld, %lld] but got: "
            "[%lld, %lld].",
            (long long)batch1.size(0), (long long)batch1.size(2), (long long)batch2.size(0), (long long)batch2.size(1));
}

}  // namespace thpp
