// Sums into tensors that are there.
#include <THPP/Guard.h>

#include "sparse.h"

namespace thpp {

using namespace sparse;

namespace {

bool is_recorded(const Tensor &self, const Tensor &other) {
  return grad_mode() && ((guard_flags(self) | guard_flags(other)) & TH_RECORDED);
}

// Adds entries to the elements at their places: nothing is made but what has their size.
void add_entries(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  const Tensor places = raw_indices(other);
  const bool one = alpha.kind != TH_KIND_complex && alpha.to_double() == 1;
  const Tensor values = one ? raw_values(other) : thpp::mul(raw_values(other), wrapped_number(alpha));
  if (!places.size(1)) return;
  if (places.size(0) == 1) {
    thpp::index_add_(self, 0, thpp::select(places, 0, 0), values);
    return;
  }
  std::vector<Tensor> rows;
  for (int64_t d = 0; d < places.size(0); ++d) rows.push_back(thpp::select(places, 0, d));
  thpp::index_put_(self, rows, values, true);
}

}  // namespace

namespace sparse {

const Tensor &add_(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  if (is_sparse(self)) {
    const Tensor before = before_write(self, flags_of(self, other));
    assign(self, sparse::add(before, instead(other, self, before), alpha));
    return self;
  }
  const bool simple = is_coo(other) && sparse_dims(other) > 0 && self.dtype() == other.dtype() &&
                      self.dtype() != TH_Bool && std::ranges::equal(self.sizes(), other.sizes()) &&
                      !is_recorded(self, other);
  if (!simple || (is_inexact(self.dtype()) ? false : alpha.kind != TH_KIND_int))
    return thpp::add_(self, thpp::_to_dense(other), alpha);
  add_entries(self, other, alpha);
  return self;
}

const Tensor &sub_(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  if (is_sparse(self)) {
    const Tensor before = before_write(self, flags_of(self, other));
    assign(self, sparse::sub(before, instead(other, self, before), alpha));
    return self;
  }
  check_sub(self.dtype(), self, other, alpha);
  return thpp::add_(self, other, negated(alpha));
}

}  // namespace sparse
}  // namespace thpp
