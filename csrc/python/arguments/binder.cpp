#include "binder.h"

#include <cstring>
#include <string_view>
#include <vector>

#include <THPP/Functions.h>
#include <THPP/Meta.h>

#include "autograd.h"
#include "errors.h"
#include "functions.h"
#include "numpy_bridge.h"
#include "overrides.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

bool is_int(PyObject *object) {
  if (PyLong_Check(object)) return !PyBool_Check(object);
  if (PyFloat_Check(object) || PyUnicode_Check(object)) return false;
  if (is_tensor(object)) {
    const thpp::Tensor &t = tensor_of(object);
    return t.numel() == 1 && TH_kind(t.dtype()) == TH_KIND_int;
  }
  return PyIndex_Check(object) && !is_numpy_array(object) && !is_numpy_bool(object);
}

bool is_size(PyObject *object) { return is_int(object) || is_numpy_integer(object); }

bool is_number(PyObject *object) {
  return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object) || is_numpy_scalar(object);
}

// Whether a tensor has been taken for what another signature may take as a tensor: an integer, or a number that has no
// value (on meta).
static bool tensor_as_number = false;  // under the interpreter's lock

static bool is_scalar(PyObject *object) {
  if (is_number(object)) return true;
  // A number has no gradient: a tensor that asks for one is no number.
  if (!is_tensor(object) || tensor_of(object).dim() || tensor_of(object).get()->flags & TH_RECORDED) return false;
  tensor_as_number |= tensor_of(object).device().kind == TH_Meta;
  return true;
}

// What an int's parameter takes: of tensors those without dimensions, unless it counts or is one of a list; of NumPy's
// values scalars, where it counts arrays without dimensions, too.
static bool is_single_int(const Param &param, PyObject *object) {
  if (is_tensor(object)) {
    const thpp::Tensor &t = tensor_of(object);
    const bool any_shape = (param.flags & (kCount | kSingle)) && !(param.flags & kNoCount);
    const bool taken = TH_kind(t.dtype()) == TH_KIND_int && (any_shape ? t.numel() == 1 : t.dim() == 0);
    tensor_as_number |= taken;
    return taken;
  }
  return param.flags & kCount ? is_size(object) : is_int(object);
}

// What a parameter of type float takes; a tensor has to say itself whether it is real. A signature that takes tensors comes
// first: x.bernoulli_(tensor) draws as many digits as that tensor has.
static bool is_real(PyObject *object) {
  if (!is_scalar(object) || PyComplex_Check(object) || is_numpy_complex(object)) return false;
  tensor_as_number |= is_tensor(object);
  return true;
}

static bool is_int_list(PyObject *object) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) return false;
  PyObject **items = PySequence_Fast_ITEMS(object);
  for (Py_ssize_t i = 0, n = PySequence_Fast_GET_SIZE(object); i < n; ++i)
    if (!is_size(items[i])) return false;
  return true;
}

static bool is_number_list(PyObject *object) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) return false;
  PyObject **items = PySequence_Fast_ITEMS(object);
  for (Py_ssize_t i = 0, n = PySequence_Fast_GET_SIZE(object); i < n; ++i)
    if (!is_scalar(items[i])) return false;
  return true;
}

bool accepts(const Param &param, PyObject *object) {
  switch (param.type) {
    case ArgType::Tensor: return is_tensor(object) || has_override(object);
    case ArgType::TensorOrNumber: return is_tensor(object) || is_number(object) || has_override(object);
    case ArgType::TensorList:
      return PyTuple_Check(object) || PyList_Check(object) || ((param.flags & kSingle) && is_tensor(object));
    case ArgType::Scalar: return is_scalar(object);
    case ArgType::Int: return is_single_int(param, object);
    case ArgType::Float: return is_real(object);
    case ArgType::Bool:
    case ArgType::RequiresGrad: return PyBool_Check(object);
    case ArgType::String: return PyUnicode_Check(object);
    case ArgType::IntList: return is_int_list(object) || ((param.flags & kSingle) && is_single_int(param, object));
    case ArgType::FloatList: return is_number_list(object);
    case ArgType::Dtype: return dtype_of(object).has_value();
    case ArgType::Device: return is_device_like(object);
    case ArgType::Layout: return is_layout(object);
    case ArgType::MemoryFormat: return Py_TYPE(object) == &MemoryFormatType;
    case ArgType::Generator: return is_generator(object);
    case ArgType::Object: return true;
  }
  return false;
}

// Names that NumPy's users write, and torch's names for them.
static std::string_view numpy_alias(std::string_view name) {
  if (name == "axis") return "dim";
  if (name == "keepdims") return "keepdim";
  if (name == "x" || name == "a" || name == "x1" || name == "self") return "input";
  if (name == "x2") return "other";
  return {};
}

int find_param(const Signature &signature, PyObject *keyword) {
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize(keyword, &length);  // cached in the string
  if (!text) throw PythonError();
  const auto find = [&](std::string_view name) {
    for (int i = 0; i < signature.count; ++i)
      if (name == signature.params[i].name) return i;
    return -1;
  };
  const std::string_view name(text, size_t(length));
  const int found = find(name);
  if (found >= 0) return found;
  const std::string_view other = numpy_alias(name);
  return other.empty() ? -1 : find(other);
}

// An element of a list that is given one by one.
static bool is_element(ArgType list, PyObject *object) {
  return list == ArgType::IntList ? is_size(object) : is_tensor(object) || has_override(object);
}

// Whether what has been bound to a parameter that tensors go into may overload operators by __torch_function__.
[[gnu::noinline]] static bool other_may_be_overloaded(PyObject *object) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) return has_override(object);
  PyObject **items = PySequence_Fast_ITEMS(object);
  for (Py_ssize_t i = 0, n = PySequence_Fast_GET_SIZE(object); i < n; ++i)
    if (is_overloaded(items[i])) return true;
  return false;
}
[[gnu::always_inline]] static inline bool may_be_overloaded(const Param &param, PyObject *object) {
  return param.type <= ArgType::TensorList && !is_exact_tensor(object) && other_may_be_overloaded(object);
}

static bool is_sparse(PyObject *object) {
  return object && is_tensor(object) && tensor_of(object).layout() != TH_STRIDED;
}

bool Binder::bind(const Operator &op, const Signature &signature, const Given &given, Args &out) {
  const Param *const params = signature.params;
  uint32_t bound = 0;  // bit i: parameter i has been given, maybe as None
  int next = 0;
  if (given.self) {
    out.slot_[0] = given.self;
    out.overloaded_ = is_overloaded(given.self);
    bound = 1;
    next = 1;
  }
  for (Py_ssize_t i = 0; i < given.nargs; ++i, ++next) {
    if (next >= signature.count || (params[next].flags & kKwargOnly)) return false;
    PyObject *const object = given.args[i];
    const Param &param = params[next];
    bound |= 1u << next;
    if ((param.flags & kVarargs) && is_element(param.type, object)) {
      for (Py_ssize_t j = i; j < given.nargs; ++j) {
        if (!is_element(param.type, given.args[j])) return false;
        out.overloaded_ |= may_be_overloaded(param, given.args[j]);
      }
      out.slot_[next] = object;
      out.varargs_at_ = int8_t(next);
      out.varargs_ = given.args + i;
      out.nvarargs_ = given.nargs - i;
      break;
    }
    if (object == Py_None && allows_none(param)) continue;
    if (!accepts(param, object)) return false;
    out.slot_[next] = object;
    out.overloaded_ |= may_be_overloaded(param, object);
  }
  for (Py_ssize_t i = 0; i < given.keywords(); ++i) {
    const int at = find_param(signature, given.keyword(i));
    if (at < 0 || (bound >> at & 1)) return false;
    bound |= 1u << at;
    PyObject *const object = given.keyword_value(i);
    if (object == Py_None && allows_none(params[at])) continue;
    if (!accepts(params[at], object)) return false;
    out.slot_[at] = object;
    out.overloaded_ |= may_be_overloaded(params[at], object);
  }
  for (int i = 0; i < signature.count; ++i)
    if (!(bound >> i & 1) && !(params[i].flags & kOptional)) return false;

  for (int i = 0; i < signature.count; ++i) {
    if (!out.slot_[i] && params[i].type == ArgType::Device && params[0].type != ArgType::Tensor)
      out.slot_[i] = default_device_unless_cpu();
    if (!out.slot_[i]) continue;
    if (params[i].type == ArgType::Device) device_of(out.slot_[i]);  // or it raises
    if (params[i].type == ArgType::Layout) {
      check_layout(op.name, out.slot_[i]);
      out.of_layout_ = out.slot_[i] != strided || is_sparse(out.slot_[0]);
    }
    if (params[i].type == ArgType::RequiresGrad) out.requires_grad_ = out.slot_[i] == Py_True;
  }
  return true;
}

// A tensor of another layout, or like one that is: of the function of this name in torch.sparse._factories.
static PyObject *made_of_layout(const Operator &op, const Given &given) {
  PyObject *const makers = kept([] { return PyImport_ImportModule("torch.sparse._factories"); });
  const Ref make = checked_ref(PyObject_GetAttrString(makers, op.name));
  std::vector<PyObject *> all;
  if (given.self) all.push_back(given.self);
  const size_t own = all.size();
  all.insert(all.end(), given.args, given.args + given.nargs + given.keywords());
  return checked(PyObject_Vectorcall(make.get(), all.data(), own + size_t(given.nargs), given.kwnames));
}

// torch.<name>, of torch.linalg its own name, or the method.
static PyObject *function_of(const Operator &op, PyObject *self) {
  if (self) return checked(PyObject_GetAttrString(reinterpret_cast<PyObject *>(TensorType), op.name));
  PyObject *const functions = kept(
      [] { return PyObject_GetAttrString(checked(PyImport_AddModule("torch._C")), "_VariableFunctions"); });
  return checked(PyObject_GetAttrString(functions, op.name));
}

PyObject *Binder::dispatch(const Operator &op, const Signature &signature, const Given &given, const Args &bound) {
  Overloaded overloaded;
  for (int i = 0; i < signature.count; ++i) {
    PyObject *const object = bound.slot_[i];
    if (!object || signature.params[i].type > ArgType::TensorList) continue;
    if (i == bound.varargs_at_)
      for (Py_ssize_t k = 0; k < bound.nvarargs_; ++k) overloaded.add(bound.varargs_[k]);
    else if (PyTuple_Check(object) || PyList_Check(object))
      overloaded.add_all(object);
    else
      overloaded.add(object);
  }
  const Ref function(function_of(op, given.self));
  return dispatch_function(function.get(), overloaded, given.args, given.nargs, given.kwnames, given.self);
}

// A call that fits no signature, but has an object that overloads where a number, a size or the like is expected, such as
// torch.zeros(n) of torch.fx's proxies: that object answers. Null where there is none.
static PyObject *dispatch_unmatched(const Operator &op, const Given &given) {
  Overloaded overloaded;
  const auto add = [&](PyObject *object) {
    if (!is_tensor(object)) overloaded.add(object);
  };
  const Py_ssize_t count = given.nargs + given.keywords();
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *const argument = given.args[i];
    if (!PyTuple_Check(argument) && !PyList_Check(argument)) {
      add(argument);
      continue;
    }
    PyObject **items = PySequence_Fast_ITEMS(argument);
    for (Py_ssize_t k = 0, n = PySequence_Fast_GET_SIZE(argument); k < n; ++k) add(items[k]);
  }
  if (overloaded.empty()) return nullptr;
  const Ref function(function_of(op, given.self));
  return dispatch_function(function.get(), overloaded, given.args, given.nargs, given.kwnames, given.self);
}

// Warns of something that programs do over and over: the first time only, unless torch.set_warn_always asks for more.
template <class Text>
static void warn_once(const Text &text) {
  static bool warned = false;  // under the interpreter's lock
  if (warned && !warn_always) return;
  warned = true;
  if (PyErr_WarnEx(PyExc_UserWarning, text().c_str(), 1) < 0) throw PythonError();
}

// Whether a signature after this one takes the arguments, and tensors as tensors.
static bool later_signature_matches(const Operator &op, int i, const Given &given) {
  for (++i; i < op.count; ++i) {
    Args bound;
    tensor_as_number = false;
    if (Binder::bind(op, op.signatures[i], given, bound) && !tensor_as_number) return true;
  }
  return false;
}

// Where requires_grad=True stands beside out=, what is given must be able to: judged before anything is written.
static void check_leaf_out(const Signature &signature, const Args &bound) {
  for (int i = 0; i < signature.count; ++i)
    if (bound.has(i) && !std::strcmp(signature.params[i].name, "out")) check_leaf(tensor_of(bound.object(i)));
}

// A new tensor whose maker has said requires_grad=True.
static PyObject *leaf(Ref made) {
  make_leaf(tensor_of(made.get()));
  return made.release();
}

// torch.linspace(x, …) and logspace take the numbers of recorded tensors, too, and record nothing: the arguments with such
// tensors detached. Empty where there is nothing to detach, or the operator is another one.
static std::vector<Ref> with_numbers_detached(const Operator &op, const Given &given) {
  if (std::strcmp(op.name, "linspace") && std::strcmp(op.name, "logspace")) return {};
  std::vector<Ref> arguments;
  bool detached = false;
  const Py_ssize_t count = given.nargs + (given.kwnames ? PyTuple_GET_SIZE(given.kwnames) : 0);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *const argument = given.args[i];
    const bool number = is_tensor(argument) && tensor_of(argument).dim() == 0 &&
                        (thpp::guard_flags(tensor_of(argument)) & TH_RECORDED);
    arguments.push_back(number ? Ref(wrap(thpp::detach(tensor_of(argument)))) : Ref::borrow(argument));
    detached |= number;
  }
  return detached ? std::move(arguments) : std::vector<Ref>();
}

PyObject *call(const Operator &op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames) noexcept {
  return guarded([&]() -> PyObject * {
    const Given given{self, args, nargs, kwnames};
    for (int i = 0; i < op.count; ++i) {
      Args bound;
      tensor_as_number = false;
      if (!Binder::bind(op, op.signatures[i], given, bound)) continue;
      if (tensor_as_number && later_signature_matches(op, i, given)) [[unlikely]]
        continue;
      if (Binder::overloaded(bound) || has_mode()) [[unlikely]]
        return Binder::dispatch(op, op.signatures[i], given, bound);
      if (Binder::asks_for_layout(bound)) [[unlikely]]
        return made_of_layout(op, given);
      if (op.signatures[i].deprecated) [[unlikely]]
        warn_once([&] { return deprecation(op, op.signatures[i], given); });
      if (bound.requires_grad()) [[unlikely]]
        check_leaf_out(op.signatures[i], bound);
      const struct Forget {  // a note left by a call that raised belongs to nobody
        ~Forget() { thpp::take_warning(); }
      } forget;
      PyObject *result = op.signatures[i].call(bound);
      if (!result) return nullptr;
      if (bound.requires_grad()) [[unlikely]]
        result = leaf(Ref(result));
      if (const char *text = thpp::take_warning()) [[unlikely]] {
        if (PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0) {
          Py_DECREF(result);
          return nullptr;
        }
      }
      return result;
    }
    if (PyObject *const answer = dispatch_unmatched(op, given)) return answer;
    const std::vector<Ref> detached = with_numbers_detached(op, given);
    if (!detached.empty()) {
      std::vector<PyObject *> arguments;
      for (const Ref &argument : detached) arguments.push_back(argument.get());
      return call(op, self, arguments.data(), nargs, kwnames);
    }
    set_mismatch(op, given);
    return nullptr;
  });
}

}  // namespace torch::python
