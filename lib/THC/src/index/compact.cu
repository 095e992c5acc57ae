// What is true or not zero: its coordinates, or elements of another tensor, one after the other.
//
// Elements are counted in chunks of one block each, a scan of these counts (CUB) gives each chunk its place in the
// result, and a second kernel finds an element's place within its chunk by votes.
#include <THC/THCTensorIndex.h>
#include <TH/THPrepare.h>
#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "kit/failure.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"
#include "kit/words.cuh"

namespace thc {
namespace {

constexpr int kRounds = 8, kChunk = kBlock * kRounds, kWarps = kBlock / kWarp;

// Elements that count: those that have one of these bits.
struct Flags {
  const void *data = nullptr;
  uint64_t mask = 0;
  int64_t n = 0;

  template <class Word>
  __device__ __forceinline__ bool at(int64_t i) const {
    if (i >= n) return false;
    const Word word = static_cast<const Word *>(data)[i];
    if constexpr (requires { word.low; })
      return ((word.low | word.high) & decltype(word.low)(mask)) != 0;
    else
      return (word & Word(mask)) != 0;
  }
};

template <class Word>
__global__ void __launch_bounds__(kBlock) countKernel(Flags flags, int64_t *counts) {
  THC_SHARED(int, warps, kWarps);
  const int64_t first = int64_t(blockIdx.x) * kChunk + threadIdx.x;
  int count = 0;
  for (int round = 0; round < kRounds; round++)
    count += __popc(__ballot_sync(kFullWarp, flags.at<Word>(first + round * kBlock)));
  if (threadIdx.x % kWarp == 0) warps[threadIdx.x / kWarp] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int w = 0; w < kWarps; w++) sum += warps[w];
  counts[blockIdx.x] = sum;
}

// write(i, k) for each element i that counts, the k-th of them.
template <class Word, class Write>
__global__ void __launch_bounds__(kBlock) writeKernel(Flags flags, const int64_t *starts, Write write) {
  THC_SHARED(int, warps, kWarps);
  const int lane = int(threadIdx.x % kWarp), warp = int(threadIdx.x / kWarp);
  int64_t start = starts[blockIdx.x];
  for (int round = 0; round < kRounds; round++) {
    const int64_t i = int64_t(blockIdx.x) * kChunk + round * kBlock + threadIdx.x;
    const bool counts = flags.at<Word>(i);
    const unsigned votes = __ballot_sync(kFullWarp, counts);
    if (lane == 0) warps[warp] = __popc(votes);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < kWarps; w++) {
      before += w < warp ? warps[w] : 0;
      all += warps[w];
    }
    if (counts) write(i, start + before + __popc(votes & ((1u << lane) - 1)));
    start += all;
    __syncthreads();
  }
}

struct Coordinates {
  int64_t *data = nullptr;
  int64_t step = 0, dimStep = 0;  // from one element's coordinates to the next one's, and within them
  int ndim = 0;
  int64_t size[TH_MAX_DIM] = {};

  __device__ void operator()(int64_t i, int64_t k) const {
    int64_t *const at = data + k * step;
    for (int d = ndim; d-- > 0;) {
      const int64_t rest = i / size[d];
      at[d * dimStep] = i - rest * size[d];
      i = rest;
    }
  }
};

template <class Word, bool spread>
struct MoveWord {  // to element k of what is chosen, or from there
  Word *to = nullptr;
  const Word *from = nullptr;
  __device__ void operator()(int64_t i, int64_t k) const { to[spread ? i : k] = from[spread ? k : i]; }
};

// Chunks of flags, and where each begins in what is chosen.
class Chunks {
 public:
  Chunks(const Flags &flags, int64_t wordSize, const THTensor *like, cudaStream_t stream)
      : flags_(flags), size_(wordSize), count_((flags.n + kChunk - 1) / kChunk), stream_(stream) {
    const int64_t both[] = {2, count_ + 1};
    memory_ = Ref(th::newLike(like, TH_Long, 2, both));
    int64_t *const counts = thc::elements<int64_t>(memory_);
    starts_ = counts + count_ + 1;
    THC_CHECK(cudaMemsetAsync(counts + count_, 0, sizeof *counts, stream));
    if (count_)
      withWord(size_, addressBits(flags.data), [&](auto word) {
        launch(countKernel<decltype(word)>, unsigned(count_), kBlock, 0, stream, flags, counts);
      });
    size_t extra = 0;
    THC_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, extra, counts, starts_, count_ + 1, stream));
    const Workspace workspace(std::max<size_t>(extra, 1), like->storage->device.index);
    THC_CHECK(cub::DeviceScan::ExclusiveSum(workspace.data(), extra, counts, starts_, count_ + 1, stream));
  }
  // How many elements count: waits for the device.
  int64_t total() const {
    const Ref last(THTensor_newNarrow(memory_, 1, count_, 1)), number(THTensor_newSelect(last, 0, 1));
    const int64_t one = 1;
    const Ref here(THTensor_newWithSize(TH_Long, 1, &one));
    THCTensor_copy(here, number);
    return *static_cast<const int64_t *>(THTensor_data(here));
  }
  template <class Write>
  void write(const Write &write) const {
    if (!count_) return;
    withWord(size_, addressBits(flags_.data), [&](auto word) {
      launch(writeKernel<decltype(word), Write>, unsigned(count_), kBlock, 0, stream_, flags_, starts_, write);
    });
  }
  // Of masks, whose words are bytes.
  template <class Write>
  void writeMasked(const Write &write) const {
    if (count_) launch(writeKernel<uint8_t, Write>, unsigned(count_), kBlock, 0, stream_, flags_, starts_, write);
  }

 private:
  Flags flags_;
  int64_t size_, count_;
  cudaStream_t stream_;
  Ref memory_;
  int64_t *starts_;
};

// Bits of an element that tell it from zero: all but the signs of floating-point numbers.
uint64_t magnitudeBits(THDtype dtype) {
  if (!th::isFloating(dtype) && !th::isComplex(dtype)) return ~uint64_t(0);
  switch (th::elementSize(th::realDtype(dtype))) {
    case 1: return 0x7f7f7f7f7f7f7f7f;
    case 2: return 0x7fff7fff7fff7fff;
    case 4: return 0x7fffffff7fffffff;
    default: return 0x7fffffffffffffff;
  }
}

Chunks chunksOfMask(const THTensor *mask, cudaStream_t stream) {
  const Flags flags{thc::elements<uint8_t>(mask), 0xff, mask->numel};
  return Chunks(flags, 1, mask, stream);
}

template <bool spread>
void moveChosen(const Chunks &chunks, THDtype dtype, THTensor *to, const THTensor *from) {
  withWord(th::elementSize(dtype), addressBits(th::addressOf(to), th::addressOf(from)), [&](auto word) {
    using Word = decltype(word);
    chunks.writeMasked(MoveWord<Word, spread>{thc::elements<Word>(to), thc::elements<Word>(from)});
  });
}

}  // namespace
}  // namespace thc

using namespace thc;

void THCTensor_nonzero(THTensor *r, const THTensor *t) {
  const Operator named("nonzero");
  requireOneDevice({r, t}, {});
  THPrepare_nonzero(r, t);
  const OnDevice on(t);
  const Ref dense = contiguousAs(th::dtypeOf(t), t);
  const Flags flags{dataOf(dense, on), magnitudeBits(th::dtypeOf(t)), t->numel};
  const Chunks chunks(flags, th::elementSize(th::dtypeOf(t)), t, on.stream);
  const int64_t count = chunks.total();
  THResult result;
  THPrepare_nonzeroResult(&result, r, t, count);
  THResult_resize(&result, 1);
  if (!count || !t->ndim) return;
  Coordinates write;
  write.data = reinterpret_cast<int64_t *>(dataOf(r, on));
  write.step = r->stride[0], write.dimStep = r->stride[1];
  write.ndim = t->ndim;
  std::copy_n(t->size, t->ndim, write.size);
  chunks.write(write);
}

void THCTensor_maskedSelect(THTensor *r, const THTensor *t, const THTensor *mask) {
  const Operator named("masked_select");
  requireOneDevice({r}, {t, mask});
  int64_t size[TH_MAX_DIM];
  const int ndim = THPrepare_maskedSelect(r, t, mask, size);
  const OnDevice on(r);
  const auto expanded = [&](const THTensor *x) {
    const Ref near = contiguousAs(th::dtypeOf(x), x, r);  // a number on the CPU
    const Ref view(THTensor_newExpand(near, ndim, size));
    return contiguousAs(th::dtypeOf(x), view, r);
  };
  const Ref from = expanded(t), chosen = expanded(mask);
  const Chunks chunks = chunksOfMask(chosen, on.stream);
  THResult shape;
  THPrepare_maskedSelectResult(&shape, r, t, mask, chunks.total());
  THResult_resize(&shape, 1);
  if (!r->numel) return;
  Target target(th::dtypeOf(t), r);
  moveChosen<false>(chunks, th::dtypeOf(t), target.tensor(), from);
  target.finish();
}

void THCTensor_maskedCopy(THTensor *self, const THTensor *mask, const THTensor *src) {
  const Operator named("masked_scatter_");
  requireOneDevice({self}, {mask, src});
  const Ref near = contiguousAs(th::dtypeOf(mask), mask, self);  // a number on the CPU
  const Ref wide(THPrepare_maskedCopy(self, near, src));
  if (!self->numel) return;
  const OnDevice on(self);
  const THDtype dtype = th::dtypeOf(self);
  // What is written must not change what is still read.
  const auto apart = [&](const THTensor *t) {
    const bool copied = THTensor_overlaps(self, t);
    Ref dense = copied ? Ref(th::newLike(self, th::dtypeOf(t), t->ndim, t->size))
                       : contiguousAs(th::dtypeOf(t), t, self);
    if (copied) THCTensor_copy(dense, t);
    return dense;
  };
  const Ref flat = apart(wide), values = apart(src);
  const Chunks chunks = chunksOfMask(flat, on.stream);
  if (src->numel < self->numel) {  // else there are enough, however many are wanted
    const int64_t wanted = chunks.total();
    if (wanted > src->numel)
      THError(TH_ERROR_RUNTIME, "Number of elements of source < number of ones in mask: %lld < %lld",
              (long long)src->numel, (long long)wanted);
  }
  const Ref target = contiguousAs(dtype, self);
  moveChosen<true>(chunks, dtype, target, values);
  if (static_cast<THTensor *>(target) != self) THCTensor_copy(self, target);
}
