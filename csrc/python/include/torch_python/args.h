// Calling operators from Python. The generated tables (codegen target `python`) say which
// operators exist and what each signature takes; the code here reads them. A call costs no
// allocation: the arguments stay where the caller put them, sorted into one array of slots.
//
//     static const Param add_0[] = {{"input", ArgType::Tensor, 0, nullptr},
//                                   {"other", ArgType::TensorOrNumber, 0, nullptr},
//                                   {"alpha", ArgType::Scalar, kOptional | kKwargOnly, "1"}};
//     static PyObject *add_call(Args &args) {
//       const Tensor &self = args.tensor(0), &other = args.tensor(1);
//       const Scalar alpha = args.scalar(2, 1);
//       ReleaseGil free(self.numel());  // after the last use of args
//       ...
#pragma once

#include <Python.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include <THPP/Tensor.h>

#include <torch_python/export.h>
#include <torch_python/gil.h>

namespace torch::python {

enum class ArgType : uint8_t {
  // Those that tensors go into come first.
  Tensor,          // thpp::Tensor
  TensorOrNumber,  // the same; a Python number comes as a wrapped number
  TensorList,      // list or tuple of tensors
  Scalar,          // bool, int, float, complex; a 0-dim tensor is read
  Int,             // int, or anything with __index__; not bool
  Float,           // float or int
  Bool,
  String,
  IntList,         // sequence of ints; see kVarargs
  FloatList,       // tuple or list of numbers
  Dtype,           // torch.dtype, or one of Python's bool, int, float, complex
  Device,  // torch.device, str or int; refused where no tensor can live. What makes a tensor out of something
  // else than a tensor gets the default device for one that was left out, unless that is the CPU
  Layout,  // torch.layout; what torch.sparse._factories makes of another one than torch.strided does not get to the call
  MemoryFormat,  // torch.memory_format
  Generator,  // torch.Generator
  RequiresGrad,  // bool: whether the result becomes a leaf, which whoever called sees to
  Object,  // any Python object, as it is
};

enum ParamFlag : uint8_t {
  kOptional = 1,  // may be left out: the generated call knows the default
  kNullable = 2,  // None is allowed and counts as left out
  kKwargOnly = 4,
  kVarargs = 8,  // a list whose elements may stand there one by one: x.view(2, 3)
  kSingle = 16,  // a list for which one element will do: x.sum(1)
  kCount = 32,  // an int for which a tensor of one element will do, whatever its dimensions: x.topk(torch.tensor([2]))
  kNoCount = 64  // a list of kSingle that of tensors takes one without dimensions alone: x.any(torch.tensor(0))
};

struct Param {
  const char *name;
  ArgType type;
  uint8_t flags;
  const char *default_text;  // for messages and help; nullptr if required
};

class Args;
using Call = PyObject *(*)(Args &);  // new reference; errors as th::Exception or a Python error

struct Signature {
  const Param *params;  // `self` or `input` is the first
  uint8_t count;
  Call call;
  bool deprecated = false;  // an order of arguments that is taken with a warning; these come last
};

enum Variant : uint8_t { kFunction = 1, kMethod = 2 };

struct Operator {
  const char *name;  // "add", "add_"
  const Signature *signatures;  // tried in order; the first that fits is called
  uint8_t count;
  uint8_t variants;
};

constexpr int kMaxParams = 24;  // VolumetricFullDilatedConvolution_accGradParameters takes as many

using thpp::MemoryFormat;

// The ints of an IntList, kept in place if they are few. One that was left out has no data().
class Ints {
 public:
  Ints() = default;
  explicit Ints(size_t size) : size_(size), given_(true) {
    if (size > kInline) more_.reset(new int64_t[size]);
  }
  int64_t *data() { return more_ ? more_.get() : inline_; }
  const int64_t *data() const { return more_ ? more_.get() : inline_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t &operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  const int64_t *begin() const { return data(); }
  const int64_t *end() const { return data() + size_; }
  operator thpp::IntList() const { return {given_ ? data() : nullptr, size_}; }

 private:
  static constexpr size_t kInline = 8;
  size_t size_ = 0;
  bool given_ = false;
  int64_t inline_[kInline];
  std::unique_ptr<int64_t[]> more_;
};

// The arguments of one call that fitted a signature. Index i is that of the parameter. Reading
// needs the interpreter's lock; references stay valid as long as the Args.
class Args {
 public:
  Args() { std::fill_n(slot_, kMaxParams, nullptr); }
  Args(const Args &) = delete;

  bool requires_grad() const { return requires_grad_; }  // the result is to be a leaf
  bool has(int i) const { return slot_[i] != nullptr; }  // given, and not None
  PyObject *object(int i) const { return slot_[i]; }  // borrowed; nullptr if left out

  TORCH_PYTHON_API const thpp::Tensor &tensor(int i);  // undefined if left out
  TORCH_PYTHON_API std::vector<thpp::Tensor> tensors(int i) const;
  TORCH_PYTHON_API thpp::Scalar scalar(int i) const;
  TORCH_PYTHON_API int64_t integer(int i) const;
  TORCH_PYTHON_API double number(int i) const;
  TORCH_PYTHON_API bool boolean(int i) const;
  TORCH_PYTHON_API const char *string(int i) const;
  TORCH_PYTHON_API Ints integers(int i) const;  // empty if left out
  TORCH_PYTHON_API Ints sizes(int i, size_t count) const;  // the same, where one number stands for so many
  TORCH_PYTHON_API std::vector<double> numbers(int i) const;  // empty if left out
  TORCH_PYTHON_API THDtype dtype(int i) const;
  TORCH_PYTHON_API MemoryFormat memory_format(int i) const;
  TORCH_PYTHON_API THGenerator *generator(int i) const;  // nullptr if left out: that of the tensors' device
  TORCH_PYTHON_API THDevice device(int i) const;

  // With a default for parameters that were left out.
  const char *string(int i, const char *otherwise) const { return has(i) ? string(i) : otherwise; }
  thpp::Scalar scalar(int i, thpp::Scalar otherwise) const { return has(i) ? scalar(i) : otherwise; }
  int64_t integer(int i, int64_t otherwise) const { return has(i) ? integer(i) : otherwise; }
  double number(int i, double otherwise) const { return has(i) ? number(i) : otherwise; }
  bool boolean(int i, bool otherwise) const { return has(i) ? boolean(i) : otherwise; }
  THDtype dtype(int i, THDtype otherwise) const { return has(i) ? dtype(i) : otherwise; }
  MemoryFormat memory_format(int i, MemoryFormat otherwise) const { return has(i) ? memory_format(i) : otherwise; }
  Ints integers(int i, std::initializer_list<int64_t> otherwise) const { return has(i) ? integers(i) : of(otherwise); }
  Ints sizes(int i, size_t count, std::initializer_list<int64_t> otherwise) const {
    return has(i) ? sizes(i, count) : of(otherwise);
  }

 private:
  friend class Binder;
  static Ints of(std::initializer_list<int64_t> list) {
    Ints ints(list.size());
    std::copy(list.begin(), list.end(), ints.data());
    return ints;
  }

  PyObject *slot_[kMaxParams];
  thpp::Tensor made_[4];  // tensors made from Python numbers live here
  uint8_t nmade_ = 0;
  bool requires_grad_ = false;
  bool of_layout_ = false;  // a layout has been asked for that is not torch.strided, or not of the first tensor
  bool overloaded_ = false;  // one of the tensors has a __torch_function__
  // A list whose elements were given one by one, at parameter varargs_at_.
  int8_t varargs_at_ = -1;
  PyObject *const *varargs_ = nullptr;
  Py_ssize_t nvarargs_ = 0;
};

// Entry points: what the generated PyMethodDef rows point to.
TORCH_PYTHON_API PyObject *call(const Operator &op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames) noexcept;

template <const Operator &op>
PyObject *function(PyObject *, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
  return call(op, nullptr, args, nargs, kwnames);
}
template <const Operator &op>
PyObject *method(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
  return call(op, self, args, nargs, kwnames);
}

// Generated (python_operators.cpp): a table per family of declarations. Tables end with an all-zero row, these lists
// with nullptr. No name stands in two tables of a list.
extern PyMethodDef *const tensor_methods[];
extern PyMethodDef *const torch_functions[];
// "linalg_": functions of this prefix are torch.linalg's.
extern const char *const namespace_prefixes[];

// ---- results ------------------------------------------------------------------------------------
// The tensor's one Python object: a new one if it has none, as most results do.
TORCH_PYTHON_API PyObject *wrap(thpp::Tensor tensor);
TORCH_PYTHON_API PyObject *wrap(const std::vector<thpp::Tensor> &tensors);  // a tuple, as torch.split gives it
TORCH_PYTHON_API PyObject *wrap(bool value);
TORCH_PYTHON_API PyObject *wrap(int64_t value);
TORCH_PYTHON_API PyObject *wrap(double value);
TORCH_PYTHON_API PyObject *wrap(thpp::Scalar value);
TORCH_PYTHON_API PyObject *wrap(THDtype dtype);
// A named tuple torch.return_types.<op>: values and names belong together.
PyObject *wrap_named(const char *op, std::initializer_list<const char *> names,
                     std::initializer_list<thpp::Tensor> values);
// The object that already stands for this argument.
inline PyObject *same(PyObject *object) { return Py_NewRef(object); }
// What an out= was before the call, to warn of a resize if it had elements.
class ResizeWatch {
 public:
  explicit ResizeWatch(const thpp::Tensor &out) : had_(out.numel() != 0), ndim_(out.dim()) {
    for (int d = 0; d < ndim_; ++d) size_[d] = out.sizes()[size_t(d)];
  }
  void warn(const thpp::Tensor &out) const {
    const thpp::IntList before(size_, size_t(ndim_));
    if (had_ && !std::ranges::equal(before, out.sizes())) warn_of_resize(before, out.sizes());
  }

 private:
  static void warn_of_resize(thpp::IntList before, thpp::IntList after);
  bool had_;
  int ndim_;
  int64_t size_[TH_MAX_DIM];  // the first ndim_ are set
};
// The same for an out= that is a tuple of tensors.
PyObject *same_named(const char *op, std::initializer_list<const char *> names, PyObject *out);

}  // namespace torch::python
