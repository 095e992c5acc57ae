// A kernel, CUB, the runtime and cuBLAS, in a process that has no device.
#include <cstdio>
#include <cub/cub.cuh>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <dlfcn.h>

__global__ void twice(float *numbers) { numbers[threadIdx.x] *= 2; }

int main() {
  int version = 0, count = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess || version != 13000) return 1;
  if (cublasLtGetVersion() / 10000 != 13) return 2;
  twice<<<1, 32>>>(nullptr);
  std::size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, static_cast<int *>(nullptr), static_cast<int *>(nullptr), 1);
  cudaError_t error = cudaGetDeviceCount(&count);
  std::printf("runtime %d, cuBLAS %zu, %d devices: %s\n", version, cublasLtGetVersion(), count,
              cudaGetErrorString(error));
  return count == 0 && error == cudaSuccess ? 3 : 0;
}
