#include "module.hpp"

namespace thnn {

static bool mayBeWritten(const THResult &result, std::initializer_list<const THTensor *> inputs, bool inPlace) {
  const THTensor *const r = result.tensor;
  const bool fits = sameShape(result.ndim, result.size, r);
  for (const THTensor *input : inputs)
    if (fits ? THTensor_overlaps(r, input) && !(inPlace && THTensor_isSetTo(r, input)) : r->storage == input->storage)
      return false;
  return true;
}

Output::Output(const THResult *results, int n, std::initializer_list<const THTensor *> inputs, bool inPlace)
    : results_(results), n_(n) {
  THTensor *const r = results->tensor;
  if (!mayBeWritten(*results, inputs, inPlace)) {
    own_ = Ref(newLike(r, dtypeOf(r), results->ndim, results->size));
  } else {
    resizeResults(results, n);
    direct_.emplace(r);
  }
}

void Output::finish() {
  if (direct_) return direct_->finish();
  resizeResults(results_, n_);
  THTensor_copy(results_->tensor, own_);
}

}  // namespace thnn
