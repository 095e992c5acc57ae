// Streams and events.
#include <set>
#include <thread>

#include "support.hpp"

TEST(Streams, EachThreadHasItsOwn) {
  EXPECT_EQ(THC_currentStream(0), nullptr);
  const THCStream stream = THC_streamFromPool(0, 0);
  ASSERT_NE(stream, nullptr);
  THC_setCurrentStream(0, stream);
  EXPECT_EQ(THC_currentStream(0), stream);
  EXPECT_EQ(THC_currentStream(-1), stream);
  std::thread([] { EXPECT_EQ(THC_currentStream(0), nullptr); }).join();
  for (int device = 1; device < THC_deviceCount(); device++) EXPECT_EQ(THC_currentStream(device), nullptr);
  THC_setCurrentStream(0, nullptr);
}

TEST(Streams, PoolsGoRound) {
  int least = 1, greatest = 1;
  THC_streamPriorityRange(&least, &greatest);
  EXPECT_EQ(least, 0);
  for (const int priority : {0, -1}) {
    std::vector<THCStream> first;
    for (int i = 0; i < 32; i++) first.push_back(THC_streamFromPool(0, priority));
    EXPECT_EQ(std::set<THCStream>(first.begin(), first.end()).size(), 32u);
    for (int i = 0; i < 32; i++) EXPECT_EQ(THC_streamFromPool(0, priority), first[i]);
    EXPECT_EQ(THC_streamPriority(first[0], 0), std::max(priority, greatest));
  }
  // Beyond the range: the nearest.
  EXPECT_EQ(THC_streamPriority(THC_streamFromPool(0, -100), 0), greatest);
  EXPECT_EQ(THC_streamPriority(THC_streamFromPool(0, 100), 0), 0);
  EXPECT_EQ(THC_streamPriority(nullptr, 0), 0);
  if (THC_deviceCount() > 1) {
    const THCStream other = THC_streamFromPool(1, 0);
    for (int i = 0; i < 32; i++) EXPECT_NE(THC_streamFromPool(0, 0), other);
    EXPECT_EQ(THC_getDevice(), 0);
  }
}

TEST(Streams, QueryAndSynchronize) {
  const THCStream stream = THC_streamFromPool(0, 0);
  THC_streamSynchronize(stream, 0);
  EXPECT_TRUE(THC_streamQuery(stream, 0));
  Gate gate(stream);
  EXPECT_FALSE(THC_streamQuery(stream, 0));
  gate.open();
  EXPECT_TRUE(THC_streamQuery(stream, 0));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  THC_synchronize(-1);
}

TEST(Events, LifeOfOne) {
  THCEvent *event = THCEvent_new(true, false, false);
  EXPECT_EQ(THCEvent_device(event), -1);
  EXPECT_EQ(THCEvent_handle(event), nullptr);
  EXPECT_TRUE(THCEvent_query(event));
  THCEvent_wait(event, nullptr, 0);
  THCEvent_synchronize(event);
  const THCStream stream = THC_streamFromPool(0, 0);
  {
    Gate gate(stream);
    THCEvent_record(event, stream, 0);
    EXPECT_EQ(THCEvent_device(event), 0);
    EXPECT_NE(THCEvent_handle(event), nullptr);
    EXPECT_FALSE(THCEvent_query(event));
  }
  THCEvent_synchronize(event);
  EXPECT_TRUE(THCEvent_query(event));
  THCEvent *end = THCEvent_new(true, true, false);
  EXPECT_RAISES(TH_ERROR_VALUE, "must be recorded", THCEvent_elapsed(event, end));
  THCEvent_record(end, stream, 0);
  THCEvent_synchronize(end);
  EXPECT_GE(THCEvent_elapsed(event, end), 0);
  THCEvent *untimed = THCEvent_new(false, false, false);
  THCEvent_record(untimed, stream, 0);
  EXPECT_RAISES(TH_ERROR_VALUE, "enable_timing=True", THCEvent_elapsed(event, untimed));
  if (THC_deviceCount() > 1) {
    EXPECT_RAISES(TH_ERROR_RUNTIME, "Event device 0 does not match recording stream's device 1",
                  THCEvent_record(event, nullptr, 1));
    THCEvent *other = THCEvent_new(true, false, false);
    THCEvent_record(other, nullptr, 1);
    EXPECT_EQ(THCEvent_device(other), 1);
    THCEvent_wait(other, stream, 0);  // across devices
    EXPECT_RAISES(TH_ERROR_RUNTIME, "two devices", THCEvent_elapsed(event, other));
    THCEvent_free(other);
  }
  EXPECT_RAISES(TH_ERROR_VALUE, "exclude each other", THCEvent_new(true, false, true));
  THC_streamSynchronize(stream, 0);
  for (THCEvent *each : {event, end, untimed, static_cast<THCEvent *>(nullptr)}) THCEvent_free(each);
}

TEST(Events, OrderTwoStreams) {
  const THCStream first = THC_streamFromPool(0, 0), second = THC_streamFromPool(0, 0);
  THCEvent *event = THCEvent_new(false, false, false), *after = THCEvent_new(false, false, false);
  {
    Gate gate(first);
    THCEvent_record(event, first, 0);
    THCEvent_wait(event, second, 0);
    THCEvent_record(after, second, 0);
    EXPECT_FALSE(THCEvent_query(after));
  }
  THCEvent_synchronize(after);
  EXPECT_TRUE(THCEvent_query(event));
  THCEvent_free(event);
  THCEvent_free(after);
}

TEST(State, OnePerDevice) {
  for (int device = 0; device < THC_deviceCount(); device++) {
    THCState *state = THC_state(device);
    EXPECT_EQ(state, THC_state(device));
    EXPECT_EQ(THCState_device(state), device);
    EXPECT_EQ(THGenerator_initialSeed(THCState_generator(state)), 67280421310721u);
    for (int other = 0; other < device; other++)
      EXPECT_NE(THCState_generator(state), THCState_generator(THC_state(other)));
  }
}

TEST(State, EachThreadHasAHandle) {
  THC_init();
  const int64_t before = statsOf(0).allocation[THC_POOL_ALL].current;
  // In threads that end, so that what cuBLAS works in goes back.
  std::thread([before] {
    void *mine = THCState_blasHandle(THC_state(0)), *other = nullptr, *third = nullptr;
    ASSERT_NE(mine, nullptr);
    EXPECT_EQ(THCState_blasHandle(THC_state(0)), mine);
    THC_setCurrentStream(0, THC_streamFromPool(0, 0));
    EXPECT_EQ(THCState_blasHandle(THC_state(0)), mine);
    THC_setCurrentStream(0, nullptr);
    std::thread([&] { other = THCState_blasHandle(THC_state(0)); }).join();
    EXPECT_NE(other, mine);
    std::thread([&] { third = THCState_blasHandle(THC_state(0)); }).join();
    EXPECT_EQ(third, other);  // of the thread that has ended
    EXPECT_GT(statsOf(0).allocation[THC_POOL_ALL].current, before);
  }).join();
  EXPECT_EQ(statsOf(0).allocation[THC_POOL_ALL].current, before);
}
