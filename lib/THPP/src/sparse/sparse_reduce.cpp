// Sums over sparse and dense dimensions.
#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

// A tensor whose first dimensions have a length of 1: one entry, 0 or not.
Tensor one_entry(const Tensor &t, int64_t sparse) {
  const std::vector<int64_t> block = joined(IntList({1}), t.sizes().subspan(size_t(sparse)));
  return coo(thpp::zeros({sparse, 1}, TH_Long, t.device()), thpp::reshape(t, block), t.sizes(), true);
}

}  // namespace

namespace sparse {

Tensor sum(const Tensor &given, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  // Entries of one place are added up in their own dtype: bools by or, integers of few bits modulo.
  const Tensor self = is_inexact(given.dtype()) || given.dtype() == TH_Long ? given : distinct(given);
  if (!is_coo(self)) {
    if (dim.empty() && !keepdim) return thpp::sum(thpp::_values(self), IntList(), false, dtype);
    const Tensor made = sparse::sum(to_coo(self), dim, keepdim, dtype);
    if (!keepdim) return made;
    return back_to_layout(is_sparse(made) ? made : one_entry(made, self.dim() - dense_dims(self)), self);
  }
  THSTensor_checkBounds(self.get());
  const int ndim = self.dim(), sparse = sparse_dims(self);
  const uint64_t mask = dim_mask(dim, ndim);
  std::vector<int64_t> kept, dense, size, shape;
  int lost = 0;
  for (int d = 0; d < ndim; ++d) {
    const bool out = mask >> d & 1;
    const int64_t length = self.sizes()[size_t(d)];
    if (!out) size.push_back(length);
    shape.push_back(out ? 1 : length);
    if (d < sparse && !out) kept.push_back(d);
    if (d < sparse) lost += out;
    if (d >= sparse && out) dense.push_back(d - sparse + 1);
  }
  Tensor values = thpp::_values(self);
  if (lost == sparse) {
    // Nothing sparse is left.
    dense.insert(dense.begin(), 0);
    const Tensor total = thpp::sum(values, dense, false, dtype);
    return keepdim ? thpp::reshape(total, shape) : total;
  }
  if (!dense.empty()) values = thpp::sum(values, dense, false, dtype);
  const THDtype t = dtype ? *dtype : is_inexact(self.dtype()) ? self.dtype() : TH_Long;
  if (values.dtype() != t) values = thpp::to(values, t);
  Tensor made = thpp::coalesce(coo(lines(raw_indices(self), kept), values, size, !lost && coalesced(self)));
  for (int d = 0; keepdim && d < ndim; ++d)
    if (mask >> d & 1) made = sparse::unsqueeze(made, d);
  return made;
}

}  // namespace sparse
}  // namespace thpp
