// What is wrong with a call that fits no signature, in torch's words.
#include <cstring>
#include <string>

#include "binder.h"
#include "errors.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

// Those of torch.nn.functional go by the names that they have there.
static const char *shown(const Operator &op) { return op.name + (std::strncmp(op.name, "nn_", 3) ? 0 : 3); }

static const char *type_text(ArgType type) {
  switch (type) {
    case ArgType::Tensor:
    case ArgType::TensorOrNumber: return "Tensor";
    case ArgType::TensorList: return "tuple of Tensors";
    case ArgType::Scalar: return "Number";
    case ArgType::Int: return "int";
    case ArgType::Float: return "float";
    case ArgType::Bool:
    case ArgType::RequiresGrad: return "bool";
    case ArgType::String: return "str";
    case ArgType::IntList: return "tuple of ints";
    case ArgType::FloatList: return "tuple of floats";
    case ArgType::Dtype: return "torch.dtype";
    case ArgType::Device: return "torch.device";
    case ArgType::Layout: return "torch.layout";
    case ArgType::MemoryFormat: return "torch.memory_format";
    case ArgType::Generator: return "torch.Generator";
    case ArgType::Object: return "object";
  }
  return "object";
}

const char *type_name(PyObject *object) { return Py_TYPE(object)->tp_name; }

// The first thing that keeps a call from fitting a signature.
struct Problem {
  enum Kind { None, TooMany, Missing, WrongType, WrongElement, Unknown, Twice } kind = None;
  int param = 0;
  PyObject *object = nullptr;  // the argument, element or keyword in question
  Py_ssize_t position = -1;    // of the argument (nullptr: given by keyword), or of the element
};

// The first element of a list that does not belong there, as (element, position).
static Problem wrong_element(int at, ArgType list, PyObject *const *items, Py_ssize_t count, Py_ssize_t position) {
  for (Py_ssize_t i = 0; i < count; ++i)
    if (list == ArgType::IntList ? !is_size(items[i]) : !is_tensor(items[i])) {
      if (i == 0) break;
      return {Problem::WrongElement, at, items[i], i + 1};
    }
  return {Problem::WrongType, at, nullptr, position};
}

static Problem check_argument(const Param &param, int at, PyObject *object, Py_ssize_t position) {
  if ((object == Py_None && allows_none(param)) || accepts(param, object)) return {};
  Problem problem{Problem::WrongType, at, object, position};
  if (param.type == ArgType::IntList && (PyTuple_Check(object) || PyList_Check(object))) {
    problem = wrong_element(at, param.type, PySequence_Fast_ITEMS(object), PySequence_Fast_GET_SIZE(object), position);
    problem.object = problem.object ? problem.object : object;
  }
  return problem;
}

static Py_ssize_t most_positional(const Signature &signature) {
  int n = 0;
  while (n < signature.count && !(signature.params[n].flags & kKwargOnly)) ++n;
  return n;
}

static Problem find_problem(const Signature &signature, const Given &given) {
  const int first = given.self ? 1 : 0;
  const Py_ssize_t most = most_positional(signature) - first;
  const Param *const params = signature.params;
  // A list may stand open only if it is the first parameter that takes positional arguments.
  Py_ssize_t open = -1;
  for (Py_ssize_t i = 0; i < most && open < 0; ++i)
    if ((params[first + i].flags & kVarargs) && i < given.nargs && is_size(given.args[i])) open = i;
  if (given.nargs > most && open < 0) return {Problem::TooMany, 0, nullptr, -1};

  for (int at = first; at < signature.count; ++at) {
    const Py_ssize_t position = at - first;
    if (position == open) {
      const Problem problem = wrong_element(at, params[at].type, given.args + open, given.nargs - open, position);
      if (problem.kind == Problem::WrongElement) return problem;
      continue;
    }
    if (position < given.nargs && position < most && open < 0) {
      const Problem problem = check_argument(params[at], at, given.args[position], position);
      if (problem.kind) return problem;
      continue;
    }
    PyObject *value = nullptr;
    for (Py_ssize_t k = 0; k < given.keywords(); ++k)
      if (find_param(signature, given.keyword(k)) == at) value = given.keyword_value(k);
    if (!value) {
      if (params[at].flags & kOptional) continue;
      return {Problem::Missing, at, nullptr, -1};
    }
    const Problem problem = check_argument(params[at], at, value, -1);
    if (problem.kind) return problem;
  }
  for (Py_ssize_t k = 0; k < given.keywords(); ++k) {
    const int at = find_param(signature, given.keyword(k));
    for (Py_ssize_t earlier = 0; earlier < k; ++earlier)  // dim=0, axis=0
      if (at >= 0 && find_param(signature, given.keyword(earlier)) == at)
        return {Problem::Unknown, 0, given.keyword(k), -1};
    if (at < 0) return {Problem::Unknown, 0, given.keyword(k), -1};
    if (open < 0 ? at - first < given.nargs : at - first <= open) return {Problem::Twice, 0, given.keyword(k), -1};
  }
  return {};
}

static bool was_given(const Signature &signature, const Given &given, int at) {
  if (at - (given.self ? 1 : 0) < given.nargs) return true;
  for (Py_ssize_t k = 0; k < given.keywords(); ++k)
    if (find_param(signature, given.keyword(k)) == at) return true;
  return false;
}

static void report(const Operator &op, const Signature &signature, const Given &given, const Problem &problem) {
  const int first = given.self ? 1 : 0;
  const Param &param = signature.params[problem.param];
  switch (problem.kind) {
    case Problem::TooMany: {
      const Py_ssize_t most = most_positional(signature) - first;
      Py_ssize_t least = 0;
      while (least < most && !(signature.params[first + least].flags & kOptional)) ++least;
      if (least == most)
        PyErr_Format(PyExc_TypeError, "%s() takes %zd positional argument%s but %zd %s given", shown(op), most,
                     most == 1 ? "" : "s", given.nargs, given.nargs == 1 ? "was" : "were");
      else
        PyErr_Format(PyExc_TypeError, "%s() takes from %zd to %zd positional arguments but %zd were given", shown(op),
                     least, most, given.nargs);
      return;
    }
    case Problem::Missing: {
      std::string names;
      int count = 0;
      for (int i = problem.param; i < signature.count; ++i)
        if (!(signature.params[i].flags & kOptional) && !was_given(signature, given, i))
          names.append(count++ ? ", \"" : "\"").append(signature.params[i].name).append("\"");
      PyErr_Format(PyExc_TypeError, "%s() missing %d required positional arguments: %s", shown(op), count,
                   names.c_str());
      return;
    }
    case Problem::WrongType:
      if (problem.position >= 0 && param.type == ArgType::IntList &&
          (PyTuple_Check(problem.object) || PyList_Check(problem.object)) && PySequence_Fast_GET_SIZE(problem.object))
        PyErr_Format(PyExc_TypeError,
                     "%s(): argument '%s' (position %zd) must be %s, but found element of type %s at pos 0", shown(op),
                     param.name, problem.position + 1, type_text(param.type),
                     type_name(PySequence_Fast_ITEMS(problem.object)[0]));
      else if (problem.position < 0)
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must be %s, not %s", shown(op), param.name,
                     type_text(param.type), type_name(problem.object));
      else
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' (position %zd) must be %s, not %s", shown(op), param.name,
                     problem.position + 1, type_text(param.type), type_name(problem.object));
      return;
    case Problem::WrongElement:
      PyErr_Format(
          PyExc_TypeError,
          "%s(): argument '%s' failed to unpack the object at pos %zd with error \"type must be %s,but got %s\"",
          shown(op), param.name, problem.position, type_text(param.type), type_name(problem.object));
      return;
    case Problem::Unknown:
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", shown(op), problem.object);
      return;
    case Problem::None:  // a list that stands open behind other arguments, say
      PyErr_Format(PyExc_TypeError, "%s() received an invalid combination of arguments", shown(op));
      return;
    case Problem::Twice:
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", shown(op), problem.object);
  }
}

// "(Tensor input, Tensor other, *, Number alpha = 1)"
static std::string signature_text(const Signature &signature, int first) {
  std::string text = "(";
  bool keywords = false;
  for (int i = first; i < signature.count; ++i) {
    const Param &param = signature.params[i];
    if (i > first) text += ", ";
    if ((param.flags & kKwargOnly) && !keywords) {
      keywords = true;
      text += "*, ";
    }
    text.append(type_text(param.type)).append(" ").append(param.name);
    if (param.flags & kOptional) text.append(" = ").append(param.default_text ? param.default_text : "None");
  }
  return text + ")";
}

// The types of the arguments, those that differ from the signature's between exclamation marks.
static std::string types_text(const Given &given, const Signature *signature) {
  std::string text;
  const auto add = [&](const std::string &type, bool wrong) {
    if (!text.empty()) text += ", ";
    text += wrong ? "!" + type + "!" : type;
  };
  const int first = given.self ? 1 : 0;
  for (Py_ssize_t i = 0; i < given.nargs; ++i) {
    const std::string type = type_name(given.args[i]);
    add(type, signature && type != type_text(signature->params[first + i].type));
  }
  for (Py_ssize_t k = 0; k < given.keywords(); ++k)
    add(std::string(PyUnicode_AsUTF8(given.keyword(k))) + "=" + type_name(given.keyword_value(k)), false);
  return "(" + text + ")";
}

// Those that are worth mentioning.
static int current(const Operator &op) {
  int n = op.count;
  while (n && op.signatures[n - 1].deprecated) --n;
  return n;
}

std::string deprecation(const Operator &op, const Signature &used, const Given &given) {
  const int first = given.self ? 1 : 0;
  std::string text = std::string("This overload of ") + shown(op) + " is deprecated:\n\t" + shown(op) +
                     signature_text(used, first) + "\nConsider using one of the following signatures instead:";
  for (int i = 0; i < current(op); ++i)
    text += std::string("\n\t") + shown(op) + signature_text(op.signatures[i], first);
  return text;
}

// Whether a signature is the one before it, with out=: what a call lacks is said of one of the two.
static bool adds_out(const Signature &signature, const Signature &before) {
  if (signature.count != before.count + 1 || std::strcmp(signature.params[before.count].name, "out")) return false;
  for (int i = 0; i < before.count; ++i)
    if (std::strcmp(signature.params[i].name, before.params[i].name)) return false;
  return true;
}

void set_mismatch(const Operator &op, const Given &given) {
  const int first = given.self ? 1 : 0, overloads = current(op);
  const Py_ssize_t count = given.nargs + given.keywords();
  const Signature *plausible = nullptr;
  int nplausible = 0;
  for (int i = 0; i < overloads; ++i) {
    const Signature &signature = op.signatures[i];
    const Problem problem = find_problem(signature, given);
    if (problem.kind == Problem::WrongElement) return report(op, signature, given, problem);
    if (signature.count - first >= count) {
      nplausible += !plausible || !adds_out(signature, *plausible);
      plausible = &signature;
    }
  }
  if (overloads == 1) plausible = &op.signatures[0];
  if (overloads == 1 || nplausible == 1) return report(op, *plausible, given, find_problem(*plausible, given));

  std::string text = std::string(shown(op)) + "() received an invalid combination of arguments - got " +
                     types_text(given, nullptr) + ", but expected one of:\n";
  for (int i = 0; i < overloads; ++i) {
    const Signature &signature = op.signatures[i];
    text += " * " + signature_text(signature, first) + "\n";
    if (!given.keywords() && given.nargs == signature.count - first &&
        given.nargs == most_positional(signature) - first)
      text += "      didn't match because some of the arguments have invalid types: " + types_text(given, &signature) +
              "\n";
  }
  PyErr_SetString(PyExc_TypeError, text.c_str());
}

}  // namespace torch::python
