#include "fit.h"

#include <algorithm>

namespace torch::autograd {

static bool expandable(const std::vector<int64_t> &from, thpp::IntList to) {
  if (from.size() > to.size()) return false;
  const size_t front = to.size() - from.size();
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] != 1 && from[d] != to[front + d]) return false;
  return true;
}

Tensor fit(Tensor grad, const std::vector<OutputInfo> &outputs, uint32_t output, const Node &from, size_t place) {
  if (output >= outputs.size() || !outputs[output].known) return grad;
  const OutputInfo &info = outputs[output];
  if (!std::ranges::equal(grad.sizes(), info.size)) {
    if (!expandable(info.size, grad.sizes())) {
      char found[256], expected[256];
      TH_sizeString(grad.dim(), grad.sizes().data(), found, sizeof found);
      TH_sizeString(int(info.size.size()), info.size.data(), expected, sizeof expected);
      THError(TH_ERROR_RUNTIME,
              "Function %s returned an invalid gradient at index %zu - got %s but expected shape compatible with %s",
              from.name(), place, found, expected);
    }
    grad = thpp::sum_to_size(grad, info.size);
  }
  const bool real = TH_kind(info.dtype) != TH_KIND_complex;
  if (real && TH_kind(grad.dtype()) == TH_KIND_complex) grad = thpp::real(grad);
  const bool elsewhere = grad.device().kind != info.device.kind || grad.device().index != info.device.index;
  if (grad.dtype() != info.dtype || (elsewhere && grad.dim() == 0))
    return thpp::to(grad, info.dtype, false, info.device);
  return grad;
}

}  // namespace torch::autograd
