// What the tests of devices and memory share. They run on the host CUDA of tests/host-cuda and on a device.
#pragma once

#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <THC/THC.h>
#include <TH/THException.hpp>

constexpr size_t kKiB = 1024, kMiB = 1024 * kKiB;

// What a call raises; kind -1: nothing.
struct Raised {
  int kind = -1;
  std::string text;
};
template <class F> Raised raisedBy(F f) try {
  f();
  return {};
} catch (const th::Exception &error) {
  return {error.kind(), error.what()};
}
#define EXPECT_RAISES(expected, part, ...)                                    \
  do {                                                                        \
    const Raised raised = raisedBy([&] { __VA_ARGS__; });                     \
    EXPECT_EQ(raised.kind, int(expected)) << raised.text;                     \
    EXPECT_NE(raised.text.find(part), std::string::npos) << raised.text;      \
  } while (false)

inline bool isHostCuda() { return std::strstr(THC_deviceProperties(0)->name, "Host CUDA") != nullptr; }

inline THCMemoryStats statsOf(int device) {
  THCMemoryStats stats;
  THC_memoryStats(device, &stats);
  return stats;
}

// Work that a stream has before it, and that does not end before the gate is opened. The host CUDA works when it is asked
// and not by itself, so that there a number of tasks does it; and there a task cannot wait for the host.
class Gate {
 public:
  explicit Gate(THCStream stream) : stream_(stream) {
    const int tasks = isHostCuda() ? 100 : 1;
    open_ = isHostCuda();
    for (int i = 0; i < tasks; i++) EXPECT_EQ(cudaLaunchHostFunc(stream, wait, this), cudaSuccess);
  }
  ~Gate() { open(); }
  void open() {
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
    }
    opened_.notify_all();
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  }

 private:
  static void wait(void *self) {
    auto *gate = static_cast<Gate *>(self);
    std::unique_lock lock(gate->mutex_);
    gate->opened_.wait(lock, [=] { return gate->open_; });
  }
  THCStream stream_;
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_;
};

// Runs a disabled test of this program in a process of its own, which begins with these variables ("NAME=value"), and
// returns its exit status.
inline int runApart(const char *test, const std::vector<std::string> &variables) {
  const pid_t child = fork();
  if (child == 0) {
    for (const std::string &variable : variables) putenv(const_cast<char *>(variable.c_str()));
    const std::string filter = std::string("--gtest_filter=") + test;
    execl("/proc/self/exe", "thc_tests", "--gtest_also_run_disabled_tests", "--gtest_brief=1", filter.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

// Begins and ends with an empty cache.
class Memory : public testing::Test {
 protected:
  void SetUp() override {
    THC_init();
    forget();
  }
  void TearDown() override {
    for (int device = 0; device < THC_deviceCount(); device++) THC_setMemoryFraction(device, 1);
    forget();
  }
  static void forget() {
    THC_emptyCache();
    for (int device = 0; device < THC_deviceCount(); device++) {
      THC_resetPeakMemory(device);
      THC_resetAccumulatedMemory(device);
      EXPECT_EQ(statsOf(device).reserved_bytes[THC_POOL_ALL].current, 0);
    }
  }
};
