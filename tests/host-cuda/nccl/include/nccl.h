/* NCCL's interface, as far as this project calls it: one process, whose communicators are its threads' or its devices'. */
#ifndef HOST_CUDA_NCCL_H
#define HOST_CUDA_NCCL_H

#include <cuda_runtime_api.h>
#include <limits.h>

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 9
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22809
#define NCCL_UNIQUE_ID_BYTES 128

typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
  ncclNumResults = 8
} ncclResult_t;

typedef enum {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
  ncclAvg = 4,
  ncclNumOps = 5, /* those that are made have greater numbers */
  ncclMaxRedOp = 0x7fffffff
} ncclRedOp_t;
typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

typedef enum {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9,
  ncclNumTypes = 12
} ncclDataType_t;

#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_SPLIT_NOCOLOR (-1)
typedef struct {
  size_t size;
  unsigned magic, version;
  int blocking;
} ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER {sizeof(ncclConfig_t), 0xcafebeef, NCCL_VERSION_CODE, NCCL_CONFIG_UNDEF_INT}

HOST_CUDA_API ncclResult_t ncclGetVersion(int *version);
HOST_CUDA_API const char *ncclGetErrorString(ncclResult_t result);
HOST_CUDA_API const char *ncclGetLastError(ncclComm_t comm);

HOST_CUDA_API ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
HOST_CUDA_API ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
HOST_CUDA_API ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices);
HOST_CUDA_API ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                                                  ncclConfig_t *config);
HOST_CUDA_API ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made, ncclConfig_t *config);
HOST_CUDA_API ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error);
HOST_CUDA_API ncclResult_t ncclCommAbort(ncclComm_t comm);
HOST_CUDA_API ncclResult_t ncclCommFinalize(ncclComm_t comm);
HOST_CUDA_API ncclResult_t ncclCommDestroy(ncclComm_t comm);
HOST_CUDA_API ncclResult_t ncclCommCount(ncclComm_t comm, int *count);
HOST_CUDA_API ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device);
HOST_CUDA_API ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank);

HOST_CUDA_API ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                                    ncclScalarResidence_t residence, ncclComm_t comm);
HOST_CUDA_API ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm);

HOST_CUDA_API ncclResult_t ncclGroupStart(void);
HOST_CUDA_API ncclResult_t ncclGroupEnd(void);

HOST_CUDA_API ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                                         ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
HOST_CUDA_API ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                                      ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream);
HOST_CUDA_API ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                                         ncclComm_t comm, cudaStream_t stream);
HOST_CUDA_API ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                                         ncclComm_t comm, cudaStream_t stream);
HOST_CUDA_API ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                                             ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
HOST_CUDA_API ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                                    cudaStream_t stream);
HOST_CUDA_API ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                                    cudaStream_t stream);

#endif
