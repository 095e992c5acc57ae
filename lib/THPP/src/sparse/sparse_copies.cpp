// Copies: of the members.
#include "sparse.h"

namespace thpp {

using namespace sparse;

namespace sparse {

// Indices are never written in place here, so that copies share them.
Tensor clone(const Tensor &self, std::optional<MemoryFormat>) {
  return with_values(self, thpp::clone(thpp::_values(self), MemoryFormat::Contiguous));
}

Tensor to(const Tensor &self, THDtype dtype, bool copy, std::optional<THDevice> device, std::optional<MemoryFormat>) {
  const THDevice here = self.device(), where = device.value_or(here);
  const bool moves = where.kind != here.kind || where.index != here.index;
  if (!moves && self.dtype() == dtype) return copy ? thpp::clone(self) : self;
  const Tensor values = thpp::to(thpp::_values(self), dtype, copy, where);
  if (!moves) return with_values(self, values);
  const auto moved = [&](const Tensor &indices) { return thpp::to(indices, indices.dtype(), false, where); };
  if (is_coo(self)) return coo(moved(raw_indices(self)), values, self.sizes(), coalesced(self));
  return compressed(self.layout(), moved(raw_indices(self)), moved(raw_plain(self)), values, self.sizes());
}

Tensor to_copy(const Tensor &self, THDtype dtype, THDevice device, std::optional<MemoryFormat>) {
  return sparse::to(self, dtype, true, device, {});
}

const Tensor &copy_(const Tensor &self, const Tensor &src, bool) {
  if (!is_sparse(self) || !is_sparse(src))
    THError(TH_ERROR_RUNTIME,
            "copy_() between strided and sparse tensors is not supported, found self of layout torch.%s and src "
            "of layout torch.%s",
            name_of(self.layout()), name_of(src.layout()));
  if (self.layout() != src.layout())
    THError(TH_ERROR_RUNTIME, "copy_() wants both tensors of one layout, found torch.%s and torch.%s",
            name_of(self.layout()), name_of(src.layout()));
  if (!self.is_same(src)) assign(self, sparse::to(src, self.dtype(), true, self.device(), {}));
  return self;
}

Tensor zeros_like(const Tensor &self, std::optional<THDtype> dtype, std::optional<MemoryFormat>,
                  std::optional<THDevice> device) {
  const THDtype t = dtype.value_or(self.dtype());
  const THDevice where = device.value_or(self.device());
  if (is_coo(self)) return empty_coo(self.sizes(), sparse_dims(self), t, where);
  const auto [height, width] = block_of(self);
  return empty_compressed(self.layout(), self.sizes(), dense_dims(self), {height, width}, t, where);
}

const Tensor &zero_(const Tensor &self) {
  assign(self, sparse::zeros_like(self, {}, {}, {}));
  return self;
}

}  // namespace sparse
}  // namespace thpp
