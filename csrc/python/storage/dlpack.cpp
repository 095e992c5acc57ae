// Tensors into DLPack capsules and out of them. torch/utils/dlpack.py and Tensor.__dlpack__ are over it.
#include "dlpack.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <torch_python/gil.h>

#include "errors.h"
#include "functions.h"
#include "storage_ref.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

namespace {

// ---- dtypes -------------------------------------------------------------------------------------
dlpack::DataType type_of(THDtype dtype) {
  const auto bits = uint8_t(8 * TH_elementSize(dtype));
  switch (dtype) {
    case TH_Float8_e4m3fn: return {dlpack::kFloat8_e4m3fn, bits, 1};
    case TH_Float8_e5m2: return {dlpack::kFloat8_e5m2, bits, 1};
    case TH_Float8_e4m3fnuz: return {dlpack::kFloat8_e4m3fnuz, bits, 1};
    case TH_Float8_e5m2fnuz: return {dlpack::kFloat8_e5m2fnuz, bits, 1};
    default: break;
  }
  const char *const name = TH_dtypeName(dtype);
  const auto starts = [name](const char *with) { return !std::strncmp(name, with, std::strlen(with)); };
  uint8_t code = dlpack::kFloat;
  if (starts("bool")) code = dlpack::kBool;
  if (starts("uint")) code = dlpack::kUInt;
  if (starts("int")) code = dlpack::kInt;
  if (starts("bfloat")) code = dlpack::kBfloat;
  if (starts("complex")) code = dlpack::kComplex;
  return {code, bits, 1};
}

THDtype dtype_from(const dlpack::DataType &type) {
  if (type.lanes != 1) raise(PyExc_BufferError, "torch does not support lanes != 1, got %d", int(type.lanes));
  for (int i = 0; i < TH_NUM_DTYPES; ++i) {
    const dlpack::DataType ours = type_of(THDtype(i));
    if (ours.code == type.code && ours.bits == type.bits) return THDtype(i);
  }
  raise(PyExc_BufferError, "torch has no dtype for DLPack's code %d with %d bits", int(type.code), int(type.bits));
}

// ---- out of a tensor ----------------------------------------------------------------------------
// The capsule's struct and what it points to, in one block.
template <class Managed>
struct Export {
  Managed managed{};
  Tensor tensor;  // keeps the elements
  std::vector<int64_t> shape, strides;
};

// May be called by any thread, without the interpreter's lock: it touches no Python object.
template <class Managed>
void drop(Managed *managed) {
  auto *owner = static_cast<Export<Managed> *>(managed->manager_ctx);
  __atomic_fetch_sub(&owner->tensor.get()->storage->pins, 1, __ATOMIC_RELEASE);
  delete owner;
}

template <class Managed>
Managed *managed_of(const Tensor &tensor) {
  auto owner = std::make_unique<Export<Managed>>();
  owner->tensor = tensor;
  for (const int64_t n : tensor.sizes()) owner->shape.push_back(n);
  for (const int64_t n : tensor.strides()) owner->strides.push_back(n);
  // A dimension of one has any stride: 1, so that a reader that is strict about it sees a contiguous tensor.
  for (size_t d = 0; d < owner->shape.size(); ++d)
    if (owner->shape[d] < 2) owner->strides[d] = 1;
  dlpack::Tensor &out = owner->managed.tensor;
  out.data = tensor.numel() ? tensor.data<void>() : nullptr;
  out.device = tensor.device().kind == TH_CUDA ? dlpack::Device{dlpack::kCUDA, tensor.device().index}
                                               : dlpack::Device{dlpack::kCPU, 0};
  out.ndim = tensor.dim();
  out.dtype = type_of(tensor.dtype());
  out.shape = owner->shape.data();
  out.strides = owner->strides.data();
  owner->managed.manager_ctx = owner.get();
  owner->managed.deleter = drop<Managed>;
  // The consumer holds the address: no resize_ may move the elements until it releases them.
  __atomic_fetch_add(&tensor.get()->storage->pins, 1, __ATOMIC_RELAXED);
  return &owner.release()->managed;
}

constexpr char kName[] = "dltensor", kUsed[] = "used_dltensor";
constexpr char kVersionedName[] = "dltensor_versioned", kVersionedUsed[] = "used_dltensor_versioned";

// A capsule that nobody has consumed calls the deleter itself.
template <class Managed, const char *name>
void drop_capsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

template <class Managed, const char *name>
PyObject *capsule_of(Managed *managed) {
  PyObject *capsule = PyCapsule_New(managed, name, drop_capsule<Managed, name>);
  if (!capsule) managed->deleter(managed);
  return checked(capsule);
}

// _C._to_dlpack(tensor, versioned, copied)
PyObject *to_dlpack(PyObject *, PyObject *args) {
  return guarded([&] {
    PyObject *object;
    int versioned, copied;
    if (!PyArg_ParseTuple(args, "Opp", &object, &versioned, &copied)) throw PythonError();
    if (!is_tensor(object)) raise(PyExc_TypeError, "to_dlpack(): expected a Tensor, got %s", type_name(object));
    const Tensor &tensor = tensor_of(object);
    if (tensor.device().kind == TH_Meta)
      raise(PyExc_BufferError, "Cannot pack tensors on %s", TH_deviceName(THDeviceKind(tensor.device().kind)));
    if (tensor.layout() != TH_STRIDED)
      raise(PyExc_BufferError, "Can't export tensors with layout other than torch.strided, got torch.%s",
            TH_layoutName(tensor.layout()));
    if (!versioned) return capsule_of<dlpack::ManagedTensor, kName>(managed_of<dlpack::ManagedTensor>(tensor));
    auto *managed = managed_of<dlpack::ManagedTensorVersioned>(tensor);
    managed->version = {dlpack::kMajor, dlpack::kMinor};
    managed->flags = copied ? dlpack::kIsCopied : 0;
    return capsule_of<dlpack::ManagedTensorVersioned, kVersionedName>(managed);
  });
}

// ---- into a tensor ------------------------------------------------------------------------------
template <class Managed>
void release_managed(void *context, void *) {
  auto *managed = static_cast<Managed *>(context);
  if (!managed->deleter) return;
  // The producer may need the lock for its deleter, and does not say so.
  if (const HoldGil held; held) managed->deleter(managed);
}

struct Geometry {
  THDevice device;
  THDtype dtype;
  int ndim;
  int64_t size[TH_MAX_DIM], stride[TH_MAX_DIM];
  size_t nbytes;
  void *data;
};

// Everything that can be wrong, before the capsule counts as consumed.
Geometry checked_geometry(const dlpack::Tensor &in) {
  Geometry out;
  out.device = {};
  if (in.device.device_type == dlpack::kCUDA) {
    const int count = cuda_device_count();
    if (in.device.device_id < 0 || in.device.device_id >= count)
      raise(PyExc_BufferError, "a tensor on cuda:%d cannot be used: there are %d such devices",
            int(in.device.device_id), count);
    out.device = {TH_CUDA, int8_t(in.device.device_id)};
  } else if (in.device.device_type != dlpack::kCPU && in.device.device_type != dlpack::kCUDAHost) {
    raise(PyExc_BufferError, "tensors on DLPack's device type %d cannot be used: this torch knows the CPU and CUDA",
          int(in.device.device_type));
  }
  out.dtype = dtype_from(in.dtype);
  out.ndim = in.ndim;
  if (in.ndim < 0 || in.ndim > TH_MAX_DIM)
    raise(PyExc_BufferError, "a tensor has 0 to %d dimensions, DLPack says %d", TH_MAX_DIM, int(in.ndim));
  if (in.ndim && !in.shape) raise(PyExc_BufferError, "DLPack gives no shape for %d dimensions", int(in.ndim));
  const auto item = int64_t(TH_elementSize(out.dtype));
  int64_t dense = 1, last = 0, step;
  bool empty = false, overflow = false;
  for (int d = in.ndim - 1; d >= 0; --d) {
    const int64_t size = out.size[d] = in.shape[d];
    const int64_t stride = out.stride[d] = in.strides ? in.strides[d] : dense;
    if (size < 0) raise(PyExc_BufferError, "DLPack says size %lld in dimension %d", (long long)size, d);
    empty = empty || size == 0;
    if (size > 1 && stride < 0)
      raise(PyExc_BufferError, "tensors with negative strides are not supported, DLPack says %lld in dimension %d",
            (long long)stride, d);
    if (size < 2 && stride < 0) out.stride[d] = 1;
    overflow |= __builtin_mul_overflow(dense, std::max<int64_t>(size, 1), &dense);
    if (size > 1)
      overflow |= __builtin_mul_overflow(size - 1, stride, &step) || __builtin_add_overflow(last, step, &last);
  }
  int64_t bytes = 0;
  overflow = overflow || __builtin_add_overflow(last, int64_t(1), &last) || __builtin_mul_overflow(last, item, &bytes);
  if (overflow && !empty) raise(PyExc_BufferError, "the sizes and strides of the DLPack tensor overflow");
  out.nbytes = empty ? 0 : size_t(bytes);
  out.data = static_cast<char *>(in.data) + in.byte_offset;
  if (!empty && !in.data) raise(PyExc_BufferError, "the DLPack tensor has elements and no data");
  if (!empty && reinterpret_cast<uintptr_t>(out.data) % std::min<uintptr_t>(uintptr_t(item), alignof(int64_t)))
    raise(PyExc_BufferError, "the data of the DLPack tensor are not aligned to their %lld bytes", (long long)item);
  return out;
}

template <class Managed>
PyObject *consume(PyObject *capsule, const char *name, const char *used) {
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
  const Geometry g = checked_geometry(managed->tensor);
  checked(PyCapsule_SetName(capsule, used));
  // From here on the storage owns it, also when the next line raises.
  const StorageRef storage(
      THStorage_newWithDataOn(g.device, g.nbytes ? g.data : nullptr, g.nbytes, release_managed<Managed>, managed));
  return wrap(Tensor::steal(THTensor_newWithStorage(g.dtype, storage.get(), 0, g.ndim, g.size, g.stride)));
}

// _C._from_dlpack(capsule): (tensor, flags)
PyObject *from_dlpack(PyObject *, PyObject *capsule) {
  return guarded([&]() -> PyObject * {
    if (!PyCapsule_CheckExact(capsule))
      raise(PyExc_RuntimeError, "from_dlpack(): expected a DLPack capsule, got %s", type_name(capsule));
    if (PyCapsule_IsValid(capsule, kVersionedName)) {
      const auto *managed = static_cast<dlpack::ManagedTensorVersioned *>(
          PyCapsule_GetPointer(capsule, kVersionedName));
      if (managed->version.major != dlpack::kMajor)
        raise(PyExc_BufferError, "unsupported DLPack capsule major version: %u (this torch knows %u)",
              managed->version.major, dlpack::kMajor);
      const bool read_only = managed->flags & dlpack::kReadOnly;
      Ref tensor(consume<dlpack::ManagedTensorVersioned>(capsule, kVersionedName, kVersionedUsed));
      return Py_BuildValue("OO", tensor.get(), read_only ? Py_True : Py_False);
    }
    if (!PyCapsule_IsValid(capsule, kName)) {
      const char *const name = PyCapsule_GetName(capsule);
      PyErr_Clear();
      raise(PyExc_RuntimeError,
            "from_dlpack received an invalid capsule '%s': a tensor's capsule can be consumed only once, and has "
            "another name then",
            name ? name : "");
    }
    Ref tensor(consume<dlpack::ManagedTensor>(capsule, kName, kUsed));
    return Py_BuildValue("OO", tensor.get(), Py_False);
  });
}

}  // namespace

PyMethodDef dlpack_functions[] = {
    {"_to_dlpack", to_dlpack, METH_VARARGS, nullptr},
    {"_from_dlpack", from_dlpack, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
