// Copies of what views show.
#include "results.h"

#include <THPP/Functions.h>

namespace thpp {

namespace {

void copy_to(Tensor &out, const Tensor &view) {
  if (out.defined()) exact_target(out, view.dtype());
  store(out, clone(view, MemoryFormat::Contiguous));
}

std::vector<Tensor> copies(const std::vector<Tensor> &views) {
  std::vector<Tensor> result;
  for (const Tensor &view : views) result.push_back(clone(view, MemoryFormat::Contiguous));
  return result;
}

Tensor slice_of(const Tensor &self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                int64_t step) {
  if (self.dim() == 0) THError(TH_ERROR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
  const int d = wrap(dim, self);
  return slice(self, d, start.value_or(0), end.value_or(self.size(d)), step);
}

}  // namespace

void alias_copy_out(Tensor &out, const Tensor &self) { copy_to(out, self); }
void as_strided_copy_out(Tensor &out, const Tensor &self, IntList size, IntList stride,
                         std::optional<int64_t> storage_offset) {
  copy_to(out, as_strided(self, size, stride, storage_offset));
}
void detach_copy_out(Tensor &out, const Tensor &self) { copy_to(out, self); }
void diagonal_copy_out(Tensor &out, const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  copy_to(out, diagonal(self, offset, dim1, dim2));
}
void expand_copy_out(Tensor &out, const Tensor &self, IntList size, bool) { copy_to(out, expand(self, size)); }
void permute_copy_out(Tensor &out, const Tensor &self, IntList dims) { copy_to(out, permute(self, dims)); }
void select_copy_out(Tensor &out, const Tensor &self, int64_t dim, int64_t index) {
  copy_to(out, select(self, dim, index));
}
void slice_copy_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<int64_t> start,
                    std::optional<int64_t> end, int64_t step) {
  copy_to(out, slice_of(self, dim, start, end, step));
}
void t_copy_out(Tensor &out, const Tensor &self) { copy_to(out, t(self)); }
void transpose_copy_out(Tensor &out, const Tensor &self, int64_t dim0, int64_t dim1) {
  copy_to(out, transpose(self, dim0, dim1));
}
void unfold_copy_out(Tensor &out, const Tensor &self, int64_t dimension, int64_t size, int64_t step) {
  copy_to(out, unfold(self, dimension, size, step));
}
void unsqueeze_copy_out(Tensor &out, const Tensor &self, int64_t dim) { copy_to(out, unsqueeze(self, dim)); }
void view_as_complex_copy_out(Tensor &out, const Tensor &self) { copy_to(out, view_as_complex(self)); }
void view_as_real_copy_out(Tensor &out, const Tensor &self) { copy_to(out, view_as_real(self)); }
void squeeze_copy_out(Tensor &out, const Tensor &self) { copy_to(out, squeeze(self)); }
void squeeze_copy_out(Tensor &out, const Tensor &self, IntList dim) { copy_to(out, squeeze(self, dim)); }
void view_copy_out(Tensor &out, const Tensor &self, IntList size) { copy_to(out, view(self, size)); }
void view_copy_out(Tensor &out, const Tensor &self, THDtype dtype) { copy_to(out, view_dtype(self, dtype)); }
std::vector<Tensor> split_copy(const Tensor &self, int64_t split_size, int64_t dim) {
  return copies(split(self, split_size, dim));
}
std::vector<Tensor> split_with_sizes_copy(const Tensor &self, IntList split_sizes, int64_t dim) {
  return copies(split_with_sizes(self, split_sizes, dim));
}
std::vector<Tensor> unbind_copy(const Tensor &self, int64_t dim) { return copies(unbind(self, dim)); }

}  // namespace thpp
