/* What torch._C calls (csrc/modules/stub.c). */
#pragma once

#include <Python.h>

#include <torch_python/export.h>

#ifdef __cplusplus
extern "C"
#endif
    TORCH_PYTHON_API PyObject *torch_python_init(void);  /* the module; NULL with an error */
