// Sorting that is more than one kernel.
#include "results.h"

#include "bodies.h"

namespace thpp {

void body::sort_out(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending,
                    std::optional<bool> stable) {
  TH_wrapDim(dim, self.dim());  // refused before the dtype is
  if (!values.defined()) values = thpp::empty_like(self);  // keeps the order of strides
  if (!indices.defined()) indices = thpp::empty_like(self, TH_Long);
  thpp::_sort_out(values, indices, self, dim, descending, stable.value_or(false));
}

void body::argsort_out(Tensor &out, const Tensor &self, bool stable, int64_t dim, bool descending) {
  Tensor values;
  thpp::sort_out(values, out, self, dim, descending, stable);
}

}  // namespace thpp
