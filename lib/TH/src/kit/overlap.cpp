#include "overlap.hpp"

#include "tensor.hpp"

namespace th {
namespace {

struct Bytes {
  int64_t first, last;
};

Bytes bytesOf(const THTensor *t) {
  const int64_t width = elementSize(dtypeOf(t));
  int64_t last = t->offset;
  for (int d = 0; d < t->ndim; d++) last += (t->size[d] - 1) * t->stride[d];
  return {t->offset * width, (last + 1) * width};
}

[[noreturn]] void refuse(const char *what) {
  THError(TH_ERROR_RUNTIME, "unsupported operation: %s to a single memory location; write to a clone() instead", what);
}

[[noreturn]] void refuseInput() { refuse("some elements of the input tensor and the written-to tensor refer"); }

}  // namespace

void requireDistinct(const THTensor *r) {
  if (r->numel < 2) return;
  for (int d = 0; d < r->ndim; d++)
    if (r->stride[d] == 0 && r->size[d] > 1) refuse("more than one element of the written-to tensor refers");
}

Overlap overlapOf(const THTensor *r, const THTensor *input) {
  if (r == input) return Overlap::same;
  if (r->storage != input->storage || !r->numel || !input->numel) return Overlap::none;
  const Bytes a = bytesOf(r), b = bytesOf(input);
  if (a.first >= b.last || b.first >= a.last) return Overlap::none;
  if (!isDense(r) || !isDense(input)) return Overlap::unknown;
  bool same = a.first == b.first && a.last == b.last && sameShape(r->ndim, r->size, input);
  for (int d = 0; same && d < r->ndim; d++) same = r->size[d] == 1 || r->stride[d] == input->stride[d];
  return same ? Overlap::same : Overlap::partial;
}

void refusePartialOverlap(const THTensor *r, const THTensor *input) {
  if (overlapOf(r, input) == Overlap::partial) refuseInput();
}

void refuseKnownOverlap(const THTensor *r, const THTensor *input) {
  requireMemory(r, input);
  const Overlap overlap = overlapOf(r, input);
  if (overlap == Overlap::partial || overlap == Overlap::same) refuseInput();
}

void refuseOverlapResized(const THTensor *r, int64_t numel, const THTensor *input) {
  if (r->storage != input->storage || !input->numel || !numel) return;
  const int64_t width = elementSize(dtypeOf(r));
  const Bytes read = bytesOf(input);
  if (r->offset * width < read.last && read.first < (r->offset + numel) * width) refuseInput();
}

void requireSeparate(const THTensor *r, const THTensor *input) {
  requireMemory(r, input);
  if (r->storage == input->storage && THTensor_overlaps(r, input)) refuseInput();
}

void requireSeparate(const THTensor *r, const THTensor *input, int ndim, const int64_t *size) {
  requireMemory(r, input);
  if (r->storage != input->storage) return;
  // Resizing r would reuse or move the input's memory.
  if (!sameShape(ndim, size, r) || THTensor_overlaps(r, input)) refuseInput();
}

}  // namespace th
