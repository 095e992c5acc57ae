#include "numpy_bridge.h"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include <cstring>

#include <THPP/Functions.h>

#include <torch_python/gil.h>

#include <autograd/meta.h>

#include "errors.h"
#include "storage_ref.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

// NumPy's own types, and types derived from them, can be told by name: no import is needed before
// the first array comes along.
static bool comes_from_numpy(PyObject *object) {
  for (PyTypeObject *type = Py_TYPE(object); type; type = type->tp_base)
    if (!std::strncmp(type->tp_name, "numpy.", 6)) return true;
  return false;
}

static void bind_numpy() {
  if (!PyArray_API && _import_array() < 0) throw PythonError();
}

bool is_numpy_array(PyObject *object) {
  if (!comes_from_numpy(object)) return false;
  bind_numpy();
  return PyArray_Check(object);
}

bool is_numpy_scalar(PyObject *object) {
  if (!comes_from_numpy(object)) return false;
  bind_numpy();
  return PyArray_IsScalar(object, Number) || PyArray_IsScalar(object, Bool);
}

bool is_numpy_bool(PyObject *object) { return is_numpy_scalar(object) && PyArray_IsScalar(object, Bool); }

bool is_numpy_integer(PyObject *object) {
  if (!is_numpy_array(object)) return false;
  auto *const array = reinterpret_cast<PyArrayObject *>(object);
  return PyArray_NDIM(array) == 0 && PyArray_ISINTEGER(array);
}

bool is_numpy_complex(PyObject *object) { return is_numpy_scalar(object) && PyArray_IsScalar(object, ComplexFloating); }

// NumPy's type numbers name C types; several mean the same dtype.
static int numpy_type(THDtype dtype) {
  switch (dtype) {
    case TH_Bool: return NPY_BOOL;
    case TH_Byte: return NPY_UINT8;
    case TH_Char: return NPY_INT8;
    case TH_Short: return NPY_INT16;
    case TH_Int: return NPY_INT32;
    case TH_Long: return NPY_INT64;
    case TH_UInt16: return NPY_UINT16;
    case TH_UInt32: return NPY_UINT32;
    case TH_UInt64: return NPY_UINT64;
    case TH_Half: return NPY_FLOAT16;
    case TH_Float: return NPY_FLOAT32;
    case TH_Double: return NPY_FLOAT64;
    case TH_ComplexFloat: return NPY_COMPLEX64;
    case TH_ComplexDouble: return NPY_COMPLEX128;
    default: raise(PyExc_TypeError, "Got unsupported ScalarType %s", TH_typeName(dtype));
  }
}

static THDtype dtype_from_numpy(PyArray_Descr *descr) {
  const auto size = PyDataType_ELSIZE(descr);
  switch (descr->kind) {
    case 'b': return TH_Bool;
    case 'u': return size == 1 ? TH_Byte : size == 2 ? TH_UInt16 : size == 4 ? TH_UInt32 : TH_UInt64;
    case 'i': return size == 1 ? TH_Char : size == 2 ? TH_Short : size == 4 ? TH_Int : TH_Long;
    case 'f':
      if (size <= 8) return size == 2 ? TH_Half : size == 4 ? TH_Float : TH_Double;
      break;
    case 'c':
      if (size <= 16) return size == 8 ? TH_ComplexFloat : TH_ComplexDouble;
      break;
  }
  raise(
      PyExc_TypeError,
      "can't convert np.ndarray of type %s: tensors hold float64, float32, float16, complex64, complex128, int64, int32, "
      "int16, int8, uint64, uint32, uint16, uint8 or bool",
      descr->typeobj->tp_name);
}

THDtype numpy_scalar_dtype(PyObject *object) {
  bind_numpy();
  PyArray_Descr *descr = PyArray_DescrFromScalar(object);
  if (!descr) throw PythonError();
  Ref owner(reinterpret_cast<PyObject *>(descr));
  return dtype_from_numpy(descr);
}

static void release_array(void *array, void *) { end_reference(static_cast<PyObject *>(array)); }

static void warn_if_read_only(PyArrayObject *array) {
  static bool warned;
  if (warned || PyArray_ISWRITEABLE(array)) return;
  warned = true;
  if (PyErr_WarnEx(PyExc_UserWarning,
                   "The given NumPy array is not writable, but the tensor over its memory is: what is written to the "
                   "tensor changes the array. A copy of the array is safe from that. This is said once.",
                   1) < 0)
    throw PythonError();
}

Tensor tensor_from_numpy(PyObject *object) {
  bind_numpy();
  PyArrayObject *array = reinterpret_cast<PyArrayObject *>(object);
  warn_if_read_only(array);
  const int ndim = PyArray_NDIM(array);
  const npy_intp item = PyArray_ITEMSIZE(array);
  if (ndim > TH_MAX_DIM)
    raise(PyExc_ValueError, "NumPy arrays of more than %d dimensions cannot become tensors", TH_MAX_DIM);
  int64_t size[TH_MAX_DIM], stride[TH_MAX_DIM];
  int64_t last = 0;
  bool empty = false;
  for (int d = 0; d < ndim; ++d) {
    const npy_intp bytes = PyArray_STRIDE(array, d);
    if (bytes < 0)
      raise(
          PyExc_ValueError,
          "At least one stride in the given numpy array is negative (%lld bytes in dimension %d), which a tensor's cannot "
          "be; those of array.copy() are not",
          (long long)bytes, d);
    if (item && bytes % item)
      raise(
          PyExc_ValueError,
          "given numpy array strides not a multiple of the element byte size: %lld bytes in dimension %d of elements of "
          "%lld; those of array.copy() are",
          (long long)bytes, d, (long long)item);
    size[d] = PyArray_DIM(array, d);
    stride[d] = item ? bytes / item : 0;
    last = TH_saturatedSum(last, TH_saturatedProduct(size[d] - 1, stride[d]));
    empty = empty || size[d] == 0;
  }
  if (PyArray_ISBYTESWAPPED(array))
    raise(PyExc_ValueError,
          "given numpy array has byte order different from the native byte order; "
          "array.astype(array.dtype.newbyteorder('=')) has this one");
  const THDtype dtype = dtype_from_numpy(PyArray_DESCR(array));
  Py_INCREF(object);
  const size_t nbytes = empty ? 0 : size_t(last + 1) * size_t(item);
  const StorageRef storage(THStorage_newWithData(PyArray_DATA(array), nbytes, release_array, object));
  return Tensor::steal(THTensor_newWithStorage(dtype, storage.get(), 0, ndim, size, stride));
}

PyObject *numpy_from_tensor(PyObject *object) {
  const Tensor &t = tensor_of(object);
  if (thpp::grad_mode() && autograd::requires_grad(t))
    raise(PyExc_RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
  if (t.device().kind != TH_CPU) {
    const Ref device(device_object(t.device()));
    raise(PyExc_TypeError,
          "can't convert %S device type tensor to numpy. An array is in the host's memory, where Tensor.cpu() brings a "
          "tensor whose device has elements.",
          device.get());
  }
  if (t.layout() != TH_STRIDED)
    raise(
        PyExc_TypeError,
        "can't convert Sparse layout tensor to numpy. Tensor.to_dense() has all of its elements, indices() and values() "
        "have arrays, too.");
  const int type = numpy_type(t.dtype());
  bind_numpy();
  const npy_intp item = npy_intp(TH_elementSize(t.dtype()));
  npy_intp size[TH_MAX_DIM], stride[TH_MAX_DIM];
  for (int d = 0; d < t.dim(); ++d) {
    size[d] = t.sizes()[size_t(d)];
    stride[d] = TH_saturatedProduct(t.strides()[size_t(d)], item);
  }
  Ref array = checked_ref(PyArray_New(&PyArray_Type, t.dim(), size, type, stride, t.numel() ? t.data<void>() : nullptr,
                                      0, NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE, nullptr));
  if (t.numel()) {
    // The array's base is an alias of its own, which stays with this memory even if `x.data = …` leaves it.
    PyObject *base = wrap(thpp::detach(t));
    checked(PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(array.get()), base));
    t.get()->storage->resizable = false;
  }
  return array.release();
}

}  // namespace torch::python
