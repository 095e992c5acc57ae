// Norms of vectors and matrices.
#include "linalg.h"

#include <cmath>

namespace thpp {

namespace {

std::string order_text(const Scalar &ord) {
  char text[32];
  snprintf(text, sizeof text, "%g", ord.to_double());
  return text;
}

// The dtype of the result. Narrower than the input it may not be.
void check_norm_dtype(const Tensor &a, std::optional<THDtype> dtype, const char *f) {
  check_inexact(a, f);
  if (!dtype) return;
  if (!is_inexact(*dtype))
    THError(TH_ERROR_RUNTIME, "%s: dtype should be floating point or complex, but got %s", f, TH_typeName(*dtype));
  if (is_complex(a.dtype()) != is_complex(*dtype)) {
    const char *const kind = is_complex(a.dtype()) ? "complex" : "real";
    THError(TH_ERROR_RUNTIME, "%s: dtype should be %s for %s inputs, but got %s", f, kind, kind, TH_typeName(*dtype));
  }
  if (promote_types(a.dtype(), *dtype) != *dtype)
    THError(TH_ERROR_RUNTIME,
            "%s: the dtype of the input (%s) should be convertible without narrowing to the specified dtype (%s)", f,
            TH_typeName(a.dtype()), TH_typeName(*dtype));
}

}  // namespace

void body::linalg_vector_norm_out(Tensor &out, const Tensor &self, const Scalar &ord, IntList dim, bool keepdim,
                                  std::optional<THDtype> dtype) {
  const char *f = "linalg.vector_norm";
  if (ord.is_complex()) THError(TH_ERROR_RUNTIME, "%s: Expected a non-complex scalar as the order of norm.", f);
  check_norm_dtype(self, dtype, f);
  dim_mask(dim, self.dim());  // refuses repeated ones
  const Tensor x = thpp::to(self, dtype.value_or(self.dtype()));
  check_out(out, real_dtype(x.dtype()));
  thpp::_norm_out(out, is_complex(x.dtype()) ? thpp::abs(x) : x, ord.to_double(), dim, keepdim);
}

namespace {

struct Dims {
  int first, second;
};
Dims matrix_dims(const Tensor &a, IntList dim) {
  const char *f = "linalg.matrix_norm";
  check_matrix(a, f);
  if (dim.empty()) return {a.dim() - 2, a.dim() - 1};
  if (dim.size() != 2) {
    std::string text;
    for (int64_t d : dim) text += (text.empty() ? "" : ", ") + std::to_string(d);
    THError(TH_ERROR_RUNTIME, "%s: dim must be a 2-tuple. Got %s", f, text.c_str());
  }
  const int first = TH_wrapDim(dim[0], a.dim()), second = TH_wrapDim(dim[1], a.dim());
  if (first == second)
    THError(TH_ERROR_RUNTIME, "%s: dims must be different. Got (%lld, %lld)", f, (long long)dim[0], (long long)dim[1]);
  return {first, second};
}

// Singular values of the matrices in two dimensions, reduced by `reduce`.
Tensor of_singular_values(const Tensor &a, Dims dims, bool keepdim, const auto &reduce) {
  const Tensor s = thpp::linalg_svdvals(thpp::movedim(a, {dims.first, dims.second}, {-2, -1}));
  Tensor norm = reduce(s);
  if (keepdim)
    norm = thpp::movedim(thpp::unsqueeze(thpp::unsqueeze(norm, -1), -1), {-2, -1}, {dims.first, dims.second});
  return norm;
}

// The extreme of rows' or columns' sums; of none it is 0.
Tensor extreme(const Tensor &sums, bool largest, int dim, bool keepdim) {
  if (sums.size(dim) == 0 && largest) return thpp::sum(sums, {dim}, keepdim);
  return largest ? thpp::amax(sums, {dim}, keepdim) : thpp::amin(sums, {dim}, keepdim);
}

}  // namespace

void body::linalg_matrix_norm_out(Tensor &out, const Tensor &self, const Scalar &ord, IntList dim, bool keepdim,
                                  std::optional<THDtype> dtype) {
  const char *f = "linalg.matrix_norm";
  check_matrix(self, f);
  check_norm_dtype(self, dtype, f);
  const double p = ord.to_double(), size = std::fabs(p);
  const Dims dims = matrix_dims(self, dim);
  if (size != 1 && size != 2 && size != INFINITY)
    THError(TH_ERROR_RUNTIME, "%s: Order %s not supported.", f, order_text(ord).c_str());
  if (size == 2) check_inexact(self, f, false);
  const Tensor a = dtype ? thpp::to(self, *dtype) : self;
  if (size == 2) {
    return write_matrix(out, of_singular_values(a, dims, keepdim, [&](const Tensor &s) {
                          return extreme(s, p > 0, s.dim() - 1, false);
                        }));
  }
  // The sums run over the other dimension than the extreme; that goes away first unless it is kept.
  const int summed = size == 1 ? dims.first : dims.second, other = size == 1 ? dims.second : dims.first;
  const Tensor sums = thpp::linalg_vector_norm(a, Scalar(1), {summed}, keepdim);
  write_matrix(out, extreme(sums, p > 0, other > summed && !keepdim ? other - 1 : other, keepdim));
}

void body::linalg_matrix_norm_out(Tensor &out, const Tensor &self, const char *ord, IntList dim, bool keepdim,
                                  std::optional<THDtype> dtype) {
  const char *f = "linalg.matrix_norm";
  check_matrix(self, f);
  check_norm_dtype(self, dtype, f);
  const Dims dims = matrix_dims(self, dim);
  const std::string_view name = ord;
  if (name != "fro" && name != "nuc") THError(TH_ERROR_RUNTIME, "%s: Order %s not supported.", f, ord);
  if (name == "fro")
    return thpp::linalg_vector_norm_out(out, self, Scalar(2), {dims.first, dims.second}, keepdim, dtype);
  check_inexact(self, f, false);
  const Tensor a = dtype ? thpp::to(self, *dtype) : self;
  write_matrix(out, of_singular_values(a, dims, keepdim, [](const Tensor &s) { return thpp::sum(s, {-1}); }));
}

void body::linalg_norm_out(Tensor &out, const Tensor &self, std::optional<Scalar> ord, IntList dim, bool keepdim,
                           std::optional<THDtype> dtype) {
  if (dim.size() > 2) {
    std::string text;
    for (int64_t d : dim) text += (text.empty() ? "" : ", ") + std::to_string(d);
    THError(TH_ERROR_RUNTIME, "linalg.norm: If dim is specified, it must be of length 1 or 2. Got [%s]", text.c_str());
  }
  if (dim.empty() && ord && self.dim() != 1 && self.dim() != 2)
    THError(TH_ERROR_RUNTIME, "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got %dD.",
            self.dim());
  if (ord && (dim.size() == 2 || (dim.empty() && self.dim() == 2)))
    return thpp::linalg_matrix_norm_out(out, self, *ord, dim.empty() ? IntList{0, 1} : dim, keepdim, dtype);
  thpp::linalg_vector_norm_out(out, self, ord.value_or(Scalar(2)), dim, keepdim, dtype);
}

void body::linalg_norm_out(Tensor &out, const Tensor &self, const char *ord, IntList dim, bool keepdim,
                           std::optional<THDtype> dtype) {
  if (dim.empty() && self.dim() > 2)
    THError(TH_ERROR_RUNTIME, "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got %dD.",
            self.dim());
  thpp::linalg_matrix_norm_out(out, self, ord, dim.empty() ? IntList{-2, -1} : dim, keepdim, dtype);
}

}  // namespace thpp
