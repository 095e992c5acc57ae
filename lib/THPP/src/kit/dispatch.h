// What the generated functions are made of: choosing dtypes, choosing kernels, making results.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include <TH/THCheck.h>

#include "backend.h"

namespace thpp {

// How a dtype without a kernel is refused: a complex one by `kind` and `no_complex`, if there is such a text; any as not
// implemented by `message`, else by the operator's name and the device.
struct Refusal {
  THErrorKind kind;
  const char *no_complex, *message = nullptr;
};
[[noreturn]] void throw_kernel(const char *name, THDtype dtype);
// What torch calls a kernel of that name for a tensor's device, for bodies that stand for it; on meta the CPU's.
std::string kernel_for(const Tensor &self, const char *name);
[[noreturn]] void throw_kernel(const char *name, const Backend &on, THDtype dtype, Refusal refusal);
// `missing`: the backend alone lacks it, and that is all there is to say.
[[noreturn]] void throw_pointwise(const char *name, const Backend &on, THDtype dtype, THDtype result, Refusal refusal,
                                  bool missing, const Tensor &out, std::span<const THTensor *const> operands);
[[noreturn]] void throw_exact(const char *name, const Backend &on, THDtype dtype, Refusal refusal, bool missing,
                              const Tensor &out, const Tensor &self);

// Sets of dtypes, a bit for each: of those without kernels of their own that are of a kind.
constexpr uint32_t stored_of(THKind of) {
#define THPP_BIT(Name, type, kind, kernels, name, alias) \
  | uint32_t(TH_##kernels != TH_##Name && TH_KIND_##kind == of) << TH_##Name
  return 0 TH_DTYPES(THPP_BIT);
#undef THPP_BIT
}
inline constexpr uint32_t kWideUnsigned = stored_of(TH_KIND_int), kFloat8 = stored_of(TH_KIND_float),
                          kStored = kWideUnsigned | kFloat8 | stored_of(TH_KIND_complex),
                          kRounded = kStored & ~kWideUnsigned;  // for which wider ones compute, where anything does
static_assert(TH_NUM_DTYPES <= 32);
inline bool is_stored(THDtype dtype) { return kStored >> dtype & 1; }

// The dtype whose kernels compute on a dtype's bits, or on wider numbers: its own where it has kernels.
inline THDtype kernels_of(THDtype dtype) {
  static constexpr THDtype kernels[] = {
#define THPP_KERNELS(Name, type, kind, kernels, name, alias) TH_##kernels,
      TH_DTYPES(THPP_KERNELS)
#undef THPP_KERNELS
  };
  return kernels[dtype];
}

// Of a function that serves every dtype but those of a set; on meta, without elements, it serves them all.
inline void require_kernel(const char *name, const Tensor &self, uint32_t refused) {
  if (refused >> self.dtype() & 1 && self.device().kind != TH_Meta) [[unlikely]]
    throw_kernel(name, self.dtype());
}

// Of a function that serves the dtypes with kernels, and integers.
inline void require_computed(const char *name, const Tensor &self) { require_kernel(name, self, kRounded); }

// A kernel for each dtype that it exists for: the CPU's here, another backend's in its table.
template <class F>
struct Kernel {
  const char *name;
  size_t slot;  // of its row in Kernels
  F *cpu[TH_NUM_DTYPES];
  Refusal refusal = {};

  F *find(const Backend &on, THDtype dtype) const {
    if (!on.table) [[likely]]
      return cpu[dtype];
    return reinterpret_cast<F *>(foreign_kernel(on, slot, reinterpret_cast<const Untyped *>(cpu), dtype));
  }

  F *at(const Backend &on, THDtype dtype) const {
    F *function = find(on, dtype);
    if (!function) [[unlikely]]
      throw_kernel(name, on, dtype, refusal);
    return function;
  }

  // Where a fallback serves those dtypes that the CPU has kernels for, and `more`, a bit for each.
  void require(const Backend &on, THDtype dtype, uint32_t more) const {
    if (!cpu[dtype] && !(more >> dtype & 1)) throw_kernel(name, on, dtype, refusal);
  }

  // The same for pointwise kernels. Where torch would complain first, of overlap, of a result that cannot hold this
  // dtype or of shapes that do not broadcast, so does this.
  template <class... T>
  F *pointwise(const Backend &on, THDtype dtype, const Tensor &out, const T &...operands) const {
    return pointwise_to(on, dtype, dtype, out, operands...);
  }
  template <class... T>
  F *pointwise_to(const Backend &on, THDtype result, THDtype dtype, const Tensor &out, const T &...operands) const {
    F *function = find(on, dtype);
    if (!function) [[unlikely]] {
      const THTensor *all[] = {operands.get()...};
      throw_pointwise(name, on, dtype, result, refusal, cpu[dtype] != nullptr, out, all);
    }
    return function;
  }

  // The same for those of one operand whose result must have its dtype.
  F *exact(const Backend &on, THDtype dtype, const Tensor &out, const Tensor &self) const {
    F *function = find(on, dtype);
    if (!function) [[unlikely]]
      throw_exact(name, on, dtype, refusal, cpu[dtype] != nullptr, out, self);
    return function;
  }
};

// A kernel that serves all dtypes: TH's `cpu`, or what the backend has in that slot.
template <class F>
F *function_of(const Backend &on, const char *name, size_t slot, F *cpu) {
  if (!on.table) [[likely]]
    return cpu;
  return reinterpret_cast<F *>(foreign_function(on, name, slot, reinterpret_cast<Untyped>(cpu)));
}

// ---- the dtype that is computed in -------------------------------------------------------------
inline THDtype promote(const Tensor &a) {
  if (!a.is_wrapped_number()) return a.dtype();
  const Tensor *one = &a;
  return result_type({&one, 1});
}

inline THKind kind(THDtype dtype) {
  static constexpr THKind kinds[] = {
#define THPP_KIND(Name, type, kind, kernels, name, alias) TH_KIND_##kind,
      TH_DTYPES(THPP_KIND)
#undef THPP_KIND
  };
  return kinds[dtype];
}

template <class... T>
THDtype promote(const Tensor &a, const Tensor &b, const T &...more) {
  // The common cases: one dtype, or a number of no higher kind. An undefined tensor agrees with
  // all.
  const auto agrees = [&](const Tensor &t) {
    return !t.defined() || (t.is_wrapped_number() ? kind(t.dtype()) <= kind(a.dtype()) : t.dtype() == a.dtype());
  };
  if (!a.is_wrapped_number() && (agrees(b) && ... && agrees(more))) return a.dtype();
  const Tensor *all[] = {&a, &b, &more...};
  return result_type(all);
}

inline THDtype promote(const Tensor &a, const Scalar &number) {
  if (number.kind <= kind(a.dtype()) && !a.is_wrapped_number()) return a.dtype();
  if (number.kind == TH_KIND_uint) return promote(a, wrapped_number(number));
  if (number.is_complex())
    return complex_dtype(kind(a.dtype()) == TH_KIND_float && !a.is_wrapped_number() ? a.dtype() : default_dtype());
  return number.kind == TH_KIND_float ? default_dtype() : number.kind == TH_KIND_int ? TH_Long : TH_Bool;
}

THDtype promote(TensorList tensors);

inline bool is_wide_unsigned(THDtype dtype) { return kWideUnsigned >> dtype & 1; }
inline bool is_float8(THDtype dtype) { return kFloat8 >> dtype & 1; }
// Whether LAPACK and the Fourier transforms do.
inline bool computes(THDtype dtype) {
#define THPP_CASE(Name, _) \
  case TH_##Name: return true;
  switch (dtype) { TH_FOR_lapack(THPP_CASE, ) default : return false; }
#undef THPP_CASE
}
inline bool is_floating(THDtype dtype) { return kind(dtype) == TH_KIND_float; }
inline bool is_complex(THDtype dtype) { return kind(dtype) == TH_KIND_complex; }
inline bool is_inexact(THDtype dtype) { return kind(dtype) >= TH_KIND_float; }  // NumPy's word: floating or complex
inline THDtype floating(THDtype dtype) { return is_inexact(dtype) ? dtype : default_dtype(); }
inline THDtype truth(THDtype dtype) { return dtype == TH_Byte ? TH_Byte : TH_Bool; }

[[noreturn]] void throw_dtypes(THDtype a, THDtype b);
// Refuses a Python number that this dtype cannot hold, as several elements or as one; what is no number passes.
void check_holds(THDtype t, const Tensor &operand, bool one = false);
// A factor of a computation in dtype t, rounded to it where another dtype computes: of unsigned integers the signed one with
// its bits. Refuses one that t cannot hold.
Scalar factor_in(THDtype t, const Scalar &factor, const Tensor &operand);

template <class... T>
THDtype same_dtype(const Tensor &first, const T &...more) {
  [[maybe_unused]] const auto check = [&](const Tensor &other) {
    if (other.defined() && other.dtype() != first.dtype()) throw_dtypes(first.dtype(), other.dtype());
  };
  (check(more), ...);
  return first.dtype();
}

[[noreturn]] void throw_out(THDtype expected, THDtype found);

// The argument dtype. A given result must have it.
inline std::optional<THDtype> requested(std::optional<THDtype> dtype, const Tensor &out) {
  if (dtype && out.defined() && out.dtype() != *dtype) throw_out(*dtype, out.dtype());
  return dtype;
}

// Of sums and products: integers are added up in int64, and a given result decides for itself.
inline THDtype accumulator(const Tensor &self, std::optional<THDtype> dtype, const Tensor &out) {
  if (requested(dtype, out)) return *dtype;
  if (out.defined()) return out.dtype();
  return is_inexact(self.dtype()) ? self.dtype() : TH_Long;
}

// ---- results -----------------------------------------------------------------------------------
[[noreturn]] void throw_cast(THDtype from, THDtype to);

// Without elements yet.
[[gnu::cold]] Tensor new_foreign_result(THDevice device, THDtype dtype);
[[gnu::always_inline]] inline Tensor new_result(THDevice device, THDtype dtype) {
  return device.kind == TH_CPU ? Tensor::steal(THTensor_new(dtype)) : new_foreign_result(device, dtype);
}

// Where a kernel is to write: `out` if it can hold a result of this dtype, a new tensor on that device if undefined.
[[gnu::always_inline]] inline THTensor *target(Tensor &out, THDevice device, THDtype dtype) {
  if (!out.defined())
    out = new_result(device, dtype);
  else if (out.dtype() != dtype && !can_cast(dtype, out.dtype()))
    throw_cast(dtype, out.dtype());
  return out.get();
}

// The same for operators that do not convert their result.
[[gnu::always_inline]] inline THTensor *exact_target(Tensor &out, THDevice device, THDtype dtype) {
  if (!out.defined())
    out = new_result(device, dtype);
  else if (out.dtype() != dtype)
    throw_out(dtype, out.dtype());
  return out.get();
}

// The same for operators that convert their result unless an operand is a number.
template <class... T>
THTensor *exact_target_of_numbers(Tensor &out, THDevice device, THDtype dtype, const T &...operands) {
  const bool number = ((operands.defined() && operands.is_wrapped_number()) || ...);
  return number ? exact_target(out, device, dtype) : target(out, device, dtype);
}

// The same for results of comparisons, which bool and uint8 can hold.
inline THTensor *truth_target(Tensor &out, THDevice device, THDtype dtype) {
  if (out.defined() && out.dtype() != TH_Bool && out.dtype() != TH_Byte)
    THError(TH_ERROR_RUNTIME, "only supports bool tensor for result, got: %s", TH_typeName(out.dtype()));
  if (!out.defined()) out = new_result(device, dtype);
  return out.get();
}

// In-place forms are out= forms whose result is self. It is defined, so the handle stays as it is.
inline Tensor &in_place(const Tensor &self) { return const_cast<Tensor &>(self); }

// An `out` that may be written elementwise from self and has its dtype; undefined ones pass.
void check_exact(const Tensor &out, const Tensor &self);

// ---- arguments ---------------------------------------------------------------------------------
inline const THTensor *const *handles(TensorList tensors) {
  static_assert(sizeof(Tensor) == sizeof(THTensor *));
  return reinterpret_cast<const THTensor *const *>(tensors.data());
}

// The bit set that TH's reductions take; an empty list means every dimension.
uint64_t dim_mask(IntList dims, int ndim);
void check_ndim(const Tensor &tensor, int ndim, const char *name);
// Itself if it has that size already. Refused if it is the result, whose size would change.
Tensor expand_to(const Tensor &tensor, IntList size, const Tensor &result);
std::string shape_text(const Tensor &tensor);  // "[2, 3]"

// Once, where numbers of dtype `from` lose their imaginary parts.
void warn_if_discards(THDtype from, THDtype to);

}  // namespace thpp
