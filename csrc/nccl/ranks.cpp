// Communicators of a process's own rank, for torch/distributed/_nccl.py: arguments as that has them, checked there.
#include "communicator.h"

#include <string_view>

namespace torch::cuda {

namespace {

inline constexpr char kRank[] = "torch._nccl.rank", kWork[] = "torch._nccl.work";
using CommunicatorRef = std::shared_ptr<Communicator>;
using WorkRef = std::shared_ptr<Work>;

template <class T>
PyObject *capsule(std::shared_ptr<T> object, const char *name) {
  return checked(PyCapsule_New(new std::shared_ptr<T>(std::move(object)), name, [](PyObject *capsule) {
    auto *const held = static_cast<std::shared_ptr<T> *>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
    WithoutGil free;
    delete held;
  }));
}
template <class T>
T &in(PyObject *capsule, const char *name) {
  void *const held = PyCapsule_GetPointer(capsule, name);
  if (!held) throw PythonError();
  return **static_cast<std::shared_ptr<T> *>(held);
}

std::string text(PyObject *object) {
  Py_ssize_t length;
  const char *const found = PyUnicode_AsUTF8AndSize(object, &length);
  if (!found) throw PythonError();
  return std::string(found, size_t(length));
}
std::string bytes(PyObject *object) {
  char *found;
  Py_ssize_t length;
  if (PyBytes_AsStringAndSize(object, &found, &length) < 0) throw PythonError();
  return std::string(found, size_t(length));
}
Milliseconds time(PyObject *object) { return Milliseconds(from<size_t>(object)); }

template <class Body>
PyObject *nothing(Body body) {
  return guarded([&] {
    body();
    return Py_NewRef(Py_None);
  });
}

PyObject *join(PyObject *, PyObject *a) {
  return guarded([&] {
    const int size = from<int>(item(a, 0)), rank = from<int>(item(a, 2)), device = from<int>(item(a, 3));
    const ncclUniqueId id = id_of(item(a, 1));
    CommunicatorRef made;
    {
      const Milliseconds timeout = time(item(a, 4));
      std::string who = text(item(a, 5));
      WithoutGil free;
      made = Communicator::join(size, id, rank, device, timeout, std::move(who));
    }
    return capsule(std::move(made), kRank);
  });
}

PyObject *split(PyObject *, PyObject *a) {
  return guarded([&]() -> PyObject * {
    auto &whole = in<Communicator>(item(a, 0), kRank);
    const int color = from<int>(item(a, 1)), key = from<int>(item(a, 2));
    CommunicatorRef made;
    {
      const Milliseconds timeout = time(item(a, 3));
      std::string who = text(item(a, 4));
      WithoutGil free;
      made = whole.split(color, key, timeout, std::move(who));
    }
    return made ? capsule(std::move(made), kRank) : Py_NewRef(Py_None);
  });
}

constexpr std::string_view kinds[] = {"all_reduce",     "reduce", "broadcast", "all_gather",
                                      "reduce_scatter", "send",   "receive"};

Operation operation_of(PyObject *a) {
  const std::string name = text(item(a, 0));
  int kind = 0;
  while (kind < int(std::size(kinds)) && kinds[kind] != name) ++kind;
  if (kind == int(std::size(kinds))) throw std::runtime_error("NCCL has no operation " + name);
  return {Operation::Kind(kind),
          from<const void *>(item(a, 1)),
          from<void *>(item(a, 2)),
          from<size_t>(item(a, 3)),
          ncclDataType_t(from<int>(item(a, 4))),
          ncclRedOp_t(from<int>(item(a, 5))),
          bytes(item(a, 6)),
          from<int>(item(a, 7))};
}

PyObject *launch(PyObject *, PyObject *a) {
  return guarded([&] {
    auto &communicator = in<Communicator>(item(a, 0), kRank);
    PyObject *const list = item(a, 1);
    std::vector<Operation> operations;
    for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) operations.push_back(operation_of(PyList_GetItem(list, i)));
    if (PyErr_Occurred()) throw PythonError();
    const THCStream stream = from<THCStream>(item(a, 2));
    const Milliseconds timeout = time(item(a, 3));
    std::string what = text(item(a, 4));
    WorkRef work;
    {
      WithoutGil free;
      work = communicator.launch(operations, stream, timeout, std::move(what));
    }
    return capsule(std::move(work), kWork);
  });
}

PyObject *record(PyObject *, PyObject *work) {
  return nothing([&] {
    auto &self = in<Work>(work, kWork);
    WithoutGil free;
    self.record();
  });
}
PyObject *state(PyObject *, PyObject *work) {
  return guarded([&] {
    auto &self = in<Work>(work, kWork);
    Work::State found;
    {
      WithoutGil free;
      found = self.state();
    }
    return checked(PyLong_FromLong(found));
  });
}
PyObject *error(PyObject *, PyObject *work) {
  return guarded([&] {
    const std::string found = in<Work>(work, kWork).error();
    return found.empty() ? Py_NewRef(Py_None) : checked(PyUnicode_FromString(found.c_str()));
  });
}
PyObject *wait(PyObject *, PyObject *work) {
  return nothing([&] {
    auto &self = in<Work>(work, kWork);
    WithoutGil free;
    self.wait();
  });
}
PyObject *synchronize(PyObject *, PyObject *a) {
  return nothing([&] {
    auto &self = in<Work>(item(a, 0), kWork);
    const Milliseconds timeout = time(item(a, 1));
    WithoutGil free;
    self.synchronize(timeout);
  });
}
PyObject *abort(PyObject *, PyObject *a) {
  return nothing([&] {
    auto &self = in<Communicator>(item(a, 0), kRank);
    const std::string why = text(item(a, 1));
    WithoutGil free;
    self.abort(why);
  });
}
PyObject *destroy(PyObject *, PyObject *a) {
  return nothing([&] {
    auto &self = in<Communicator>(item(a, 0), kRank);
    const Milliseconds timeout = time(item(a, 1));
    WithoutGil free;
    self.destroy(timeout);
  });
}
PyObject *failure(PyObject *, PyObject *communicator) {
  return guarded([&] {
    const std::string found = in<Communicator>(communicator, kRank).failure();
    return found.empty() ? Py_NewRef(Py_None) : checked(PyUnicode_FromString(found.c_str()));
  });
}

}  // namespace

void close_ranks() { stop_watching(); }

PyMethodDef rank_functions[] = {
    {"join", join, METH_VARARGS, "(size, unique id, rank, device, ms, who): a rank's communicator."},
    {"split", split, METH_VARARGS, "(communicator, color, key, ms, who): another one, or None."},
    {"launch", launch, METH_VARARGS, "(communicator, operations, stream, ms, what): a work."},
    {"record", record, METH_O, "What the device's current stream holds belongs to the work."},
    {"state", state, METH_O, "Of a work: 0 begun, 1 done, 2 failed."},
    {"error", error, METH_O, "What a work failed with, or None."},
    {"wait", wait, METH_O, "The current stream waits for a work."},
    {"synchronize", synchronize, METH_VARARGS, "(work, ms): returns when it is done."},
    {"abort", abort, METH_VARARGS, "(communicator, why): what is under way fails."},
    {"destroy", destroy, METH_VARARGS, "(communicator, ms): waits for what is under way."},
    {"failure", failure, METH_O, "Of a communicator: a text, or None."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::cuda
