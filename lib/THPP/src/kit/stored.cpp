#include "stored.h"

#include "results.h"

namespace thpp {

Rounded::Rounded(THDtype t, THDtype r, Tensor &out, std::initializer_list<const Tensor *> operands)
    : r_(r), out_(out), needed_(out.defined() && out.dtype() != r) {
  for (const Tensor *operand : operands) needed_ |= operand->dtype() != t;
  if (!needed_) return;
  const THTensor *handles[std::size(operands_)];
  size_t n = 0;
  for (const Tensor *operand : operands) handles[n++] = operand->get();
  check_pointwise(r, out, {handles, n});
  n = 0;
  for (const Tensor *operand : operands) operands_[n++] = thpp::to(*operand, t);
}

}  // namespace thpp
