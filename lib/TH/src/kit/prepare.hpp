// Operands for kernels that read and write contiguous memory of one dtype.
#pragma once

#include <optional>

#include "result.hpp"

namespace th {

// t, or a contiguous copy of it in this dtype.
Ref contiguousAs(THDtype dtype, const THTensor *t);

// A contiguous copy of bools in which each is 0 or 1: memory that is uninitialised, or was another dtype's, has other
// bytes, and C++ may not look at them as bool.
Ref asCanonicalBools(const THTensor *t);

// contiguousAs with dimension dim moved to the end; 0-dim tensors get one dimension.
Ref rowsAlong(const THTensor *t, int dim);

// A result that is computed in `dtype`, whatever dtype r has. Make it after all checks: it resizes r.
class ResultAs {
 public:
  ResultAs(THDtype dtype, THTensor *r, int ndim, const int64_t *size);
  ResultAs(THDtype dtype, THTensor *r);  // which has its shape, and may be written
  template <class T> T *data() const { return elements<T>(own_ ? static_cast<THTensor *>(own_) : direct_->tensor()); }
  void finish();

 private:
  THTensor *r_;
  Ref own_;
  std::optional<ContiguousResult> direct_;
};

// The shape of t without dimension dim, or with keepdim with 1 there; returns how many dimensions.
int sizeWithout(const THTensor *t, int dim, bool keepdim, int64_t *size);

}  // namespace th
