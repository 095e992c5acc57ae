// Functions over storages: a tensor of any geometry over one, and storages over the memory of a file.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <torch_python/gil.h>

#include "errors.h"
#include "functions.h"
#include "number.h"
#include "storage_ref.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

// _C._tensor_over(storage, dtype, offset, size, stride): offset and strides in elements. The storage must reach the
// last element.
static PyObject *tensor_over(PyObject *, PyObject *args) {
  return guarded([&] {
    PyObject *storage, *dtype, *size, *stride;
    long long offset;
    if (!PyArg_ParseTuple(args, "O!O!LOO", UntypedStorageType, &storage, &DtypeType, &dtype, &offset, &size, &stride))
      throw PythonError();
    if (!PyTuple_Check(size) && !PyList_Check(size)) raise(PyExc_TypeError, "size must be a tuple of ints");
    if (stride != Py_None && !PyTuple_Check(stride) && !PyList_Check(stride))
      raise(PyExc_TypeError, "stride must be a tuple of ints");
    const Ints sizes = ints_of(size), strides = stride == Py_None ? Ints() : ints_of(stride);
    if (stride != Py_None && strides.size() != sizes.size())
      raise(PyExc_RuntimeError, "mismatch in length of strides and shape: %zu and %zu", strides.size(), sizes.size());
    if (sizes.size() > TH_MAX_DIM)
      raise(PyExc_RuntimeError, "a tensor has at most %d dimensions, got %zu", TH_MAX_DIM, sizes.size());
    return wrap(Tensor::steal(THTensor_newWithStorage(*dtype_of(dtype), storage_of(storage), offset, int(sizes.size()),
                                                      sizes.data(), stride == Py_None ? nullptr : strides.data())));
  });
}

// ---- files in memory ----------------------------------------------------------------------------
struct Mapping {
  size_t length;
  std::string filename;
  bool shared;
};
static void unmap(void *context, void *data) {
  Mapping *mapping = static_cast<Mapping *>(context);
  munmap(data, mapping->length);
  delete mapping;
}

class File {
 public:
  File(const char *name, int flags) : fd_(open(name, flags | O_CLOEXEC, 0600)) {}
  File(const File &) = delete;
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

// _C._storage_from_file(filename, shared, nbytes): shared, what is written goes to the file, which is made and grown as
// needed; else the file stays as it is, and must have nbytes.
static PyObject *storage_from_file(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *encoded;
    int shared;
    long long nbytes;
    if (!PyArg_ParseTuple(args, "O&pL", PyUnicode_FSConverter, &encoded, &shared, &nbytes)) throw PythonError();
    const Ref owner(encoded);
    const char *const name = PyBytes_AS_STRING(encoded);
    if (nbytes < 0) raise(PyExc_RuntimeError, "unable to mmap %lld bytes of file <%s>", nbytes, name);
    if (!nbytes) {
      const StorageRef empty(THStorage_new(0));
      return storage_object(empty.get());
    }
    const File file(name, shared ? O_RDWR | O_CREAT : O_RDONLY);
    struct stat info;
    if (file.fd() < 0 || fstat(file.fd(), &info))
      raise(PyExc_RuntimeError, "unable to open file <%s> in %s mode: %s (%d)", name,
            shared ? "read-write" : "read-only", std::strerror(errno), errno);
    if (nbytes > info.st_size) {
      if (!shared)
        raise(PyExc_RuntimeError, "file <%s> size <%lld> is smaller than the required mapping size <%lld>", name,
              (long long)info.st_size, nbytes);
      if (ftruncate(file.fd(), nbytes))
        raise(PyExc_RuntimeError, "unable to resize file <%s> to the right size: %s (%d)", name, std::strerror(errno),
              errno);
    }
    void *data = mmap(nullptr, size_t(nbytes), PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE, file.fd(), 0);
    if (data == MAP_FAILED)
      raise(PyExc_RuntimeError, "unable to mmap %lld bytes from file <%s>: %s (%d)", nbytes, name, std::strerror(errno),
            errno);
    const StorageRef storage(
        THStorage_newWithData(data, size_t(nbytes), unmap, new Mapping{size_t(nbytes), name, bool(shared)}));
    return storage_object(storage.get());
  });
}

static void drop_owner(void *owner, void *) { end_reference(static_cast<PyObject *>(owner)); }

// _C._storage_at(address, nbytes, device, owner): memory of another library, which `owner` keeps.
static PyObject *storage_at(PyObject *, PyObject *args) {
  return guarded([&] {
    unsigned long long address;
    long long nbytes;
    PyObject *device, *owner;
    if (!PyArg_ParseTuple(args, "KLOO", &address, &nbytes, &device, &owner)) throw PythonError();
    if (nbytes < 0 || (nbytes && !address))
      raise(PyExc_ValueError, "no storage can have %lld bytes at address %llu", nbytes, address);
    const THDevice where = device_of(device);
    const StorageRef storage(THStorage_newWithDataOn(where, reinterpret_cast<void *>(address), size_t(nbytes),
                                                     drop_owner, Py_NewRef(owner)));
    return storage_object(storage.get());
  });
}

static const Mapping *mapping_of(PyObject *object) {
  if (!is_untyped_storage(object)) raise(PyExc_TypeError, "storage expected, got %s", type_name(object));
  const THStorage *storage = storage_of(object);
  while (storage->release == release_parent) storage = static_cast<const THStorage *>(storage->context);
  return storage->release == unmap ? static_cast<const Mapping *>(storage->context) : nullptr;
}

// _C._storage_filename(storage): the file that what is written to it, or to what it is a slice of, goes to; None for any
// other.
static PyObject *storage_filename(PyObject *, PyObject *object) {
  return guarded([&]() -> PyObject * {
    const Mapping *mapping = mapping_of(object);
    if (!mapping || !mapping->shared) return Py_NewRef(Py_None);
    return PyUnicode_DecodeFSDefault(mapping->filename.c_str());
  });
}

// _C._storage_is_mapped(storage): whether its memory is that of a file.
static PyObject *storage_is_mapped(PyObject *, PyObject *object) {
  return guarded([&] { return PyBool_FromLong(mapping_of(object) != nullptr); });
}

PyMethodDef storage_functions[] = {
    {"_storage_filename", storage_filename, METH_O, nullptr},
    {"_storage_is_mapped", storage_is_mapped, METH_O, nullptr},
    {"_tensor_over", tensor_over, METH_VARARGS, nullptr},
    {"_storage_at", storage_at, METH_VARARGS, nullptr},
    {"_storage_from_file", storage_from_file, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
