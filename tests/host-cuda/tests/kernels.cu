// Launches, the threads of a block, warps, atomics.
#include <algorithm>
#include <numeric>

#include "common.cuh"

namespace {

__global__ void nothing() {}
__global__ void where(uint3 *to) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  to[block * blockDim.x * blockDim.y * blockDim.z + thread] = make_uint3(thread, block, threadIdx.z);
}
__global__ void sum(int *to, const int *from, int n) {
  THC_SHARED(int, parts, 32);
  int value = 0;
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) value += from[i];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned i = 1; i < blockDim.x / 32; i++) value += parts[i];
    *to = value;
  }
}
__global__ void reverse(int *data, int rounds) {
  THC_DYNAMIC_SHARED(int, a);
  for (int i = 0; i < rounds; i++) {
    a[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x] + 1;
    __syncthreads();
  }
}
__global__ void forgetsBarrier(int *data) {
  THC_SHARED(int, a, 64);
  a[threadIdx.x] = int(threadIdx.x);
  data[threadIdx.x] = a[63 - threadIdx.x];
}
__global__ void someAtBarrier(int n) {
  if (int(threadIdx.x) < n) __syncthreads();
}
__global__ void twoBarriers() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}
__global__ void someInWarp(float *to) {
  if (threadIdx.x != 7) to[threadIdx.x] = __shfl_sync(0xffffffffu, 1.0f, 0);
}
__global__ void wrongMask(int *to) { to[threadIdx.x] = __shfl_sync(0x0000ffffu, 1, 0); }
__global__ void votes(int *to) {
  const int i = int(threadIdx.x);
  to[i] = __any_sync(0xffffffffu, i == 5);
  to[32 + i] = __all_sync(0xffffffffu, i == 5);
  to[64 + i] = int(__ballot_sync(0xffffffffu, i % 2));
  to[96 + i] = __syncthreads_count(i < 10);
  to[128 + i] = __syncthreads_or(i == 3) + 2 * __syncthreads_and(i == 3);
  to[160 + i] = __popc(int(__match_any_sync(0xffffffffu, i / 4)));
  __syncwarp();
}
template <class T>
__global__ void shuffles(T *to, T base) {
  const T mine = base + T(threadIdx.x);
  to[threadIdx.x] = __shfl_up_sync(0xffffffffu, mine, 2);
  to[32 + threadIdx.x] = __shfl_down_sync(0xffffffffu, mine, 2, 8);
  to[64 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, mine, 3);
  to[96 + threadIdx.x] = __shfl_sync(0xffffffffu, mine, 1, 16);
}
__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, unsigned short *s) {
  atomicAdd(i, 1);
  atomicMax(i + 1, int(threadIdx.x));
  atomicMin(i + 2, -int(threadIdx.x));
  atomicOr(u, 1u << threadIdx.x % 32);
  atomicXor(u + 1, threadIdx.x);
  atomicAdd(l, 1ull << 32);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  for (unsigned short old = *s, seen;; old = seen)
    if ((seen = atomicCAS(s, old, static_cast<unsigned short>(old + 1))) == old) break;
}
__global__ void asserts(int n) { assert(int(threadIdx.x) < n); }
__global__ void traps() { __trap(); }
__global__ void tooMuchShared(int *to) {
  THC_SHARED(double, a, 4000);
  THC_SHARED(double, b, 4000);
  a[threadIdx.x] = b[threadIdx.x] = 0;
  *to = int(a[0]);
}
__global__ void order(int *count, int *to) {
  if (threadIdx.x == 0) to[blockIdx.x] = atomicAdd(count, 1);
}

class Kernels : public Cuda {};

TEST_F(Kernels, LimitsOfALaunch) {
  EXPECT_EQ(launch(nothing, 1, 1025, 0, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launch(nothing, 1, dim3(32, 33), 0, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(nothing, 1, dim3(1, 1, 65), 0, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(nothing, 0, 1, 0, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(nothing, 1, 0, 0, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(nothing, dim3(1, 65536), 1, 0, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(nothing, 1, 1, 48 * 1024 + 1, nullptr), cudaErrorInvalidValue);
  OK(launch(nothing, 1, 1024, 48 * 1024, nullptr));
  OK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  OK(launch(nothing, 1, 1, 227 * 1024, nullptr));
  EXPECT_EQ(launch(nothing, 1, 1, 227 * 1024 + 1, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1),
            cudaErrorInvalidValue);
  OK(cudaDeviceSynchronize());
}

TEST_F(Kernels, AStreamOfAnotherDevice) {
  cudaStream_t stream;
  OK(cudaSetDevice(1));
  OK(cudaStreamCreate(&stream));
  OK(cudaSetDevice(0));
  EXPECT_EQ(launch(nothing, 1, 1, 0, stream), cudaErrorInvalidResourceHandle);
}

TEST_F(Kernels, ThreadsKnowThemselves) {
  uint3 *p = onDevice(std::vector<uint3>(6 * 24));
  OK(launch(where, dim3(3, 2, 1), dim3(2, 3, 4), 0, nullptr, p));
  const auto seen = fromDevice(p, 6 * 24);
  for (unsigned i = 0; i < seen.size(); i++) {
    EXPECT_EQ(seen[i].x, i % 24);
    EXPECT_EQ(seen[i].y, i / 24);
    EXPECT_EQ(seen[i].z, i % 24 / 6);
  }
}

TEST_F(Kernels, SumOfABlock) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  int *from = onDevice(values), *to = onDevice(std::vector<int>(1));
  for (unsigned threads : {32u, 256u, 1024u}) {
    OK(launch(sum, 1, threads, 0, nullptr, to, from, 1000));
    EXPECT_EQ(fromDevice(to, 1)[0], 500500) << threads;
  }
}

TEST_F(Kernels, Barriers) {
  std::vector<int> values(512);
  std::iota(values.begin(), values.end(), 0);
  int *p = onDevice(values);
  OK(launch(reverse, 1, 512, 512 * sizeof(int), nullptr, p, 101));
  std::reverse(values.begin(), values.end());
  for (int &v : values) v += 101;
  EXPECT_EQ(fromDevice(p, 512), values);
}

TEST_F(Kernels, AForgottenBarrierIsSeen) {
  std::vector<int> values(64);
  int *p = onDevice(values);
  OK(launch(forgetsBarrier, 1, 64, 0, nullptr, p));
  std::iota(values.rbegin(), values.rend(), 0);
  EXPECT_NE(fromDevice(p, 64), values);
}

TEST_F(Kernels, ABarrierThatNotAllReach) {
  OK(launch(someAtBarrier, 1, 64, 0, nullptr, 63));
  expectStop(cudaErrorLaunchFailure, "deadlock: 63 of 64 threads wait at");
}

TEST_F(Kernels, DifferentBarriers) {
  OK(launch(twoBarriers, 1, 64, 0, nullptr));
  expectStop(cudaErrorLaunchFailure, "different barriers");
}

TEST_F(Kernels, ALaneThatDoesNotCome) {
  float *p = onDevice(std::vector<float>(32));
  OK(launch(someInWarp, 1, 32, 0, nullptr, p));
  expectStop(cudaErrorLaunchFailure, "not all lanes of the mask");
}

TEST_F(Kernels, AMaskWithoutTheLaneItself) {
  int *p = onDevice(std::vector<int>(32));
  OK(launch(wrongMask, 1, 32, 0, nullptr, p));
  expectStop(cudaErrorLaunchFailure, "does not name the thread's own lane");
}

TEST_F(Kernels, LanesThatABlockDoesNotHave) {
  int *p = onDevice(std::vector<int>(1000)), *to = onDevice(std::vector<int>(1));
  OK(launch(sum, 1, 48, 0, nullptr, to, p, 1000));
  expectStop(cudaErrorLaunchFailure, "which the block does not have");
}

TEST_F(Kernels, Votes) {
  int *p = onDevice(std::vector<int>(192));
  OK(launch(votes, 1, 32, 0, nullptr, p));
  std::vector<int> want(192, 0);
  std::fill(want.begin(), want.begin() + 32, 1);
  std::fill(want.begin() + 64, want.begin() + 96, int(0xaaaaaaaau));
  std::fill(want.begin() + 96, want.begin() + 128, 10);
  std::fill(want.begin() + 128, want.begin() + 160, 1);
  std::fill(want.begin() + 160, want.end(), 4);
  EXPECT_EQ(fromDevice(p, 192), want);
}

template <class T>
void tryShuffles(T base) {
  T *p = onDevice(std::vector<T>(128));
  OK(launch(shuffles<T>, 1, 32, 0, nullptr, p, base));
  const auto got = fromDevice(p, 128);
  for (int i = 0; i < 32; i++) {
    EXPECT_EQ(got[size_t(i)], base + T(i < 2 ? i : i - 2));
    EXPECT_EQ(got[size_t(32 + i)], base + T(i % 8 < 6 ? i + 2 : i));
    EXPECT_EQ(got[size_t(64 + i)], base + T(i ^ 3));
    EXPECT_EQ(got[size_t(96 + i)], base + T(i / 16 * 16 + 1));
  }
}

TEST_F(Kernels, Shuffles) {
  tryShuffles<int>(-5);
  tryShuffles<unsigned long long>(1ull << 40);
  tryShuffles<float>(0.5f);
  tryShuffles<double>(1e10);
}

TEST_F(Kernels, Atomics) {
  int *i = onDevice(std::vector<int>{0, 0, 0});
  auto *u = onDevice(std::vector<unsigned>{0, 0});
  auto *l = onDevice(std::vector<unsigned long long>{1});
  auto *f = onDevice(std::vector<float>{0});
  auto *d = onDevice(std::vector<double>{0});
  auto *s = onDevice(std::vector<unsigned short>{0});
  OK(launch(atomics, 10, 100, 0, nullptr, i, u, l, f, d, s));
  EXPECT_EQ(fromDevice(i, 3), (std::vector<int>{1000, 99, -99}));
  EXPECT_EQ(fromDevice(u, 2), (std::vector<unsigned>{~0u, 0}));
  EXPECT_EQ(fromDevice(l, 1)[0], 1 + (1000ull << 32));
  EXPECT_EQ(fromDevice(f, 1)[0], 500);
  EXPECT_EQ(fromDevice(d, 1)[0], 250);
  EXPECT_EQ(fromDevice(s, 1)[0], 1000);
}

TEST_F(Kernels, Asserts) {
  OK(launch(asserts, 1, 32, 0, nullptr, 32));
  OK(cudaDeviceSynchronize());
  OK(launch(asserts, 1, 32, 0, nullptr, 31));
  expectStop(cudaErrorAssert, "thread (31, 0, 0)");
}

TEST_F(Kernels, Traps) {
  OK(launch(traps, 1, 1, 0, nullptr));
  expectStop(cudaErrorLaunchFailure, "__trap");
}

#ifdef HOST_CUDA  // NVIDIA's compiler refuses the kernel itself
TEST_F(Kernels, TooMuchStaticSharedMemory) {
  int *p = onDevice(std::vector<int>(1));
  OK(launch(tooMuchShared, 1, 1, 0, nullptr, p));
  expectStop(cudaErrorInvalidValue, "too much shared memory: 64000 static");
}
#endif

TEST_F(Kernels, OrderOfBlocks) {
  int *count = onDevice(std::vector<int>(1)), *to = onDevice(std::vector<int>(100));
  OK(launch(order, 100, 32, 0, nullptr, count, to));
  std::vector<int> got = fromDevice(to, 100), all(100);
  std::iota(all.begin(), all.end(), 0);
  if (std::getenv("HOST_CUDA_ORDER"))
    EXPECT_NE(got, all);
  else
    EXPECT_EQ(got, all);
  std::sort(got.begin(), got.end());
  EXPECT_EQ(got, all);  // each block once
}

TEST_F(Kernels, AttributesAndOccupancy) {
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, sum));
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  int blocks = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 256, 0));
  EXPECT_EQ(blocks, 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 32, 100 * 1024));
  EXPECT_EQ(blocks, 2);
}

}  // namespace
