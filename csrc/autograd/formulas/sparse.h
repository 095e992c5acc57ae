// Gradients of sparse tensors, and of what they are multiplied with. The gradient of a sparse tensor says of places, not of
// entries: it has each of the tensor's once. One that is not coalesced means the sum of what it has of a place, as ever.
#pragma once

#include "operators.h"

namespace torch::autograd {

// Of what a tensor has at the places of `like`: strided if the tensor is.
Tensor sparse_sample_backward(const Tensor &grad, const Tensor &self, const Tensor &like);
// What the tensor has at the places of the sparse one, each once.
Tensor at_places_of(const Tensor &t, const Tensor &sparse);
// Of the entries of self. Entries of one place have one gradient.
Tensor sparse_values_backward(const Tensor &grad, const Tensor &self);
// `masked`, or nothing said: only at the places of self.
Tensor to_dense_backward(const Tensor &grad, const Tensor &self, std::optional<bool> masked);
// In the layout of self.
Tensor to_sparse_backward(const Tensor &grad, const Tensor &self);
// Of the sparse factor mat1 of alpha mat1 × mat2: at its places alone.
Tensor sparse_factor_gradient(const Tensor &grad, const Tensor &mat1, const Tensor &mat2, const Scalar &alpha);

}  // namespace torch::autograd
