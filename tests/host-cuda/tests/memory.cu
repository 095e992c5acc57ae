// Allocations, and a machine that cannot use CUDA.
#include <sys/wait.h>
#include <unistd.h>

#include "common.cuh"

namespace {

class Memory : public Cuda {};

TEST_F(Memory, IsCountedAndRunsOut) {
  size_t before, now, total;
  OK(cudaMemGetInfo(&before, &total));
  EXPECT_EQ(before, total);
  char *p = nullptr, *q = reinterpret_cast<char *>(1);
  OK(cudaMalloc(&p, total / 2));
  OK(cudaMemGetInfo(&now, &total));
  EXPECT_EQ(now, total - total / 2);
  EXPECT_EQ(cudaMalloc(&q, total / 2 + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(q, reinterpret_cast<char *>(1));
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  OK(cudaFree(p));
  OK(cudaMalloc(&p, total / 2 + 1));
  OK(cudaFree(p));
  OK(cudaMemGetInfo(&now, &total));
  EXPECT_EQ(now, total);
  OK(cudaSetDevice(1));
  OK(cudaMalloc(&p, total));  // the other device has its own
}

TEST_F(Memory, IsAligned) {
  for (size_t bytes : {1, 100, 5000}) {
    void *p;
    OK(cudaMalloc(&p, bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 512, 0u);
  }
  void *p = &p;
  OK(cudaMalloc(&p, 0));
  EXPECT_EQ(p, nullptr);
  OK(cudaFree(nullptr));
}

TEST_F(Memory, IsFreedOnce) {
  int *p = onDevice(std::vector<int>(4)), *pinned;
  OK(cudaMallocHost(&pinned, 4));
  EXPECT_EQ(cudaFree(p + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(p), cudaErrorInvalidValue);
  OK(cudaFree(p));
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  OK(cudaFreeHost(pinned));
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
}

TEST_F(Memory, OfADeviceIsNotEmpty) {
  unsigned char *p;
  OK(cudaMalloc(&p, 100));
  EXPECT_NE(fromDevice(p, 100), std::vector<unsigned char>(100));
}

TEST_F(Memory, WhatAPointerIs) {
  cudaPointerAttributes a;
  OK(cudaSetDevice(1));
  char *p = onDevice(std::vector<char>(10)), *pinned;
  OK(cudaMallocHost(&pinned, 10));
  OK(cudaPointerGetAttributes(&a, p + 9));
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
  EXPECT_EQ(a.device, 1);
  EXPECT_EQ(a.devicePointer, p + 9);
  EXPECT_EQ(a.hostPointer, nullptr);
  OK(cudaPointerGetAttributes(&a, pinned + 3));
  EXPECT_EQ(a.type, cudaMemoryTypeHost);
  EXPECT_EQ(a.hostPointer, pinned + 3);
  OK(cudaPointerGetAttributes(&a, &a));
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(a.devicePointer, nullptr);
}

TEST_F(Memory, Devices) {
  int count = 0, value = 0;
  cudaDeviceProp p;
  OK(cudaGetDeviceCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(&p, -1), cudaErrorInvalidDevice);
  OK(cudaGetDeviceProperties(&p, 1));
  EXPECT_EQ(p.major * 10 + p.minor, 90);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT_EQ(value, 227 * 1024);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
}

TEST_F(Memory, AForkedChildHasNone) {
  OK(cudaDeviceSynchronize());
  const pid_t child = fork();
  if (child == 0) {
    int count = 77;
    _exit(cudaGetDeviceCount(&count) == cudaErrorInitializationError && count == 77 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// Run with HOST_CUDA_DRIVER or HOST_CUDA_DEVICES=0 in the environment.
TEST(WithoutDevices, SaysSo) {
  const char *driver = std::getenv("HOST_CUDA_DRIVER"), *devices = std::getenv("HOST_CUDA_DEVICES");
  if (!driver && !devices) GTEST_SKIP() << "of a process whose environment takes the driver or the devices away";
  int count = 77, version = -1;
  void *p = &count;
  const cudaError_t error = driver ? cudaErrorInsufficientDriver : cudaErrorNoDevice;
  EXPECT_EQ(cudaGetDeviceCount(&count), error);
  EXPECT_EQ(count, 77);
  EXPECT_EQ(cudaMalloc(&p, 4), error);
  EXPECT_EQ(p, &count);
  EXPECT_EQ(cudaGetLastError(), error);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  OK(cudaDriverGetVersion(&version));
  EXPECT_EQ(version, !driver ? 13000 : driver[0] == 'n' ? 0 : 12040);
}

}  // namespace
