// __torch_function__: types derived from torch.Tensor, types that act like tensors, and modes are asked before an
// operator runs on them. What a plain tensor pays for it is a comparison of its type and a load.
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
bool asks_mode();  // whether this thread has one that counts
inline bool has_mode() { return entered_modes.load(std::memory_order_relaxed) != 0 && asks_mode(); }

// Whether an object that is no torch.Tensor itself wants to be asked.
bool has_override(PyObject *object);
inline bool wants_asking(PyObject *object) { return !is_exact_tensor(object) && has_override(object); }
inline bool wants_asking_or_mode(PyObject *self) { return wants_asking(self) || has_mode(); }

// The objects that are asked, one of each type: derived types before their bases, else from left to right.
class Asked {
 public:
  void add(PyObject *object);  // if it wants asking
  void add_all(PyObject *sequence);  // the elements of a list or tuple
  PyObject *ask(PyObject *function, PyObject *args, PyObject *kwargs) const;  // throws

 private:
  std::vector<PyObject *> objects_;  // borrowed
};

// What they make of torch.Tensor.<method>(self, …), of a property, of torch.<name>(…). All throw.
PyObject *ask_method(const char *method, std::initializer_list<PyObject *> args);
PyObject *ask_property(const char *name, const char *access, std::initializer_list<PyObject *> args);
PyObject *ask_function(PyObject *function, const Asked &asked, PyObject *const *args, Py_ssize_t nargs,
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
PyObject *asking(PyObject *self, PyObject *unused) {
  if (wants_asking_or_mode(self)) [[unlikely]]
    return guarded([&] { return ask_method(name.text, {self}); });
  return plain(self, unused);
}
template <Name name, PyObject *(*plain)(PyObject *)>
PyObject *asking_slot(PyObject *self) {
  if (wants_asking_or_mode(self)) [[unlikely]]
    return guarded([&] { return ask_method(name.text, {self}); });
  return plain(self);
}
// A slot that answers with a number: len() and bool().
template <Name name, auto plain>
auto asking_count(PyObject *self) -> decltype(plain(self)) {
  if (!wants_asking_or_mode(self)) [[likely]]
    return plain(self);
  const Ref answer(guarded([&] { return ask_method(name.text, {self}); }));
  if (!answer) return -1;
  return decltype(plain(self))(PyBool_Check(answer.get()) ? answer.get() == Py_True
                                                          : PyNumber_AsSsize_t(answer.get(), PyExc_OverflowError));
}
template <Name name, PyObject *(*plain)(PyObject *, void *)>
PyObject *asking_get(PyObject *self, void *context) {
  if (wants_asking_or_mode(self)) [[unlikely]]
    return guarded([&] { return ask_property(name.text, "__get__", {self}); });
  return plain(self, context);
}
template <Name name, int (*plain)(PyObject *, PyObject *, void *)>
int asking_set(PyObject *self, PyObject *value, void *context) {
  if (wants_asking_or_mode(self)) [[unlikely]]
    return guarded_int([&] {
      const Ref result(value ? ask_property(name.text, "__set__", {self, value})
                             : ask_property(name.text, "__delete__", {self}));
      return 0;
    });
  return plain(self, value, context);
}

}  // namespace torch::python
