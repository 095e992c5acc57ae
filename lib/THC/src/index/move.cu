// Moving elements by an index, and from indices to places.
#include "index/byindex.hpp"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/words.cuh"

namespace thc {
namespace {

// How far an index moves its operand; false: there is nothing to move.
__device__ __forceinline__ bool choose(const Choice &choice, int64_t index, int64_t &offset) {
  if (index == kSkipped) return false;
  const int64_t i = index < 0 && choice.wraps ? index + choice.length : index;
  if (i < 0 || i >= choice.length) {
    report(choice.failure, choice.kind, index, choice.length, choice.dim);
    return false;
  }
  offset = i * choice.step;
  return true;
}

// Operands: what is written, what is read, the index.
template <class Word, bool take>
__global__ void __launch_bounds__(kBlock) moveByIndexKernel(Walk<3> walk, Choice choice) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += step) {
    char *at[3];
    walk.addresses(i, at);
    int64_t offset;
    if (!choose(choice, *reinterpret_cast<const int64_t *>(at[2]), offset)) continue;
    at[take ? 1 : 0] += offset;
    *reinterpret_cast<Word *>(at[0]) = *reinterpret_cast<const Word *>(at[1]);
  }
}

// Operands: the place, the index, and the offset that the other dimensions add, which is an address from 0 on.
__global__ void __launch_bounds__(kBlock) placesAlongKernel(Walk<3> walk, Choice choice) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += step) {
    char *at[3];
    walk.addresses(i, at);
    int64_t offset;
    const bool chosen = choose(choice, *reinterpret_cast<const int64_t *>(at[1]), offset);
    *reinterpret_cast<int64_t *>(at[0]) = chosen ? reinterpret_cast<int64_t>(at[2]) + offset : kSkipped;
  }
}

__global__ void __launch_bounds__(kBlock)
    addPlacesKernel(int64_t *places, const int64_t *index, int64_t n, Choice choice) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (places[i] == kSkipped) continue;
    int64_t offset;
    places[i] = choose(choice, index[i], offset) ? places[i] + offset : kSkipped;
  }
}

template <class Word>
void moveAs(Move move, const THPointwisePlan &plan, char *const (&data)[3], const Choice &choice, cudaStream_t stream) {
  const auto kernel = move == Move::take ? moveByIndexKernel<Word, true> : moveByIndexKernel<Word, false>;
  forWalks<3>(plan, data,
              [&](const Walk<3> &walk) { launch(kernel, blocksFor(walk.count), kBlock, 0, stream, walk, choice); });
}

// The widest words that runs of neighbours in both operands are made of; the plan's innermost dimension then counts these.
int64_t widen(THPointwisePlan &plan, char *const (&data)[3], const Choice &choice, int64_t size) {
  if (plan.stride[0][0] != size || plan.stride[0][1] != size || plan.stride[0][2] != 0) return size;
  uint64_t all = uint64_t(plan.shape[0] * size) | uint64_t(choice.step) | reinterpret_cast<uintptr_t>(data[0]) |
                 reinterpret_cast<uintptr_t>(data[1]);
  for (int d = 1; d < plan.ndim; d++) all |= uint64_t(plan.stride[d][0]) | uint64_t(plan.stride[d][1]);
  int64_t word = kWideWord;
  while (word > size && all % uint64_t(word)) word /= 2;
  plan.shape[0] = plan.shape[0] * size / word;
  plan.stride[0][0] = plan.stride[0][1] = word;
  return word;
}

}  // namespace

void moveByIndex(Move move, THPointwisePlan plan, char *const (&data)[3], Choice choice, int64_t elementSize,
                 cudaStream_t stream) {
  if (plan.numel == 0) return;
  const int64_t size = widen(plan, data, choice, elementSize);
  if (size == kWideWord && elementSize < size) return moveAs<WideWord>(move, plan, data, choice, stream);
  withWord(size, addressBits(data[0], data[1]),
           [&](auto word) { moveAs<decltype(word)>(move, plan, data, choice, stream); });
}

Ref placesAlong(const THTensor *t, const THTensor *longs, const THIndexDimPlan &plan) {
  const OnDevice on(t);
  Ref places(th::newLike(t, TH_Long, longs->ndim, longs->size));
  int64_t placeStride[TH_MAX_DIM], indexStride[TH_MAX_DIM], offsetStride[TH_MAX_DIM];
  for (int d = 0; d < longs->ndim; d++) {
    placeStride[d] = places->stride[d] * 8;
    indexStride[d] = longs->stride[d] * 8;
    offsetStride[d] = t->ndim && d != plan.dim ? t->stride[d] : 0;
  }
  const int64_t *const strides[] = {placeStride, indexStride, offsetStride};
  char *const data[] = {dataOf(places, on), dataOf(longs, on), nullptr};
  Choice choice = choiceOf(t, plan, FailureKind::Slice);
  choice.step = t->ndim ? t->stride[plan.dim] : 0;
  forWalks<3>(boxPlan(3, longs->ndim, longs->size, strides), data, [&](const Walk<3> &walk) {
    launch(placesAlongKernel, blocksFor(walk.count), kBlock, 0, on.stream, walk, choice);
  });
  return places;
}

Ref placesOf(const THTensor *t, int n, const THTensor *const *indices, const THIndexPlan &plan, FailureKind kind,
             bool wraps) {
  const OnDevice on(t);
  Ref places(th::newLike(t, TH_Long, 1, &plan.count));
  THCTensor_zero(places);
  for (int k = 0; k < n; k++) {
    if (!indices[k]) continue;
    const Ref wide(
        THTensor_newExpand(const_cast<THTensor *>(indices[k]), plan.last - plan.first, plan.size + plan.first));
    const Ref longs = contiguousAs(TH_Long, wide, t);
    THIndexDimPlan along = {};
    along.dim = k, along.length = t->size[k];
    Choice choice = choiceOf(t, along, kind, wraps);
    choice.step = t->stride[k];
    launch(addPlacesKernel, blocksFor(plan.count), kBlock, 0, on.stream, thc::elements<int64_t>(places),
           thc::elements<int64_t>(longs), plan.count, choice);
  }
  return places;
}

}  // namespace thc
