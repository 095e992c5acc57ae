#include "kernel.hpp"

namespace thnn {

void check(THDtype dtype, const Named &result, std::initializer_list<Named> inputs) {
  const Named &first = *inputs.begin();
  for (const Named &input : inputs) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(result.tensor, input.tensor);
    if (!THTensor_isSameSizeAs(first.tensor, input.tensor))
      THError(TH_ERROR_RUNTIME, "%s and %s must have the same shape, but got %s and %s", first.name, input.name,
              shapeString(first.tensor).c_str(), shapeString(input.tensor).c_str());
  }
  requireDtype(result.tensor, dtype, result.name);
}

static bool mayBeWritten(const THTensor *r, const Shape &shape, std::initializer_list<const THTensor *> inputs,
                         bool inPlace) {
  const bool fits = sameShape(shape.ndim, shape.size, r);
  for (const THTensor *input : inputs)
    if (fits ? THTensor_overlaps(r, input) && !(inPlace && THTensor_isSetTo(r, input)) : r->storage == input->storage)
      return false;
  return true;
}

Output::Output(THTensor *r, const Shape &shape, std::initializer_list<const THTensor *> inputs, bool inPlace) : r_(r) {
  if (sameShape(shape.ndim, shape.size, r)) requireDistinct(r);
  if (!mayBeWritten(r, shape, inputs, inPlace))
    own_ = Ref(newLike(r, dtypeOf(r), shape.ndim, shape.size));
  else
    direct_.emplace(r, shape.ndim, shape.size);
}

void Output::finish() {
  if (direct_) return direct_->finish();
  THTensor_resizeAs(r_, own_);
  THTensor_copy(r_, own_);
}

}  // namespace thnn
