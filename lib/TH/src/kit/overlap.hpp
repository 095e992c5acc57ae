// May a tensor be written? What shares memory with itself or with an operand is refused here, in these words only; and
// by the functions that keep a result and an input apart also an input that has no memory, where the result has.
#pragma once

#include <TH/THTensor.h>

namespace th {

// A dimension of stride 0, as after expand, gives many elements one place. Overlap that only a search would find, as
// of as_strided, is not refused: later elements win.
void requireDistinct(const THTensor *r);

// Writing r must not change an input that is read in another order. `same`: they have the same elements in the same
// places, in whatever dtype, or are one tensor. Of tensors with gaps nobody knows without a search: not refused.
enum class Overlap { none, same, partial, unknown };
Overlap overlapOf(const THTensor *r, const THTensor *input);
void refusePartialOverlap(const THTensor *r, const THTensor *input);  // for kernels that go element by element
void refuseKnownOverlap(const THTensor *r, const THTensor *input);    // for those that do not

// r will be resized to that many elements, dense, where it begins now.
void refuseOverlapResized(const THTensor *r, int64_t numel, const THTensor *input);

// For kernels that would go wrong if r and an input had any memory in common. With `size`: r will be resized to that
// shape.
void requireSeparate(const THTensor *r, const THTensor *input);
void requireSeparate(const THTensor *r, const THTensor *input, int ndim, const int64_t *size);

}  // namespace th
