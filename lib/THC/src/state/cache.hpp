// The memory of one device: segments that the driver gave, cut into blocks. A block belongs to a stream, and when it is
// freed goes back to that stream's free ones; neighbours that are free become one. Two pools keep small requests, up to
// 1 MiB, apart from large ones, so that they do not cut these' segments to pieces.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "config.hpp"
#include "state.hpp"

namespace thc {

class Cache {  // its functions may be called by any thread
 public:
  explicit Cache(int device) : device_(device), config_(memoryConfig()) {}

  void *allocate(size_t nbytes, cudaStream_t stream);  // raises TH_ERROR_MEMORY
  bool free(const void *data);  // false: no block that is allocated begins there
  void recordStream(const void *data, Use use);
  void empty();
  void setFraction(double fraction);
  void resetPeak();
  void resetAccumulated();
  void stats(THCMemoryStats *stats);
  void visit(void *context, THCSegmentVisitor segment, THCBlockVisitor block);

 private:
  struct Block;
  struct Key {
    cudaStream_t stream;
    size_t size;
    char *data;
  };
  // By stream, size, address: the first one that is not smaller than a request fits it best.
  struct Order {
    using is_transparent = void;
    template <class A, class B> bool operator()(const A &a, const B &b) const { return less(key(a), key(b)); }
    static const Key &key(const Key &key) { return key; }
    static const Key &key(const Block *block);
    static bool less(const Key &a, const Key &b);
  };
  using Pool = std::set<Block *, Order>;
  using Blocks = std::unordered_map<const void *, Block *>;
  struct Block {
    Key key{};
    bool large = false;  // of which pool
    bool allocated = false;
    size_t requested = 0;
    Block *before = nullptr, *after = nullptr;  // neighbours in the segment
    int events = 0;  // of other streams, that are awaited
    uint64_t freed = 0;  // when: by the cache's clock
    std::vector<Use> uses;  // by other streams
    Pool::node_type inPool;  // the pool's node, while the block is not in there
    Blocks::node_type inBlocks;  // that of blocks_, likewise

    bool isFree() const { return !allocated && events == 0; }
    bool isSplit() const { return before || after; }
  };
  struct Pending {
    cudaEvent_t event;
    Block *block;
  };

  size_t rounded(size_t nbytes) const;
  size_t limit();
  Block *takeFree(size_t size, cudaStream_t stream);
  Block *newSegment(size_t size, cudaStream_t stream);
  Block *newBlock(Key key, bool large);
  void drop(Block *block);
  Block *holding(const void *data);
  void *tryDriver(size_t nbytes);
  void cut(Block *block, size_t size);
  void release(Block *block);  // an allocated one, of which no event is awaited, to its pool
  Block *joined(Block *left, Block *right);
  void put(Block *block);
  void takeOut(Block *block);
  void giveBack(Block *block);  // a free one that is a whole segment, to the driver
  void giveBackAll();
  bool giveBackOversize(size_t size, cudaStream_t stream);
  void collectGarbage(size_t size);
  cudaEvent_t takeEvent(int device);  // the current one
  void awaitStream(Block *block, const Use &use);
  void awaitStreams(Block *block);
  void pollEvents();
  void waitForEvents();
  void finish(int device, const Pending &pending);
  [[noreturn]] void raiseShortage(size_t nbytes);

  const int device_;
  const MemoryConfig &config_;
  std::mutex mutex_;
  Pool pools_[2];  // of free blocks: small, large
  Blocks blocks_;
  std::vector<Block *> spare_;  // dropped ones, with their nodes: most calls cut a block and join it again
  std::map<char *, Block *> segments_;  // their first blocks
  std::map<Use, std::deque<Pending>> pending_;
  std::map<int, std::vector<cudaEvent_t>> events_;  // of each device, that nobody uses
  THCMemoryStats stats_{};
  uint64_t clock_ = 0;  // counts what became free
  double fraction_ = 1;
  size_t total_ = 0;
};

// A device's cache, made when it is first asked for and never freed: the process may end at any time.
Cache &cacheOf(int device);

}  // namespace thc
