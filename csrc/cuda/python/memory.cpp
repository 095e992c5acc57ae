// torch._cuda: memory of devices, and pinned memory of the host.
#include <vector>

#include "bind.h"

namespace torch::cuda {

namespace {

// ---- counters -----------------------------------------------------------------------------------
void put(PyObject *dict, const char *name, PyObject *owned) {
  checked(owned);
  const int status = PyDict_SetItemString(dict, name, owned);
  Py_DECREF(owned);
  if (status < 0) throw PythonError();
}

PyObject *counter(const THCStat &s) {
  return Py_BuildValue("{s:L,s:L,s:L,s:L}", "current", (long long)s.current, "peak", (long long)s.peak, "allocated",
                       (long long)s.allocated, "freed", (long long)s.freed);
}

void put_pools(PyObject *dict, const char *name, const THCStat (&stats)[THC_NUM_POOLS]) {
  static constexpr const char *names[] = {"all", "small_pool", "large_pool"};
  static_assert(THC_NUM_POOLS == 3);
  PyObject *const pools = checked(PyDict_New());
  put(dict, name, pools);  // which keeps it
  for (int i = 0; i < THC_NUM_POOLS; ++i) put(pools, names[i], counter(stats[i]));
}

PyObject *memory_stats(PyObject *, PyObject *device) {
  return guarded([&] {
    THCMemoryStats s;
    {
      const int index = from<int>(device);
      WithoutGil free;
      THC_memoryStats(index, &s);
    }
    PyObject *const dict = checked(PyDict_New());
    try {
#define POOLS(name) put_pools(dict, #name, s.name)
      POOLS(allocation);
      POOLS(segment);
      POOLS(active);
      POOLS(inactive_split);
      POOLS(allocated_bytes);
      POOLS(reserved_bytes);
      POOLS(active_bytes);
      POOLS(inactive_split_bytes);
      POOLS(requested_bytes);
#undef POOLS
      put(dict, "oversize_allocations", counter(s.oversize_allocations));
      put(dict, "oversize_segments", counter(s.oversize_segments));
#define NUMBER(name) put(dict, #name, PyLong_FromLongLong(s.name))
      NUMBER(num_alloc_retries);
      NUMBER(num_ooms);
      NUMBER(num_sync_all_streams);
      NUMBER(num_device_alloc);
      NUMBER(num_device_free);
      NUMBER(max_split_size);
#undef NUMBER
    } catch (...) {
      Py_DECREF(dict);
      throw;
    }
    return dict;
  });
}

// ---- what the cache holds -----------------------------------------------------------------------
struct Block {
  const void *address;
  size_t size, requested;
  int state;
};
struct Segment {
  int device;
  const void *address;
  size_t total;
  THCStream stream;
  bool large;
  std::vector<Block> blocks;
};

// [{"device": …, "blocks": [{"address": …}, …]}, …]
PyObject *memory_snapshot(PyObject *, PyObject *) {
  return guarded([] {
    std::vector<Segment> segments;
    {
      WithoutGil free;
      THC_visitMemory(
          &segments,
          [](void *to, int device, const void *address, size_t total, THCStream stream, bool large) {
            static_cast<std::vector<Segment> *>(to)->push_back({device, address, total, stream, large, {}});
          },
          [](void *to, const void *address, size_t size, size_t requested, int state) {
            static_cast<std::vector<Segment> *>(to)->back().blocks.push_back({address, size, requested, state});
          });
    }
    static constexpr const char *states[] = {"inactive", "active_allocated", "active_awaiting_free"};
    PyObject *const list = checked(PyList_New(0));
    for (const Segment &s : segments) {
      PyObject *const blocks = PyList_New(0);
      for (const Block &b : s.blocks) {
        PyObject *const block = Py_BuildValue("{s:N,s:n,s:n,s:s}", "address", PyLong_FromVoidPtr((void *)b.address),
                                              "size", Py_ssize_t(b.size), "requested_size", Py_ssize_t(b.requested),
                                              "state", states[b.state]);
        if (block && blocks) PyList_Append(blocks, block);
        Py_XDECREF(block);
      }
      PyObject *const segment = Py_BuildValue("{s:i,s:N,s:n,s:N,s:s,s:N}", "device", s.device, "address",
                                              PyLong_FromVoidPtr((void *)s.address), "total_size", Py_ssize_t(s.total),
                                              "stream", PyLong_FromVoidPtr(s.stream), "segment_type",
                                              s.large ? "large" : "small", "blocks", blocks);
      if (segment) PyList_Append(list, segment);
      Py_XDECREF(segment);
    }
    if (PyErr_Occurred()) {
      Py_DECREF(list);
      throw PythonError();
    }
    return list;
  });
}

PyObject *memory_info(PyObject *, PyObject *device) {
  return guarded([&] {
    size_t left, total;
    {
      const int index = from<int>(device);
      WithoutGil free;
      THC_memoryInfo(index, &left, &total);
    }
    return Py_BuildValue("nn", Py_ssize_t(left), Py_ssize_t(total));
  });
}

// ---- memory of the host -------------------------------------------------------------------------
// (tensor): a tensor of its dtype and shape, contiguous, in pinned memory.
PyObject *empty_pinned(PyObject *, PyObject *object) {
  return guarded([&] {
    const thpp::Tensor *like = torch::python::tensor_in(object);
    if (!like) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "expected a tensor");
      throw PythonError();
    }
    const auto made = [held = *like] {  // whatever becomes of its object meanwhile
      WithoutGil free;
      return thpp::Tensor::steal(THC_newPinned(held.dtype(), held.dim(), held.sizes().data()));
    }();
    return checked(torch::python::object_of(made));
  });
}

}  // namespace

PyMethodDef memory_functions[] = {
    row<THC_malloc>("malloc", "(nbytes, stream, device): an address."),
    row<THC_free>("free", "Gives what malloc gave back."),
    row<THC_recordStream>("record_stream", "(address, stream, device): the block is used there, too."),
    row<THC_pointerDevice>("pointer_device", "The index of the device that an address lies on."),
    row<THC_recordStreamHost>("record_stream_host", "(address, stream, device): the same of pinned memory."),
    row<THC_emptyCache>("empty_cache", "Gives what no block uses back to the driver."),
    {"memory_info", memory_info, METH_O, "(free, total) bytes of a device, as its driver counts."},
    row<THC_setMemoryFraction>("set_memory_fraction", "(device, fraction)"),
    row<THC_resetPeakMemory>("reset_peak_memory", "Starts a device's maxima anew."),
    row<THC_resetAccumulatedMemory>("reset_accumulated_memory", "Sets a device's counters of what came and went to 0."),
    {"memory_stats", memory_stats, METH_O, "A device's counters, as dicts."},
    {"memory_snapshot", memory_snapshot, METH_NOARGS, "What the caches of all devices hold."},
    {"empty_pinned", empty_pinned, METH_O, "A tensor like the given one in pinned memory of the host."},
    row<THC_isPinned>("is_pinned", "Whether an address of the host is in pinned memory."),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::cuda
