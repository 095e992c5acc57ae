// __torch_function__: types derived from torch.Tensor, types that act like tensors, and modes may take over an
// operator that is called with them. What a plain tensor pays for it is a comparison of its type and a load.
#pragma once

#include <atomic>
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "errors.h"
#include "tensor_object.h"

namespace torch::python {

// How many torch.overrides.TorchFunctionMode are entered, by all threads.
extern std::atomic<int> entered_modes;
bool mode_overloads();  // whether this thread has one that counts
inline bool has_mode() { return entered_modes.load(std::memory_order_relaxed) != 0 && mode_overloads(); }

// Whether an object that is no torch.Tensor itself overloads operators.
bool has_override(PyObject *object);
inline bool is_overloaded(PyObject *object) { return !is_exact_tensor(object) && has_override(object); }
inline bool needs_dispatch(PyObject *self) { return is_overloaded(self) || has_mode(); }

// The objects that overload operators, one of each type: derived types before their bases, else from left to right.
class Overloaded {
 public:
  void add(PyObject *object);  // if it overloads operators
  void add_all(PyObject *sequence);  // the elements of a list or tuple
  bool empty() const { return objects_.empty(); }
  PyObject *dispatch(PyObject *function, PyObject *args, PyObject *kwargs) const;  // throws

 private:
  std::vector<PyObject *> objects_;  // borrowed
};

// What they make of torch.Tensor.<method>(self, …), of a property, of torch.<name>(…). All throw.
PyObject *dispatch_method(const char *method, std::initializer_list<PyObject *> args);
PyObject *dispatch_property(const char *name, const char *access, std::initializer_list<PyObject *> args);
PyObject *dispatch_function(PyObject *function, const Overloaded &overloaded, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames, PyObject *self);

extern PyMethodDef override_functions[];  // of torch._C
void add_override_types(PyObject *module);

// ---- methods and properties that look at nothing but self ---------------------------------------
template <size_t n>
struct Name {
  char text[n];
  constexpr Name(const char (&literal)[n]) { std::copy_n(literal, n, text); }
};

template <Name name, PyObject *(*plain)(PyObject *, PyObject *)>
PyObject *overridable(PyObject *self, PyObject *unused) {
  if (needs_dispatch(self)) [[unlikely]]
    return guarded([&] { return dispatch_method(name.text, {self}); });
  return plain(self, unused);
}
template <Name name, PyObject *(*plain)(PyObject *)>
PyObject *overridable_slot(PyObject *self) {
  if (needs_dispatch(self)) [[unlikely]]
    return guarded([&] { return dispatch_method(name.text, {self}); });
  return plain(self);
}
// A slot that answers with a number: len() and bool().
template <Name name, auto plain>
auto overridable_count(PyObject *self) -> decltype(plain(self)) {
  if (!needs_dispatch(self)) [[likely]]
    return plain(self);
  const Ref answer(guarded([&] { return dispatch_method(name.text, {self}); }));
  if (!answer) return -1;
  return decltype(plain(self))(PyBool_Check(answer.get()) ? answer.get() == Py_True
                                                          : PyNumber_AsSsize_t(answer.get(), PyExc_OverflowError));
}
template <Name name, PyObject *(*plain)(PyObject *, void *)>
PyObject *overridable_get(PyObject *self, void *context) {
  if (needs_dispatch(self)) [[unlikely]]
    return guarded([&] { return dispatch_property(name.text, "__get__", {self}); });
  return plain(self, context);
}
template <Name name, int (*plain)(PyObject *, PyObject *, void *)>
int overridable_set(PyObject *self, PyObject *value, void *context) {
  if (needs_dispatch(self)) [[unlikely]]
    return guarded_int([&] {
      const Ref result(value ? dispatch_property(name.text, "__set__", {self, value})
                             : dispatch_property(name.text, "__delete__", {self}));
      return 0;
    });
  return plain(self, value, context);
}

}  // namespace torch::python
