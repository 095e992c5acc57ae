// What linear maps of sparse vectors share.
#pragma once

#include "kit/computed.hpp"
#include "modules.hpp"

namespace thnn {

// A tensor that is read and written, as contiguous elements of C; finish() gives it what another memory was needed for.
template <class C>
class Updated {
 public:
  explicit Updated(THTensor *t) : tensor_(t) {
    requireDistinct(t);
    if (dtypeOf(t) == DtypeOf<C>::value && THTensor_isContiguous(t)) return;
    own_ = Ref(newLike(t, DtypeOf<C>::value, t->ndim, t->size));
    THTensor_copy(own_, t);
  }
  C *data() const { return elements<C>(own_ ? static_cast<THTensor *>(own_) : tensor_); }
  void finish() {
    if (own_) THTensor_copy(tensor_, own_);
  }

 private:
  THTensor *tensor_;
  Ref own_;
};

}  // namespace thnn
