// What operators made of others share.
#pragma once

#include "create.h"

namespace thpp {

// `value` as the result: converted and copied into `out` if that is given.
inline void store(Tensor &out, const Tensor &value) {
  if (!out.defined()) {
    out = value;
    return;
  }
  target(out, value.dtype());
  THTensor_resizeAs(out.get(), value.get());
  THTensor_copy(out.get(), value.get());
}

// `change(self's elements)` for an operator that changes parts of self: in place if `out` is self, else in a copy, so
// that what is refused leaves `out` as it is.
template <class Change>
void scattered(Tensor &out, const Tensor &self, const Change &change) {
  if (out.is_same(self)) return change(self.get());
  if (out.defined()) exact_target(out, self.dtype());
  const Tensor work = Tensor::steal(THTensor_newClone(self.get()));
  change(work.get());
  store(out, work);
}

inline std::vector<int64_t> list(IntList values) { return {values.begin(), values.end()}; }
inline int wrap(int64_t dim, const Tensor &self) { return TH_wrapDim(dim, self.dim()); }
// The same, of a tensor that must have dimensions.
inline int own_dim(int64_t dim, const Tensor &self) {
  if (self.dim() == 0)
    THError(TH_ERROR_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)dim);
  return wrap(dim, self);
}
inline Tensor alias(const Tensor &self) { return Tensor::steal(THTensor_newWithTensor(self.get())); }
inline std::string text(IntList sizes) {
  std::string s = "[";
  for (int64_t n : sizes) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
  return s + "]";
}

}  // namespace thpp
