// Reductions that are more than one kernel.
#include "dispatch.h"

#include "bodies.h"

namespace thpp {

namespace {

using Search = void (*)(Tensor &, const Tensor &, int64_t, bool, bool);

void search(Tensor &out, const Tensor &self, std::optional<int64_t> dim, bool keepdim, const char *name,
            Search kernel) {
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "%s(): bool tensors are not supported", name);
  if (is_complex(self.dtype()) && self.device().kind != TH_Meta)
    THError(TH_ERROR_RUNTIME, "%s(): does not support complex input", name);
  if (!dim) THPrepare_extremum(name, self.get(), 0, true);
  kernel(out, self, dim ? TH_wrapDim(*dim, self.dim()) : 0, keepdim, !dim);
}

}  // namespace

void body::argmax_out(Tensor &out, const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  search(out, self, dim, keepdim, "argmax", _argmax_out);
}
void body::argmin_out(Tensor &out, const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  search(out, self, dim, keepdim, "argmin", _argmin_out);
}

}  // namespace thpp
