// What torch's C++ side for users (torch/tensor.h, torch/autograd.h) is made of where it concerns gradients. In a
// namespace of its own: users know torch::autograd as they know it from PyTorch, with functions over torch::Tensor
// under these names, and without what nodes are made of.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <THPP/Tensor.h>

#include <autograd/export.h>

namespace torch::autograd {
class Node;
}

namespace torch::autograd::api {

using thpp::Tensor;
using Tensors = std::vector<Tensor>;

// ---- tensors: autograd/meta.h says what these mean ------------------------------------------------
AUTOGRAD_API bool requires_grad(const Tensor &t);
AUTOGRAD_API void set_requires_grad(const Tensor &t, bool wanted);
AUTOGRAD_API bool is_leaf(const Tensor &t);
AUTOGRAD_API uint32_t output_nr(const Tensor &t);
AUTOGRAD_API bool is_view(const Tensor &t);
AUTOGRAD_API Tensor base_of(const Tensor &view);
AUTOGRAD_API Tensor grad_of(const Tensor &t);
AUTOGRAD_API Tensor &mutable_grad(const Tensor &t);  // lives as long as the tensor
AUTOGRAD_API void retain_grad(const Tensor &t);
AUTOGRAD_API bool retains_grad(const Tensor &t);
AUTOGRAD_API void detach_(const Tensor &t);
// A function that sees the tensor's gradient, and may return another; undefined: the same. Returns its number.
AUTOGRAD_API unsigned add_hook(const Tensor &t, std::function<Tensor(const Tensor &)> hook);
AUTOGRAD_API void remove_hook(const Tensor &t, unsigned number);  // nothing happens where there is none

// ---- nodes ----------------------------------------------------------------------------------------
AUTOGRAD_API std::shared_ptr<Node> grad_fn(const Tensor &t);  // null for leaves
AUTOGRAD_API std::string name_of(const Node &node);
AUTOGRAD_API std::vector<std::pair<std::shared_ptr<Node>, uint32_t>> edges_of(const Node &node);

// ---- the backward pass ----------------------------------------------------------------------------
// `grads`: one per root, or none at all. `keep_graph`: whatever create_graph is, if it is not given.
AUTOGRAD_API void backward(thpp::TensorList tensors, Tensors grads, std::optional<bool> keep_graph, bool create_graph,
                           thpp::TensorList inputs);
AUTOGRAD_API Tensors grad(thpp::TensorList outputs, thpp::TensorList inputs, Tensors grads,
                          std::optional<bool> keep_graph, bool create_graph, bool allow_unused);
AUTOGRAD_API bool grad_mode();
AUTOGRAD_API void set_grad_mode(bool on);

// ---- functions with a backward of their own -------------------------------------------------------
// What a call keeps for its backward pass; its node owns it.
struct Backward {
  virtual ~Backward() = default;
  // `grads`: one per result. Returns one per argument of forward().
  virtual Tensors apply(Tensors &&grads) = 0;
  bool materialize = true;  // gradients that are zeros are given as such, not undefined
};

// One call: it is made; then forward() runs, with recording off; then results() is called.
class CustomCall {
 public:
  // `is_tensor`: for each argument; `inputs`: the tensors among them.
  AUTOGRAD_API CustomCall(const std::type_info &function, std::unique_ptr<Backward> backward, Tensors inputs,
                          std::vector<bool> is_tensor);
  AUTOGRAD_API ~CustomCall();
  CustomCall(const CustomCall &) = delete;
  Node *node() const { return node_; }
  // What the caller gets for the results of forward(). `saved` are kept for saved_by().
  AUTOGRAD_API Tensors results(const Tensors &raw, const Tensors &dirty, const Tensors &non_differentiable,
                               const Tensors &saved);

 private:
  Node *const node_;  // counted
  const Tensors inputs_;
  bool recording_;
};
AUTOGRAD_API Tensors saved_by(Node &node);  // raises after the graph has been freed
AUTOGRAD_API bool needs_edge(const Node &node, size_t input);  // whether the input-th tensor's gradient is wanted

}  // namespace torch::autograd::api
