#include "kit/reduce.hpp"

#include <algorithm>
#include <bit>

#include "kit/operands.hpp"

namespace thc {
namespace {

constexpr int64_t kFewBlocks = 512;   // fewer do not fill a device: sequences are cut into chunks then
constexpr int64_t kManyBlocks = 1024; // so many do
constexpr int64_t kReadsOfChunk = 16; // at least, of each thread

int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }
int32_t powerOf2(int64_t n, int64_t most) {  // not below n
  return int32_t(std::bit_ceil(uint64_t(std::clamp<int64_t>(n, 1, most))));
}

}  // namespace

Reduction::Reduction(THDtype via, const char *name, bool ordered, THTensor *r, THTensor *second, const THTensor *t,
                     uint64_t dims, bool keepdim)
    : device((requireOneDevice({r, second}, {t}), deviceOf(r ? r : second))), guard(device),
      stream(currentStream(device)), results_{r, second} {
  if (t->device == TH_CPU) {
    input_ = contiguousAs(THDtype(t->dtype), t, r ? r : second);
    t = input_;
  }
  // What comes out may have any dtype: the kernels convert it.
  const THReduceKind kind{{r ? THDtype(r->dtype) : via, second ? THDtype(second->dtype) : TH_Long}, name, ordered};
  runs_ = THPrepare_reduce(&plan_, &kind, r, second, t, dims, keepdim);
  if (!runs_) return;
  launch_.data = static_cast<const char *>(t->storage->data) +
                 (t->numel ? t->offset * th::elementSize(THDtype(t->dtype)) : 0);
  for (int k = 0; k < 2; k++) {
    const THTensor *const target = plan_.target[k];
    if (!target) continue;
    launch_.out[k] = static_cast<char *>(target->storage->data) +
                     target->offset * th::elementSize(THDtype(target->dtype));
    launch_.outDtype[k] = target->dtype;
  }
  launch_.outputs = plan_.outputs;
  launch_.count = plan_.count;
  launch_.dtype = t->dtype;
  launch_.via = uint8_t(via);
  launch_.nReduced = int16_t(plan_.nReduced);
  launch_.nKept = int16_t(plan_.nKept);
  std::copy_n(plan_.kept, plan_.nKept, std::copy_n(plan_.reduced, plan_.nReduced, launch_.dim));
}

Reduction::~Reduction() {
  for (THTensor *own : plan_.own) THTensor_free(own);
}

bool Reduction::isAligned() const {
  return reinterpret_cast<uintptr_t>(launch_.data) % uintptr_t(th::elementSize(dtype())) == 0;
}

bool Reduction::readsVectors(int width) const {
  const int64_t size = th::elementSize(dtype()), bytes = size * width;
  const auto isAligned = [=](int64_t stride) { return stride % bytes == 0; };
  if (width == 1 || !plan_.nReduced || plan_.reduced[0].in != size || launch_.count < width) return false;
  if (plan_.nReduced > 1 && plan_.reduced[0].size % width) return false;
  if (!isAligned(int64_t(reinterpret_cast<uintptr_t>(launch_.data)))) return false;
  return std::all_of(plan_.reduced + 1, plan_.reduced + plan_.nReduced, [&](auto &d) { return isAligned(d.in); }) &&
         std::all_of(plan_.kept, plan_.kept + plan_.nKept, [&](auto &d) { return isAligned(d.in); });
}

ReduceLaunch &Reduction::cut(int width) {
  ReduceLaunch &p = launch_;
  const int64_t reads = ceilDivide(p.count, width);
  p.across = width == 1 && p.nKept && (!p.nReduced || plan_.kept[0].in < plan_.reduced[0].in);
  if (p.across) {
    const int32_t side = powerOf2(plan_.kept[0].size, 32);
    p.lanes = std::min(kReduceThreads / side, powerOf2(ceilDivide(reads, 4), kReduceThreads));
  } else {
    const bool few = p.outputs < 65536 / std::max<int64_t>(1, std::min<int64_t>(reads, kReduceThreads));
    p.lanes = few ? powerOf2(reads, kReduceThreads)
                  : std::max(powerOf2(reads, 32), powerOf2(ceilDivide(reads, 8), kReduceThreads));
  }
  const int64_t tiles = ceilDivide(p.outputs, kReduceThreads / p.lanes), step = int64_t(p.lanes) * width;
  p.chunks = 1;
  p.chunk = p.count;
  if (tiles < kFewBlocks) {
    p.chunks = std::clamp<int64_t>(p.count / (step * kReadsOfChunk), 1, ceilDivide(kManyBlocks, tiles));
    p.chunk = ceilDivide(ceilDivide(p.count, p.chunks), 4 * step) * 4 * step;
    p.chunks = std::max<int64_t>(1, ceilDivide(p.count, p.chunk ? p.chunk : 1));
  }
  return p;
}

ReduceLaunch &Reduction::cutChunks() {
  launch_.lanes = powerOf2(launch_.chunks, kReduceThreads);
  launch_.across = false;
  return launch_;
}

unsigned Reduction::blocks() const {
  const int64_t tiles = ceilDivide(launch_.outputs, kReduceThreads / launch_.lanes);
  return unsigned(std::min<int64_t>(tiles * launch_.chunks, int64_t(1) << 30));
}

void Reduction::finish() {
  for (int k = 0; k < 2; k++) {
    const THTensor *const own = plan_.own[k];
    if (!own) continue;
    const THResult shape = [&] {
      THResult result;
      result.tensor = results_[k];
      result.strided = false;
      result.ndim = own->ndim;
      std::copy_n(own->size, own->ndim, result.size);
      return result;
    }();
    THResult_resize(&shape, 1);
    THCTensor_copy(results_[k], own);
  }
}

}  // namespace thc
