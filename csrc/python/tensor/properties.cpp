// The attributes of tensors.
#include <algorithm>
#include <string>
#include <utility>

#include <THPP/Functions.h>
#include <THPP/Inference.h>

#include <autograd/meta.h>

#include "errors.h"
#include "overrides.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

static PyObject *shape(PyObject *self, void *) {
  return guarded([&] { return new_size(tensor_of(self).sizes()); });
}
static PyObject *dtype(PyObject *self, void *) { return Py_NewRef(dtype_object(tensor_of(self).dtype())); }
static PyObject *device(PyObject *self, void *) {
  return guarded([&] { return device_object(tensor_of(self).device()); });
}
template <THDeviceKind kind>
static PyObject *is_on(PyObject *self, void *) {
  return PyBool_FromLong(tensor_of(self).device().kind == kind);
}
static PyObject *layout(PyObject *self, void *) { return layout_object(tensor_of(self).layout()); }
template <THLayout of>
static PyObject *has_layout(PyObject *self, void *) {
  return PyBool_FromLong(tensor_of(self).layout() == of);
}
static PyObject *ndim(PyObject *self, void *) { return PyLong_FromLong(tensor_of(self).dim()); }
static PyObject *itemsize(PyObject *self, void *) { return PyLong_FromSize_t(TH_elementSize(tensor_of(self).dtype())); }
static PyObject *nbytes(PyObject *self, void *) {
  const Tensor &t = tensor_of(self);
  if (t.layout() != TH_STRIDED)
    return guarded([&]() -> PyObject * {
      raise(PyExc_RuntimeError, "nbytes is not defined for sparse tensors: add up those of its indices and values");
    });
  return PyLong_FromLongLong(t.numel() * int64_t(TH_elementSize(t.dtype())));
}
static PyObject *version(PyObject *self, void *) {
  return guarded([&] {
    if (thpp::is_inference(tensor_of(self)))
      raise(PyExc_RuntimeError, "Inference tensors do not track version counter.");
    return PyLong_FromUnsignedLong(tensor_of(self).version());
  });
}
static PyObject *no(PyObject *, void *) { Py_RETURN_FALSE; }

static void warn_once(bool &warned, const char *text) {
  if (!std::exchange(warned, true) && PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0) throw PythonError();
}
static void warn_scalar(const char *name) {
  static bool warned;
  const std::string text = std::string("Tensor.") + name +
                           " is deprecated on 0-D tensors. This function is the identity in these cases.";
  warn_once(warned, text.c_str());
}

static PyObject *reversed_dims(PyObject *self, void *) {
  return guarded([&] {
    const Tensor &t = tensor_of(self);
    static bool warned;
    if (t.dim() == 0)
      warn_scalar("T");
    else if (t.dim() != 2)
      warn_once(
          warned,
          "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated: `x.mT` transposes "
          "each matrix, and `x.permute(*range(x.ndim - 1, -1, -1))` reverses all dimensions.");
    int64_t order[TH_MAX_DIM];
    for (int i = 0; i < t.dim(); ++i) order[i] = t.dim() - 1 - i;
    return wrap(thpp::permute(t, {order, size_t(t.dim())}));
  });
}

static PyObject *matrix_transpose(PyObject *self, void *name) {
  return guarded([&] {
    const Tensor &t = tensor_of(self);
    if (t.dim() == 0) {
      warn_scalar(static_cast<const char *>(name));
      return Py_NewRef(self);
    }
    if (t.dim() < 2)
      raise(PyExc_RuntimeError, "tensor.%s is only supported on matrices or batches of matrices. Got %d-D tensor.",
            static_cast<const char *>(name), t.dim());
    return wrap(thpp::transpose(t, -2, -1));
  });
}
static PyObject *conjugate_transpose(PyObject *self, void *) {
  return guarded([&] {
    const Tensor &t = tensor_of(self);
    if (t.dim() != 0 && t.dim() != 2)
      raise(PyExc_RuntimeError, "tensor.H is only supported on matrices (2-D tensors). Got %d-D tensor.", t.dim());
    const Tensor result = thpp::conj(t.dim() ? thpp::transpose(t, 0, 1) : t);
    return wrap(result);
  });
}
static PyObject *adjoint(PyObject *self, void *) {
  Ref transposed(matrix_transpose(self, const_cast<char *>("mH")));
  if (!transposed) return nullptr;
  return guarded([&] {
    const Tensor &t = tensor_of(transposed.get());
    return TH_kind(t.dtype()) == TH_KIND_complex ? wrap(thpp::conj(t)) : transposed.release();
  });
}
static PyObject *real(PyObject *self, void *) {
  if (TH_kind(tensor_of(self).dtype()) != TH_KIND_complex) return Py_NewRef(self);
  return guarded([&] { return wrap(thpp::real(tensor_of(self))); });
}
static PyObject *imag(PyObject *self, void *) {
  return guarded([&] { return wrap(thpp::imag(tensor_of(self))); });
}
template <PyObject *(*part)(PyObject *, void *)>
static int set_part(PyObject *self, PyObject *value, void *) {
  return guarded_int([&] {
    if (!value) raise(PyExc_RuntimeError, "the parts of a tensor cannot be deleted");
    const Ref view = checked_ref(part(self, nullptr));
    set_item(view.get(), Py_Ellipsis, value);
    return 0;
  });
}

Tensor data_of(const Tensor &self) {
  Tensor alias = thpp::detach(self);
  alias.get()->flags |= TH_DATA_VERSION;
  return alias;
}
static PyObject *get_data(PyObject *self, void *) {
  return guarded([&] { return wrap(data_of(tensor_of(self))); });
}
static int set_data(PyObject *self, PyObject *value, void *) {
  return guarded_int([&] {
    if (!value) raise(PyExc_RuntimeError, "Deleting tensor data is not allowed. Delete tensor instead!");
    if (!is_tensor(value)) raise(PyExc_TypeError, "Variable data has to be a tensor, but got %s", type_name(value));
    const Tensor &tensor = tensor_of(self), &data = tensor_of(value);
    if ((tensor.device().kind == TH_Meta) != (data.device().kind == TH_Meta))
      raise(
          PyExc_RuntimeError,
          "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type: one "
          "of them has no elements.");
    if (autograd::requires_grad(tensor) && TH_kind(data.dtype()) < TH_KIND_float)
      raise(PyExc_RuntimeError, "data set to a tensor that requires gradients must be floating point or complex dtype");
    // A leaf's accumulator knows the dtype, shape and device of its gradients: for others the next graph makes a new one.
    if (autograd::GradMeta *const meta = autograd::meta_of(tensor);
        meta && meta->accumulator &&
        (tensor.dtype() != data.dtype() || tensor.device().kind != data.device().kind ||
         tensor.device().index != data.device().index || !std::ranges::equal(tensor.sizes(), data.sizes())))
      meta->accumulator = nullptr;
    THTensor_setData(tensor.get(), data.get());
    return 0;
  });
}

#define READ(name, get) {name, overridable_get<name, get>, nullptr, nullptr, nullptr}
#define WRITE(name, get, set) {name, overridable_get<name, get>, overridable_set<name, set>, nullptr, nullptr}
PyGetSetDef tensor_properties[] = {
    READ("shape", shape),
    READ("dtype", dtype),
    READ("device", device),
    READ("layout", layout),
    READ("ndim", ndim),
    READ("itemsize", itemsize),
    READ("nbytes", nbytes),
    READ("T", reversed_dims),
    {"mT", overridable_get<"mT", matrix_transpose>, nullptr, nullptr, const_cast<char *>("mT")},
    READ("H", conjugate_transpose),
    READ("mH", adjoint),
    WRITE("real", real, set_part<real>),
    WRITE("imag", imag, set_part<imag>),
    WRITE("data", get_data, set_data),
    READ("_version", version),
    READ("is_cpu", is_on<TH_CPU>),
    READ("is_cuda", is_on<TH_CUDA>),
    READ("is_meta", is_on<TH_Meta>),
    READ("is_sparse", has_layout<TH_SPARSE_COO>),
    READ("is_quantized", no),
    READ("is_ipu", no),
    READ("is_maia", no),
    READ("is_mkldnn", no),
    READ("is_mps", no),
    READ("is_mtia", no),
    READ("is_nested", no),
    READ("is_sparse_csr", has_layout<TH_SPARSE_CSR>),
    READ("is_vulkan", no),
    READ("is_xla", no),
    READ("is_xpu", no),
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace torch::python
