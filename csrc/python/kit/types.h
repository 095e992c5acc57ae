// The small Python types around the tensor: torch.dtype, device, layout, memory_format, Size.
#pragma once

#include <Python.h>

#include <optional>

#include <THPP/Tensor.h>

namespace torch::python {

// ---- torch.dtype: one object for each row of TH_DTYPES ------------------------------------------
struct DtypeObject {
  PyObject_HEAD
  THDtype dtype;
};
extern PyTypeObject DtypeType;
inline bool is_dtype(PyObject *object) { return Py_TYPE(object) == &DtypeType; }
PyObject *dtype_object(THDtype dtype);  // borrowed
// The dtype that an object means: a torch.dtype, or Python's bool, int, float.
std::optional<THDtype> dtype_of(PyObject *object);
void add_dtypes(PyObject *module);

// ---- torch.device: a name, and an index or -1 ---------------------------------------------------
struct DeviceObject {
  PyObject_HEAD
  int8_t type;  // row of the table of names in values/device.cpp
  int16_t index;
};
extern PyTypeObject DeviceType;
inline bool is_device(PyObject *object) { return Py_TYPE(object) == &DeviceType; }
PyObject *device_object(THDevice device);  // new reference
// Whether an object names a device: a torch.device, str or int.
bool is_device_like(PyObject *object);
// The device that `object` names. Raises unless tensors can live there.
THDevice device_of(PyObject *object);
// How many devices CUDA has. Raises what its first use does.
int cuda_device_count();
// The device that tensors are made on if the call does not say; nullptr for the CPU. Borrowed.
PyObject *default_device_unless_cpu();

// ---- torch.strided, torch.contiguous_format, torch.channels_last … ------------------------------
extern PyTypeObject LayoutType, MemoryFormatType;
inline bool is_layout(PyObject *object) { return Py_TYPE(object) == &LayoutType; }
PyObject *layout_object(THLayout layout);
// Raises where the operator `maker` has no tensors of a layout that is not strided.
void check_layout(const char *maker, PyObject *object);
extern PyObject *strided;
thpp::MemoryFormat memory_format_of(PyObject *object);
PyObject *memory_format_object(thpp::MemoryFormat format);  // new reference
void add_layouts(PyObject *module);

// ---- torch.Size: a tuple of ints ----------------------------------------------------------------
extern PyTypeObject SizeType;
PyObject *new_size(thpp::IntList size);  // new reference

// ---- torch.Generator ----------------------------------------------------------------------------
struct GeneratorObject {
  PyObject_HEAD
  THGenerator *generator;
  bool owned;
};
extern PyTypeObject GeneratorType;
inline bool is_generator(PyObject *object) { return PyObject_TypeCheck(object, &GeneratorType); }
PyObject *default_generator();  // borrowed

// ---- torch.UntypedStorage -----------------------------------------------------------------------
extern PyTypeObject *UntypedStorageType;
void add_storage_type(PyObject *module);
PyObject *storage_object(THStorage *storage);  // the one object that stands for it; new reference
PyObject *untyped_storage(const thpp::Tensor &tensor);
bool is_untyped_storage(PyObject *object);
THStorage *storage_of(PyObject *object);  // borrowed
void release_parent(void *parent, void *data);  // what a slice of a storage does at its end

// PyType_Ready and a place in the module.
void add_type(PyObject *module, const char *name, PyTypeObject *type);

}  // namespace torch::python
