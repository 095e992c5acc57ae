// Sums and products of sparse tensors with sparse and strided ones, and numbers.
#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

bool is_number(const Tensor &t) { return !is_sparse(t) && t.dim() == 0; }

void same_size(const char *name, const Tensor &a, const Tensor &b) {
  if (!std::ranges::equal(a.sizes(), b.sizes()))
    THError(TH_ERROR_RUNTIME,
            "%s: expected 'self' and 'other' to have same size, but self has size %s while other has size %s", name,
            text(a.sizes()).c_str(), text(b.sizes()).c_str());
}

Tensor in_dtype(const Tensor &t, THDtype dtype) { return t.dtype() == dtype ? t : thpp::to(t, dtype); }

// The dtype of both, as of strided tensors.
THDtype common(const Tensor &a, const Tensor &b) {
  const Tensor *both[] = {&a, &b};
  return result_type(both);
}

std::vector<int64_t> broadcast(const Tensor &a, const Tensor &b) {
  const THTensor *const both[] = {a.get(), b.get()};
  int64_t size[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(2, both, size);
  return {size, size + ndim};
}

// What `dense`, broadcast to the size of like, has at its places.
Tensor at_places(const Tensor &dense, const Tensor &like) {
  const Tensor whole = std::ranges::equal(dense.sizes(), like.sizes()) ? dense : thpp::expand(dense, like.sizes());
  return thpp::_sparse_sample(whole, like);
}

// By coordinates: at places that both have.
Tensor intersection(const Tensor &a, const Tensor &b) {
  const Tensor at = thpp::_sparse_find(b, raw_indices(a));
  const Tensor both = thpp::view(thpp::nonzero(thpp::ge(at, wrapped_number(int64_t(0)))), {-1});
  const Tensor values = thpp::mul(thpp::index_select(thpp::_values(a), 0, both),
                                  thpp::index_select(thpp::_values(b), 0, thpp::index_select(at, 0, both)));
  return coo(thpp::index_select(raw_indices(a), 1, both), values, a.sizes(), coalesced(a));
}

// The entries of `at`, times what the other one has there.
Tensor times_at(const Tensor &at, const Tensor &other) {
  return with_values(at, thpp::mul(thpp::_values(at), thpp::_sparse_sample(other, at)));
}

bool same_places(const Tensor &a, const Tensor &b) {
  return a.layout() == b.layout() && is_compressed(a) &&
         std::ranges::equal(raw_values(a).sizes(), raw_values(b).sizes()) &&
         thpp::equal(raw_indices(a), raw_indices(b)) && thpp::equal(raw_plain(a), raw_plain(b));
}

// Lines of the one can be joined with those of the other.
bool same_lines(const Tensor &a, const Tensor &b) {
  return is_compressed(a) && a.layout() == b.layout() && !batch_dims(a) && !batch_dims(b) &&
         dense_dims(a) == dense_dims(b) && block_of(a) == block_of(b);
}

// Where there is nothing, 0 / 0 would have to be.
void check_divisor(const Tensor &self, const Tensor &by) {
  if (thpp::any(thpp::eq(by, number(0))).item().to_int())
    THError(TH_ERROR_RUNTIME,
            "div: elements that a tensor of layout torch.%s does not have would be divided by zero; to_dense() first",
            name_of(self.layout()));
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> fallback::sparse_cadd_compressed(const Tensor &self, const Tensor &other,
                                                                    const Scalar &alpha) {
  const auto [places, values] = thpp::_sparse_cadd(to_coalesced(self), to_coalesced(other), alpha);
  const Tensor made = in_layout_of(coo(places, values, self.sizes(), true), self);
  return {raw_indices(made), raw_plain(made), raw_values(made)};
}

// Of one dtype, size and layout.
Tensor body::_sparse_add(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  if (same_lines(self, other)) {
    const auto [begins, across, values] = thpp::_sparse_cadd_compressed(self, other, alpha);
    return compressed(self.layout(), begins, across, values, self.sizes());
  }
  if (sparse_dims(self) != sparse_dims(other) || !std::ranges::equal(self.sizes(), other.sizes()))
    THError(TH_ERROR_RUNTIME, "add: entries of %d and of %d sparse dimensions, of sizes %s and %s, cannot be joined",
            sparse_dims(self), sparse_dims(other), text(self.sizes()).c_str(), text(other.sizes()).c_str());
  const auto [places, values] = thpp::_sparse_cadd(self, other, alpha);
  return coo(places, values, self.sizes(), coalesced(self) && coalesced(other));
}

namespace sparse {

Scalar negated(const Scalar &x) {
  return x.kind == TH_KIND_float     ? Scalar(-x.to_double())
         : x.kind == TH_KIND_complex ? Scalar(THComplexDouble(-x.to_double(), -x.imag))
                                     : Scalar(-x.to_int());
}

Tensor values_beside(const Tensor &self, const Tensor &number) {
  const Tensor values = thpp::_values(self);
  return self.dim() || number.is_wrapped_number() ? values : in_dtype(values, common(self, number));
}

Tensor add(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  const THDtype t = common(self, other);
  check_alpha(t, self, other, alpha);
  if (!is_sparse(self) || !is_sparse(other)) {
    const Tensor &sparse = is_sparse(self) ? self : other, &dense = is_sparse(self) ? other : self;
    if (is_number(dense)) {
      if (dense.is_wrapped_number() || sparse.dim())
        THError(TH_ERROR_RUNTIME,
                "add(sparse, number) is not supported: every element would be another one; to_dense() first");
    }
    // A strided tensor has room for all.
    return thpp::add(is_sparse(self) ? thpp::_to_dense(self) : self, is_sparse(other) ? thpp::_to_dense(other) : other,
                     alpha);
  }
  same_size("add", self, other);
  Tensor a = in_dtype(self, t), b = in_dtype(other, t);
  if (same_places(a, b)) return with_values(a, thpp::add(thpp::_values(a), thpp::_values(b), alpha));
  if (same_lines(a, b)) return thpp::_sparse_add(a, b, alpha);
  if (is_coo(a) != is_coo(b) || !is_coo(a)) {
    a = to_coalesced(a);
    b = to_coalesced(b);
  }
  b = regridded(b, sparse_dims(a));
  return back_to_layout(thpp::_sparse_add(a, b, alpha), self);
}

Tensor sub(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  check_sub(common(self, other), self, other, alpha);
  return sparse::add(self, other, negated(alpha));
}

Tensor mul(const Tensor &self, const Tensor &other) {
  if (!is_sparse(self)) return sparse::mul(other, self);
  if (is_sparse(other) && self.dim() && !other.dim()) return sparse::mul(self, thpp::_to_dense(other));
  if (is_number(other)) return with_values(self, thpp::mul(values_beside(self, other), other));
  if (!is_sparse(other)) {
    const std::vector<int64_t> size = broadcast(self, other);
    if (!std::ranges::equal(self.sizes(), size)) return sparse::mul(thpp::expand(self, size), other);
    return with_values(self, thpp::mul(thpp::_values(self), at_places(other, self)));
  }
  same_size("mul", self, other);
  const bool both_coo = is_coo(self) && is_coo(other);
  if (!both_coo && self.layout() != other.layout()) {
    if (is_coo(other) && sparse_dims(other) == 2 && could_be_like(other, self))
      return in_layout_of(intersection(to_coalesced(self), to_coalesced(other)), self);
    if (is_coo(self) || is_coo(other) || !could_be_like(other, self)) return times_at(distinct(self), other);
    return times_at(in_layout_of(other, self), self);
  }
  if (!is_coo(other)) {
    if (same_places(self, other)) return times_at(self, other);
    const Tensor made = intersection(to_coalesced(self), to_coalesced(other));
    return could_be_like(made, self) ? in_layout_of(made, self) : times_at(self, other);
  }
  // Entries of one place stay apart.
  if (!coalesced(other)) return times_at(other, self);
  if (!coalesced(self)) return times_at(self, other);
  return sparse_dims(self) == sparse_dims(other) ? intersection(self, other) : times_at(self, other);
}

Tensor div(const Tensor &given, const Tensor &other) {
  const Tensor self = is_sparse(given) && !is_inexact(given.dtype()) ? distinct(given) : given;  // sums may wrap
  if (!is_sparse(self) || is_sparse(other))
    THError(TH_ERROR_RUNTIME,
            "div: a sparse tensor can be divided by a strided one and by a number; where a sparse divisor has no "
            "elements, it would be by zero");
  if (!is_number(other) || is_compressed(self)) check_divisor(self, other);
  const Tensor by = is_number(other) ? other : at_places(other, self);
  return with_values(self, thpp::div(is_number(other) ? values_beside(self, other) : thpp::_values(self), by));
}

Tensor div_rounded(const Tensor &self, const Tensor &other, const char *rounding_mode) {
  if (!is_sparse(self) || is_sparse(other)) return sparse::div(self, other);
  const Tensor from = distinct(self);
  if (!is_number(other) || is_compressed(self)) check_divisor(self, other);
  if (is_number(other)) return with_values(from, thpp::div(values_beside(from, other), other, rounding_mode));
  return with_values(from, thpp::div(thpp::_values(from), at_places(other, from), rounding_mode));
}

Tensor pow(const Tensor &self, const Scalar &exponent) {
  if (!(exponent.to_double() > 0))
    THError(TH_ERROR_RUNTIME, "pow: a sparse tensor has no power %g: elements that are not there would not be 0",
            exponent.to_double());
  const Tensor from = distinct(self);
  return with_values(from, thpp::pow(thpp::_values(from), exponent));
}

Tensor float_power(const Tensor &self, const Scalar &exponent) {
  const bool complex = is_complex(self.dtype()) || exponent.kind == TH_KIND_complex;
  return thpp::pow(in_dtype(self, complex ? TH_ComplexDouble : TH_Double), exponent);
}

}  // namespace sparse
}  // namespace thpp
