// The functions for extensions of others: what this library has inside, made safe to call from
// modules that know nothing of PythonError and may run before anybody has imported torch.
#include <torch_python/extension_api.h>

#include "errors.h"
#include "number.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

// The types exist once torch._C has been imported.
static void need_torch() {
  if (!TensorType) checked_ref(PyImport_ImportModule("torch"));
  if (!TensorType)
    raise(PyExc_ImportError, "the torch that Python imports is not the one that this extension was built with");
}

// false with Python's error set when `body` throws.
template <class Body>
static bool succeeds(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    translate_exception();
    return false;
  }
}

const thpp::Tensor *tensor_in(PyObject *object) noexcept {
  const thpp::Tensor *found = nullptr;
  succeeds([&] {
    need_torch();
    if (is_tensor(object)) found = &tensor_of(object);
    return true;
  });
  return found;
}

PyObject *object_of(const thpp::Tensor &tensor) noexcept {
  return guarded([&] {
    need_torch();
    return wrap(tensor);
  });
}

bool number_in(PyObject *object, thpp::Scalar &number) noexcept {
  return succeeds([&] {
    need_torch();
    const bool plain = PyFloat_Check(object) || PyLong_Check(object);  // a bool is an int
    if (!plain && !(is_tensor(object) && tensor_of(object).defined() && tensor_of(object).numel() == 1)) return false;
    number = number_of(object);
    return true;
  });
}

PyObject *object_of(const thpp::Scalar &number) noexcept {
  return guarded([&] { return scalar_object(number); });
}

bool dtype_in(PyObject *object, THDtype &dtype) noexcept {
  return succeeds([&] {
    need_torch();
    if (!is_dtype(object)) return false;
    dtype = *dtype_of(object);
    return true;
  });
}

PyObject *object_of(THDtype dtype) noexcept {
  return guarded([&] {
    need_torch();
    return Py_NewRef(dtype_object(dtype));
  });
}

void set_error_from_exception() noexcept { translate_exception(); }

bool set_error_of_python() noexcept {
  try {
    throw;
  } catch (const CarriedError &e) {
    e.restore();
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace torch::python
