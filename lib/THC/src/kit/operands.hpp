// Operands for kernels that read and write contiguous memory of one dtype: what kit/prepare.hpp of TH is for the CPU.
#pragma once

#include <initializer_list>

#include <THC/THCTensorCopy.h>
#include <TH/prepare/result.h>
#include "kit/tensor.hpp"

namespace thc {

using th::Ref;

// Raises: t is not on that device, nor a number on the CPU.
[[noreturn]] void refuseDevice(const THTensor *t, int device);

// The first thing that a kernel does, before it gives a result its shape: raises unless all of these are on one device.
// Inputs of one element may be on the CPU, as numbers. NULL: there is none.
void requireOneDevice(std::initializer_list<const THTensor *> results, std::initializer_list<const THTensor *> inputs);

// t, or a contiguous copy of it in this dtype, on the device of `like`. Raises if t is on another one, unless it is a
// number on the CPU.
Ref contiguousAs(THDtype dtype, const THTensor *t, const THTensor *like);
inline Ref contiguousAs(THDtype dtype, const THTensor *t) { return contiguousAs(dtype, t, t); }

// Where a kernel writes a contiguous result of `dtype`: r itself where that is possible, else a temporary that finish()
// copies to r. r has its shape already, and may be written. `apart`: not r itself where that shares memory with this input, which
// the kernel still reads when it writes.
class Target {
 public:
  explicit Target(THDtype dtype, THTensor *r, const THTensor *apart = nullptr);
  THTensor *tensor() const { return own_ ? static_cast<THTensor *>(own_) : r_; }
  template <class T>
  T *data() const {
    return static_cast<T *>(tensor()->storage->data) + (r_->numel ? tensor()->offset : 0);
  }
  void finish();

 private:
  THTensor *r_;
  Ref own_;
};

// Address of element 0 of a tensor on a device, as T.
template <class T>
T *elements(const THTensor *t) {
  return static_cast<T *>(t->storage->data) + (t->numel ? t->offset : 0);
}

}  // namespace thc
