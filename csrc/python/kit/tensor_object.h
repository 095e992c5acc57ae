// torch.Tensor as Python sees it in memory, and the tables its type is made of.
#pragma once

#include <Python.h>

#include <THPP/Tensor.h>

namespace torch::python {

struct TensorObject {
  PyObject_HEAD
  thpp::Tensor tensor;
  PyObject *dict;      // made by the first attribute that is set
  PyObject *weakrefs;
  bool owned;  // by `tensor`, which is no counted reference then: see tensor/life.cpp
};

extern PyTypeObject *TensorType;

inline bool is_exact_tensor(PyObject *object) { return Py_TYPE(object) == TensorType; }
inline bool is_tensor(PyObject *object) {
  return is_exact_tensor(object) || PyType_IsSubtype(Py_TYPE(object), TensorType);
}
inline thpp::Tensor &tensor_of(PyObject *object) { return reinterpret_cast<TensorObject *>(object)->tensor; }

PyObject *wrap(thpp::Tensor tensor);  // the tensor's object; a torch.Tensor if it has none
PyObject *wrap_subclass(PyTypeObject *type,
                        thpp::Tensor tensor);  // of a type derived from it; of an alias if it has one
// What a message calls an object's type: "Tensor", "int", "numpy.ndarray".
const char *type_name(PyObject *object);

void make_tensor_type(PyObject *module);  // tensor/type.cpp

// tensor/life.cpp
PyTypeObject *make_tensor_metatype();
void start_tensor_life();  // when the type is there
extern const PyType_Slot life_slots[];
extern const PyGetSetDef dict_property;
void track_tensor(PyObject *tensor);  // from now on the collector looks at it

// Parts of the type, each from its file in tensor/. Tables end with an all-zero row.
extern PyMethodDef native_methods[];  // methods.cpp
extern PyMethodDef number_methods[];  // number.cpp
extern PyMethodDef convert_methods[];  // convert.cpp
extern PyMethodDef callback_methods[];  // callbacks.cpp
extern PyGetSetDef tensor_properties[];  // properties.cpp
extern const PyType_Slot number_slots[];  // number.cpp
extern const PyType_Slot container_slots[];  // container.cpp

// ---- what several of these files use ------------------------------------------------------------
// The one element of a tensor. Waits for its device without the interpreter's lock.
thpp::Scalar item_of(const thpp::Tensor &tensor);
PyObject *item_object(const thpp::Tensor &tensor);
PyObject *scalar_object(THScalar value);
// In that dtype and format, on that device or its own: the tensor itself if nothing changes.
thpp::Tensor converted(const thpp::Tensor &tensor, THDtype dtype, std::optional<THDevice> device = {},
                       bool copy = false, thpp::MemoryFormat format = thpp::MemoryFormat::Preserve);
// x.data: an alias of x's elements. What is written through it does not count as a write to x.
thpp::Tensor data_of(const thpp::Tensor &self);

// ---- tensor/indexing.cpp -------------------------------------------------------------------------
PyObject *get_item(PyObject *self, PyObject *index);  // throws
void set_item(PyObject *self, PyObject *index, PyObject *value);  // throws

}  // namespace torch::python
