/* What every THC header needs: devices, streams, events, memory, the state of a device.
 *
 * Device numbers count from 0 and are those of the driver. Where a function takes `int device`, -1 is the calling
 * thread's current one. Whatever needs a device raises TH_ERROR_RUNTIME when there is none, with the reason that
 * THC_whyNoDevice gives; an error that the driver reports is raised with its name and the function that met it. */
#ifndef THC_GENERAL_H
#define THC_GENERAL_H

#include <TH/TH.h>

/* One line declares a kernel for a list of dtypes, with the arguments of TH's kernel of that name:
 *     THC_FUNCTION(cadd, all)
 * declares THCudaByteTensor_cadd as THByteTensor_cadd is declared, …, and THCudaTensor_cadd for float. */
#define THC_FUNCTION(op, dtypes) TH_FOR_##dtypes(THC_FUNCTION_, op)
#define THC_FUNCTION_(Name, op) THC_LIKE(TH##Name##Tensor_##op, THC_TENSOR(Name, op))
/* The name of dtype Name's function: THC_TENSOR(Long, cadd) is THCudaLongTensor_cadd, THC_TENSOR(Float, cadd) THCudaTensor_cadd. */
#define THC_TENSOR(Name, op) THC_JOIN(THC_TENSOR_##Name, op)
#define THC_JOIN(before, op) THC_JOIN_(before, op)
#define THC_JOIN_(before, op) before##op
#define THC_TENSOR_Bool THCudaBoolTensor_
#define THC_TENSOR_Byte THCudaByteTensor_
#define THC_TENSOR_Char THCudaCharTensor_
#define THC_TENSOR_Short THCudaShortTensor_
#define THC_TENSOR_Int THCudaIntTensor_
#define THC_TENSOR_Long THCudaLongTensor_
#define THC_TENSOR_Half THCudaHalfTensor_
#define THC_TENSOR_BFloat16 THCudaBFloat16Tensor_
#define THC_TENSOR_Float THCudaTensor_
#define THC_TENSOR_Double THCudaDoubleTensor_
#define THC_TENSOR_ComplexFloat THCudaComplexFloatTensor_
#define THC_TENSOR_ComplexDouble THCudaComplexDoubleTensor_
/* A function that serves every dtype: THC_FOR_ALL(zero) declares THCTensor_zero as THTensor_zero is declared. */
#define THC_FOR_ALL(op) THC_LIKE(THTensor_##op, THCTensor_##op)
/* Declares `name` with the type of the function `model`. A parser that knows C11 alone learns the name. */
#ifdef __cplusplus
#define THC_LIKE(model, name) TH_API decltype(model) name;
#elif defined __GNUC__
#define THC_LIKE(model, name) TH_API __typeof__(model) name;
#else
#define THC_LIKE(model, name) TH_API void name(void);
#endif

/* ---- devices ------------------------------------------------------------------------------------ */
/* How many devices there are. 0, and never an error, on a machine without a driver, with one that is too old, without
 * a card, and in a child of a process that had used CUDA when it forked. */
TH_API int THC_deviceCount(void);
/* Why deviceCount is 0: a text that stays, or NULL. */
TH_API const char *THC_whyNoDevice(void);
/* Raises unless there is a device; registers TH's allocator of the kind TH_CUDA. Called by whoever loads the library. */
TH_API void THC_init(void);
TH_API int THC_getDevice(void);
TH_API void THC_setDevice(int device); /* raises if there is no such device */
TH_API void THC_synchronize(int device); /* raises what kernels have reported: see THC_checkFailure */

typedef struct THCDeviceProperties {
  char name[256];
  unsigned char uuid[16];
  int major, minor; /* compute capability */
  int multiProcessorCount, maxThreadsPerMultiProcessor, warpSize, regsPerMultiprocessor;
  int isIntegrated, isMultiGpuBoard, pciDomain, pciBus, pciDevice, clockRate, memoryClockRate, memoryBusWidth;
  size_t totalMemory, sharedMemoryPerBlock, sharedMemoryPerBlockOptin, sharedMemoryPerMultiprocessor, l2CacheSize;
} THCDeviceProperties;
/* Raises also if this library was compiled for no capability that the device can run. */
TH_API const THCDeviceProperties *THC_deviceProperties(int device);
TH_API bool THC_canAccessPeer(int device, int peer);
TH_API int THC_runtimeVersion(void); /* as CUDA counts: 13000 */
TH_API int THC_driverVersion(void);  /* 0 without a driver */
TH_API const char *THC_compiledArchitectures(void); /* "sm_90 compute_90" */

/* ---- streams ------------------------------------------------------------------------------------
 * NULL is the device's default stream. Every thread has a current stream on each device, at first the default one. */
typedef struct CUstream_st *THCStream; /* a cudaStream_t */
TH_API THCStream THC_currentStream(int device);
TH_API void THC_setCurrentStream(int device, THCStream stream);
/* One of 32 streams that the device has for each priority, in turn; they live as long as the process. A priority below 0 is
 * a high one. */
TH_API THCStream THC_streamFromPool(int device, int priority);
TH_API int THC_streamPriority(THCStream stream, int device);
TH_API void THC_streamPriorityRange(int *least, int *greatest);
TH_API bool THC_streamQuery(THCStream stream, int device); /* has it done all its work? */
TH_API void THC_streamSynchronize(THCStream stream, int device);

/* ---- events: made on the device on which they are first recorded -------------------------------- */
typedef struct THCEvent THCEvent;
TH_API THCEvent *THCEvent_new(bool timing, bool blocking, bool interprocess);
TH_API void THCEvent_free(THCEvent *self); /* NULL is allowed */
TH_API void THCEvent_record(THCEvent *self, THCStream stream, int device);
/* The stream goes on after the event; nothing if that is not recorded. */
TH_API void THCEvent_wait(THCEvent *self, THCStream stream, int device);
TH_API bool THCEvent_query(const THCEvent *self); /* true if not recorded */
TH_API void THCEvent_synchronize(const THCEvent *self);
TH_API double THCEvent_elapsed(const THCEvent *start, const THCEvent *end); /* milliseconds */
TH_API int THCEvent_device(const THCEvent *self); /* -1: not recorded yet */
TH_API void *THCEvent_handle(const THCEvent *self); /* the cudaEvent_t, or NULL */

/* ---- memory -------------------------------------------------------------------------------------
 * Of devices: a caching allocator. A block belongs to the stream that was current when it was allocated, and is handed out
 * again to that stream at once, without waiting for the device. Whoever uses it on another stream says so. */
TH_API void *THC_malloc(size_t nbytes, THCStream stream, int device); /* 512-byte aligned; raises TH_ERROR_MEMORY */
/* Raises nothing. What no block begins at is left alone, and the next call that waits for a device or allocates on one raises
 * it; so it is for THC_freeHost. */
TH_API void THC_free(void *data);
/* Once freed, the block is not given out again before the stream, be it another device's, has done what it had to do by
 * then. Memory that is not this allocator's is left alone. */
TH_API void THC_recordStream(const void *data, THCStream stream, int device);
/* The device that an address lies on, whoever has allocated it; raises if it lies on none. */
TH_API int THC_pointerDevice(const void *data);
TH_API void THC_emptyCache(void); /* gives what no block uses back to the driver */
TH_API void THC_memoryInfo(int device, size_t *free, size_t *total); /* the driver's */
TH_API void THC_setMemoryFraction(int device, double fraction); /* of the total, that may be reserved */
TH_API void THC_resetPeakMemory(int device);
TH_API void THC_resetAccumulatedMemory(int device);

/* Statistics: each has a current value, the greatest since the last reset, and what was ever added and taken away; all
 * blocks, those of the small pool (up to 1 MiB) and those of the large one. */
typedef struct THCStat {
  int64_t current, peak, allocated, freed;
} THCStat;
typedef enum THCPool { THC_POOL_ALL, THC_POOL_SMALL, THC_POOL_LARGE, THC_NUM_POOLS } THCPool;
typedef struct THCMemoryStats {
  THCStat allocation[THC_NUM_POOLS], segment[THC_NUM_POOLS], active[THC_NUM_POOLS], inactive_split[THC_NUM_POOLS];
  THCStat allocated_bytes[THC_NUM_POOLS], reserved_bytes[THC_NUM_POOLS], active_bytes[THC_NUM_POOLS],
      inactive_split_bytes[THC_NUM_POOLS], requested_bytes[THC_NUM_POOLS];
  THCStat oversize_allocations, oversize_segments;
  int64_t num_alloc_retries, num_ooms, num_sync_all_streams, num_device_alloc, num_device_free, max_split_size;
} THCMemoryStats;
TH_API void THC_memoryStats(int device, THCMemoryStats *stats);
/* What the cache holds, for memory_snapshot: calls `segment` for each segment and `block` for each of its blocks, in the
 * order of addresses, while it holds the allocator's lock: neither may allocate. state: 0 inactive, 1 active and
 * allocated, 2 active, awaiting other streams. */
typedef void (*THCSegmentVisitor)(void *context, int device, const void *address, size_t total, THCStream stream,
                                  bool large);
typedef void (*THCBlockVisitor)(void *context, const void *address, size_t size, size_t requested, int state);
TH_API void THC_visitMemory(void *context, THCSegmentVisitor segment, THCBlockVisitor block);

/* Of the host, page-locked, so that copies need not wait: cached, too. */
TH_API void *THC_mallocHost(size_t nbytes);
TH_API void THC_freeHost(void *data);
TH_API bool THC_isPinned(const void *data);
TH_API void THC_recordStreamHost(const void *data, THCStream stream, int device);
TH_API THTensor *THC_newPinned(THDtype dtype, int ndim, const int64_t *size); /* on the CPU, uninitialised */

/* While on, THCTensor_copy between a device and the host does not wait where it need not: the calling thread's setting.
 * Returns the old one. */
TH_API bool THC_setNonBlocking(bool on);

/* ---- the state of a device: made when it is first used, never freed ------------------------------- */
typedef struct THCState THCState;
TH_API THCState *THC_state(int device);
TH_API int THCState_device(const THCState *self);
TH_API THGenerator *THCState_generator(THCState *self); /* the device's default one */
/* A cublasHandle_t that works on the current stream: the calling thread's own. */
TH_API void *THCState_blasHandle(THCState *self);

/* ---- what kernels report --------------------------------------------------------------------------
 * A kernel that meets a bad value (an index out of bounds) writes down the first one and leaves the place as it is; it
 * does not end the process's work with the device. This raises it, once; so do all functions here that wait for a device or
 * copy to the host, and with CUDA_LAUNCH_BLOCKING=1 in the environment every kernel's call itself. */
TH_API void THC_checkFailure(int device);

/* ---- for who writes kernels, by way of src/kit ------------------------------------------------------ */
/* Raises a cudaError_t: its name and text, the call and the function that made it. */
TH_API void THC_raiseError(int error, const char *call, const char *function) __attribute__((noreturn));
/* Makes a device current and returns the one before, which leaveDevice brings back. That raises nothing, and wakes no device
 * which the process has not used. */
TH_API int THC_enterDevice(int device);
TH_API void THC_leaveDevice(int before);
/* After a launch: raises its error, if it has one; with CUDA_LAUNCH_BLOCKING=1 waits for it and raises its failure. The
 * second is for launches that have told their error, a cudaError_t, or 0. */
TH_API void THC_checkLaunch(THCStream stream, const char *function);
TH_API void THC_checkLaunchError(THCStream stream, int error, const char *function);
/* The name of what the calling thread launches, from here on or for the length of a call, of which the outermost one counts:
 * enterOperator returns whether it is that one, which leaves. Failures and errors of launches say it; the pointer is kept. */
TH_API void THC_noteOperator(const char *name);
TH_API bool THC_enterOperator(const char *name);
TH_API void THC_leaveOperator(void);
TH_API void *THC_failureRecord(int device); /* for kernels of the operator noted: see kit/failure.cuh */

#endif
