// What kernels report.
#include <thread>

#include "failure.hpp"
#include "kit/failure.cuh"
#include "support.hpp"

namespace {

// A vector on a device for the length of a test.
struct Indices {
  int64_t *data;
  int n;
  int device;
  Indices(std::vector<int64_t> values, int device = 0)
      : data(static_cast<int64_t *>(THC_malloc(values.size() * 8, nullptr, device))), n(int(values.size())),
        device(device) {
    EXPECT_EQ(cudaMemcpy(data, values.data(), values.size() * 8, cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~Indices() { THC_free(data); }
  void check(const char *name, int64_t size, int dim = 0) const {
    const int before = THC_enterDevice(device);
    thc::noteOperator(name);
    launchReporting(data, n, size, dim, thc::failureOf(device), nullptr);
    THC_leaveDevice(before);
  }
};

}  // namespace

TEST(Failure, RaisedOnceWithItsValues) {
  const Indices indices({1, 7, 2});
  indices.check("index_select", 8);
  THC_synchronize(0);
  indices.check("index_select", 5, 3);
  EXPECT_RAISES(TH_ERROR_INDEX,
                "index 7 is out of bounds for dimension 3 with size 5 (reported by index_select on cuda:0)",
                THC_synchronize(0));
  THC_synchronize(0);
  THC_checkFailure(0);
  // The device goes on, and the next one is raised, too.
  indices.check("gather", 7, 1);
  EXPECT_RAISES(TH_ERROR_INDEX, "index 7 is out of bounds for dimension 1 with size 7 (reported by gather on cuda:0)",
                THC_streamSynchronize(nullptr, 0));
}

TEST(Failure, TheFirstWins) {
  const Indices first({9}), second({8});
  first.check("first", 5);
  second.check("second", 5);
  EXPECT_RAISES(TH_ERROR_INDEX, "index 9 is out of bounds for dimension 0 with size 5 (reported by first",
                THC_synchronize(0));
  THC_synchronize(0);
  // One of many threads.
  const Indices many(std::vector<int64_t>(1000, 6));
  many.check("many", 5);
  EXPECT_RAISES(TH_ERROR_INDEX, "index 6 is", THC_synchronize(0));
  THC_synchronize(0);
}

// Kernels may still run when one's failure is raised. So the host writes none of the words that they write.
TEST(Failure, TheRecordIsTheDevices) {
  const Indices indices({9});
  const auto record = [] {
    thc::Failure own, first;
    EXPECT_EQ(cudaMemcpy(&own, thc::failureOf(0), sizeof own, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&first, own.first, sizeof first, cudaMemcpyDefault), cudaSuccess);
    return std::string(reinterpret_cast<const char *>(&first), sizeof first);
  };
  indices.check("take", 5);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  const std::string reported = record();
  EXPECT_RAISES(TH_ERROR_INDEX, "index 9 is", THC_checkFailure(0));
  EXPECT_EQ(record(), reported);
  // What it has not taken yet stays, and what comes after that does not.
  indices.check("take", 6);
  indices.check("take", 7);
  EXPECT_RAISES(TH_ERROR_INDEX, "with size 6", THC_synchronize(0));
  THC_synchronize(0);
}

TEST(Failure, NamesOfCalls) {
  const Indices indices({3});
  const auto report = [&] { launchReporting(indices.data, 1, 2, 0, thc::failureOf(0), nullptr); };
  {
    const thc::Operator outer("outer");
    const thc::Operator inner("inner");
    report();
  }
  EXPECT_RAISES(TH_ERROR_INDEX, "reported by outer", THC_synchronize(0));
  report();  // the name is no more
  EXPECT_RAISES(TH_ERROR_INDEX, "reported by a kernel", THC_synchronize(0));
}

TEST(Failure, NamesAreTheThreads) {
  const Indices indices({3});
  thc::noteOperator("mine");
  std::thread([&] { indices.check("other", 10); }).join();
  launchReporting(indices.data, 1, 2, 0, thc::failureOf(0), nullptr);
  EXPECT_RAISES(TH_ERROR_INDEX, "reported by mine", THC_synchronize(0));
  thc::noteOperator(nullptr);
  launchReporting(indices.data, 1, 2, 0, thc::failureOf(0), nullptr);
  EXPECT_RAISES(TH_ERROR_INDEX, "reported by a kernel", THC_synchronize(0));
}

// More names than there are records: later ones are not told, and the rest of the report is.
TEST(Apart, DISABLED_ManyNames) {
  THC_init();
  const Indices indices({3});
  static char names[3000][8];
  for (auto &name : names) {
    std::strcpy(name, "many");
    indices.check(name, 10);
  }
  for (const auto &[name, told] : {std::pair(names[0], "by many"), std::pair(names[2999], "by a kernel")}) {
    indices.check(name, 2);
    EXPECT_RAISES(TH_ERROR_INDEX, std::string("index 3 is out of bounds for dimension 0 with size 2 (reported ") + told,
                  THC_synchronize(0));
  }
}
TEST(Failure, ManyNames) { EXPECT_EQ(runApart("Apart.DISABLED_ManyNames", {}), 0); }

TEST(Failure, Numbers) {
  thc::noteOperator("poisson");
  launchRate(-2.5, thc::failureOf(0), nullptr);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid Poisson rate, expected rate to be non-negative, got -2.5",
                THC_synchronize(0));
}

TEST(Failure, OfOneDevice) {
  if (THC_deviceCount() < 2) GTEST_SKIP() << "one device";
  const Indices indices({5}, 1);
  indices.check("take", 2);
  THC_synchronize(0);
  EXPECT_RAISES(TH_ERROR_INDEX, "(reported by take on cuda:1)", THC_synchronize(1));
}

TEST(Failure, EventsRaiseIt) {
  const Indices indices({5});
  indices.check("take", 2);
  THCEvent *event = THCEvent_new(false, false, false);
  THCEvent_record(event, nullptr, 0);
  EXPECT_RAISES(TH_ERROR_INDEX, "index 5", THCEvent_synchronize(event));
  THCEvent_free(event);
}

TEST(Apart, DISABLED_LaunchBlocking) {
  THC_init();
  const Indices indices({5});
  EXPECT_RAISES(TH_ERROR_INDEX, "index 5 is out of bounds for dimension 0 with size 2 (reported by take on cuda:0)",
                indices.check("take", 2));
  THC_leaveDevice(0);
  THC_synchronize(0);
}
// What ends a kernel is an error of the driver's, which says nothing of the operator.
TEST(Apart, DISABLED_LaunchBlockingTrap) {
  THC_init();
  const thc::Operator named("cadd");
  EXPECT_RAISES(TH_ERROR_RUNTIME, "of a launch in cadd", launchTrap(nullptr));
}
TEST(Failure, LaunchBlockingTrap) {
  EXPECT_EQ(runApart("Apart.DISABLED_LaunchBlockingTrap", {"CUDA_LAUNCH_BLOCKING=1"}), 0);
}
TEST(Failure, LaunchBlocking) { EXPECT_EQ(runApart("Apart.DISABLED_LaunchBlocking", {"CUDA_LAUNCH_BLOCKING=1"}), 0); }

TEST(Failure, ErrorsOfTheDriver) {
  EXPECT_RAISES(TH_ERROR_RUNTIME, "CUDA error: invalid argument (cudaErrorInvalidValue of the call in the function)",
                THC_raiseError(cudaErrorInvalidValue, "the call", "the function"));
  EXPECT_RAISES(TH_ERROR_RUNTIME, THC_compiledArchitectures(),
                THC_raiseError(cudaErrorNoKernelImageForDevice, "the call", "the function"));
}
