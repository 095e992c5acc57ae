/* For libraries of the toolkit: work on the host in a stream's order, with the memory of devices open to it. */
#ifndef HOST_CUDA_TASK_H
#define HOST_CUDA_TASK_H

#include <functional>

#include "../cuda_runtime_api.h"

/* An error that the work returns ends all work with the device. */
HOST_CUDA_API cudaError_t hostcudaTask(cudaStream_t stream, const std::function<cudaError_t()> &work);
/* May a kernel of `device` touch these bytes? Asked by the work itself; a refusal is reported on stderr. */
HOST_CUDA_API bool hostcudaMayTouch(int device, const void *pointer, size_t bytes, const char *who);

#endif
