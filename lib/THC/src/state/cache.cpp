#include "cache.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

namespace {

using thc::kMiB;

constexpr size_t kUnit = 512;                // sizes of blocks are multiples
constexpr size_t kSmall = kMiB;              // the largest block of the small pool
constexpr size_t kSmallSegment = 2 * kMiB;
constexpr size_t kLargeSegment = 20 * kMiB;  // for blocks below kOwnSegment, which share it
constexpr size_t kOwnSegment = 10 * kMiB;    // blocks from here on get a segment of their size,
constexpr size_t kSegmentUnit = 2 * kMiB;    // a multiple of this

size_t roundUp(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

size_t segmentSize(size_t size) {
  if (size <= kSmall) return kSmallSegment;
  return size < kOwnSegment ? kLargeSegment : roundUp(size, kSegmentUnit);
}

void add(THCStat &stat, int64_t change) {
  stat.current += change;
  stat.peak = std::max(stat.peak, stat.current);
  (change < 0 ? stat.freed : stat.allocated) += std::abs(change);
}
using Stats = THCStat[THC_NUM_POOLS];
void add(Stats &stats, bool large, int64_t change) {
  add(stats[THC_POOL_ALL], change);
  add(stats[large ? THC_POOL_LARGE : THC_POOL_SMALL], change);
}

template <class F> void forEachStat(THCMemoryStats &stats, F f) {
  for (Stats *each : {&stats.allocation, &stats.segment, &stats.active, &stats.inactive_split, &stats.allocated_bytes,
                      &stats.reserved_bytes, &stats.active_bytes, &stats.inactive_split_bytes, &stats.requested_bytes})
    for (THCStat &stat : *each) f(stat);
  f(stats.oversize_allocations);
  f(stats.oversize_segments);
}

}  // namespace

namespace thc {

const Cache::Key &Cache::Order::key(const Block *block) { return block->key; }

bool Cache::Order::less(const Key &a, const Key &b) {
  if (a.stream != b.stream) return std::less<cudaStream_t>()(a.stream, b.stream);
  if (a.size != b.size) return a.size < b.size;
  return std::less<char *>()(a.data, b.data);
}

size_t Cache::rounded(size_t nbytes) const {
  if (nbytes < kUnit) return kUnit;
  const size_t steps = config_.divisionsOf(nbytes);
  if (steps > 1 && nbytes > kUnit * steps) return roundUp(nbytes, std::bit_floor(nbytes) / steps);
  return roundUp(nbytes, kUnit);
}

size_t Cache::limit() {
  if (!total_) {
    const DeviceGuard guard(device_);  // it answers for the current one
    size_t free = 0;
    THC_CHECK(cudaMemGetInfo(&free, &total_));
  }
  return size_t(double(total_) * fraction_);
}

// ---- allocation --------------------------------------------------------------------------------

void *Cache::allocate(size_t nbytes, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (!config_.caching) {
    if (void *const data = tryDriver(nbytes)) return data;
    raiseShortage(nbytes);
  }
  if (!pending_.empty()) pollEvents();
  // A request for which rounding would overflow is as hopeless as one that is a little smaller.
  const size_t size = rounded(std::min(nbytes, SIZE_MAX / 4));
  Block *block = takeFree(size, stream);
  if (!block) block = newSegment(size, stream);
  if (!block) block = takeFree(size, stream);  // what other streams were done with only now
  if (!block) raiseShortage(nbytes);
  cut(block, size);
  block->allocated = true;
  block->requested = nbytes;
  const bool large = block->large;
  const auto bytes = int64_t(block->key.size);
  add(stats_.allocation, large, 1);
  add(stats_.allocated_bytes, large, bytes);
  add(stats_.active, large, 1);
  add(stats_.active_bytes, large, bytes);
  add(stats_.requested_bytes, large, int64_t(nbytes));
  if (block->key.size >= config_.maxSplit) add(stats_.oversize_allocations, 1);
  return block->key.data;
}

// The smallest free block of the stream that fits, taken out of its pool.
Cache::Block *Cache::takeFree(size_t size, cudaStream_t stream) {
  Pool &pool = pools_[size > kSmall];
  const auto found = pool.lower_bound(Key{stream, size, nullptr});
  if (found == pool.end() || (*found)->key.stream != stream) return nullptr;
  Block *block = *found;
  // A block that may not be split is for requests of about its size.
  if (block->key.size >= config_.maxSplit && (size < config_.maxSplit || block->key.size >= size + kLargeSegment))
    return nullptr;
  takeOut(block);
  return block;
}

Cache::Block *Cache::newSegment(size_t size, cudaStream_t stream) {
  const size_t nbytes = segmentSize(size);
  if (config_.garbageThreshold > 0) collectGarbage(nbytes);
  void *data = tryDriver(nbytes);
  if (!data && giveBackOversize(nbytes, stream)) data = tryDriver(nbytes);
  if (!data) {
    stats_.num_alloc_retries++;
    giveBackAll();
    data = tryDriver(nbytes);
  }
  if (!data) return nullptr;
  Block *block = newBlock({stream, nbytes, static_cast<char *>(data)}, size > kSmall);
  segments_.emplace(block->key.data, block);
  stats_.num_device_alloc++;
  add(stats_.segment, block->large, 1);
  add(stats_.reserved_bytes, block->large, int64_t(nbytes));
  if (nbytes >= config_.maxSplit) add(stats_.oversize_segments, 1);
  return block;
}

// Memory from the driver, or NULL if there is no more, or no more for this process.
void *Cache::tryDriver(size_t nbytes) {
  const size_t reserved = size_t(stats_.reserved_bytes[THC_POOL_ALL].current);
  if (nbytes > limit() || reserved > limit() - nbytes) return nullptr;
  const DeviceGuard guard(device_);
  void *data = nullptr;
  const cudaError_t error = cudaMalloc(&data, nbytes);
  if (error == cudaSuccess) return data;
  if (error != cudaErrorMemoryAllocation) THC_raiseError(error, "cudaMalloc", __func__);
  (void)cudaGetLastError();
  return nullptr;
}

// Leaves `size` bytes to a block that nobody else knows, if the rest is worth keeping, which becomes free.
void Cache::cut(Block *block, size_t size) {
  const size_t rest = block->key.size - size;
  const bool wasSplit = block->isSplit();
  const auto before = int64_t(block->key.size);
  const bool cuts = block->large ? size < config_.maxSplit && rest > kSmall : rest >= kUnit;
  if (!cuts) {
    if (!wasSplit) return;
    add(stats_.inactive_split, block->large, -1);
    add(stats_.inactive_split_bytes, block->large, -before);
    return;
  }
  Block *other = newBlock({block->key.stream, rest, block->key.data + size}, block->large);
  other->freed = block->freed;
  other->before = block;
  other->after = block->after;
  if (other->after) other->after->before = other;
  block->after = other;
  block->key.size = size;
  put(other);
  if (!wasSplit) add(stats_.inactive_split, block->large, 1);
  add(stats_.inactive_split_bytes, block->large, int64_t(rest) - (wasSplit ? before : 0));
}

void Cache::put(Block *block) {
  Pool &pool = pools_[block->large];
  if (block->inPool)
    pool.insert(std::move(block->inPool));
  else
    pool.insert(block);
}

void Cache::takeOut(Block *block) { block->inPool = pools_[block->large].extract(block); }

Cache::Block *Cache::newBlock(Key key, bool large) {
  Block *block = nullptr;
  if (spare_.empty()) {
    block = new Block;
  } else {
    block = spare_.back();
    spare_.pop_back();
  }
  block->key = key;
  block->large = large;
  if (block->inBlocks) {
    block->inBlocks.key() = key.data;
    blocks_.insert(std::move(block->inBlocks));
  } else {
    blocks_.emplace(key.data, block);
  }
  return block;
}

void Cache::drop(Block *block) {
  block->inBlocks = blocks_.extract(block->key.data);
  block->before = block->after = nullptr;
  spare_.push_back(block);
}

// ---- freeing -----------------------------------------------------------------------------------

bool Cache::free(const void *data) {
  if (!config_.caching) {
    const bool freed = cudaFree(const_cast<void *>(data)) == cudaSuccess;
    if (!freed) (void)cudaGetLastError();  // or the next launch would raise it
    return freed;
  }
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(data);
  if (found == blocks_.end() || !found->second->allocated) return false;
  Block *block = found->second;
  block->allocated = false;
  add(stats_.allocation, block->large, -1);
  add(stats_.allocated_bytes, block->large, -int64_t(block->key.size));
  if (block->key.size >= config_.maxSplit) add(stats_.oversize_allocations, -1);
  if (block->uses.empty())
    release(block);
  else
    awaitStreams(block);
  return true;
}

void Cache::release(Block *block) {
  const bool large = block->large;
  add(stats_.active, large, -1);
  add(stats_.active_bytes, large, -int64_t(block->key.size));
  add(stats_.requested_bytes, large, -int64_t(block->requested));
  block->requested = 0;
  int64_t splits = 0, splitBytes = 0;
  for (Block *neighbour : {block->before, block->after})
    if (neighbour && neighbour->isFree()) {
      splits--;
      splitBytes -= int64_t(neighbour->key.size);
      takeOut(neighbour);
    }
  if (block->before && block->before->isFree()) block = joined(block->before, block);
  if (block->after && block->after->isFree()) block = joined(block, block->after);
  block->freed = ++clock_;
  put(block);
  if (block->isSplit()) {
    splits++;
    splitBytes += int64_t(block->key.size);
  }
  if (splits) add(stats_.inactive_split, large, splits);
  if (splitBytes) add(stats_.inactive_split_bytes, large, splitBytes);
}

// The left one, which takes the right one's place, too. Neither is in the pool.
Cache::Block *Cache::joined(Block *left, Block *right) {
  left->key.size += right->key.size;
  left->after = right->after;
  if (left->after) left->after->before = left;
  drop(right);
  return left;
}

void Cache::giveBack(Block *block) {
  const bool large = block->large;
  const size_t size = block->key.size;
  takeOut(block);
  segments_.erase(block->key.data);
  void *const data = block->key.data;
  drop(block);
  stats_.num_device_free++;
  add(stats_.segment, large, -1);
  add(stats_.reserved_bytes, large, -int64_t(size));
  if (size >= config_.maxSplit) add(stats_.oversize_segments, -1);
  const DeviceGuard guard(device_);
  THC_CHECK(cudaFree(data));
}

void Cache::giveBackAll() {
  waitForEvents();
  for (Pool &pool : pools_)
    for (auto next = pool.begin(); next != pool.end();) {
      Block *block = *next++;
      if (!block->isSplit()) giveBack(block);
    }
}

// Gives back free blocks of the stream that may not be split, the smallest that suffices, or all of them.
bool Cache::giveBackOversize(size_t size, cudaStream_t stream) {
  if (config_.maxSplit == SIZE_MAX) return false;
  Pool &pool = pools_[true];
  const size_t least = std::max(size, config_.maxSplit);
  auto found = pool.lower_bound(Key{stream, least, nullptr});
  if (found != pool.end() && (*found)->key.stream == stream) {
    if ((*found)->isSplit()) return false;
    giveBack(*found);
    return true;
  }
  size_t given = 0;
  for (auto next = pool.lower_bound(Key{stream, config_.maxSplit, nullptr});
       next != pool.end() && (*next)->key.stream == stream && given < size;) {
    Block *block = *next++;
    if (block->isSplit()) continue;
    given += block->key.size;
    giveBack(block);
  }
  return given >= size;
}

// Gives back segments that nobody has used for longest, until what is reserved is below the threshold again.
void Cache::collectGarbage(size_t size) {
  const auto threshold = size_t(config_.garbageThreshold * double(limit()));
  const auto reserved = [this] { return size_t(stats_.reserved_bytes[THC_POOL_ALL].current); };
  if (reserved() + size <= threshold) return;
  std::vector<Block *> unused;
  for (Block *block : pools_[true])
    if (!block->isSplit()) unused.push_back(block);
  std::stable_sort(unused.begin(), unused.end(), [](Block *a, Block *b) { return a->freed < b->freed; });
  for (Block *block : unused) {
    if (reserved() + size <= threshold) return;
    giveBack(block);
  }
}

void Cache::empty() {
  const std::lock_guard lock(mutex_);
  giveBackAll();
}

// ---- other streams -----------------------------------------------------------------------------

// The allocated block that has this address, maybe not at its beginning; NULL: none.
Cache::Block *Cache::holding(const void *data) {
  Block *block = nullptr;
  if (const auto found = blocks_.find(data); found != blocks_.end()) {
    block = found->second;
  } else {
    char *const at = static_cast<char *>(const_cast<void *>(data));
    const auto next = segments_.upper_bound(at);
    if (next == segments_.begin()) return nullptr;
    block = std::prev(next)->second;
    while (block && size_t(at - block->key.data) >= block->key.size) block = block->after;
  }
  return block && block->allocated ? block : nullptr;
}

void Cache::recordStream(const void *data, Use use) {
  const std::lock_guard lock(mutex_);
  Block *block = holding(data);
  if (!block) return;
  auto &uses = block->uses;
  if (use != Use{device_, block->key.stream} && std::find(uses.begin(), uses.end(), use) == uses.end())
    uses.push_back(use);
}

cudaEvent_t Cache::takeEvent(int device) {
  if (auto &spare = events_[device]; !spare.empty()) {
    const cudaEvent_t event = spare.back();
    spare.pop_back();
    return event;
  }
  cudaEvent_t event = nullptr;
  THC_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

// Who frees a block may be a destructor: what fails here is not raised. A stream that no event can be recorded in, since it is
// destroyed or there is no memory for one, may still use the block: then its device is waited for.
void Cache::awaitStream(Block *block, const Use &use) try {
  const DeviceGuard guard(use.device);  // a stream takes events of its own device only
  const cudaEvent_t event = takeEvent(use.device);
  if (cudaEventRecord(event, use.stream) != cudaSuccess) {
    (void)cudaGetLastError();
    events_[use.device].push_back(event);
    return drain(use.device);
  }
  pending_[use].push_back({event, block});
  block->events++;
} catch (...) {
  drain(use.device);
}

void Cache::awaitStreams(Block *block) {
  std::vector<Use> uses;
  uses.swap(block->uses);
  for (const Use &use : uses) awaitStream(block, use);
  if (block->events == 0) release(block);
}

void Cache::finish(int device, const Pending &pending) {
  events_[device].push_back(pending.event);
  if (--pending.block->events == 0) release(pending.block);
}

void Cache::pollEvents() {
  for (auto queue = pending_.begin(); queue != pending_.end();) {
    auto &events = queue->second;
    while (!events.empty() && isReady(cudaEventQuery(events.front().event), __func__)) {
      finish(queue->first.device, events.front());
      events.pop_front();
    }
    queue = events.empty() ? pending_.erase(queue) : std::next(queue);
  }
}

void Cache::waitForEvents() {
  stats_.num_sync_all_streams++;
  for (auto &[use, events] : pending_)
    for (; !events.empty(); events.pop_front()) {
      THC_CHECK(cudaEventSynchronize(events.front().event));
      finish(use.device, events.front());
    }
  pending_.clear();
}

// ---- what is known of it -----------------------------------------------------------------------

void Cache::raiseShortage(size_t nbytes) {
  stats_.num_ooms++;
  size_t free = 0, total = 0;
  THC_memoryInfo(device_, &free, &total);
  const auto reserved = size_t(stats_.reserved_bytes[THC_POOL_ALL].current);
  const auto allocated = size_t(stats_.allocated_bytes[THC_POOL_ALL].current);
  std::string text = "CUDA out of memory. Tried to allocate " + formatSize(nbytes) + ". GPU " +
                     std::to_string(device_) + " has a total capacity of " + formatSize(total) + " of which " +
                     formatSize(free) + " is free. This process holds " + formatSize(reserved) + ": " +
                     formatSize(allocated) + " in tensors, " + formatSize(reserved - allocated) + " free between them.";
  if (fraction_ < 1) text += " Its memory fraction allows " + formatSize(limit()) + ".";
  if (reserved - allocated >= nbytes)
    text +=
        " What is free would suffice in one piece: PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:N keeps blocks from N "
        "MiB on whole.";
  THError(TH_ERROR_MEMORY, "%s", text.c_str());
}

void Cache::setFraction(double fraction) {
  if (!(fraction >= 0 && fraction <= 1))
    THError(TH_ERROR_VALUE, "Invalid fraction value: %g. Allowed range: 0~1", fraction);
  const std::lock_guard lock(mutex_);
  fraction_ = fraction;
}

void Cache::resetPeak() {
  const std::lock_guard lock(mutex_);
  forEachStat(stats_, [](THCStat &stat) { stat.peak = stat.current; });
}

void Cache::resetAccumulated() {
  const std::lock_guard lock(mutex_);
  forEachStat(stats_, [](THCStat &stat) { stat.allocated = stat.freed = 0; });
  stats_.num_alloc_retries = stats_.num_ooms = 0;
}

void Cache::stats(THCMemoryStats *stats) {
  const std::lock_guard lock(mutex_);
  *stats = stats_;
  stats->max_split_size = int64_t(config_.maxSplit);  // -1 where there is none
}

void Cache::visit(void *context, THCSegmentVisitor visitSegment, THCBlockVisitor visitBlock) {
  const std::lock_guard lock(mutex_);
  for (const auto &[data, first] : segments_) {
    size_t size = 0;
    for (const Block *block = first; block; block = block->after) size += block->key.size;
    visitSegment(context, device_, data, size, first->key.stream, first->large);
    for (const Block *block = first; block; block = block->after)
      visitBlock(context, block->key.data, block->key.size, block->requested,
                 block->allocated ? 1
                 : block->events  ? 2
                                  : 0);
  }
}

}  // namespace thc
