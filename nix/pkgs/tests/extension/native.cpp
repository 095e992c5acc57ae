// A module that needs NumPy's headers, OpenBLAS and the C++ runtime.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <cblas.h>
#include <numpy/arrayobject.h>

#include <stdexcept>

static PyObject *dot(PyObject *, PyObject *arguments) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(arguments, "OO", &a, &b)) return nullptr;
  try {
    auto x = reinterpret_cast<PyArrayObject *>(PyArray_FROM_OTF(a, NPY_FLOAT32, NPY_ARRAY_IN_ARRAY));
    auto y = reinterpret_cast<PyArrayObject *>(PyArray_FROM_OTF(b, NPY_FLOAT32, NPY_ARRAY_IN_ARRAY));
    if (!x || !y || PyArray_SIZE(x) != PyArray_SIZE(y)) throw std::invalid_argument("two vectors of one length");
    const float result = cblas_sdot(PyArray_SIZE(x), static_cast<float *>(PyArray_DATA(x)), 1,
                                    static_cast<float *>(PyArray_DATA(y)), 1);
    Py_DECREF(x);
    Py_DECREF(y);
    return PyFloat_FromDouble(result);
  } catch (const std::exception &error) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, error.what());
    return nullptr;
  }
}

static PyMethodDef methods[] = {{"dot", dot, METH_VARARGS, "Inner product."}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_native", nullptr, -1, methods};

PyMODINIT_FUNC PyInit__native() {
  import_array();
  return PyModule_Create(&module);
}
