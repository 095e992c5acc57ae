// What the index functions share: index tensors as plain int64, their checks, strided offsets.
#pragma once

#include <TH/prepare/index.h>

#include <cstdint>
#include <vector>

#include "extent.hpp"
#include "parallel.hpp"
#include "tensor.hpp"

namespace th {

// Calls body(U()) with the unsigned type that is as wide as an element (Wide for 16 bytes).
template <class Body>
void withElementSize(THDtype dtype, const Body &body) {
  switch (TH_elementSize(dtype)) {
    case 1: return body(uint8_t());
    case 2: return body(uint16_t());
    case 4: return body(uint32_t());
    case 8: return body(uint64_t());
    default: return body(Wide());
  }
}

// `index` as contiguous int64 elements of this shape, to which it is broadcast.
Ref asLongs(const THTensor *index, int ndim, const int64_t *size);

// The dimension that indices point into, and its size. There is no result yet.
void setDim(THIndexDimPlan *plan, const THTensor *t, int dim);

// Some dimensions of a tensor, neighbours merged where one stride reaches through both.
class Offsets {
 public:
  void add(int64_t size, int64_t stride);  // from the outermost to the innermost
  int64_t count() const { return count_; }
  // Offset of element i in row-major order.
  int64_t operator()(int64_t i) const {
    int64_t offset = 0;
    for (size_t d = dims_.size(); d-- > 1; i /= dims_[d].size) offset += i % dims_[d].size * dims_[d].stride;
    return dims_.empty() ? 0 : offset + i * dims_[0].stride;
  }
  // Takes the innermost dimension away: its size and stride; 1 and 0 if there is none.
  struct Dim {
    int64_t size, stride;
  };
  Dim takeInner();

 private:
  std::vector<Dim> dims_;
  int64_t count_ = 1;
};

}  // namespace th
