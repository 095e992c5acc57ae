#include "normalization.h"

#include <THPP/Guard.h>

namespace torch::autograd {

static Tensor computed(const Tensor &t) {
  return t.dtype() == TH_Half || t.dtype() == TH_BFloat16 ? thpp::to(t, TH_Float) : t;
}

// Of v g / n with the norms n: for g the sum s = Σ grad v / n of each slice, for v (grad - v s / n) g / n.
std::vector<Tensor> weight_norm_backward(const Tensor &grad, const Tensor &v, const Tensor &g, const Tensor &norms,
                                         int64_t dim, const std::vector<bool> &wanted) {
  const Tensor x = computed(v), d = computed(grad);
  const Tensor n = thpp::grad_mode() ? thpp::norm_except_dim(x, 2, dim) : computed(norms);
  std::vector<int64_t> others;
  for (int64_t k = 0; k < v.dim(); ++k)
    if (k != dim) others.push_back(k);
  const Tensor product = d * x, along = (others.empty() ? product : thpp::sum(product, others, true)) / n;
  std::vector<Tensor> made(2);
  if (wanted[0]) made[0] = (d - x * (along / n)) * (computed(g) / n);
  if (wanted[1]) made[1] = along;
  return made;
}

}  // namespace torch::autograd
