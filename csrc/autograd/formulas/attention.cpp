#include "attention.h"

#include <cmath>
#include <limits>

#include <THPP/Guard.h>
#include <THPP/NN.h>

namespace torch::autograd {

namespace {

Tensor turned(const Tensor &matrix) { return thpp::transpose(matrix, -2, -1); }

// With the heads that share one added up.
Tensor of_key_heads(const Tensor &grad, int64_t heads) {
  if (grad.size(1) == heads) return grad;
  return thpp::sum(thpp::reshape(grad, {grad.size(0), heads, grad.size(1) / heads, grad.size(2), grad.size(3)}), {2});
}

// The kernel applies both; the formula takes one of them.
Tensor with_causal(const Tensor &mask, int64_t queries, int64_t keys) {
  const Tensor seen = thpp::tril(thpp::ones({queries, keys}, TH_Bool, mask.device()));
  if (mask.dtype() == TH_Bool) return thpp::logical_and(mask, seen);
  const Tensor unseen = thpp::full({}, -std::numeric_limits<double>::infinity(), mask.dtype(), mask.device());
  return thpp::where(seen, mask, unseen);
}

}  // namespace

std::vector<Tensor> attention_backward(const Tensor &grad, const Tensor &query, const Tensor &key, const Tensor &value,
                                       const Tensor &output, const Tensor &logsumexp, const Tensor &mask,
                                       bool is_causal, std::optional<double> scale) {
  if (!grad.defined()) return std::vector<Tensor>(3);
  const double factor = scale.value_or(1 / std::sqrt(double(query.size(3))));
  if (!thpp::grad_mode()) {
    const Tensor of_query = thpp::empty_like(query), of_key = thpp::empty_like(key), of_value = thpp::empty_like(value);
    thpp::nn::ScaledDotProductAttention_updateGradInput(query, key, value, thpp::to(grad, query.dtype()), of_query,
                                                        of_key, of_value, output, logsumexp, mask, is_causal, factor);
    return {of_query, of_key, of_value};
  }
  const bool both = is_causal && mask.defined();
  const Tensor shares = std::get<1>(thpp::_scaled_dot_product_attention_math(
      query, key, value, both ? with_causal(mask, query.size(2), key.size(2)) : mask, 0, is_causal && !both, Tensor(),
      factor, true));
  const int64_t group = key.size(1) ? query.size(1) / key.size(1) : 1;
  const auto expanded = [&](const Tensor &t) { return group > 1 ? thpp::repeat_interleave(t, group, 1) : t; };
  const Tensor of_shares = thpp::matmul(grad, turned(expanded(value)));
  const Tensor weighted = of_shares * shares;
  const Tensor of_scores = (weighted - shares * thpp::sum(weighted, {-1}, true)) * factor;
  return {thpp::matmul(of_scores, expanded(key)), of_key_heads(thpp::matmul(turned(of_scores), query), key.size(1)),
          of_key_heads(thpp::matmul(turned(shares), grad), key.size(1))};
}

}  // namespace torch::autograd
