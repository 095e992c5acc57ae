// What TH's own files need of tensors beyond THTensor.h.
#pragma once

#include <cstring>
#include <initializer_list>
#include <utility>
#include <TH/THTensor.h>
#include "define.hpp"

namespace th {

// "[2, 3]", for messages. Not std::string, whose header takes longer to read than all of TH's.
class ShapeString {
 public:
  ShapeString(int ndim, const int64_t *size) { TH_sizeString(ndim, size, text_, sizeof text_); }
  const char *c_str() const { return text_; }

 private:
  char text_[24 * TH_MAX_DIM];
};
inline ShapeString shapeString(int ndim, const int64_t *size) { return {ndim, size}; }
inline ShapeString shapeString(const THTensor *t) { return {t->ndim, t->size}; }

// An element type as a C++ compiler prints it; some messages of torch do.
inline const char *cppName(THDtype dtype) { return dtypeTable[dtype].names.printed; }

inline THDtype dtypeOf(const THTensor *t) { return THDtype(t->dtype); }

// Does a tensor have elements that can be reached? On the meta device it has none: there a kernel ends when it has
// checked its arguments and its results have their shapes.
inline bool hasMemory(const THTensor *t) { return t->device != TH_Meta; }

// Kernels here reach memory of the CPU only, and elements that have a stride: on backend 0.
inline bool isHere(const THTensor *t) { return t->device == TH_CPU && t->layout == TH_STRIDED; }
[[noreturn]] void refuseDevice(const THTensor *t);
inline void requireMemory(const THTensor *t) {
  if (!isHere(t)) [[unlikely]]
    refuseDevice(t);
}
// Whether a result is to be filled by a kernel of the CPU. On the meta device there is nothing to fill; what lies on
// another is refused, before it changes.
inline bool runsHere(const THTensor *r) {
  if (isHere(r)) [[likely]]
    return true;
  if (hasMemory(r) || r->layout != TH_STRIDED) refuseDevice(r);
  return false;
}
// Of an input, before the result changes: elements of r cannot be computed from one that has none, nor here from those
// of another device. Another backend may bring over what is on the CPU.
[[noreturn]] void refuseInputOf(const THTensor *r, const THTensor *input);
inline void requireMemory(const THTensor *r, const THTensor *input) {
  if (input->layout != TH_STRIDED || (input->device != r->device && hasMemory(r) && input->device != TH_CPU))
      [[unlikely]]
    refuseInputOf(r, input);
}
// For operators whose result, or its shape, is known by the elements alone; `name` without "aten::".
[[noreturn]] void refuseMeta(const char *name);

inline char *addressOf(const THTensor *t) {  // of element 0, once it is known to have memory here
  return static_cast<char *>(t->storage->data) + (t->numel ? t->offset * elementSize(dtypeOf(t)) : 0);
}
inline char *dataOf(const THTensor *t) {
  requireMemory(t);
  return addressOf(t);
}
template <class T>
T *elements(const THTensor *t) {
  requireMemory(t);
  return static_cast<T *>(t->storage->data) + (t->numel ? t->offset : 0);
}

// Uninitialised and contiguous, on the device of `like`: for what a kernel keeps in between.
THTensor *newLike(const THTensor *like, THDtype dtype, int ndim, const int64_t *size);
THTensor *newLike(const THTensor *like, THDtype dtype);  // one dimension of size 0

// Makes self, which has another shape, a dense tensor of this one; strides NULL: contiguous. The storage grows if need be.
inline void resizeTo(THTensor *self, int ndim, const int64_t *size, const int64_t *stride) {
  THTensor_resize(self, ndim, size);
  if (stride) std::memcpy(self->stride, stride, size_t(ndim) * sizeof *stride);
}

// Lets self's storage grow to hold that shape, in which self itself is not yet: of several results, the first ones stay as
// they are if a later one cannot grow.
void makeRoom(const THTensor *self, int ndim, const int64_t *size);

void contiguousStrides(int ndim, const int64_t *size, int64_t *stride);

// Dimensions of a tensor from the innermost (smallest stride) to the outermost. Where strides
// cannot tell (broadcast dimensions, one element) the row-major order stays.
void strideOrder(int ndim, const int64_t *size, int n, const int64_t *const *strides, int *order);

// Strides of a dense tensor with its dimensions in that order.
void denseStrides(int ndim, const int64_t *size, const int *order, int64_t *stride);

// No gaps and no two indices for one element, in whatever order of dimensions.
bool isDense(const THTensor *t);

inline bool sameShape(int ndim, const int64_t *size, const THTensor *t) {
  if (ndim != t->ndim) return false;
  for (int d = 0; d < ndim; d++)
    if (size[d] != t->size[d]) return false;
  return true;
}

// An owned reference.
class Ref {
 public:
  explicit Ref(THTensor *t = nullptr) : t_(t) {}
  Ref(Ref &&other) noexcept : t_(std::exchange(other.t_, nullptr)) {}
  Ref &operator=(Ref &&other) noexcept {
    std::swap(t_, other.t_);
    return *this;
  }
  ~Ref() { THTensor_free(t_); }
  operator THTensor *() const { return t_; }
  THTensor *operator->() const { return t_; }
  THTensor *release() { return std::exchange(t_, nullptr); }

 private:
  THTensor *t_;
};

}  // namespace th
