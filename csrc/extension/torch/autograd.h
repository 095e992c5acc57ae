// Gradients: torch::autograd::grad and backward, the modes, and functions with a backward of their own.
//
//     struct Square : torch::autograd::Function<Square> {
//       static torch::Tensor forward(torch::autograd::AutogradContext *ctx, torch::Tensor x) {
//         ctx->save_for_backward({x});
//         return x * x;
//       }
//       static torch::autograd::variable_list backward(torch::autograd::AutogradContext *ctx,
//                                                      torch::autograd::variable_list grads) {
//         return {2 * ctx->get_saved_variables()[0] * grads[0]};
//       }
//     };
//     torch::Tensor y = Square::apply(x);
//
// What a tensor knows of its gradient (requires_grad, grad, backward, register_hook, …) stands in torch/tensor.h.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include <torch/ivalue.h>
#include <torch/operators.h>
#include <torch/tensor.h>

namespace torch {

// ---- whether this thread records ------------------------------------------------------------------
struct GradMode {
  static bool is_enabled() { return autograd::api::grad_mode(); }
  static void set_enabled(bool on) { autograd::api::set_grad_mode(on); }
};
// Until the scope ends.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool on) : before_(GradMode::is_enabled()) { GradMode::set_enabled(on); }
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode &) = delete;

 private:
  const bool before_;
};
class NoGradGuard : public AutoGradMode {
 public:
  NoGradGuard() : AutoGradMode(false) {}
};

namespace autograd {

using Variable = Tensor;
using variable_list = std::vector<Tensor>;
using tensor_list = variable_list;

// Whether a gradient of one of these may be wanted.
inline bool any_variable_requires_grad(const variable_list &tensors) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const Tensor &tensor) { return tensor.defined() && tensor.requires_grad(); });
}

// ---- the graph ------------------------------------------------------------------------------------
// The node that made a tensor, or none: if (x.grad_fn()) … x.grad_fn()->name()
class GradFn {
 public:
  struct Edge;
  GradFn(std::nullptr_t = nullptr) {}
  explicit GradFn(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::string name() const { return api::name_of(*node_); }  // "MulBackward0"
  std::vector<Edge> next_edges() const;  // one per input of the forward call
  explicit operator bool() const { return bool(node_); }
  const GradFn *operator->() const {
    TORCH_CHECK(node_, "grad_fn() of a leaf is null");
    return this;
  }
  friend bool operator==(const GradFn &, const GradFn &) = default;

 private:
  std::shared_ptr<Node> node_;
};
struct GradFn::Edge {
  GradFn function;  // null: nobody wants a gradient there
  uint32_t input_nr;  // which of that node's outputs the input was
};
inline std::vector<GradFn::Edge> GradFn::next_edges() const {
  std::vector<Edge> edges;
  for (auto &[node, output] : api::edges_of(*node_)) edges.push_back({GradFn(std::move(node)), output});
  return edges;
}

// ---- the backward pass ----------------------------------------------------------------------------
// Adds the gradients of `tensors`, times `grad_tensors`, to the grad() of all leaves, or of `inputs` alone. Without
// grad_tensors the tensors must have one element each. retain_graph is what create_graph is if it is not given.
inline void backward(const TensorList &tensors, const TensorList &grad_tensors = {},
                     std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                     const TensorList &inputs = {}) {
  const thpp::TensorList grads = grad_tensors;
  api::backward(detail::defined(tensors), {grads.begin(), grads.end()}, retain_graph, create_graph,
                detail::defined(inputs));
}

// The gradients of `outputs`, times `grad_outputs`, for each of `inputs`; undefined for one that they do not depend on,
// if allow_unused, else that is an error. No grad() changes.
inline variable_list grad(const TensorList &outputs, const TensorList &inputs, const TensorList &grad_outputs = {},
                          std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                          bool allow_unused = false) {
  const thpp::TensorList grads = grad_outputs;
  return detail::lifted(api::grad(detail::defined(outputs), detail::defined(inputs), {grads.begin(), grads.end()},
                                  retain_graph, create_graph, allow_unused));
}

// ---- functions with a backward of their own -------------------------------------------------------
// What forward() leaves for backward().
class AutogradContext {
 public:
  AutogradContext() = default;
  AutogradContext(const AutogradContext &) = delete;

  // In forward(): arguments or results that backward() needs. They must not be written afterwards.
  void save_for_backward(variable_list tensors) { to_save_ = std::move(tensors); }
  // In backward(). Raises if the graph has been freed, or one of them was written.
  variable_list get_saved_variables() const { return detail::lifted(api::saved_by(*node_)); }
  // In forward(): arguments that it has written in place; all of them must be returned.
  void mark_dirty(const variable_list &inputs) { dirty_ = inputs; }
  // In forward(): results that have no gradient.
  void mark_non_differentiable(const variable_list &outputs) { non_differentiable_ = outputs; }
  // In forward(): with false, backward() gets undefined tensors for gradients that are zero.
  void set_materialize_grads(bool wanted) { materialize_ = wanted; }
  // Whether anybody wants the gradient of forward()'s i-th tensor; arguments that are no tensors do not count.
  bool needs_input_grad(size_t i) const { return api::needs_edge(*node_, i); }

  // Anything else; it stays until the node ends.
  std::unordered_map<std::string, IValue> saved_data;

 private:
  template <class T>
  friend class Function;
  Node *node_ = nullptr;  // which owns this
  variable_list to_save_, dirty_, non_differentiable_;
  bool materialize_ = true;
};

// To be derived from, as class MyFunction : public Function<MyFunction>, with two static functions:
//
//     Tensor (or variable_list) forward(AutogradContext *ctx, arguments…)
//     variable_list backward(AutogradContext *ctx, variable_list grads)
//
// forward() runs without recording. Its arguments of type Tensor and std::optional<Tensor> have gradients, not tensors
// inside of lists. backward() gets a gradient per result, and returns one per argument: undefined for zeros, and for
// arguments that are no tensors. What it computes is recorded if the pass is run with create_graph.
template <class T>
class Function {
 public:
  template <class X = T, class... Args>
  static auto apply(Args &&...args)
      -> std::decay_t<decltype(X::forward(std::declval<AutogradContext *>(), std::declval<Args>()...))> {
    using Result = std::decay_t<decltype(X::forward(std::declval<AutogradContext *>(), std::declval<Args>()...))>;
    constexpr bool one = std::is_base_of_v<thpp::Tensor, Result>;
    static_assert(one || std::is_same_v<Result, variable_list>, "forward() must return a Tensor or a variable_list");
    api::Tensors inputs;
    std::vector<bool> is_tensor;
    (collect(inputs, is_tensor, args), ...);

    auto made = std::make_unique<Backward>();
    Backward &backward = *made;
    AutogradContext &ctx = backward.ctx;
    api::CustomCall call(typeid(T), std::move(made), std::move(inputs), std::move(is_tensor));
    ctx.node_ = call.node();
    const auto forward = [&] {
      const NoGradGuard off;
      return X::forward(&ctx, std::forward<Args>(args)...);
    };
    api::Tensors raw;
    if constexpr (one)
      raw.push_back(forward());
    else
      raw = lowered(forward());
    backward.materialize = ctx.materialize_;
    api::Tensors results = call.results(raw, lowered(std::exchange(ctx.dirty_, {})),
                                        lowered(std::exchange(ctx.non_differentiable_, {})),
                                        lowered(std::exchange(ctx.to_save_, {})));
    if constexpr (one)
      return std::move(results[0]);
    else
      return detail::lifted(std::move(results));
  }

 private:
  struct Backward final : api::Backward {
    AutogradContext ctx;
    api::Tensors apply(api::Tensors &&grads) override {
      return lowered(T::backward(&ctx, detail::lifted(std::move(grads))));
    }
  };
  static api::Tensors lowered(variable_list tensors) {
    return {std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end())};
  }
  template <class Argument>
  static void collect(api::Tensors &inputs, std::vector<bool> &is_tensor, const Argument &argument) {
    if constexpr (std::is_base_of_v<thpp::Tensor, Argument>) {
      inputs.push_back(argument);
      is_tensor.push_back(true);
    } else if constexpr (std::is_same_v<Argument, std::optional<Tensor>>) {
      is_tensor.push_back(argument && argument->defined());
      if (is_tensor.back()) inputs.push_back(*argument);
    } else {
      is_tensor.push_back(false);
    }
  }
};

}  // namespace autograd

inline autograd::GradFn Tensor::grad_fn() const { return autograd::GradFn(autograd::api::grad_fn(checked())); }

}  // namespace torch

#include <torch/library.h>  // beside PyTorch's, too, where kernels for autograd are registered
