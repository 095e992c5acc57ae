// With AddressSanitizer in place of the toolkit's own checks: what is allowed passes, what is not is found.
#include "common.cuh"

namespace {

__global__ void put(int *to, int at, int value) { to[at] = value; }
__global__ void shared(int *to, int at) {
  THC_SHARED(int, a, 8);
  a[at] = int(threadIdx.x);
  __syncthreads();
  *to = a[at];
}
__global__ void stack(int *to, int at) {
  int local[16];
  for (int i = 0; i < 16; i++) local[i] = i;
  __syncthreads();
  *to = static_cast<volatile int *>(local)[at];
}

class Asan : public Cuda {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Cuda::SetUp();
    p = onDevice(std::vector<int>(10));
  }
  int *p = nullptr;
};

template <class... Arguments>
void run(Arguments... arguments) {
  OK(launch(arguments...));
  OK(cudaDeviceSynchronize());
}

TEST_F(Asan, LiveMemoryIsAllowed) {
  run(put, 1, 1, 0, nullptr, p, 9, 5);
  run(shared, 2, 64, 0, nullptr, p, 7);
  run(stack, 1, 64, 0, nullptr, p, 15);
  EXPECT_EQ(fromDevice(p, 10)[9], 5);
}

TEST_F(Asan, OneElementPastTheEnd) {
  EXPECT_DEATH(run(put, 1, 1, 0, nullptr, p, 10, 5), "AddressSanitizer: use-after-poison");
}

TEST_F(Asan, ThePastOfSharedMemory) {
  EXPECT_DEATH(run(shared, 1, 1, 0, nullptr, p, 8), "AddressSanitizer: use-after-poison");
}

TEST_F(Asan, ThePastOfAnArrayOnTheStack) {
  EXPECT_DEATH(run(stack, 1, 1, 0, nullptr, p, 16), "AddressSanitizer: stack-buffer-overflow");
}

}  // namespace
