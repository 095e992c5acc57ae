// What nodes keep of the forward call.
#include <autograd/saved.h>

#include <THPP/Inference.h>

#include <string>

#include "pass.h"

namespace torch::autograd {

// What hooks have packed: instead of the tensor, with all that its place in the graph needs.
struct Saved::Packed {
  std::unique_ptr<SavedHook> hook;
  Edge edge;
  bool recorded = false;
};

std::vector<std::shared_ptr<SavedHooks>> &saved_hooks() {
  thread_local std::vector<std::shared_ptr<SavedHooks>> hooks;
  return hooks;
}

// The same elements, made the output of a node again.
static Tensor restored(const Tensor &elements, const Edge &edge) {
  const Tensor alias = thpp::detach(elements);
  if (!edge) return alias;
  GradMeta &meta = make_meta(alias);
  meta.grad_fn = edge.node;
  meta.output_nr = edge.output;
  alias.get()->flags |= TH_RECORDED;
  return alias;
}

void Saved::save(const Tensor &tensor, const Node *node) {
  given_ = tensor.defined();
  if (!given_) return;
  if (thpp::is_inference(tensor)) [[unlikely]]
    THError(
        TH_ERROR_RUNTIME,
        "Inference tensors cannot be saved for backward. What is made in inference mode can take no part in what is "
        "recorded: use a clone of it, or make it in torch.no_grad() instead.");
  version_ = tensor.version();
  const GradMeta *const meta = meta_of(tensor);
  is_output_ = node && meta && meta->grad_fn.get() == node;
  was_computed_ = !is_output_ && meta && meta->grad_fn;
  if (is_output_) output_nr_ = meta->output_nr;
  tensor_ = is_output_ ? thpp::detach(tensor) : tensor;
  if (saved_hooks().empty() || tensor.is_wrapped_number()) return;  // numbers are no business of hooks
  const std::shared_ptr<SavedHooks> hooks = saved_hooks().back();
  if (std::unique_ptr<SavedHook> hook = hooks->pack(thpp::detach(tensor))) set_hook(std::move(hook));
}

void Saved::set_hook(std::unique_ptr<SavedHook> hook) {
  packed_ = std::make_shared<Packed>();
  packed_->recorded = !is_output_ && requires_grad(tensor_);
  if (packed_->recorded) packed_->edge = gradient_edge(tensor_);
  packed_->hook = std::move(hook);
  // A leaf stays itself: its gradient must reach it.
  tensor_ = {};
}

[[noreturn]] static void refuse_written(const Tensor &tensor, uint32_t expected, const Node *output_of, uint32_t nr) {
  char size[256];
  TH_sizeString(tensor.dim(), tensor.sizes().data(), size, sizeof size);
  std::string origin;
  if (output_of) origin = ", which is output " + std::to_string(nr) + " of " + call_name(*output_of);
  THError(TH_ERROR_RUNTIME,
          "one of the variables needed for gradient computation has been modified by an inplace operation: "
          "[torch.%s%sTensor %s]%s, is at version %u; expected version %u instead. Hint: "
          "torch.autograd.set_detect_anomaly(True) shows which forward call had saved it.",
          tensor.device().kind == TH_CUDA ? "cuda." : "", TH_typeName(tensor.dtype()), size, origin.c_str(),
          tensor.version(), expected);
}

Tensor Saved::unpack(Node *owner) const {
  if (released_) refuse_released(owner->name());
  if (!given_) return {};
  if (packed_) {
    const Tensor elements = packed_->hook->unpack();
    if (!thpp::grad_mode()) return elements;
    return restored(elements, is_output_ ? Edge{Ref<Node>::share(owner), output_nr_} : packed_->edge);
  }
  if (tensor_.version() != version_) {
    const Ref<Node> own = is_output_ ? Ref<Node>::share(owner) : grad_fn(tensor_);
    refuse_written(tensor_, version_, own.get(), is_output_ ? output_nr_ : output_nr(tensor_));
  }
  if (was_computed_ && !requires_grad(tensor_)) [[unlikely]]
    THError(
        TH_ERROR_RUNTIME,
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). x.detach() makes another "
        "one, and leaves this one what it was.");
  if (is_output_ && thpp::grad_mode()) return restored(tensor_, {Ref<Node>::share(owner), output_nr_});
  return tensor_;
}

void Saved::release() {
  released_ = true;
  tensor_ = {};
  packed_ = {};
}

void SavedList::save(thpp::TensorList tensors, const Node *node) {
  saved_.resize(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) saved_[i].save(tensors[i], node);
}

std::vector<Tensor> SavedList::unpack(Node *owner) const {
  if (released_) refuse_released(owner->name());
  std::vector<Tensor> tensors;
  for (const Saved &saved : saved_) tensors.push_back(saved.unpack(owner));
  return tensors;
}

void SavedList::release() {
  released_ = true;
  saved_.clear();
}

}  // namespace torch::autograd
