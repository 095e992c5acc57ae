// What nodes keep of the forward call.
#include <autograd/saved.h>

#include <mutex>
#include <string>

#include <THPP/Inference.h>

#include "pass.h"
#include "slices.h"

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

Edge Saved::edge_of_output(Node *owner, const Tensor &elements) const {
  if (through_view_)
    if (const Ref<Node> slices = owner->owner()) return CopySlices::edge_of_view(slices, elements);
  return {Ref<Node>::share(owner), output_nr_};
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
  // Through a view: the base's node owns this one, and the view its base. Kept as it is, the tensor would never end.
  const Ref<Node> slices = node && is_view(tensor) ? node->owner() : Ref<Node>();
  through_view_ = slices && grad_fn(base_of(tensor)).get() == slices.get();
  is_output_ = through_view_ || (node && meta && meta->grad_fn.get() == node);
  was_computed_ = !is_output_ && meta && meta->grad_fn;
  if (is_output_) output_nr_ = meta->output_nr;
  tensor_ = is_output_ ? thpp::detach(tensor) : tensor;
  if (saved_hooks().empty() || tensor.is_wrapped_number()) return;  // numbers are no business of hooks
  const std::shared_ptr<SavedHooks> hooks = saved_hooks().back();
  if (std::unique_ptr<SavedHook> hook = hooks->pack(thpp::detach(tensor))) set_hook(std::move(hook));
}

void Saved::set_hook(std::unique_ptr<SavedHook> hook) {
  Tensor tensor = raw();
  auto packed = std::make_shared<Packed>();
  packed->recorded = !is_output_ && requires_grad(tensor);
  if (packed->recorded) packed->edge = gradient_edge(tensor);  // a leaf stays itself: its gradient must reach it
  packed->hook = std::move(hook);
  tensor = {};
  const std::lock_guard lock(latch_);
  packed_.swap(packed);
  std::swap(tensor, tensor_);
}

bool Saved::released() const {
  const std::lock_guard lock(latch_);
  return released_;
}
bool Saved::hooked() const {
  const std::lock_guard lock(latch_);
  return bool(packed_);
}
SavedHook *Saved::hook() const {
  const std::lock_guard lock(latch_);
  return packed_ ? packed_->hook.get() : nullptr;
}
Tensor Saved::raw() const {
  const std::lock_guard lock(latch_);
  return tensor_;
}

[[noreturn]] static void throw_written(const Tensor &tensor, uint32_t expected, const Node *output_of, uint32_t nr) {
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
  Tensor tensor;
  std::shared_ptr<Packed> packed;
  bool released;
  {
    const std::lock_guard lock(latch_);
    released = released_;
    tensor = tensor_;
    packed = packed_;
  }
  if (released) throw_released(owner->name());
  if (!given_) return {};
  if (packed) {
    const Tensor elements = packed->hook->unpack();
    if (!thpp::grad_mode()) return elements;
    return restored(elements, is_output_ ? edge_of_output(owner, elements) : packed->edge);
  }
  if (tensor.version() != version_) {
    const Ref<Node> own = is_output_ ? Ref<Node>::share(owner) : grad_fn(tensor);
    throw_written(tensor, version_, own.get(), is_output_ ? output_nr_ : output_nr(tensor));
  }
  if (was_computed_ && !requires_grad(tensor)) [[unlikely]]
    THError(
        TH_ERROR_RUNTIME,
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). x.detach() makes another "
        "one, and leaves this one what it was.");
  if (is_output_ && thpp::grad_mode()) return restored(tensor, edge_of_output(owner, tensor));
  return tensor;
}

void Saved::release() {
  Tensor tensor;  // these end without the lock
  std::shared_ptr<Packed> packed;
  const std::lock_guard lock(latch_);
  released_ = true;
  std::swap(tensor, tensor_);
  packed.swap(packed_);
}

void SavedList::save(thpp::TensorList tensors, const Node *node) {
  saved_.resize(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) saved_[i].save(tensors[i], node);
}

void SavedList::add(const Tensor &tensor, const Node *node) {
  Saved saved;
  if (tensor.defined()) saved.save(tensor, node);
  saved_.push_back(std::move(saved));
}

std::vector<Tensor> SavedList::unpack(Node *owner) const {
  if (released_) throw_released(owner->name());
  std::vector<Tensor> tensors;
  for (const Saved &saved : saved_) tensors.push_back(saved.unpack(owner));
  return tensors;
}

void SavedList::release() {
  released_ = true;
  for (Saved &saved : saved_) saved.release();
}

}  // namespace torch::autograd
