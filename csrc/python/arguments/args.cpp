// Reading bound arguments.
#include <torch_python/args.h>

#include "errors.h"
#include "number.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

static const thpp::Tensor kUndefined;

const thpp::Tensor &Args::tensor(int i) {
  PyObject *const object = slot_[i];
  if (!object) return kUndefined;
  if (is_tensor(object)) return tensor_of(object);
  if (nmade_ == std::size(made_)) raise(PyExc_SystemError, "too many numbers among tensor arguments");
  return made_[nmade_++] = thpp::wrapped_number(number_of(object));
}

std::vector<thpp::Tensor> Args::tensors(int i) const {
  std::vector<thpp::Tensor> list;
  PyObject *const object = slot_[i];
  if (!object) return list;
  PyObject *const *items;
  Py_ssize_t count;
  if (i == varargs_at_) {
    items = varargs_;
    count = nvarargs_;
  } else if (is_tensor(object)) {
    items = &object;
    count = 1;
  } else {
    items = PySequence_Fast_ITEMS(object);
    count = PySequence_Fast_GET_SIZE(object);
  }
  list.reserve(size_t(count));
  for (Py_ssize_t k = 0; k < count; ++k) {
    if (!is_tensor(items[k]))
      raise(PyExc_TypeError, "expected Tensor as element %zd in argument %d, but got %s", k, i, type_name(items[k]));
    list.push_back(tensor_of(items[k]));
  }
  return list;
}

thpp::Scalar Args::scalar(int i) const { return number_of(slot_[i]); }
int64_t Args::integer(int i) const { return int_of(slot_[i]); }
double Args::number(int i) const { return scalar(i).to_double(); }
bool Args::boolean(int i) const { return slot_[i] == Py_True; }

const char *Args::string(int i) const {
  const char *text = PyUnicode_AsUTF8(slot_[i]);
  if (!text) throw PythonError();
  return text;
}

Ints Args::integers(int i) const {
  PyObject *const object = slot_[i];
  if (!object) return Ints();
  if (i == varargs_at_) {
    Ints ints{size_t(nvarargs_)};
    for (Py_ssize_t k = 0; k < nvarargs_; ++k) ints[size_t(k)] = int_of(varargs_[k]);
    return ints;
  }
  return sizes(i, 1);
}

Ints Args::sizes(int i, size_t count) const {
  PyObject *const object = slot_[i];
  if (!object) return Ints();
  if (PyTuple_Check(object) || PyList_Check(object)) return ints_of(object);
  Ints ints{count};
  std::fill_n(ints.data(), count, int_of(object));
  return ints;
}

std::vector<double> Args::numbers(int i) const {
  std::vector<double> list;
  if (!slot_[i]) return list;
  for (Py_ssize_t k = 0, n = PySequence_Fast_GET_SIZE(slot_[i]); k < n; ++k)
    list.push_back(number_of(element(slot_[i], k).get()).to_double());
  return list;
}

THDtype Args::dtype(int i) const { return *dtype_of(slot_[i]); }

MemoryFormat Args::memory_format(int i) const { return memory_format_of(slot_[i]); }

THDevice Args::device(int i) const { return device_of(slot_[i]); }

THGenerator *Args::generator(int i) const {
  return slot_[i] ? reinterpret_cast<GeneratorObject *>(slot_[i])->generator : nullptr;
}

}  // namespace torch::python
