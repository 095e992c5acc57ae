// Of a tensor, what its gradient's formula needs where it does not look at elements.
#pragma once

#include <vector>

#include <THPP/Tensor.h>

namespace torch::autograd {

// With Tensor's members.
class TensorInfo {
 public:
  TensorInfo() = default;
  explicit TensorInfo(const thpp::Tensor &t) : defined_(t.defined()) {
    if (!defined_) return;
    dtype_ = t.dtype();
    device_ = t.device();
    dim_ = t.dim();
    numel_ = t.numel();
    storage_offset_ = t.storage_offset();
    sizes_.reserve(2 * dim_);
    sizes_.assign(t.sizes().begin(), t.sizes().end());
    sizes_.insert(sizes_.end(), t.strides().begin(), t.strides().end());
  }

  bool defined() const { return defined_; }
  THDtype dtype() const { return dtype_; }
  THDevice device() const { return device_; }
  int dim() const { return dim_; }
  int64_t numel() const { return numel_; }
  thpp::IntList sizes() const { return {sizes_.data(), size_t(dim_)}; }
  thpp::IntList strides() const { return {sizes_.data() + dim_, size_t(dim_)}; }
  int64_t size(int d) const { return sizes_[TH_wrapDim(d, dim_)]; }  // of a dimension that there is
  int64_t storage_offset() const { return storage_offset_; }
  thpp::MemoryFormat suggest_memory_format() const { return thpp::suggested_format(sizes(), strides()); }

 private:
  THDtype dtype_ = TH_Float;
  THDevice device_ = {};
  int dim_ = 0;
  bool defined_ = false;
  int64_t numel_ = 0, storage_offset_ = 0;
  std::vector<int64_t> sizes_;  // then the strides
};

inline std::vector<TensorInfo> infos_of(thpp::TensorList tensors) {
  std::vector<TensorInfo> infos;
  infos.reserve(tensors.size());
  for (const thpp::Tensor &t : tensors) infos.emplace_back(t);
  return infos;
}

}  // namespace torch::autograd
