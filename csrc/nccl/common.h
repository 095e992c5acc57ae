// What the files of torch._nccl share. Errors are RuntimeErrors with NCCL's words; the interpreter's lock is free while
// NCCL works.
#pragma once

#include "../cuda/python/bind.h"

#include <nccl.h>

#include <stdexcept>
#include <string>

namespace torch::cuda {

inline std::string text_of(ncclResult_t result, const char *call, ncclComm_t comm = nullptr) {
  const char *const last = ncclGetLastError(comm);
  std::string text = "NCCL Error " + std::to_string(int(result)) + ": " + ncclGetErrorString(result) + " (" + call;
  // Of this call, or of an earlier one: NCCL does not say.
  if (last && *last) text += std::string("; last reported: ") + last;
  return text + ")";
}

inline void check(ncclResult_t result, const char *call, ncclComm_t comm = nullptr) {
  if (result != ncclSuccess) throw std::runtime_error(text_of(result, call, comm));
}

// The device that is current while it lives.
class OnDevice {
 public:
  explicit OnDevice(int device) : before_(THC_enterDevice(device)) {}
  ~OnDevice() { THC_leaveDevice(before_); }
  OnDevice(const OnDevice &) = delete;

 private:
  int before_;
};

inline PyObject *item(PyObject *tuple, Py_ssize_t i) {
  PyObject *const found = PyTuple_GetItem(tuple, i);
  if (!found) throw PythonError();
  return found;
}

ncclUniqueId id_of(PyObject *bytes);  // module.cpp

extern PyMethodDef rank_functions[];  // ranks.cpp
void close_ranks();

}  // namespace torch::cuda
