// Devices, and their absence.
#include "kit/cuda.hpp"
#include "state/architecture.hpp"
#include "support.hpp"

TEST(Devices, Properties) {
  ASSERT_GT(THC_deviceCount(), 0);
  EXPECT_EQ(THC_whyNoDevice(), nullptr);
  const THCDeviceProperties *p = THC_deviceProperties(0);
  EXPECT_EQ(THC_deviceProperties(-1), p);
  cudaDeviceProp theirs;
  ASSERT_EQ(cudaGetDeviceProperties(&theirs, 0), cudaSuccess);
  EXPECT_STREQ(p->name, theirs.name);
  EXPECT_EQ(p->major, theirs.major);
  EXPECT_EQ(p->minor, theirs.minor);
  EXPECT_EQ(p->warpSize, 32);
  EXPECT_EQ(p->totalMemory, theirs.totalGlobalMem);
  EXPECT_EQ(p->multiProcessorCount, theirs.multiProcessorCount);
  EXPECT_EQ(std::memcmp(p->uuid, &theirs.uuid, 16), 0);
  EXPECT_EQ(THC_runtimeVersion(), CUDART_VERSION);
  EXPECT_GE(THC_driverVersion(), CUDART_VERSION);
  EXPECT_FALSE(THC_canAccessPeer(0, 0));
}

TEST(Devices, NumbersOutOfRange) {
  const int count = THC_deviceCount();
  for (const int device : {count, 200, -2}) {
    EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid device ordinal: " + std::to_string(device), THC_setDevice(device));
    EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid device ordinal", THC_malloc(16, nullptr, device));
    EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid device ordinal", THC_currentStream(device));
    EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid device ordinal", THC_state(device));
    EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid device ordinal", THC_canAccessPeer(0, device));
  }
  EXPECT_EQ(THC_getDevice(), 0);
}

TEST(Devices, GuardBringsBack) {
  if (THC_deviceCount() < 2) GTEST_SKIP() << "one device";
  THC_setDevice(0);
  {
    const thc::DeviceGuard guard(1);
    EXPECT_EQ(THC_getDevice(), 1);
    {
      const thc::DeviceGuard inner(0);
      EXPECT_EQ(THC_getDevice(), 0);
    }
    int theirs = -1;
    ASSERT_EQ(cudaGetDevice(&theirs), cudaSuccess);
    EXPECT_EQ(theirs, 1);
  }
  EXPECT_EQ(THC_getDevice(), 0);
  EXPECT_RAISES(TH_ERROR_MEMORY, "out of memory", {
    const thc::DeviceGuard guard(1);
    THC_malloc(SIZE_MAX / 2, nullptr, 1);
  });
}

// A process that has worked with device 1 only does not begin with device 0 because a guard ends.
TEST(Apart, DISABLED_GuardWakesNothing) {
  {
    const thc::DeviceGuard guard(1);
    THC_free(THC_malloc(16, nullptr, 1));
  }
  EXPECT_EQ(THC_getDevice(), 0);
  int theirs = -1;
  ASSERT_EQ(cudaGetDevice(&theirs), cudaSuccess);
  EXPECT_EQ(theirs, 1);
  // Who asks for the current stream is about to use the device.
  THC_currentStream(-1);
  ASSERT_EQ(cudaGetDevice(&theirs), cudaSuccess);
  EXPECT_EQ(theirs, 0);
}
TEST(Devices, GuardWakesNothing) {
  if (THC_deviceCount() < 2) GTEST_SKIP() << "one device";
  EXPECT_EQ(runApart("Apart.DISABLED_GuardWakesNothing", {}), 0);
}

TEST(Devices, ArchitecturesThatRun) {
  EXPECT_TRUE(thc::runsOn("sm_75 sm_90", 9, 0));
  EXPECT_TRUE(thc::runsOn("sm_80", 8, 6));
  EXPECT_FALSE(thc::runsOn("sm_86", 8, 0));
  EXPECT_FALSE(thc::runsOn("sm_80 sm_90", 10, 0));
  EXPECT_TRUE(thc::runsOn("sm_80 compute_90", 10, 0));
  EXPECT_FALSE(thc::runsOn("sm_80 compute_90", 7, 5));
  EXPECT_TRUE(thc::runsOn("sm_120", 12, 1));
  EXPECT_TRUE(thc::runsOn("sm_90a", 9, 0));
  EXPECT_FALSE(thc::runsOn("sm_100a", 10, 3));
  EXPECT_TRUE(thc::runsOn("sm_100f", 10, 3));
  EXPECT_FALSE(thc::runsOn("", 9, 0));
  EXPECT_NE(std::strlen(THC_compiledArchitectures()), 0u);
}

namespace {

// Nothing is there, and nothing breaks: what does not need a device works, and the rest says why.
void expectNoDevice(const std::string &why) {
  ASSERT_EQ(THC_deviceCount(), 0);
  ASSERT_NE(THC_whyNoDevice(), nullptr);
  EXPECT_NE(std::string(THC_whyNoDevice()).find(why), std::string::npos) << THC_whyNoDevice();
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_init());
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_setDevice(0));
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_getDevice());
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_deviceProperties(0));
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_malloc(16, nullptr, 0));
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_mallocHost(16));
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_streamFromPool(0, 0));
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_state(0));
  EXPECT_RAISES(TH_ERROR_RUNTIME, why, THC_checkFailure(0));
  int here = 0;
  EXPECT_FALSE(THC_isPinned(&here));
  THC_emptyCache();
  THC_free(nullptr);
  EXPECT_EQ(THC_runtimeVersion(), CUDART_VERSION);
}

}  // namespace

TEST(Apart, DISABLED_NoDriver) {
  expectNoDevice("Found no NVIDIA driver on your system");
  EXPECT_EQ(THC_driverVersion(), 0);
}
TEST(Apart, DISABLED_OldDriver) {
  expectNoDevice("The NVIDIA driver on your system is too old (found version 12.4)");
  EXPECT_NE(std::string(THC_whyNoDevice()).find("13.0"), std::string::npos);
}
TEST(Apart, DISABLED_NoDevice) { expectNoDevice("No CUDA GPUs are available"); }
TEST(Devices, Missing) {
  if (!isHostCuda()) GTEST_SKIP() << "a real driver is as it is";
  EXPECT_EQ(runApart("Apart.DISABLED_NoDriver", {"HOST_CUDA_DRIVER=none"}), 0);
  EXPECT_EQ(runApart("Apart.DISABLED_OldDriver", {"HOST_CUDA_DRIVER=old"}), 0);
  EXPECT_EQ(runApart("Apart.DISABLED_NoDevice", {"HOST_CUDA_DEVICES=0"}), 0);
}

// In a child of a process that has used CUDA nothing of it works, and what it inherited goes away without a trace.
TEST(Devices, Fork) {
  THC_init();
  void *block = THC_malloc(16, nullptr, 0);
  void *shared = THC_malloc(16, nullptr, 0);
  THC_recordStream(shared, THC_streamFromPool(0, 0), 0);
  void *host = THC_mallocHost(16);
  THCEvent *event = THCEvent_new(false, false, false);
  THCEvent_record(event, nullptr, 0);
  const pid_t child = fork();
  if (child == 0) {
    expectNoDevice("Cannot re-initialize CUDA in forked subprocess");
    THC_free(block);
    THC_free(shared);
    THC_freeHost(host);
    THCEvent_free(event);
    _exit(testing::Test::HasFailure());
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_GT(THC_deviceCount(), 0);
  THC_free(block);
  THC_free(shared);
  THC_freeHost(host);
  THCEvent_free(event);
}
