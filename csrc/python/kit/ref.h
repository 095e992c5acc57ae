// An owned reference to a Python object.
#pragma once

#include <Python.h>

#include <utility>

#include <torch_python/taking_gil.h>

namespace torch::python {

class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject *owned) : object_(owned) {}  // takes over the caller's reference
  static Ref borrow(PyObject *object) { return Ref(Py_XNewRef(object)); }
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref &operator=(Ref &&other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) drop_reference(object_);
  }

  PyObject *get() const { return object_; }
  PyObject *release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject *object_ = nullptr;
};

}  // namespace torch::python
