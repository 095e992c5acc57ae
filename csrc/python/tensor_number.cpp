// Operators: +, <, abs() and the like. They go straight to thpp with tensors or Python numbers and
// leave every other operand to its own type.
#include <THPP/Functions.h>

#include "binder.h"
#include "construct.h"
#include "errors.h"
#include <torch_python/gil.h>
#include "number.h"
#include "numpy_bridge.h"
#include "tensor_object.h"

namespace torch::python {

using thpp::Tensor;

// An operand of a binary operator: a tensor, borrowed, or one made of a number.
class Operand {
 public:
  explicit Operand(PyObject *object) {
    if (is_tensor(object)) {
      tensor_ = &tensor_of(object);
    } else if (is_number(object)) {
      made_ = thpp::wrapped_number(number_of(object));
      tensor_ = &made_;
    }
  }
  explicit operator bool() const { return tensor_ != nullptr; }
  const Tensor &operator*() const { return *tensor_; }
  const Tensor *operator->() const { return tensor_; }

 private:
  Tensor made_;
  const Tensor *tensor_ = nullptr;
};

template <Tensor (*compute)(const Tensor &, const Tensor &)>
static PyObject *binary(PyObject *a, PyObject *b) {
  return guarded([&]() -> PyObject * {
    const Operand x(a), y(b);
    if (!x || !y) Py_RETURN_NOTIMPLEMENTED;
    Tensor result;
    {
      ReleaseGil free(std::max(x->numel(), y->numel()));
      result = compute(*x, *y);
    }
    return wrap(std::move(result));
  });
}

template <void (*compute)(const Tensor &, const Tensor &)>
static PyObject *inplace(PyObject *a, PyObject *b) {
  return guarded([&]() -> PyObject * {
    const Operand y(b);
    if (!y) Py_RETURN_NOTIMPLEMENTED;
    const Tensor &x = tensor_of(a);
    {
      ReleaseGil free(x.numel());
      compute(x, *y);
    }
    return Py_NewRef(a);
  });
}

template <Tensor (*compute)(const Tensor &)>
static PyObject *unary(PyObject *a) {
  return guarded([&]() -> PyObject * {
    const Tensor &x = tensor_of(a);
    Tensor result;
    {
      ReleaseGil free(x.numel());
      result = compute(x);
    }
    return wrap(std::move(result));
  });
}

#define BINARY(name, expression) \
  static Tensor name##_of(const Tensor &x, const Tensor &y) { return expression; }
#define INPLACE(name, expression) \
  static void name##_of(const Tensor &x, const Tensor &y) { expression; }
#define UNARY(name, expression) \
  static Tensor name##_of(const Tensor &x) { return expression; }

BINARY(add, thpp::add(x, y))
BINARY(sub, thpp::sub(x, y))
BINARY(mul, thpp::mul(x, y))
BINARY(div, thpp::div(x, y))
BINARY(floor_divide, thpp::floor_divide(x, y))
BINARY(remainder, thpp::remainder(x, y))
BINARY(matmul, thpp::matmul(x, y))
BINARY(bit_and, thpp::bitwise_and(x, y))
BINARY(bit_or, thpp::bitwise_or(x, y))
BINARY(bit_xor, thpp::bitwise_xor(x, y))
BINARY(left_shift, thpp::bitwise_left_shift(x, y))
BINARY(right_shift, thpp::bitwise_right_shift(x, y))
BINARY(pow, thpp::pow(x, y))
BINARY(lt, thpp::lt(x, y))
BINARY(le, thpp::le(x, y))
BINARY(eq, thpp::eq(x, y))
BINARY(ne, thpp::ne(x, y))
BINARY(gt, thpp::gt(x, y))
BINARY(ge, thpp::ge(x, y))

INPLACE(add_, thpp::add_(x, y))
INPLACE(sub_, thpp::sub_(x, y))
INPLACE(mul_, thpp::mul_(x, y))
INPLACE(div_, thpp::div_(x, y))
INPLACE(floor_divide_, thpp::floor_divide_(x, y))
INPLACE(remainder_, thpp::remainder_(x, y))
INPLACE(bit_and_, thpp::bitwise_and_(x, y))
INPLACE(bit_or_, thpp::bitwise_or_(x, y))
INPLACE(bit_xor_, thpp::bitwise_xor_(x, y))
INPLACE(left_shift_, thpp::bitwise_left_shift_(x, y))
INPLACE(right_shift_, thpp::bitwise_right_shift_(x, y))
INPLACE(pow_, thpp::pow_(x, y))

UNARY(neg, thpp::neg(x))
UNARY(abs, thpp::abs(x))

// The two operators for which torch takes NumPy arrays. With all others an array is left to NumPy's
// own operator, which gives a tensor by __array_wrap__.
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
    PyObject *const tensor = is_tensor(a) ? a : b, *const number = is_tensor(a) ? b : a;
    if (!is_number(number)) Py_RETURN_NOTIMPLEMENTED;
    const Tensor &x = tensor_of(tensor);
    const thpp::Scalar n = number_of(number);
    Tensor result;
    {
      ReleaseGil free(x.numel());
      result = tensor == a ? thpp::pow(x, n) : thpp::pow(n, x);
    }
    return wrap(std::move(result));
  });
}
static PyObject *inplace_power(PyObject *a, PyObject *b, PyObject *) {
  if (is_tensor(b)) return inplace<pow__of>(a, b);
  return guarded([&]() -> PyObject * {
    if (!is_number(b)) Py_RETURN_NOTIMPLEMENTED;
    const thpp::Scalar n = number_of(b);
    {
      ReleaseGil free(tensor_of(a).numel());
      thpp::pow_(tensor_of(a), n);
    }
    return Py_NewRef(a);
  });
}

static PyObject *matrix_multiply(PyObject *a, PyObject *b) {
  if (!is_tensor(a) || !is_tensor(b)) Py_RETURN_NOTIMPLEMENTED;
  return binary<matmul_of>(a, b);
}

static PyObject *invert(PyObject *a) {
  return guarded([&] {
    const Tensor &x = tensor_of(a);
    if (TH_kind(x.dtype()) >= TH_KIND_float)
      raise(PyExc_TypeError, "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    return wrap(thpp::bitwise_not(x));
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
    return x.item().to_complex() != 0.0;
  });
}

static Ref only_item(PyObject *a) {
  const Tensor &x = tensor_of(a);
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
    {"__complex__", as_complex, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyObject *as_index(PyObject *a) {
  return guarded([&] {
    const Tensor &x = tensor_of(a);
    if (x.numel() != 1 || TH_kind(x.dtype()) >= TH_KIND_float)
      raise(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
    return PyLong_FromLongLong(x.item().to_int());
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
    SLOT(nb_positive, positive),
    SLOT(nb_invert, invert),
    SLOT(nb_bool, truth),
    SLOT(nb_float, as_float),
    SLOT(nb_int, as_int),
    SLOT(nb_index, as_index),
    SLOT(tp_richcompare, compare),
    {0, nullptr},
};

}  // namespace torch::python
