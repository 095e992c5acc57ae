// NCCL: collectives of ranks that are devices, driven by one thread or by one for each.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace {

#define OK(call) ASSERT_EQ(call, cudaSuccess)
#define NCCL(call) ASSERT_EQ(call, ncclSuccess) << ncclGetLastError(nullptr)

template <class T>
T *onDevice(int device, const std::vector<T> &values) {
  T *p = nullptr;
  EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, values.size() * sizeof(T)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  return p;
}

template <class T>
std::vector<T> fromDevice(int device, const T *p, size_t n) {
  std::vector<T> values(n);
  EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return values;
}

using Floats = std::vector<float>;

class Nccl : public testing::Test {
 protected:
  void SetUp() override {
    for (int device : {1, 0}) {
      OK(cudaSetDevice(device));
      OK(cudaDeviceReset());
    }
    NCCL(ncclCommInitAll(comms, 2, nullptr));
  }
  void TearDown() override {
    for (ncclComm_t comm : comms) NCCL(ncclCommDestroy(comm));
  }
  // f(rank) for both, in a group, each on its device; the group's result.
  template <class F>
  ncclResult_t both(F &&f) {
    EXPECT_EQ(ncclGroupStart(), ncclSuccess);
    for (int rank : {0, 1}) {
      EXPECT_EQ(cudaSetDevice(rank), cudaSuccess);
      f(rank);
    }
    return ncclGroupEnd();
  }
  ncclComm_t comms[2];
};

TEST_F(Nccl, KnowsItsRanks) {
  int version, value;
  NCCL(ncclGetVersion(&version));
  EXPECT_EQ(version, NCCL_VERSION_CODE);
  for (int rank : {0, 1}) {
    NCCL(ncclCommUserRank(comms[rank], &value));
    EXPECT_EQ(value, rank);
    NCCL(ncclCommCuDevice(comms[rank], &value));
    EXPECT_EQ(value, rank);
    NCCL(ncclCommCount(comms[rank], &value));
    EXPECT_EQ(value, 2);
  }
  EXPECT_STREQ(ncclGetErrorString(ncclInvalidArgument), "invalid argument");
}

TEST_F(Nccl, AllReduce) {
  const Floats wanted[] = {{4, -12}, {3, 27}, {3, -3}, {1, -9}, {2, -6}};
  for (int op = ncclSum; op < ncclNumOps; op++) {
    float *data[] = {onDevice<float>(0, {1, -3}), onDevice<float>(1, {3, -9})};
    NCCL(both([&](int i) { ncclAllReduce(data[i], data[i], 2, ncclFloat32, ncclRedOp_t(op), comms[i], nullptr); }));
    for (int rank : {0, 1}) EXPECT_EQ(fromDevice(rank, data[rank], 2), wanted[op]) << op;
  }
}

TEST_F(Nccl, OtherTypes) {
  uint16_t *half[] = {onDevice<uint16_t>(0, {0x3c00}), onDevice<uint16_t>(1, {0x4000})};  // 1, 2
  NCCL(both([&](int i) { ncclAllReduce(half[i], half[i], 1, ncclFloat16, ncclSum, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(1, half[1], 1)[0], 0x4200);
  uint16_t *short16[] = {onDevice<uint16_t>(0, {0x3f80}), onDevice<uint16_t>(1, {0x4000})};
  NCCL(both([&](int i) { ncclAllReduce(short16[i], short16[i], 1, ncclBfloat16, ncclSum, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, short16[0], 1)[0], 0x4040);
  int64_t *whole[] = {onDevice<int64_t>(0, {int64_t(1) << 60}), onDevice<int64_t>(1, {1})};
  NCCL(both([&](int i) { ncclAllReduce(whole[i], whole[i], 1, ncclInt64, ncclSum, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, whole[0], 1)[0], (int64_t(1) << 60) + 1);
}

TEST_F(Nccl, TheOthers) {
  float *a[] = {onDevice<float>(0, {1, 2}), onDevice<float>(1, {10, 20})};
  float *b[] = {onDevice<float>(0, {0, 0, 0, 0}), onDevice<float>(1, {0, 0, 0, 0})};
  NCCL(both([&](int i) { ncclAllGather(a[i], b[i], 2, ncclFloat32, comms[i], nullptr); }));
  for (int rank : {0, 1}) EXPECT_EQ(fromDevice(rank, b[rank], 4), (Floats{1, 2, 10, 20}));
  NCCL(both([&](int i) { ncclReduceScatter(a[i], b[i], 1, ncclFloat32, ncclSum, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, b[0], 2), (Floats{11, 2}));
  EXPECT_EQ(fromDevice(1, b[1], 2), (Floats{22, 2}));
  NCCL(both([&](int i) { ncclReduce(a[i], i ? b[i] : nullptr, 2, ncclFloat32, ncclSum, 1, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(1, b[1], 2), (Floats{11, 22}));
  EXPECT_EQ(fromDevice(0, b[0], 2), (Floats{11, 2}));
  NCCL(both([&](int i) { ncclBroadcast(a[i], a[i], 2, ncclFloat32, 1, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, a[0], 2), (Floats{10, 20}));
}

TEST_F(Nccl, IsInTheOrderOfTheStreams) {
  float *data[] = {onDevice<float>(0, {1}), onDevice<float>(1, {2})}, *host;
  OK(cudaMallocHost(&host, 4));
  cudaStream_t streams[2];
  *host = 5;
  for (int rank : {0, 1}) {
    OK(cudaSetDevice(rank));
    OK(cudaStreamCreateWithFlags(&streams[rank], cudaStreamNonBlocking));
  }
  // The second rank's number is on its way when the collective is called.
  OK(cudaMemcpyAsync(data[1], host, 4, cudaMemcpyHostToDevice, streams[1]));
  NCCL(both([&](int i) { ncclAllReduce(data[i], data[i], 1, ncclFloat32, ncclSum, comms[i], streams[i]); }));
  *host = -1;
  OK(cudaMemcpyAsync(host, data[0], 4, cudaMemcpyDeviceToHost, streams[0]));
  EXPECT_EQ(*host, -1) << "nobody has waited";
  *host = 5;  // what the first copy reads
  OK(cudaSetDevice(0));
  OK(cudaStreamSynchronize(streams[0]));
  EXPECT_EQ(*host, 6);
}

TEST_F(Nccl, ThreadsAreRanks) {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  Floats results[2];
  std::vector<std::thread> threads;
  for (int rank : {0, 1})
    threads.emplace_back([&, rank] {
      float *data = onDevice<float>(rank, {float(rank + 1)});
      ncclComm_t comm;
      NCCL(ncclCommInitRank(&comm, 2, id, rank));
      for (int i = 0; i < 3; i++) NCCL(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, comm, nullptr));
      results[rank] = fromDevice(rank, data, 1);
      NCCL(ncclCommDestroy(comm));
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(results[0], Floats{12});
  EXPECT_EQ(results[1], Floats{12});
  ncclComm_t late;
  EXPECT_EQ(ncclCommInitRank(&late, 2, id, 0), ncclInvalidUsage) << "an id serves once";
}

TEST_F(Nccl, RanksOfAGroup) {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  ncclComm_t made[2];
  NCCL(both([&](int i) { ncclCommInitRank(&made[i], 2, id, 1 - i); }));
  int device;
  NCCL(ncclCommCuDevice(made[1], &device));
  EXPECT_EQ(device, 1);
  for (ncclComm_t comm : made) NCCL(ncclCommDestroy(comm));
}

TEST_F(Nccl, RefusesWhatDoesNotFit) {
  float *data = onDevice<float>(0, {1});
  const auto reduce = [&](ncclDataType_t type, int op, int root) {
    return ncclReduce(data, data, 1, type, ncclRedOp_t(op), root, comms[0], nullptr);
  };
  EXPECT_EQ(reduce(ncclDataType_t(10), ncclSum, 0), ncclInvalidArgument);
  EXPECT_EQ(reduce(ncclFloat32, 5, 0), ncclInvalidArgument);
  EXPECT_EQ(reduce(ncclFloat32, ncclSum, 2), ncclInvalidArgument);
  EXPECT_EQ(reduce(ncclFloat32, ncclSum, -1), ncclInvalidArgument);
  EXPECT_EQ(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, comms[1], nullptr), ncclInvalidUsage) << "device 1's";
  EXPECT_NE(std::string(ncclGetLastError(nullptr)).find("device 1"), std::string::npos);
  OK(cudaSetDevice(1));
  cudaStream_t other;
  OK(cudaStreamCreate(&other));
  OK(cudaSetDevice(0));
  EXPECT_EQ(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, comms[0], other), ncclInvalidArgument);
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
  ncclComm_t comm, two[2];
  const int same[] = {0, 0}, far[] = {0, 99};
  EXPECT_EQ(ncclCommInitAll(two, 2, same), ncclInvalidUsage);
  EXPECT_EQ(ncclCommInitAll(two, 2, far), ncclInvalidArgument);
  ncclUniqueId id{};
  EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 0), ncclInvalidArgument) << "no id";
  NCCL(ncclGetUniqueId(&id));
  EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 2), ncclInvalidArgument);
  EXPECT_EQ(both([&](int) {
              OK(cudaSetDevice(0));
              ncclCommInitRank(&comm, 2, id, 0);
            }),
            ncclInvalidUsage);
}

TEST_F(Nccl, AnErrorEndsTheGroup) {
  float *data[] = {onDevice<float>(0, {1}), onDevice<float>(1, {2})};
  EXPECT_EQ(
      both([&](int i) { ncclAllReduce(data[i], data[i], 1, ncclFloat32, ncclRedOp_t(i * 9), comms[i], nullptr); }),
      ncclInvalidArgument);
  EXPECT_EQ(fromDevice(0, data[0], 1), Floats{1});
  NCCL(both([&](int i) { ncclAllReduce(data[i], data[i], 1, ncclFloat32, ncclSum, comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, data[0], 1), Floats{3});
}

// As NCCL they wait for ever, until their communicators are aborted.
TEST_F(Nccl, RanksThatDiffer) {
  float *data[] = {onDevice<float>(0, {1, 1}), onDevice<float>(1, {2, 2})};
  testing::internal::CaptureStderr();
  NCCL(both([&](int i) { ncclAllReduce(data[i], data[i], 1 + i, ncclFloat32, ncclSum, comms[i], nullptr); }));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("rank 0 and rank 1 differ"), std::string::npos);
  for (int rank : {0, 1}) {
    OK(cudaSetDevice(rank));
    for (int i = 0; i < 5; i++) EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
    NCCL(ncclCommAbort(comms[rank]));
    OK(cudaDeviceSynchronize());
    comms[rank] = nullptr;
  }
  EXPECT_EQ(fromDevice(0, data[0], 2), (Floats{1, 1}));
}

// HOST_CUDA_NCCL_WAIT says how long a rank waits.
TEST_F(Nccl, ARankThatDoesNotCome) {
  float *data = onDevice<float>(0, {1});
  NCCL(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, comms[0], nullptr));
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("rank 0 of 2, of which 1 have come"), std::string::npos);
  ncclResult_t error;
  NCCL(ncclCommGetAsyncError(comms[0], &error));
  EXPECT_EQ(error, ncclRemoteError);
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  OK(cudaDeviceReset());
  ncclComm_t comm;
  EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 0), ncclSystemError);
}

TEST_F(Nccl, ACallDoesNotWaitForTheOthers) {
  float *data[] = {onDevice<float>(0, {1}), onDevice<float>(1, {2})};
  for (int rank : {0, 1}) {
    OK(cudaSetDevice(rank));
    for (int i = 0; i < 2; i++)
      NCCL(ncclAllReduce(data[rank], data[rank], 1, ncclFloat32, ncclSum, comms[rank], nullptr));
    if (rank == 0) EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  }
  // Who waits brings on the other's stream, too.
  EXPECT_EQ(fromDevice(0, data[0], 1), Floats{6});
  EXPECT_EQ(fromDevice(1, data[1], 1), Floats{6});
}

TEST_F(Nccl, WhoWaitsLetsTheOthersCall) {
  float *data[] = {onDevice<float>(0, {1}), onDevice<float>(1, {2})};
  OK(cudaSetDevice(0));
  NCCL(ncclAllReduce(data[0], data[0], 1, ncclFloat32, ncclSum, comms[0], nullptr));
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    OK(cudaSetDevice(1));
    NCCL(ncclAllReduce(data[1], data[1], 1, ncclFloat32, ncclSum, comms[1], nullptr));
  });
  EXPECT_EQ(fromDevice(0, data[0], 1), Floats{3});
  other.join();
}

TEST_F(Nccl, Messages) {
  float *a[] = {onDevice<float>(0, {1, 2}), onDevice<float>(1, {3, 4})};
  float *b[] = {onDevice<float>(0, {0, 0}), onDevice<float>(1, {0, 0})};
  const auto exchange = [&](int i, size_t received) {
    ncclSend(a[i], 2, ncclFloat32, 1 - i, comms[i], nullptr);
    ncclRecv(b[i], received, ncclFloat32, 1 - i, comms[i], nullptr);
  };
  NCCL(both([&](int i) { exchange(i, 2); }));
  EXPECT_EQ(fromDevice(0, b[0], 2), (Floats{3, 4}));
  EXPECT_EQ(fromDevice(1, b[1], 2), (Floats{1, 2}));
  EXPECT_EQ(ncclSend(a[1], 2, ncclFloat32, 2, comms[1], nullptr), ncclInvalidArgument);
  // One after the other, both send first: neither goes on.
  for (int rank : {0, 1}) {
    OK(cudaSetDevice(rank));
    exchange(rank, 2);
  }
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  for (ncclComm_t &comm : comms) {
    NCCL(ncclCommAbort(comm));
    comm = nullptr;
  }
  OK(cudaDeviceSynchronize());
}

TEST_F(Nccl, Factors) {
  float *data[] = {onDevice<float>(0, {1, -3}), onDevice<float>(1, {3, -9})};
  ncclRedOp_t ops[2];
  for (int rank : {0, 1}) {
    float factor = rank ? 10.f : 0.5f;
    NCCL(ncclRedOpCreatePreMulSum(&ops[rank], &factor, ncclFloat32, ncclScalarHostImmediate, comms[rank]));
  }
  NCCL(both([&](int i) { ncclAllReduce(data[i], data[i], 2, ncclFloat32, ops[i], comms[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, data[0], 2), (Floats{30.5, -91.5}));
  for (int rank : {0, 1}) NCCL(ncclRedOpDestroy(ops[rank], comms[rank]));
  EXPECT_EQ(ncclRedOpDestroy(ops[0], comms[0]), ncclInvalidArgument);
}

TEST_F(Nccl, DoesNotBlock) {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ncclComm_t made[2];
  ncclResult_t state;
  OK(cudaSetDevice(0));
  float *data = onDevice<float>(0, {1});
  EXPECT_EQ(ncclCommInitRankConfig(&made[0], 2, id, 0, &config), ncclInProgress);
  NCCL(ncclCommGetAsyncError(made[0], &state));
  EXPECT_EQ(state, ncclInProgress);
  EXPECT_EQ(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, made[0], nullptr), ncclInvalidArgument) << "too early";
  OK(cudaSetDevice(1));
  EXPECT_EQ(ncclCommInitRankConfig(&made[1], 2, id, 1, &config), ncclInProgress);
  for (ncclComm_t comm : made) {
    NCCL(ncclCommGetAsyncError(comm, &state));
    EXPECT_EQ(state, ncclSuccess);
  }
  OK(cudaSetDevice(0));
  EXPECT_EQ(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, made[0], nullptr), ncclInProgress);
  for (ncclResult_t wanted : {ncclInProgress, ncclSuccess}) {
    NCCL(ncclCommGetAsyncError(made[0], &state));
    EXPECT_EQ(state, wanted);
  }
  for (ncclComm_t comm : made) NCCL(ncclCommAbort(comm));
  OK(cudaDeviceSynchronize());
}

TEST_F(Nccl, Splits) {
  ncclComm_t both_[2] = {}, one[2] = {};
  NCCL(both([&](int i) { ncclCommSplit(comms[i], 0, -i, &both_[i], nullptr); }));
  int rank;
  NCCL(ncclCommUserRank(both_[0], &rank));
  EXPECT_EQ(rank, 1) << "in the order of keys";
  NCCL(both([&](int i) { ncclCommSplit(comms[i], i ? 3 : NCCL_SPLIT_NOCOLOR, 0, &one[i], nullptr); }));
  EXPECT_EQ(one[0], nullptr);
  NCCL(ncclCommCount(one[1], &rank));
  EXPECT_EQ(rank, 1);
  float *data[] = {onDevice<float>(0, {1}), onDevice<float>(1, {2})};
  NCCL(both([&](int i) { ncclBroadcast(data[i], data[i], 1, ncclFloat32, 0, both_[i], nullptr); }));
  EXPECT_EQ(fromDevice(0, data[0], 1), Floats{2});
  for (ncclComm_t comm : {both_[0], both_[1], one[1]}) NCCL(ncclCommDestroy(comm));
}

TEST_F(Nccl, UseAfterDestroy) {
  float *data = onDevice<float>(0, {1});
  const ncclComm_t gone = comms[0];
  NCCL(ncclCommDestroy(gone));
  EXPECT_EQ(ncclCommDestroy(gone), ncclInvalidArgument);
  EXPECT_EQ(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, gone, nullptr), ncclInvalidArgument);
  int count;
  EXPECT_EQ(ncclCommCount(gone, &count), ncclInvalidArgument);
  comms[0] = nullptr;
}

TEST_F(Nccl, MemoryOfTheHost) {
  float *data = onDevice<float>(0, {1}), mine = 2;
  testing::internal::CaptureStderr();
  NCCL(both(
      [&](int i) { ncclAllReduce(i ? &mine : data, i ? &mine : data, 1, ncclFloat32, ncclSum, comms[i], nullptr); }));
  OK(cudaSetDevice(1));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("NCCL on device 1"), std::string::npos);
  EXPECT_EQ(fromDevice(0, data, 1), Floats{1}) << "the other device goes on";
}

TEST(WithoutDevices, NcclSaysSo) {
  int version, count;
  if (cudaGetDeviceCount(&count) == cudaSuccess) GTEST_SKIP();
  NCCL(ncclGetVersion(&version));
  ncclComm_t comms[2];
  EXPECT_EQ(ncclCommInitAll(comms, 2, nullptr), ncclUnhandledCudaError);
}

}  // namespace
