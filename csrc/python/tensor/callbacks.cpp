// apply_, map_, map2_: a Python function called with the elements of up to three tensors, one by one.
#include <array>
#include <iterator>

#include <THPP/Functions.h>

#include "autograd.h"
#include "errors.h"
#include "native.h"
#include "tensor_object.h"

namespace torch::python {

using thpp::Tensor;

namespace {

// A number as Python sees it, of a tensor whose dtype is `kind`'s widest.
PyObject *element(const Tensor &values, THKind kind, int64_t i) {
  if (kind == TH_KIND_float) return PyFloat_FromDouble(values.data<double>()[i]);
  if (kind == TH_KIND_complex) {
    const THComplexDouble z = values.data<THComplexDouble>()[i];
    return PyComplex_FromDoubles(z.real(), z.imag());
  }
  const int64_t n = values.data<int64_t>()[i];
  return kind == TH_KIND_bool ? PyBool_FromLong(n != 0) : PyLong_FromLongLong(n);
}

void set_element(const Tensor &values, THKind kind, int64_t i, PyObject *value) {
  if (kind == TH_KIND_bool) {
    const int truth = PyObject_IsTrue(value);
    checked(truth);
    values.data<int64_t>()[i] = truth;
    return;
  }
  if (kind == TH_KIND_int && PyLong_Check(value)) {
    const long long n = PyLong_AsLongLong(value);
    if (n == -1 && PyErr_Occurred()) throw PythonError();
    values.data<int64_t>()[i] = n;
    return;
  }
  if (kind == TH_KIND_complex) {
    const Py_complex z = PyComplex_AsCComplex(value);
    if (z.real == -1.0 && PyErr_Occurred()) throw PythonError();
    values.data<THComplexDouble>()[i] = {z.real, z.imag};
    return;
  }
  const double x = PyFloat_AsDouble(value);
  if (x == -1.0 && PyErr_Occurred()) throw PythonError();
  if (kind == TH_KIND_float)
    values.data<double>()[i] = x;
  else if (x >= -0x1p63 && x < 0x1p63)
    values.data<int64_t>()[i] = int64_t(x);
  else
    raise(PyExc_RuntimeError, "value cannot be converted to type int64_t without overflow");
}

// self = function(self, others…), element by element. What the function does to the tensors meanwhile
// is no matter, since copies are walked; and if it raises, self is as it was.
template <size_t n>
void call_each(const char *method, PyObject *function, const std::array<Tensor, n> &tensors) {
  const Tensor &self = tensors[0];
  if (self.device().kind == TH_Meta) return;  // no elements, so there is nothing to call it with
  if (self.device().kind != TH_CPU) raise(PyExc_TypeError, "%s is only implemented on CPU tensors", method);
  const THKind kind = TH_kind(self.dtype());
  const THDtype wide = kind == TH_KIND_complex ? TH_ComplexDouble : kind == TH_KIND_float ? TH_Double : TH_Long;
  std::array<Tensor, n> copies;
  for (size_t k = 0; k < n; ++k)
    copies[k] = thpp::clone(thpp::to(thpp::expand(thpp::detach(tensors[k]), self.sizes()), wide),
                            MemoryFormat::Contiguous);
  for (int64_t i = 0; i < copies[0].numel(); ++i) {
    std::array<Ref, n> owned;
    PyObject *args[n];
    for (size_t k = 0; k < n; ++k) {
      owned[k] = checked_ref(element(copies[k], kind, i));
      args[k] = owned[k].get();
    }
    const Ref result = checked_ref(calling_python([&] { return PyObject_Vectorcall(function, args, n, nullptr); }));
    set_element(copies[0], kind, i, result.get());
  }
  thpp::copy_(data_of(self), copies[0], false);
}

void same_type(const char *method, const char *name, const Tensor &self, const Tensor &other) {
  if (self.dtype() != other.dtype())
    raise(PyExc_TypeError, "%s: expected torch.%sTensor for '%s' (got torch.%sTensor)", method,
          TH_typeName(self.dtype()), name, TH_typeName(other.dtype()));
}

}  // namespace

NATIVE_OPERATOR(apply_, kSelf, {"callable", ArgType::Object, 0, nullptr});
static PyObject *apply__call(Args &args) {
  throw_recorded(args.tensor(0), "apply_");
  call_each<1>("apply_", args.object(1), {args.tensor(0)});
  return same(args.object(0));
}

NATIVE_OPERATOR(map_, kSelf, {"other", ArgType::Tensor, 0, nullptr}, {"callable", ArgType::Object, 0, nullptr});
static PyObject *map__call(Args &args) {
  for (const int i : {0, 1}) throw_recorded(args.tensor(i), "map_");
  same_type("map_", "other", args.tensor(0), args.tensor(1));
  call_each<2>("map_", args.object(2), {args.tensor(0), args.tensor(1)});
  return same(args.object(0));
}

NATIVE_OPERATOR(map2_, kSelf, {"x", ArgType::Tensor, 0, nullptr}, {"y", ArgType::Tensor, 0, nullptr},
                {"callable", ArgType::Object, 0, nullptr});
static PyObject *map2__call(Args &args) {
  for (const int i : {0, 1, 2}) throw_recorded(args.tensor(i), "map2_");
  same_type("map2_", "x", args.tensor(0), args.tensor(1));
  same_type("map2_", "y", args.tensor(0), args.tensor(2));
  call_each<3>("map2_", args.object(3), {args.tensor(0), args.tensor(1), args.tensor(2)});
  return same(args.object(0));
}

NATIVE_OPERATOR(is_nonzero, kSelf);
static PyObject *is_nonzero_call(Args &args) {
  const int truth = PyObject_IsTrue(args.object(0));
  checked(truth);
  return PyBool_FromLong(truth);
}

PyMethodDef callback_methods[] = {
    method_row<op_apply_>(),     method_row<op_map_>(),          method_row<op_map2_>(),
    method_row<op_is_nonzero>(), {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
