// The life of a torch.Tensor object. A tensor has at most one: THTensor.pyobj is it, from the first wrap on. Either
// owns the other:
//
//   - the object owns one reference to the tensor, as a rule;
//   - where C++ still holds the tensor when the object's last reference goes, the tensor owns the object from then on
//     (`owned`), so that its type, attributes and weak references live on. Wrapping the tensor again turns it back, and
//     so does the last owner in C++, whose reference the object gets before it dies for good.
//
// An object that has nothing of its own (no derived type, no attribute, no weak reference) may die before its tensor;
// the next one is as good.
#include <new>

#include <THPP/Functions.h>

#include <torch_python/gil.h>

#include "autograd.h"
#include "errors.h"
#include "tensor_object.h"

namespace torch::python {

PyTypeObject *TensorType;

static TensorObject *cast(PyObject *self) { return reinterpret_cast<TensorObject *>(self); }
static PyObject *object_at(TensorObject *self) { return reinterpret_cast<PyObject *>(self); }
static bool has_other_owners(const THTensor *tensor) {
  return __atomic_load_n(&tensor->refcount, __ATOMIC_ACQUIRE) != 1;
}

// ---- made ---------------------------------------------------------------------------------------
// Most tensors are temporaries, so a few dead objects are kept for the next ones. An object without
// attributes can be in no reference cycle: the collector hears of it when it gets its __dict__.
static constexpr int kFreeListMax = 128;
static TensorObject *free_list[kFreeListMax];
static int nfree;

// The object is new and has no tensor yet.
static PyObject *filled(TensorObject *self, thpp::Tensor tensor) {
  tensor.get()->pyobj = self;
  new (&self->tensor) thpp::Tensor(std::move(tensor));
  self->dict = self->weakrefs = nullptr;
  self->owned = false;
  return object_at(self);
}

static PyObject *known_object(thpp::Tensor tensor) {
  auto *self = static_cast<TensorObject *>(tensor.get()->pyobj);
  if (!self->owned) return Py_NewRef(object_at(self));
  self->owned = false;
  tensor.release();  // is the object's now,
  return object_at(self);  // and its reference the caller's
}

PyObject *wrap(thpp::Tensor tensor) {
  if (!tensor.defined()) Py_RETURN_NONE;
  if (tensor.get()->pyobj) return known_object(std::move(tensor));
  TensorObject *self;
  if (nfree) {
    self = free_list[--nfree];
    PyObject_Init(object_at(self), TensorType);
  } else {
    self = PyObject_GC_New(TensorObject, TensorType);
    if (!self) throw PythonError();
  }
  return filled(self, std::move(tensor));
}

PyObject *wrap_subclass(PyTypeObject *type, thpp::Tensor tensor) {
  if (tensor.get()->pyobj) tensor = thpp::alias(tensor);
  if (type == TensorType) return wrap(std::move(tensor));
  return filled(cast(checked(type->tp_alloc(type, 0))), std::move(tensor));
}

// ---- ended --------------------------------------------------------------------------------------
// The object's last reference has gone. Whether the tensor takes it over.
static bool resurrect(TensorObject *self) {
  if (!self->tensor.defined()) return false;
  THTensor *const tensor = self->tensor.get();
  if (tensor->pyobj != self || !has_other_owners(tensor)) return false;
  if (!self->dict && !self->weakrefs && is_exact_tensor(object_at(self))) return false;
  self->owned = true;
  Py_SET_REFCNT(object_at(self), 1);
  THTensor_free(tensor);  // the object's reference; if the others have gone meanwhile, this ends both
  return true;
}

// What THTensor_free does with the last reference to a tensor that has an object. Another thread may have found the
// object by a weak reference and used the tensor, until this one has the interpreter's lock.
static void release_object(THTensor *tensor) {
  const HoldGil held;
  if (!held) return;
  auto *const self = static_cast<TensorObject *>(tensor->pyobj);
  if (self && self->owned && !has_other_owners(tensor)) {
    self->owned = false;  // the reference is the object's
    drop_reference(object_at(self));
  } else {
    THTensor_free(tensor);
  }
}

static void dealloc(PyObject *object) {
  TensorObject *const self = cast(object);
  PyTypeObject *const type = Py_TYPE(object);
  if (resurrect(self)) return;
  // __del__ of a derived type, the first time that this is reached: it may keep the object, or let C++ keep the tensor.
  if (type->tp_finalize && PyObject_GC_IsTracked(object) &&
      (PyObject_CallFinalizerFromDealloc(object) < 0 || resurrect(self)))
    return;
  PyObject_GC_UnTrack(object);
  if (self->tensor.defined() && self->tensor.get()->pyobj == self) self->tensor.get()->pyobj = nullptr;
  if (self->weakrefs) PyObject_ClearWeakRefs(object);
  if (type == TensorType && !self->dict) {
    self->tensor.~Tensor();
    if (nfree < kFreeListMax)
      free_list[nfree++] = self;
    else
      type->tp_free(object);
    Py_DECREF(type);
    return;
  }
  Py_TRASHCAN_BEGIN(object, dealloc)  // attributes may be chains of tensors
      type->tp_clear(object);  // of a derived type the slots too
  self->tensor.~Tensor();
  type->tp_free(object);
  Py_DECREF(type);
  Py_TRASHCAN_END
}

// ---- cycles -------------------------------------------------------------------------------------
// References from C++ are no objects that the collector could count. So what a tensor that C++ holds refers to has to
// look as if it were referred to from outside: its attributes are left out when references are counted, and only then.
// (Whether C++ holds it may change while the collector works: a thread without the lock copies a handle. An object that
// is left out of the second pass, but was counted in the first, would lose its attributes.)
static visitproc counting;  // what the collector hands to tp_traverse in its first pass
static bool learning;

static int traverse(PyObject *object, visitproc visit, void *arg) {
  TensorObject *const self = cast(object);
  if (learning) {
    counting = visit;
    learning = false;
  }
  Py_VISIT(Py_TYPE(object));
  if (visit == counting && self->tensor.defined() && has_other_owners(self->tensor.get())) return 0;
  Py_VISIT(self->dict);
  return visit_gradient_state(self->tensor, visit == counting, visit, arg);
}

static int clear(PyObject *self) {
  Py_CLEAR(cast(self)->dict);
  return 0;
}

// The first thing that a collection does with an object is to count.
static void learn_counting() {
  const Ref sample = checked_ref(wrap(thpp::Tensor::steal(THTensor_new(TH_Float))));
  checked(PyObject_SetAttrString(sample.get(), "sample", Py_None));
  const Ref gc = checked_ref(PyImport_ImportModule("gc"));
  learning = true;
  checked_ref(PyObject_CallMethod(gc.get(), "collect", "i", 0));
  learning = false;
}

// ---- attributes ---------------------------------------------------------------------------------
static void track_if_needed(PyObject *self) {
  if (cast(self)->dict && !PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
}
void track_tensor(PyObject *self) {
  if (is_tensor(self) && !PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
}
static int set_attribute(PyObject *self, PyObject *name, PyObject *value) {
  const int status = PyObject_GenericSetAttr(self, name, value);
  track_if_needed(self);
  return status;
}
static PyObject *get_dict(PyObject *self, void *context) {
  PyObject *dict = PyObject_GenericGetDict(self, context);
  track_if_needed(self);
  return dict;
}
static int set_dict(PyObject *self, PyObject *value, void *context) {
  const int status = PyObject_GenericSetDict(self, value, context);
  track_if_needed(self);
  return status;
}

const PyGetSetDef dict_property = {"__dict__", get_dict, set_dict, nullptr, nullptr};
const PyType_Slot life_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(clear)},
    {Py_tp_setattro, reinterpret_cast<void *>(set_attribute)},
    {0, nullptr},
};

// ---- derived types ------------------------------------------------------------------------------
// Python gives a derived type a tp_dealloc that empties __slots__ and calls __del__ before ours could keep the object.
static int init_type(PyObject *type, PyObject *args, PyObject *kwargs) {
  if (PyType_Type.tp_init(type, args, kwargs) < 0) return -1;
  reinterpret_cast<PyTypeObject *>(type)->tp_dealloc = dealloc;
  return 0;
}

PyTypeObject *make_tensor_metatype() {
  static PyType_Slot slots[] = {
      {Py_tp_base, &PyType_Type}, {Py_tp_init, reinterpret_cast<void *>(init_type)}, {0, nullptr}};
  static PyType_Spec spec = {"torch._C._TensorMeta", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&spec)));
}

void start_tensor_life() {
  TH_setObjectRelease(release_object);
  learn_counting();
}

}  // namespace torch::python
