// torch.device. Any of PyTorch's device names may be written down; tensors live on those that TH has.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <THPP/Backend.h>

#include "errors.h"
#include "functions.h"
#include "types.h"

namespace torch::python {

static constexpr const char *kTypes[] = {"cpu",    "cuda", "ipu",  "xpu",  "mkldnn", "opengl",       "opencl",
                                         "ideep",  "hip",  "ve",   "fpga", "maia",   "xla",          "lazy",
                                         "vulkan", "mps",  "meta", "hpu",  "mtia",   "privateuseone"};

// The row of each kind of device that TH has.
static constexpr auto kRows = [] {
  std::array<int, TH_NUM_DEVICE_KINDS> rows;
  constexpr std::string_view names[] = {
#define NAME(Name, name) name,
      TH_DEVICES(NAME)
#undef NAME
  };
  for (size_t kind = 0; kind < rows.size(); ++kind) rows[kind] = int(std::ranges::find(kTypes, names[kind]) - kTypes);
  return rows;
}();
static_assert(std::ranges::max(kRows) < int(std::size(kTypes)), "a kind of device in TH has no name in torch");

static DeviceObject *cast(PyObject *self) { return reinterpret_cast<DeviceObject *>(self); }

static PyObject *new_device(int type, int index) {
  DeviceObject *self = PyObject_New(DeviceObject, &DeviceType);
  if (!self) throw PythonError();
  self->type = int8_t(type);
  self->index = int16_t(index);
  return reinterpret_cast<PyObject *>(self);
}

static int type_row(std::string_view name, const char *whole) {
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (name == kTypes[i]) return int(i);
  std::string all;
  for (const char *type : kTypes) all.append(all.empty() ? "" : ", ").append(type);
  raise(PyExc_RuntimeError, "Expected one of %s device type at start of device string: %s", all.c_str(), whole);
}

struct Parsed {
  int type, index;
};

// "cuda:1": a name, and an index without superfluous zeros.
static Parsed parse(const char *text) {
  if (!*text) raise(PyExc_RuntimeError, "Device string must not be empty");
  const char *colon = std::strchr(text, ':');
  if (!colon) return {type_row(text, text), -1};
  const std::string_view digits = colon + 1;
  bool valid = !digits.empty() && digits.size() < 6 && (digits.size() == 1 || digits[0] != '0');
  int index = 0;
  for (size_t i = 0; valid && i < digits.size(); ++i) {
    valid = digits[i] >= '0' && digits[i] <= '9';
    index = 10 * index + (digits[i] - '0');
  }
  if (!valid) raise(PyExc_RuntimeError, "Invalid device string: '%s'", text);
  return {type_row({text, size_t(colon - text)}, text), index};
}

static Parsed from_object(PyObject *object) {
  if (is_device(object)) return {cast(object)->type, cast(object)->index};
  if (PyUnicode_Check(object)) {
    const char *text = PyUnicode_AsUTF8(object);
    if (!text) throw PythonError();
    return parse(text);
  }
  // A bare number counts accelerators.
  const Ref cuda = checked_ref(PyImport_ImportModule("torch.cuda"));
  const Ref built = checked_ref(PyObject_CallMethod(cuda.get(), "_is_compiled", nullptr));
  if (built.get() != Py_True) raise(PyExc_RuntimeError, "Cannot access accelerator device when none is available.");
  const long index = PyLong_AsLong(object);
  if (index == -1 && PyErr_Occurred()) throw PythonError();
  if (index < 0 || index > INT16_MAX) raise(PyExc_RuntimeError, "Device index is out of range: %ld", index);
  return {kRows[TH_CUDA], int(index)};
}

PyObject *device_object(THDevice device) {
  static PyObject *known[TH_NUM_DEVICE_KINDS];  // under the interpreter's lock
  const int row = kRows[size_t(device.kind)];
  // Of the kinds that have one device only, nobody says the index.
  if (device.kind != TH_CPU && device.kind != TH_Meta) return new_device(row, device.index);
  if (!known[device.kind]) known[device.kind] = new_device(row, -1);
  return Py_NewRef(known[device.kind]);
}

bool is_device_like(PyObject *object) {
  return is_device(object) || PyUnicode_Check(object) || (PyLong_Check(object) && !PyBool_Check(object));
}

// One of CUDA's devices, whose libraries are loaded at the first use: torch.cuda knows how, and what to say if they
// cannot be.
static const thpp::BackendTable *cuda_backend() {
  // Its kernels are there before the seeds that have waited are, so the first use has ended when torch.cuda says so. In
  // a fork there are no devices any more.
  static bool started;  // under the interpreter's lock
  const thpp::BackendTable *table = thpp::find_backend(TH_CUDA, TH_STRIDED);
  if (!started || !table->device_count()) {
    const Ref cuda = checked_ref(PyImport_ImportModule("torch.cuda"));
    checked_ref(PyObject_CallMethod(cuda.get(), "_lazy_init", nullptr));
    table = thpp::find_backend(TH_CUDA, TH_STRIDED);
    if (!table) raise(PyExc_RuntimeError, "torch.cuda has registered no devices");
    const Ref answer = checked_ref(PyObject_CallMethod(cuda.get(), "is_initialized", nullptr));
    started = answer.get() == Py_True;
  }
  return table;
}

int cuda_device_count() { return cuda_backend()->device_count(); }

static THDevice cuda_device(int index) {
  const thpp::BackendTable *const table = cuda_backend();
  const int count = table->device_count();
  if (index >= count)
    raise(PyExc_RuntimeError, "CUDA error: invalid device ordinal: there is no cuda:%d among %d", index, count);
  return {TH_CUDA, int8_t(index < 0 ? table->current_device() : index)};
}

THDevice device_of(PyObject *object) {
  const Parsed device = from_object(object);
  for (const THDeviceKind kind : {TH_CPU, TH_Meta})
    if (device.type == kRows[kind]) return {int8_t(kind), 0};
  if (device.type == kRows[TH_CUDA]) return cuda_device(device.index);
  if (!std::strcmp(kTypes[device.type], "xpu")) raise(PyExc_AssertionError, "Torch not compiled with XPU enabled");
  raise(PyExc_NotImplementedError, "tensors cannot be made on device '%s': this build of torch has no backend for it",
        kTypes[device.type]);
}

// ---- the default device: that of the innermost `with torch.device(…)`, or what set_default_device says -----------
// A thread's own. On one where no tensor can live, functions that make tensors raise at their first use.
namespace {

struct Defaults {
  std::vector<PyObject *> entered;  // owned
  PyObject *otherwise = nullptr;    // owned; nullptr if it is the CPU
};
Defaults &defaults() {
  static thread_local Defaults own;
  return own;
}
__attribute__((tls_model("initial-exec"))) constinit thread_local bool not_cpu = false;

// nullptr: the CPU, of which nobody has said so.
PyObject *default_device() {
  const Defaults &own = defaults();
  return !own.entered.empty() ? own.entered.back() : own.otherwise;
}
void default_changed() {
  const PyObject *device = default_device();
  not_cpu = device && reinterpret_cast<const DeviceObject *>(device)->type != kRows[TH_CPU];
}

PyObject *enter(PyObject *self, PyObject *) {
  defaults().entered.push_back(Py_NewRef(self));
  default_changed();
  return Py_NewRef(self);
}
PyObject *leave(PyObject *, PyObject *) {
  auto &entered = defaults().entered;
  if (entered.empty()) return PyErr_Format(PyExc_RuntimeError, "no device has been entered");
  const Ref left(entered.back());
  entered.pop_back();
  default_changed();
  Py_RETURN_NONE;
}
PyObject *get_default(PyObject *, PyObject *) {
  return default_device() ? Py_NewRef(default_device()) : device_object({});
}
PyObject *set_default(PyObject *, PyObject *device) {
  const Ref before(std::exchange(defaults().otherwise, is_device(device) ? Py_NewRef(device) : nullptr));
  default_changed();
  Py_RETURN_NONE;
}

}  // namespace

PyObject *default_device_unless_cpu() { return not_cpu ? default_device() : nullptr; }

PyMethodDef device_functions[] = {
    {"_get_default_device", get_default, METH_NOARGS, nullptr},
    {"_set_default_device", set_default, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

static PyObject *make(PyTypeObject *, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    static const char *const names[] = {"type", "index", nullptr};
    static const char *const other_names[] = {"device", nullptr};
    PyObject *type = nullptr, *index = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", const_cast<char **>(names), &type, &index)) {
      PyErr_Clear();
      if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", const_cast<char **>(other_names), &type)) {
        PyErr_Clear();
        type = nullptr;
      }
    }
    if (!type || !is_device_like(type) || (index != Py_None && !(PyLong_Check(index) && PyUnicode_Check(type)))) {
      const std::string got = type ? Py_TYPE(type)->tp_name : "";
      raise(PyExc_TypeError,
            "device() received an invalid combination of arguments - got (%s), but expected one of:\n"
            " * (torch.device device)\n%s * (str type, int index = -1)\n",
            got.c_str(),
            type && index == Py_None
                ? ("      didn't match because some of the arguments have invalid types: (!" + got + "!)\n").c_str()
                : "");
    }
    if (index == Py_None) {
      if (is_device(type)) return Py_NewRef(type);
      const Parsed device = from_object(type);
      return new_device(device.type, device.index);
    }
    const Parsed device = from_object(type);
    const long i = PyLong_AsLong(index);
    if (i == -1 && PyErr_Occurred()) throw PythonError();
    if (device.index >= 0)
      raise(PyExc_RuntimeError, "type (string) must not include an index because index was passed explicitly: %U",
            type);
    if (i < 0) raise(PyExc_RuntimeError, "Device index must not be negative");
    if (i > INT16_MAX) raise(PyExc_RuntimeError, "Device index is out of range: %ld", i);
    return new_device(device.type, int(i));
  });
}

static PyObject *repr(PyObject *self) {
  const DeviceObject *d = cast(self);
  if (d->index < 0) return PyUnicode_FromFormat("device(type='%s')", kTypes[d->type]);
  return PyUnicode_FromFormat("device(type='%s', index=%d)", kTypes[d->type], d->index);
}

static PyObject *str(PyObject *self) {
  const DeviceObject *d = cast(self);
  if (d->index < 0) return PyUnicode_FromString(kTypes[d->type]);
  return PyUnicode_FromFormat("%s:%d", kTypes[d->type], d->index);
}

static Py_hash_t hash(PyObject *self) { return cast(self)->type * 65537 + cast(self)->index + 2; }

static PyObject *compare(PyObject *a, PyObject *b, int op) {
  if (!is_device(b) || (op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  const bool equal = cast(a)->type == cast(b)->type && cast(a)->index == cast(b)->index;
  return PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *reduce(PyObject *self, PyObject *) {
  const DeviceObject *d = cast(self);
  if (d->index < 0) return Py_BuildValue("O(s)", &DeviceType, kTypes[d->type]);
  return Py_BuildValue("O(si)", &DeviceType, kTypes[d->type], d->index);
}

static PyObject *get_type(PyObject *self, void *) { return PyUnicode_FromString(kTypes[cast(self)->type]); }
static PyObject *get_index(PyObject *self, void *) {
  if (cast(self)->index < 0) Py_RETURN_NONE;
  return PyLong_FromLong(cast(self)->index);
}

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", leave, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyGetSetDef properties[] = {
    {"type", get_type, nullptr, nullptr, nullptr},
    {"index", get_index, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyTypeObject DeviceType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "torch.device",
    .tp_basicsize = sizeof(DeviceObject),
    .tp_repr = repr,
    .tp_hash = hash,
    .tp_str = str,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .tp_richcompare = compare,
    .tp_methods = methods,
    .tp_getset = properties,
    .tp_new = make,
};

}  // namespace torch::python
