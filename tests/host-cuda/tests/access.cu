// What a kernel may touch, and what the host.
#include "common.cuh"

namespace {

__global__ void put(int *to, int at, int value) { to[at] = value; }
__global__ void copyOne(int *to, const int *from, int at) { *to = from[at]; }
__global__ void shared(int *to, int at) {
  THC_SHARED(int, a, 8);
  a[at] = 1;
  *to = a[at];
}
__global__ void dynamicShared(int *to, int at) {
  THC_DYNAMIC_SHARED(int, a);
  a[at] = 7;
  *to = a[at];
}
struct Many {
  int values[40];
};
__global__ void fromArgument(int *to, Many many, int at) { *to = many.values[at]; }
__global__ void fromStack(int *to, int n) {
  int local[16];
  for (int i = 0; i < 16; i++) local[i] = i * n;
  *to = local[n];
}
__global__ void block(char *to, const char *from, int n) { memcpy(to, from, size_t(n)); }

class Access : public Cuda {};
using AccessDeathTest = Access;

TEST_F(Access, LiveMemoryIsAllowed) {
  int *p = onDevice(std::vector<int>(10));
  OK(launch(put, 1, 1, 0, nullptr, p, 9, 5));
  OK(launch(shared, 1, 1, 0, nullptr, p, 7));
  OK(launch(dynamicShared, 1, 1, 16, nullptr, p + 1, 3));
  OK(launch(fromArgument, 1, 1, 0, nullptr, p + 2, Many{{0, 0, 0, 4}}, 3));
  OK(launch(fromStack, 1, 1, 0, nullptr, p + 3, 4));
  OK(cudaDeviceSynchronize());
  EXPECT_EQ(fromDevice(p, 10), (std::vector<int>{1, 7, 4, 16, 0, 0, 0, 0, 0, 5}));
}

TEST_F(Access, OneElementPastTheEnd) {
  int *p = onDevice(std::vector<int>(10));
  OK(launch(put, 1, 1, 0, nullptr, p, 10, 5));
  expectStop(cudaErrorIllegalAddress, "writes 4 bytes");
}

TEST_F(Access, OneElementBeforeTheBegin) {
  int *p = onDevice(std::vector<int>(10));
  OK(launch(copyOne, 1, 1, 0, nullptr, p, p, -1));
  expectStop(cudaErrorIllegalAddress, "reads 4 bytes");
}

TEST_F(Access, APageIsNotTheEnd) {
  int *p = onDevice(std::vector<int>(1024));  // a whole page: the next one is nobody's
  int *q = onDevice(std::vector<int>(1024));
  ASSERT_NE(p, q);
  OK(launch(put, 1, 1, 0, nullptr, p, 1024, 5));
  expectStop(cudaErrorIllegalAddress, "0 bytes past an allocation of 4096");
}

TEST_F(Access, Null) {
  OK(launch(put, 1, 1, 0, nullptr, nullptr, 0, 5));
  expectStop(cudaErrorIllegalAddress, "a null pointer");
}

TEST_F(Access, MemoryOfTheHost) {
  int *p = onDevice(std::vector<int>(1));
  std::vector<int> mine(1, 3);
  OK(launch(copyOne, 1, 1, 0, nullptr, p, mine.data(), 0));
  expectStop(cudaErrorIllegalAddress, "memory of the host");
}

TEST_F(Access, FreedMemory) {
  int *p = onDevice(std::vector<int>(3));
  OK(cudaFree(p));
  OK(launch(put, 1, 1, 0, nullptr, p, 0, 5));
  expectStop(cudaErrorIllegalAddress, "freed allocation of 12");
}

TEST_F(Access, ThePastOfSharedMemory) {
  int *p = onDevice(std::vector<int>(1));
  OK(launch(shared, 1, 1, 0, nullptr, p, 8));
  expectStop(cudaErrorIllegalAddress, "shared memory, byte 32 of a variable of 32");
}

TEST_F(Access, ThePastOfDynamicSharedMemory) {
  int *p = onDevice(std::vector<int>(1));
  OK(launch(dynamicShared, 1, 1, 16, nullptr, p, 4));
  expectStop(cudaErrorIllegalAddress, "byte 16 of 16 dynamic ones");
}

TEST_F(Access, MemcpyInAKernel) {
  const char *from = onDevice(std::vector<char>(100, 'x'));
  char *to = onDevice(std::vector<char>(100));
  OK(launch(block, 1, 1, 0, nullptr, to, from, 100));
  EXPECT_EQ(fromDevice(to, 100), std::vector<char>(100, 'x'));
  OK(launch(block, 1, 1, 0, nullptr, to, from, 101));
  expectStop(cudaErrorIllegalAddress, "101 bytes");
}

TEST_F(Access, PageLockedMemoryIsMapped) {
  int *pinned, *seen;
  OK(cudaHostAlloc(&pinned, 8, cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer(&seen, pinned, 0));
  pinned[0] = 0;
  OK(launch(put, 1, 1, 0, nullptr, seen, 0, 5));
  EXPECT_EQ(pinned[0], 0);
  OK(cudaDeviceSynchronize());
  EXPECT_EQ(pinned[0], 5);
  std::vector<int> mine(4);
  OK(cudaHostRegister(mine.data(), 16, cudaHostRegisterMapped));
  OK(launch(put, 1, 1, 0, nullptr, mine.data(), 3, 6));
  OK(cudaDeviceSynchronize());
  EXPECT_EQ(mine[3], 6);
  OK(launch(put, 1, 1, 0, nullptr, mine.data(), 4, 6));
  expectStop(cudaErrorIllegalAddress, "memory of the host");
}

TEST_F(Access, PeersMemoryOnceEnabled) {
  int *mine = onDevice(std::vector<int>(1));
  OK(cudaSetDevice(1));
  int *other = onDevice(std::vector<int>{4});
  OK(cudaSetDevice(0));
  OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  OK(launch(copyOne, 1, 1, 0, nullptr, mine, other, 0));
  EXPECT_EQ(fromDevice(mine, 1)[0], 4);
  OK(cudaDeviceDisablePeerAccess(1));
  OK(launch(copyOne, 1, 1, 0, nullptr, mine, other, 0));
  expectStop(cudaErrorIllegalAddress, "device 1");
  OK(cudaSetDevice(1));
  OK(cudaDeviceSynchronize());  // the other device goes on
}

TEST_F(AccessDeathTest, TheHostReadsMemoryOfADevice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  volatile int *p = onDevice(std::vector<int>(1));
  EXPECT_DEATH(static_cast<void>(*p), "the host touched memory of device 0");
}

TEST_F(AccessDeathTest, TheHostWritesMemoryOfADevice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  volatile int *p = onDevice(std::vector<int>(1));
  OK(launch(put, 1, 1, 0, nullptr, const_cast<int *>(p), 0, 5));
  OK(cudaDeviceSynchronize());  // it was open for a while
  EXPECT_DEATH(*p = 1, "the host touched memory of device 0");
}

}  // namespace
