// Copies of what views show.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

// The view may be one of `out` itself.
void copy_of(Tensor &out, const Tensor &view) { write_out_exact(out, thpp::clone(view, MemoryFormat::Contiguous)); }

std::vector<Tensor> copies(const std::vector<Tensor> &views) {
  std::vector<Tensor> result;
  for (const Tensor &view : views) result.push_back(thpp::clone(view, MemoryFormat::Contiguous));
  return result;
}

Tensor slice_of(const Tensor &self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                int64_t step) {
  return thpp::slice(self, self.dim() ? dim : 0, start.value_or(0), end.value_or(INT64_MAX), step);
}

void check_count(const char *name, size_t expected, TensorList out) {
  if (out.size() != expected)
    THError(TH_ERROR_RUNTIME, "%s(): expected an out= argument of size %zu, got size %zu", name, expected, out.size());
}

// Copies into tensors that take the views' shapes. All are made, and all are fit for it, before the first is written.
void copies_to(const char *name, TensorList out, const std::vector<Tensor> &views) {
  check_count(name, views.size(), out);
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i].dtype() != views[i].dtype()) throw_out(views[i].dtype(), out[i].dtype());
  const std::vector<Tensor> made = copies(views);
  for (size_t i = 0; i < out.size(); ++i) write_out(in_place(out[i]), made[i]);
}

}  // namespace

void body::slice_copy_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<int64_t> start,
                          std::optional<int64_t> end, int64_t step) {
  copy_of(out, slice_of(self, dim, start, end, step));
}
std::vector<Tensor> body::split_copy(const Tensor &self, int64_t split_size, int64_t dim) {
  return copies(thpp::split(self, split_size, dim));
}
void body::split_copy(const Tensor &self, int64_t split_size, int64_t dim, TensorList out) {
  const std::vector<Tensor> parts = thpp::split(self, split_size, dim);
  check_count("split_copy", parts.size(), out);
  for (size_t i = 0; i < out.size(); ++i)
    thpp::expand(parts[i], out[i].sizes());  // refused before the first is written
  for (size_t i = 0; i < out.size(); ++i) thpp::copy_(out[i], parts[i], false);
}
std::vector<Tensor> body::split_with_sizes_copy(const Tensor &self, IntList split_sizes, int64_t dim) {
  return copies(thpp::split_with_sizes(self, split_sizes, dim));
}
void body::split_with_sizes_copy(const Tensor &self, IntList split_sizes, int64_t dim, TensorList out) {
  copies_to("split_with_sizes_copy", out, thpp::split_with_sizes(self, split_sizes, dim));
}
std::vector<Tensor> body::unbind_copy(const Tensor &self, int64_t dim) { return copies(thpp::unbind(self, dim)); }
void body::unbind_copy(const Tensor &self, int64_t dim, TensorList out) {
  copies_to("unbind_copy", out, thpp::unbind(self, dim));
}

}  // namespace thpp
