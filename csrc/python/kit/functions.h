// Functions of the torch module that are not operators, each table from its file.
#pragma once

#include <Python.h>

namespace torch::python {

extern PyMethodDef dtype_functions[];   // module/functions.cpp: dtypes, questions, threads
extern PyMethodDef buffer_functions[];  // storage/buffer.cpp: frombuffer
extern PyMethodDef storage_functions[];  // storage/functions.cpp, of torch._C: for torch/storage.py
extern PyMethodDef shared_storage_functions[];  // storage/shared.cpp, of torch._C: for those and torch/multiprocessing
extern PyMethodDef device_functions[];  // values/device.cpp, of torch._C: for torch/_settings.py
extern PyMethodDef generator_functions[];  // values/generator.cpp, of torch._C: for torch/cuda
extern PyMethodDef dlpack_functions[];  // storage/dlpack.cpp, of torch._C: for torch/utils/dlpack.py
extern PyMethodDef autocast_functions[];  // module/autocast.cpp, of torch._C: for torch/_autocast.py
extern PyMethodDef optimizer_functions[];  // module/optimizers.cpp, of torch._C: for torch/optim
extern PyMethodDef dispatch_functions[];  // module/dispatch_mode.cpp, of torch._C
extern PyMethodDef library_functions[];  // module/library.cpp, of torch._C: for torch/_library/native.py
extern PyMethodDef profiler_functions[];  // autograd/profiler.cpp, of torch._C: for torch/autograd/profiler.py

extern bool warn_always;  // set by torch.set_warn_always

PyObject *return_type(const char *op, PyObject *fields);  // torch.return_types.<op>, of a tuple of names; new reference

}  // namespace torch::python
