// How a kernel says that it met a bad value, without ending the process's work with the device: it writes the first one
// into a record in the host's memory, which the host reads when it waits (THC_checkFailure), and raises.
//
//     thc::noteOperator("index_select");                   // a literal: the pointer is kept
//     launch(kernel, …, thc::failureOf(device), …);
//
//     if (index < 0 || index >= size) {                    // in the kernel
//       thc::report(failure, thc::FailureKind::Index, index, size, dim);
//       return;  // or go on with an index that is inside; nothing is written out of bounds
//     }
#pragma once

#include <cstdint>
#include <THC/THCGeneral.h>

// X(Name, kind of error, message): what a kernel can report, in the words in which TH raises it. {value}, {size}, {dim}
// and {number} stand for what was reported, {operator} for what noteOperator was told.
#define THC_FAILURES(X)                                                                                             \
  X(Index, TH_ERROR_INDEX, "index {value} is out of bounds for dimension {dim} with size {size}")                   \
  X(Slice, TH_ERROR_RUNTIME, "index {value} is out of bounds for dimension {dim} with size {size}")                 \
  X(SliceOf, TH_ERROR_INDEX, "{operator}(): index {value} is out of bounds for dimension {dim} with size {size}")   \
  X(Row, TH_ERROR_INDEX, "index out of range in self")                                                              \
  X(Target, TH_ERROR_INDEX, "Target {value} is out of bounds.")                                                     \
  X(Count, TH_ERROR_RUNTIME, "bincount only supports 1-d non-negative integral inputs.")                            \
  X(Rate, TH_ERROR_RUNTIME, "invalid Poisson rate, expected rate to be non-negative, got {number}")                 \
  X(Probability, TH_ERROR_RUNTIME,                                                                                  \
    "probability tensor contains either `inf`, `nan` or element < 0: {number} at {value}")                          \
  X(Weight, TH_ERROR_RUNTIME,                                                                                       \
    "invalid multinomial distribution (encountering probability entry < 0): {number} at {value}")                   \
  X(NotFinite, TH_ERROR_RUNTIME,                                                                                    \
    "invalid multinomial distribution (encountering probability entry = infinity or NaN): {number} at {value}")     \
  X(NoWeight, TH_ERROR_RUNTIME, "invalid multinomial distribution (sum of probabilities <= 0)")

namespace thc {

enum class FailureKind : int {
  None,
#define THC_FAILURE_ENUMERATOR(Name, error, message) Name,
  THC_FAILURES(THC_FAILURE_ENUMERATOR)
#undef THC_FAILURE_ENUMERATOR
};

// A device has one record for what happened first, and behind it one for each operator that has been noted: that is what
// kernels get, and where they find the operator's name.
struct Failure {
  Failure *first;  // the device's address of the device's record
  const char *operatorName;  // never read on the device
  int claimed;  // whether somebody has reported
  FailureKind kind;  // written last
  int64_t value, size;
  double number;
  int dim;
};

// The operator for which the calling thread launches kernels from now on. A literal: the pointer is kept.
inline void noteOperator(const char *name) { THC_noteOperator(name); }

// What the kernels of that operator report to on a device: an address of the device's, good for as long as the process lives.
inline Failure *failureOf(int device) { return static_cast<Failure *>(THC_failureRecord(device)); }

#ifdef __CUDACC__
// The first one wins; the others are forgotten.
inline __device__ void report(Failure *failure, FailureKind kind, double number, int64_t value, int64_t size, int dim) {
  Failure *const first = failure->first;
  if (atomicCAS(&first->claimed, 0, 1) != 0) return;
  first->operatorName = failure->operatorName;
  first->value = value;
  first->size = size;
  first->number = number;
  first->dim = dim;
  __threadfence_system();  // the host that sees a kind sees the rest
  *static_cast<volatile FailureKind *>(&first->kind) = kind;
}
inline __device__ void report(Failure *failure, FailureKind kind, int64_t value, int64_t size, int dim) {
  report(failure, kind, 0.0, value, size, dim);
}
inline __device__ void report(Failure *failure, FailureKind kind, double number, int64_t value = 0) {
  report(failure, kind, number, value, 0, 0);
}
inline __device__ void report(Failure *failure, FailureKind kind) { report(failure, kind, 0.0, 0, 0, 0); }
#endif

}  // namespace thc
