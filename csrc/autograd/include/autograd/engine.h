// The backward pass.
#pragma once

#include <functional>

#include <autograd/meta.h>

namespace torch::autograd {

struct RunOptions {
  bool keep_graph = false;
  bool create_graph = false;
  bool accumulate = true;  // into leaves; else only what `inputs` asks for is computed
};
// From `roots`, whose gradients are `grads`. `inputs`: whose gradients are wanted; empty: all leaves'. Returns theirs,
// undefined where a root does not depend on one. Runs in the calling thread; may be called by a node that is running,
// and by several threads at once. What a node or a hook raises comes out of it, and the graph stays usable.
AUTOGRAD_API Grads run(const std::vector<Edge> &roots, Grads grads, const std::vector<Edge> &inputs,
                       RunOptions options);

// Tensor::backward and torch.autograd.grad. An undefined gradient of a scalar counts as 1. `inputs` that must be
// leaves' or outputs of nodes; empty: all leaves.
AUTOGRAD_API void backward(thpp::TensorList tensors, Grads grads, bool keep_graph, bool create_graph,
                           thpp::TensorList inputs);
AUTOGRAD_API Grads grad(thpp::TensorList outputs, thpp::TensorList inputs, Grads grads, bool keep_graph,
                        bool create_graph, bool allow_unused);

// Called when the outermost pass of this thread ends well.
AUTOGRAD_API void queue_callback(std::function<void()> callback);
AUTOGRAD_API Node *running_node();  // of the calling thread; nullptr: none
AUTOGRAD_API bool will_run(const Node &node);  // whether the running pass reaches it, and wants what it is given
AUTOGRAD_API int64_t running_pass();  // a number of the outermost pass; -1: none
AUTOGRAD_API uint64_t next_sequence();  // that the next node of the calling thread gets

// ---- modes of the calling thread ------------------------------------------------------------------
// thpp::grad_mode() and thpp::set_grad_mode() are in THPP/Guard.h.
AUTOGRAD_API bool anomaly_mode();
AUTOGRAD_API bool anomaly_checks_nan();
AUTOGRAD_API void set_anomaly_mode(bool on, bool check_nan);
// How a node's maker is noted in anomaly mode, and what is said of a node that raised: libtorch_python's tracebacks.
struct AnomalyHandler {
  virtual ~AnomalyHandler() = default;
  virtual std::unique_ptr<Node::Note> note() = 0;
  virtual void explain(const Node &node) = 0;  // prints a warning
};
AUTOGRAD_API void set_anomaly_handler(AnomalyHandler *handler);

// Whether a leaf's gradient gets the leaf's strides (the default), or may keep those that it comes with. Of the calling
// thread, in which the pass runs.
AUTOGRAD_API bool grad_layout_enforced();
AUTOGRAD_API void set_grad_layout_enforced(bool on);

}  // namespace torch::autograd
