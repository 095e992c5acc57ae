// Between C++ and Python: pybind11 with torch's types, and torch's errors as the Python exceptions
// that torch itself raises.
//
//     Python                              C++
//     torch.Tensor                        torch::Tensor; of the same elements, not a copy
//     torch.Tensor or None                std::optional<torch::Tensor>
//     list or tuple of tensors            std::vector<torch::Tensor>
//     bool, int, float, 1-element tensor  torch::Scalar
//     torch.dtype                         torch::ScalarType
//     list or tuple of ints               torch::IntArrayRef (as a parameter)
//
// A parameter torch::Tensor refuses None; an undefined tensor that is returned becomes None.
//
// The interpreter's lock is held while a bound function runs. Nothing in torch.h needs it, so a long
// computation may give it up: m.def("f", &f, py::call_guard<py::gil_scoped_release>()).
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <torch_python/extension_api.h>

#include <torch/tensor.h>

namespace py = pybind11;

namespace pybind11::detail {

// "This is not one of mine" is false; an error of its own ends the call.
inline bool torch_loaded(bool found) {
  if (!found && PyErr_Occurred()) throw error_already_set();
  return found;
}

template <class T>
struct torch_tensor_caster {
  PYBIND11_TYPE_CASTER(T, const_name("torch.Tensor"));
  bool load(handle source, bool) {
    const thpp::Tensor *const found = torch::python::tensor_in(source.ptr());
    if (!torch_loaded(found)) return false;
    value = T(*found);
    return true;
  }
  static handle cast(const thpp::Tensor &tensor, return_value_policy, handle) {
    return torch::python::object_of(tensor);
  }
};
template <>
struct type_caster<torch::Tensor> : torch_tensor_caster<torch::Tensor> {};
template <>
struct type_caster<thpp::Tensor> : torch_tensor_caster<thpp::Tensor> {};

template <>
struct type_caster<torch::Scalar> {
  PYBIND11_TYPE_CASTER(torch::Scalar, const_name("bool | int | float"));
  bool load(handle source, bool) { return torch_loaded(torch::python::number_in(source.ptr(), value)); }
  static handle cast(const torch::Scalar &number, return_value_policy, handle) {
    return torch::python::object_of(static_cast<const thpp::Scalar &>(number));
  }
};

template <>
struct type_caster<torch::ScalarType> {
  PYBIND11_TYPE_CASTER(torch::ScalarType, const_name("torch.dtype"));
  bool load(handle source, bool) {
    THDtype dtype;
    if (!torch_loaded(torch::python::dtype_in(source.ptr(), dtype))) return false;
    value = torch::ScalarType(dtype);
    return true;
  }
  static handle cast(torch::ScalarType dtype, return_value_policy, handle) {
    return torch::python::object_of(THDtype(dtype));
  }
};

template <>
struct type_caster<torch::IntArrayRef> {
  PYBIND11_TYPE_CASTER(torch::IntArrayRef, const_name("list[int]"));
  bool load(handle source, bool convert) {
    if (!ints_.load(source, convert)) return false;
    value = static_cast<std::vector<int64_t> &>(ints_);
    return true;
  }
  static handle cast(torch::IntArrayRef list, return_value_policy policy, handle parent) {
    return make_caster<std::vector<int64_t>>::cast(list.vec(), policy, parent);
  }

 private:
  make_caster<std::vector<int64_t>> ints_;  // what the value refers to during the call
};

}  // namespace pybind11::detail

namespace torch::detail {

// Runs when the module is loaded. A library that is not a Python module may be loaded by a program
// without Python, or by a thread that has not got the lock: it has no functions for Python to call.
// Hidden, because the loader makes one variable of all visible ones of a name, and each module needs its own.
[[gnu::visibility("hidden")]] inline const bool errors_are_translated = [] {
  if (!Py_IsInitialized() || !PyGILState_Check()) return false;
  pybind11::register_local_exception_translator([](std::exception_ptr exception) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const th::Exception &) {
      python::set_error_from_exception();
    } catch (...) {
      if (!python::set_error_of_python()) throw;
    }
  });
  return true;
}();

}  // namespace torch::detail
