// Gradients of batches of products, norms and distances. Every function is made of guarded operators, so that it is recorded
// itself where a graph of it is wanted. An undefined gradient stands for zeros.
#pragma once

#include <vector>

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Scalar;
using thpp::Tensor;
using Wanted = std::vector<bool>;  // which gradients of several are needed

// Of addbmm: the gradient of the sum of products, as that of each of them.
Tensor for_each_matrix(const Tensor &grad, int64_t batch);

// Of linalg_vector_norm. Where the norm has no derivative (at 0; elements that are 0 for an order below 1) the gradient
// is 0; elements that share the greatest or least absolute value share the gradient.
Tensor vector_norm_backward(const Tensor &grad, const Tensor &x, const Tensor &norm, const Scalar &ord, IntList dim,
                            bool keepdim);
// Of the distances of rows: {of x1, of x2}.
std::vector<Tensor> cdist_backward(const Tensor &grad, const Tensor &x1, const Tensor &x2, double p,
                                   const Tensor &distance, const Wanted &wanted);

}  // namespace torch::autograd
