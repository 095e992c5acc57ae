// Copies of what views show.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

void copy_to(Tensor &out, const Tensor &view) {
  if (out.defined()) exact_target(out, view.dtype());
  store(out, thpp::clone(view, MemoryFormat::Contiguous));
}

std::vector<Tensor> copies(const std::vector<Tensor> &views) {
  std::vector<Tensor> result;
  for (const Tensor &view : views) result.push_back(thpp::clone(view, MemoryFormat::Contiguous));
  return result;
}

Tensor slice_of(const Tensor &self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                int64_t step) {
  if (self.dim() == 0) THError(TH_ERROR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
  const int d = wrap(dim, self);
  return thpp::slice(self, d, start.value_or(0), end.value_or(self.size(d)), step);
}

}  // namespace

void body::alias_copy_out(Tensor &out, const Tensor &self) { copy_to(out, self); }
void body::as_strided_copy_out(Tensor &out, const Tensor &self, IntList size, IntList stride,
                               std::optional<int64_t> storage_offset) {
  copy_to(out, thpp::as_strided(self, size, stride, storage_offset));
}
void body::detach_copy_out(Tensor &out, const Tensor &self) { copy_to(out, self); }
void body::diagonal_copy_out(Tensor &out, const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  copy_to(out, thpp::diagonal(self, offset, dim1, dim2));
}
void body::expand_copy_out(Tensor &out, const Tensor &self, IntList size, bool) {
  copy_to(out, thpp::expand(self, size));
}
void body::permute_copy_out(Tensor &out, const Tensor &self, IntList dims) { copy_to(out, thpp::permute(self, dims)); }
void body::select_copy_out(Tensor &out, const Tensor &self, int64_t dim, int64_t index) {
  copy_to(out, thpp::select(self, dim, index));
}
void body::slice_copy_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<int64_t> start,
                          std::optional<int64_t> end, int64_t step) {
  copy_to(out, slice_of(self, dim, start, end, step));
}
void body::t_copy_out(Tensor &out, const Tensor &self) { copy_to(out, thpp::t(self)); }
void body::transpose_copy_out(Tensor &out, const Tensor &self, int64_t dim0, int64_t dim1) {
  copy_to(out, thpp::transpose(self, dim0, dim1));
}
void body::unfold_copy_out(Tensor &out, const Tensor &self, int64_t dimension, int64_t size, int64_t step) {
  copy_to(out, thpp::unfold(self, dimension, size, step));
}
void body::unsqueeze_copy_out(Tensor &out, const Tensor &self, int64_t dim) {
  copy_to(out, thpp::unsqueeze(self, dim));
}
void body::view_as_complex_copy_out(Tensor &out, const Tensor &self) { copy_to(out, thpp::view_as_complex(self)); }
void body::view_as_real_copy_out(Tensor &out, const Tensor &self) { copy_to(out, thpp::view_as_real(self)); }
void body::squeeze_copy_out(Tensor &out, const Tensor &self) { copy_to(out, thpp::squeeze(self)); }
void body::squeeze_copy_out(Tensor &out, const Tensor &self, IntList dim) { copy_to(out, thpp::squeeze(self, dim)); }
void body::view_copy_out(Tensor &out, const Tensor &self, IntList size) { copy_to(out, thpp::view(self, size)); }
void body::view_copy_out(Tensor &out, const Tensor &self, THDtype dtype) {
  copy_to(out, thpp::view_dtype(self, dtype));
}
std::vector<Tensor> body::split_copy(const Tensor &self, int64_t split_size, int64_t dim) {
  return copies(thpp::split(self, split_size, dim));
}
std::vector<Tensor> body::split_with_sizes_copy(const Tensor &self, IntList split_sizes, int64_t dim) {
  return copies(thpp::split_with_sizes(self, split_sizes, dim));
}
std::vector<Tensor> body::unbind_copy(const Tensor &self, int64_t dim) { return copies(thpp::unbind(self, dim)); }

}  // namespace thpp
