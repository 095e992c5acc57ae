// Sparse tensors and their members.
#include <algorithm>

#include <THPP/Guard.h>
#include <THPP/Meta.h>
#include <THPP/Sparse.h>

#include "kit/guard.h"
#include "sparse.h"

namespace thpp {

using namespace sparse;

namespace {

void expect_coalesced(const char *what, const Tensor &self) {
  if (is_coo(self) && !coalesced(self))
    THError(TH_ERROR_RUNTIME, "Cannot get %s on an uncoalesced tensor, please call .coalesce() first", what);
}

// Of the indices of another one, which have been looked at.
Tensor bounded_as(const Tensor &other, Tensor made) {
  const THSMembers &looked_at = *THSTensor_members(other.get());
  THSMembers &members = *THSTensor_members(made.get());
  members.bounded = looked_at.bounded;
  std::ranges::copy(looked_at.bounded_versions, members.bounded_versions);
  return made;
}

}  // namespace

void set_sparse_checks(bool on) { THSTensor_setChecking(on); }
bool sparse_checks() { return THSTensor_isChecking(); }

Tensor body::_sparse_coo_tensor_unsafe(const Tensor &indices, const Tensor &values, IntList size, bool is_coalesced) {
  return Tensor::steal(THSTensor_newWithTensorAndSize(indices.get(), thpp::detach(values).get(), int(size.size()),
                                                      size.data(), is_coalesced));
}

Tensor body::_sparse_compressed_tensor_unsafe(const Tensor &compressed_indices, const Tensor &plain_indices,
                                              const Tensor &values, IntList size, int64_t layout) {
  return Tensor::steal(THSTensor_newCompressed(compressed_layout(layout), compressed_indices.get(), plain_indices.get(),
                                               thpp::detach(values).get(), int(size.size()), size.data()));
}

Tensor body::_sparse_with_values(const Tensor &self, const Tensor &values) {
  const Tensor own = thpp::detach(values);
  // A COO tensor's dense sizes are the values' own.
  std::vector<int64_t> size = list(self.sizes());
  if (is_coo(self)) {
    size.resize(size_t(sparse_dims(self)));
    if (values.dim()) size.insert(size.end(), values.sizes().begin() + 1, values.sizes().end());
    return bounded_as(self, Tensor::steal(THSTensor_newWithTensorAndSize(
                                raw_indices(self).get(), own.get(), int(size.size()), size.data(), coalesced(self))));
  }
  return bounded_as(self,
                    Tensor::steal(THSTensor_newCompressed(self.layout(), raw_indices(self).get(), raw_plain(self).get(),
                                                          own.get(), int(size.size()), size.data())));
}

Tensor body::_sparse_copy(const Tensor &self) { return body::_sparse_with_values(self, raw_values(self)); }

Tensor body::values(const Tensor &self) {
  if (!is_sparse(self)) THError(TH_ERROR_RUNTIME, "values expected sparse tensor layout but got Strided");
  expect_coalesced("values", self);
  return thpp::_values(self);
}
Tensor body::indices(const Tensor &self) {
  THSTensor_checkCoordinates(self.get(), "indices");
  expect_coalesced("indices", self);
  return thpp::detach(member(THSTensor_members(self.get())->indices));  // to be seen, whatever they are
}

namespace sparse {

const char *backend_name(const Tensor &t) { return is_coo(t) ? "SparseCPU" : is_sparse(t) ? "SparseCsrCPU" : "CPU"; }

void refuse(const char *operation, const Tensor &t) {
  THError(TH_ERROR_NOT_IMPLEMENTED,
          "Could not run 'aten::%s' with arguments from the '%s' backend: its layout is torch.%s", operation,
          backend_name(t), name_of(t.layout()));
}

Tensor distinct(const Tensor &self) { return is_coo(self) ? thpp::coalesce(self) : self; }
Tensor values_of(const Tensor &self) { return thpp::_values(self); }
Tensor with_values(const Tensor &self, const Tensor &values) { return thpp::_sparse_with_values(self, values); }

Tensor before_write(const Tensor &self, uint8_t flags) {
  if (!records(flags)) return self;
  return is_sparse(self) ? thpp::_sparse_copy(self) : thpp::clone(self, MemoryFormat::Preserve);
}

void check_unrecorded(const Tensor &out, const Tensor &result) {
  if (grad_mode() && ((guard_flags(out) | guard_flags(result)) & TH_RECORDED))
    THError(TH_ERROR_RUNTIME,
            "out=... of a sparse tensor: gradients do not flow through it, but one of the arguments requires grad");
}

void assign(const Tensor &written, const Tensor &result) {
  if (written.is_same(result)) return;
  if (written.dtype() != result.dtype()) {
    if (!can_cast(result.dtype(), written.dtype())) throw_cast(result.dtype(), written.dtype());
    return assign(written, thpp::to(result, written.dtype(), true));
  }
  if (!is_sparse(written) || !is_sparse(result)) {
    if (!is_sparse(written) && !is_sparse(result)) {
      if (!std::ranges::equal(written.sizes(), result.sizes())) thpp::_resize_as_(written, result);
      thpp::_copy_(written, result);
      return;
    }
    if (!is_sparse(written)) return assign(written, thpp::_to_dense(result));
    THError(TH_ERROR_RUNTIME, "a result of layout torch.%s cannot be written into a tensor of layout torch.%s",
            name_of(result.layout()), name_of(written.layout()));
  }
  thpp::_sparse_assign_(written, in_layout_of(result, written));
}

void assign_in_place(const Tensor &written, const Tensor &result) {
  if (!std::ranges::equal(written.sizes(), result.sizes())) {
    thpp::add_(on_meta(written), on_meta(result));  // says what it says of strided tensors
    THError(TH_ERROR_RUNTIME, "a result of size %s cannot take the place of a tensor of size %s",
            text(result.sizes()).c_str(), text(written.sizes()).c_str());
  }
  assign(written, result);
}

Tensor empty_coo(IntList size, int sparse, THDtype dtype, THDevice device) {
  std::vector<int64_t> block = list(size.subspan(size_t(sparse)));
  block.insert(block.begin(), 0);
  return coo(thpp::empty({sparse, 0}, TH_Long, MemoryFormat::Contiguous, device),
             thpp::empty(block, dtype, MemoryFormat::Contiguous, device), size, true);
}

Tensor empty_compressed(THLayout layout, IntList size, int dense_dims, IntList block, THDtype dtype, THDevice device) {
  if (int(size.size()) < 2 + dense_dims)
    THError(TH_ERROR_RUNTIME, "a tensor of layout torch.%s has two dimensions or more besides dense ones, got size %s",
            name_of(layout), text(size).c_str());
  const size_t batch = size.size() - 2 - size_t(dense_dims);
  const bool by_rows = is_by_rows(layout);
  std::vector<int64_t> lines = list(size.first(batch)), none = lines, values;
  lines.push_back(size[batch + (by_rows ? 0 : 1)] / (is_blocked(layout) ? block[by_rows ? 0 : 1] : 1) + 1);
  none.push_back(0);
  values = none;
  if (is_blocked(layout)) values.insert(values.end(), block.begin(), block.end());
  values.insert(values.end(), size.end() - dense_dims, size.end());
  return compressed(layout, thpp::zeros(lines, TH_Long, device),
                    thpp::empty(none, TH_Long, MemoryFormat::Contiguous, device),
                    thpp::empty(values, dtype, MemoryFormat::Contiguous, device), size);
}

}  // namespace sparse
}  // namespace thpp
