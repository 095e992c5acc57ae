// Reductions and order statistics that are more than one kernel.
#include "results.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>

#include "bodies.h"

namespace thpp {

namespace {

double correction_of(const std::optional<Scalar> &correction) { return correction ? correction->to_double() : 1; }

void check_deviation(const Tensor &self) {
  if (!is_inexact(self.dtype()))
    THError(TH_ERROR_RUNTIME, "std and var only support floating point and complex dtypes");
}

// `what` is the function's name. The count is of the elements that make one of the result.
void warn_of_freedom(const char *what, const Tensor &self, IntList dim, double correction) {
  bool reduced[TH_MAX_DIM] = {};
  for (const int64_t d : dim) reduced[TH_wrapDim(d, self.dim())] = true;
  int64_t count = 1, outside = 1;
  for (int d = 0; d < self.dim(); ++d) (dim.empty() || reduced[d] ? count : outside) *= self.size(d);
  if (double(outside ? count : 0) - correction <= 0)
    warn(std::string(what) +
         "(): degrees of freedom is <= 0: the correction is no less than the number of elements that each result is "
         "made of, so results are infinite or NaN");
}

std::vector<Tensor> pair(std::tuple<Tensor, Tensor> both) {
  return {std::move(std::get<0>(both)), std::move(std::get<1>(both))};
}

}  // namespace

// ---- variance ------------------------------------------------------------------------------------
namespace {

// That of complex numbers is a real one: the mean square of their distances from the mean.
Tensor complex_var(const Tensor &self, IntList dim, bool keepdim, double correction) {
  return thpp::add(thpp::_var(thpp::real(self), dim, keepdim, correction),
                   thpp::_var(thpp::imag(self), dim, keepdim, correction));
}
Tensor complex_mean(const Tensor &self, IntList dim, bool keepdim) {
  if (!is_stored(self.dtype())) return thpp::mean(self, dim, keepdim);
  return thpp::to(thpp::mean(self, dim, keepdim, TH_ComplexFloat), self.dtype());
}
Tensor complex_std(const Tensor &self, IntList dim, bool keepdim, double correction) {
  return thpp::sqrt(complex_var(self, dim, keepdim, correction));
}

}  // namespace

#define DEVIATION(name)                                                                                             \
  void body::name##_out(Tensor &out, const Tensor &self, IntList dim, std::optional<Scalar> correction, bool keepdim) {   \
    check_deviation(self);                                                                                          \
    warn_of_freedom(#name, self, dim, correction_of(correction));                                                   \
    if (is_complex(self.dtype()))                                                                                   \
      write_out(out, complex_##name(self, dim, keepdim, correction_of(correction)));                                     \
    else if (out.defined() && out.dtype() != self.dtype())                                                          \
      write_out(out, _##name(self, dim, keepdim, correction_of(correction)));                                            \
    else                                                                                                            \
      thpp::_##name##_out(out, self, dim, keepdim, correction_of(correction));                                            \
  }                                                                                                                 \
  void body::name##_out(Tensor &out, const Tensor &self, bool unbiased) {                                                 \
    thpp::name##_out(out, self, IntList(), Scalar(int(unbiased)), false);                                                 \
  }                                                                                                                 \
  void body::name##_out(Tensor &out, const Tensor &self, IntList dim, bool unbiased, bool keepdim) {                      \
    thpp::name##_out(out, self, dim, Scalar(int(unbiased)), keepdim);                                                     \
  }                                                                                                                 \
  std::vector<Tensor> body::name##_mean(const Tensor &self, IntList dim, std::optional<Scalar> correction, bool keepdim) { \
    check_deviation(self);                                                                                          \
    warn_of_freedom(#name "_mean", self, dim, correction_of(correction));                                           \
    std::vector<Tensor> both;                                                                                       \
    if (is_complex(self.dtype()))                                                                                   \
      both = {complex_##name(self, dim, keepdim, correction_of(correction)), complex_mean(self, dim, keepdim)};             \
    else                                                                                                            \
      both = pair(thpp::_##name##_mean(self, dim, keepdim, correction_of(correction)));                                   \
    return both;                                                                                                    \
  }                                                                                                                 \
  std::vector<Tensor> body::name##_mean(const Tensor &self, bool unbiased) {                                              \
    return thpp::name##_mean(self, IntList(), Scalar(int(unbiased)), false);                                              \
  }                                                                                                                 \
  std::vector<Tensor> body::name##_mean(const Tensor &self, IntList dim, bool unbiased, bool keepdim) {                   \
    return thpp::name##_mean(self, dim, Scalar(int(unbiased)), keepdim);                                                  \
  }
DEVIATION(var)
DEVIATION(std)

// ---- norms -----------------------------------------------------------------------------------------

void body::norm_out(Tensor &out, const Tensor &self, const char *p, IntList dim, bool keepdim,
                    std::optional<THDtype> dtype) {
  if (!std::strcmp(p, "fro") && dim.size() <= 2)
    return thpp::linalg_vector_norm_out(out, self, Scalar(2), dim, keepdim, dtype);
  std::vector<int64_t> every(static_cast<size_t>(self.dim()));
  std::iota(every.begin(), every.end(), 0);
  thpp::linalg_matrix_norm_out(out, self, p, dim.empty() ? IntList(every) : dim, keepdim, dtype);
}

[[noreturn]] static void throw_native_norm(const char *overload) {
  THError(TH_ERROR_NOT_IMPLEMENTED,
          "Could not run 'aten::native_norm%s' with arguments that are not sparse: torch.norm is their norm", overload);
}

Tensor body::native_norm(const Tensor &, const Scalar &) { throw_native_norm(""); }
Tensor body::native_norm(const Tensor &, std::optional<Scalar>, IntList, bool, std::optional<THDtype>) {
  throw_native_norm(".ScalarOpt_dim_dtype");
}

Tensor body::dist(const Tensor &self, const Tensor &other, const Scalar &p) {
  const Tensor difference = thpp::sub(self, other);
  if (!is_inexact(difference.dtype()))
    THError(TH_ERROR_RUNTIME, "norm(): input dtype should be either floating point or complex. Got %s instead.",
            TH_typeName(difference.dtype()));
  return thpp::linalg_vector_norm(difference, p);
}

void body::renorm_out(Tensor &out, const Tensor &self, const Scalar &p, int64_t dim, const Scalar &maxnorm) {
  if (p.is_complex()) THError(TH_ERROR_RUNTIME, "renorm: p must be real-valued");
  if (!(p.to_double() > 0)) THError(TH_ERROR_RUNTIME, "renorm: non-positive-norm not supported");
  if (maxnorm.is_complex()) THError(TH_ERROR_RUNTIME, "renorm: maxnorm must be real-valued");
  const double limit = maxnorm.to_double();
  if (!(limit >= 0)) THError(TH_ERROR_RUNTIME, "renorm: expected maxnorm to be >= 0 but got %g", limit);
  if (self.dim() < 2)
    THError(TH_ERROR_RUNTIME, "renorm: input needs at least 2 dimensions, got %d dimensions", self.dim());
  const int kept = TH_wrapDim(dim, self.dim());
  if (!is_inexact(self.dtype()))
    THError(TH_ERROR_RUNTIME, "linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s",
            TH_typeName(self.dtype()));
  if (!out.defined()) out = thpp::new_empty(self, self.sizes());
  if (!is_complex(self.dtype())) return thpp::_renorm_out(out, self, p.to_double(), kept, limit);
  exact_target(out, self.device(), self.dtype());
  std::vector<int64_t> others;
  for (int d = 0; d < self.dim(); ++d)
    if (d != kept) others.push_back(d);
  const Tensor norm = thpp::linalg_vector_norm(self, p, others, true);
  const Tensor most = wrapped_number(limit);
  thpp::mul_out(
      out, self,
      thpp::where(thpp::gt(norm, most), thpp::div(most, thpp::add(norm, wrapped_number(1e-7))), wrapped_number(1.0)));
}

// ---- sums --------------------------------------------------------------------------------------------
void body::logsumexp_out(Tensor &out, const Tensor &self, IntList dim, bool keepdim) {
  if (out.defined() && !is_inexact(out.dtype()))
    THError(TH_ERROR_RUNTIME, "logsumexp(): Expected floating point type for result tensor, but got: %s",
            TH_typeName(out.dtype()));
  const THDtype t = is_complex(self.dtype()) ? self.dtype() : floating(self.dtype());
  const Tensor x = thpp::to(self, t == TH_Half || t == TH_BFloat16 ? TH_Float : t);
  Tensor result;
  if (x.numel() == 0) {
    result = thpp::log(thpp::sum(thpp::exp(x), dim, keepdim));
  } else {
    // Infinity as the greatest would make NaN of infinity minus infinity.
    const Tensor greatest = thpp::amax(thpp::real(x), dim, true);
    const Tensor shift = thpp::masked_fill(greatest, thpp::isinf(greatest), wrapped_number(0));
    const Tensor total = thpp::sum(thpp::exp(thpp::sub(x, shift)), dim, keepdim);
    result = thpp::add(thpp::log(total), keepdim ? shift : thpp::reshape(shift, total.sizes()));
  }
  write_out(out, thpp::to(result, t));
}

void body::nansum_out(Tensor &out, const Tensor &self, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  dim_mask(dim, self.dim());  // which are judged before the dtype
  if (is_complex(self.dtype())) THError(TH_ERROR_RUNTIME, "nansum on CPU does not support complex inputs");
  const THDtype t = accumulator(self, dtype, out);
  if (!is_floating(self.dtype()))
    thpp::sum_out(out, self, dim, keepdim, dtype);
  else if (is_floating(t))
    thpp::_nansum_out(out, self, dim, keepdim, dtype);
  else if (!dtype || is_complex(t))  // floats are not added up in integers because `out` holds them
    throw_kernel(kernel_for(self, "nansum").c_str(), t);
  else
    thpp::sum_out(out, thpp::masked_fill(self, thpp::isnan(self), wrapped_number(0)), dim, keepdim, t);
}

void body::nanmean_out(Tensor &out, const Tensor &self, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  if (!is_inexact(self.dtype()))
    THError(TH_ERROR_RUNTIME, "nanmean(): expected input to have floating point or complex dtype but got %s",
            TH_typeName(self.dtype()));
  requested(dtype, out);
  const Tensor numbers = thpp::sum(thpp::eq(self, self), dim, keepdim);
  thpp::nansum_out(out, self, dim, keepdim, dtype);
  thpp::div_(out, numbers);
}

Tensor body::count_nonzero(const Tensor &self, IntList dim) {
  if (dim.empty()) require_kernel("count_nonzero", self, kFloat8);
  return thpp::sum(thpp::ne(self, wrapped_number(0)), dim);
}

// ---- extrema -------------------------------------------------------------------------------------------
void body::aminmax_out(Tensor &min, Tensor &max, const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  if (!dim && self.numel() == 0)
    THError(TH_ERROR_RUNTIME,
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  const int64_t d = dim.value_or(0);
  if (dim && self.dim() && self.size(TH_wrapDim(d, self.dim())) == 0)
    THError(TH_ERROR_INDEX, "aminmax: Expected reduction dim %d to have non-zero size.", TH_wrapDim(d, self.dim()));
  const IntList dims = dim ? IntList(&d, 1) : IntList();
  Tensor low = thpp::amin(self, dims, keepdim), high = thpp::amax(self, dims, keepdim);
  exact_target(min, self.device(), self.dtype());
  exact_target(max, self.device(), self.dtype());
  write_out(min, low);
  write_out(max, high);
}

// ---- order statistics ------------------------------------------------------------------------------------
namespace {

Tensor middle(const Tensor &self, std::tuple<Tensor, Tensor> (*along)(const Tensor &, int64_t, bool)) {
  if (self.numel() == 0) return thpp::to(thpp::new_full(self, {}, NAN, TH_Double), self.dtype());
  return std::get<0>(along(thpp::ravel(self), 0, false));
}

}  // namespace

Tensor body::median(const Tensor &self) { return middle(self, thpp::median); }
Tensor body::nanmedian(const Tensor &self) { return middle(self, thpp::nanmedian); }

void body::msort_out(Tensor &out, const Tensor &self) {
  write_out_exact(out, std::get<0>(thpp::sort(self, 0, false, std::nullopt)));
}

namespace {

int interpolation_of(const char *word) {
  static constexpr const char *words[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  if (!word) return TH_INTERPOLATE_LINEAR;
  for (int i = 0; i < 5; ++i)
    if (!std::strcmp(word, words[i])) return i;
  THError(TH_ERROR_RUNTIME,
          "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got %s", word);
}

void quantiles(Tensor &out, const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
               const char *interpolation, bool ignore_nan) {
  const int how = interpolation_of(interpolation);
  if (self.numel() == 0) THError(TH_ERROR_RUNTIME, "quantile() input tensor must be non-empty");
  if (q.dim() > 1) THError(TH_ERROR_RUNTIME, "quantile() q must be a scalar or 1D tensor");
  if (self.dtype() != TH_Float && self.dtype() != TH_Double)
    THError(TH_ERROR_RUNTIME, "quantile() input tensor must be either float or double dtype");
  if (!q.is_wrapped_number() && q.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME, "quantile() q tensor must be same dtype as the input tensor");
  if (out.defined() && out.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME, "quantile() out tensor must be same dtype as the input tensor");
  if (q.is_wrapped_number()) {
    const double value = q.item().to_double();
    if (!(value >= 0 && value <= 1))
      THError(TH_ERROR_RUNTIME, "quantile() q must be in the range [0, 1] but got %g", value);
  } else if (q.numel() && has_values(q) &&
             !(thpp::amin(q).item().to_double() >= 0 && thpp::amax(q).item().to_double() <= 1)) {
    THError(TH_ERROR_RUNTIME, "quantile() q values must be in the range [0, 1]");
  }

  std::vector<int64_t> size;
  if (q.dim()) size.push_back(q.numel());
  Tensor rows = dim ? self : thpp::ravel(self);
  const int d = TH_wrapDim(dim.value_or(0), rows.dim());
  for (int i = 0; i < self.dim(); ++i) {
    if (dim && i != d)
      size.push_back(self.size(i));
    else if (keepdim)
      size.push_back(1);
  }
  std::vector<int64_t> order;
  for (int i = 0; i < rows.dim(); ++i)
    if (i != d) order.push_back(i);
  if (rows.dim()) order.push_back(d);
  rows = rows.dim() ? thpp::permute(rows, order) : rows;
  const int64_t n = rows.dim() ? rows.size(rows.dim() - 1) : 1;
  const Tensor matrix = thpp::reshape(std::get<0>(thpp::sort(thpp::contiguous(rows), -1)), {self.numel() / n, n});
  const Tensor levels = q.is_wrapped_number() ? thpp::full({1}, q.item(), self.dtype(), self.device())
                                              : thpp::to(thpp::reshape(q, {q.numel()}), self.dtype());
  Tensor result = thpp::_quantile(matrix, levels, how, ignore_nan);
  if (q.dim() == 0) {  // no view, so that writing into it is a plain write
    size.push_back(1);
    result = thpp::squeeze_(thpp::_unsafe_view(result, size), {-1});
  } else {
    result = thpp::reshape(result, size);
  }
  if (q.dim() && !out.defined())  // a row's quantiles lie side by side
    result = thpp::movedim(thpp::clone(thpp::movedim(result, {0}, {-1}), MemoryFormat::Contiguous), {-1}, {0});
  write_out(out, result);
}

}  // namespace

void body::quantile_out(Tensor &out, const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                        const char *interpolation) {
  quantiles(out, self, q, dim, keepdim, interpolation, false);
}
void body::nanquantile_out(Tensor &out, const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                           const char *interpolation) {
  quantiles(out, self, q, dim, keepdim, interpolation, true);
}

// A number is its own smallest one, even where its dtype has no order; nothing else is chosen without a kernel.
std::tuple<Tensor, Tensor> fallback::kthvalue(const Tensor &self, int64_t, int64_t, bool) {
  if (self.dim()) throw_kernel("kthvalue", self.dtype());
  return {thpp::clone(self), thpp::zeros({}, TH_Long, self.device())};
}

}  // namespace thpp
