// What a call costs the host: the functions of the runtime that it calls, which the host CUDA counts.
#include <dlfcn.h>

#include "compare.hpp"
#include "support.hpp"

namespace {

using Count = unsigned long long(const char *);

// Runs a disabled test with one device: with several, each guard asks which is current.
class Calls : public testing::Test {
 protected:
  static Count *count() { return reinterpret_cast<Count *>(dlsym(RTLD_DEFAULT, "hostcudaCalls")); }
  // Calls made by f, when it has been called before: what is made once is there, and blocks are in the cache.
  template <class F>
  static void expectCalls(unsigned long long launches, unsigned long long all, F f) {
    THC_init();
    f();
    f();
    const unsigned long long launchesBefore = count()("cudaLaunchKernel"), before = count()(nullptr);
    f();
    EXPECT_EQ(count()("cudaLaunchKernel") - launchesBefore, launches);
    EXPECT_EQ(count()(nullptr) - before, all);
  }
};

void addOne() {
  static const test::Tensor a = test::onDevice(test::of(TH_Float, {1})), b = test::onDevice(test::of(TH_Float, {2}));
  const test::Tensor r = test::newOnDevice(TH_Float);
  THScalar one = {};
  one.kind = TH_KIND_int;
  one.value.i = 1;
  THCudaTensor_cadd(r, a, one, b);
}
void sumAll() {
  static const test::Tensor a = test::onDevice(test::random(TH_Float, {10, 10}));
  const test::Tensor r = test::newOnDevice(TH_Float);
  THCudaTensor_sum(r, a, TH_ALL_DIMS, false);
}

}  // namespace

TEST_F(Calls, DISABLED_OneDevice) {
  ASSERT_EQ(THC_deviceCount(), 1);
  expectCalls(1, 1, addOne);
  expectCalls(1, 1, sumAll);
  expectCalls(0, 0, [] { THC_free(THC_malloc(1000, nullptr, 0)); });
}
TEST_F(Calls, DISABLED_TwoDevices) {
  ASSERT_EQ(THC_deviceCount(), 2);
  expectCalls(1, 2, addOne);  // and asks once which device is current
  expectCalls(0, 0, [] { THC_free(THC_malloc(1000, nullptr, 0)); });
}
TEST_F(Calls, OfOneElement) {
  if (!count()) GTEST_SKIP() << "CUDA's own runtime counts nothing";
  EXPECT_EQ(runApart("Calls.DISABLED_OneDevice", {"HOST_CUDA_DEVICES=1"}), 0);
  EXPECT_EQ(runApart("Calls.DISABLED_TwoDevices", {"HOST_CUDA_DEVICES=2"}), 0);
}
