// Pieces of signals, added up where they overlap.
#include <TH/THPrepare.h>
#include <TH/THTensorFft.h>

#include <algorithm>

#include "kit/parallel.hpp"
#include "kit/result.hpp"

namespace th {
namespace {

constexpr int64_t kBlock = 4096;  // elements of a signal that are one thread's work at a time

template <class T>
void overlapAdd(THTensor *r, const THTensor *t, int64_t hop) {
  THResult shape;
  THPrepare_overlapAdd(&shape, DtypeOf<T>::value, r, t, hop);
  resizeResults(&shape);
  if (!hasMemory(r)) return;
  ContiguousResult result(r);
  const int64_t pieces = t->size[1], n = t->size[2], *const size = shape.size, length = size[1];
  T *const data = result.data<T>();
  const T *const source = elements<T>(t);
  const int64_t blocks = (length + kBlock - 1) / kBlock;
  parallelFor(size[0] * blocks, std::max<int64_t>(1, kGrain / kBlock * hop / std::max<int64_t>(n, 1)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; i++) {
                  const int64_t signal = i / blocks, first = i % blocks * kBlock,
                                last = std::min(length, first + kBlock);
                  T *const out = data + signal * length;
                  std::fill(out + first, out + last, T(0));
                  // Pieces in their order, however many threads there are.
                  for (int64_t piece = std::max<int64_t>(0, (first - n + hop) / hop);
                       piece < pieces && piece * hop < last; piece++) {
                    const int64_t start = piece * hop, from = std::max(first, start), to = std::min(last, start + n);
                    const T *in = source + signal * t->stride[0] + piece * t->stride[1] + (from - start) * t->stride[2];
                    for (int64_t k = from; k < to; k++, in += t->stride[2]) out[k] += *in;
                  }
                }
              });
  result.finish();
}

}  // namespace
}  // namespace th

TH_DEFINE(overlapAdd, lapack, (THTensor *r, const THTensor *t, int64_t hop), th::overlapAdd<T>(r, t, hop))
