#include "sparse_rows.h"

#include "dispatch.h"
#include "guard.h"

namespace thpp {

Untyped sparse_row(size_t slot) {
  if (const Untyped row = reinterpret_cast<const Untyped *>(&kSparse)[slot]) return row;
  if (kSparseParts[slot]) return nullptr;
  const Op &op = kOperators[slot];
  THError(TH_ERROR_NOT_IMPLEMENTED,
          "Could not run 'aten::%s' with arguments from the 'SparseCPU' backend: sparse tensors have no operator %s; "
          "to_dense() makes a strided one, which has it",
          *op.aten ? op.aten : op.name, op.name);
}

}  // namespace thpp
