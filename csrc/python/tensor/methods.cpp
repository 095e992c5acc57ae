// Methods that look at a tensor's geometry, not at its elements.
#include <iterator>

#include <THPP/Functions.h>

#include "errors.h"
#include "native.h"
#include "overrides.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

static Tensor *get(PyObject *self) { return &tensor_of(self); }

static PyObject *dim(PyObject *self, PyObject *) { return PyLong_FromLong(get(self)->dim()); }
static PyObject *numel(PyObject *self, PyObject *) { return PyLong_FromLongLong(get(self)->numel()); }
static PyObject *element_size(PyObject *self, PyObject *) {
  return PyLong_FromSize_t(TH_elementSize(get(self)->dtype()));
}
static PyObject *storage_offset(PyObject *self, PyObject *) { return PyLong_FromLongLong(get(self)->storage_offset()); }
static PyObject *data_ptr(PyObject *self, PyObject *) {
  return guarded([&] {
    const Tensor &t = *get(self);
    // Where there is no memory, storages begin at 0.
    if (t.device().kind == TH_Meta)
      return PyLong_FromLongLong(t.numel() ? t.storage_offset() * int64_t(TH_elementSize(t.dtype())) : 0);
    return PyLong_FromVoidPtr(t.numel() ? THTensor_data(t.get()) : nullptr);
  });
}
static PyObject *is_floating_point(PyObject *self, PyObject *) {
  return PyBool_FromLong(TH_kind(get(self)->dtype()) == TH_KIND_float);
}
static PyObject *is_complex(PyObject *self, PyObject *) {
  return PyBool_FromLong(TH_kind(get(self)->dtype()) == TH_KIND_complex);
}
static PyObject *is_signed(PyObject *self, PyObject *) { return PyBool_FromLong(thpp::is_signed(get(self)->dtype())); }
// Of kinds of devices that there is one of, -1.
static PyObject *device_index(PyObject *self, PyObject *) {
  const THDevice device = get(self)->device();
  return PyLong_FromLong(device.kind == TH_CUDA ? device.index : -1);
}

static PyObject *untyped(PyObject *self, PyObject *) {
  return guarded([&] { return untyped_storage(*get(self)); });
}

// Coordinates have strides of 0, for what it is worth, and no memory format.
static void throw_compressed(const Tensor &t, const char *what) {
  const THLayout layout = t.layout();
  if (layout != TH_STRIDED && layout != TH_SPARSE_COO)
    THError(TH_ERROR_RUNTIME, "tensors of layout torch.%s do not have %s", TH_layoutName(layout), what);
}

static PyObject *size_or_stride(Args &args, bool stride) {
  const Tensor &t = args.tensor(0);
  if (stride) throw_compressed(t, "strides");
  if (args.has(1)) {
    const int d = TH_wrapDim(args.integer(1), t.dim());
    if (t.dim() == 0)
      THError(TH_ERROR_INDEX, "Dimension specified as %d but tensor has no dimensions", int(args.integer(1)));
    return wrap(stride ? t.strides()[size_t(d)] : t.sizes()[size_t(d)]);
  }
  if (!stride) return new_size(t.sizes());
  Ref tuple = checked_ref(PyTuple_New(t.dim()));
  for (int i = 0; i < t.dim(); ++i) PyTuple_SET_ITEM(tuple.get(), i, PyLong_FromLongLong(t.strides()[size_t(i)]));
  return tuple.release();
}

NATIVE_OPERATOR(size, kSelf, {"dim", ArgType::Int, kOptional | kNullable, "None"});
static PyObject *size_call(Args &args) { return size_or_stride(args, false); }

NATIVE_OPERATOR(stride, kSelf, {"dim", ArgType::Int, kOptional | kNullable, "None"});
static PyObject *stride_call(Args &args) { return size_or_stride(args, true); }

NATIVE_OPERATOR(is_contiguous, kSelf,
                {"memory_format", ArgType::MemoryFormat, kOptional | kKwargOnly, "torch.contiguous_format"});
static PyObject *is_contiguous_call(Args &args) {
  const Tensor &t = args.tensor(0);
  throw_compressed(t, "is_contiguous");
  return wrap(t.layout() == TH_STRIDED && t.is_contiguous(args.memory_format(1, MemoryFormat::Contiguous)));
}

// No operator: a type derived from Tensor is not overloaded.
static PyObject *as_subclass(PyObject *self, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    static const char *const names[] = {"cls", nullptr};
    PyObject *cls;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:as_subclass", const_cast<char **>(names), &cls))
      throw PythonError();
    if (!PyType_Check(cls) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(cls), TensorType))
      raise(PyExc_TypeError, "cls must be a type that derives from Tensor");
    return wrap_subclass(reinterpret_cast<PyTypeObject *>(cls), thpp::alias(*get(self)));
  });
}

#define OVERRIDABLE(name, function) {name, overridable<name, function>, METH_NOARGS, nullptr}
PyMethodDef native_methods[] = {
    OVERRIDABLE("dim", dim),
    OVERRIDABLE("ndimension", dim),
    OVERRIDABLE("numel", numel),
    OVERRIDABLE("nelement", numel),
    OVERRIDABLE("element_size", element_size),
    OVERRIDABLE("storage_offset", storage_offset),
    OVERRIDABLE("data_ptr", data_ptr),
    OVERRIDABLE("is_floating_point", is_floating_point),
    OVERRIDABLE("is_signed", is_signed),
    OVERRIDABLE("is_complex", is_complex),
    OVERRIDABLE("get_device", device_index),
    OVERRIDABLE("untyped_storage", untyped),
    method_row<op_size>(),
    method_row<op_stride>(),
    method_row<op_is_contiguous>(),
    {"as_subclass", _PyCFunction_CAST(as_subclass), METH_VARARGS | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
