// Operators of two tensors, element by element, and what is asked of two.
#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

bool is_number(const Tensor &t) { return !is_sparse(t) && t.dim() == 0; }

bool is_zero(const Tensor &t) { return !t.numel() || !thpp::any(t).item().to_int(); }

void same_size(const char *name, const Tensor &a, const Tensor &b) {
  if (!std::ranges::equal(a.sizes(), b.sizes()))
    THError(TH_ERROR_RUNTIME, "%s: sparse tensors have to have the same size, and are not broadcast; got %s and %s",
            name, text(a.sizes()).c_str(), text(b.sizes()).c_str());
}

// Coalesced, with as many sparse dimensions.
std::pair<Tensor, Tensor> alike(const Tensor &self, const Tensor &other) {
  const Tensor a = to_coalesced(self), b = to_coalesced(other);
  if (sparse_dims(a) == sparse_dims(b)) return {a, b};
  return {thpp::coalesce(regridded(a, a.dim())), thpp::coalesce(regridded(b, b.dim()))};
}

// The places that either has.
Tensor united(const Tensor &a, const Tensor &b) {
  const auto pattern = [](const Tensor &t) {
    const Tensor ones = thpp::ones(raw_values(t).sizes(), TH_Bool, t.device());
    return coo(raw_indices(t), ones, t.sizes(), true);
  };
  return thpp::_sparse_add(pattern(a), pattern(b), Scalar(int64_t(1)));
}

// Whether `same` holds at all places that either has, where both are coalesced; elsewhere both are 0.
template <class Same>
bool agree(const Tensor &self, const Tensor &other, const Same &same) {
  const auto [a, b] = alike(self, other);
  const Tensor places = united(a, b);
  return same(thpp::_sparse_sample(a, places), thpp::_sparse_sample(b, places));
}

}  // namespace

namespace sparse {

void check_distinct(const Tensor &self) {
  if (is_coo(self) && !coalesced(self))
    THError(TH_ERROR_RUNTIME, "in place, this operator requires coalesced input: coalesce() first");
}

Tensor zero_like(const Tensor &self) {
  if (!is_sparse(self))
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "an operator of a strided tensor takes no sparse one beside it: to_dense() makes it a strided one");
  return thpp::zeros({}, self.dtype(), self.device());
}

void check_zero(const char *name, const Tensor &self, const Tensor &of_zero) {
  if (!is_zero(of_zero))
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "%s of a tensor of layout torch.%s: elements that are not there would not be 0; to_dense() first", name,
            name_of(self.layout()));
}

Tensor paired(const char *name, const Tensor &self, const Tensor &other, Apply apply) {
  // With a dimension, where the tensor has some: so it is promoted.
  const auto zero = [](const Tensor &t) {
    return is_number(t)
               ? t
               : thpp::zeros(t.dim() ? std::vector<int64_t>{1} : std::vector<int64_t>(), t.dtype(), t.device());
  };
  if (is_number(self) || is_number(other)) {
    check_zero(name, is_sparse(self) ? self : other, apply(zero(self), zero(other)));
    const Tensor from = distinct(is_sparse(self) ? self : other),
                 values = values_beside(from, is_sparse(self) ? other : self);
    return with_values(from, is_sparse(self) ? apply(values, other) : apply(self, values));
  }
  if (!is_sparse(self) || !is_sparse(other))
    return apply(is_sparse(self) ? thpp::_to_dense(self) : self, is_sparse(other) ? thpp::_to_dense(other) : other);
  same_size(name, self, other);
  check_zero(name, self, apply(zero(self), zero(other)));
  const auto [a, b] = alike(self, other);
  const Tensor places = united(a, b);
  const Tensor made = with_values(places, apply(thpp::_sparse_sample(a, places), thpp::_sparse_sample(b, places)));
  return back_to_layout(made, self);
}

bool equal(const Tensor &self, const Tensor &other) {
  if (!std::ranges::equal(self.sizes(), other.sizes())) return false;
  if (!is_sparse(self) || !is_sparse(other)) return thpp::equal(thpp::_to_dense(self), thpp::_to_dense(other));
  return agree(self, other, [](const Tensor &a, const Tensor &b) { return thpp::equal(a, b); });
}

bool allclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equal_nan) {
  if (!is_sparse(self) || !is_sparse(other))
    return thpp::allclose(thpp::_to_dense(self), thpp::_to_dense(other), rtol, atol, equal_nan);
  same_size("allclose", self, other);
  return agree(self, other,
               [&](const Tensor &a, const Tensor &b) { return thpp::allclose(a, b, rtol, atol, equal_nan); });
}

Tensor floor_divide(const Tensor &self, const Tensor &other) { return thpp::div(self, other, "floor"); }
// What is made of other operators takes the dtypes and sizes that the one of strided tensors takes: that says what cannot be.
Tensor addcmul(const Tensor &self, const Tensor &tensor1, const Tensor &tensor2, const Scalar &value) {
  const Tensor checked = thpp::addcmul(on_meta(self), on_meta(tensor1), on_meta(tensor2), value);
  if (checked.dtype() == TH_Bool) throw_kernel(kernel_for(self, "addcmul").c_str(), TH_Bool);
  return thpp::add(self, thpp::mul(tensor1, tensor2), value);
}
Tensor addcdiv(const Tensor &self, const Tensor &tensor1, const Tensor &tensor2, const Scalar &value) {
  thpp::addcdiv(on_meta(self), on_meta(tensor1), on_meta(tensor2), value);
  return thpp::add(self, thpp::div(tensor1, tensor2), value);
}
Tensor lerp(const Tensor &self, const Tensor &end, const Scalar &weight) {
  thpp::lerp(on_meta(self), on_meta(end), weight);
  return thpp::add(self, thpp::sub(end, self), weight);
}
Tensor lerp(const Tensor &self, const Tensor &end, const Tensor &weight) {
  return thpp::add(self, thpp::mul(thpp::sub(end, self), weight));
}

// Of an uncoalesced tensor entry by entry: both are sums.
Tensor real(const Tensor &self) {
  return is_complex(self.dtype()) ? with_values(self, thpp::clone(thpp::real(thpp::_values(self)))) : self;
}
Tensor imag(const Tensor &self) { return with_values(self, thpp::clone(thpp::imag(thpp::_values(self)))); }

}  // namespace sparse
}  // namespace thpp
