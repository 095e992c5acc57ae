// torch.UntypedStorage: the memory behind tensors, as bytes. torch/storage.py adds the methods that are easier said in
// Python, and the typed storages.
#include <climits>
#include <cstring>
#include <unordered_map>

#include <THPP/Functions.h>

#include "binder.h"
#include "errors.h"
#include "number.h"
#include "storage_ref.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

PyTypeObject *UntypedStorageType;

struct StorageObject {
  PyObject_HEAD
  THStorage *storage;
};

static StorageObject *cast(PyObject *self) { return reinterpret_cast<StorageObject *>(self); }

// ---- life ---------------------------------------------------------------------------------------
// A storage has one object at a time, so that `is` and pickle's memo tell shared storages from equal ones.
static std::unordered_map<THStorage *, PyObject *> &objects() {
  static auto *const all = new std::unordered_map<THStorage *, PyObject *>;  // outlives every object
  return *all;
}

static PyObject *new_object(PyTypeObject *type, THStorage *storage) {
  auto [at, fresh] = objects().try_emplace(storage, nullptr);
  if (!fresh) return Py_NewRef(at->second);
  PyObject *self = type->tp_alloc(type, 0);
  if (!self) {
    objects().erase(at);
    throw PythonError();
  }
  THStorage_retain(storage);
  cast(self)->storage = storage;
  at->second = self;
  return self;
}

PyObject *storage_object(THStorage *storage) { return new_object(UntypedStorageType, storage); }
PyObject *untyped_storage(const Tensor &tensor) {
  if (tensor.layout() != TH_STRIDED)
    raise(PyExc_NotImplementedError,
          "Cannot access storage of a tensor of layout torch.%s: its indices and values have some",
          TH_layoutName(tensor.layout()));
  return storage_object(tensor.get()->storage);
}
bool is_untyped_storage(PyObject *object) { return PyObject_TypeCheck(object, UntypedStorageType); }
THStorage *storage_of(PyObject *object) { return cast(object)->storage; }

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  if (cast(self)->storage) {
    objects().erase(cast(self)->storage);
    THStorage_free(cast(self)->storage);
  }
  type->tp_free(self);
  Py_DECREF(type);
}

static uint8_t *bytes(PyObject *self) { return static_cast<uint8_t *>(storage_of(self)->data); }
static Py_ssize_t length(PyObject *self) { return Py_ssize_t(storage_of(self)->nbytes); }

[[noreturn]] static void refuse(THDevice device) {
  raise(PyExc_NotImplementedError, "Not available for '%s' device type", TH_deviceName(THDeviceKind(device.kind)));
}
static void check_readable(PyObject *self) {
  if (storage_of(self)->device.kind == TH_Meta) refuse(storage_of(self)->device);
}
// A storage on the device meta has a size alone: what is written to it is lost.
static bool takes_bytes(PyObject *self) { return storage_of(self)->device.kind != TH_Meta; }

// `count` bytes as a tensor, by which those of other devices are reached.
static thpp::Tensor part_of(THStorage *storage, Py_ssize_t first, Py_ssize_t count) {
  const int64_t n = count;
  return thpp::Tensor::steal(THTensor_newWithStorage(TH_Byte, storage, first, 1, &n, nullptr));
}
static bool is_here(PyObject *self) { return thpp::is_host_memory(storage_of(self)->device); }

static uint8_t get_byte(PyObject *self, Py_ssize_t i) {
  return is_here(self) ? bytes(self)[i] : uint8_t(item_of(part_of(storage_of(self), i, 1)).to_int());
}
static void set_bytes(PyObject *self, Py_ssize_t first, Py_ssize_t count, uint8_t byte) {
  if (!count || !takes_bytes(self)) return;
  if (is_here(self)) return void(std::memset(bytes(self) + first, byte, size_t(count)));
  const Tensor part = part_of(storage_of(self), first, count);
  ReleaseGil free(part);
  thpp::fill_(part, thpp::wrapped_number(int64_t(byte)));
}

static size_t checked_size(int64_t n) {
  if (n < 0) raise(PyExc_RuntimeError, "a storage cannot have a negative number of bytes, got %lld", (long long)n);
  return size_t(n);
}

static uint8_t byte_of(PyObject *item) {
  const unsigned long long value = PyLong_AsUnsignedLongLongMask(item);  // its lowest byte, as torch does
  if (value == ULLONG_MAX && PyErr_Occurred()) throw PythonError();
  return uint8_t(value);
}

static THStorage *new_storage(THDevice device, size_t nbytes) {
  ReleaseGil free(device.kind == TH_CUDA ? INFINITY : 0);
  return THStorage_newOn(device, nbytes);
}

static THStorage *from_sequence(PyObject *data, THDevice device) {
  if (!PySequence_Check(data) || is_tensor(data))
    raise(PyExc_RuntimeError, "torch.UntypedStorage(): Expected a sequence type, but got %s", type_name(data));
  Ref items = checked_ref(PySequence_Fast(data, "not a sequence"));
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(items.get());
  StorageRef here(THStorage_newOn(device.kind == TH_Meta ? device : THDevice{}, size_t(n)));
  for (Py_ssize_t i = 0; i < n; ++i) {
    const Ref item = element(items.get(), i);
    if (!PyLong_Check(item.get()))
      raise(PyExc_RuntimeError,
            "torch.UntypedStorage(): tried to construct a storage from a sequence (%s), but one of the items was of "
            "type %s instead of int",
            type_name(data), type_name(item.get()));
    const uint8_t byte = byte_of(item.get());
    if (here.get()->data) static_cast<uint8_t *>(here.get()->data)[i] = byte;
  }
  if (thpp::is_host_memory(device) || device.kind == TH_Meta) {
    THStorage_retain(here.get());
    return here.get();
  }
  StorageRef there(new_storage(device, size_t(n)));
  const Tensor target = part_of(there.get(), 0, n);
  {
    ReleaseGil free(target);
    thpp::copy_(target, part_of(here.get(), 0, n), false);
  }
  THStorage_retain(there.get());
  return there.get();
}

// UntypedStorage(), (size), (sequence of bytes), each with device=
static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    static const char *const names[] = {"size", "device", nullptr};
    PyObject *size = nullptr, *device = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$O:UntypedStorage", const_cast<char **>(names), &size, &device))
      throw PythonError();
    if (device != Py_None && !is_device_like(device))
      raise(PyExc_TypeError, "device must be a torch.device, str or int");
    const THDevice where = device == Py_None ? THDevice{} : device_of(device);
    const bool sized = !size || is_int(size);
    const StorageRef storage(sized ? new_storage(where, size ? checked_size(int_of(size)) : 0)
                                   : from_sequence(size, where));
    return new_object(type, storage.get());
  });
}

// ---- parts --------------------------------------------------------------------------------------
void release_parent(void *context, void *) {
  THStorage *parent = static_cast<THStorage *>(context);
  __atomic_fetch_sub(&parent->pins, 1, __ATOMIC_RELEASE);
  THStorage_free(parent);
}

static THStorage *slice_of(THStorage *parent, Py_ssize_t first, Py_ssize_t count) {
  if (!count) return THStorage_newOn(parent->device, 0);
  THStorage_retain(parent);
  __atomic_fetch_add(&parent->pins, 1, __ATOMIC_RELAXED);
  return THStorage_newWithDataOn(parent->device, static_cast<char *>(parent->data) + first, size_t(count),
                                 release_parent, parent);
}

// A slice's start and stop; only steps of 1.
static std::pair<Py_ssize_t, Py_ssize_t> range_of(PyObject *self, PyObject *slice) {
  Py_ssize_t first, last, step;
  if (PySlice_Unpack(slice, &first, &last, &step) < 0) throw PythonError();
  if (step != 1)
    raise(PyExc_RuntimeError, "Trying to slice with a step of %zd, but only a step of 1 is supported", step);
  const Py_ssize_t count = PySlice_AdjustIndices(length(self), &first, &last, step);
  return {first, count};
}

static Py_ssize_t index_of(PyObject *self, PyObject *index) {
  const int64_t i = int_of(index);
  const int64_t wrapped = i < 0 ? i + length(self) : i;
  if (wrapped < 0 || wrapped >= length(self))
    raise(PyExc_IndexError, "index %lld out of range for storage of size %zd", (long long)i, length(self));
  return Py_ssize_t(wrapped);
}

static PyObject *subscript(PyObject *self, PyObject *index) {
  return guarded([&] {
    check_readable(self);
    if (PySlice_Check(index)) {
      const auto [first, count] = range_of(self, index);
      const StorageRef part(slice_of(storage_of(self), first, count));
      return storage_object(part.get());
    }
    if (!is_int(index)) raise(PyExc_TypeError, "can't index a torch.UntypedStorage with %s", type_name(index));
    return PyLong_FromLong(get_byte(self, index_of(self, index)));
  });
}

static int assign(PyObject *self, PyObject *index, PyObject *value) {
  return guarded_int([&] {
    if (!value) raise(PyExc_TypeError, "elements of a storage cannot be deleted");
    if (!is_int(value))
      raise(PyExc_TypeError, "can only set storage content with a int types, but got %s instead", type_name(value));
    const uint8_t byte = byte_of(value);
    if (PySlice_Check(index)) {
      const auto [first, count] = range_of(self, index);
      set_bytes(self, first, count, byte);
    } else if (is_int(index)) {
      set_bytes(self, index_of(self, index), 1, byte);
    } else {
      raise(PyExc_TypeError, "can't index a torch.UntypedStorage with %s", type_name(index));
    }
    return 0;
  });
}

static PyObject *item(PyObject *self, Py_ssize_t i) {
  return guarded([&] {
    check_readable(self);
    if (i < 0 || i >= length(self))
      raise(PyExc_IndexError, "index %zd out of range for storage of size %zd", i, length(self));
    return PyLong_FromLong(get_byte(self, i));
  });
}

// ---- the bytes as a buffer: memoryview(storage), bytes(storage), file.readinto(storage) ---------
static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  view->obj = nullptr;
  return guarded_int([&] {
    THStorage *storage = storage_of(self);
    if (!is_here(self)) refuse(storage->device);
    if (PyBuffer_FillInfo(view, self, storage->data, length(self), 0, flags) < 0) throw PythonError();
    __atomic_fetch_add(&storage->pins, 1, __ATOMIC_RELAXED);
    return 0;
  });
}
static void release_buffer(PyObject *self, Py_buffer *) {
  __atomic_fetch_sub(&storage_of(self)->pins, 1, __ATOMIC_RELEASE);
}

// ---- methods ------------------------------------------------------------------------------------
static PyObject *data_ptr(PyObject *self, PyObject *) {
  return PyLong_FromVoidPtr(length(self) ? bytes(self) : nullptr);
}
static PyObject *nbytes(PyObject *self, PyObject *) { return PyLong_FromSsize_t(length(self)); }
static PyObject *resizable(PyObject *self, PyObject *) {
  const THStorage *storage = storage_of(self);
  return PyBool_FromLong(storage->resizable && !__atomic_load_n(&storage->pins, __ATOMIC_ACQUIRE));
}

static PyObject *resize(PyObject *self, PyObject *size) {
  return guarded([&] {
    const size_t nbytes = checked_size(int_of(size));
    {
      ReleaseGil free(is_here(self) ? double(nbytes) : INFINITY);
      THStorage_resize(storage_of(self), nbytes);
    }
    return Py_NewRef(self);
  });
}

static PyObject *fill(PyObject *self, PyObject *value) {
  return guarded([&] {
    if (!is_int(value)) raise(PyExc_TypeError, "fill_ expects a int, but got %s", type_name(value));
    const uint8_t byte = byte_of(value);
    set_bytes(self, 0, length(self), byte);
    return Py_NewRef(self);
  });
}

static PyObject *copy(PyObject *self, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    static const char *const names[] = {"source", "non_blocking", nullptr};
    PyObject *source, *non_blocking = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|O:copy_", const_cast<char **>(names), UntypedStorageType,
                                     &source, &non_blocking))
      throw PythonError();
    if (length(self) != length(source))
      raise(PyExc_RuntimeError, "size does not match, self was %zd bytes but src was %zd bytes", length(self),
            length(source));
    const bool takes = takes_bytes(self);
    if (takes && storage_of(source)->device.kind == TH_Meta)
      raise(PyExc_NotImplementedError, "Cannot copy out of meta tensor; no data!");
    if (!length(self) || !takes) return Py_NewRef(self);
    const int wait = non_blocking == Py_None ? 0 : PyObject_IsTrue(non_blocking);
    checked(wait);
    if (is_here(self) && is_here(source)) {  // slices of one storage may overlap
      std::memmove(bytes(self), bytes(source), size_t(length(self)));
    } else {
      const Tensor to = part_of(storage_of(self), 0, length(self)), from = part_of(storage_of(source), 0, length(self));
      ReleaseGil free(INFINITY);
      thpp::copy_(to, from, wait);
    }
    return Py_NewRef(self);
  });
}

static PyObject *get_cdata(PyObject *self, void *) { return PyLong_FromVoidPtr(storage_of(self)); }
static PyObject *get_device(PyObject *self, void *) {
  return guarded([&] { return device_object(storage_of(self)->device); });
}

static PyMethodDef methods[] = {
    {"data_ptr", data_ptr, METH_NOARGS, "Address of the first byte; 0 if there is none."},
    {"nbytes", nbytes, METH_NOARGS, "Number of bytes."},
    {"size", nbytes, METH_NOARGS, "Number of bytes."},
    {"resizable", resizable, METH_NOARGS, "Whether `resize_` may give it another size."},
    {"resize_", resize, METH_O, "Another number of bytes; those that fit are kept."},
    {"fill_", fill, METH_O, "Sets every byte."},
    {"copy_", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(copy)), METH_VARARGS | METH_KEYWORDS,
     "Copies the bytes of a storage of the same size."},
    {nullptr, nullptr, 0, nullptr},
};
static PyGetSetDef properties[] = {
    {"device", get_device, nullptr, "Where the bytes are.", nullptr},
    {"_cdata", get_cdata, nullptr, "Address of the THStorage, which identifies a storage.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

static PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(make)},
    {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_sq_length, reinterpret_cast<void *>(length)},
    {Py_sq_item, reinterpret_cast<void *>(item)},
    {Py_mp_length, reinterpret_cast<void *>(length)},
    {Py_mp_subscript, reinterpret_cast<void *>(subscript)},
    {Py_mp_ass_subscript, reinterpret_cast<void *>(assign)},
    {Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)},
    {Py_bf_releasebuffer, reinterpret_cast<void *>(release_buffer)},
    {0, nullptr},
};

void add_storage_type(PyObject *module) {
  PyType_Spec spec = {"torch.storage.UntypedStorage", sizeof(StorageObject), 0, Py_TPFLAGS_DEFAULT, slots};
  UntypedStorageType = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&spec)));
  checked(PyModule_AddObjectRef(module, "UntypedStorage", reinterpret_cast<PyObject *>(UntypedStorageType)));
}

}  // namespace torch::python
