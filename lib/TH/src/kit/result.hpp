// Results of functions that write contiguous memory, and the checks that come before.
#pragma once

#include <TH/prepare/result.h>
#include "define.hpp"
#include "overlap.hpp"
#include "tensor.hpp"

namespace th {

// "<what> must have dtype Float, but got Double". Of a tensor without memory any dtype will do: nothing reads it.
void requireDtype(const THTensor *t, THDtype dtype, const char *what = "tensor");
template <class T>
void requireDtype(const THTensor *t) {
  requireDtype(t, DtypeOf<T>::value);
}

// A result that a plan will give this shape, contiguous unless it has it already.
inline void setResult(THResult &result, THTensor *r, int ndim, const int64_t *size) {
  result.tensor = r;
  result.strided = false;
  result.ndim = ndim;
  for (int d = 0; d < ndim; d++) result.size[d] = size[d];
}
inline void setResult(THResult &result, THTensor *r, const THTensor *like) {
  setResult(result, r, like->ndim, like->size);
}

// THResult_resize, for kernels of the CPU.
void resizeResults(const THResult *results, int n = 1);

// The same of one result that no plan has.
void resizeResult(THTensor *r, int ndim, const int64_t *size);

// A contiguous tensor to write to: r itself where that is possible, else a temporary that finish()
// copies to r. Make it after all checks: it resizes r.
class ContiguousResult {
 public:
  explicit ContiguousResult(THTensor *r);  // which has its shape, and may be written
  ContiguousResult(THTensor *r, int ndim, const int64_t *size);
  THTensor *tensor() const { return temporary_ ? static_cast<THTensor *>(temporary_) : r_; }
  template <class T> T *data() const { return elements<T>(tensor()); }
  void finish();

 private:
  THTensor *r_;
  Ref temporary_;
};

}  // namespace th
