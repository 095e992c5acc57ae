// x[…] and x[…] = value.
//
// An index is read from left to right. Ints, slices, None and `...` make a view; index tensors, lists and masks are
// gathered by the dimension that they belong to, and then chosen from the view. All of it is done by operators of THPP,
// so that whatever they do besides computing is done here too.
#include <algorithm>
#include <string>

#include <THPP/Functions.h>

#include "binder.h"
#include "construct.h"
#include "errors.h"
#include <torch_python/gil.h>
#include "indexing.h"
#include "number.h"
#include "numpy_bridge.h"
#include "overrides.h"
#include "tensor_object.h"

namespace torch::python {

using thpp::Tensor;

// ---- views ----------------------------------------------------------------------------------------
static Tensor selected(const Tensor &t, int d, int64_t index, int place) {
  const int64_t size = t.sizes()[size_t(d)];
  if (index < -size || index >= size)
    raise(PyExc_IndexError, "index %lld is out of bounds for dimension %d with size %lld", (long long)index, place,
          (long long)size);
  return thpp::select(t, d, index);
}

// `t` itself where the slice takes all of the dimension, unless a view is wanted all the same.
static Tensor sliced(const Tensor &t, int d, PyObject *slice, bool always_view = false) {
  Py_ssize_t first, last, step;
  checked(PySlice_Unpack(slice, &first, &last, &step));
  if (step < 0) raise(PyExc_ValueError, "step must be greater than zero");
  const int64_t size = t.sizes()[size_t(d)];
  PySlice_AdjustIndices(size, &first, &last, step);
  if (!always_view && first == 0 && last == size && step == 1) return t;
  return thpp::slice(t, d, first, last, step);
}

// ---- reading an index ---------------------------------------------------------------------------
static bool is_mask(const Tensor &t) { return t.dtype() == TH_Bool || t.dtype() == TH_Byte; }

// An index that holds one True or none: what a bool alone, or a 0-dim mask, stands for.
static Tensor zero_or_none(bool value) { return thpp::zeros({int64_t(value)}, TH_Long); }

// A list, range or array as an index: bool and uint8 stay masks, everything else becomes int64.
static Tensor index_from_sequence(PyObject *object) {
  const Tensor t = tensor_from_data(object, std::nullopt);
  return is_mask(t) ? t : converted(t, TH_Long);
}

// One part of an index: a tensor if it is one or can become one, else the object.
struct Part {
  PyObject *object;
  Tensor tensor;
};

static Part read_part(PyObject *object) {
  if (is_tensor(object)) return {object, tensor_of(object)};
  if (object == Py_None || object == Py_Ellipsis || PyBool_Check(object) || PyLong_Check(object) ||
      PySlice_Check(object))
    return {object, {}};
  if (is_numpy_array(object) || PySequence_Check(object)) return {object, index_from_sequence(object)};
  if (PyIndex_Check(object)) return {object, {}};
  raise(PyExc_IndexError,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got %s)",
        type_name(object));
}

static int dims_of(const Part &part) {
  if (part.tensor.defined()) return is_mask(part.tensor) ? part.tensor.dim() : 1;
  return part.object == Py_None || part.object == Py_Ellipsis || PyBool_Check(part.object) ? 0 : 1;
}

// Whether a part takes a dimension at least, whatever can be made of it: text is nothing that can be an index, but as a
// sequence it takes one.
static bool takes_dimension(PyObject *part) {
  return (PyLong_Check(part) && !PyBool_Check(part)) || PySlice_Check(part) || PyList_Check(part) ||
         PyTuple_Check(part) || PyUnicode_Check(part) || PyBytes_Check(part);
}

[[noreturn]] static void throw_too_many(const Tensor &self) {
  raise(PyExc_IndexError, "too many indices for tensor of dimension %d", self.dim());
}

static int64_t index_value(PyObject *object) {
  Ref number = checked_ref(PyNumber_Index(object));
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow) raise(PyExc_ValueError, "Overflow when unpacking long long");
  return value;
}

// An index for the dimensions from d on. Undefined ones stand for those that are taken whole.
void Indexed::gather(int d, Tensor index, int dims) {
  for (; covered_ < d; ++covered_) indices_.emplace_back();
  indices_.push_back(std::move(index));
  covered_ += dims;
}

int Indexed::apply_tensor(int d, const Tensor &index, int place) {
  if (index.dim() == 0 && is_mask(index)) {
    view_ = thpp::unsqueeze(view_, d);
    gather(d, zero_or_none(item_of(index).to_int() != 0), 1);
    return d + 1;
  }
  if (index.dim() == 0 && TH_kind(index.dtype()) < TH_KIND_float) {
    view_ = selected(view_, d, item_of(index).to_int(), place);
    return d;
  }
  const int dims = is_mask(index) ? index.dim() : 1;
  gather(d, index, dims);
  return d + dims;
}

// A list that holds anything but numbers counts as a tuple, as in early NumPy.
static bool means_tuple(PyObject *index) {
  if (PyTuple_Check(index)) return true;
  if (is_tensor(index) || is_numpy_array(index) || !PySequence_Check(index)) return false;
  const Py_ssize_t n = PySequence_Size(index);
  if (n < 0) PyErr_Clear();
  if (n < 0 || n >= 32) return false;
  for (Py_ssize_t i = 0; i < n; ++i) {
    Ref item(PySequence_GetItem(index, i));
    if (!item) {
      PyErr_Clear();
      return false;
    }
    if (is_tensor(item.get()) || PySequence_Check(item.get()) || PySlice_Check(item.get()) ||
        item.get() == Py_Ellipsis || item.get() == Py_None)
      return true;
  }
  return false;
}

Indexed::Indexed(const Tensor &self, PyObject *index) : view_(self) {
  const bool is_tuple = means_tuple(index);
  if (is_tuple && !PyTuple_Check(index))
    thpp::warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated: x[seq] is taken as x[tuple(seq)], since "
        "an element of seq is not an integer. Write the tuple");
  Ref tuple;
  if (is_tuple) tuple = checked_ref(PySequence_Tuple(index));
  const Py_ssize_t n = is_tuple ? PyTuple_GET_SIZE(tuple.get()) : 1;
  std::vector<Part> parts;
  parts.reserve(size_t(n));
  int specified = 0, least = !is_tuple && PyBytes_Check(index);  // text is always a tuple, of its letters
  if (is_tuple)
    for (Py_ssize_t i = 0; i < n; ++i) least += takes_dimension(PyTuple_GET_ITEM(tuple.get(), i));
  if (least > self.dim()) throw_too_many(self);
  for (Py_ssize_t i = 0; i < n; ++i) {
    parts.push_back(read_part(is_tuple ? PyTuple_GET_ITEM(tuple.get(), i) : index));
    specified += dims_of(parts.back());
  }
  if (!is_tuple && self.dim() == 0) {
    if (PySlice_Check(index)) raise(PyExc_IndexError, "slice() cannot be applied to a 0-dim tensor.");
    if (!parts[0].tensor.defined() && specified)
      raise(
          PyExc_IndexError,
          "invalid index of a 0-dim tensor: it has no dimension that an index could be of. tensor.item() is its number");
  }
  if (specified > self.dim()) throw_too_many(self);

  int d = 0, place = -1;
  for (const Part &part : parts) {
    ++place;
    if (part.object != Py_Ellipsis && d + dims_of(part) > view_.dim())  // a second `...` has led beyond the last one
      raise(PyExc_IndexError, "Dimension out of range (expected to be in range of [%d, %d], but got %d)", -view_.dim(),
            view_.dim() - 1, d);
    if (part.tensor.defined()) {
      d = apply_tensor(d, part.tensor, place);
    } else if (part.object == Py_Ellipsis) {
      d += self.dim() - specified;
    } else if (part.object == Py_None) {
      view_ = thpp::unsqueeze(view_, d++);
    } else if (PyBool_Check(part.object)) {
      view_ = thpp::unsqueeze(view_, d);
      gather(d++, zero_or_none(part.object == Py_True), 1);
    } else if (PySlice_Check(part.object)) {
      view_ = sliced(view_, d++, part.object);
    } else {
      view_ = selected(view_, d, index_value(part.object), place);
    }
  }
  whole_ = view_.is_same(self);
}

Tensor Indexed::read() const {
  if (indices_.empty()) return whole_ ? thpp::alias(view_) : view_;
  ReleaseGil free(view_);
  return thpp::index(view_, indices_);
}

// ---- writing -------------------------------------------------------------------------------------
static Tensor without_leading_ones(const Tensor &value) {
  int ones = 0;
  while (ones < value.dim() && value.sizes()[size_t(ones)] == 1) ++ones;
  return ones ? thpp::view(value, value.sizes().subspan(ones)) : value;
}

static bool on_host(const Tensor &t) { return t.device().kind == TH_CPU; }

static void copy_to(const Tensor &target, const Tensor &value) {
  if (target.dim() && value.dim() == 0 && value.dtype() == target.dtype() && on_host(value) && on_host(target)) {
    ReleaseGil free(target);
    thpp::fill_(target, value);
    return;
  }
  const Tensor trimmed = without_leading_ones(value);
  const bool fits = std::ranges::equal(trimmed.sizes(), target.sizes());
  const Tensor spread = fits ? trimmed : thpp::expand(trimmed, target.sizes());
  ReleaseGil free(target);
  thpp::copy_(target, spread);
}

void Indexed::write(const Tensor &value) const {
  if (indices_.empty()) return copy_to(view_, value);
  const Tensor trimmed = without_leading_ones(value);
  ReleaseGil free(view_);
  thpp::index_put_(view_, indices_, trimmed);
}

// A number as a tensor of this dtype.
static Tensor value_of(PyObject *number, THDtype dtype) {
  const bool is_int = PyLong_Check(number) && !PyBool_Check(number);
  return thpp::scalar_tensor(is_int ? thpp::Scalar(index_value(number)) : number_of(number), dtype);
}

// ---- entry points -------------------------------------------------------------------------------
static bool is_plain(PyObject *part) { return PyLong_CheckExact(part) || PySlice_Check(part); }

// The view, if the index is made of ints and slices only; else undefined. `t` itself if it takes everything; read by one
// slice that is a view, too.
static Tensor plain_view(const Tensor &t, PyObject *index, bool reads) {
  if (is_plain(index)) {
    if (t.dim() == 0) return {};
    return PySlice_Check(index) ? sliced(t, 0, index, reads) : selected(t, 0, index_value(index), 0);
  }
  if (!PyTuple_CheckExact(index)) return {};
  const Py_ssize_t n = PyTuple_GET_SIZE(index);
  if (n == 0 || n > t.dim()) return {};
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!is_plain(PyTuple_GET_ITEM(index, i))) return {};
  int d = 0;
  Tensor view = t;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *const part = PyTuple_GET_ITEM(index, i);
    view = PySlice_Check(part) ? sliced(view, d++, part) : selected(view, d, index_value(part), int(i));
  }
  return view;
}

// Whether an index is, or holds, something with a __torch_function__.
static bool index_is_overloaded(PyObject *index) {
  if (!PyTuple_Check(index)) return is_overloaded(index);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i)
    if (is_overloaded(PyTuple_GET_ITEM(index, i))) return true;
  return false;
}

static void pass_on_warning() {
  if (const char *text = thpp::take_warning()) [[unlikely]]
    if (PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0) throw PythonError();
}

PyObject *get_item(PyObject *self, PyObject *index) {
  const Tensor &t = tensor_of(self);
  if (Tensor view = plain_view(t, index, true); view.defined())
    return wrap(view.is_same(t) ? thpp::alias(t) : std::move(view));
  if (index_is_overloaded(index)) return dispatch_method("__getitem__", {self, index});
  const struct Forget {  // a note left by what raised belongs to nobody
    ~Forget() { thpp::take_warning(); }
  } forget;
  const Tensor result = Indexed(t, index).read();
  pass_on_warning();
  return wrap(result);
}

void set_item(PyObject *self, PyObject *index, PyObject *object) {
  const Tensor &t = tensor_of(self);
  if (!is_tensor(object) && !is_number(object))
    raise(PyExc_TypeError, "can't assign a %s to a torch.%sTensor", type_name(object), TH_typeName(t.dtype()));
  // What is chosen of a sparse tensor is no view: what is written there would be lost.
  if (t.layout() != TH_STRIDED) raise(PyExc_TypeError, "Cannot assign to a sparse tensor");
  if (index_is_overloaded(index)) {
    const Ref done(dispatch_method("__setitem__", {self, index, object}));
    return;
  }
  const Tensor value = is_tensor(object) ? tensor_of(object) : value_of(object, t.dtype());
  if (index == Py_False) return;
  if (index == Py_True || index == Py_None)  // a bool alone chooses by no mask: the value may have another dtype
    copy_to(thpp::unsqueeze(t, 0), value);
  else if (const Tensor view = plain_view(t, index, false); view.defined())
    copy_to(view, value);
  else
    Indexed(t, index).write(value);
  pass_on_warning();
}

}  // namespace torch::python
