// x[…] and x[…] = value.
//
// An index is read from left to right. Ints, slices, None and `...` only change the geometry, which
// is kept in local arrays until the view is made, once. Index tensors, lists and masks are gathered
// by the dimension that they belong to; then the elements of the view are copied (THTensor_index).
#include <string>

#include <THPP/Functions.h>

#include "binder.h"
#include "construct.h"
#include "errors.h"
#include <torch_python/gil.h>
#include "indexing_view.h"
#include "number.h"
#include "numpy_bridge.h"
#include "overrides.h"
#include "tensor_object.h"

namespace torch::python {

using thpp::Tensor;

// ---- the geometry of a view ---------------------------------------------------------------------
View::View(const Tensor &t) : base_(t), ndim_(t.dim()), offset_(t.storage_offset()) {
  std::copy_n(t.sizes().data(), ndim_, size_);
  std::copy_n(t.strides().data(), ndim_, stride_);
}

View::View(const View &other) : base_(other.base_), ndim_(other.ndim_), offset_(other.offset_) {
  std::copy_n(other.size_, ndim_, size_);
  std::copy_n(other.stride_, ndim_, stride_);
}

Tensor View::tensor() const {
  return Tensor::steal(THTensor_newAsStrided(base_.get(), ndim_, size_, stride_, offset_));
}

std::string View::shape_text() const {
  char text[512];
  TH_sizeString(ndim_, size_, text, sizeof text);
  return text;
}

void View::select(int d, int64_t index, int place) {
  const int64_t i = index < 0 ? index + size_[d] : index;
  if (i < 0 || i >= size_[d])
    raise(PyExc_IndexError, "index %lld is out of bounds for dimension %d with size %lld", (long long)index, place,
          (long long)size_[d]);
  offset_ = TH_saturatedSum(offset_, TH_saturatedProduct(i, stride_[d]));
  --ndim_;
  std::copy(size_ + d + 1, size_ + ndim_ + 1, size_ + d);
  std::copy(stride_ + d + 1, stride_ + ndim_ + 1, stride_ + d);
}

void View::slice(int d, PyObject *slice) {
  Py_ssize_t first, last, step;
  checked(PySlice_Unpack(slice, &first, &last, &step));
  if (step < 0) raise(PyExc_ValueError, "step must be greater than zero");
  const Py_ssize_t length = PySlice_AdjustIndices(size_[d], &first, &last, step);
  offset_ = TH_saturatedSum(offset_, TH_saturatedProduct(first, stride_[d]));
  size_[d] = length;
  int64_t stride;
  if (!__builtin_mul_overflow(stride_[d], step, &stride)) stride_[d] = stride;  // else there is one element at most
}

void View::unsqueeze(int d) {
  if (ndim_ == TH_MAX_DIM) raise(PyExc_RuntimeError, "a tensor can have at most %d dimensions", TH_MAX_DIM);
  std::copy_backward(size_ + d, size_ + ndim_, size_ + ndim_ + 1);
  std::copy_backward(stride_ + d, stride_ + ndim_, stride_ + ndim_ + 1);
  stride_[d] = d < ndim_ ? TH_saturatedProduct(size_[d + 1], stride_[d + 1]) : 1;
  size_[d] = 1;
  ++ndim_;
}

// ---- reading an index ---------------------------------------------------------------------------
static bool is_mask(const Tensor &t) { return t.dtype() == TH_Bool || t.dtype() == TH_Byte; }

static Tensor as_bool(const Tensor &mask) {
  if (mask.dtype() == TH_Byte)
    thpp::warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
  return to_dtype(mask, TH_Bool);
}

// An index that holds one True or none: what a bool alone, or a 0-dim mask, stands for.
static Tensor zero_or_none(bool value) {
  const int64_t size = value;
  Tensor index = Tensor::steal(THTensor_newWithSize(TH_Long, 1, &size));
  THTensor_zero(index.get());
  return index;
}

// A list, range or array as an index: bool and uint8 stay masks, everything else becomes int64.
static Tensor index_from_sequence(PyObject *object) {
  const Tensor t = tensor_from_data(object, std::nullopt);
  return is_mask(t) ? t : to_dtype(t, TH_Long);
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

static int64_t index_value(PyObject *object) {
  Ref number = checked_ref(PyNumber_Index(object));
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow) raise(PyExc_ValueError, "Overflow when unpacking long long");
  return value;
}

void Indexed::gather(int d, Tensor index) {
  indices_.resize(size_t(d));
  indices_.push_back(std::move(index));
}

void Indexed::gather_mask(int d, const Tensor &mask) {
  for (int j = 0; j < mask.dim(); ++j)
    if (d + j >= view.ndim() || mask.sizes()[size_t(j)] != view.size(d + j)) {
      char shape[512];
      TH_sizeString(mask.dim(), mask.sizes().data(), shape, sizeof shape);
      raise(PyExc_IndexError,
            "The shape of the mask %s at index %d does not match the shape of the indexed tensor %s at index %d", shape,
            j, view.shape_text().c_str(), d + j);
    }
  only_mask_ = !gathered() && d == 0 ? mask : Tensor();
  Tensor where = Tensor::steal(THTensor_new(TH_Long));
  if (!only_mask_.defined()) THTensor_nonzero(where.get(), mask.get());
  for (int j = 0; j < mask.dim(); ++j)
    gather(d + j, only_mask_.defined() ? Tensor() : Tensor::steal(THTensor_newSelect(where.get(), 1, j)));
}

// A lone mask is kept as it is; when another index joins it, it is taken apart after all.
void Indexed::split_only_mask() {
  if (!only_mask_.defined()) return;
  const Tensor mask = std::exchange(only_mask_, Tensor());
  Tensor where = Tensor::steal(THTensor_new(TH_Long));
  THTensor_nonzero(where.get(), mask.get());
  for (int j = 0; j < mask.dim(); ++j) indices_[size_t(j)] = Tensor::steal(THTensor_newSelect(where.get(), 1, j));
}

int Indexed::apply_tensor(int d, const Tensor &index, int place) {
  if (!is_mask(index) && index.dtype() != TH_Long && index.dtype() != TH_Int && index.dim() > 0)
    raise(PyExc_IndexError, "tensors used as indices must be long, int, byte or bool tensors");
  if (index.dim() == 0 && TH_kind(index.dtype()) >= TH_KIND_float)
    raise(PyExc_IndexError, "tensors used as indices must be long, int, byte or bool tensors");
  if (index.dim() == 0 && !is_mask(index)) {
    view.select(d, index.item().to_int(), place);
    return d;
  }
  split_only_mask();
  if (is_mask(index)) {
    if (index.dim() == 0) {
      view.unsqueeze(d);
      gather(d, zero_or_none(index.item().to_int() != 0));
      return d + 1;
    }
    gather_mask(d, as_bool(index));
    return d + index.dim();
  }
  gather(d, index);
  return d + 1;
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

Indexed::Indexed(const Tensor &self, PyObject *index) : view(self) {
  const bool is_tuple = means_tuple(index);
  if (is_tuple && !PyTuple_Check(index))
    thpp::warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
        "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], "
        "which will result either in an error or a different result");
  Ref tuple;
  if (is_tuple) tuple = checked_ref(PySequence_Tuple(index));
  const Py_ssize_t n = is_tuple ? PyTuple_GET_SIZE(tuple.get()) : 1;
  std::vector<Part> parts;
  parts.reserve(size_t(n));
  int specified = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    parts.push_back(read_part(is_tuple ? PyTuple_GET_ITEM(tuple.get(), i) : index));
    specified += dims_of(parts.back());
  }
  if (!is_tuple && self.dim() == 0) {
    if (PySlice_Check(index)) raise(PyExc_IndexError, "slice() cannot be applied to a 0-dim tensor.");
    if (!parts[0].tensor.defined() && specified)
      raise(PyExc_IndexError,
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
            "convert "
            "a 0-dim tensor to a number");
  }
  if (specified > self.dim()) raise(PyExc_IndexError, "too many indices for tensor of dimension %d", self.dim());

  int d = 0, place = -1;
  for (const Part &part : parts) {
    ++place;
    if (part.object != Py_Ellipsis && d + dims_of(part) > view.ndim())  // a second `...` has led beyond the last one
      raise(PyExc_IndexError, "Dimension out of range (expected to be in range of [%d, %d], but got %d)", -view.ndim(),
            view.ndim() - 1, d);
    if (part.tensor.defined()) {
      d = apply_tensor(d, part.tensor, place);
    } else if (part.object == Py_Ellipsis) {
      d += self.dim() - specified;
    } else if (part.object == Py_None) {
      view.unsqueeze(d++);
    } else if (PyBool_Check(part.object)) {
      split_only_mask();
      view.unsqueeze(d);
      gather(d++, zero_or_none(part.object == Py_True));
    } else if (PySlice_Check(part.object)) {
      view.slice(d++, part.object);
    } else {
      view.select(d, index_value(part.object), place);
    }
  }
}

// The mask with trailing dimensions of size 1, so that it broadcasts to `t` from the left.
static Tensor lifted(const Tensor &mask, const Tensor &t) {
  Tensor result = mask;
  while (result.dim() < t.dim()) result = Tensor::steal(THTensor_newUnsqueeze1d(result.get(), result.dim()));
  return result;
}

std::vector<const THTensor *> Indexed::handles() const {
  std::vector<const THTensor *> raw;
  for (const Tensor &index : indices_) raw.push_back(index.get());
  return raw;
}

Tensor Indexed::read() {
  const Tensor source = view.tensor();
  if (!gathered()) return source;
  Tensor result = Tensor::steal(THTensor_new(source.dtype()));
  ReleaseGil free(source.numel());
  if (only_mask_.defined() && only_mask_.dim() == source.dim()) {
    THTensor_maskedSelect(result.get(), source.get(), only_mask_.get());
    return result;
  }
  split_only_mask();
  const auto raw = handles();
  THTensor_index(result.get(), source.get(), int(raw.size()), raw.data());
  return result;
}

// Leading dimensions of size 1 that the target does not have.
static Tensor without_leading_ones(const Tensor &value, int ndim) {
  int extra = 0;
  while (value.dim() - extra > ndim && value.sizes()[size_t(extra)] == 1) ++extra;
  if (!extra) return value;
  return Tensor::steal(THTensor_newWithStorage(value.dtype(), value.get()->storage, value.storage_offset(),
                                               value.dim() - extra, value.sizes().data() + extra,
                                               value.strides().data() + extra));
}

void Indexed::fill(THScalar value) {
  const Tensor target = view.tensor();
  if (!gathered()) {
    ReleaseGil free(target.numel());
    THTensor_fill(target.get(), value);
  } else if (only_mask_.defined()) {
    ReleaseGil free(target.numel());
    THTensor_maskedFill(target.get(), lifted(only_mask_, target).get(), value);
  } else {
    put(target, Tensor::steal(THTensor_newWithScalar(target.dtype(), value)));
  }
}

void Indexed::write(const Tensor &value) {
  const Tensor target = view.tensor();
  if (!gathered()) {
    const Tensor trimmed = without_leading_ones(value, target.dim());
    const Tensor spread = Tensor::steal(THTensor_newExpand(trimmed.get(), target.dim(), target.sizes().data()));
    ReleaseGil free(target.numel());
    thpp::copy_(target, spread);
    return;
  }
  if (only_mask_.defined() && value.numel() == 1) return fill(value.item());
  split_only_mask();
  put(target, value);
}

void Indexed::put(const Tensor &target, const Tensor &value) {
  if (value.dtype() != target.dtype())
    raise(PyExc_RuntimeError,
          "Index put requires the source and destination dtypes match, got %s for the destination and %s for the "
          "source.",
          TH_typeName(target.dtype()), TH_typeName(value.dtype()));
  const auto raw = handles();
  ReleaseGil free(target.numel());
  THTensor_indexPut(target.get(), int(raw.size()), raw.data(), value.get(), false);
}

// ---- entry points -------------------------------------------------------------------------------
static bool is_plain(PyObject *part) { return PyLong_CheckExact(part) || PySlice_Check(part); }

// Applies an index that is made of ints and slices only, without further ado. False: it is not.
static bool apply_plain(View &view, PyObject *index) {
  if (is_plain(index)) {
    if (view.ndim() == 0) return false;
    PySlice_Check(index) ? view.slice(0, index) : view.select(0, index_value(index), 0);
    return true;
  }
  if (!PyTuple_CheckExact(index) || PyTuple_GET_SIZE(index) > view.ndim()) return false;
  const Py_ssize_t n = PyTuple_GET_SIZE(index);
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!is_plain(PyTuple_GET_ITEM(index, i))) return false;
  int d = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *const part = PyTuple_GET_ITEM(index, i);
    PySlice_Check(part) ? view.slice(d++, part) : view.select(d, index_value(part), int(i));
  }
  return true;
}

// Whether an index is, or holds, something with a __torch_function__.
static bool index_wants_asking(PyObject *index) {
  if (!PyTuple_Check(index)) return wants_asking(index);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i)
    if (wants_asking(PyTuple_GET_ITEM(index, i))) return true;
  return false;
}

static void pass_on_warning() {
  if (const char *text = thpp::take_warning()) [[unlikely]]
    if (PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0) throw PythonError();
}

PyObject *get_item(PyObject *self, PyObject *index) {
  View view(tensor_of(self));
  if (apply_plain(view, index)) return wrap(view.tensor());
  if (index_wants_asking(index)) return ask_method("__getitem__", {self, index});
  const struct Forget {  // a note left by what raised belongs to nobody
    ~Forget() { thpp::take_warning(); }
  } forget;
  const Tensor result = Indexed(tensor_of(self), index).read();
  pass_on_warning();
  return wrap(result);
}

static void write(Indexed &target, PyObject *value) {
  if (is_tensor(value))
    target.write(tensor_of(value));
  else
    target.fill(number_of(value));
}

void set_item(PyObject *self, PyObject *index, PyObject *value) {
  const Tensor &t = tensor_of(self);
  if (!is_tensor(value) && !is_number(value))
    raise(PyExc_TypeError, "can't assign a %s to a torch.%sTensor", type_name(value), TH_typeName(t.dtype()));
  View view(t);
  const bool plain = apply_plain(view, index);
  if (!plain && index_wants_asking(index)) {
    const Ref done(ask_method("__setitem__", {self, index, value}));
    return;
  }
  Indexed target = plain ? Indexed(view) : Indexed(t, index);
  write(target, value);
  pass_on_warning();
}

}  // namespace torch::python
