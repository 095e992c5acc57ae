// What the functions of torch.linalg share: checks, shapes, copies by columns.
#include "linalg.h"

#include <cmath>

namespace thpp {

void check_matrix(const Tensor &a, const char *f, const char *name) {
  if (a.dim() < 2) THError(TH_ERROR_RUNTIME, "%s: The input tensor %s must have at least 2 dimensions.", f, name);
}

void check_square(const Tensor &a, const char *f, const char *name) {
  check_matrix(a, f, name);
  if (rows(a) != columns(a))
    THError(TH_ERROR_RUNTIME, "%s: %s must be batches of square matrices, but they are %lld by %lld matrices", f, name,
            (long long)rows(a), (long long)columns(a));
}

void check_inexact(const Tensor &a, const char *f, bool low) {
  if (!is_inexact(a.dtype()))
    THError(TH_ERROR_RUNTIME, "%s: Expected a floating point or complex tensor as input. Got %s", f,
            TH_typeName(a.dtype()));
  if (!low && !computes(a.dtype()))
    THError(TH_ERROR_RUNTIME, "%s: Low precision dtypes not supported. Got %s", f, TH_typeName(a.dtype()));
}

void check_pair(const Tensor &a, const Tensor &b, const char *f, const char *a_name, const char *b_name) {
  if (a.dtype() != b.dtype())
    THError(TH_ERROR_RUNTIME,
            "%s: Expected %s and %s to have the same dtype, but found %s of type %s and %s of type %s instead", f,
            a_name, b_name, a_name, TH_typeName(a.dtype()), b_name, TH_typeName(b.dtype()));
}

void check_fits(const Tensor &a, const Tensor &b, bool left, const char *f) {
  if (left ? rows(a) == rows(b) : columns(a) == columns(b)) return;
  THError(TH_ERROR_RUNTIME, "%s: Incompatible shapes of A and B for the equation %s = B (%lldx%lld and %lldx%lld)", f,
          left ? "AX" : "XA", (long long)rows(a), (long long)columns(a), (long long)rows(b), (long long)columns(b));
}

void check_system(const Tensor &b, const Tensor &a, const char *what) {
  if (a.dtype() != b.dtype())
    THError(TH_ERROR_RUNTIME,
            "Expected b and A to have the same dtype, but found b of type %s and A of type %s instead.",
            TH_typeName(b.dtype()), TH_typeName(a.dtype()));
  if (rows(a) != columns(a))
    THError(TH_ERROR_RUNTIME, "A must be batches of square matrices, but they are %lld by %lld matrices",
            (long long)rows(a), (long long)columns(a));
  if (rows(a) != rows(b))
    THError(TH_ERROR_RUNTIME,
            "Incompatible matrix sizes for %s: each A matrix is %lld by %lld but each b matrix is %lld by %lld", what,
            (long long)rows(a), (long long)columns(a), (long long)rows(b), (long long)columns(b));
}

void check_info(const Tensor &info, const char *f, LapackFailure failure) {
  if (!has_values(info)) return;
  const Tensor here = on_host(info);
  const int *values = here.data<int>();
  for (int64_t i = 0; i < info.numel(); ++i) {
    const int value = values[i];
    if (!value) continue;
    char where[64] = "";
    if (info.dim()) snprintf(where, sizeof where, "(Batch element %lld): ", (long long)i);
    switch (failure) {
      case LapackFailure::Singular:
        THError(TH_ERROR_LINALG,
                "%s: %sThe diagonal element %d is zero, the inversion could not be completed because the input matrix "
                "is singular.",
                f, where, value);
      case LapackFailure::Solver:
        THError(TH_ERROR_LINALG, "%s: %sThe solver failed because the input matrix is singular.", f, where);
      case LapackFailure::Definite:
        THError(TH_ERROR_LINALG,
                "%s: %sThe factorization could not be completed because the input is not positive-definite (the "
                "leading minor of order %d is not positive-definite).",
                f, where, value);
      case LapackFailure::Block:
        THError(TH_ERROR_RUNTIME,
                "%s: %sD[%d,%d] is zero and using it on ldl_solve would result in a division by zero.", f, where, value,
                value);
      case LapackFailure::Eigen:
        THError(TH_ERROR_LINALG,
                "%s: %sThe algorithm failed to converge because the input matrix is ill-conditioned or has too many "
                "repeated eigenvalues (error code: %d).",
                f, where, value);
      case LapackFailure::Svd:
        if (value == -4)
          THError(TH_ERROR_LINALG,
                  "%s: %sThe algorithm failed to converge because the input matrix contained non-finite values.", f,
                  where);
        THError(TH_ERROR_LINALG,
                "%s: %sThe algorithm failed to converge because the input matrix is ill-conditioned or has too many "
                "repeated singular values (error code: %d).",
                f, where, value);
      case LapackFailure::LeastSquares:
        THError(TH_ERROR_LINALG,
                "%s: %sThe least squares solution could not be computed because the input matrix does not have full "
                "rank (error code: %d).",
                f, where, value);
    }
  }
}

Sizes batch_of(const Tensor &a, int last) { return Sizes(a.sizes().begin(), a.sizes().end() - last); }

Sizes joined(Sizes batch, std::initializer_list<int64_t> more) {
  batch.insert(batch.end(), more);
  return batch;
}

Sizes broadcast_batch(const Tensor &a, const Tensor &b) {
  // Elements do not matter: 0-stride tensors in the shapes of the batches.
  const Tensor parts[] = {thpp::expand(thpp::new_zeros(a, {}, a.dtype()), batch_of(a)),
                          thpp::expand(thpp::new_zeros(b, {}, a.dtype()), batch_of(b))};
  int64_t size[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(2, handles(parts), size);
  return Sizes(size, size + ndim);
}

Tensor with_batch(const Tensor &a, const Sizes &batch) { return thpp::expand(a, joined(batch, {rows(a), columns(a)})); }

namespace {

// The transposes of contiguous matrices, so small that the iterator's loop over a row would be too short.
template <class U>
void transpose_few(const Tensor &to, const Tensor &from, int64_t m, int64_t n) {
  const U *x = from.data<U>();
  U *y = to.data<U>();
  for (int64_t left = from.numel(); left; left -= m * n, x += m * n, y += m * n)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) y[j * m + i] = x[i * n + j];
}

}  // namespace

Tensor by_columns(const Tensor &a) {
  constexpr int64_t few = 8;
  const int64_t m = rows(a), n = columns(a);
  if (m > few || n > few || a.dim() == 2 || !a.is_contiguous() || !is_host_memory(a.device()))
    return mT(thpp::clone(mT(a), MemoryFormat::Contiguous));
  const Tensor result = thpp::new_empty(a, joined(batch_of(a), {n, m}), a.dtype());
  switch (a.dtype()) {
    case TH_Float: transpose_few<float>(result, a, m, n); break;
    case TH_Double: transpose_few<double>(result, a, m, n); break;
    case TH_ComplexFloat: transpose_few<THComplexFloat>(result, a, m, n); break;
    case TH_ComplexDouble: transpose_few<THComplexDouble>(result, a, m, n); break;
    default: thpp::_copy_(mT(result), a);
  }
  return mT(result);
}

Tensor empty_by_columns(const Tensor &like, THDtype dtype, const Sizes &batch, int64_t m, int64_t n) {
  return mT(thpp::new_empty(like, joined(batch, {n, m}), dtype));
}

Tensor identity(const Tensor &like, THDtype dtype, const Sizes &batch, int64_t m, int64_t n) {
  const Tensor result = mT(thpp::new_zeros(like, joined(batch, {n, m}), dtype));
  thpp::fill_(thpp::diagonal(result, 0, -2, -1), number(1));
  return result;
}

double epsilon(THDtype dtype) { return std::ldexp(1.0, 1 - TH_digits(dtype)); }

namespace {

// Whether the element's column less its row is below `diagonal`.
Tensor below(const Tensor &a, int64_t diagonal) {
  const auto counting = [&](int64_t n) { return thpp::arange(n, TH_Long, a.device()); };
  const Tensor row = thpp::unsqueeze(counting(rows(a)), 1), column = counting(columns(a));
  return thpp::lt(thpp::sub(column, row), wrapped_number(diagonal));
}

}  // namespace

Tensor upper_triangle(const Tensor &a, int64_t diagonal) {
  return thpp::masked_fill(a, below(a, diagonal), thpp::new_zeros(a, {}, a.dtype()));
}
Tensor lower_triangle(const Tensor &a, int64_t diagonal) {
  return thpp::masked_fill(a, thpp::logical_not(below(a, diagonal + 1)), thpp::new_zeros(a, {}, a.dtype()));
}

bool is_vector(const Tensor &a, const Tensor &b) {
  return b.dim() == 1 || (a.dim() - 1 == b.dim() && std::ranges::equal(batch_of(a, 1), b.sizes()));
}

void check_out(const Tensor &out, THDtype dtype) {
  if (!out.defined()) return;
  if (out.dtype() != dtype) throw_out(dtype, out.dtype());
  THTensor_checkDistinct(out.get());
}

void write_matrix(Tensor &out, const Tensor &result) {
  if (!out.defined()) {
    out = result;
    return;
  }
  check_out(out, result.dtype());
  write_matrix_converted(out, result);
}

void write_matrix_converted(Tensor &out, const Tensor &result) {
  if (!out.defined()) {
    out = result;
    return;
  }
  target(out, result.device(), result.dtype());
  if (!THTensor_isSameSizeAs(out.get(), result.get())) {  // an out that is resized is stored as the result is
    const IntList last = result.strides().last(result.dim() > 1 ? 2 : 0);
    const bool columns_first = !last.empty() && last[0] == 1 && last[1] == rows(result) && mT(result).is_contiguous();
    thpp::_resize_as_(out, columns_first ? mT(result) : result);
    if (columns_first) thpp::_set_(out, mT(out));
  }
  thpp::_copy_(out, result);
}

}  // namespace thpp
