// Derivatives of variance, renorm, sums, extrema and order statistics.
//
// `dim` lists the dimensions that were reduced, empty for all of them; `keepdim`: the result has them with size 1.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

// ---- variance: without a correction it is 1 -------------------------------------------------------
Tensor var_backward(const Tensor &grad, const Tensor &self, IntList dim, const std::optional<Scalar> &correction,
                    bool keepdim);
Tensor std_backward(const Tensor &grad, const Tensor &self, const Tensor &result, IntList dim,
                    const std::optional<Scalar> &correction, bool keepdim);
// Of the pair with the mean; a gradient may be undefined.
Tensor var_mean_backward(const std::vector<Tensor> &grads, const Tensor &self, IntList dim,
                         const std::optional<Scalar> &correction, bool keepdim);
Tensor std_mean_backward(const std::vector<Tensor> &grads, const Tensor &self, const std::vector<Tensor> &results,
                         IntList dim, const std::optional<Scalar> &correction, bool keepdim);

Tensor renorm_backward(const Tensor &grad, const Tensor &self, const Scalar &p, int64_t dim, const Scalar &maxnorm);

// ---- sums -------------------------------------------------------------------------------------------
Tensor logsumexp_backward(const Tensor &grad, const Tensor &self, const Tensor &result, IntList dim, bool keepdim);
Tensor nansum_backward(const Tensor &grad, const Tensor &self, IntList dim, bool keepdim);

// ---- extrema and order statistics -------------------------------------------------------------------
Tensor aminmax_backward(const Tensor &grad_min, const Tensor &grad_max, const Tensor &self, const Tensor &min,
                        const Tensor &max, std::optional<int64_t> dim, bool keepdim);
// Of one element of all: those equal to it share the gradient, and NaN does where there is nothing else.
Tensor nanmedian_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
// Of the quantiles `q` of the rows of a sorted matrix: the gradients of both.
std::vector<Tensor> quantile_backward(const Tensor &grad, const Tensor &self, const Tensor &q, int interpolation,
                                      bool ignore_nan, const std::vector<bool> &wanted);

}  // namespace torch::autograd
