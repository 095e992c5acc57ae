// Copies between any two dtypes, and filling with one value.
#include <algorithm>
#include <cstring>
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>
#include "kit/convert.hpp"
#include "kit/iterator.hpp"
#include "kit/parallel.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "runs.hpp"
#include "transpose.hpp"

namespace th {
namespace {

template <class T>
void copyLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  constexpr int64_t width = sizeof(T);
  char *to = data[0];
  const char *from = data[1];
  const int64_t s = strides[0], t = strides[1];
  if (s == width && t == width) {
    std::memmove(to, from, size_t(n) * sizeof(T));  // rows of a tensor that overlaps itself
  } else if (s == width && t == -width) {
    std::get<ReverseRun<T>>(reverseRuns())(reinterpret_cast<T *>(to), reinterpret_cast<const T *>(from), n);
  } else if (t == 0) {
    const T x = *reinterpret_cast<const T *>(from);
    if (s == width)
      std::get<FillRun<T>>(fillRuns())(reinterpret_cast<T *>(to), n, x);
    else
      for (int64_t i = 0; i < n; i++) *reinterpret_cast<T *>(to + i * s) = x;
  } else {
    for (int64_t i = 0; i < n; i++) *reinterpret_cast<T *>(to + i * s) = *reinterpret_cast<const T *>(from + i * t);
  }
}

// By width: elements only move.
constexpr Loop copyLoops[] = {copyLoop<uint8_t>, copyLoop<uint16_t>, copyLoop<uint32_t>, copyLoop<uint64_t>,
                              copyLoop<Wide>};
Loop copyLoopOf(THDtype dtype) { return copyLoops[__builtin_ctzll(TH_elementSize(dtype))]; }

void convertLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const auto &c = *static_cast<const Conversion *>(param);
  const int64_t s = strides[0], t = strides[1];
  if (s == c.to && t == c.from) return c.first(data[0], data[1], n);
  char block[kBlock * kWidest];
  const Conversion none{nullptr, nullptr, c.to, c.to};
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    char *to = data[0] + i * s;
    fetch(c, s == c.to ? to : block, data[1] + i * t, t, m);
    if (s != c.to) store(none, to, s, block, m);
  }
}

// data[1] holds the element.
template <class T>
void fillLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  char *const operands[] = {data[0], static_cast<char *>(const_cast<void *>(param))};
  const int64_t steps[] = {strides[0], 0};
  copyLoop<T>(operands, steps, n, nullptr);
}
constexpr Loop fillLoops[] = {fillLoop<uint8_t>, fillLoop<uint16_t>, fillLoop<uint32_t>, fillLoop<uint64_t>,
                              fillLoop<Wide>};

void fillBytes(THTensor *self, const void *element) {
  if (self->numel == 0) return;
  Operand operand{self, dtypeOf(self), dtypeOf(self)};
  iterate(fillLoops[__builtin_ctzll(TH_elementSize(dtypeOf(self)))], element, &operand, 1, Result::filled);
}

// False: self is src.
bool needsCopy(const THTensor *self, const THTensor *src) {
  if (self == src || THTensor_isSetTo(self, src)) return false;
  if (!hasMemory(src) && hasMemory(self)) THError(TH_ERROR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!");
  return true;
}

}  // namespace
}  // namespace th

using namespace th;

bool THPrepare_copy(THPointwisePlan *plan, THTensor *self, const THTensor *src) {
  if (!needsCopy(self, src)) return false;
  const THDtype to = dtypeOf(self), from = dtypeOf(src);
  const Operand operands[] = {{self, to, to}, {src, from, from}};
  return prepare(*plan, operands, 2, Result::fixed);
}

// Whether the device of one of them has copied.
static bool copiedThere(THTensor *self, const THTensor *src) {
  if (!hasMemory(self)) return false;
  const THAllocator *row = TH_allocator(THDeviceKind(self->device == TH_CPU ? src->device : self->device));
  if (row->copyTensor) row->copyTensor(self, src);
  return row->copyTensor;
}

void THTensor_copy(THTensor *self, const THTensor *src) {
  if (!needsCopy(self, src)) return;
  if (((self->flags | src->flags) & TH_NON_CPU) && copiedThere(self, src)) return;
  const THDtype to = dtypeOf(self), from = dtypeOf(src);
  Operand operands[] = {{self, to, to}, {src, from, from}};
  if (to == from && copyTransposed(self, src)) return;
  if (to == from) return iterate(copyLoopOf(to), nullptr, operands, 2, Result::fixed);
  const Conversion c = conversion(from, from, to);
  iterate(c ? convertLoop : copyLoopOf(to), &c, operands, 2, Result::fixed);  // of the same bits nothing is converted
}

// A view whose strides are negative where the order is reversed, once nothing speaks against it: no tensor has such, but
// the iterator can walk it.
static Ref reversed(THTensor *r, const THTensor *t, uint64_t dims) {
  requireDtype(r, dtypeOf(t), "result");
  if (!sameShape(t->ndim, t->size, r))
    THError(TH_ERROR_RUNTIME, "flip: the result has shape %s instead of %s", shapeString(r).c_str(),
            shapeString(t).c_str());
  requireDistinct(r);
  requireSeparate(r, t);
  if (t->numel == 0 || !hasMemory(r)) return Ref();
  Ref view(THTensor_newWithTensor(const_cast<THTensor *>(t)));
  for (int d = 0; d < t->ndim; d++) {
    if (!(dims >> d & 1)) continue;
    THTensor *v = view;
    v->offset += (v->size[d] - 1) * v->stride[d];
    v->stride[d] = -v->stride[d];
  }
  return view;
}

bool THPrepare_flip(THPointwisePlan *plan, int64_t *first, THTensor *r, const THTensor *t, uint64_t dims) {
  const Ref view = reversed(r, t, dims);
  if (!view) return false;
  *first = view->offset - t->offset;
  const THTensor *operands[] = {r, view};
  return THPrepare_pointwise(plan, 2, operands, TH_RESULT_FIXED);
}

void THTensor_flip(THTensor *r, const THTensor *t, uint64_t dims) {
  const Ref view = reversed(r, t, dims);
  if (!view) return;
  Operand operands[] = {{r, dtypeOf(r), dtypeOf(r)}, {view, dtypeOf(t), dtypeOf(t)}};
  iterate(copyLoopOf(dtypeOf(t)), nullptr, operands, 2, Result::fixed);
}

// A number as an element. As in torch, where it is to fill one element, a narrow floating dtype rounds what it does not
// hold, be it to infinity, and complex32 refuses it; where several, it is the other way round.
static void toElement(void *element, THDtype dtype, THScalar value, bool one) {
  if (one && isFloating(dtype) && elementSize(dtype) < elementSize(TH_Float)) {
    const double x = scalarTo<double>(value);
    converter(dtype, TH_Double)(element, &x, 1);
  } else if (!one && dtype == TH_ComplexHalf) {
    const auto x = convertTo<THComplexHalf>(scalarTo<THComplexFloat>(value));
    std::memcpy(element, &x, sizeof x);
  } else {
    scalarToBytes(dtype, value, element);
  }
}

bool THPrepare_fill(THPointwisePlan *plan, void *element, THTensor *self, THScalar value) {
  if (!hasMemory(self)) return false;
  toElement(element, dtypeOf(self), value, self->numel == 1);
  return THPrepare_pointwise(plan, 1, &self, TH_RESULT_FILLED);
}

void THTensor_fill(THTensor *self, THScalar value) {
  if (!hasMemory(self)) return;
  alignas(8) char element[kWidest];
  toElement(element, dtypeOf(self), value, self->numel == 1);
  fillBytes(self, element);
}

void THTensor_zero(THTensor *self) {
  static constexpr Wide zero = {0, 0};
  if (!hasMemory(self)) return;
  if (self->numel && THTensor_isContiguous(self) && self->numel <= kGrain)
    std::memset(dataOf(self), 0, size_t(self->numel) * TH_elementSize(dtypeOf(self)));
  else
    fillBytes(self, &zero);
}
