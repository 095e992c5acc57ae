/* For libraries of the toolkit: work on the host in a stream's order, with the memory of devices open to it. */
#ifndef HOST_CUDA_TASK_H
#define HOST_CUDA_TASK_H

#include <functional>
#include <memory>
#include <vector>

#include "../cuda_runtime_api.h"

/* An error that the work returns ends all work with the device. */
HOST_CUDA_API cudaError_t hostcudaTask(cudaStream_t stream, const std::function<cudaError_t()> &work);
/* When all that a stream holds now is done. */
using hostcudaMoment = std::shared_ptr<const void>;
HOST_CUDA_API cudaError_t hostcudaLast(cudaStream_t stream, hostcudaMoment *last);
/* The same, of work that meets with that of other streams: `may` says whether it may begin, and after which moments. It is asked
   while no other work is done, also in vain; hostcudaChanged() tells that another thread has changed what it says. */
HOST_CUDA_API cudaError_t hostcudaMeet(cudaStream_t stream,
                                       const std::function<bool(std::vector<hostcudaMoment> &)> &may,
                                       const std::function<cudaError_t()> &work);
HOST_CUDA_API void hostcudaChanged();
/* May a kernel of `device` touch these bytes? Asked by the work itself; a refusal is reported on stderr. */
HOST_CUDA_API bool hostcudaMayTouch(int device, const void *pointer, size_t bytes, const char *who);

#endif
