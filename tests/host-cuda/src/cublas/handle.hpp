// A handle, and how elements of a device's memory come to the host and back.
#ifndef HOST_CUDA_SRC_CUBLAS_HANDLE_HPP
#define HOST_CUDA_SRC_CUBLAS_HANDLE_HPP

#include <cublas_v2.h>
#include <host_cuda/task.h>

#include <complex>
#include <cstring>
#include <memory>
#include <vector>

struct cublasContext {
  int device;
  cudaStream_t stream;
  cublasPointerMode_t pointerMode;
  cublasMath_t math;
};

namespace hostcuda {

bool isHandle(cublasHandle_t handle);
// Work in the handle's stream.
cublasStatus_t queue(cublasHandle_t handle, const std::function<cudaError_t()> &work);

size_t sizeOf(cudaDataType type);  // 0: not one of those that are carried out
bool isComplex(cudaDataType type);

// Elements to and from T: float, double, or complex numbers of them.
template <class T>
T load(const void *from, cudaDataType type);
template <class T>
void store(void *to, cudaDataType type, T value);

// alpha or beta: read at once, or by the work, as the pointer mode says.
class Scalar {
 public:
  Scalar(cublasHandle_t handle, const void *pointer, cudaDataType type) : type_(type), device_(handle->device) {
    if (handle->pointerMode == CUBLAS_POINTER_MODE_HOST)
      std::memcpy(host_, pointer, sizeOf(type));
    else
      pointer_ = pointer;
  }
  bool readable() const { return !pointer_ || hostcudaMayTouch(device_, pointer_, sizeOf(type_), "cuBLAS"); }
  template <class T>
  T get() const {
    return load<T>(pointer_ ? pointer_ : host_, type_);
  }

 private:
  cudaDataType type_;
  int device_;
  const void *pointer_ = nullptr;
  char host_[16];
};

}  // namespace hostcuda

#endif
