/* The CUDA runtime's C interface, as far as it is carried out here: version 13.0. See ../README.md. */
#ifndef HOST_CUDA_RUNTIME_API_H
#define HOST_CUDA_RUNTIME_API_H

#include <stddef.h>

#include "host_cuda/errors.h"
#include "library_types.h"
#include "vector_types.h"

#define HOST_CUDA 1
#define CUDART_VERSION 13000

#ifdef __cplusplus
#define HOST_CUDA_DEFAULT(value) = value
#define HOST_CUDA_API extern "C" __attribute__((visibility("default")))
#else
#define HOST_CUDA_DEFAULT(value)
#define HOST_CUDA_API __attribute__((visibility("default")))
#endif

#define HOST_CUDA_ERROR(name, value, text) cudaError##name = value,
typedef enum cudaError { cudaSuccess = 0, HOST_CUDA_ERRORS(HOST_CUDA_ERROR) } cudaError;
#undef HOST_CUDA_ERROR
typedef enum cudaError cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;
typedef CUuuid cudaUUID_t;

#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaHostRegisterReadOnly 8
#define cudaPeerAccessDefault 0
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventWaitDefault 0
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaIpcMemLazyEnablePeerAccess 1
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

typedef enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
} cudaMemoryType;
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
} cudaMemcpyKind;
typedef struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
} cudaPointerAttributes;
typedef struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
} cudaFuncAttributes;
#define cudaEnableDefault 0
typedef enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
} cudaDriverEntryPointQueryResult;
typedef enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;
typedef enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrCanMapHostMemory = 19,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrPciBusId = 33,
  cudaDevAttrPciDeviceId = 34,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrPciDomainId = 50,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrStreamPrioritiesSupported = 78,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrIsMultiGpuBoard = 84,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrHostRegisterSupported = 99,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMemoryPoolsSupported = 115
} cudaDeviceAttr;

/* The fields of 13.0 that programs ask for. clockRate, memoryClockRate and others left it in 13.0: attributes tell them. */
typedef struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment;
  int multiProcessorCount, integrated, canMapHostMemory, concurrentKernels, ECCEnabled;
  int pciBusID, pciDeviceID, pciDomainID, asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize;
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int pageableMemoryAccess, concurrentManagedAccess, cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int maxBlocksPerMultiProcessor;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, memoryPoolsSupported, ipcEventSupported, clusterLaunch;
} cudaDeviceProp;

typedef struct cudaIpcMemHandle_st {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
  char reserved[64];
} cudaIpcEventHandle_t;
typedef void (*cudaHostFn_t)(void *userData);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);

/* ---- errors and versions */
HOST_CUDA_API cudaError_t cudaGetLastError(void);
HOST_CUDA_API cudaError_t cudaPeekAtLastError(void);
HOST_CUDA_API const char *cudaGetErrorName(cudaError_t error);
HOST_CUDA_API const char *cudaGetErrorString(cudaError_t error);
HOST_CUDA_API cudaError_t cudaRuntimeGetVersion(int *version);
HOST_CUDA_API cudaError_t cudaDriverGetVersion(int *version);
HOST_CUDA_API cudaError_t
cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                 cudaDriverEntryPointQueryResult *found HOST_CUDA_DEFAULT(nullptr));

/* ---- devices */
HOST_CUDA_API cudaError_t cudaGetDeviceCount(int *count);
HOST_CUDA_API cudaError_t cudaGetDevice(int *device);
HOST_CUDA_API cudaError_t cudaSetDevice(int device);
HOST_CUDA_API cudaError_t cudaGetDeviceFlags(unsigned *flags);
HOST_CUDA_API cudaError_t cudaSetDeviceFlags(unsigned flags);
HOST_CUDA_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
HOST_CUDA_API cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
HOST_CUDA_API cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
HOST_CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
HOST_CUDA_API cudaError_t cudaDeviceSynchronize(void);
HOST_CUDA_API cudaError_t cudaDeviceReset(void);
HOST_CUDA_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
HOST_CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
HOST_CUDA_API cudaError_t cudaDeviceDisablePeerAccess(int peer);

/* ---- memory */
HOST_CUDA_API cudaError_t cudaMalloc(void **pointer, size_t bytes);
HOST_CUDA_API cudaError_t cudaFree(void *pointer);
HOST_CUDA_API cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
HOST_CUDA_API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
HOST_CUDA_API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
HOST_CUDA_API cudaError_t cudaMallocHost(void **pointer, size_t bytes);
HOST_CUDA_API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
HOST_CUDA_API cudaError_t cudaFreeHost(void *pointer);
HOST_CUDA_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
HOST_CUDA_API cudaError_t cudaHostGetFlags(unsigned *flags, void *host);
HOST_CUDA_API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
HOST_CUDA_API cudaError_t cudaHostUnregister(void *pointer);
HOST_CUDA_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
HOST_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);
HOST_CUDA_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
HOST_CUDA_API cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags);
HOST_CUDA_API cudaError_t cudaIpcCloseMemHandle(void *pointer);
HOST_CUDA_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
HOST_CUDA_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

/* ---- copies */
HOST_CUDA_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
HOST_CUDA_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t stream HOST_CUDA_DEFAULT(0));
HOST_CUDA_API cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                       size_t height, cudaMemcpyKind kind);
HOST_CUDA_API cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                            size_t height, cudaMemcpyKind kind,
                                            cudaStream_t stream HOST_CUDA_DEFAULT(0));
HOST_CUDA_API cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes);
HOST_CUDA_API cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                                              cudaStream_t stream HOST_CUDA_DEFAULT(0));
HOST_CUDA_API cudaError_t cudaMemset(void *to, int value, size_t bytes);
HOST_CUDA_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream HOST_CUDA_DEFAULT(0));
HOST_CUDA_API cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
HOST_CUDA_API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                            cudaStream_t stream HOST_CUDA_DEFAULT(0));

/* ---- streams */
HOST_CUDA_API cudaError_t cudaStreamCreate(cudaStream_t *stream);
HOST_CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
HOST_CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
HOST_CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
HOST_CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream);
HOST_CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
HOST_CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                              unsigned flags HOST_CUDA_DEFAULT(0));
HOST_CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
HOST_CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
HOST_CUDA_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
HOST_CUDA_API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
HOST_CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                                unsigned flags);
HOST_CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *userData);
typedef enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
} cudaStreamCaptureStatus;
HOST_CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);

/* ---- events */
HOST_CUDA_API cudaError_t cudaEventCreate(cudaEvent_t *event);
HOST_CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
HOST_CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event);
HOST_CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream HOST_CUDA_DEFAULT(0));
HOST_CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event);
HOST_CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
HOST_CUDA_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* ---- not CUDA's: how often this process has called a function of the runtime, such as "cudaLaunchKernel"; NULL: all of
 * them. Those that only translate an error to text do not count. */
HOST_CUDA_API unsigned long long hostcudaCalls(const char *function);

#endif
