// Page-locked memory of the host.
#include "support.hpp"

TEST(Pinned, BlocksAreKept) {
  void *a = THC_mallocHost(1000);
  std::memset(a, 1, 1000);
  EXPECT_TRUE(THC_isPinned(a));
  EXPECT_TRUE(THC_isPinned(static_cast<char *>(a) + 999));
  THC_freeHost(a);
  EXPECT_EQ(THC_mallocHost(600), a);  // 1024 bytes as well
  void *b = THC_mallocHost(1000);
  EXPECT_NE(a, b);
  THC_freeHost(a);
  THC_freeHost(b);
  EXPECT_EQ(THC_mallocHost(0), nullptr);
  THC_freeHost(nullptr);
}

TEST(Pinned, StreamsAreAwaited) {
  const THCStream stream = THC_streamFromPool(0, 0), second = THC_streamFromPool(0, 0);
  auto *a = static_cast<char *>(THC_mallocHost(5000));
  THC_recordStreamHost(a + 100, stream, 0);
  THC_recordStreamHost(a, second, 0);
  {
    Gate gate(stream);
    THC_freeHost(a);
    THC_freeHost(a);
    EXPECT_RAISES(TH_ERROR_RUNTIME, "has been freed", THC_checkFailure(0));
    void *b = THC_mallocHost(5000);
    EXPECT_NE(a, b);
    THC_freeHost(b);
  }
  THC_streamSynchronize(second, 0);
  void *b = THC_mallocHost(5000), *c = THC_mallocHost(5000);
  EXPECT_TRUE(a == b || a == c);
  THC_freeHost(b);
  THC_freeHost(c);
}

TEST(Pinned, WhatIsNot) {
  int here = 0;
  EXPECT_FALSE(THC_isPinned(&here));
  EXPECT_FALSE(THC_isPinned(nullptr));
  THC_freeHost(&here);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "no block of page-locked memory", THC_checkFailure(0));
  THC_recordStreamHost(&here, nullptr, 0);
  EXPECT_RAISES(TH_ERROR_MEMORY, "page-locked", THC_mallocHost(SIZE_MAX));
  EXPECT_RAISES(TH_ERROR_MEMORY, "page-locked", THC_mallocHost(size_t(1) << 60));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  void *theirs = nullptr;
  ASSERT_EQ(cudaMallocHost(&theirs, 100), cudaSuccess);
  EXPECT_TRUE(THC_isPinned(theirs));
  ASSERT_EQ(cudaFreeHost(theirs), cudaSuccess);
}

TEST(Pinned, Tensors) {
  const int64_t size[] = {3, 4};
  THTensor *t = THC_newPinned(TH_Double, 2, size);
  EXPECT_EQ(t->device, TH_CPU);
  EXPECT_EQ(t->numel, 12);
  EXPECT_EQ(t->stride[0], 4);
  EXPECT_EQ(t->storage->nbytes, 96u);
  EXPECT_TRUE(THC_isPinned(THTensor_data(t)));
  void *data = THTensor_data(t);
  THTensor_free(t);
  EXPECT_EQ(THC_mallocHost(96), data);
  THC_freeHost(data);
  const int64_t none[] = {0, 4}, bad[] = {-1};
  t = THC_newPinned(TH_Float, 2, none);
  EXPECT_EQ(t->numel, 0);
  THTensor_free(t);
  EXPECT_GE(raisedBy([&] { THC_newPinned(TH_Float, 1, bad); }).kind, 0);
}
