// The module torch._C: types, constants, and torch._C._VariableFunctions with every function of torch.
#include <link.h>

#include <cstring>
#include <string_view>
#include <utility>

#include <THNN/OneDNN.h>
#include <THPP/Attention.h>
#include <THPP/Sparse.h>
#include <torch_python/args.h>
#include <torch_python/init.h>
#include "autograd.h"
#include "construct.h"
#include "errors.h"
#include "functions.h"
#include "native.h"
#include "overrides.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

void add_type(PyObject *module, const char *name, PyTypeObject *type) {
  checked(PyType_Ready(type));
  checked(PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject *>(type)));
}

// ---- _add_docstr(object, text): the docstring of a function, method or type made in C -----------
static PyObject *add_docstr(PyObject *, PyObject *args) {
  PyObject *object, *text;
  if (!PyArg_ParseTuple(args, "OO!", &object, &PyUnicode_Type, &text)) return nullptr;
  const char *utf8 = PyUnicode_AsUTF8(text);
  if (!utf8) return nullptr;
  const char **slot;
  if (PyCFunction_Check(object)) {
    slot = &reinterpret_cast<PyCFunctionObject *>(object)->m_ml->ml_doc;
  } else if (Py_IS_TYPE(object, &PyMethodDescr_Type)) {
    slot = &reinterpret_cast<PyMethodDescrObject *>(object)->d_method->ml_doc;
  } else if (Py_IS_TYPE(object, &PyGetSetDescr_Type)) {
    slot = &reinterpret_cast<PyGetSetDescrObject *>(object)->d_getset->doc;
  } else if (PyType_Check(object) &&
             !PyType_HasFeature(reinterpret_cast<PyTypeObject *>(object), Py_TPFLAGS_HEAPTYPE)) {
    auto *const type = reinterpret_cast<PyTypeObject *>(object);
    // Instances find it in the dictionary.
    if (PyDict_SetItemString(type->tp_dict, "__doc__", text) < 0) return nullptr;
    PyType_Modified(type);
    slot = &type->tp_doc;
  } else if (PyFunction_Check(object)) {
    return Py_NewRef(object);  // Python wraps the operator: the wrapper's own docstring stays
  } else {
    PyErr_Format(PyExc_TypeError, "don't know how to add a docstring to type '%s'", Py_TYPE(object)->tp_name);
    return nullptr;
  }
  Py_INCREF(text);  // the slot points into it from now on
  *slot = utf8;
  return Py_NewRef(object);
}

// ---- _build_info(): how this library was made, and what is loaded beside it ---------------------
static int collect_library(dl_phdr_info *info, size_t, void *list) {
  const char *const name = info->dlpi_name;
  for (const char *ours :
       {"/libTH", "/libshm", "/libtorch", "/_C.", "/libopenblas", "/libblas", "/libgomp", "/libdnnl"})
    if (std::strstr(name, ours)) {
      Ref path(PyUnicode_DecodeFSDefault(name));
      if (path) PyList_Append(static_cast<PyObject *>(list), path.get());
      break;
    }
  return 0;
}

static PyObject *build_info(PyObject *, PyObject *) {
  return guarded([&] {
    Ref libraries = checked_ref(PyList_New(0));
    dl_iterate_phdr(collect_library, libraries.get());
    return Py_BuildValue("{s:s,s:s,s:l,s:s,s:i,s:z,s:O}", "compiler", "GCC " __VERSION__, "build_type",
                         TORCH_BUILD_TYPE, "cplusplus", long(__cplusplus), "python", PY_VERSION, "threads",
                         TH_getNumThreads(), "onednn", THNNOneDNN_version(), "libraries", libraries.get());
  });
}

// ---- oneDNN's settings: torch.backends.mkldnn ---------------------------------------------------
static PyObject *get_mkldnn_enabled(PyObject *, PyObject *) { return PyBool_FromLong(THNNOneDNN_isEnabled()); }

static PyObject *set_mkldnn_enabled(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!PyBool_Check(object))
      raise(PyExc_RuntimeError, "set_enabled_mkldnn expects a bool, but got %s", Py_TYPE(object)->tp_name);
    THNNOneDNN_setEnabled(object == Py_True);
    return Py_NewRef(Py_None);
  });
}

static PyObject *set_mkldnn_verbose(PyObject *, PyObject *object) {
  return guarded([&] {
    const long level = PyLong_AsLong(object);
    if (level == -1 && PyErr_Occurred()) return static_cast<PyObject *>(nullptr);
    return PyBool_FromLong(THNNOneDNN_setVerbose(int(level)));
  });
}

// What is being traced: nothing, ever.
static PyObject *get_tracing_state(PyObject *, PyObject *) { return Py_NewRef(Py_None); }

// Libraries name themselves here, for statistics that are not kept.
static PyObject *log_api_usage_once(PyObject *, PyObject *) { return Py_NewRef(Py_None); }

// _return_type(name, fields): the type of named tuples of that operator, be it one that no call has needed yet.
static PyObject *get_return_type(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    const char *name;
    PyObject *fields;
    if (!PyArg_ParseTuple(args, "sO!", &name, &PyTuple_Type, &fields)) return nullptr;
    return return_type(name, fields);
  });
}

// torch._C._allow_attention(flash, math): torch.nn.attention.sdpa_kernel.
static PyObject *allow_attention(PyObject *, PyObject *args) {
  int tiles, formula;
  if (!PyArg_ParseTuple(args, "pp", &tiles, &formula)) return nullptr;
  thpp::allow_attention(tiles, formula);
  Py_RETURN_NONE;
}

// _swap_tensors(a, b): torch.utils.swap_tensors. The objects exchange tensors and attributes; types are Python's business.
static PyObject *swap_tensors(PyObject *, PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "O!O!", TensorType, &a, TensorType, &b)) return nullptr;
  std::swap(tensor_of(a), tensor_of(b));
  std::swap(reinterpret_cast<TensorObject *>(a)->dict, reinterpret_cast<TensorObject *>(b)->dict);
  for (PyObject *object : {a, b}) {
    tensor_of(object).get()->pyobj = object;
    track_tensor(object);
  }
  Py_RETURN_NONE;
}

// torch.sparse.check_sparse_tensor_invariants.
static PyObject *sparse_checks(PyObject *, PyObject *) { return PyBool_FromLong(thpp::sparse_checks()); }
static PyObject *set_sparse_checks(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!PyBool_Check(object)) raise(PyExc_TypeError, "expected a bool, but got %s", Py_TYPE(object)->tp_name);
    thpp::set_sparse_checks(object == Py_True);
    return Py_NewRef(Py_None);
  });
}

static PyMethodDef private_functions[] = {
    {"_swap_tensors", swap_tensors, METH_VARARGS, nullptr},
    {"_allow_attention", allow_attention, METH_VARARGS, nullptr},
    {"_return_type", get_return_type, METH_VARARGS, nullptr},
    {"_add_docstr", add_docstr, METH_VARARGS, nullptr},
    {"_get_tracing_state", get_tracing_state, METH_NOARGS, nullptr},
    {"_log_api_usage_once", log_api_usage_once, METH_O, nullptr},
    {"_build_info", build_info, METH_NOARGS, nullptr},
    {"_get_mkldnn_enabled", get_mkldnn_enabled, METH_NOARGS, nullptr},
    {"_set_mkldnn_enabled", set_mkldnn_enabled, METH_O, nullptr},
    {"_set_mkldnn_verbose", set_mkldnn_verbose, METH_O, nullptr},
    {"_sparse_checks", sparse_checks, METH_NOARGS, nullptr},
    {"_set_sparse_checks", set_sparse_checks, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// Declarations call them nn_gelu; what users see, and pickles name, is gelu of torch._C._nn.
static void name_functions_of_nn(PyObject *functions, std::vector<PyMethodDef> &rows) {
  const Ref place = checked_ref(PyUnicode_FromString("torch._C._nn"));
  for (PyMethodDef &row : rows) {
    if (!row.ml_name || std::strncmp(row.ml_name, "nn_", 3)) continue;
    const Ref function = checked_ref(PyObject_GetAttrString(functions, row.ml_name));
    checked(PyObject_SetAttrString(function.get(), "__module__", place.get()));
    row.ml_name += 3;
  }
}

static PyObject *make_functions() {
  Ref functions = checked_ref(PyModule_New("torch"));
  std::vector<const PyMethodDef *> tables = {dtype_functions, construct_functions, buffer_functions,
                                             gradient_operators};
  for (PyMethodDef *const *table = torch_functions; *table; ++table) tables.push_back(*table);
  static std::vector<PyMethodDef> all = joined("torch", tables);
  checked(PyModule_AddFunctions(functions.get(), all.data()));
  name_functions_of_nn(functions.get(), all);
  return functions.release();
}

static Ref make_namespace_prefixes() {
  const Ref list = checked_ref(PyList_New(0));
  for (const char *const *prefix = namespace_prefixes; *prefix; ++prefix)
    checked(PyList_Append(list.get(), checked_ref(PyUnicode_FromString(*prefix)).get()));
  return checked_ref(PyList_AsTuple(list.get()));
}

static PyObject *make_module() {
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "torch._C", nullptr, -1, private_functions, nullptr, nullptr, nullptr, nullptr};
  Ref module = checked_ref(PyModule_Create(&definition));
  add_dtypes(module.get());
  add_layouts(module.get());
  add_type(module.get(), "device", &DeviceType);
  add_type(module.get(), "Size", &SizeType);
  add_type(module.get(), "Generator", &GeneratorType);
  add_storage_type(module.get());
  make_tensor_type(module.get());
  add_override_types(module.get());
  add_function_types(module.get());
  add_node_types(module.get());
  start_anomaly_mode();
  checked(PyModule_AddObjectRef(module.get(), "default_generator", default_generator()));
  checked(PyModule_AddObjectRef(module.get(), "_LinAlgError", checked(linalg_error())));
  checked(PyModule_AddObjectRef(module.get(), "OutOfMemoryError", checked(memory_error())));
  checked(PyModule_AddFunctions(module.get(), storage_functions));
  checked(PyModule_AddFunctions(module.get(), shared_storage_functions));
  checked(PyModule_AddFunctions(module.get(), dlpack_functions));
  checked(PyModule_AddFunctions(module.get(), override_functions));
  checked(PyModule_AddFunctions(module.get(), gradient_functions));
  checked(PyModule_AddFunctions(module.get(), engine_functions));
  checked(PyModule_AddFunctions(module.get(), function_functions));
  checked(PyModule_AddFunctions(module.get(), autograd_mode_functions));
  checked(PyModule_AddFunctions(module.get(), autocast_functions));
  checked(PyModule_AddFunctions(module.get(), optimizer_functions));
  checked(PyModule_AddFunctions(module.get(), dispatch_functions));
  checked(PyModule_AddFunctions(module.get(), library_functions));
  checked(PyModule_AddFunctions(module.get(), profiler_functions));
  checked(PyModule_AddFunctions(module.get(), device_functions));
  checked(PyModule_AddFunctions(module.get(), generator_functions));
  checked(PyModule_AddObjectRef(module.get(), "_has_mkldnn", THNNOneDNN_version() ? Py_True : Py_False));
  Ref functions = checked_ref(make_functions());
  checked(PyModule_AddObjectRef(module.get(), "_VariableFunctions", functions.get()));
  checked(PyModule_AddObjectRef(module.get(), "_namespace_prefixes", make_namespace_prefixes().get()));
  return module.release();
}

}  // namespace torch::python

PyObject *torch_python_init() {
  return torch::python::guarded([] { return torch::python::make_module(); });
}
