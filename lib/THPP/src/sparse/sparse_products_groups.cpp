// What is computed of the entries that share their places but for some dimensions: reductions and softmax.
#include <cmath>
#include <limits>
#include <numeric>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

// Entries of a coalesced tensor by their places in the sparse dimensions that stay.
struct Groups {
  Tensor of;         // of each entry, the number of its group
  Tensor places;     // of groups, in order
  Tensor counts;     // how many entries each has
  int64_t all;       // how many elements of self each stands for
  int64_t count() const { return places.size(1); }
};

Groups groups_of(const Tensor &self, uint64_t gone) {
  std::vector<int64_t> kept, size;
  int64_t all = 1;
  for (int d = 0; d < sparse_dims(self); ++d) {
    const int64_t length = self.sizes()[size_t(d)];
    if (gone >> d & 1) {
      all = TH_saturatedProduct(all, length);
    } else {
      kept.push_back(d);
      size.push_back(length);
    }
  }
  const auto [keys, of, counts] = thpp::_unique(keys_of(lines(raw_indices(self), kept), size), true);
  return {of, places_of_keys(keys, size), counts, all};
}

// Numbers of entries that differ where groups differ, and a limit of them: places themselves, where they are not many
// more than entries are, and else the groups'.
std::pair<Tensor, int64_t> labels_of(const Tensor &self, int gone) {
  std::vector<int64_t> kept, size;
  for (int d = 0; d < sparse_dims(self); ++d)
    if (d != gone) {
      kept.push_back(d);
      size.push_back(self.sizes()[size_t(d)]);
    }
  const Tensor places = raw_indices(self);
  if (product(size) / 4 <= nnz(self)) return {keys_of(lines(places, kept), size), product(size)};
  const Groups groups = groups_of(self, uint64_t(1) << gone);
  return {groups.of, groups.count()};
}

// A tensor of one element for each group, as one to be broadcast with values.
Tensor beside(const Tensor &t, const Tensor &values) {
  std::vector<int64_t> shape(size_t(values.dim()), 1);
  shape[0] = t.size(0);
  return thpp::view(t, shape);
}

Tensor block_for(const Tensor &values, int64_t n, const Scalar &fill) {
  std::vector<int64_t> shape = list(values.sizes());
  shape[0] = n;
  return thpp::full(shape, fill, values.dtype(), values.device());
}

// Values of each group, and what was there if that counts, as one.
Tensor scattered_by(const char *reduce, const Tensor &start, const Tensor &of, const Tensor &values, bool include) {
  return thpp::scatter_reduce(start, 0, thpp::expand(beside(of, values), values.sizes()), values, reduce, include);
}

// A reduction of which zeros are no neutral element: amax, amin and prod.
struct Reduction {
  const char *name;
  bool orders;                                  // which complex numbers have not
  Tensor (*of_dense)(const Tensor &, IntList);  // over dimensions
  Tensor (*with_zero)(const Tensor &);          // of a result and zeros
};

Tensor zeros_of(const Tensor &t) { return thpp::zeros_like(t); }

std::vector<int64_t> every_dim(const Tensor &t) {
  std::vector<int64_t> all(size_t(t.dim()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}
const Reduction kAmax{"amax", true, [](const Tensor &t, IntList d) { return thpp::amax(t, d, false); },
                      [](const Tensor &t) { return thpp::maximum(t, zeros_of(t)); }};
const Reduction kAmin{"amin", true, [](const Tensor &t, IntList d) { return thpp::amin(t, d, false); },
                      [](const Tensor &t) { return thpp::minimum(t, zeros_of(t)); }};
const Reduction kProd{"prod", false,
                      [](const Tensor &t, IntList d) {
                        Tensor r = t;
                        for (size_t i = d.size(); i-- > 0;) r = thpp::prod(r, d[i], false);
                        return r;
                      },
                      // Zeros that are recorded; nan stays nan.
                      [](const Tensor &t) { return thpp::where(thpp::isnan(t), t, zeros_of(t)); }};

Tensor reduced(const Tensor &self, IntList dim, bool keepdim, const Reduction &kind) {
  kind.of_dense(on_meta(self), dim.empty() ? every_dim(self) : list(dim));  // says what cannot be
  if (kind.orders && is_complex(self.dtype())) throw_kernel(kernel_for(self, kind.name).c_str(), self.dtype());
  const Tensor from = to_coalesced(self);
  const int ndim = from.dim(), sparse = sparse_dims(from);
  const uint64_t mask = dim_mask(dim, ndim);
  std::vector<int64_t> inner, size, lost;
  bool outer = false, whole = true, nothing = false;
  for (int d = 0; d < ndim; ++d) {
    const bool gone = mask >> d & 1;
    if (gone) lost.push_back(d);
    if (!gone || keepdim) size.push_back(gone ? 1 : from.sizes()[size_t(d)]);
    if (d >= sparse && gone) inner.push_back(d - sparse + 1);
    if (d < sparse) (gone ? outer : whole) = gone;
    if (gone && from.sizes()[size_t(d)] == 0) nothing = true;
  }
  if (nothing) {
    // Every element is what the reduction gives of nothing.
    const Tensor all = thpp::reshape(kind.of_dense(thpp::_to_dense(from), lost), size);
    return outer && whole ? all : thpp::_to_sparse(all);
  }
  Tensor values = thpp::_values(from);
  if (!inner.empty()) values = kind.of_dense(values, inner);
  if (keepdim && !inner.empty())
    values = thpp::reshape(values, joined({values.size(0)}, IntList(size).subspan(size_t(sparse))));
  if (!outer) return coo(raw_indices(from), values, size, true);
  if (whole) {
    const Groups groups = groups_of(from, mask);
    Tensor total = nnz(from) ? kind.of_dense(values, {0})
                             : thpp::squeeze(block_for(values, 1, Scalar(int64_t(groups.all == 0))), {0});
    if (nnz(from) < groups.all) total = kind.with_zero(total);
    return keepdim ? thpp::reshape(total, size) : total;
  }
  const Groups groups = groups_of(from, mask);
  const Tensor start = block_for(values, groups.count(), Scalar(int64_t(0)));
  const Tensor raw = groups.count() ? scattered_by(kind.name, start, groups.of, values, false) : start;
  const Tensor less = thpp::lt(groups.counts, number(groups.all));
  const Tensor made = thpp::where(beside(less, raw), kind.with_zero(raw), raw);
  std::vector<Tensor> found;
  int64_t next = 0;
  for (int d = 0; d < sparse; ++d) {
    if (!(mask >> d & 1))
      found.push_back(line_of(groups.places, next++));
    else if (keepdim)
      found.push_back(thpp::zeros({groups.count()}, TH_Long, from.device()));
  }
  return coo(thpp::stack(found, 0), made, size, true);
}

// 1 where an element is not 0, as integers.
Tensor counted(const Tensor &self) {
  const Tensor from = distinct(self);
  return with_values(from, thpp::to(thpp::ne(thpp::_values(from), number(0)), TH_Long));
}

int64_t reduced_elements(const Tensor &self, IntList dim) {
  const uint64_t mask = dim_mask(dim, self.dim());
  int64_t all = 1;
  for (int d = 0; d < self.dim(); ++d)
    if (mask >> d & 1) all = TH_saturatedProduct(all, self.sizes()[size_t(d)]);
  return all;
}

// bool, and uint8 of uint8, as of strided tensors.
Tensor as_truth(const Tensor &found, const Tensor &self) {
  return self.dtype() == TH_Byte ? thpp::to(found, TH_Byte) : found;
}

Tensor softmax_of(const Tensor &self, int64_t dim, std::optional<THDtype> dtype, bool logarithm) {
  if (!is_sparse(self)) return logarithm ? thpp::log_softmax(self, dim, dtype) : thpp::softmax(self, dim, dtype);
  const int at = own_dim(dim, self);
  const THDtype t = dtype.value_or(self.dtype());
  if (!is_floating(t))
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", logarithm ? "log_softmax" : "softmax",
            TH_typeName(t));
  return by_coordinates(self, [&](const Tensor &given) {
    const Tensor from = thpp::coalesce(t == given.dtype() ? given : thpp::to(given, t));
    const int sparse = sparse_dims(from);
    const Tensor own = thpp::_values(from);
    if (at >= sparse) {
      const int64_t d = at - sparse + 1;
      return with_values(from, logarithm ? thpp::log_softmax(own, d) : thpp::softmax(own, d));
    }
    if (!nnz(from)) return from;
    // Sums of half types are made in float.
    const bool half = t == TH_Half || t == TH_BFloat16;
    const Tensor values = half ? thpp::to(own, TH_Float) : own;
    const auto [of, n] = labels_of(from, at);
    const Scalar least(-std::numeric_limits<double>::infinity());
    const Tensor most = scattered_by("amax", block_for(values, n, least), of, thpp::detach(values), true);
    const Tensor shifted = thpp::sub(values, thpp::index_select(most, 0, of));
    const Tensor powers = thpp::exp(shifted);
    const Tensor sums = thpp::index_select(thpp::index_add(block_for(values, n, Scalar(int64_t(0))), 0, of, powers), 0,
                                           of);
    const Tensor made = logarithm ? thpp::sub(shifted, thpp::log(sums)) : thpp::div(powers, sums);
    return with_values(from, half ? thpp::to(made, t) : made);
  });
}

}  // namespace

Tensor body::_sparse_softmax(const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  return softmax_of(self, dim, dtype, false);
}
Tensor body::_sparse_log_softmax(const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  return softmax_of(self, dim, dtype, true);
}

namespace sparse {

Tensor amax(const Tensor &self, IntList dim, bool keepdim) { return reduced(self, dim, keepdim, kAmax); }
Tensor amin(const Tensor &self, IntList dim, bool keepdim) { return reduced(self, dim, keepdim, kAmin); }
Tensor max(const Tensor &self) { return reduced(self, {}, false, kAmax); }
Tensor min(const Tensor &self) { return reduced(self, {}, false, kAmin); }
Tensor prod(const Tensor &self, std::optional<THDtype> dtype) {
  const THDtype t = dtype ? *dtype : is_inexact(self.dtype()) ? self.dtype() : TH_Long;
  return reduced(thpp::to(distinct(self), t), {}, false, kProd);
}
Tensor prod(const Tensor &self, int64_t dim, bool keepdim, std::optional<THDtype> dtype) {
  const THDtype t = dtype ? *dtype : is_inexact(self.dtype()) ? self.dtype() : TH_Long;
  return reduced(thpp::to(distinct(self), t), {dim}, keepdim, kProd);
}

Tensor mean(const Tensor &self, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  if (!is_inexact(dtype.value_or(self.dtype())))
    THError(
        TH_ERROR_RUNTIME,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: %s",
        TH_typeName(self.dtype()));
  const Tensor total = thpp::sum(self, dim, keepdim, dtype), by = wrapped_number(double(reduced_elements(self, dim)));
  // Of nothing every element is NaN.
  if (by.item().to_double() == 0 && is_sparse(total)) return thpp::_to_sparse(thpp::div(thpp::_to_dense(total), by));
  return thpp::div(total, by);
}

Tensor count_nonzero(const Tensor &self, IntList dim) { return thpp::sum(counted(self), dim, false); }
Tensor any(const Tensor &self, IntList dim, bool keepdim) {
  return as_truth(thpp::ne(thpp::sum(counted(self), dim, keepdim), number(0)), self);
}
Tensor all(const Tensor &self, IntList dim, bool keepdim) {
  const int64_t elements = reduced_elements(self, dim);
  const Tensor counts = thpp::sum(counted(self), dim, keepdim);
  return as_truth(thpp::eq(elements ? counts : thpp::_to_dense(counts), number(elements)), self);
}

Tensor vector_norm(const Tensor &self, const Scalar &ord, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  const Tensor from = distinct(dtype ? thpp::to(self, *dtype) : self);
  if (dtype && promote_types(self.dtype(), *dtype) != *dtype)
    THError(
        TH_ERROR_RUNTIME,
        "linalg.vector_norm: the dtype of the input (%s) should be convertible without narrowing to the specified dtype (%s)",
        TH_typeName(self.dtype()), TH_typeName(*dtype));
  const double p = ord.to_double();
  const int64_t elements = reduced_elements(self, dim);
  if (!elements && p < 0) thpp::linalg_vector_norm(on_meta(self), ord, dim, keepdim, dtype);  // says that there is none
  const bool whole = elements == self.numel() && !keepdim && dim_mask(dim, self.dim()) == dim_mask({}, self.dim());
  if (whole) {
    const Tensor values = thpp::_values(from);
    const Tensor norm = thpp::linalg_vector_norm(values, p < 0 && !values.numel() ? Scalar(int64_t(2)) : ord);
    return p < 0 && values.numel() < elements ? zeros_of(norm) : norm;
  }
  if (!is_inexact(from.dtype()))
    THError(TH_ERROR_RUNTIME, "linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s",
            TH_typeName(from.dtype()));
  const Tensor sizes = thpp::abs(from);
  if (p == INFINITY) return thpp::amax(sizes, dim, keepdim);
  if (p == -INFINITY) return thpp::amin(sizes, dim, keepdim);
  if (p == 0) return thpp::to(thpp::sum(counted(from), dim, keepdim), sizes.dtype());
  if (p < 0)
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "linalg.vector_norm: of dimensions of a sparse tensor there is no norm of order %g", p);
  if (p == 1) return thpp::sum(sizes, dim, keepdim);
  return thpp::pow(thpp::sum(thpp::pow(sizes, ord), dim, keepdim), Scalar(1 / p));
}

Tensor native_norm(const Tensor &self, const Scalar &p) { return thpp::linalg_vector_norm(self, p); }
Tensor native_norm(const Tensor &self, std::optional<Scalar> p, IntList dim, bool keepdim,
                   std::optional<THDtype> dtype) {
  return thpp::linalg_vector_norm(self, p.value_or(Scalar(int64_t(2))), dim, keepdim, dtype);
}

}  // namespace sparse
}  // namespace thpp
