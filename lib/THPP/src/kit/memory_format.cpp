// Memory formats: which strides each stands for.
#include "results.h"

namespace thpp {

namespace {

constexpr int kImage[] = {1, 3, 2, 0}, kVolume[] = {1, 4, 3, 2, 0};  // innermost first

// The dimensions of a format with its channels last, from the innermost; empty: another format.
std::span<const int> dims_of(MemoryFormat format) {
  if (format == MemoryFormat::ChannelsLast) return kImage;
  if (format == MemoryFormat::ChannelsLast3d) return kVolume;
  return {};
}

// Does each of these dimensions lie around those before it? Gaps are allowed. If dimensions of size 1 let it be row by
// row as well, no.
bool suggests(const THTensor *t, std::span<const int> dims) {
  if (t->stride[dims[0]] == 0) return false;
  int64_t least = 0;
  for (int d : dims) {
    if (t->size[d] == 0 || t->stride[d] < least) return false;
    if (d == 0 && least == t->stride[dims[0]]) return false;  // N, 1, 1, 1
    least = TH_saturatedProduct(t->stride[d], t->size[d]);
  }
  return true;
}

}  // namespace

std::vector<int64_t> format_strides(MemoryFormat format, IntList size) {
  const std::span<const int> dims = dims_of(format);
  if (size.size() != dims.size())
    THError(TH_ERROR_RUNTIME, "required rank %zu tensor to use %s format, but got sizes %s", dims.size(),
            format == MemoryFormat::ChannelsLast ? "channels_last" : "channels_last_3d", text(size).c_str());
  std::vector<int64_t> stride(size.size());
  uint64_t step = 1;  // may wrap: whoever makes the tensor refuses such sizes
  for (int d : dims) {
    stride[d] = int64_t(step);
    step *= uint64_t(size[d]);
  }
  return stride;
}

bool Tensor::is_contiguous(MemoryFormat format) const {
  const std::span<const int> dims = dims_of(format);
  if (dims.empty()) return is_contiguous();
  if (size_t(dim()) != dims.size()) return false;
  int64_t step = 1;
  for (int d : dims) {
    if (size(d) == 1) continue;
    if (strides()[d] != step) return false;
    step = TH_saturatedProduct(step, size(d));
  }
  return true;
}

MemoryFormat Tensor::suggest_memory_format() const {
  for (MemoryFormat format : {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    if (dims_of(format).size() == size_t(dim()) && suggests(impl_, dims_of(format))) return format;
  return MemoryFormat::Contiguous;
}

}  // namespace thpp
