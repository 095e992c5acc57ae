// torch.tensor, as_tensor, from_numpy: tensors from Python data.
#include "construct.h"

#include <cmath>
#include <limits>
#include <vector>

#include <THPP/Functions.h>

#include "errors.h"
#include "native.h"
#include "number.h"
#include "numpy_bridge.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

static constexpr int kMostDims = TH_MAX_DIM;

static bool is_text(PyObject *object) { return PyUnicode_Check(object) || PyBytes_Check(object); }

// What has elements to descend into. A tensor stands for its one element.
static bool is_nested(PyObject *object) {
  return PyList_Check(object) || PyTuple_Check(object) ||
         (PySequence_Check(object) && !is_tensor(object) && !is_numpy_scalar(object));
}

// Python's numbers and sequences, which have no memory that tensors could share.
static bool is_number_or_sequence(PyObject *data) {
  return PyList_CheckExact(data) || PyTuple_CheckExact(data) || PyFloat_CheckExact(data) || PyLong_CheckExact(data) ||
         PyBool_Check(data) || PyComplex_CheckExact(data);
}

// A tensor over the memory of an object that lies on a device and says so by __cuda_array_interface__; undefined for
// others.
static Tensor on_device(PyObject *data) {
  if (is_number_or_sequence(data) || is_numpy_scalar(data) || !PyObject_HasAttrString(data, "__cuda_array_interface__"))
    return Tensor();
  const Ref cuda = checked_ref(PyImport_ImportModule("torch.cuda"));
  const Ref made = checked_ref(PyObject_CallMethod(cuda.get(), "_from_array_interface", "O", data));
  return tensor_of(made.get());
}

// ---- dtype --------------------------------------------------------------------------------------
static THDtype infer_dtype(PyObject *data, int depth) {
  if (PyFloat_CheckExact(data)) return thpp::default_dtype();
  if (PyBool_Check(data)) return TH_Bool;
  if (PyLong_Check(data)) return TH_Long;
  if (is_tensor(data)) return tensor_of(data).dtype();
  if (is_numpy_scalar(data)) return numpy_scalar_dtype(data);
  if (is_numpy_array(data)) return tensor_from_numpy(data).dtype();
  if (PyFloat_Check(data)) return thpp::default_dtype();
  if (PyComplex_Check(data)) return thpp::complex_dtype(thpp::default_dtype());
  if (is_text(data)) raise(PyExc_TypeError, "new(): invalid data type '%s'", type_name(data));
  if (!is_nested(data)) raise(PyExc_RuntimeError, "Could not infer dtype of %s", type_name(data));
  if (depth > kMostDims) raise(PyExc_ValueError, "too many dimensions '%s'", type_name(data));

  Ref items = checked_ref(PySequence_Fast(data, "not a sequence"));
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(items.get());
  if (n == 0) return thpp::default_dtype();
  const Ref first = element(items.get(), 0);
  THDtype dtype = infer_dtype(first.get(), depth + 1);
  PyTypeObject *const first_type = Py_TYPE(first.get());
  for (Py_ssize_t i = 1; i < n; ++i) {
    const Ref item = element(items.get(), i);
    if (item.get() == data) raise(PyExc_TypeError, "new(): self-referential lists are incompatible");
    // The rest of a list of plain numbers is usually like its first.
    if (Py_TYPE(item.get()) == first_type && (first_type == &PyFloat_Type || first_type == &PyLong_Type)) continue;
    dtype = thpp::promote_types(dtype, infer_dtype(item.get(), depth + 1));
  }
  return dtype;
}

// ---- shape: that of the first elements ----------------------------------------------------------
static std::vector<int64_t> infer_shape(PyObject *data) {
  std::vector<int64_t> shape;
  Ref current = Ref::borrow(data);
  while (is_nested(current.get())) {
    const Py_ssize_t n = PySequence_Size(current.get());
    if (n < 0) throw PythonError();
    shape.push_back(n);
    if (shape.size() > size_t(kMostDims)) raise(PyExc_ValueError, "too many dimensions '%s'", type_name(data));
    if (n == 0) break;
    if (PyUnicode_Check(current.get())) raise(PyExc_ValueError, "too many dimensions 'str'");  // a str's item is a str
    Ref first(PySequence_GetItem(current.get(), 0));
    if (!first) {
      if (!PyErr_ExceptionMatches(PyExc_Exception)) throw PythonError();  // an interrupt is none of the sequence's
      PyErr_Clear();
      raise(PyExc_ValueError, "could not determine the shape of object type '%s'", type_name(current.get()));
    }
    current = std::move(first);
  }
  return shape;
}

// ---- values -------------------------------------------------------------------------------------
[[noreturn]] static void raise_overflow(THDtype dtype) {
  raise(PyExc_RuntimeError, "value cannot be converted to type %s without overflow", TH_dtypeName(dtype));
}

// Unsigned types take negative integers, too, if their absolute value fits: -1 is 255 in uint8. What a float has behind
// the point counts: 255.5 is too large.
template <class T>
static T to_integer(THScalar value, THDtype dtype) {
  using Limits = std::numeric_limits<T>;
  if (value.kind == TH_KIND_float) {
    const double d = value.value.d;
    const bool below = sizeof(T) < 8 ? d <= double(Limits::max()) : d < 0x1p63;
    if (!(d >= double(Limits::min()) && below)) raise_overflow(dtype);
    return T(int64_t(d));
  }
  if (value.kind == TH_KIND_uint) raise_overflow(dtype);
  const int64_t i = value.value.i;
  const int64_t low = std::is_unsigned_v<T> ? -int64_t(Limits::max()) : int64_t(Limits::min());
  if (i < low || i > int64_t(Limits::max())) raise_overflow(dtype);
  return T(i);
}

template <class T>
constexpr bool is_complex_type = false;
template <class T>
constexpr bool is_complex_type<th::complex<T>> = true;

template <class T>
static void store(void *out, THScalar value, THDtype dtype) {
  if constexpr (is_complex_type<T>) {
    const auto z = thpp::Scalar(value).to_complex();
    *static_cast<T *>(out) = T(typename T::value_type(z.real()), typename T::value_type(z.imag()));
  } else if constexpr (std::is_same_v<T, double>) {
    *static_cast<double *>(out) = thpp::Scalar(value).to_double();
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    // Of the kind int below 2^63 and uint from there on: the same 64 bits in both.
    const uint64_t element = value.value.u;
    *static_cast<uint64_t *>(out) = element;
  } else if constexpr (std::is_same_v<T, bool>)
    *static_cast<bool *>(out) = thpp::Scalar(value).to_complex() != 0.0;
  else if constexpr (std::is_integral_v<T>)
    *static_cast<T *>(out) = to_integer<T>(value, dtype);
  else
    *static_cast<T *>(out) = T(float(thpp::Scalar(value).to_double()));
}
using Store = void (*)(void *out, THScalar value, THDtype dtype);
static const Store kStores[] = {
#define STORE(Name, type, kind, kernels, name, alias) store<type>,
    TH_DTYPES(STORE)
#undef STORE
};

// For uint64, whose second half no other integer holds: nothing but whole numbers from 0 on.
static THScalar unsigned_element_of(PyObject *object) {
  if (!PyIndex_Check(object) || is_tensor(object)) raise(PyExc_TypeError, "an integer is required");
  const Ref number = checked_ref(PyNumber_Index(object));
  const unsigned long long value = PyLong_AsUnsignedLongLong(number.get());
  if (value == ~0ull && PyErr_Occurred()) throw PythonError();
  return thpp::Scalar(uint64_t(value));
}

static THScalar element_of(PyObject *object, THKind kind) {
  if (kind == TH_KIND_complex && !is_tensor(object) && !PyFloat_Check(object) && !PyLong_Check(object)) {
    const Py_complex z = PyComplex_AsCComplex(object);  // anything with __complex__, __float__ or __index__
    if (z.real == -1 && PyErr_Occurred()) throw PythonError();
    return thpp::Scalar({z.real, z.imag});
  }
  if (PyFloat_Check(object)) return thpp::Scalar(PyFloat_AS_DOUBLE(object));
  if (PyBool_Check(object)) return thpp::Scalar(object == Py_True);
  if (kind == TH_KIND_bool && PyComplex_Check(object)) return number_of(object);
  if (PyLong_Check(object)) {
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return thpp::Scalar(int64_t(value));
    if (kind == TH_KIND_bool) return thpp::Scalar(true);
    if (kind < TH_KIND_float) raise(PyExc_ValueError, "Overflow when unpacking long long");
    const double d = PyLong_AsDouble(object);
    if (d == -1 && PyErr_Occurred()) throw PythonError();
    return thpp::Scalar(d);
  }
  if (is_tensor(object)) {
    if (tensor_of(object).numel() != 1 && kind == TH_KIND_int)
      raise(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
    if (tensor_of(object).numel() != 1)
      raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    const thpp::Scalar value = item_of(tensor_of(object));
    if (value.is_complex() && value.imag == 0) return thpp::Scalar(value.to_double());
    if (value.is_complex() && kind != TH_KIND_complex) raise_overflow(TH_Double);
    return value;
  }
  if (is_numpy_scalar(object) && !is_numpy_complex(object)) return number_of(object);
  if (kind == TH_KIND_float) {
    const double d = PyFloat_AsDouble(object);
    if (d == -1 && PyErr_Occurred()) throw PythonError();
    return thpp::Scalar(d);
  }
  return thpp::Scalar(int_of(object));
}

class Filler {
 public:
  Filler(const std::vector<int64_t> &shape, const Tensor &tensor)
      : shape_(shape), dtype_(tensor.dtype()), kind_(TH_kind(dtype_)), step_(TH_elementSize(dtype_)),
        store_(kStores[dtype_]), out_(tensor.data<char>()) {}

  void fill(PyObject *data, size_t d) {
    if (d == shape_.size()) {
      store_(out_, dtype_ == TH_UInt64 ? unsigned_element_of(data) : element_of(data, kind_), dtype_);
      out_ += step_;
      return;
    }
    Ref items = checked_ref(PySequence_Fast(data, "not a sequence"));
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(items.get());
    if (n != shape_[d])
      raise(PyExc_ValueError, "expected sequence of length %lld at dim %zu (got %zd)", (long long)shape_[d], d, n);
    for (Py_ssize_t i = 0; i < n; ++i) fill(element(items.get(), i).get(), d + 1);
  }

 private:
  const std::vector<int64_t> &shape_;
  const THDtype dtype_;
  const THKind kind_;
  const size_t step_;
  const Store store_;
  char *out_;
};

// A tensor over a storage's memory, as torch.storage._as_tensor says; undefined for what is no storage.
static Tensor over_storage(PyObject *data, std::optional<THDtype> dtype) {
  if (is_number_or_sequence(data)) return Tensor();
  PyObject *const typed = kept([] {
    const Ref module = checked_ref(PyImport_ImportModule("torch.storage"));
    return checked(PyObject_GetAttrString(module.get(), "TypedStorage"));
  });
  if (!is_untyped_storage(data) && !PyObject_TypeCheck(data, reinterpret_cast<PyTypeObject *>(typed))) return Tensor();
  const Ref module = checked_ref(PyImport_ImportModule("torch.storage"));
  PyObject *const wanted = dtype ? dtype_object(*dtype) : Py_None;
  const Ref made = checked_ref(PyObject_CallMethod(module.get(), "_as_tensor", "OO", data, wanted));
  return tensor_of(made.get());
}

Tensor tensor_from_data(PyObject *data, std::optional<THDtype> dtype, std::optional<THDevice> device) {
  if (is_tensor(data))
    return converted(thpp::detach(tensor_of(data)), dtype.value_or(tensor_of(data).dtype()), device, true);
  if (is_numpy_array(data)) {
    const Tensor shared = tensor_from_numpy(data);
    return converted(shared, dtype.value_or(shared.dtype()), device, true);
  }
  if (is_text(data)) raise(PyExc_TypeError, "new(): invalid data type '%s'", type_name(data));
  if (const Tensor shared = on_device(data); shared.defined())
    return converted(shared, dtype.value_or(shared.dtype()), device, true);
  if (const Tensor shared = over_storage(data, dtype); shared.defined())
    return converted(shared, shared.dtype(), device, true);
  const std::vector<int64_t> shape = infer_shape(data);
  const THDtype wanted = dtype ? *dtype : infer_dtype(data, 0);
  // Without memory, the values do not matter.
  const bool filled = !device || device->kind != TH_Meta;
  const THDevice made_on = filled ? THDevice{} : *device;
  const Tensor tensor = Tensor::steal(THTensor_newWithSizeOn(made_on, wanted, int(shape.size()), shape.data()));
  if (filled && tensor.numel()) Filler(shape, tensor).fill(data, 0);
  return converted(tensor, wanted, device);
}

// ---- functions ----------------------------------------------------------------------------------
static std::optional<THDtype> optional_dtype(Args &args, int i) {
  return args.has(i) ? std::optional(args.dtype(i)) : std::nullopt;
}
static std::optional<THDevice> optional_device(Args &args, int i) {
  return args.has(i) ? std::optional(args.device(i)) : std::nullopt;
}

PyObject *pinned(Args &a, int at, PyObject *made) {
  if (!made || !a.boolean(at, false)) return made;
  const Ref tensor(made), storage = checked_ref(PyImport_ImportModule("torch.storage"));
  return checked(PyObject_CallMethod(storage.get(), "_pinned", "O", made));
}

#define DTYPE_DEVICE(extra)                                                 \
  {"dtype", ArgType::Dtype, kOptional | kNullable | extra, "None"},         \
      {"device", ArgType::Device, kOptional | kNullable | extra, "None"}
#define GRAD {"requires_grad", ArgType::RequiresGrad, kOptional | kKwargOnly, "False"}

NATIVE_OPERATOR(tensor, {"data", ArgType::Object, 0, nullptr}, DTYPE_DEVICE(kKwargOnly),
                {"pin_memory", ArgType::Bool, kOptional | kKwargOnly, "False"}, GRAD);
static PyObject *tensor_call(Args &args) {
  if (is_tensor(args.object(0)) &&
      PyErr_WarnEx(PyExc_UserWarning,
                   "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone(): "
                   "torch.tensor() is for numbers and sequences of them.",
                   1) < 0)
    throw PythonError();
  return pinned(args, 3, wrap(tensor_from_data(args.object(0), optional_dtype(args, 1), optional_device(args, 2))));
}

static Tensor as_tensor(PyObject *data, std::optional<THDtype> dtype, std::optional<THDevice> device) {
  if (is_tensor(data)) return converted(tensor_of(data), dtype.value_or(tensor_of(data).dtype()), device);
  if (is_numpy_array(data)) {
    const Tensor shared = tensor_from_numpy(data);
    return converted(shared, dtype.value_or(shared.dtype()), device);
  }
  if (const Tensor shared = on_device(data); shared.defined())
    return converted(shared, dtype.value_or(shared.dtype()), device);
  if (const Tensor shared = over_storage(data, dtype); shared.defined())
    return converted(shared, shared.dtype(), device);
  return tensor_from_data(data, dtype, device);
}

NATIVE_OPERATOR(as_tensor, {"data", ArgType::Object, 0, nullptr}, DTYPE_DEVICE(0));
static PyObject *as_tensor_call(Args &args) {
  return wrap(as_tensor(args.object(0), optional_dtype(args, 1), optional_device(args, 2)));
}

NATIVE_OPERATOR(asarray, {"obj", ArgType::Object, 0, nullptr}, DTYPE_DEVICE(kKwargOnly),
                {"copy", ArgType::Bool, kOptional | kNullable | kKwargOnly, "None"}, GRAD);
// The tensor that shares an object's memory: a tensor itself, an array of NumPy, a storage, what exports DLPack, a
// buffer, whose elements are of the default dtype unless one is given. Undefined if it has no memory that tensors can
// share.
static Tensor sharing(PyObject *data, std::optional<THDtype> dtype) {
  if (is_tensor(data)) return tensor_of(data);
  if (is_numpy_array(data)) return tensor_from_numpy(data);
  if (is_numpy_scalar(data)) return Tensor();
  if (Tensor shared = over_storage(data, dtype); shared.defined()) return shared;
  if (PyObject_HasAttrString(data, "__dlpack__")) {
    Ref module = checked_ref(PyImport_ImportModule("torch.utils.dlpack"));
    Ref made = checked_ref(PyObject_CallMethod(module.get(), "from_dlpack", "O", data));
    return tensor_of(made.get());
  }
  if (PyObject_CheckBuffer(data)) return tensor_over_buffer(data, dtype.value_or(thpp::default_dtype()));
  return on_device(data);
}

static PyObject *asarray_call(Args &args) {
  PyObject *data = args.object(0);
  const std::optional<THDtype> dtype = optional_dtype(args, 1);
  const std::optional<THDevice> device = optional_device(args, 2);
  const bool copy = args.boolean(3, false), may_copy = copy || !args.has(3);
  const Tensor shared = sharing(data, dtype);
  if (!shared.defined()) {
    if (!may_copy) raise(PyExc_ValueError, "can't alias arbitrary sequence into a tensor.");
    return wrap(tensor_from_data(data, dtype, device));
  }
  const THDtype wanted = dtype.value_or(shared.dtype());
  if (wanted != shared.dtype() && !may_copy)
    raise(PyExc_ValueError, "can't alias tensor with dtype '%s' into dtype '%s'.", TH_typeName(shared.dtype()),
          TH_typeName(wanted));
  const THDevice from = shared.device(), to = device.value_or(from);
  if ((from.kind != to.kind || from.index != to.index) && !may_copy) {
    const Ref here(device_object(from)), there(device_object(to));
    raise(PyExc_ValueError, "can't alias tensor from device '%S' to '%S'.", here.get(), there.get());
  }
  return wrap(converted(shared, wanted, to, copy));
}

static PyObject *from_numpy(PyObject *, PyObject *array) {
  return guarded([&] {
    if (!is_numpy_array(array)) raise(PyExc_TypeError, "expected np.ndarray (got %s)", type_name(array));
    return wrap(tensor_from_numpy(array));
  });
}

NATIVE_OPERATOR(new_tensor, kSelf, {"data", ArgType::Object, 0, nullptr}, DTYPE_DEVICE(kKwargOnly), GRAD);
static PyObject *new_tensor_call(Args &args) {
  const Tensor &self = args.tensor(0);
  return wrap(
      tensor_from_data(args.object(1), args.dtype(2, self.dtype()), args.has(3) ? args.device(3) : self.device()));
}

PyMethodDef construct_functions[] = {
    function_row<op_tensor>(),      function_row<op_as_tensor>(),
    function_row<op_asarray>(),     {"from_numpy", from_numpy, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef construct_methods[] = {
    method_row<op_new_tensor>(),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
