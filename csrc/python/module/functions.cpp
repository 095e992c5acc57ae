// torch.promote_types, result_type, set_default_dtype, set_num_threads and the like.
#include "functions.h"

#include <algorithm>
#include <iterator>
#include <thread>

#include "binder.h"
#include "errors.h"
#include "native.h"
#include "number.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

// ---- promotion ----------------------------------------------------------------------------------
NATIVE_OPERATOR(promote_types, {"type1", ArgType::Dtype, 0, nullptr}, {"type2", ArgType::Dtype, 0, nullptr});
static PyObject *promote_types_call(Args &args) { return wrap(thpp::promote_types(args.dtype(0), args.dtype(1))); }

NATIVE_OPERATOR(can_cast, {"from_", ArgType::Dtype, 0, nullptr}, {"to", ArgType::Dtype, 0, nullptr});
static PyObject *can_cast_call(Args &args) { return wrap(thpp::can_cast(args.dtype(0), args.dtype(1))); }

static PyObject *result_type_call(Args &args) {
  const Tensor *const both[] = {&args.tensor(0), &args.tensor(1)};
  return wrap(thpp::result_type(both));
}
static constexpr Param tensor_tensor[] = {{"tensor", ArgType::Tensor, 0, nullptr},
                                          {"other", ArgType::Tensor, 0, nullptr}};
static constexpr Param number_tensor[] = {{"scalar", ArgType::TensorOrNumber, 0, nullptr},
                                          {"tensor", ArgType::Tensor, 0, nullptr}};
static constexpr Param tensor_number[] = {{"tensor", ArgType::Tensor, 0, nullptr},
                                          {"other", ArgType::TensorOrNumber, 0, nullptr}};
static constexpr Param number_number[] = {{"scalar1", ArgType::TensorOrNumber, 0, nullptr},
                                          {"scalar2", ArgType::TensorOrNumber, 0, nullptr}};
static constexpr Signature result_type_signatures[] = {
    {tensor_tensor, 2, result_type_call},
    {number_tensor, 2, result_type_call},
    {tensor_number, 2, result_type_call},
    {number_number, 2, result_type_call},
};
static constexpr Operator op_result_type = {"result_type", result_type_signatures, 4, kFunction};

static PyObject *get_default_dtype(PyObject *, PyObject *) { return Py_NewRef(dtype_object(thpp::default_dtype())); }
static PyObject *set_default_dtype(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!is_dtype(object))
      raise(PyExc_TypeError, "invalid dtype object: only floating-point types are supported as the default type");
    const THDtype dtype = *dtype_of(object);
    if (TH_kind(dtype) != TH_KIND_float)
      raise(PyExc_TypeError, "only floating-point types are supported as the default type");
    thpp::set_default_dtype(dtype);
    return Py_NewRef(Py_None);
  });
}

// ---- questions ----------------------------------------------------------------------------------
static PyObject *is_tensor_function(PyObject *, PyObject *object) { return PyBool_FromLong(is_tensor(object)); }

NATIVE_OPERATOR(is_floating_point, kSelf);
static PyObject *is_floating_point_call(Args &args) { return wrap(TH_kind(args.tensor(0).dtype()) == TH_KIND_float); }

NATIVE_OPERATOR(is_complex, kSelf);
static PyObject *is_complex_call(Args &args) { return wrap(TH_kind(args.tensor(0).dtype()) == TH_KIND_complex); }

NATIVE_OPERATOR(is_signed, kSelf);
static PyObject *is_signed_call(Args &args) { return wrap(thpp::is_signed(args.tensor(0).dtype())); }

NATIVE_OPERATOR(numel, kSelf);
static PyObject *numel_call(Args &args) { return wrap(args.tensor(0).numel()); }

// ---- threads ------------------------------------------------------------------------------------
static PyObject *get_num_threads(PyObject *, PyObject *) { return PyLong_FromLong(TH_getNumThreads()); }
static PyObject *set_num_threads(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!is_int(object)) raise(PyExc_RuntimeError, "set_num_threads expects an int, but got %s", type_name(object));
    const int64_t n = int_of(object);
    if (n < 1 || n > INT32_MAX) raise(PyExc_RuntimeError, "set_num_threads expects a positive integer");
    TH_setNumThreads(int(n));
    return Py_NewRef(Py_None);
  });
}

// Operators run one after the other, so the number that is set is told and nothing else.
static int interop_threads = 0;
static PyObject *get_num_interop_threads(PyObject *, PyObject *) {
  return PyLong_FromLong(interop_threads ? interop_threads : long(std::max(1u, std::thread::hardware_concurrency())));
}
static PyObject *set_num_interop_threads(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!is_int(object))
      raise(PyExc_RuntimeError, "set_num_interop_threads expects an int, but got %s", type_name(object));
    const int64_t n = int_of(object);
    if (n < 1 || n > INT32_MAX) raise(PyExc_RuntimeError, "set_num_interop_threads expects a positive integer");
    if (interop_threads)
      raise(PyExc_RuntimeError,
            "Error: cannot set number of interop threads after parallel work has started or set_num_interop_threads "
            "called");
    interop_threads = int(n);
    return Py_NewRef(Py_None);
  });
}

// ---- other settings -------------------------------------------------------------------------------
bool warn_always = false;
static PyObject *is_warn_always_enabled(PyObject *, PyObject *) { return PyBool_FromLong(warn_always); }
static PyObject *set_warn_always(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!PyBool_Check(object))
      raise(PyExc_RuntimeError, "setWarnOnlyOnce expects a bool, but got %s", type_name(object));
    warn_always = object == Py_True;
    return Py_NewRef(Py_None);
  });
}

static PyObject *set_flush_denormal(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!PyBool_Check(object))
      raise(PyExc_RuntimeError, "flush_denormal expects a bool, but got %s", type_name(object));
    return PyBool_FromLong(TH_setFlushDenormal(object == Py_True));
  });
}

PyMethodDef dtype_functions[] = {
    function_row<op_promote_types>(),
    function_row<op_can_cast>(),
    function_row<op_result_type>(),
    function_row<op_is_floating_point>(),
    function_row<op_is_complex>(),
    function_row<op_is_signed>(),
    function_row<op_numel>(),
    {"get_default_dtype", get_default_dtype, METH_NOARGS, nullptr},
    {"set_default_dtype", set_default_dtype, METH_O, nullptr},
    {"is_tensor", is_tensor_function, METH_O, nullptr},
    {"get_num_threads", get_num_threads, METH_NOARGS, nullptr},
    {"set_num_threads", set_num_threads, METH_O, nullptr},
    {"get_num_interop_threads", get_num_interop_threads, METH_NOARGS, nullptr},
    {"set_num_interop_threads", set_num_interop_threads, METH_O, nullptr},
    {"is_warn_always_enabled", is_warn_always_enabled, METH_NOARGS, nullptr},
    {"set_warn_always", set_warn_always, METH_O, nullptr},
    {"set_flush_denormal", set_flush_denormal, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
