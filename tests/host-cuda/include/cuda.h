/* The driver's interface, as far as it is carried out here: modules and their kernels. Its functions are reached by
 * cudaGetDriverEntryPointByVersion alone; there is no libcuda to link. */
#ifndef HOST_CUDA_DRIVER_H
#define HOST_CUDA_DRIVER_H

#include "cuda_runtime_api.h"

#define CUDA_VERSION 13000

/* The error codes: X(name without CUDA_ERROR_, value, what it says). The numbers are CUDA's. */
#define HOST_CUDA_DRIVER_ERRORS(X) \
  X(INVALID_VALUE, 1, "invalid argument") \
  X(OUT_OF_MEMORY, 2, "out of memory") \
  X(NOT_INITIALIZED, 3, "initialization error") \
  X(NO_DEVICE, 100, "no CUDA-capable device is detected") \
  X(INVALID_IMAGE, 200, "device kernel image is invalid") \
  X(NO_BINARY_FOR_GPU, 209, "no kernel image is available for execution on the device") \
  X(INVALID_PTX, 218, "a PTX JIT compilation failed") \
  X(OPERATING_SYSTEM, 304, "OS call failed or operation not supported on this OS") \
  X(INVALID_HANDLE, 400, "invalid resource handle") \
  X(NOT_FOUND, 500, "named symbol not found") \
  X(ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered") \
  X(LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch") \
  X(ASSERT, 710, "device-side assert triggered") \
  X(LAUNCH_FAILED, 719, "unspecified launch failure") \
  X(NOT_PERMITTED, 800, "operation not permitted") \
  X(NOT_SUPPORTED, 801, "operation not supported") \
  X(UNKNOWN, 999, "unknown error")

#define HOST_CUDA_ERROR(name, value, text) CUDA_ERROR_##name = value,
typedef enum cudaError_enum { CUDA_SUCCESS = 0, HOST_CUDA_DRIVER_ERRORS(HOST_CUDA_ERROR) } CUresult;
#undef HOST_CUDA_ERROR

typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef enum CUfunction_attribute {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;

/* Their types, for whoever casts an entry point. */
#ifdef __cplusplus
extern "C" {
#endif
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **parameters,
                        void **extra);
#ifdef __cplusplus
}
#endif

#endif
