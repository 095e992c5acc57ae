// torch._nccl: communicators and collectives of NCCL. torch/cuda/nccl.py is over it, checks tensors, and imports it at
// the first use.
#include "common.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

namespace torch::cuda {

namespace {

// ---- collectives ----------------------------------------------------------------------------------
// What a rank gives. An address is 0 where a rank sends or receives nothing.
struct Rank {
  int device;
  const void *send;
  void *receive;
  THCStream stream;
};

// What all ranks of a call agree on.
struct Call {
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root;
};

struct Collective {
  const char *name;  // NCCL's
  ncclResult_t (*run)(const Rank &, const Call &, ncclComm_t);
};

// Looks up, or makes, the communicators of a list of devices. The least recently used ones are destroyed when there are
// too many: each holds some hundred MB of its devices.
class Cache {
 public:
  static constexpr size_t kMost = 8;

  std::mutex &lock() { return lock_; }

  const std::vector<ncclComm_t> &find(const std::vector<Rank> &ranks) {
    std::vector<int> devices;
    for (const Rank &rank : ranks) devices.push_back(rank.device);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
      if (entry->devices == devices) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->comms;
      }
    while (entries_.size() >= kMost) drop();
    std::vector<ncclComm_t> comms(devices.size());
    check(ncclCommInitAll(comms.data(), int(devices.size()), devices.data()), "ncclCommInitAll");
    entries_.push_front({std::move(devices), std::move(comms)});
    return entries_.front().comms;
  }

  void clear() {
    const std::lock_guard guard(lock_);
    while (!entries_.empty()) drop();
  }

 private:
  struct Entry {
    std::vector<int> devices;
    std::vector<ncclComm_t> comms;
  };
  // As a group: destroying one may wait for the others.
  void drop() {
    const Entry entry = std::move(entries_.back());
    entries_.pop_back();
    check(ncclGroupStart(), "ncclGroupStart");
    ncclResult_t result = ncclSuccess;
    for (ncclComm_t comm : entry.comms)
      if (const ncclResult_t one = ncclCommDestroy(comm); one) result = one;
    const ncclResult_t end = ncclGroupEnd();
    check(result ? result : end, "ncclCommDestroy");
  }

  std::mutex lock_;
  std::list<Entry> entries_;
};

// Never destroyed: at that time CUDA may be gone. close() is for Python's atexit.
Cache &cache() {
  static auto &cache = *new Cache;
  return cache;
}

void launch(const Collective &collective, const std::vector<Rank> &ranks, const Call &call,
            const std::vector<ncclComm_t> &comms) {
  for (size_t i = 0; i < ranks.size(); ++i) {
    int device;
    check(ncclCommCuDevice(comms[i], &device), "ncclCommCuDevice");
    if (device != ranks[i].device)
      throw std::runtime_error("communicator " + std::to_string(i) + " is of cuda:" + std::to_string(device) +
                               ", and the tensors are on cuda:" + std::to_string(ranks[i].device));
  }
  // A device that cannot be used raises here: a group that has begun runs what it holds.
  for (const Rank &rank : ranks) const OnDevice on(rank.device);
  // Freed while the collective is on its way, they stay what they are.
  for (const Rank &rank : ranks)
    for (const void *data : {rank.send, static_cast<const void *>(rank.receive)})
      if (data) THC_recordStream(data, rank.stream, rank.device);
  check(ncclGroupStart(), "ncclGroupStart");
  ncclResult_t result = ncclSuccess;
  for (size_t i = 0; i < ranks.size() && !result; ++i) {
    try {
      const OnDevice on(ranks[i].device);
      result = collective.run(ranks[i], call, comms[i]);
    } catch (...) {
      ncclGroupEnd();
      throw;
    }
  }
  const ncclResult_t end = ncclGroupEnd();
  check(result ? result : end, collective.name, comms[0]);
}

// ---- out of Python's objects ------------------------------------------------------------------------
inline constexpr char kCommunicator[] = "torch.cuda.nccl.Communicator";

ncclComm_t communicator(PyObject *capsule) {
  void *const comm = PyCapsule_GetPointer(capsule, kCommunicator);
  if (!comm) throw PythonError();
  return static_cast<ncclComm_t>(comm);
}

std::vector<Rank> ranks_of(PyObject *list) {
  std::vector<Rank> ranks;
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    PyObject *const rank = PyList_GetItem(list, i);
    ranks.push_back({from<int>(item(rank, 0)), from<const void *>(item(rank, 1)), from<void *>(item(rank, 2)),
                     from<THCStream>(item(rank, 3))});
  }
  if (ranks.empty()) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a list of ranks is expected");
    throw PythonError();
  }
  return ranks;
}

// (ranks: [(device, send, receive, stream), …], communicators or None, count, data type, operation, root)
template <const Collective &collective>
PyObject *bound(PyObject *, PyObject *arguments) {
  return guarded([&] {
    PyObject *const comms = item(arguments, 1);
    const std::vector<Rank> ranks = ranks_of(item(arguments, 0));
    const Call call{from<size_t>(item(arguments, 2)), ncclDataType_t(from<int>(item(arguments, 3))),
                    ncclRedOp_t(from<int>(item(arguments, 4))), from<int>(item(arguments, 5))};
    std::vector<ncclComm_t> given;
    if (comms != Py_None)
      for (size_t i = 0; i < ranks.size(); ++i) given.push_back(communicator(PyList_GetItem(comms, Py_ssize_t(i))));
    {
      WithoutGil free;
      if (comms != Py_None) {
        launch(collective, ranks, call, given);
      } else {
        // One at a time: ranks that met in another order on another device would wait for each other for ever.
        const std::lock_guard guard(cache().lock());
        launch(collective, ranks, call, cache().find(ranks));
      }
    }
    return Py_NewRef(Py_None);
  });
}

constexpr Collective all_reduce = {"ncclAllReduce", [](const Rank &r, const Call &c, ncclComm_t comm) {
                                     return ncclAllReduce(r.send, r.receive, c.count, c.type, c.op, comm, r.stream);
                                   }};
constexpr Collective reduce = {"ncclReduce", [](const Rank &r, const Call &c, ncclComm_t comm) {
                                 return ncclReduce(r.send, r.receive, c.count, c.type, c.op, c.root, comm, r.stream);
                               }};
constexpr Collective broadcast = {"ncclBroadcast", [](const Rank &r, const Call &c, ncclComm_t comm) {
                                    return ncclBroadcast(r.send, r.receive, c.count, c.type, c.root, comm, r.stream);
                                  }};
constexpr Collective all_gather = {"ncclAllGather", [](const Rank &r, const Call &c, ncclComm_t comm) {
                                     return ncclAllGather(r.send, r.receive, c.count, c.type, comm, r.stream);
                                   }};
constexpr Collective reduce_scatter = {"ncclReduceScatter", [](const Rank &r, const Call &c, ncclComm_t comm) {
                                         return ncclReduceScatter(r.send, r.receive, c.count, c.type, c.op, comm,
                                                                  r.stream);
                                       }};

// ---- communicators ----------------------------------------------------------------------------------
PyObject *version(PyObject *, PyObject *) {
  return guarded([] {
    int code;
    check(ncclGetVersion(&code), "ncclGetVersion");
    return Py_BuildValue("iiis", code / 10000, code / 100 % 100, code % 100,
                         code == NCCL_VERSION_CODE ? NCCL_SUFFIX : "");
  });
}

PyObject *unique_id(PyObject *, PyObject *) {
  return guarded([] {
    ncclUniqueId id;
    {
      WithoutGil free;
      check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    }
    return PyBytes_FromStringAndSize(id.internal, sizeof(id.internal));
  });
}

void destroy(PyObject *capsule) {
  const auto comm = static_cast<ncclComm_t>(PyCapsule_GetPointer(capsule, kCommunicator));
  WithoutGil free;
  ncclCommDestroy(comm);  // nobody is there to hear of an error
}

PyObject *init_rank(PyObject *, PyObject *arguments) {
  return guarded([&] {
    const int count = from<int>(item(arguments, 0)), rank = from<int>(item(arguments, 2));
    const ncclUniqueId id = id_of(item(arguments, 1));
    ncclComm_t comm;
    {
      WithoutGil free;
      const OnDevice on(-1);  // the runtime may still be on another one than the thread's
      check(ncclCommInitRank(&comm, count, id, rank), "ncclCommInitRank");
    }
    return checked(PyCapsule_New(comm, kCommunicator, destroy));
  });
}

// (communicator): its rank, and how many there are.
PyObject *place(PyObject *, PyObject *capsule) {
  return guarded([&] {
    const ncclComm_t comm = communicator(capsule);
    int rank, count;
    check(ncclCommUserRank(comm, &rank), "ncclCommUserRank", comm);
    check(ncclCommCount(comm, &count), "ncclCommCount", comm);
    return Py_BuildValue("ii", rank, count);
  });
}

void close() {
  cache().clear();
  close_ranks();
}

PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "(major, minor, patch, suffix) of the library."},
    {"unique_id", unique_id, METH_NOARGS, "What ranks find each other by: bytes."},
    {"init_rank", init_rank, METH_VARARGS, "(number of ranks, unique id, rank): a communicator of the current device."},
    {"place", place, METH_O, "(rank, number of ranks) of a communicator."},
    {"all_reduce", bound<all_reduce>, METH_VARARGS, "Every rank gets the reduction of all."},
    {"reduce", bound<reduce>, METH_VARARGS, "The root gets it."},
    {"broadcast", bound<broadcast>, METH_VARARGS, "Every rank gets what the root has."},
    {"all_gather", bound<all_gather>, METH_VARARGS, "Every rank gets what all have."},
    {"reduce_scatter", bound<reduce_scatter>, METH_VARARGS, "Every rank gets a part of the reduction."},
    row<close>("close", "Destroys the communicators of lists of devices."),
    {nullptr, nullptr, 0, nullptr},
};

constexpr std::pair<const char *, int> constants[] = {
    {"Int8", ncclInt8},       {"Uint8", ncclUint8},       {"Int32", ncclInt32},     {"Uint32", ncclUint32},
    {"Int64", ncclInt64},     {"Uint64", ncclUint64},     {"Float16", ncclFloat16}, {"Float32", ncclFloat32},
    {"Float64", ncclFloat64}, {"Bfloat16", ncclBfloat16},
};

}  // namespace

ncclUniqueId id_of(PyObject *object) {
  char *bytes;
  Py_ssize_t length;
  if (PyBytes_AsStringAndSize(object, &bytes, &length) < 0) throw PythonError();
  ncclUniqueId id;
  if (length != Py_ssize_t(sizeof(id.internal)))
    throw std::runtime_error("invalid unique_id (expected " + std::to_string(sizeof(id.internal)) + " bytes, got " +
                             std::to_string(length) + ")");
  std::copy(bytes, bytes + length, id.internal);
  return id;
}

}  // namespace torch::cuda

PyMODINIT_FUNC PyInit__nccl() {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "torch._nccl", nullptr, -1, torch::cuda::functions};
  PyObject *const module = PyModule_Create(&definition);
  if (!module) return nullptr;
  if (PyModule_AddFunctions(module, torch::cuda::rank_functions) < 0) {
    Py_DECREF(module);
    return nullptr;
  }
  for (const auto &[name, value] : torch::cuda::constants)
    if (PyModule_AddIntConstant(module, name, value) < 0) {
      Py_DECREF(module);
      return nullptr;
    }
  return module;
}
