// Sorting the arguments of a call into the slots of a signature, and telling what is wrong with
// them if that fails.
#pragma once

#include <string>

#include <torch_python/args.h>

namespace torch::python {

// A call as Python makes it.
struct Given {
  PyObject *self;  // nullptr for functions
  PyObject *const *args;
  Py_ssize_t nargs;
  PyObject *kwnames;  // tuple or nullptr; their values follow the positional arguments

  Py_ssize_t keywords() const { return kwnames ? PyTuple_GET_SIZE(kwnames) : 0; }
  PyObject *keyword(Py_ssize_t i) const { return PyTuple_GET_ITEM(kwnames, i); }
  PyObject *keyword_value(Py_ssize_t i) const { return args[nargs + i]; }
};

class Binder {
 public:
  // Whether the call fits; if so, `out` holds it.
  static bool bind(const Operator &op, const Signature &signature, const Given &given, Args &out);
  // Whether a bound argument has a __torch_function__ to be overloaded, and what the answer is.
  static bool overloaded(const Args &bound) { return bound.overloaded_; }
  // Whether what is to be made has another layout than strided, or than what it is like.
  static bool asks_for_layout(const Args &bound) { return bound.of_layout_; }
  static PyObject *dispatch(const Operator &op, const Signature &signature, const Given &given, const Args &bound);
};

// ---- what both sides of binding need -----------------------------------------------------------
bool accepts(const Param &param, PyObject *object);
bool is_int(PyObject *object);     // an int or something that counts as one; not bool
bool is_size(PyObject *object);    // the same, or an integer array of no dimensions
bool is_number(PyObject *object);  // bool, int, float, NumPy's scalars
// The parameter that a keyword names (torch's name or NumPy's), or -1.
int find_param(const Signature &signature, PyObject *keyword);
inline bool allows_none(const Param &param) {
  return (param.flags & kNullable) || (param.default_text && param.default_text[0] == 'N');
}

// Sets the TypeError for a call that fits no signature of `op`.
void set_mismatch(const Operator &op, const Given &given);
// What to say of a call by a deprecated signature.
std::string deprecation(const Operator &op, const Signature &used, const Given &given);

}  // namespace torch::python
