// Tensors as other dtypes and on other devices, as Python numbers and lists, as NumPy arrays.
#include <cmath>
#include <iterator>

#include <THPP/Backend.h>
#include <THPP/Functions.h>

#include "errors.h"
#include "native.h"
#include "numpy_bridge.h"
#include "overrides.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

// ---- other dtypes and devices -------------------------------------------------------------------
Tensor converted(const Tensor &tensor, THDtype dtype, std::optional<THDevice> device, bool copy, MemoryFormat format) {
  const THDevice from = tensor.device(), to = device.value_or(from);
  if (tensor.dtype() == dtype && from.kind == to.kind && from.index == to.index && !copy &&
      format == MemoryFormat::Preserve)
    return tensor;
  ReleaseGil free(to.kind == TH_CUDA ? INFINITY : work(tensor));
  return thpp::to(tensor, dtype, copy, to, format);
}

// Parameter number `format` is the memory format.
static PyObject *convert(Args &args, THDtype dtype, std::optional<THDevice> device, bool copy, int format,
                         bool non_blocking = false) {
  const auto kind = THDeviceKind(args.tensor(0).device().kind);
  const thpp::NonBlocking scope(non_blocking && device, kind, device ? THDeviceKind(device->kind) : kind);
  return wrap(converted(args.tensor(0), dtype, device, copy, args.memory_format(format, MemoryFormat::Preserve)));
}

// to(device, dtype), to(dtype), to(other): the first parameters differ, the rest is the same.
#define TO_REST                                                             \
  {"non_blocking", ArgType::Bool, kOptional, "False"},                      \
      {"copy", ArgType::Bool, kOptional, "False"},                          \
      {"memory_format", ArgType::MemoryFormat, kOptional | kNullable | kKwargOnly, "None"}
static constexpr Param to_device[] = {kSelf,
                                      {"device", ArgType::Device, kOptional | kNullable, "None"},
                                      {"dtype", ArgType::Dtype, kOptional | kNullable, "None"},
                                      TO_REST};
static constexpr Param to_dtype_params[] = {kSelf, {"dtype", ArgType::Dtype, 0, nullptr}, TO_REST};
static constexpr Param to_other[] = {kSelf, {"other", ArgType::Tensor, 0, nullptr}, TO_REST};

static PyObject *to_device_call(Args &args) {
  const auto device = args.has(1) ? std::optional(args.device(1)) : std::nullopt;
  return convert(args, args.dtype(2, args.tensor(0).dtype()), device, args.boolean(4, false), 5,
                 args.boolean(3, false));
}
static PyObject *to_dtype_call(Args &args) {
  return convert(args, args.dtype(1), std::nullopt, args.boolean(3, false), 4);
}
static PyObject *to_other_call(Args &args) {
  const Tensor &other = args.tensor(1);
  return convert(args, other.dtype(), other.device(), args.boolean(3, false), 4, args.boolean(2, false));
}
static constexpr Signature to_signatures[] = {
    {to_device, uint8_t(std::size(to_device)), to_device_call},
    {to_dtype_params, uint8_t(std::size(to_dtype_params)), to_dtype_call},
    {to_other, uint8_t(std::size(to_other)), to_other_call},
};
static constexpr Operator op_to = {"to", to_signatures, 3, kMethod};

#define MEMORY_FORMAT {"memory_format", ArgType::MemoryFormat, kOptional | kNullable | kKwargOnly, "None"}
#define TO_DTYPE(Name, python_name)                                                               \
  static PyObject *to##Name##_call(Args &args) {                                                  \
    return convert(args, TH_##Name, std::nullopt, false, 1);                                      \
  }                                                                                               \
  static constexpr Param to##Name##_params[] = {kSelf, MEMORY_FORMAT};                            \
  static constexpr Signature to##Name##_signatures[] = {{to##Name##_params, 2, to##Name##_call}}; \
  static constexpr Operator op_to##Name = {python_name, to##Name##_signatures, 1, kMethod};
TO_DTYPE(Bool, "bool")
TO_DTYPE(Byte, "byte")
TO_DTYPE(Char, "char")
TO_DTYPE(Short, "short")
TO_DTYPE(Int, "int")
TO_DTYPE(Long, "long")
TO_DTYPE(Half, "half")
TO_DTYPE(BFloat16, "bfloat16")
TO_DTYPE(Float, "float")
TO_DTYPE(Double, "double")
TO_DTYPE(ComplexHalf, "chalf")
TO_DTYPE(ComplexFloat, "cfloat")
TO_DTYPE(ComplexDouble, "cdouble")

NATIVE_OPERATOR(cpu, kSelf, MEMORY_FORMAT);
static PyObject *cpu_call(Args &args) { return convert(args, args.tensor(0).dtype(), THDevice{}, false, 1); }

NATIVE_OPERATOR(cuda, kSelf, {"device", ArgType::Object, kOptional | kNullable, "None"},
                {"non_blocking", ArgType::Bool, kOptional, "False"}, MEMORY_FORMAT);
static PyObject *cuda_call(Args &args) {
  const Ref kind = checked_ref(PyUnicode_FromString("cuda"));
  PyObject *const given = args.has(1) ? args.object(1) : kind.get();
  if (!is_device_like(given))
    raise(PyExc_TypeError, "cuda(): argument 'device' (position 1) must be torch.device, not %s", type_name(given));
  const THDevice device = device_of(given);
  if (device.kind != TH_CUDA) raise(PyExc_RuntimeError, "Invalid device, must be cuda device");
  return convert(args, args.tensor(0).dtype(), device, false, 3, args.boolean(2, false));
}

// ---- Python numbers and lists -------------------------------------------------------------------
PyObject *scalar_object(THScalar value) {
  switch (value.kind) {
    case TH_KIND_bool: return PyBool_FromLong(value.value.i != 0);
    case TH_KIND_int: return PyLong_FromLongLong(value.value.i);
    case TH_KIND_uint: return PyLong_FromUnsignedLongLong(value.value.u);
    case TH_KIND_float: return PyFloat_FromDouble(value.value.d);
    case TH_KIND_complex: return PyComplex_FromDoubles(value.value.d, value.imag);
  }
  return nullptr;
}

thpp::Scalar item_of(const Tensor &tensor) {
  if (tensor.device().kind == TH_CPU && tensor.layout() == TH_STRIDED) [[likely]]
    return tensor.item();
  const Tensor held = tensor.layout() == TH_STRIDED || tensor.numel() != 1
                          ? tensor
                          : thpp::_to_dense(tensor);  // whatever becomes of its object meanwhile
  ReleaseGil free(held);
  return held.item();
}
PyObject *item_object(const Tensor &tensor) { return checked(scalar_object(item_of(tensor))); }

static PyObject *element(bool v) { return PyBool_FromLong(v); }
template <class T>
static PyObject *element(T v) {
  if constexpr (std::is_same_v<T, uint64_t>)
    return PyLong_FromUnsignedLongLong(v);
  else if constexpr (std::is_integral_v<T>)
    return PyLong_FromLongLong(v);
  else
    return PyFloat_FromDouble(double(float(v)));
}
template <>
PyObject *element(double v) {
  return PyFloat_FromDouble(v);
}
template <class T>
static PyObject *element(th::complex<T> v) {
  return PyComplex_FromDoubles(v.real(), v.imag());
}

// Uninitialised memory holds bools that are neither true nor false.
template <class T>
static T load(const T *data) {
  if constexpr (std::is_same_v<T, bool>)
    return *reinterpret_cast<const uint8_t *>(data) != 0;
  else
    return *data;
}

template <class T>
static PyObject *list_of(const Tensor &tensor, int d, const T *data) {
  if (d == tensor.dim()) return checked(element(load(data)));
  const int64_t size = tensor.sizes()[size_t(d)], stride = tensor.numel() ? tensor.strides()[size_t(d)] : 0;
  Ref list = checked_ref(PyList_New(size));
  for (int64_t i = 0; i < size; ++i) {
    PyObject *item = d + 1 == tensor.dim() ? element(load(data + i * stride))
                                           : list_of(tensor, d + 1, data + i * stride);
    PyList_SET_ITEM(list.get(), i, checked(item));
  }
  return list.release();
}

static PyObject *tolist(PyObject *self, PyObject *) {
  return guarded([&]() -> PyObject * {
    const Tensor tensor = converted(tensor_of(self), tensor_of(self).dtype(), THDevice{});
    switch (tensor.dtype()) {
#define CASE(Name, type, kind, kernels, name, alias) \
  case TH_##Name: return list_of(tensor, 0, tensor.data<type>());
      TH_DTYPES(CASE)
#undef CASE
      default: return nullptr;
    }
  });
}

static PyObject *item(PyObject *self, PyObject *) {
  return guarded([&] { return item_object(tensor_of(self)); });
}

// ---- NumPy --------------------------------------------------------------------------------------
NATIVE_OPERATOR(numpy, kSelf, {"force", ArgType::Bool, kOptional | kKwargOnly, "False"});
static PyObject *numpy_call(Args &args) {
  if (!args.boolean(1, false)) return numpy_from_tensor(args.object(0));
  const Tensor self = thpp::detach(args.tensor(0));
  const Ref host(wrap(converted(self, self.dtype(), THDevice{})));
  return numpy_from_tensor(host.get());
}

PyMethodDef convert_methods[] = {
    method_row<op_to>(),
    method_row<op_toBool>(),
    method_row<op_toByte>(),
    method_row<op_toChar>(),
    method_row<op_toShort>(),
    method_row<op_toInt>(),
    method_row<op_toLong>(),
    method_row<op_toHalf>(),
    method_row<op_toBFloat16>(),
    method_row<op_toFloat>(),
    method_row<op_toDouble>(),
    method_row<op_toComplexHalf>(),
    method_row<op_toComplexFloat>(),
    method_row<op_toComplexDouble>(),
    method_row<op_cpu>(),
    method_row<op_cuda>(),
    method_row<op_numpy>(),
    {"tolist", overridable<"tolist", tolist>, METH_NOARGS, nullptr},
    {"item", overridable<"item", item>, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
