// Copies: on a device, between devices, and to and from the host; of any strides and dtypes.
#include <algorithm>
#include <THC/THCTensorCopy.h>
#include "kit/operands.hpp"
#include "kit/pointwise.cuh"
#include "kit/words.cuh"

namespace thc {
namespace {

struct Same {
  template <class C>
  __device__ C operator()(C a) const {
    return a;
  }
};

// Where the source's fastest dimension is another than the result's, both are read and written along their own: a block turns
// squares around in shared memory.
constexpr int kTile = 32, kTileRows = kBlock / kTile;

struct Turn {
  Walk<2> squares;  // over the other dimensions
  uint32_t across = 0, down = 0;  // elements of the result's dimension, and of the source's
  int64_t acrossStride = 0, downStride = 0;  // bytes: of the source along the first, of the result along the second
  Divider tilesAcross, tilesDown;
  uint32_t count = 0;  // tiles of all squares
};

template <class Word>
__global__ void __launch_bounds__(kBlock) turnKernel(Turn p) {
  THC_SHARED(Word, tile, kTile * (kTile + 1));  // one more, so that a column lies in different banks
  const int lane = int(threadIdx.x) % kTile, row = int(threadIdx.x) / kTile;
  for (uint32_t work = blockIdx.x; work < p.count; work += gridDim.x) {
    const uint32_t rest = p.tilesAcross.quotient(work), square = p.tilesDown.quotient(rest);
    const uint32_t x = (work - rest * p.tilesAcross.divisor) * kTile, y = (rest - square * p.tilesDown.divisor) * kTile;
    char *at[2];
    p.squares.addresses(square, at);
    __syncthreads();  // the last tile has been written
#pragma unroll
    for (int j = 0; j < kTile; j += kTileRows)
      if (x + uint32_t(row + j) < p.across && y + uint32_t(lane) < p.down)
        tile[(row + j) * (kTile + 1) + lane] = *reinterpret_cast<const Word *>(
            at[1] + int64_t(x + uint32_t(row + j)) * p.acrossStride +
            int64_t(y + uint32_t(lane)) * int64_t(sizeof(Word)));
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kTile; j += kTileRows)
      if (x + uint32_t(lane) < p.across && y + uint32_t(row + j) < p.down)
        *reinterpret_cast<Word *>(at[0] + int64_t(y + uint32_t(row + j)) * p.downStride +
                                  int64_t(x + uint32_t(lane)) *
                                      int64_t(sizeof(Word))) = tile[lane * (kTile + 1) + row + j];
  }
}

// The dimension along which the source is contiguous, if it and the result's are long enough to fill tiles; else 0.
int turned(const THPointwisePlan &plan, int64_t size) {
  constexpr int64_t few = kTile / 2, most = int64_t(1) << 31;
  if (plan.stride[0][0] != size || plan.stride[0][1] == size || plan.shape[0] < few || plan.shape[0] >= most) return 0;
  for (int d = 1; d < plan.ndim; d++)
    if (plan.stride[d][1] == size && plan.shape[d] >= few && plan.shape[d] < most) return d;
  return 0;
}

template <class Word>
void turn(const THPointwisePlan &plan, int down, char *const (&data)[2], cudaStream_t stream) {
  THPointwisePlan outer = plan;
  outer.ndim = 0;
  for (int d = 1; d < plan.ndim; d++) {
    if (d == down) continue;
    outer.shape[outer.ndim] = plan.shape[d];
    std::copy_n(plan.stride[d], 2, outer.stride[outer.ndim++]);
  }
  if (!outer.ndim) {
    outer.shape[0] = outer.ndim = 1;
    outer.stride[0][0] = outer.stride[0][1] = 0;
  }
  Turn p;
  p.across = uint32_t(plan.shape[0]), p.down = uint32_t(plan.shape[down]);
  p.acrossStride = plan.stride[0][1], p.downStride = plan.stride[down][0];
  p.tilesAcross = Divider((p.across + kTile - 1) / kTile), p.tilesDown = Divider((p.down + kTile - 1) / kTile);
  forWalks<2>(outer, data, [&](const Walk<2> &walk) {
    p.squares = walk;
    p.count = walk.count * p.tilesAcross.divisor * p.tilesDown.divisor;
    launch(turnKernel<Word>, blocksFor(p.count, 1), kBlock, 0, stream, p);
  });
}

// Elements of one dtype, whatever it is.
void moveElements(const THPointwisePlan &plan, THTensor *self, const THTensor *src) {
  const OnDevice on(self);
  char *const data[] = {dataOf(self, on), dataOf(src, on)};
  const int64_t size = th::elementSize(THDtype(self->dtype));
  if (plan.ndim == 1 && plan.stride[0][0] == size && plan.stride[0][1] == size) {
    THC_CHECK(cudaMemcpyAsync(data[0], data[1], size_t(plan.numel * size), cudaMemcpyDeviceToDevice, on.stream));
    return;
  }
  // A tile has at least 256 elements on average: 2^38 of them make fewer than 2^31 tiles.
  if (const int down = plan.numel < int64_t(1) << 38 ? turned(plan, size) : 0)
    return withWord(size, addressBits(data[0], data[1]),
                    [&](auto word) { turn<decltype(word)>(plan, down, data, on.stream); });
  moveWords(plan, data, size, on.stream);
}

// ---- conversions ----------------------------------------------------------------------------------
// Contiguous elements of the dtypes that kernels know, complex ones apart, four at a time. There is a kernel per dtype that
// is read; what is written it chooses for four.
constexpr int kConverted = 4;

template <class T>
struct alignas(sizeof(T) < 4 ? sizeof(T) * kConverted : 16) Four {
  T of[kConverted];
};

template <class To, class From>
__device__ __forceinline__ void writeFour(char *to, const Four<th::Stored<From>> &x, int count, bool aligned) {
  using Out = th::Stored<To>;
  Four<Out> y;
#pragma unroll
  for (int i = 0; i < kConverted; i++) y.of[i] = Out(readElement<To, From>(&x.of[i]));
  if (aligned && count == kConverted) {
    *reinterpret_cast<Four<Out> *>(to) = y;
    return;
  }
#pragma unroll
  for (int i = 0; i < kConverted; i++)
    if (i < count) reinterpret_cast<Out *>(to)[i] = y.of[i];
}

template <class From>
__global__ void __launch_bounds__(kBlock)
    convertKernel(char *to, const char *from, int64_t n, THDtype dtype, int size, bool toAligned, bool fromAligned) {
  using In = th::Stored<From>;
  const int64_t step = int64_t(gridDim.x) * blockDim.x * kConverted;
  for (int64_t i = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * kConverted; i < n; i += step) {
    const int count = n - i < kConverted ? int(n - i) : kConverted;
    const In *const at = reinterpret_cast<const In *>(from) + i;
    Four<In> x;
    if (fromAligned && count == kConverted) {
      x = *reinterpret_cast<const Four<In> *>(at);
    } else {
#pragma unroll
      for (int k = 0; k < kConverted; k++) x.of[k] = at[k < count ? k : count - 1];
    }
    switch (dtype) {
#define THC_WRITE_FOUR(Name, _)                                                   \
  case TH_##Name:                                                                 \
    writeFour<th::Element<TH_##Name>, From>(to + i * size, x, count, toAligned);  \
    break;
      TH_FOR_all(THC_WRITE_FOUR, )
#undef THC_WRITE_FOUR
      default: break;
    }
  }
}

bool isAligned(const char *data, int64_t size) {
  return reinterpret_cast<uintptr_t>(data) % size_t(size < 4 ? 4 * size : 16) == 0;
}

constexpr bool isConverted(THDtype dtype) {
  switch (dtype) {
#define THC_CONVERTED(Name, _) case TH_##Name:
    TH_FOR_all(THC_CONVERTED, )
#undef THC_CONVERTED
    return true;
    default: return false;
  }
}

// Of one device.
bool convertContiguous(const THPointwisePlan &plan, THTensor *self, const THTensor *src) {
  const int64_t to = th::elementSize(THDtype(self->dtype)), from = th::elementSize(THDtype(src->dtype));
  if (plan.ndim != 1 || plan.stride[0][0] != to || plan.stride[0][1] != from) return false;
  if (!isConverted(THDtype(self->dtype))) return false;
  const OnDevice on(self);
  char *const target = dataOf(self, on), *const source = dataOf(src, on);
  const unsigned blocks = blocksFor(plan.numel, kBlock * kConverted);
  switch (THDtype(src->dtype)) {
#define THC_CONVERT(Name, _)                                                                                     \
  case TH_##Name:                                                                                                \
    launch(convertKernel<th::Element<TH_##Name>>, blocks, kBlock, 0, on.stream, target, source, plan.numel,      \
           THDtype(self->dtype), int(to), isAligned(target, to), isAligned(source, from));                       \
    return true;
    TH_FOR_all(THC_CONVERT, )
#undef THC_CONVERT
    default: return false;
  }
}

// src is on self's device, or a number on the CPU.
void convert(const THPointwisePlan &plan, THTensor *self, const THTensor *src) {
  switch (THDtype(self->dtype)) {
#define THC_COPY(Name, type, kind, kernels, name, alias) \
  case TH_##Name:                                        \
    return runPointwise<type>(plan, Same{}, Number::exact, self, src);
    TH_DTYPES(THC_COPY)
#undef THC_COPY
    default: return;
  }
}

bool onOneDevice(const THTensor *a, const THTensor *b) {
  const THDevice x = a->storage->device, y = b->storage->device;
  return x.kind == y.kind && x.index == y.index;
}

void copyAnywhere(THTensor *self, const THTensor *src) {
  if (self->device == TH_CPU && src->device == TH_CPU)
    THTensor_copy(self, src);
  else
    THCTensor_copy(self, src);
}

// The host's memory is pageable unless it is known to be pinned: a copy of that one need not be waited for.
void transferHost(THTensor *target, const THTensor *source, bool mayReturn) {
  const bool toDevice = target->device == TH_CUDA;
  const OnDevice on(toDevice ? target : source);
  const THTensor *const host = toDevice ? source : target;
  const size_t nbytes = size_t(target->numel * th::elementSize(THDtype(target->dtype)));
  void *const hostData = THTensor_data(host);
  const bool pinned = mayReturn && THC_isPinned(hostData);
  if (toDevice)
    THC_CHECK(cudaMemcpyAsync(dataOf(target, on), hostData, nbytes, cudaMemcpyHostToDevice, on.stream));
  else
    THC_CHECK(cudaMemcpyAsync(hostData, dataOf(source, on), nbytes, cudaMemcpyDeviceToHost, on.stream));
  if (pinned) return THC_recordStreamHost(hostData, on.stream, on.index);
  THC_streamSynchronize(on.stream, on.index);
}

struct Event {
  Event() : event(THCEvent_new(false, false, false)) {}
  ~Event() { THCEvent_free(event); }
  Event(const Event &) = delete;
  THCEvent *const event;
};

// In the order of both devices' current streams: after what was there before, and before what comes next.
void transferPeer(THTensor *target, const THTensor *source) {
  const int to = target->storage->device.index, from = source->storage->device.index;
  const size_t nbytes = size_t(target->numel * th::elementSize(THDtype(target->dtype)));
  const cudaStream_t toStream = currentStream(to), fromStream = currentStream(from);
  const Event free, done;
  THCEvent_record(free.event, toStream, to);
  THCEvent_wait(free.event, fromStream, from);
  {
    const OnDevice on(source);
    char *const address = static_cast<char *>(target->storage->data) +
                          target->offset * th::elementSize(THDtype(target->dtype));
    THC_CHECK(cudaMemcpyPeerAsync(address, to, dataOf(source, on), from, nbytes, fromStream));
  }
  THCEvent_record(done.event, fromStream, from);
  THCEvent_wait(done.event, toStream, to);
}

thread_local bool nonBlocking = false;

// Both sides of a transfer are contiguous and of one dtype and shape, if need be in temporaries; conversion happens on a
// device.
void transfer(THTensor *self, const THTensor *src) {
  const auto dtype = THDtype(src->device == TH_CUDA ? self->dtype : src->dtype);
  const auto fits = [&](const THTensor *t) {
    return t->dtype == dtype && THTensor_isContiguous(t) && THTensor_isSameSizeAs(t, src);
  };
  const auto apart = [&](const THTensor *t) {
    return Ref(THTensor_newWithSizeOn(t->storage->device, dtype, src->ndim, src->size));
  };
  Ref source, target;
  if (!fits(src)) {
    source = apart(src);
    copyAnywhere(source, src);
  }
  if (!fits(self)) target = apart(self);
  const THTensor *const from = source ? static_cast<THTensor *>(source) : src;
  THTensor *const to = target ? static_cast<THTensor *>(target) : self;
  if (self->device == TH_CUDA && src->device == TH_CUDA)
    transferPeer(to, from);
  else  // a temporary of the host must not be given back while it is read or written
    transferHost(to, from, nonBlocking && (self->device == TH_CUDA ? !source : !target));
  if (target) copyAnywhere(self, target);
}

// ---- fills ------------------------------------------------------------------------------------------
template <class Word>
__global__ void __launch_bounds__(kBlock) fillKernel(Walk<1> walk, Word word) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += step) {
    char *at[1];
    walk.addresses(i, at);
    *reinterpret_cast<Word *>(at[0]) = word;
  }
}

void fillElements(const THPointwisePlan &plan, THTensor *self, const void *element) {
  const OnDevice on(self);
  char *const data[] = {dataOf(self, on)};
  const int64_t size = th::elementSize(THDtype(self->dtype));
  const auto *const bytes = static_cast<const unsigned char *>(element);
  const bool contiguous = plan.ndim == 1 && plan.stride[0][0] == size;
  if (contiguous && std::all_of(bytes, bytes + size, [=](unsigned char byte) { return byte == bytes[0]; })) {
    THC_CHECK(cudaMemsetAsync(data[0], bytes[0], size_t(plan.numel * size), on.stream));
    return;
  }
  const auto fill = [&](const THPointwisePlan &part, char *const(&at)[1]) {
    withWideWord(part, at, size, [&](const THPointwisePlan &wide, auto word) {
      unsigned char pattern[sizeof word];
      for (size_t i = 0; i < sizeof word; i++) pattern[i] = bytes[i % size_t(size)];
      std::memcpy(&word, pattern, sizeof word);
      forWalks<1>(wide, at, [&](const Walk<1> &walk) {
        launch(fillKernel<decltype(word)>, blocksFor(walk.count), kBlock, 0, on.stream, walk, word);
      });
    });
  };
  // What does not fill a word of 16 bytes is worth a launch of its own where there is much else.
  constexpr int64_t much = int64_t(1) << 20;
  const int64_t rest = contiguous && plan.numel * size >= much ? plan.numel % (kWideWord / size) : 0;
  THPointwisePlan part = plan;
  if (rest) {
    part.shape[0] = part.numel = rest;
    fill(part, {data[0] + (plan.numel - rest) * size});
    part.shape[0] = part.numel = plan.numel - rest;
  }
  fill(part, data);
}

}  // namespace
}  // namespace thc

bool THC_setNonBlocking(bool on) { return std::exchange(thc::nonBlocking, on); }

void THCTensor_copy(THTensor *self, const THTensor *src) {
  const thc::Operator named("copy_");
  THPointwisePlan plan;
  if (!THPrepare_copy(&plan, self, src)) return;
  const bool number = src->device == TH_CPU && self->device == TH_CUDA && src->numel == 1;
  if (!number && !thc::onOneDevice(self, src)) return thc::transfer(self, src);
  if (!number && self->dtype == src->dtype)
    thc::moveElements(plan, self, src);
  else if (number || !thc::convertContiguous(plan, self, src))
    thc::convert(plan, self, src);
}

void THCTensor_fill(THTensor *self, THScalar value) {
  const thc::Operator named("fill_");
  THPointwisePlan plan;
  alignas(8) char element[th::kWidest];
  if (THPrepare_fill(&plan, element, self, value)) thc::fillElements(plan, self, element);
}

void THCTensor_zero(THTensor *self) {
  const thc::Operator named("zero_");
  THScalar nothing = {};
  nothing.kind = TH_KIND_bool;
  THCTensor_fill(self, nothing);
}
