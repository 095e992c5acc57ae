// Which dtype comes out when several meet.
#include <THPP/Tensor.h>

namespace thpp {

namespace {

THDtype default_ = TH_Float;

}  // namespace

THDtype default_dtype() { return default_; }

void set_default_dtype(THDtype dtype) {
  if (TH_kind(dtype) != TH_KIND_float)
    THError(TH_ERROR_TYPE, "only floating-point types are supported as the default type");
  default_ = dtype;
}

// The higher kind wins, with its own width. Inside a kind the wider one wins; two of equal width
// that hold different numbers give the next that holds both: uint8 and a signed integer the next
// signed one, float16 and bfloat16 float32.
THDtype promote_types(THDtype a, THDtype b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);  // rows of TH_DTYPES are sorted by kind, then by width
  if (a == TH_Byte && b == TH_Char) return TH_Short;
  if (a == TH_Half && b == TH_BFloat16) return TH_Float;
  if (a == TH_Double && b == TH_ComplexFloat) return TH_ComplexDouble;
  return b;
}

THDtype complex_dtype(THDtype real) {
  return real == TH_Double || real == TH_ComplexDouble ? TH_ComplexDouble : TH_ComplexFloat;
}
THDtype real_dtype(THDtype dtype) {
  return dtype == TH_ComplexFloat ? TH_Float : dtype == TH_ComplexDouble ? TH_Double : dtype;
}

bool can_cast(THDtype from, THDtype to) { return TH_kind(from) <= TH_kind(to); }

THDtype result_type(std::span<const Tensor *const> tensors) {
  int best[3] = {-1, -1, -1};  // of dimensioned tensors, 0-dim tensors, wrapped numbers
  for (const Tensor *tensor : tensors) {
    if (!tensor->defined()) continue;
    THDtype dtype = tensor->dtype();
    int group = tensor->dim() > 0 ? 0 : 1;
    if (tensor->is_wrapped_number()) {
      group = 2;
      if (TH_kind(dtype) == TH_KIND_float) dtype = default_;
      if (TH_kind(dtype) == TH_KIND_complex) dtype = complex_dtype(default_);
    }
    best[group] = best[group] < 0 ? dtype : promote_types(THDtype(best[group]), dtype);
  }
  int result = best[0];
  for (int group = 1; group < 3; ++group)
    if (best[group] >= 0 && (result < 0 || TH_kind(THDtype(best[group])) > TH_kind(THDtype(result))))
      result = result < 0                                  ? best[group]
               : TH_kind(THDtype(result)) == TH_KIND_float ? complex_dtype(THDtype(result))
                                                           : promote_types(THDtype(result), THDtype(best[group]));
  if (result < 0) THError(TH_ERROR_RUNTIME, "result_type(): there is no tensor");
  return THDtype(result);
}

Tensor wrapped_number(Scalar value) {
  const THDtype dtype = value.kind == TH_KIND_bool    ? TH_Bool
                        : value.kind == TH_KIND_int   ? TH_Long
                        : value.kind == TH_KIND_float ? TH_Double
                                                      : TH_ComplexDouble;
  Tensor result = Tensor::steal(THTensor_newWithScalar(dtype, value));
  result.get()->flags |= TH_WRAPPED_NUMBER;
  return result;
}

}  // namespace thpp
