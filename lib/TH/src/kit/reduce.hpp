// Reductions: the driver that every one of them uses, and what a reduction has to bring along.
//
// Every element of the result is reduced from a sequence of inputs. The sequence is cut into blocks
// of fixed length; a block becomes a state by a fixed procedure, and states are joined pairwise, as
// a binary counter carries: 1 + 1 = 2, 2 + 2 = 4, …. So the tree depends on the shape alone, a
// thread can take any aligned part of it, and the error of a float sum grows with its logarithm.
#pragma once

#include <TH/THTensorReduce.h>
#include <TH/prepare/reduce.h>
#include "define.hpp"
#include "tensor.hpp"

namespace th {

struct Reduction {
  THDtype in, out;  // dtypes that the functions below see
  bool hasIndex;    // the sequence's order means something
  uint8_t state;    // bytes of a state; w states are w times as many, laid out as the functions like it
  // states[0 … w-1] = nothing yet
  void (*start)(void *states, int64_t w);
  // w sequences one after the other, `stride` bytes apart: states[j] = n contiguous elements of sequence j, from element
  // number `first` on
  void (*run)(void *states, const void *x, int64_t stride, int64_t w, int64_t n, int64_t first);
  // w sequences side by side: states[j] takes in x[j], x[j + stride bytes], … `rows` times
  void (*rows)(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t first);
  // a[j] = a[j] joined with b[j], which comes later in the sequence
  void (*join)(void *a, const void *b, int64_t w);
  // Results of states[0 … w-1], made of `count` elements each; out[0] (or out[1]) may be NULL
  void (*finish)(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t count, double param);
  THDtype second = TH_Long;  // dtype of the second output, if there is one
  double param = 0;          // handed to finish
};
struct ReductionTable {
  Reduction of[TH_NUM_DTYPES];
};
// For the floating dtypes alone: `single` serves half types too.
constexpr ReductionTable floatingTable(const Reduction &single, const Reduction &twice) {
  ReductionTable table{};
  table.of[TH_Half] = table.of[TH_BFloat16] = table.of[TH_Float] = single;
  table.of[TH_Double] = twice;
  return table;
}

// The plan, with the tensors that it owns.
struct ReducePlan : THReducePlan {
  ReducePlan() { own[0] = own[1] = nullptr; }
  ~ReducePlan() {
    for (THTensor *t : own) THTensor_free(t);
  }
  ReducePlan(const ReducePlan &) = delete;
  ReducePlan &operator=(const ReducePlan &) = delete;
};

// `values` and, if the reduction has two outputs, `second` (either may be NULL then) become the result. prepare() gives
// them their shape and makes the plan; it looks at no element. False: there is nothing to run, as there is no result or
// it has no memory. finish() comes last in any case.
bool prepare(ReducePlan &plan, const Reduction &reduction, THTensor *values, THTensor *second, const THTensor *t,
             uint64_t dims, bool keepdim);
void finish(const ReducePlan &plan, THTensor *values, THTensor *second);

// All of it on the CPU, or what prepares a result without memory.
void reduce(const Reduction &reduction, THDtype dtype, THTensor *values, THTensor *second, const THTensor *t,
            uint64_t dims, bool keepdim);

// For reductions that have no result for nothing.
void checkNotEmpty(const char *name, const THTensor *t, uint64_t dims);

bool allTrue(THDtype dtype, const THTensor *t);  // is every element, as a `dtype`, nonzero?

}  // namespace th
