// Where a sparse tensor has elements that are not 0.
#include "sparse.h"

namespace thpp::sparse {

Tensor nonzero(const Tensor &self) {
  const Tensor from = to_coalesced(self), found = thpp::nonzero(raw_values(from));  // entry, then places within it
  const Tensor entries = thpp::select(found, 1, 0);
  const Tensor outer = thpp::t(thpp::index_select(raw_indices(from), 1, entries));
  return thpp::cat(std::vector<Tensor>{outer, thpp::narrow(found, 1, 1, found.size(1) - 1)}, 1);
}

}  // namespace thpp::sparse
