// Positions in the order of their places, equal ones in their own order: so what meets at one place is found by one
// thread, in the same order on every run.
#pragma once

#include "index/byindex.hpp"

namespace thc {

// Numbers of 32 bits, or of 64 where those are too few.
struct Sorted {
  const void *places = nullptr, *positions = nullptr;
  int64_t n = 0;
  uint64_t skipped = 0;  // the place of those that are
  bool wide = false;

#ifdef __CUDACC__
  __device__ __forceinline__ uint64_t at(const void *numbers, int64_t i) const {
    return wide ? static_cast<const uint64_t *>(numbers)[i] : static_cast<const uint32_t *>(numbers)[i];
  }
  __device__ __forceinline__ uint64_t place(int64_t i) const { return at(places, i); }
  __device__ __forceinline__ int64_t position(int64_t i) const { return int64_t(at(positions, i)); }
#endif
};

// Sorted places of elements of t, and the memory that they lie in.
class SortedPlaces {
 public:
  SortedPlaces(const THTensor *places, const THTensor *t, cudaStream_t stream);
  const Sorted &sorted() const { return sorted_; }

 private:
  Sorted sorted_;
  Ref memory_;
};

}  // namespace thc
