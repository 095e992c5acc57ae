// A tensor as a container of its rows: len(), iteration, `in`, x[…].
#include <THPP/Functions.h>

#include "binder.h"
#include "errors.h"
#include "number.h"
#include "overrides.h"
#include "tensor_object.h"

namespace torch::python {

using thpp::Tensor;

static Py_ssize_t length(PyObject *self) {
  return guarded_int([&]() -> Py_ssize_t {
    const Tensor &t = tensor_of(self);
    if (t.dim() == 0) raise(PyExc_TypeError, "len() of a 0-d tensor");
    return t.sizes()[0];
  });
}

static PyObject *subscript(PyObject *self, PyObject *index) {
  return guarded([&] {
    if (needs_dispatch(self)) [[unlikely]]
      return dispatch_method("__getitem__", {self, index});
    return get_item(self, index);
  });
}

static int assign_subscript(PyObject *self, PyObject *index, PyObject *value) {
  return guarded_int([&] {
    if (!value) raise(PyExc_TypeError, "Tensor does not support deleting items");
    if (is_overloaded(value) || needs_dispatch(self)) [[unlikely]] {
      const Ref done(dispatch_method("__setitem__", {self, index, value}));
      return 0;
    }
    set_item(self, index, value);
    return 0;
  });
}

// What makes a tensor a sequence; Python itself goes through `subscript`.
static PyObject *item(PyObject *self, Py_ssize_t i) {
  Ref index(PyLong_FromSsize_t(i));
  return index ? subscript(self, index.get()) : nullptr;
}

static PyObject *iterate(PyObject *self) {
  return guarded([&] {
    const Tensor &t = tensor_of(self);
    if (t.dim() == 0) raise(PyExc_TypeError, "iteration over a 0-d tensor");
    if (needs_dispatch(self)) [[unlikely]] {
      const Ref rows(dispatch_method("unbind", {self}));
      return PyObject_GetIter(rows.get());
    }
    const Ref rows(wrap(thpp::unbind(t, 0)));
    return PyObject_GetIter(rows.get());
  });
}

static int contains(PyObject *self, PyObject *element) {
  return guarded_int([&]() -> int {
    if (is_overloaded(element) || needs_dispatch(self)) [[unlikely]] {
      const Ref answer(dispatch_method("__contains__", {self, element}));
      return PyObject_IsTrue(answer.get());
    }
    Tensor value;
    if (is_tensor(element))
      value = tensor_of(element);
    else if (is_number(element))
      value = thpp::wrapped_number(number_of(element));
    else
      raise(PyExc_RuntimeError, "Tensor.__contains__ only supports Tensor or scalar, but you passed in a %R.",
            Py_TYPE(element));
    const Tensor all = tensor_of(self);  // another thread may give the object another tensor
    ReleaseGil free(std::max(work(value), work(all)));
    return thpp::any(thpp::eq(value, all)).item().to_int() != 0;
  });
}

#define SLOT(name, function) {Py_##name, reinterpret_cast<void *>(function)}
const PyType_Slot container_slots[] = {
    SLOT(mp_length, (overridable_count<"__len__", length>)),
    SLOT(mp_subscript, subscript),
    SLOT(mp_ass_subscript, assign_subscript),
    SLOT(sq_length, (overridable_count<"__len__", length>)),
    SLOT(sq_item, item),
    SLOT(sq_contains, contains),
    SLOT(tp_iter, iterate),
    {0, nullptr},
};

}  // namespace torch::python
