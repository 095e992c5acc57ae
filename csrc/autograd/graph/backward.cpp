// Tensor.backward and torch.autograd.grad, for C++ and for libtorch_python.
#include <autograd/engine.h>

#include <algorithm>
#include <string>

namespace torch::autograd {

namespace {

std::string size_text(const Tensor &t) {
  char text[256];
  TH_sizeString(t.dim(), t.sizes().data(), text, sizeof text);
  return text;
}

// The gradient that a pass begins with at one of its roots.
Tensor first_gradient(const Tensor &root, const Tensor &given, size_t i) {
  if (!given.defined()) {
    if (root.numel() != 1) THError(TH_ERROR_RUNTIME, "grad can be implicitly created only for scalar outputs");
    if (TH_kind(root.dtype()) == TH_KIND_complex)
      THError(TH_ERROR_RUNTIME, "grad can be implicitly created only for real scalar outputs but got %s",
              TH_typeName(root.dtype()));
    const thpp::NoRecording off;
    return thpp::ones_like(root);
  }
  if (!std::ranges::equal(given.sizes(), root.sizes()))
    THError(TH_ERROR_RUNTIME,
            "Mismatch in shape: grad_output[%zu] has a shape of %s and output[%zu] has a shape of %s.", i,
            size_text(given).c_str(), i, size_text(root).c_str());
  if ((TH_kind(given.dtype()) == TH_KIND_complex) != (TH_kind(root.dtype()) == TH_KIND_complex))
    THError(TH_ERROR_RUNTIME,
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            "grad_output[%zu] has a dtype of %s and output[%zu] has a dtype of %s.",
            i, TH_typeName(given.dtype()), i, TH_typeName(root.dtype()));
  return given;
}

std::vector<Edge> roots_of(thpp::TensorList tensors) {
  std::vector<Edge> roots;
  for (size_t i = 0; i < tensors.size(); ++i) {
    Edge edge = requires_grad(tensors[i]) ? gradient_edge(tensors[i]) : Edge{};
    if (!edge) THError(TH_ERROR_RUNTIME, "element %zu of tensors does not require grad and does not have a grad_fn", i);
    roots.push_back(std::move(edge));
  }
  return roots;
}

Grads first_gradients(thpp::TensorList tensors, const Grads &given) {
  Grads grads;
  for (size_t i = 0; i < tensors.size(); ++i)
    grads.push_back(first_gradient(tensors[i], i < given.size() ? given[i] : Tensor(), i));
  return grads;
}

std::vector<Edge> edges_of(thpp::TensorList inputs) {
  std::vector<Edge> edges;
  for (const Tensor &input : inputs) {
    if (!requires_grad(input)) THError(TH_ERROR_RUNTIME, "One of the differentiated Tensors does not require grad");
    edges.push_back(gradient_edge(input));
  }
  return edges;
}

}  // namespace

void backward(thpp::TensorList tensors, Grads grads, bool keep_graph, bool create_graph, thpp::TensorList inputs) {
  const std::vector<Edge> roots = roots_of(tensors);
  for (const Tensor &input : inputs)
    if (requires_grad(input) && !is_leaf(input)) retain_grad(input);
  run(roots, first_gradients(tensors, grads), edges_of(inputs), {keep_graph, create_graph, true});
}

Grads grad(thpp::TensorList outputs, thpp::TensorList inputs, Grads grads, bool keep_graph, bool create_graph,
           bool allow_unused) {
  const std::vector<Edge> roots = roots_of(outputs);
  Grads results = run(roots, first_gradients(outputs, grads), edges_of(inputs), {keep_graph, create_graph, false});
  for (const Tensor &result : results)
    if (!result.defined() && !allow_unused)
      THError(TH_ERROR_RUNTIME,
              "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
              "None is to stand for its gradient.");
  return results;
}

}  // namespace torch::autograd
