// Storages that processes share, for torch/storage.py and torch/multiprocessing: handles of lib/shm as Python has them.
#include <sys/prctl.h>

#include <shm/shm.h>

#include "errors.h"
#include "functions.h"
#include "storage_ref.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

static THStorage *storage_argument(PyObject *object) {
  if (!is_untyped_storage(object)) raise(PyExc_TypeError, "storage expected, got %s", type_name(object));
  return storage_of(object);
}

static THSharedKind kind_of(int by_name) { return by_name ? TH_SHARED_NAME : TH_SHARED_DESCRIPTOR; }

static PyObject *object_of(THStorage *owned) {
  const StorageRef storage(owned);
  return storage_object(storage.get());
}

// _C._storage_share(storage, by_name): moves it into shared memory.
static PyObject *share(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *object;
    int by_name;
    if (!PyArg_ParseTuple(args, "Op", &object, &by_name)) throw PythonError();
    THStorage *const storage = storage_argument(object);
    if (storage->release == release_parent)
      raise(PyExc_RuntimeError,
            "a slice of a storage cannot move into shared memory alone: share the storage, or a clone of the slice");
    {
      ReleaseGil free(INFINITY);
      THSharedStorage_move(storage, kind_of(by_name));
    }
    return Py_NewRef(object);
  });
}

// _C._storage_new_shared(nbytes, by_name)
static PyObject *new_shared(PyObject *, PyObject *args) {
  return guarded([&] {
    long long nbytes;
    int by_name;
    if (!PyArg_ParseTuple(args, "Lp", &nbytes, &by_name)) throw PythonError();
    if (nbytes < 0) raise(PyExc_RuntimeError, "a storage cannot have a negative number of bytes, got %lld", nbytes);
    THStorage *storage;
    {
      ReleaseGil free(INFINITY);
      storage = THSharedStorage_new(kind_of(by_name), size_t(nbytes));
    }
    return object_of(storage);
  });
}

// _C._storage_sharing(storage): None, "file_descriptor" or "file_system".
static PyObject *sharing(PyObject *, PyObject *object) {
  return guarded([&]() -> PyObject * {
    switch (THSharedStorage_kind(storage_argument(object))) {
      case TH_SHARED_DESCRIPTOR: return checked(PyUnicode_FromString("file_descriptor"));
      case TH_SHARED_NAME: return checked(PyUnicode_FromString("file_system"));
      default: return Py_NewRef(Py_None);
    }
  });
}

// _C._storage_descriptor(storage): of one shared by its descriptor, which stays the storage's.
static PyObject *descriptor(PyObject *, PyObject *object) {
  return guarded([&] { return PyLong_FromLong(THSharedStorage_descriptor(storage_argument(object))); });
}

// _C._storage_handle(storage): (manager, name) as bytes, of one shared by name.
static PyObject *handle(PyObject *, PyObject *object) {
  return guarded([&]() -> PyObject * {
    THStorage *const storage = storage_argument(object);
    const char *manager;
    {
      ReleaseGil free(INFINITY);
      manager = THSharedStorage_manager(storage);
    }
    if (!manager) raise(PyExc_RuntimeError, "the storage is not shared by name");
    return checked(Py_BuildValue("(yy)", manager, THSharedStorage_name(storage)));
  });
}

// _C._storage_from_descriptor(descriptor, nbytes): the descriptor stays the caller's.
static PyObject *from_descriptor(PyObject *, PyObject *args) {
  return guarded([&] {
    int fd;
    long long nbytes;
    if (!PyArg_ParseTuple(args, "iL", &fd, &nbytes)) throw PythonError();
    if (nbytes < 0) raise(PyExc_RuntimeError, "a storage cannot have a negative number of bytes, got %lld", nbytes);
    return object_of(THSharedStorage_newWithDescriptor(fd, size_t(nbytes)));
  });
}

// _C._storage_from_handle(manager, name, nbytes)
static PyObject *from_handle(PyObject *, PyObject *args) {
  return guarded([&] {
    const char *manager, *name;
    long long nbytes;
    if (!PyArg_ParseTuple(args, "yyL", &manager, &name, &nbytes)) throw PythonError();
    if (nbytes < 0) raise(PyExc_RuntimeError, "a storage cannot have a negative number of bytes, got %lld", nbytes);
    THStorage *storage;
    {
      ReleaseGil free(INFINITY);
      storage = THSharedStorage_newWithName(manager, name, size_t(nbytes));
    }
    return object_of(storage);
  });
}

// _C._storage_sent(storage), _C._storage_received(manager, name): a handle is under way, and has arrived.
static PyObject *sent(PyObject *, PyObject *object) {
  return guarded([&]() -> PyObject * {
    THStorage *const storage = storage_argument(object);
    {
      ReleaseGil free(INFINITY);
      THSharedStorage_sent(storage);
    }
    return Py_NewRef(Py_None);
  });
}
static PyObject *received(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    const char *manager, *name;
    if (!PyArg_ParseTuple(args, "yy", &manager, &name)) throw PythonError();
    THSharedStorage_received(manager, name);
    return Py_NewRef(Py_None);
  });
}

// _C._set_shm_manager(path): where torch_shm_manager is.
static PyObject *set_manager(PyObject *, PyObject *path) {
  return guarded([&]() -> PyObject * {
    PyObject *encoded;
    if (!PyUnicode_FSConverter(path, &encoded)) throw PythonError();
    const Ref owner(encoded);
    THSharedStorage_setProgram(PyBytes_AS_STRING(encoded));
    return Py_NewRef(Py_None);
  });
}

// _C._set_death_signal(number): what this process is sent when the thread that started it ends.
static PyObject *set_death_signal(PyObject *, PyObject *number) {
  return guarded([&]() -> PyObject * {
    const long signal = PyLong_AsLong(number);
    if (signal == -1 && PyErr_Occurred()) throw PythonError();
    if (prctl(PR_SET_PDEATHSIG, signal)) return PyErr_SetFromErrno(PyExc_OSError);
    return Py_NewRef(Py_None);
  });
}

PyMethodDef shared_storage_functions[] = {
    {"_storage_share", share, METH_VARARGS, nullptr},
    {"_storage_new_shared", new_shared, METH_VARARGS, nullptr},
    {"_storage_sharing", sharing, METH_O, nullptr},
    {"_storage_descriptor", descriptor, METH_O, nullptr},
    {"_storage_handle", handle, METH_O, nullptr},
    {"_storage_from_descriptor", from_descriptor, METH_VARARGS, nullptr},
    {"_storage_from_handle", from_handle, METH_VARARGS, nullptr},
    {"_storage_sent", sent, METH_O, nullptr},
    {"_storage_received", received, METH_VARARGS, nullptr},
    {"_set_shm_manager", set_manager, METH_O, nullptr},
    {"_set_death_signal", set_death_signal, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
