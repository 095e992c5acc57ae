// What users attach to the backward pass. libtorch_python derives from these, and so may C++.
#pragma once

#include <memory>
#include <vector>

#include <THPP/Tensor.h>

namespace torch::autograd {

using thpp::Tensor;
using Grads = std::vector<Tensor>;  // undefined ones stand for zeros

struct Hook {
  virtual ~Hook() = default;
  // A Python object that the hook owns, for the collector; nullptr: none. Borrowed.
  virtual void *python() const { return nullptr; }
};
// Of a tensor: sees its gradient, undefined where none has come, and may give another (undefined: the same).
struct TensorHook : Hook {
  virtual Tensor call(const Tensor &grad) = 0;
};
// Before a node runs: sees the gradients of its outputs, and may change them.
struct PreHook : Hook {
  virtual void call(Grads &outputs) = 0;
};
// After a node ran: sees both sides, and may change what it hands on.
struct PostHook : Hook {
  virtual void call(Grads &inputs, const Grads &outputs) = 0;
};
// After a gradient was added to a leaf's.
struct PostAccumulateHook : Hook {
  virtual void call(const Tensor &leaf) = 0;
};
// Packs what is saved for the backward pass, and unpacks it there (saved_tensors_hooks).
struct SavedHook : Hook {
  virtual ~SavedHook() = default;
  virtual Tensor unpack() = 0;
};
// Makes a SavedHook for a tensor that is saved in this thread; null: it is saved as it is.
struct SavedHooks {
  virtual ~SavedHooks() = default;
  virtual std::unique_ptr<SavedHook> pack(const Tensor &tensor) = 0;
};

}  // namespace torch::autograd
