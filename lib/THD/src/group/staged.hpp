// Tensors as one piece of memory, which engines want, and back.
#pragma once

#include <THD/ProcessGroup.h>
#include <THPP/THPP.h>

#include <THD/Transport.h>
#include "describe.hpp"

namespace thd {

inline size_t bytes_of(const Tensor &tensor) { return size_t(tensor.numel()) * TH_elementSize(tensor.dtype()); }
inline Counts bytes_of(const Tensors &tensors) {
  Counts bytes;
  for (const Tensor &tensor : tensors) bytes.push_back(int64_t(bytes_of(tensor)));
  return bytes;
}

// The elements of tensors, one after the other: their own memory where they lie so, else a copy of it. `filled`: what
// they hold counts.
class Staged {
 public:
  Staged(const Tensors &tensors, bool filled) : tensors_(tensors) {
    if (tensors.empty() || lie_together()) return;
    int64_t all = 0;
    for (const Tensor &tensor : tensors) all += tensor.numel();
    copy_ = thpp::empty({all}, tensors.front().dtype());
    if (filled) each_part([](const Tensor &part, const Tensor &tensor) { thpp::copy_(part, tensor); });
  }
  Staged(const Tensor &tensor, bool filled) : Staged(Tensors{tensor}, filled) {}

  void *data() const {
    if (copy_.defined()) return copy_.data<void>();
    for (const Tensor &tensor : tensors_)
      if (bytes_of(tensor)) return tensor.data<void>();
    return nullptr;
  }
  bool is_copy() const { return copy_.defined(); }
  // What has been written to data() becomes the tensors' elements.
  void give_back() const {
    if (copy_.defined())
      each_part([](const Tensor &part, const Tensor &tensor) { thpp::copy_(tensor, part); });
    else
      for (const Tensor &tensor : tensors_) tensor.bump_version();
  }

 private:
  bool lie_together() const {
    const char *next = nullptr;
    for (const Tensor &tensor : tensors_) {
      if (!tensor.is_contiguous()) return false;
      const size_t bytes = bytes_of(tensor);
      if (!bytes) continue;
      const char *begin = static_cast<const char *>(tensor.data<void>());
      if (next && begin != next) return false;
      next = begin + bytes;
    }
    return true;
  }
  template <class F>
  void each_part(const F &f) const {
    int64_t at = 0;
    for (const Tensor &tensor : tensors_) {
      const Tensor flat = thpp::narrow(copy_, 0, at, tensor.numel());
      f(thpp::view(flat, tensor.sizes()), tensor);
      at += tensor.numel();
    }
  }

  const Tensors tensors_;
  Tensor copy_;
};

}  // namespace thd
