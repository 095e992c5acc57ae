// torch.UntypedStorage and TypedStorage: the memory behind a tensor, as bytes or as elements.
#include "errors.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

struct StorageObject {
  PyObject_HEAD
  THStorage *storage;
  THDtype dtype;  // TH_Byte for untyped storages
};

static StorageObject *cast(PyObject *self) { return reinterpret_cast<StorageObject *>(self); }

static PyObject *new_storage(PyTypeObject *type, THStorage *storage, THDtype dtype) {
  StorageObject *self = PyObject_New(StorageObject, type);
  if (!self) throw PythonError();
  THStorage_retain(storage);
  self->storage = storage;
  self->dtype = dtype;
  return reinterpret_cast<PyObject *>(self);
}

PyObject *untyped_storage(const thpp::Tensor &tensor) {
  return new_storage(&UntypedStorageType, tensor.get()->storage, TH_Byte);
}
PyObject *typed_storage(const thpp::Tensor &tensor) {
  return new_storage(&TypedStorageType, tensor.get()->storage, tensor.dtype());
}

static void dealloc(PyObject *self) {
  THStorage_free(cast(self)->storage);
  PyObject_Free(self);
}

static size_t element_size(PyObject *self) { return TH_elementSize(cast(self)->dtype); }
static Py_ssize_t length(PyObject *self) { return Py_ssize_t(cast(self)->storage->nbytes / element_size(self)); }

static PyObject *item(PyObject *self, Py_ssize_t i) {
  return guarded([&] {
    if (i < 0 || i >= length(self))
      raise(PyExc_IndexError, "index %zd out of range for storage of size %zd", i, length(self));
    const thpp::Tensor one = thpp::Tensor::steal(
        THTensor_newWithStorage(cast(self)->dtype, cast(self)->storage, i, 0, nullptr, nullptr));
    return item_object(one);
  });
}

// The bytes, as memoryview(storage) shows them.
static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  const THStorage *storage = cast(self)->storage;
  return PyBuffer_FillInfo(view, self, storage->data, Py_ssize_t(storage->nbytes), 0, flags);
}
static PyBufferProcs as_buffer = {get_buffer, nullptr};

static PyObject *repr(PyObject *self) {
  return PyUnicode_FromFormat("[%s(device=cpu) of size %zd]", Py_TYPE(self)->tp_name, length(self));
}
static PyObject *data_ptr(PyObject *self, PyObject *) { return PyLong_FromVoidPtr(cast(self)->storage->data); }
static PyObject *nbytes(PyObject *self, PyObject *) { return PyLong_FromSize_t(cast(self)->storage->nbytes); }
static PyObject *size(PyObject *self, PyObject *) { return PyLong_FromSsize_t(length(self)); }
static PyObject *element_size_method(PyObject *self, PyObject *) { return PyLong_FromSize_t(element_size(self)); }
static PyObject *tolist(PyObject *self, PyObject *) { return PySequence_List(self); }
static PyObject *untyped(PyObject *self, PyObject *) {
  return guarded([&] { return new_storage(&UntypedStorageType, cast(self)->storage, TH_Byte); });
}
static PyObject *dtype(PyObject *self, void *) { return Py_NewRef(dtype_object(cast(self)->dtype)); }
static PyObject *device(PyObject *, void *) { return Py_NewRef(cpu_device()); }

static PyMethodDef methods[] = {
    {"data_ptr", data_ptr, METH_NOARGS, nullptr},
    {"nbytes", nbytes, METH_NOARGS, nullptr},
    {"size", size, METH_NOARGS, nullptr},
    {"element_size", element_size_method, METH_NOARGS, nullptr},
    {"tolist", tolist, METH_NOARGS, nullptr},
    {"untyped", untyped, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyGetSetDef untyped_properties[] = {
    {"device", device, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
static PyGetSetDef typed_properties[] = {
    {"dtype", dtype, nullptr, nullptr, nullptr},
    {"device", device, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
static PySequenceMethods as_sequence = {.sq_length = length, .sq_item = item};

static PyTypeObject storage_type(const char *name, PyGetSetDef *properties) {
  return {
      .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = name,
      .tp_basicsize = sizeof(StorageObject),
      .tp_dealloc = dealloc,
      .tp_repr = repr,
      .tp_as_sequence = &as_sequence,
      .tp_as_buffer = &as_buffer,
      .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
      .tp_methods = methods,
      .tp_getset = properties,
  };
}
PyTypeObject UntypedStorageType = storage_type("torch.storage.UntypedStorage", untyped_properties);
PyTypeObject TypedStorageType = storage_type("torch.storage.TypedStorage", typed_properties);

}  // namespace torch::python
