// Gradients of normalisations: THNN's kernels, or, where they are to be differentiated again, operators.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// Those of input, weight and bias (rms_norm: input and weight) that are wanted.
std::vector<Tensor> batch_norm_backward(const Tensor &grad, const Tensor &input, const Tensor &weight,
                                        const Tensor &mean, const Tensor &invstd, bool training, double eps,
                                        const std::vector<bool> &wanted);
std::vector<Tensor> layer_norm_backward(const Tensor &grad, const Tensor &input, IntList shape, const Tensor &weight,
                                        const Tensor &mean, const Tensor &rstd, double eps,
                                        const std::vector<bool> &wanted);
std::vector<Tensor> rms_norm_backward(const Tensor &grad, const Tensor &input, IntList shape, const Tensor &weight,
                                      const Tensor &rstd, double eps, const std::vector<bool> &wanted);
std::vector<Tensor> group_norm_backward(const Tensor &grad, const Tensor &input, const Tensor &weight,
                                        const Tensor &mean, const Tensor &rstd, int64_t groups, double eps,
                                        const std::vector<bool> &wanted);
Tensor local_response_norm_backward(const Tensor &grad, const Tensor &self, const Tensor &scale, int64_t size,
                                    double alpha, double beta, double k);
std::vector<Tensor> weight_norm_backward(const Tensor &grad, const Tensor &v, const Tensor &g, const Tensor &norms,
                                         int64_t dim, const std::vector<bool> &wanted);

}  // namespace torch::autograd
