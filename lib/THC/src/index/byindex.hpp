// Elements that an index tensor chooses: what the functions of this family share.
//
// All of them walk a box in which three operands meet: what is written, what is read, and the index (int64). One of the
// first two is moved on by what the index says. Elements go by size, not by dtype.
#pragma once

#include <TH/prepare/index.h>
#include "kit/cuda.hpp"
#include "kit/failure.cuh"
#include "kit/operands.hpp"

namespace thc {

// Where an index may point, and what is said where it does not. An index that is kSkipped moves nothing, silently.
struct Choice {
  int64_t length = 0, step = 0;  // of the dimension: indices are less than length, and this far apart
  bool wraps = false;  // negative indices count from the end
  FailureKind kind = FailureKind::Index;
  int dim = 0;
  Failure *failure = nullptr;
};
constexpr int64_t kSkipped = INT64_MIN;

// A walk over a box of this shape by `n` operands with these strides, in bytes: dimensions in the order of the strides,
// those that continue each other merged.
THPointwisePlan boxPlan(int n, int ndim, const int64_t *size, const int64_t *const *stride);

// t as an operand of a kernel that writes `written`, on whose device it is, or a number on the CPU: itself, or a copy in
// this dtype.
Ref operandFor(THDtype dtype, const THTensor *t, const THTensor *written);

// Indices that choose along one dimension of t: `plan` says which. They are broadcast to a shape by their strides.
Choice choiceOf(const THTensor *t, const THIndexDimPlan &plan, FailureKind kind, bool wraps = false);

// data: of take the result, what is read, the index; of put what is written, the value, the index.
enum class Move { take, put };
void moveByIndex(Move move, THPointwisePlan plan, char *const (&data)[3], Choice choice, int64_t elementSize,
                 cudaStream_t stream);

// ---- places: offsets in a tensor, in elements -----------------------------------------------------------
// Of an index tensor for gather or scatter those of all its positions, in row-major order.
Ref placesAlong(const THTensor *t, const THTensor *longs, const THIndexDimPlan &plan);
// Of index tensors for some dimensions those of all positions of their broadcast shape.
Ref placesOf(const THTensor *t, int n, const THTensor *const *indices, const THIndexPlan &plan, FailureKind kind,
             bool wraps);
// The same, but of positions that have one place only the last is not kSkipped.
Ref lastOfPlaces(Ref places, const THTensor *t);

// Adds the values, which are contiguous in the box's shape or one value, to the elements of self that are chosen, those
// that meet at one place in the order of the positions.
void addAtPlaces(THTensor *self, const THTensor *places, const THIndexPlan &plan, const THTensor *values);

// THTensor_indexPut after its prepare; `kind` and `wraps` are those of all indices.
void putIndexed(THTensor *self, int n, const THTensor *const *indices, const THTensor *value, bool accumulate,
                FailureKind kind, bool wraps);

}  // namespace thc
