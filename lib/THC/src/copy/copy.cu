// Copies: on a device, between devices, and to and from the host; of any strides and dtypes.
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

// Elements of one dtype, whatever it is.
void moveElements(const THPointwisePlan &plan, THTensor *self, const THTensor *src) {
  const OnDevice on(self);
  char *const data[] = {dataOf(self, on), dataOf(src, on)};
  const int64_t size = th::elementSize(THDtype(self->dtype));
  if (plan.ndim == 1 && plan.stride[0][0] == size && plan.stride[0][1] == size) {
    THC_CHECK(cudaMemcpyAsync(data[0], data[1], size_t(plan.numel * size), cudaMemcpyDeviceToDevice, on.stream));
    return;
  }
  moveWords(plan, data, size, on.stream);
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

template <class Word>
void fill(const THPointwisePlan &plan, char *const (&data)[1], const void *element, cudaStream_t stream) {
  Word word;
  std::memcpy(&word, element, sizeof word);
  forWalks<1>(plan, data, [&](const Walk<1> &walk) {
    launch(fillKernel<Word>, blocksFor(walk.count), kBlock, 0, stream, walk, word);
  });
}

void fillElements(const THPointwisePlan &plan, THTensor *self, const void *element) {
  const OnDevice on(self);
  char *const data[] = {dataOf(self, on)};
  const int64_t size = th::elementSize(THDtype(self->dtype));
  const auto *const bytes = static_cast<const unsigned char *>(element);
  bool repeated = plan.ndim == 1 && plan.stride[0][0] == size;
  for (int64_t i = 1; i < size; i++) repeated = repeated && bytes[i] == bytes[0];
  if (repeated) {
    THC_CHECK(cudaMemsetAsync(data[0], bytes[0], size_t(plan.numel * size), on.stream));
    return;
  }
  withWord(size, addressBits(data[0]), [&](auto word) { fill<decltype(word)>(plan, data, element, on.stream); });
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
  if (number || self->dtype != src->dtype)
    thc::convert(plan, self, src);
  else
    thc::moveElements(plan, self, src);
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
