// THC's functions as Python's: numbers and texts as they are, streams and addresses as ints, events as capsules.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <THC/THC.h>
#include <torch_python/extension_api.h>
#include <torch_python/gil.h>

#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace torch::cuda {

struct PythonError {};  // Python's error is set

inline PyObject *checked(PyObject *object) {
  if (!object) throw PythonError();
  return object;
}

template <class Body>
PyObject *guarded(Body body) noexcept {
  try {
    return body();
  } catch (const PythonError &) {
  } catch (...) {
    torch::python::set_error_from_exception();
  }
  return nullptr;
}

// Of what may wait for a device.
struct WithoutGil : python::ReleaseGil {
  WithoutGil() : ReleaseGil(INFINITY) {}
};

inline constexpr char kEvent[] = "torch._cuda.event";

template <class T>
T from(PyObject *object) {
  if constexpr (std::is_same_v<T, THCEvent *> || std::is_same_v<T, const THCEvent *>) {
    void *const event = PyCapsule_GetPointer(object, kEvent);
    if (!event) throw PythonError();
    return static_cast<T>(event);
  } else if constexpr (std::is_pointer_v<T>) {
    void *const address = PyLong_AsVoidPtr(object);
    if (!address && PyErr_Occurred()) throw PythonError();
    return T(address);
  } else if constexpr (std::is_same_v<T, bool>) {
    const int truth = PyObject_IsTrue(object);
    if (truth < 0) throw PythonError();
    return truth;
  } else if constexpr (std::is_same_v<T, double>) {
    const double x = PyFloat_AsDouble(object);
    if (x == -1 && PyErr_Occurred()) throw PythonError();
    return x;
  } else if constexpr (std::is_same_v<T, size_t>) {
    const size_t n = PyLong_AsSize_t(object);
    if (n == size_t(-1) && PyErr_Occurred()) throw PythonError();
    return n;
  } else {
    static_assert(std::is_same_v<T, int>);
    const long n = PyLong_AsLong(object);
    if (n == -1 && PyErr_Occurred()) throw PythonError();
    if (n < std::numeric_limits<int>::min() || n > std::numeric_limits<int>::max()) {
      PyErr_Format(PyExc_OverflowError, "%ld is no int of C", n);
      throw PythonError();
    }
    return int(n);
  }
}

inline void free_event(PyObject *capsule) {
  THCEvent_free(static_cast<THCEvent *>(PyCapsule_GetPointer(capsule, kEvent)));
}

inline PyObject *object_of(int n) { return PyLong_FromLong(n); }
inline PyObject *object_of(bool truth) { return PyBool_FromLong(truth); }
inline PyObject *object_of(double x) { return PyFloat_FromDouble(x); }
inline PyObject *object_of(const char *text) { return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None); }
inline PyObject *object_of(const void *address) { return PyLong_FromVoidPtr(const_cast<void *>(address)); }
inline PyObject *object_of(THCEvent *event) { return PyCapsule_New(event, kEvent, free_event); }

template <auto function, class R, class... A, size_t... i>
PyObject *call(R (*)(A...), PyObject *const *arguments, Py_ssize_t n, std::index_sequence<i...>) {
  return guarded([&]() -> PyObject * {
    if (n != Py_ssize_t(sizeof...(A))) {
      PyErr_Format(PyExc_TypeError, "%zu arguments expected, got %zd", sizeof...(A), n);
      throw PythonError();
    }
    std::tuple<A...> values{from<A>(arguments[i])...};
    if constexpr (std::is_void_v<R>) {
      WithoutGil free;
      function(std::get<i>(values)...);
    } else {
      const R result = [&] {
        WithoutGil free;
        return function(std::get<i>(values)...);
      }();
      return checked(object_of(result));
    }
    return Py_NewRef(Py_None);
  });
}

template <class R, class... A>
constexpr size_t arity(R (*)(A...)) {
  return sizeof...(A);
}

// The row of a function whose arguments and result are of the types above.
template <auto function>
PyMethodDef row(const char *name, const char *doc) {
  PyObject *(*const bound)(PyObject *, PyObject *const *, Py_ssize_t) = [](PyObject *, PyObject *const *arguments,
                                                                           Py_ssize_t n) {
    return call<function>(function, arguments, n, std::make_index_sequence<arity(function)>());
  };
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(bound)), METH_FASTCALL, doc};
}

extern PyMethodDef memory_functions[];  // memory.cpp

}  // namespace torch::cuda
