#include "handle.hpp"

#include <mutex>
#include <unordered_set>

#include "../half.hpp"

namespace hostcuda {
namespace {

std::mutex mutex;
auto &handles = *new std::unordered_set<cublasHandle_t>;

template <class T>
struct Real {
  using Type = T;
};
template <class T>
struct Real<std::complex<T>> {
  using Type = T;
};
template <class From>
From at(const void *p) {
  From value;
  std::memcpy(&value, p, sizeof(value));
  return value;
}
template <class T>
constexpr bool complexNumbers = !std::is_same_v<T, typename Real<T>::Type>;

template <class F>
cublasStatus_t withHandle(cublasHandle_t handle, F &&f) {
  return isHandle(handle) ? f(*handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}

}  // namespace

bool isHandle(cublasHandle_t handle) {
  std::lock_guard<std::mutex> guard(mutex);
  return handles.count(handle) != 0;
}

cublasStatus_t queue(cublasHandle_t handle, const std::function<cudaError_t()> &work) {
  // As a kernel: only a stream of the current device can be given work, and the handle's device is meant.
  int current;
  if (cudaGetDevice(&current) || current != handle->device) return CUBLAS_STATUS_EXECUTION_FAILED;
  return hostcudaTask(handle->stream, work) ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

size_t sizeOf(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 0;
  }
}

bool isComplex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

template <class T>
T load(const void *from, cudaDataType type) {
  using R = typename Real<T>::Type;
  switch (type) {
    case CUDA_R_16F: return T(R(fromHalf(at<uint16_t>(from))));
    case CUDA_R_16BF: return T(R(fromBfloat16(at<uint16_t>(from))));
    case CUDA_R_32F: return T(R(at<float>(from)));
    case CUDA_R_64F: return T(R(at<double>(from)));
    default: break;
  }
  if constexpr (complexNumbers<T>) {
    if (type == CUDA_C_32F) return T(at<std::complex<float>>(from));
    if (type == CUDA_C_64F) {
      const auto z = at<std::complex<double>>(from);
      return T(R(z.real()), R(z.imag()));
    }
  }
  return T();
}

template <class T>
void store(void *to, cudaDataType type, T value) {
  const auto put = [=](auto v) { std::memcpy(to, &v, sizeof(v)); };
  if constexpr (complexNumbers<T>) {
    if (type == CUDA_C_32F)
      put(std::complex<float>(float(value.real()), float(value.imag())));
    else
      put(std::complex<double>(value.real(), value.imag()));
  } else {
    switch (type) {
      case CUDA_R_16F: put(toHalf(float(value))); break;
      case CUDA_R_16BF: put(toBfloat16(float(value))); break;
      case CUDA_R_32F: put(float(value)); break;
      default: put(double(value));
    }
  }
}

#define INSTANTIATE(T) \
  template T load<T>(const void *, cudaDataType); \
  template void store<T>(void *, cudaDataType, T);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::complex<float>)
INSTANTIATE(std::complex<double>)
#undef INSTANTIATE

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define NAME(name, value, text) \
  case CUBLAS_STATUS_##name: return "CUBLAS_STATUS_" #name;
    HOST_CUDA_BLAS_STATUS(NAME)
#undef NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define TEXT(name, value, text) \
  case CUBLAS_STATUS_##name: return text;
    HOST_CUDA_BLAS_STATUS(TEXT)
#undef TEXT
  }
  return "unknown status";
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value || unsigned(type) > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : type == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  int device;
  if (cudaGetDevice(&device)) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext{device, nullptr, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH};
  std::lock_guard<std::mutex> guard(mutex);
  handles.insert(*handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  std::lock_guard<std::mutex> guard(mutex);
  if (!handles.erase(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return withHandle(handle, [=](cublasContext &h) {
    h.stream = stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  return withHandle(handle, [=](cublasContext &h) {
    if (!stream) return CUBLAS_STATUS_INVALID_VALUE;
    *stream = h.stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes) {
  return withHandle(handle, [=](cublasContext &) {
    const bool aligned = reinterpret_cast<uintptr_t>(workspace) % 256 == 0;
    return aligned && (workspace || !bytes) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return withHandle(handle, [=](cublasContext &h) {
    if (unsigned(mode) > CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_INVALID_VALUE;
    h.pointerMode = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
  return withHandle(handle, [=](cublasContext &h) {
    if (!mode) return CUBLAS_STATUS_INVALID_VALUE;
    *mode = h.pointerMode;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return withHandle(handle, [=](cublasContext &h) {
    if (unsigned(mode) & ~19u) return CUBLAS_STATUS_INVALID_VALUE;
    h.math = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  return withHandle(handle, [=](cublasContext &h) {
    if (!mode) return CUBLAS_STATUS_INVALID_VALUE;
    *mode = h.math;
    return CUBLAS_STATUS_SUCCESS;
  });
}

}  // extern "C"
