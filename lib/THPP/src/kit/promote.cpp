// Which dtype comes out when several meet.
#include "dispatch.h"

namespace thpp {

namespace {

THDtype default_ = TH_Float;

[[noreturn]] void throw_promotion(const char *types, THDtype a, THDtype b, const char *why = "") {
  THError(TH_ERROR_RUNTIME, "Promotion for %s is not supported, attempted to promote %s and %s%s", types,
          TH_typeName(a), TH_typeName(b), why);
}

}  // namespace

THDtype default_dtype() { return default_; }

void set_default_dtype(THDtype dtype) {
  if (TH_kind(dtype) != TH_KIND_float)
    THError(TH_ERROR_TYPE, "only floating-point types are supported as the default type");
  if (is_float8(dtype))
    THError(TH_ERROR_TYPE, "torch.%s cannot be the default dtype: it has no arithmetic", TH_dtypeName(dtype));
  default_ = dtype;
}

// The higher kind wins, with its own width. Inside a kind the wider one wins; two of equal width
// that hold different numbers give the next that holds both: uint8 and a signed integer the next
// signed one, float16 and bfloat16 float32. A complex result has parts that hold a real operand.
// float8 meets only itself, uint64 no signed integer, as none holds the numbers of both; uint16 and uint32 give with one
// the narrowest that does.
static THDtype promote_unsigned(THDtype a, THDtype b) {
  if (TH_kind(b) >= TH_KIND_float) return b;
  if (!is_signed(b)) return is_wide_unsigned(b) ? std::max(a, b) : a;
  if (a == TH_UInt64)
    throw_promotion("uint16, uint32, uint64 types", a, b, ": no dtype of integers holds the numbers of both");
  return std::max(a == TH_UInt16 ? TH_Int : TH_Long, b);
}

THDtype promote_types(THDtype a, THDtype b) {
  if (a == b) return a;
  if (is_float8(a) || is_float8(b)) throw_promotion("Float8 Types", a, b);
  if (is_wide_unsigned(a)) return promote_unsigned(a, b);
  if (is_wide_unsigned(b)) return promote_unsigned(b, a);
  if (a > b) std::swap(a, b);  // rows of TH_DTYPES are sorted by kind, then by width
  if (a == TH_Byte && b == TH_Char) return TH_Short;
  if (a == TH_Half && b == TH_BFloat16) return TH_Float;
  if (TH_kind(a) == TH_KIND_float && TH_kind(b) == TH_KIND_complex) return std::max(complex_dtype(a), b);
  return b;
}

THDtype complex_dtype(THDtype real) {
  if (is_float8(real)) THError(TH_ERROR_RUNTIME, "Unknown Complex ScalarType for %s", TH_typeName(real));
  return TH_kind(real) == TH_KIND_complex ? real
         : real == TH_Double              ? TH_ComplexDouble
         : real == TH_Half                ? TH_ComplexHalf
                                          : TH_ComplexFloat;
}
THDtype real_dtype(THDtype dtype) { return TH_realDtype(dtype); }

bool is_signed(THDtype dtype) {
  return TH_kind(dtype) >= TH_KIND_float ||
         (TH_kind(dtype) == TH_KIND_int && dtype != TH_Byte && !is_wide_unsigned(dtype));
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
  for (int group = 1; group < 3; ++group) {
    if (best[group] < 0) continue;
    const THDtype weaker = THDtype(best[group]);
    if (result < 0)
      result = weaker;
    else if (TH_kind(weaker) > TH_kind(THDtype(result)))  // a complex number takes on the width of floating-point ones
      result = TH_kind(weaker) != TH_KIND_complex          ? promote_types(THDtype(result), weaker)
               : TH_kind(THDtype(result)) == TH_KIND_float ? complex_dtype(THDtype(result))
                                                           : weaker;
  }
  if (result < 0) THError(TH_ERROR_RUNTIME, "result_type(): there is no tensor");
  return THDtype(result);
}

Tensor wrapped_number(Scalar value) {
  const THDtype dtype = value.kind == TH_KIND_bool    ? TH_Bool
                        : value.kind == TH_KIND_int   ? TH_Long
                        : value.kind == TH_KIND_uint  ? TH_UInt64
                        : value.kind == TH_KIND_float ? TH_Double
                                                      : TH_ComplexDouble;
  Tensor result = Tensor::steal(THTensor_newWithScalar(dtype, value));
  result.get()->flags |= TH_WRAPPED_NUMBER;
  return result;
}

}  // namespace thpp
