// Kernels that are compiled for few dtypes: what lies in others is converted before they run, and their results after.
#pragma once

#include "module.hpp"

namespace thnn {

// A tensor as contiguous elements of C, converted where it is of another dtype.
template <class C>
class Elements {
 public:
  explicit Elements(const THTensor *t) : tensor_(nullptr) {
    if (!t) return;
    if (dtypeOf(t) == DtypeOf<C>::value) {
      tensor_ = Ref(THTensor_newContiguous(const_cast<THTensor *>(t)));
    } else {
      tensor_ = Ref(newLike(t, DtypeOf<C>::value, t->ndim, t->size));
      THTensor_copy(tensor_, t);
    }
  }
  const C *data() const { return tensor_ ? elements<C>(tensor_) : nullptr; }

 private:
  Ref tensor_;
};

// Runs fill(result's elements) in the type that T computes in; the result gets its shape when all has been checked.
template <class C, class Fill>
void into(THResult &result, std::initializer_list<const THTensor *> inputs, const Fill &fill) {
  if (dtypeOf(result.tensor) == DtypeOf<C>::value) {
    Output output(&result, 1, inputs, false);
    fill(output.data<C>());
    return output.finish();
  }
  const Ref own(newLike(result.tensor, DtypeOf<C>::value, result.ndim, result.size));
  fill(elements<C>(own));
  resizeResults(&result);
  THTensor_copy(result.tensor, own);
}

}  // namespace thnn
