// Memory formats: which strides each stands for.
#include <THNN/Check.h>

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

MemoryFormat suggested_format(IntList size, IntList stride) {
  if (!THNNCheck_areChannelsLast(int(size.size()), size.data(), stride.data())) return MemoryFormat::Contiguous;
  return size.size() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d;
}

MemoryFormat Tensor::suggest_memory_format() const { return suggested_format(sizes(), strides()); }

}  // namespace thpp
