// Distances of vectors.
#include "operators.h"

#include <THPP/Guard.h>

#include "bodies.h"

namespace thpp {

Tensor body::pairwise_distance(const Tensor &x1, const Tensor &x2, double p, double eps, bool keepdim) {
  return thpp::norm(x1 - x2 + eps, std::optional(Scalar(p)), {-1}, keepdim, std::nullopt);
}

Tensor body::pdist(const Tensor &self, double p) {
  if (self.dim() != 2) THError(TH_ERROR_RUNTIME, "pdist only supports 2D tensors, got: %dD", self.dim());
  if (!is_floating(self.dtype())) THError(TH_ERROR_RUNTIME, "pdist only supports floating-point dtypes");
  if (!(p >= 0)) THError(TH_ERROR_RUNTIME, "pdist only supports non-negative p values");
  const int64_t n = self.size(0);
  const Tensor pairs = thpp::triu_indices(n, n, 1, std::nullopt, self.device());
  const Tensor first = thpp::select(pairs, 0, 0), second = thpp::select(pairs, 0, 1);
  if (is_host_memory(self.device())) {  // all distances are there sooner than the differences of pairs are written down
    const Tensor both[] = {first, second};
    return thpp::index(thpp::_cdist(self, self, p), both);
  }
  const Scalar order(self.size(1) ? p : 2);  // no elements have no greatest one
  return thpp::linalg_vector_norm(thpp::index_select(self, 0, first) - thpp::index_select(self, 0, second), order, {1});
}

namespace {

// x divided by its norm, which counts as eps where it is less. The gradient is the norm's there, too, as torch has it.
Tensor unit(const Tensor &x, int64_t dim, double eps) {
  const Tensor norm = thpp::clone(thpp::linalg_vector_norm(x, Scalar(2), {dim}, true));  // whose node keeps the norm
  {
    const NoRecording off;
    thpp::clamp_min_(norm, wrapped_number(eps));
  }
  return x / norm;
}

}  // namespace

Tensor body::cosine_similarity(const Tensor &x1, const Tensor &x2, int64_t dim, double eps) {
  const Tensor *const operands[] = {&x1, &x2};
  const THDtype dtype = result_type(operands);
  if (!is_floating(dtype))
    THError(TH_ERROR_RUNTIME, "expected common dtype to be floating point, yet common dtype is %s", TH_typeName(dtype));
  const Tensor converted[] = {thpp::to(x1, dtype), thpp::to(x2, dtype)};
  const std::vector<Tensor> both = thpp::broadcast_tensors(converted);
  // Divided one by one: the product of two norms may overflow where the quotients do not.
  return thpp::sum(unit(both[0], dim, eps) * unit(both[1], dim, eps), {dim});
}

}  // namespace thpp
