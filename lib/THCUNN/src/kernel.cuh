// What kernels of THCUNN share besides THC's kit: exported names, results that may share memory with inputs.
#pragma once

#include <initializer_list>
#include <THCUNN/THCUNN.h>
#include "kit/define.cuh"
#include "kit/failure.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"

namespace thcunn {

using namespace thc;

// Contiguous memory for the first result of a plan: that result's, or where an input shares it a temporary's, which finish()
// copies. All n results get their shapes, before or then; to be made when all else has been checked. `inPlace`: the kernel
// reads each element in the thread that writes it, and before, so that an input may be the very result.
class Output {
 public:
  Output(const THResult *results, int n, std::initializer_list<const THTensor *> inputs, bool inPlace = false)
      : results_(results), n_(n) {
    const THTensor *const r = results->tensor;
    const bool fits = THTensor_isSize(r, results->ndim, results->size);
    bool isApart = true;
    for (const THTensor *t : inputs)
      if (t && t->storage == r->storage && !(inPlace && fits && THTensor_isSetTo(r, t))) isApart = false;
    if (isApart) THResult_resize(results, n);
    if (!isApart || !THTensor_isContiguous(r))
      own_ = Ref(THTensor_newWithSizeOn(r->storage->device, THDtype(r->dtype), results->ndim, results->size));
  }
  THTensor *tensor() const { return own_ ? static_cast<THTensor *>(own_) : results_->tensor; }
  template <class T> T *data() const { return thc::elements<T>(tensor()); }
  void finish() {
    if (!own_) return;
    THResult_resize(results_, n_);
    THCTensor_copy(results_->tensor, own_);
  }

 private:
  const THResult *results_;
  int n_;
  Ref own_;
};

}  // namespace thcunn

// Defines what THCUNN_FUNCTION declares; in the last argument, T is the element type and `dtype` its THDtype:
//     THCUNN_DEFINE(Tanh_updateGradInput, floating, (THNNState *, …), thcunn::tanhBackward<T>(…))
#define THCUNN_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(THCUNN_DEFINE_, op, args, __VA_ARGS__)
#define THCUNN_DEFINE_(Name, op, args, ...) THC_DEFINE_AS(THCUNN_NAME(Name, op), Name, op, args, __VA_ARGS__)
