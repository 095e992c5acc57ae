// Sums over sparse and dense dimensions.
#include "sparse.h"

namespace thpp {

using namespace sparse;

namespace sparse {

Tensor sum(const Tensor &self, IntList dim, bool keepdim, std::optional<THDtype> dtype) {
  if (!is_coo(self)) {
    if (dim.empty()) return thpp::sum(thpp::_values(self), IntList(), false, dtype);
    return sparse::sum(to_coo(self), dim, keepdim, dtype);
  }
  const int ndim = self.dim(), sparse = sparse_dims(self);
  const uint64_t mask = dim_mask(dim, ndim);
  std::vector<int64_t> kept, dense, size;
  int lost = 0;
  for (int d = 0; d < ndim; ++d) {
    const bool out = mask >> d & 1;
    if (!out || keepdim) size.push_back(out ? 1 : self.sizes()[size_t(d)]);
    if (d < sparse) {
      if (!out) kept.push_back(d);
      lost += out;
    } else if (out) {
      dense.push_back(d - sparse + 1);
    }
  }
  Tensor values = thpp::_values(self);
  if (lost == sparse) {
    // Nothing sparse is left.
    dense.insert(dense.begin(), 0);
    const Tensor total = thpp::sum(values, dense, false, dtype);
    return keepdim ? thpp::reshape(total, size) : total;
  }
  if (!dense.empty()) values = thpp::sum(values, dense, keepdim, dtype);
  const THDtype t = dtype ? *dtype : is_inexact(self.dtype()) ? self.dtype() : TH_Long;
  if (values.dtype() != t) values = thpp::to(values, t);
  std::vector<Tensor> rows;
  const Tensor places = raw_indices(self);
  for (int d = 0; d < sparse; ++d) {
    const Tensor row = thpp::select(places, 0, d);
    if (!(mask >> d & 1))
      rows.push_back(row);
    else if (keepdim)
      rows.push_back(thpp::zeros_like(row));
  }
  const Tensor made = coo(thpp::stack(rows, 0), values, size, !lost && coalesced(self));
  return keepdim ? made : thpp::coalesce(made);
}

}  // namespace sparse
}  // namespace thpp
