// The one iterator: strided, broadcasting walks over up to five operands.
//
// A pointwise kernel is an inner loop; everything around it is here, once, and knows no element
// type: shape of the result, overlap, order and fusion of dimensions, conversion, threads.
#pragma once

#include <initializer_list>
#include <TH/prepare/pointwise.h>
#include "tensor.hpp"

namespace th {

constexpr int kMaxOperands = TH_MAX_OPERANDS;

// Computes n elements. Operand k starts at data[k] and steps by strides[k] bytes; the result is
// operand 0. A stride of 0 is a broadcast input. `param` is whatever the kernel passed along.
using Loop = void (*)(char *const *data, const int64_t *strides, int64_t n, const void *param);

struct Operand {
  const THTensor *tensor;
  THDtype dtype;  // what the loop reads or writes there
  THDtype via;    // where that differs from the tensor's dtype, the dtype that comes between
};

enum class Result { resized = TH_RESULT_RESIZED, fixed = TH_RESULT_FIXED, filled = TH_RESULT_FILLED };

using Plan = THPointwisePlan;

// Checks and broadcasts the operands, gives the result its shape and strides, and makes the plan. Raises before
// anything is changed; looks at no element. False: there is nothing to run, as the result has no elements or no memory.
bool prepare(Plan &plan, const Operand *operands, int n, Result mode);

// operands[0] is written, the others are read. `narrow`: see Kernel. On the CPU, or prepares a result without memory.
void iterate(Loop loop, const void *param, const Operand *operands, int n, Result mode = Result::resized,
             Loop narrow = nullptr);

// An inner loop, with the dtypes that it reads and writes.
struct Kernel {
  Loop loop;
  THDtype in, out;
  // Of a loop in float for a half type, if there is one: the same for contiguous operands of that type, which it
  // converts in registers. An operand whose stride is 0 is a float.
  Loop narrow = nullptr;
};
struct KernelTable {
  Kernel of[TH_NUM_DTYPES];  // by dtype of the computation
};

// Does a one-element input of another dtype go to the compute type of a half dtype directly (as
// torch does it for arithmetic with numbers), or by the dtype?
enum class Number { rounded, exact };

// r = kernel(inputs…) in `dtype`
void pointwise(const KernelTable &table, THDtype dtype, const void *param, THTensor *r,
               std::initializer_list<const THTensor *> inputs, Number number = Number::rounded);

}  // namespace th
