// torch.Generator: a stream of random numbers.
#include <cstring>

#include <THPP/Backend.h>

#include "errors.h"
#include "functions.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

static GeneratorObject *cast(PyObject *self) { return reinterpret_cast<GeneratorObject *>(self); }
static THDevice device_in(PyObject *self) { return THGenerator_device(cast(self)->generator); }

static PyObject *new_generator(PyTypeObject *type, THGenerator *generator, bool owned) {
  PyObject *self = checked(type->tp_alloc(type, 0));
  cast(self)->generator = generator;
  cast(self)->owned = owned;
  return self;
}

PyObject *default_generator() {
  static PyObject *const generator = new_generator(&GeneratorType, THGenerator_default(), false);
  return generator;
}

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    static const char *const names[] = {"device", nullptr};
    PyObject *device = Py_None;
    THDevice wanted = {};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", const_cast<char **>(names), &device)) throw PythonError();
    if (device != Py_None) {
      if (!is_device_like(device))
        raise(PyExc_TypeError, "Generator(): argument 'device' (position 1) must be torch.device, not %s",
              type_name(device));
      wanted = device_of(device);
      if (wanted.kind == TH_Meta) raise(PyExc_RuntimeError, "META device type not an accelerator.");
    }
    return new_generator(type, THGenerator_newOn(wanted), true);
  });
}

static void dealloc(PyObject *self) {
  if (cast(self)->owned) THGenerator_free(cast(self)->generator);
  Py_TYPE(self)->tp_free(self);
}

// Any int that fits in 64 bits, with or without a sign.
static uint64_t seed_of(PyObject *object) {
  if (!PyLong_Check(object) || PyBool_Check(object))
    raise(PyExc_RuntimeError, "manual_seed expected a long, but got %s", type_name(object));
  const unsigned long long value = PyLong_AsUnsignedLongLong(object);
  if (!PyErr_Occurred()) return value;
  PyErr_Clear();
  const long long negative = PyLong_AsLongLong(object);
  if (negative == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    raise(PyExc_ValueError, "Overflow when unpacking long long");
  }
  return uint64_t(negative);
}

static PyObject *manual_seed(PyObject *self, PyObject *seed) {
  return guarded([&] {
    THGenerator_manualSeed(cast(self)->generator, seed_of(seed));
    return Py_NewRef(self);
  });
}
static PyObject *seed(PyObject *self, PyObject *) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(THGenerator_seed(cast(self)->generator)); });
}
static PyObject *initial_seed(PyObject *self, PyObject *) {
  return PyLong_FromUnsignedLongLong(THGenerator_initialSeed(cast(self)->generator));
}

static Tensor state_of(const THGenerator *generator) {
  int64_t size = THGenerator_getState(generator, nullptr, 0);
  for (;;) {  // once more where another thread has made it a generator of the other kind
    Tensor bytes = Tensor::steal(THTensor_newWithSize(TH_Byte, 1, &size));
    const int64_t found = THGenerator_getState(generator, bytes.data<void>(), size);
    if (found == size) return bytes;
    size = found;
  }
}
static void set_state_of(THGenerator *generator, PyObject *object) {
  if (!is_tensor(object)) raise(PyExc_TypeError, "expected a torch.ByteTensor, but got %s", type_name(object));
  const Tensor &bytes = tensor_of(object);
  if (bytes.dtype() != TH_Byte || bytes.device().kind != TH_CPU)
    raise(PyExc_TypeError, "RNG state must be a torch.ByteTensor");
  if (bytes.dim() != 1)
    raise(PyExc_RuntimeError,
          "RNG state is wrong size: expected one dimension, as get_state() returns it, but got %lld",
          (long long)bytes.dim());
  const Tensor dense = Tensor::steal(THTensor_newContiguous(bytes.get()));
  THGenerator_setState(generator, dense.data<void>(), dense.numel());
}

static PyObject *get_state(PyObject *self, PyObject *) {
  return guarded([&] { return wrap(state_of(cast(self)->generator)); });
}
static PyObject *set_state(PyObject *self, PyObject *object) {
  return guarded([&] {
    set_state_of(cast(self)->generator, object);
    return Py_NewRef(self);
  });
}

// Another generator that goes on from here.
static PyObject *clone_state(PyObject *self, PyObject *) {
  return guarded([&] {
    const Tensor state = state_of(cast(self)->generator);
    PyObject *const clone = new_generator(&GeneratorType, THGenerator_newOn(device_in(self)), true);
    THGenerator_setState(cast(clone)->generator, state.data<void>(), state.numel());
    return clone;
  });
}

// Of other devices the position counts numbers, which are drawn by four. Torch's CPU generators do not have it.
static void need_offset(PyObject *self) {
  if (device_in(self).kind == TH_CPU) raise(PyExc_RuntimeError, "CPU Generator does not use offset");
}
static PyObject *get_offset(PyObject *self, PyObject *) {
  return guarded([&] {
    need_offset(self);
    return PyLong_FromUnsignedLongLong(4 * THGenerator_offset(cast(self)->generator));
  });
}
static PyObject *set_offset(PyObject *self, PyObject *object) {
  return guarded([&] {
    need_offset(self);
    const uint64_t offset = seed_of(object);
    if (offset % 4) raise(PyExc_RuntimeError, "offset must be a multiple of 4, got %llu", (unsigned long long)offset);
    THGenerator_setOffset(cast(self)->generator, offset / 4);
    return Py_NewRef(self);
  });
}
static PyObject *no_graph(PyObject *, PyObject *) {
  PyErr_SetString(PyExc_NotImplementedError, "graphsafe states are not supported in this Generator");
  return nullptr;
}

// For copy and pickle: (type, (device,), (seed, offset)), on the CPU without the device; of MT19937 (seed, None, state), as
// PyTorch does.
static PyObject *reduce(PyObject *self, PyObject *) {
  return guarded([&] {
    THGenerator *const generator = cast(self)->generator;
    const THDevice where = device_in(self);
    const bool twister = THGenerator_kind(generator) == TH_MT19937;
    const Ref arguments = checked_ref(
        where.kind == TH_CPU && !twister ? PyTuple_New(0) : Py_BuildValue("(N)", checked(device_object(where))));
    const unsigned long long seed = THGenerator_initialSeed(generator);
    if (twister)
      return Py_BuildValue("OO(KON)", Py_TYPE(self), arguments.get(), seed, Py_None, wrap(state_of(generator)));
    return Py_BuildValue("OO(KK)", Py_TYPE(self), arguments.get(), seed,
                         (unsigned long long)THGenerator_offset(generator));
  });
}
static PyObject *restore(PyObject *self, PyObject *state) {
  return guarded([&] {
    THGenerator *const generator = cast(self)->generator;
    if (PyTuple_Check(state) && PyTuple_GET_SIZE(state) == 3 && device_in(self).kind == TH_CPU) {
      set_state_of(generator, PyTuple_GET_ITEM(state, 2));
      return Py_NewRef(Py_None);
    }
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 2)
      raise(PyExc_TypeError,
            "the state of a pickled Generator is (seed, offset) or, of MT19937, (seed, None, state), not %s",
            type_name(state));
    const uint64_t pair[] = {seed_of(PyTuple_GET_ITEM(state, 0)), seed_of(PyTuple_GET_ITEM(state, 1))};
    THGenerator_setState(generator, pair, sizeof pair);
    return Py_NewRef(Py_None);
  });
}

static PyObject *device(PyObject *self, void *) {
  return guarded([&] { return device_object(device_in(self)); });
}

// _C._device_generator(device): the one whose numbers operators on that device take.
static PyObject *device_generator(PyObject *, PyObject *object) {
  return guarded([&] {
    const THDevice device = device_of(object);
    if (device.kind == TH_CPU) return Py_NewRef(default_generator());
    return new_generator(&GeneratorType, thpp::find_backend(THDeviceKind(device.kind), TH_STRIDED)->generator(device),
                         false);
  });
}

// _C._cpu_rng(), _C._set_cpu_rng(name): what generators of the CPU become.
static constexpr const char *kinds[] = {"philox", "mt19937"};
static PyObject *cpu_rng(PyObject *, PyObject *) {
  return guarded([] { return PyUnicode_FromString(kinds[THGenerator_defaultKind()]); });
}
static PyObject *set_cpu_rng(PyObject *, PyObject *name) {
  return guarded([&] {
    for (const THRandomKind kind : {TH_PHILOX, TH_MT19937})
      if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, kinds[kind]) == 0) {
        THGenerator_setDefaultKind(kind);
        return Py_NewRef(Py_None);
      }
    const Ref text = checked_ref(PyObject_Repr(name));
    raise(PyExc_ValueError, "torch.backends.cpu.rng must be 'philox' or 'mt19937', but got %s",
          PyUnicode_AsUTF8(text.get()));
  });
}

PyMethodDef generator_functions[] = {
    {"_cpu_rng", cpu_rng, METH_NOARGS, nullptr},
    {"_set_cpu_rng", set_cpu_rng, METH_O, nullptr},
    {"_device_generator", device_generator, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

static PyMethodDef methods[] = {
    {"manual_seed", manual_seed, METH_O, nullptr},
    {"seed", seed, METH_NOARGS, nullptr},
    {"initial_seed", initial_seed, METH_NOARGS, nullptr},
    {"get_state", get_state, METH_NOARGS, nullptr},
    {"set_state", set_state, METH_O, nullptr},
    {"clone_state", clone_state, METH_NOARGS, nullptr},
    {"get_offset", get_offset, METH_NOARGS, nullptr},
    {"set_offset", set_offset, METH_O, nullptr},
    {"graphsafe_get_state", no_graph, METH_NOARGS, nullptr},
    {"graphsafe_set_state", no_graph, METH_O, nullptr},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__setstate__", restore, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyGetSetDef properties[] = {
    {"device", device, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyTypeObject GeneratorType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "torch._C.Generator",
    .tp_basicsize = sizeof(GeneratorObject),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_methods = methods,
    .tp_getset = properties,
    .tp_new = make,
};

}  // namespace torch::python
