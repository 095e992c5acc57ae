// Sums over sparse and dense dimensions.
#include "places.h"

namespace thpp {

using namespace sparse;

namespace sparse {

Tensor sum(const Tensor &given, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  const Tensor self = given.dtype() == TH_Bool ? distinct(given) : given;  // an or of those of one place, and no sum
  if (!is_coo(self)) {
    if (dim.empty() && !keepdim) return thpp::sum(thpp::_values(self), IntList(), false, dtype);
    const Tensor made = sparse::sum(to_coo(self), dim, keepdim, dtype);
    if (!keepdim) return made;
    const Tensor entries = is_sparse(made) ? made : thpp::_to_sparse(made);
    return back_to_layout(entries, self);
  }
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
