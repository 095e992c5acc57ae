// nonzero and maskedSelect: two passes over chunks, to count and to write; so each chunk's
// place in the result does not depend on the thread that takes it.
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <cstring>

#include "kit/indexing.hpp"
#include "kit/result.hpp"

namespace th {
namespace {

constexpr int64_t kChunk = 2048;

struct Chunks {
  int64_t n;
  std::vector<int64_t> start;  // of each chunk's hits in the result; last: their number

  // isHit(i): 1 or 0
  template <class IsHit>
  Chunks(int64_t length, const IsHit &isHit) : n(length), start(size_t((n + kChunk - 1) / kChunk + 1)) {
    each([&](int64_t chunk, int64_t first, int64_t last) {
      int64_t count = 0;
      for (int64_t i = first; i < last; i++) count += isHit(i);
      start[size_t(chunk) + 1] = count;
    });
    for (size_t c = 1; c < start.size(); c++) start[c] += start[c - 1];
  }

  template <class Body>
  void each(const Body &body) const {
    parallelFor(int64_t(start.size()) - 1, kGrain / kChunk, [&](int64_t begin, int64_t end) {
      for (int64_t chunk = begin; chunk < end; chunk++) body(chunk, chunk * kChunk, std::min(n, (chunk + 1) * kChunk));
    });
  }

  int64_t count() const { return start.back(); }
};

// Bits of an element that tell it from zero: all but the sign of a floating-point number.
uint64_t magnitudeBits(THDtype dtype) {
  const uint64_t all = ~uint64_t(0) >> (64 - 8 * TH_elementSize(dtype));
  return isFloating(dtype) ? all >> 1 : all;
}

// Writes the coordinates of hits first + at[0 … count - 1], which ascend; stride: from hit to hit, and within one.
void writeCoordinates(int64_t *out, const int64_t *stride, int ndim, const int64_t *size, int64_t first,
                      const uint32_t *at, int64_t count) {
  if (ndim == 0) return;
  const int64_t length = size[ndim - 1], step = stride[1];
  int64_t row[TH_MAX_DIM];
  int64_t rowStart = -length;
  for (int64_t k = 0; k < count; k++, out += stride[0]) {
    const int64_t i = first + at[k];
    if (i - rowStart >= length) {
      int64_t rest = i / length;
      rowStart = rest * length;
      for (int d = ndim - 2; d >= 0; rest /= size[d--]) row[d] = rest % size[d];
    }
    for (int d = 0; d < ndim - 1; d++) out[d * step] = row[d];
    out[(ndim - 1) * step] = i - rowStart;
  }
}

Ref contiguous(const THTensor *t) { return Ref(THTensor_newContiguous(const_cast<THTensor *>(t))); }

}  // namespace
}  // namespace th

using namespace th;

void THPrepare_nonzero(const THTensor *r, const THTensor *t) {
  if (!hasMemory(t) || !hasMemory(r)) refuseMeta("nonzero");
  requireDtype(r, TH_Long, "result");
  if (isFloat8(dtypeOf(t)))
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"nonzero_count_cpu\" not implemented for '%s'", TH_typeName(dtypeOf(t)));
}

void THPrepare_nonzeroResult(THResult *result, THTensor *r, const THTensor *t, int64_t count) {
  const int64_t size[] = {count, t->ndim};
  requireSeparate(r, t, 2, size);
  requireDistinct(r);
  setResult(*result, r, 2, size);
  result->strided = true;  // each coordinate contiguous, which is what indexing reads
  result->stride[0] = 1, result->stride[1] = count;
}

void THTensor_nonzero(THTensor *r, const THTensor *input) {
  THPrepare_nonzero(r, input);
  Ref t(isComplex(dtypeOf(input)) ? THTensor_newWithSize(TH_Bool, input->ndim, input->size) : nullptr);
  if (t)
    THTensor_copy(t, input);
  else
    t = contiguous(input);
  const uint64_t mask = magnitudeBits(dtypeOf(t));
  withElementSize(dtypeOf(t), [&]<class U>(U) {
    const U *from = elements<const U>(t);
    const auto isHit = [=](int64_t i) {
      if constexpr (std::is_integral_v<U>)
        return (from[i] & U(mask)) != 0;
      else
        return false;  // so wide are only complex numbers, which have become bools
    };
    const Chunks chunks(t->numel, isHit);
    THResult result;
    THPrepare_nonzeroResult(&result, r, input, chunks.count());
    resizeResults(&result);
    int64_t *const to = elements<int64_t>(r);
    chunks.each([&](int64_t chunk, int64_t first, int64_t last) {
      uint32_t hits[kChunk];
      int64_t count = 0;
      for (int64_t i = first; i < last; i++) {
        hits[count] = uint32_t(i - first);
        count += isHit(i);
      }
      writeCoordinates(to + chunks.start[size_t(chunk)] * r->stride[0], r->stride, t->ndim, t->size, first, hits,
                       count);
    });
  });
}

int THPrepare_maskedSelect(const THTensor *r, const THTensor *t, const THTensor *mask, int64_t *size) {
  if (!hasMemory(r) || !hasMemory(t) || !hasMemory(mask)) refuseMeta("masked_select");
  if (dtypeOf(mask) != TH_Bool) THError(TH_ERROR_RUNTIME, "masked_select: expected BoolTensor for mask");
  requireDtype(r, dtypeOf(t), "result");
  requireDistinct(r);
  const THTensor *both[] = {mask, t};
  return TH_broadcastShape(2, both, size);
}

void THPrepare_maskedSelectResult(THResult *result, THTensor *r, const THTensor *t, const THTensor *mask,
                                  int64_t count) {
  requireSeparate(r, t, 1, &count);
  requireSeparate(r, mask, 1, &count);
  setResult(*result, r, 1, &count);
}

void THTensor_maskedSelect(THTensor *r, const THTensor *t, const THTensor *mask) {
  int64_t size[TH_MAX_DIM];
  const int ndim = THPrepare_maskedSelect(r, t, mask, size);
  const auto expanded = [&](const THTensor *x) {
    const Ref view(THTensor_newExpand(const_cast<THTensor *>(x), ndim, size));
    return contiguous(view);
  };
  const Ref from = expanded(t), chosen = expanded(mask);
  const uint8_t *isHit = elements<const uint8_t>(chosen);  // any byte may be there
  const Chunks chunks(chosen->numel, [=](int64_t i) { return isHit[i] != 0; });
  THResult shape;
  THPrepare_maskedSelectResult(&shape, r, t, mask, chunks.count());
  resizeResults(&shape);
  ContiguousResult result(r);
  withElementSize(dtypeOf(t), [&]<class U>(U) {
    const U *const values = elements<const U>(from);
    U *const to = result.data<U>();
    chunks.each([&](int64_t chunk, int64_t first, int64_t last) {
      U hits[kChunk];
      size_t n = 0;
      for (int64_t i = first; i < last; i++) {
        hits[n] = values[i];
        n += isHit[i] != 0;
      }
      if (n) std::memcpy(to + chunks.start[size_t(chunk)], hits, n * sizeof(U));
    });
  });
  result.finish();
}
