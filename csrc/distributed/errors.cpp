// THD's errors as Python's: a module's attribute for each kind.
#include "bind.h"

namespace torch::distributed {
namespace {

// Made here, kept by the module, which is never let go of.
PyObject *dist_error, *argument_error, *backend_error, *network_error, *store_error, *queue_empty_error;

PyObject *type_of(thd::ErrorKind kind) {
  switch (kind) {
    case thd::ErrorKind::Value: return argument_error;
    case thd::ErrorKind::Runtime: return PyExc_RuntimeError;
    case thd::ErrorKind::Network: return network_error;
    case thd::ErrorKind::Store: return store_error;
    case thd::ErrorKind::Backend: return backend_error;
    case thd::ErrorKind::QueueEmpty: return queue_empty_error;
  }
  return dist_error;
}

PyObject *made(py::module_ &module, const char *name, const char *doc, PyObject *base) {
  PyObject *const type = PyErr_NewExceptionWithDoc((std::string("torch.distributed.") + name).c_str(), doc, base,
                                                   nullptr);
  if (!type) throw py::error_already_set();
  module.add_object(name, py::reinterpret_borrow<py::object>(type));
  return type;
}

}  // namespace

void bind_errors(py::module_ &module) {
  dist_error = made(module, "DistError", "What went wrong between processes.", PyExc_RuntimeError);
  // Of arguments: a ValueError, and a RuntimeError for those who wait for PyTorch's.
  const auto both = py::make_tuple(py::handle(PyExc_ValueError), py::handle(PyExc_RuntimeError));
  argument_error = made(module, "ArgumentError", "An argument does not fit.", both.ptr());
  backend_error = made(module, "DistBackendError", "A collective operation failed.", dist_error);
  network_error = made(module, "DistNetworkError", "An address or a connection failed.", dist_error);
  store_error = made(module, "DistStoreError", "A store did not answer, or not in time.", dist_error);
  queue_empty_error = made(module, "QueueEmptyError", "A store's queue is empty.", store_error);
  py::register_local_exception_translator([](std::exception_ptr exception) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const thd::Error &error) {
      PyErr_SetString(type_of(error.kind()), error.what());
    }
  });
}

}  // namespace torch::distributed
