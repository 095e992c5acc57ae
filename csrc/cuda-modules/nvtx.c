/* torch._nvtx: marks and ranges of time for NVIDIA's profilers. NVTX is headers alone: without a profiler, which comes as a
 * library that an environment variable names, a call is a test of a pointer. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <nvtx3/nvToolsExt.h>

/* A str as the profiler gets it, or NULL with TypeError or ValueError: texts end with a null byte there. */
static const char *text_of(PyObject *object) {
  if (!PyUnicode_Check(object)) {
    PyErr_Format(PyExc_TypeError, "a mark's text must be a str, not %s: %R", Py_TYPE(object)->tp_name, object);
    return NULL;
  }
  Py_ssize_t size;
  const char *const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text && strlen(text) != (size_t)size) {
    PyErr_Format(PyExc_ValueError, "a mark's text must not hold a null character: %R", object);
    return NULL;
  }
  return text;
}

static PyObject *mark(PyObject *self, PyObject *object) {
  const char *const text = text_of(object);
  if (!text) return NULL;
  nvtxMarkA(text);
  Py_RETURN_NONE;
}

static PyObject *range_push(PyObject *self, PyObject *object) {
  const char *const text = text_of(object);
  return text ? PyLong_FromLong(nvtxRangePushA(text)) : NULL;
}

static PyObject *range_pop(PyObject *self, PyObject *ignored) { return PyLong_FromLong(nvtxRangePop()); }

static PyObject *range_start(PyObject *self, PyObject *object) {
  const char *const text = text_of(object);
  return text ? PyLong_FromUnsignedLongLong(nvtxRangeStartA(text)) : NULL;
}

static PyObject *range_end(PyObject *self, PyObject *object) {
  const unsigned long long range = PyLong_AsUnsignedLongLong(object);
  if (PyErr_Occurred()) return NULL;
  nvtxRangeEnd(range);
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"mark", mark, METH_O, "(text): a mark at this moment."},
    {"range_push", range_push, METH_O, "(text): begins a range of the thread; its depth, -2 without a profiler."},
    {"range_pop", range_pop, METH_NOARGS, "Ends the thread's innermost range; its depth, -2 without a profiler."},
    {"range_start", range_start, METH_O, "(text): begins a range; its number, 0 without a profiler."},
    {"range_end", range_end, METH_O, "(number): ends that range, in whatever thread."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "torch._nvtx", .m_methods = functions};

PyMODINIT_FUNC PyInit__nvtx(void) { return PyModule_Create(&definition); }
