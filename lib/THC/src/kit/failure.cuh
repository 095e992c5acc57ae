// How a kernel says that it met a bad value, without ending the process's work with the device: it writes the first one
// into a record in the host's memory, which the host reads when it waits (THC_checkFailure), and raises.
//
//     const thc::Operator named("index_select");           // THC_DEFINE has it already
//     launch(kernel, …, thc::failureOf(device), …);
//
//     if (index < 0 || index >= size) {                    // in the kernel
//       thc::report(failure, thc::FailureKind::Index, index, size, dim);
//       return;  // or go on with an index that is inside; nothing is written out of bounds
//     }
#pragma once

#include <cstdint>
#include <THC/THCGeneral.h>

namespace thc {

// What a kernel can report: state/failure.cpp says it in TH's words.
enum class FailureKind : int {
  Index,  // all of these with value, size and dim
  Slice,  // TH_ERROR_RUNTIME
  SliceOf,  // with the operator's name
  Row,
  Target,  // value
  Count,
  Rate,  // number
  Probability,  // number and value, like the next two
  Weight,
  NotFinite,
  NoWeight,
};

// Who reports, of all threads of a device: in the device's memory, since atomics on the host's are none there.
struct Claim {
  unsigned taken;  // by whom the host has not heard yet; cleared by the host, in the order of a stream of its own
  unsigned reports;  // so far
};

// A device has one record for what happened first, and behind it one for each operator that has been noted: that is what
// kernels get, and where they find the operator's name. They lie in the host's memory. Kernels alone write the first one:
// its last word counts reports, and the host knows how many of them it has raised.
struct Failure {
  Failure *first;  // the device's address of the device's record
  Claim *claim;
  const char *operatorName;  // never read on the device
  FailureKind kind;
  int dim;
  int64_t value, size;
  double number;
  unsigned reports;  // written last
};

// The operator that the calling thread's kernels are of, for the length of a call: the outermost one's name counts, and
// errors name it. A literal: the pointer is kept.
class Operator {
 public:
  explicit Operator(const char *name) : outermost_(THC_enterOperator(name)) {}
  ~Operator() {
    if (outermost_) THC_leaveOperator();
  }
  Operator(const Operator &) = delete;
  Operator &operator=(const Operator &) = delete;

 private:
  const bool outermost_;
};

// Another name, until that call ends.
inline void noteOperator(const char *name) { THC_noteOperator(name); }

// What the kernels of that operator report to on a device: an address of the device's, good for as long as the process lives.
inline Failure *failureOf(int device) { return static_cast<Failure *>(THC_failureRecord(device)); }

#ifdef __CUDACC__
// The first one wins; the others are forgotten.
inline __device__ void report(Failure *failure, FailureKind kind, double number, int64_t value, int64_t size, int dim) {
  Claim *const claim = failure->claim;
  if (*static_cast<volatile unsigned *>(&claim->taken) || atomicCAS(&claim->taken, 0u, 1u) != 0u) return;
  Failure *const first = failure->first;
  first->operatorName = failure->operatorName;
  first->kind = kind;
  first->value = value;
  first->size = size;
  first->number = number;
  first->dim = dim;
  __threadfence_system();  // the host that sees the count sees the rest
  *static_cast<volatile unsigned *>(&first->reports) = atomicAdd(&claim->reports, 1u) + 1;
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
