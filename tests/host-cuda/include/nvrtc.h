/* NVRTC's interface, as far as it is carried out here: by this toolkit's own nvcc. */
#ifndef HOST_CUDA_NVRTC_H
#define HOST_CUDA_NVRTC_H

#include <stddef.h>

#ifdef __cplusplus
#define HOST_CUDA_NVRTC extern "C" __attribute__((visibility("default")))
#else
#define HOST_CUDA_NVRTC __attribute__((visibility("default")))
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

HOST_CUDA_NVRTC const char *nvrtcGetErrorString(nvrtcResult result);
HOST_CUDA_NVRTC nvrtcResult nvrtcVersion(int *major, int *minor);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetNumSupportedArchs(int *count);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetSupportedArchs(int *architectures);
HOST_CUDA_NVRTC nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                                               int numHeaders, const char *const *headers,
                                               const char *const *includeNames);
HOST_CUDA_NVRTC nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
HOST_CUDA_NVRTC nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
HOST_CUDA_NVRTC nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int numOptions, const char *const *options);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
HOST_CUDA_NVRTC nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

#endif
