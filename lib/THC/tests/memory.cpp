// The caching allocator.
#include <map>
#include <random>
#include <thread>

#include "kit/cuda.hpp"
#include "state/config.hpp"
#include "support.hpp"

namespace {

char *allocate(size_t nbytes, THCStream stream = nullptr, int device = 0) {
  return static_cast<char *>(THC_malloc(nbytes, stream, device));
}

struct Expected {
  int64_t current, peak, allocated, freed;
};
void expectStat(const THCStat (&stats)[THC_NUM_POOLS], THCPool pool, Expected e, const char *what) {
  EXPECT_EQ(stats[pool].current, e.current) << what;
  EXPECT_EQ(stats[pool].peak, e.peak) << what;
  EXPECT_EQ(stats[pool].allocated, e.allocated) << what;
  EXPECT_EQ(stats[pool].freed, e.freed) << what;
}
#define EXPECT_STAT(stats, name, pool, ...) expectStat((stats).name, pool, Expected{__VA_ARGS__}, #name)

struct Piece {
  const void *address;
  size_t size, requested;
  int state;
};
struct Snapshot {
  struct Segment {
    int device;
    const void *address;
    size_t total;
    THCStream stream;
    bool large;
    std::vector<Piece> pieces;
  };
  std::vector<Segment> segments;
};
Snapshot snapshot() {
  Snapshot result;
  THC_visitMemory(
      &result,
      [](void *context, int device, const void *address, size_t total, THCStream stream, bool large) {
        static_cast<Snapshot *>(context)->segments.push_back({device, address, total, stream, large, {}});
      },
      [](void *context, const void *address, size_t size, size_t requested, int state) {
        static_cast<Snapshot *>(context)->segments.back().pieces.push_back({address, size, requested, state});
      });
  return result;
}

}  // namespace

TEST_F(Memory, SmallBlocksShareASegment) {
  char *a = allocate(1), *b = allocate(513), *c = allocate(512);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 512, 0u);
  EXPECT_EQ(b, a + 512);
  EXPECT_EQ(c, b + 1024);
  THCMemoryStats stats = statsOf(0);
  EXPECT_STAT(stats, segment, THC_POOL_ALL, 1, 1, 1, 0);
  EXPECT_STAT(stats, segment, THC_POOL_SMALL, 1, 1, 1, 0);
  EXPECT_STAT(stats, segment, THC_POOL_LARGE, 0, 0, 0, 0);
  EXPECT_STAT(stats, reserved_bytes, THC_POOL_SMALL, 2 * kMiB, 2 * kMiB, 2 * kMiB, 0);
  EXPECT_STAT(stats, allocation, THC_POOL_ALL, 3, 3, 3, 0);
  EXPECT_STAT(stats, allocated_bytes, THC_POOL_ALL, 2048, 2048, 2048, 0);
  EXPECT_STAT(stats, requested_bytes, THC_POOL_ALL, 1026, 1026, 1026, 0);
  EXPECT_STAT(stats, inactive_split, THC_POOL_ALL, 1, 1, 1, 0);
  EXPECT_STAT(stats, inactive_split_bytes, THC_POOL_ALL, 2 * kMiB - 2048, 2 * kMiB - 512, 2 * kMiB - 512, 1536);

  THC_free(b);
  EXPECT_EQ(allocate(600), b);  // the piece that fits best
  THC_free(b);
  stats = statsOf(0);
  EXPECT_STAT(stats, allocation, THC_POOL_ALL, 2, 3, 4, 2);
  EXPECT_STAT(stats, active_bytes, THC_POOL_SMALL, 1024, 2048, 3072, 2048);
  EXPECT_STAT(stats, requested_bytes, THC_POOL_ALL, 513, 1113, 1626, 1113);
  EXPECT_EQ(stats.inactive_split[THC_POOL_ALL].current, 2);

  // Neighbours join: c with what is behind it and b before it, then a: the segment is whole again, and not split.
  THC_free(c);
  EXPECT_EQ(statsOf(0).inactive_split[THC_POOL_ALL].current, 1);
  THC_free(a);
  stats = statsOf(0);
  EXPECT_EQ(stats.inactive_split[THC_POOL_ALL].current, 0);
  EXPECT_EQ(stats.inactive_split_bytes[THC_POOL_ALL].current, 0);
  EXPECT_EQ(stats.active[THC_POOL_ALL].current, 0);
  EXPECT_EQ(stats.reserved_bytes[THC_POOL_ALL].current, int64_t(2 * kMiB));
  EXPECT_EQ(stats.num_device_alloc - stats.num_device_free, 1);
  EXPECT_EQ(allocate(kMiB), a);
  THC_free(a);
}

TEST_F(Memory, SizesOfSegments) {
  const struct {
    size_t request, block, segment;
  } cases[] = {
      {kMiB, kMiB, 2 * kMiB},
      {kMiB + 1, kMiB + 512, 20 * kMiB},
      {10 * kMiB - 512, 10 * kMiB - 512, 20 * kMiB},
      {10 * kMiB, 10 * kMiB, 10 * kMiB},
      {10 * kMiB + 1, 10 * kMiB + 512, 12 * kMiB},
      {19 * kMiB + 1, 20 * kMiB, 20 * kMiB},  // what is left is not worth a block
  };
  for (const auto &c : cases) {
    void *data = allocate(c.request);
    const THCMemoryStats stats = statsOf(0);
    EXPECT_EQ(size_t(stats.allocated_bytes[THC_POOL_ALL].current), c.block) << c.request;
    EXPECT_EQ(size_t(stats.reserved_bytes[THC_POOL_ALL].current), c.segment) << c.request;
    THC_free(data);
    THC_emptyCache();
    EXPECT_EQ(statsOf(0).reserved_bytes[THC_POOL_ALL].current, 0);
  }
  EXPECT_EQ(allocate(0), nullptr);
}

TEST_F(Memory, BlocksStayWithTheirStream) {
  const THCStream stream = THC_streamFromPool(0, 0);
  char *a = allocate(3 * kMiB);
  THC_free(a);
  char *b = allocate(3 * kMiB, stream);
  EXPECT_NE(a, b);
  EXPECT_EQ(allocate(3 * kMiB), a);  // at once: the stream keeps the order
  EXPECT_EQ(statsOf(0).segment[THC_POOL_LARGE].current, 2);
  THC_free(a);
  THC_free(b);
}

TEST_F(Memory, RecordedStreamsAreAwaited) {
  const THCStream stream = THC_streamFromPool(0, 0);
  char *a = allocate(12 * kMiB);
  THC_recordStream(a, nullptr, 0);  // its own stream: nothing
  THC_recordStream(a, stream, 0);
  THC_recordStream(a, stream, 0);
  int elsewhere = 0;
  THC_recordStream(&elsewhere, stream, 0);  // not this allocator's
  {
    Gate gate(stream);
    THC_free(a);
    const THCMemoryStats stats = statsOf(0);
    EXPECT_EQ(stats.allocation[THC_POOL_ALL].current, 0);
    EXPECT_EQ(stats.active[THC_POOL_ALL].current, 1);
    EXPECT_EQ(stats.requested_bytes[THC_POOL_ALL].current, int64_t(12 * kMiB));
    EXPECT_EQ(snapshot().segments.at(0).pieces.at(0).state, 2);
    char *b = allocate(12 * kMiB);
    EXPECT_NE(a, b);
    EXPECT_EQ(statsOf(0).segment[THC_POOL_ALL].current, 2);
    THC_free(b);
  }
  // Whoever asks next gets what has become free; one at least of two blocks of that size is a.
  char *b = allocate(12 * kMiB), *c = allocate(12 * kMiB);
  EXPECT_TRUE(a == b || a == c);
  EXPECT_EQ(statsOf(0).segment[THC_POOL_ALL].current, 2);
  EXPECT_EQ(statsOf(0).active[THC_POOL_ALL].current, 2);
  THC_free(b);
  THC_free(c);
}

TEST_F(Memory, RecordedStreamsOfAnotherDevice) {
  if (THC_deviceCount() < 2) GTEST_SKIP() << "needs two devices";
  const THCStream other = THC_streamFromPool(1, 0);
  for (const THCStream stream : {other, THCStream()}) {  // the default streams of both devices have one name
    THC_emptyCache();
    char *a = allocate(12 * kMiB);
    THC_recordStream(a, stream, 1);
    {
      const thc::DeviceGuard guard(1);
      Gate gate(stream);
      THC_free(a);
      EXPECT_EQ(snapshot().segments.at(0).pieces.at(0).state, 2);
      EXPECT_EQ(statsOf(0).active[THC_POOL_ALL].current, 1);
    }
    THC_emptyCache();
    EXPECT_EQ(statsOf(0).active[THC_POOL_ALL].current, 0);
  }
  void *const data = allocate(10);
  EXPECT_ANY_THROW(THC_recordStream(data, nullptr, THC_deviceCount()));
  THC_free(data);
}

TEST_F(Memory, PointersKnowTheirDevice) {
  int here = 0;
  EXPECT_ANY_THROW(THC_pointerDevice(&here));
  for (int device = 0; device < THC_deviceCount(); ++device) {
    char *const data = static_cast<char *>(THC_malloc(100, nullptr, device));
    EXPECT_EQ(THC_pointerDevice(data + 50), device);
    THC_free(data);
  }
}

TEST_F(Memory, EmptyCacheKeepsWhatIsUsed) {
  void *a = allocate(12 * kMiB), *b = allocate(14 * kMiB), *c = allocate(100);
  THC_free(a);
  THC_emptyCache();
  THCMemoryStats stats = statsOf(0);
  EXPECT_EQ(stats.reserved_bytes[THC_POOL_ALL].current, int64_t(16 * kMiB));
  EXPECT_EQ(stats.segment[THC_POOL_ALL].freed, 1);
  THC_free(b);
  THC_free(c);
  // It waits for streams that are recorded.
  const THCStream stream = THC_streamFromPool(0, 0);
  a = allocate(12 * kMiB);
  THC_recordStream(a, stream, 0);
  ASSERT_EQ(cudaMemsetAsync(a, 1, 12 * kMiB, stream), cudaSuccess);
  THC_free(a);
  THC_emptyCache();
  EXPECT_EQ(statsOf(0).reserved_bytes[THC_POOL_ALL].current, 0);
}

TEST_F(Memory, Misuse) {
  char *a = allocate(4096);
  int here = 0;
  // Destructors free: the next call that may raise it does, and nothing of it is left then.
  THC_free(&here);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "no block of a device's memory", THC_synchronize(0));
  THC_synchronize(0);
  THC_free(a + 512);
  THC_free(&here);  // the first one is kept
  char address[32];
  std::snprintf(address, sizeof address, "%p is no block of a device's memory", static_cast<void *>(a + 512));
  EXPECT_RAISES(TH_ERROR_RUNTIME, address, allocate(512));
  THC_free(a);
  THC_free(a);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "has been freed", THC_streamSynchronize(nullptr, 0));
  THC_freeHost(&here);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "no block of page-locked memory", THC_checkFailure(0));
  EXPECT_EQ(statsOf(0).allocation[THC_POOL_ALL].current, 0);
  EXPECT_RAISES(TH_ERROR_VALUE, "Invalid fraction value: 1.5", THC_setMemoryFraction(0, 1.5));
  EXPECT_RAISES(TH_ERROR_VALUE, "Invalid fraction value: -0.1", THC_setMemoryFraction(0, -0.1));
  EXPECT_RAISES(TH_ERROR_VALUE, "Invalid fraction value: nan", THC_setMemoryFraction(0, NAN));
}

TEST_F(Memory, OutOfMemoryLeavesEverythingAsItWas) {
  size_t free = 0, total = 0;
  THC_memoryInfo(0, &free, &total);
  EXPECT_LE(free, total);
  void *kept = allocate(3 * kMiB), *cached = allocate(30 * kMiB);
  THC_free(cached);
  const std::string phrase = "CUDA out of memory. Tried to allocate ";
  EXPECT_RAISES(TH_ERROR_MEMORY, phrase, allocate(total));
  EXPECT_RAISES(TH_ERROR_MEMORY, "GPU 0 has a total capacity of ", allocate(total));
  EXPECT_RAISES(TH_ERROR_MEMORY, phrase, allocate(SIZE_MAX));
  THCMemoryStats stats = statsOf(0);
  EXPECT_EQ(stats.num_ooms, 3);
  EXPECT_EQ(stats.num_alloc_retries, 3);
  EXPECT_STAT(stats, allocation, THC_POOL_ALL, 1, 2, 2, 1);
  EXPECT_EQ(stats.reserved_bytes[THC_POOL_ALL].current, int64_t(20 * kMiB));  // what was cached has been given back
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  void *next = allocate(3 * kMiB);
  ASSERT_EQ(cudaMemset(next, 0, 3 * kMiB), cudaSuccess);
  THC_free(next);
  THC_free(kept);
}

// A block between others that wait for a stream is as good as memory of the driver's.
TEST_F(Memory, WaitsForStreamsBeforeItGivesUp) {
  size_t free = 0, total = 0;
  THC_memoryInfo(0, &free, &total);
  char *used = allocate(8 * kMiB), *kept = allocate(8 * kMiB);  // of one segment of 20 MiB
  THC_setMemoryFraction(0, (20.5 * kMiB) / double(total));
  const THCStream stream = THC_streamFromPool(0, 0);
  {
    Gate gate(stream);
    THC_recordStream(used, stream, 0);
    THC_free(used);
    if (!isHostCuda()) gate.open();  // it would be waited for
    EXPECT_EQ(allocate(8 * kMiB), used);
  }
  EXPECT_EQ(statsOf(0).num_ooms, 0);
  THC_free(used);
  THC_free(kept);
}

TEST_F(Memory, FractionLimitsTheProcess) {
  size_t free = 0, total = 0;
  THC_memoryInfo(0, &free, &total);
  THC_setMemoryFraction(0, double(64 * kMiB) / double(total) * 1.0001);
  void *a = allocate(20 * kMiB), *b = allocate(40 * kMiB);
  EXPECT_RAISES(TH_ERROR_MEMORY, "Tried to allocate 20.00 MiB. GPU 0 has a total capacity of ", allocate(20 * kMiB));
  EXPECT_RAISES(TH_ERROR_MEMORY, "This process holds 60.00 MiB: 60.00 MiB in tensors, 0 bytes free between them",
                allocate(20 * kMiB));
  EXPECT_RAISES(TH_ERROR_MEMORY, "memory fraction allows 64.0", allocate(20 * kMiB));
  // What is cached is given back before it fails.
  THC_free(b);
  void *c = allocate(30 * kMiB);
  THCMemoryStats stats = statsOf(0);
  EXPECT_EQ(stats.num_ooms, 3);
  EXPECT_EQ(stats.num_alloc_retries, 3);
  THC_free(c);
  c = allocate(44 * kMiB);
  stats = statsOf(0);
  EXPECT_EQ(stats.num_ooms, 3);
  EXPECT_EQ(stats.num_alloc_retries, 4);
  EXPECT_EQ(stats.reserved_bytes[THC_POOL_ALL].current, int64_t(64 * kMiB));
  THC_free(a);
  THC_free(c);
}

TEST_F(Memory, SnapshotShowsTheSegments) {
  const THCStream stream = THC_streamFromPool(0, 0);
  char *a = allocate(1000), *b = allocate(2000), *c = allocate(5 * kMiB, stream);
  THC_free(a);
  const Snapshot shot = snapshot();
  ASSERT_EQ(shot.segments.size(), 2u);
  for (const Snapshot::Segment &segment : shot.segments) {
    EXPECT_EQ(segment.device, 0);
    EXPECT_EQ(segment.stream, segment.large ? stream : nullptr);
    EXPECT_EQ(segment.total, (segment.large ? 20 : 2) * kMiB);
    EXPECT_EQ(segment.address, segment.large ? c : a);
    const auto &pieces = segment.pieces;
    if (segment.large) {
      ASSERT_EQ(pieces.size(), 2u);
      EXPECT_EQ(pieces[0].state, 1);
      EXPECT_EQ(pieces[0].requested, 5 * kMiB);
      EXPECT_EQ(pieces[1].state, 0);
      EXPECT_EQ(pieces[1].size, 15 * kMiB);
    } else {
      ASSERT_EQ(pieces.size(), 3u);
      EXPECT_EQ(pieces[0].state, 0);
      EXPECT_EQ(pieces[0].size, 1024u);
      EXPECT_EQ(pieces[0].requested, 0u);
      EXPECT_EQ(pieces[1].address, b);
      EXPECT_EQ(pieces[1].requested, 2000u);
      EXPECT_EQ(pieces[1].state, 1);
    }
  }
  THC_free(b);
  THC_free(c);
}

TEST_F(Memory, TwoDevices) {
  if (THC_deviceCount() < 2) GTEST_SKIP() << "one device";
  void *a = allocate(100, nullptr, 0), *b = allocate(3 * kMiB, nullptr, 1);
  EXPECT_EQ(THC_getDevice(), 0);
  EXPECT_EQ(statsOf(0).reserved_bytes[THC_POOL_ALL].current, int64_t(2 * kMiB));
  EXPECT_EQ(statsOf(1).reserved_bytes[THC_POOL_ALL].current, int64_t(20 * kMiB));
  EXPECT_EQ(statsOf(-1).reserved_bytes[THC_POOL_ALL].current, int64_t(2 * kMiB));
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, b), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  THC_free(b);
  THC_free(a);
  EXPECT_EQ(statsOf(1).allocation[THC_POOL_ALL].current, 0);
  THTensor *t = THTensor_newWithSizeOn({TH_CUDA, 1}, TH_Float, 0, nullptr);
  EXPECT_EQ(statsOf(1).allocation[THC_POOL_ALL].current, 1);
  THTensor_free(t);
  EXPECT_EQ(statsOf(1).allocation[THC_POOL_ALL].current, 0);
}

TEST_F(Memory, StoragesComeFromTheCurrentStream) {
  const THCStream stream = THC_streamFromPool(0, 0);
  THC_setCurrentStream(0, stream);
  THStorage *storage = THStorage_newOn({TH_CUDA, 0}, 4 * kMiB);
  EXPECT_EQ(snapshot().segments.at(0).stream, stream);
  ASSERT_EQ(cudaMemsetAsync(storage->data, 7, 4 * kMiB, stream), cudaSuccess);
  THStorage_resize(storage, 6 * kMiB);  // copies on the stream
  std::vector<unsigned char> read(4 * kMiB);
  ASSERT_EQ(cudaMemcpyAsync(read.data(), storage->data, read.size(), cudaMemcpyDeviceToHost, stream), cudaSuccess);
  THC_streamSynchronize(stream, 0);
  EXPECT_EQ(read, std::vector<unsigned char>(4 * kMiB, 7));
  THStorage_free(storage);
  THC_setCurrentStream(0, nullptr);
}

// Random requests of four threads against what must hold: no two live blocks overlap, each holds what was written there,
// counts are those of the requests.
TEST_F(Memory, RandomRequests) {
  std::mutex mutex;
  std::map<char *, size_t> live;  // of all threads
  size_t bytes = 0;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    const THCStream own = THC_streamFromPool(0, 0), other = THC_streamFromPool(0, 0);
    std::vector<char *> mine;
    for (int step = 0; step < 2000; step++) {
      if (mine.empty() || (mine.size() < 40 && random() % 5 < 3)) {
        const size_t nbytes = random() % 3 ? 1 + random() % (4 * kKiB) : 1 + random() % (6 * kMiB);
        char *data = allocate(nbytes, own);
        const std::lock_guard lock(mutex);
        const auto next = live.upper_bound(data);
        EXPECT_TRUE(next == live.end() || data + nbytes <= next->first);
        EXPECT_TRUE(next == live.begin() || std::prev(next)->first + std::prev(next)->second <= data);
        live[data] = nbytes;
        bytes += nbytes;
        mine.push_back(data);
      } else {
        const size_t i = random() % mine.size();
        char *data = mine[i];
        mine[i] = mine.back();
        mine.pop_back();
        if (random() % 8 == 0) {
          EXPECT_EQ(cudaMemsetAsync(data, 0, 1, other), cudaSuccess);
          THC_recordStream(data, other, 0);
        }
        const std::lock_guard lock(mutex);  // else another thread may get it before it leaves the map
        bytes -= live.at(data);
        live.erase(data);
        THC_free(data);
      }
      if (random() % 200 == 0) THC_emptyCache();
    }
    const std::lock_guard lock(mutex);
    for (char *data : mine) {
      bytes -= live.at(data);
      live.erase(data);
      THC_free(data);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; seed++) threads.emplace_back(work, seed);
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(bytes, 0u);
  THC_emptyCache();
  const THCMemoryStats stats = statsOf(0);
  for (const auto *each :
       {&stats.allocation, &stats.segment, &stats.active, &stats.inactive_split, &stats.allocated_bytes,
        &stats.reserved_bytes, &stats.active_bytes, &stats.inactive_split_bytes, &stats.requested_bytes})
    for (const THCStat &stat : *each) {
      EXPECT_EQ(stat.current, 0);
      EXPECT_EQ(stat.allocated, stat.freed);
    }
  EXPECT_EQ(stats.segment[THC_POOL_ALL].allocated, stats.segment[THC_POOL_ALL].freed);
}

// After each of a thousand random steps the statistics are those that the blocks of the snapshot have.
TEST_F(Memory, StatisticsAreThoseOfTheBlocks) {
  std::mt19937 random(1);
  const THCStream streams[] = {nullptr, THC_streamFromPool(0, 0)};
  std::vector<void *> live;
  for (int step = 0; step < 1000; step++) {
    if (live.empty() || (live.size() < 60 && random() % 2)) {
      const size_t largest[] = {3 * kKiB, kMiB, 3 * kMiB, 14 * kMiB};
      live.push_back(allocate(1 + random() % largest[random() % 4], streams[random() % 2]));
    } else {
      std::swap(live[random() % live.size()], live.back());
      if (random() % 4 == 0) THC_recordStream(live.back(), streams[random() % 2], 0);
      THC_free(live.back());
      live.pop_back();
    }
    int64_t allocated = 0, active = 0, inactive = 0, reserved = 0, count = 0, splits = 0, requested = 0, segments = 0;
    for (const Snapshot::Segment &segment : snapshot().segments) {
      segments++;
      reserved += int64_t(segment.total);
      bool wasFree = false;
      const char *next = static_cast<const char *>(segment.address);
      for (const Piece &piece : segment.pieces) {
        EXPECT_EQ(piece.address, next);
        next += piece.size;
        const bool isFree = piece.state == 0;
        EXPECT_FALSE(isFree && wasFree);
        wasFree = isFree;
        count += piece.state == 1;
        allocated += piece.state == 1 ? int64_t(piece.size) : 0;
        active += isFree ? 0 : int64_t(piece.size);
        requested += int64_t(piece.requested);
        if (isFree && segment.pieces.size() > 1) {
          splits++;
          inactive += int64_t(piece.size);
        }
      }
    }
    const THCMemoryStats stats = statsOf(0);
    ASSERT_EQ(stats.allocation[THC_POOL_ALL].current, count);
    ASSERT_EQ(count, int64_t(live.size()));
    ASSERT_EQ(stats.allocated_bytes[THC_POOL_ALL].current, allocated);
    ASSERT_EQ(stats.active_bytes[THC_POOL_ALL].current, active);
    ASSERT_EQ(stats.requested_bytes[THC_POOL_ALL].current, requested);
    ASSERT_EQ(stats.reserved_bytes[THC_POOL_ALL].current, reserved);
    ASSERT_EQ(stats.segment[THC_POOL_ALL].current, segments);
    ASSERT_EQ(stats.inactive_split[THC_POOL_ALL].current, splits);
    ASSERT_EQ(stats.inactive_split_bytes[THC_POOL_ALL].current, inactive);
  }
  for (void *data : live) THC_free(data);
}

// ---- the environment ----------------------------------------------------------------------------

TEST(MemoryConfig, Reads) {
  thc::MemoryConfig config = thc::parseMemoryConfig("");
  EXPECT_EQ(config.maxSplit, SIZE_MAX);
  EXPECT_EQ(config.divisionsOf(1 << 20), 1u);
  config = thc::parseMemoryConfig(
      "max_split_size_mb:128, garbage_collection_threshold:0.8,roundup_power2_divisions:[256:1,512:2,>:8],backend:native");
  EXPECT_EQ(config.maxSplit, 128 * kMiB);
  EXPECT_EQ(config.garbageThreshold, 0.8);
  EXPECT_EQ(config.divisionsOf(1000), 1u);
  EXPECT_EQ(config.divisionsOf(256 * kMiB - 1), 1u);
  EXPECT_EQ(config.divisionsOf(256 * kMiB), 2u);
  EXPECT_EQ(config.divisionsOf(512 * kMiB), 8u);
  EXPECT_EQ(thc::parseMemoryConfig("roundup_power2_divisions:4").divisionsOf(5), 4u);
}

TEST(MemoryConfig, Refuses) {
  const std::pair<const char *, const char *> cases[] = {
      {"max_split_size_mb:20", "above 20, got '20'"},
      {"max_split_size_mb:x", "got 'x'"},
      {"garbage_collection_threshold:1.5", "between 0 and 1, got '1.5'"},
      {"roundup_power2_divisions:3", "a power of two up to 64, got '3'"},
      {"roundup_power2_divisions:[512:2,256:1]", "got '[512:2,256:1]'"},
      {"roundup_power2_divisions:[256:1", "got '[256:1'"},
      {"backend:cudaMallocAsync", "got 'cudaMallocAsync'"},
      {"expandable_segments:True", "got 'True'"},
      {"max_split_size_mb:64,what:1", "Unrecognized CachingAllocator option: what"},
  };
  for (const auto &[text, part] : cases) EXPECT_RAISES(TH_ERROR_RUNTIME, part, thc::parseMemoryConfig(text));
}

TEST(Apart, DISABLED_BadConfig) {
  EXPECT_RAISES(TH_ERROR_RUNTIME, "Unrecognized CachingAllocator option: no", THC_init());
  EXPECT_RAISES(TH_ERROR_RUNTIME, "Unrecognized CachingAllocator option: no", THC_malloc(16, nullptr, 0));
}
TEST(Apart, DISABLED_NoCaching) {
  THC_init();
  void *a = allocate(100);
  ASSERT_EQ(cudaMemset(a, 0, 100), cudaSuccess);
  EXPECT_EQ(statsOf(0).reserved_bytes[THC_POOL_ALL].current, 0);
  THC_recordStream(a, THC_streamFromPool(0, 0), 0);
  THC_free(a);
  size_t before = 0, after = 0, total = 0;
  THC_memoryInfo(0, &before, &total);
  a = allocate(64 * kMiB);
  THC_free(a);
  THC_memoryInfo(0, &after, &total);
  EXPECT_EQ(before, after);
  EXPECT_RAISES(TH_ERROR_MEMORY, "CUDA out of memory", allocate(2 * total));
}
TEST(Apart, DISABLED_MaxSplit) {
  THC_init();
  EXPECT_EQ(statsOf(0).max_split_size, int64_t(32 * kMiB));
  void *large = allocate(64 * kMiB);
  EXPECT_EQ(statsOf(0).oversize_allocations.current, 1);
  EXPECT_EQ(statsOf(0).oversize_segments.current, 1);
  THC_free(large);
  void *small = allocate(12 * kMiB);  // does not cut the large one
  EXPECT_EQ(statsOf(0).segment[THC_POOL_LARGE].current, 2);
  void *near = allocate(50 * kMiB);
  EXPECT_EQ(near, large);  // whole
  EXPECT_EQ(statsOf(0).allocated_bytes[THC_POOL_LARGE].current, int64_t(76 * kMiB));
  THC_free(near);
  void *far = allocate(40 * kMiB);  // more than 20 MiB too large
  EXPECT_NE(far, large);
  THC_free(far);
  THC_free(small);
}
TEST(Apart, DISABLED_Rounding) {
  THC_init();
  void *a = allocate(1200 * kKiB);
  EXPECT_EQ(statsOf(0).allocated_bytes[THC_POOL_ALL].current, int64_t(1280 * kKiB));  // quarters of 1 MiB
  THC_free(a);
  a = allocate(1000);
  EXPECT_EQ(statsOf(0).allocated_bytes[THC_POOL_ALL].current, 1024);
  THC_free(a);
}
TEST(Apart, DISABLED_Garbage) {
  THC_init();
  size_t free = 0, total = 0;
  THC_memoryInfo(0, &free, &total);
  THC_setMemoryFraction(0, double(100 * kMiB) / double(total) * 1.0001);  // so the threshold is at 50 MiB
  void *a = allocate(20 * kMiB), *b = allocate(22 * kMiB);
  THC_free(b);
  THC_free(a);
  void *c = allocate(24 * kMiB);  // 66 MiB: the one that was freed first goes back, and that is enough
  EXPECT_EQ(statsOf(0).reserved_bytes[THC_POOL_ALL].current, int64_t(44 * kMiB));
  EXPECT_EQ(allocate(20 * kMiB), a);
  THC_free(a);
  THC_free(c);
}
TEST(MemoryConfig, FromTheEnvironment) {
  const std::string name = "PYTORCH_CUDA_ALLOC_CONF=";
  EXPECT_EQ(runApart("Apart.DISABLED_BadConfig", {name + "no:1"}), 0);
  EXPECT_EQ(runApart("Apart.DISABLED_NoCaching", {"PYTORCH_NO_CUDA_MEMORY_CACHING=1"}), 0);
  EXPECT_EQ(runApart("Apart.DISABLED_MaxSplit", {name + "max_split_size_mb:32"}), 0);
  EXPECT_EQ(runApart("Apart.DISABLED_Rounding", {name + "roundup_power2_divisions:4"}), 0);
  EXPECT_EQ(runApart("Apart.DISABLED_Garbage", {name + "garbage_collection_threshold:0.5"}), 0);
}
