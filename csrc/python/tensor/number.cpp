// Operators: +, <, abs() and the like. They go straight to thpp with tensors or Python numbers and
// leave every other operand to its own type.
#include <string_view>

#include <THPP/Autocast.h>
#include <THPP/Functions.h>

#include <autograd/meta.h>

#include "binder.h"
#include "construct.h"
#include "errors.h"
#include <torch_python/gil.h>
#include "number.h"
#include "numpy_bridge.h"
#include "overrides.h"
#include "tensor_object.h"

namespace torch::python {

using thpp::Tensor;

// An operand of a binary operator: a tensor, borrowed, or one made of a number.
class Operand {
 public:
  explicit Operand(PyObject *object) {
    if (is_tensor(object)) {
      tensor_ = &tensor_of(object);
      overloaded_ = is_overloaded(object);
    } else if (is_number(object)) {
      made_ = thpp::wrapped_number(number_of(object));
      tensor_ = &made_;
    } else {
      overloaded_ = has_override(object);
    }
  }
  explicit operator bool() const { return tensor_ != nullptr; }
  bool overloaded() const { return overloaded_; }  // it has a __torch_function__
  const Tensor &operator*() const { return *tensor_; }
  const Tensor *operator->() const { return tensor_; }

 private:
  Tensor made_;
  const Tensor *tensor_ = nullptr;
  bool overloaded_ = false;
};

// An operator: what it computes, and the methods of torch.Tensor that __torch_function__ hears of, one for a tensor on
// the left, one for a number there.
struct BinaryOperator {
  Tensor (*compute)(const Tensor &, const Tensor &);
  const char *method, *reflected;
};
struct InplaceOperator {
  void (*compute)(const Tensor &, const Tensor &);
  const char *method;
};
struct UnaryOperator {
  Tensor (*compute)(const Tensor &);
  const char *method;
};

// The answer of __torch_function__ to an operator: a TypeError means that it does not know the operands.
static PyObject *dispatch_operator(const char *method, std::initializer_list<PyObject *> operands) {
  PyObject *const result = guarded([&] { return dispatch_method(method, operands); });
  if (result) return result;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw PythonError();
  PyErr_Clear();
  Py_RETURN_NOTIMPLEMENTED;
}
static PyObject *dispatch_binary(const char *method, const char *reflected, PyObject *a, PyObject *b) {
  const bool tensor_first = is_tensor(a) || has_override(a);
  return tensor_first ? dispatch_operator(method, {a, b}) : dispatch_operator(reflected, {b, a});
}

template <const BinaryOperator &op>
static PyObject *binary(PyObject *a, PyObject *b) {
  return guarded([&]() -> PyObject * {
    const Operand x(a), y(b);
    if (x.overloaded() || y.overloaded() || has_mode()) [[unlikely]]
      return dispatch_binary(op.method, op.reflected, a, b);
    if (!x || !y) Py_RETURN_NOTIMPLEMENTED;
    Tensor result;
    {
      ReleaseGil free(std::max(work(*x), work(*y)));
      // 2 * x is x * 2, in the order of the node's edges too.
      constexpr bool symmetric = std::string_view(op.method) == op.reflected;
      result = symmetric && !is_tensor(a) ? op.compute(*y, *x) : op.compute(*x, *y);
    }
    return wrap(std::move(result));
  });
}

template <const InplaceOperator &op>
static PyObject *inplace(PyObject *a, PyObject *b) {
  return guarded([&]() -> PyObject * {
    const Operand y(b);
    if (y.overloaded() || needs_dispatch(a)) [[unlikely]]
      return dispatch_operator(op.method, {a, b});
    if (!y) Py_RETURN_NOTIMPLEMENTED;
    const Tensor &x = tensor_of(a);
    {
      ReleaseGil free(x);
      op.compute(x, *y);
    }
    return Py_NewRef(a);
  });
}

template <const UnaryOperator &op>
static PyObject *unary(PyObject *a) {
  return guarded([&]() -> PyObject * {
    if (needs_dispatch(a)) [[unlikely]]
      return dispatch_method(op.method, {a});
    const Tensor &x = tensor_of(a);
    Tensor result;
    {
      ReleaseGil free(x);
      result = op.compute(x);
    }
    return wrap(std::move(result));
  });
}

#define BINARY(name, function, method, reflected)                                             \
  static Tensor name##_compute(const Tensor &x, const Tensor &y) { return function(x, y); } \
  static constexpr BinaryOperator name##_of = {name##_compute, method, reflected};
#define INPLACE(name, function, method)                                                      \
  static void name##_compute(const Tensor &x, const Tensor &y) { function(x, y); }           \
  static constexpr InplaceOperator name##_of = {name##_compute, method};
#define UNARY(name, function)                                             \
  static Tensor name##_compute(const Tensor &x) { return function(x); } \
  static constexpr UnaryOperator name##_of = {name##_compute, #name};

// A number divided by a tensor is a multiple of the reciprocal to autocast on CUDA devices, which has that on a list.
static Tensor divided(const Tensor &x, const Tensor &y) {
  if (x.is_wrapped_number() && thpp::autocast_converts(TH_CUDA) && thpp::autocast_eligible(TH_CUDA, y)) [[unlikely]]
    return thpp::mul(thpp::reciprocal(y), x);
  return thpp::div(x, y);
}

BINARY(add, thpp::add, "add", "add")
BINARY(sub, thpp::sub, "sub", "__rsub__")
BINARY(mul, thpp::mul, "mul", "mul")
BINARY(div, divided, "div", "__rtruediv__")
BINARY(floor_divide, thpp::floor_divide, "__floordiv__", "__rfloordiv__")
BINARY(remainder, thpp::remainder, "remainder", "__rmod__")
BINARY(matmul, thpp::matmul, "matmul", "__rmatmul__")
BINARY(bit_and, thpp::bitwise_and, "__and__", "bitwise_and")
BINARY(bit_or, thpp::bitwise_or, "__or__", "bitwise_or")
BINARY(bit_xor, thpp::bitwise_xor, "__xor__", "bitwise_xor")
BINARY(left_shift, thpp::bitwise_left_shift, "__lshift__", "__rlshift__")
BINARY(right_shift, thpp::bitwise_right_shift, "__rshift__", "__rrshift__")
BINARY(pow, thpp::pow, "pow", "__rpow__")
BINARY(lt, thpp::lt, "lt", "gt")
BINARY(le, thpp::le, "le", "ge")
BINARY(eq, thpp::eq, "__eq__", "__eq__")
BINARY(ne, thpp::ne, "ne", "ne")
BINARY(gt, thpp::gt, "gt", "lt")
BINARY(ge, thpp::ge, "ge", "le")

INPLACE(add_, thpp::add_, "add_")
INPLACE(sub_, thpp::sub_, "sub_")
INPLACE(mul_, thpp::mul_, "mul_")
INPLACE(div_, thpp::div_, "div_")
INPLACE(floor_divide_, thpp::floor_divide_, "floor_divide_")
INPLACE(remainder_, thpp::remainder_, "remainder_")
INPLACE(bit_and_, thpp::bitwise_and_, "__iand__")
INPLACE(bit_or_, thpp::bitwise_or_, "__ior__")
INPLACE(bit_xor_, thpp::bitwise_xor_, "__ixor__")
INPLACE(left_shift_, thpp::bitwise_left_shift_, "__ilshift__")
INPLACE(right_shift_, thpp::bitwise_right_shift_, "__irshift__")
INPLACE(pow_, thpp::pow_, "pow_")

UNARY(neg, thpp::neg)
UNARY(abs, thpp::abs)

// The two operators for which torch takes NumPy arrays. With all others an array is left to NumPy's
// own operator, which returns a tensor by __array_wrap__.
static PyObject *array_as_tensor(PyObject *array) {
  return guarded([&] { return wrap(tensor_from_data(array, std::nullopt)); });
}
static PyObject *equal(PyObject *a, PyObject *b) {
  if (is_tensor(b) || !is_numpy_array(b)) return binary<eq_of>(a, b);
  Ref tensor(array_as_tensor(b));
  return tensor ? binary<eq_of>(a, tensor.get()) : nullptr;
}
static PyObject *divide(PyObject *a, PyObject *b) {
  if (is_tensor(a) || !is_numpy_array(a)) return binary<div_of>(a, b);
  Ref tensor(array_as_tensor(a));
  return tensor ? binary<div_of>(tensor.get(), b) : nullptr;
}

// Powers by a number are functions of their own: x ** 2 is a product.
static PyObject *power(PyObject *a, PyObject *b, PyObject *modulo) {
  if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
  if (is_tensor(a) && is_tensor(b)) return binary<pow_of>(a, b);
  return guarded([&]() -> PyObject * {
    if (is_overloaded(a) || needs_dispatch(b)) [[unlikely]]
      return dispatch_binary(pow_of.method, pow_of.reflected, a, b);
    PyObject *const tensor = is_tensor(a) ? a : b, *const number = is_tensor(a) ? b : a;
    if (!is_number(number)) Py_RETURN_NOTIMPLEMENTED;
    const Tensor &x = tensor_of(tensor);
    const thpp::Scalar n = number_of(number);
    Tensor result;
    {
      ReleaseGil free(x);
      result = tensor == a ? thpp::pow(x, n) : thpp::pow(n, x);
    }
    return wrap(std::move(result));
  });
}
static PyObject *inplace_power(PyObject *a, PyObject *b, PyObject *) {
  if (is_tensor(b)) return inplace<pow__of>(a, b);
  return guarded([&]() -> PyObject * {
    if (is_overloaded(b) || needs_dispatch(a)) [[unlikely]]
      return dispatch_operator(pow__of.method, {a, b});
    if (!is_number(b)) Py_RETURN_NOTIMPLEMENTED;
    const thpp::Scalar n = number_of(b);
    {
      ReleaseGil free(tensor_of(a));
      thpp::pow_(tensor_of(a), n);
    }
    return Py_NewRef(a);
  });
}

static PyObject *matrix_multiply(PyObject *a, PyObject *b) {
  const auto takes_part = [](PyObject *operand) { return is_tensor(operand) || has_override(operand); };
  if (!takes_part(a) || !takes_part(b)) Py_RETURN_NOTIMPLEMENTED;
  return binary<matmul_of>(a, b);
}

static PyObject *invert(PyObject *a) {
  return guarded([&] {
    const Tensor &x = tensor_of(a);
    if (TH_kind(x.dtype()) >= TH_KIND_float)
      raise(PyExc_TypeError, "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    Tensor result;
    {
      ReleaseGil free(x);
      result = thpp::bitwise_not(x);
    }
    return wrap(std::move(result));
  });
}

static PyObject *positive(PyObject *a) {
  return guarded([&] {
    if (tensor_of(a).dtype() == TH_Bool)
      raise(PyExc_RuntimeError, "The `+` operator, on a bool tensor is not supported.");
    return Py_NewRef(a);
  });
}

static PyObject *compare(PyObject *a, PyObject *b, int op) {
  switch (op) {
    case Py_LT: return binary<lt_of>(a, b);
    case Py_LE: return binary<le_of>(a, b);
    case Py_EQ: return equal(a, b);
    case Py_NE: return binary<ne_of>(a, b);
    case Py_GT: return binary<gt_of>(a, b);
    default: return binary<ge_of>(a, b);
  }
}

// ---- as a Python number -------------------------------------------------------------------------
static int truth(PyObject *a) {
  return guarded_int([&]() -> int {
    const Tensor &x = tensor_of(a);
    if (x.numel() == 0) raise(PyExc_RuntimeError, "Boolean value of Tensor with no values is ambiguous");
    if (x.numel() > 1) raise(PyExc_RuntimeError, "Boolean value of Tensor with more than one value is ambiguous");
    return item_of(x).to_complex() != 0.0;
  });
}

static void warn_recorded(const Tensor &x) {
  static bool warned;
  if (warned || !autograd::requires_grad(x)) return;
  warned = true;
  if (PyErr_WarnEx(
          PyExc_UserWarning,
          "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using "
          "tensor.detach() first.",
          1) < 0)
    throw PythonError();
}

static Ref only_item(PyObject *a) {
  const Tensor &x = tensor_of(a);
  warn_recorded(x);
  if (x.numel() != 1) raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
  return checked_ref(item_object(x));
}
// The only item as a real number, of which the message names the C++ type.
static Ref real_item(PyObject *a, const char *type) {
  Ref value = only_item(a);
  if (!PyComplex_Check(value.get())) return value;
  if (PyComplex_ImagAsDouble(value.get()) != 0)
    raise(PyExc_RuntimeError, "value cannot be converted to type %s without overflow", type);
  return checked_ref(PyFloat_FromDouble(PyComplex_RealAsDouble(value.get())));
}
static PyObject *as_float(PyObject *a) {
  return guarded([&] { return PyNumber_Float(real_item(a, "double").get()); });
}
static PyObject *as_int(PyObject *a) {
  return guarded([&] { return PyNumber_Long(real_item(a, "int64_t").get()); });
}
static PyObject *as_complex(PyObject *a, PyObject *) {
  return guarded([&] {
    const Ref value = only_item(a);
    const Py_complex z = PyComplex_AsCComplex(value.get());
    if (z.real == -1 && PyErr_Occurred()) throw PythonError();
    return PyComplex_FromCComplex(z);
  });
}
PyMethodDef number_methods[] = {
    {"__complex__", overridable<"__complex__", as_complex>, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyObject *as_index(PyObject *a) {
  return guarded([&] {
    const Tensor &x = tensor_of(a);
    if (x.numel() != 1 || TH_kind(x.dtype()) >= TH_KIND_float)
      raise(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
    return PyLong_FromLongLong(item_of(x).to_int());
  });
}

#define SLOT(name, function) {Py_##name, reinterpret_cast<void *>(function)}
const PyType_Slot number_slots[] = {
    SLOT(nb_add, binary<add_of>),
    SLOT(nb_subtract, binary<sub_of>),
    SLOT(nb_multiply, binary<mul_of>),
    SLOT(nb_true_divide, divide),
    SLOT(nb_floor_divide, binary<floor_divide_of>),
    SLOT(nb_remainder, binary<remainder_of>),
    SLOT(nb_matrix_multiply, matrix_multiply),
    SLOT(nb_and, binary<bit_and_of>),
    SLOT(nb_or, binary<bit_or_of>),
    SLOT(nb_xor, binary<bit_xor_of>),
    SLOT(nb_lshift, binary<left_shift_of>),
    SLOT(nb_rshift, binary<right_shift_of>),
    SLOT(nb_power, power),
    SLOT(nb_inplace_add, inplace<add__of>),
    SLOT(nb_inplace_subtract, inplace<sub__of>),
    SLOT(nb_inplace_multiply, inplace<mul__of>),
    SLOT(nb_inplace_true_divide, inplace<div__of>),
    SLOT(nb_inplace_floor_divide, inplace<floor_divide__of>),
    SLOT(nb_inplace_remainder, inplace<remainder__of>),
    SLOT(nb_inplace_and, inplace<bit_and__of>),
    SLOT(nb_inplace_or, inplace<bit_or__of>),
    SLOT(nb_inplace_xor, inplace<bit_xor__of>),
    SLOT(nb_inplace_lshift, inplace<left_shift__of>),
    SLOT(nb_inplace_rshift, inplace<right_shift__of>),
    SLOT(nb_inplace_power, inplace_power),
    SLOT(nb_negative, unary<neg_of>),
    SLOT(nb_absolute, unary<abs_of>),
    SLOT(nb_positive, (overridable_slot<"positive", positive>)),
    SLOT(nb_invert, (overridable_slot<"__invert__", invert>)),
    SLOT(nb_bool, (overridable_count<"__bool__", truth>)),
    SLOT(nb_float, (overridable_slot<"__float__", as_float>)),
    SLOT(nb_int, (overridable_slot<"__int__", as_int>)),
    SLOT(nb_index, (overridable_slot<"__index__", as_index>)),
    SLOT(tp_richcompare, compare),
    {0, nullptr},
};

}  // namespace torch::python
