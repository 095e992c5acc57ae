// Gradient state of a tensor: what THTensor.meta points to where something of it is recorded.
//
// A tensor is a *leaf* (made by the user: requires_grad, grad) or the *output* of a node (grad_fn, output_nr). A view
// knows its base (thpp::Meta), so that a write through one is a write to the other: see view.h.
#pragma once

#include <memory>

#include <THPP/Functions.h>
#include <THPP/Guard.h>
#include <THPP/Meta.h>

#include <autograd/export.h>
#include <autograd/hooks.h>
#include <autograd/node.h>

namespace torch::autograd {

using thpp::Tensor;

struct AccumulateGrad;

struct GradMeta : thpp::Meta {
  bool requires_grad = false;  // of a leaf, by its user's wish; of others see requires_grad()
  uint32_t output_nr = 0;  // which output of grad_fn this is
  Ref<Node> grad_fn;  // null for leaves
  AccumulateGrad *accumulator = nullptr;  // of a leaf, not owned: it owns the leaf, and takes itself away
  std::shared_ptr<TensorHook> retain;  // what writes `grad` where retains_grad
  Tensor grad;
  std::vector<std::shared_ptr<TensorHook>> hooks;  // of a leaf: its accumulator runs them
  std::shared_ptr<PostAccumulateHook> post_accumulate;
};

AUTOGRAD_API void release_grad_meta(void *meta);  // by which a GradMeta is told from a view's plain thpp::Meta
// nullptr where the tensor has no gradient state.
inline GradMeta *meta_of(const Tensor &t) {
  auto *const meta = static_cast<thpp::Meta *>(t.get()->meta);
  return meta && meta->release == release_grad_meta ? static_cast<GradMeta *>(meta) : nullptr;
}
AUTOGRAD_API GradMeta &make_meta(const Tensor &t);  // its own, made where it has none

// Whether its operations are recorded where recording is on: a leaf that asks for it, or an output of a node.
inline bool requires_grad(const Tensor &t) { return t.defined() && (thpp::guard_flags(t) & TH_RECORDED); }
// A leaf's wish. Raises for other tensors if false, and for dtypes that have no derivative.
AUTOGRAD_API void set_requires_grad(const Tensor &t, bool wanted);
AUTOGRAD_API bool is_leaf(const Tensor &t);
// The node whose output the tensor is; null for leaves. Of a view whose base was written since, a new one.
AUTOGRAD_API Ref<Node> grad_fn(const Tensor &t);
AUTOGRAD_API uint32_t output_nr(const Tensor &t);
// Where its gradient goes: (grad_fn, output_nr), a leaf's accumulator, or nowhere.
AUTOGRAD_API Edge gradient_edge(const Tensor &t);
AUTOGRAD_API Tensor grad_of(const Tensor &t);  // undefined: none
AUTOGRAD_API void set_grad(const Tensor &t,
                           const Tensor &grad);  // undefined: none. Raises if shape, dtype or device differ
AUTOGRAD_API void retain_grad(const Tensor &t);
AUTOGRAD_API bool retains_grad(const Tensor &t);
// What register_hook does: called with the tensor's gradient when it is known, before it goes on.
AUTOGRAD_API void add_hook(const Tensor &t, std::shared_ptr<TensorHook> hook);
AUTOGRAD_API void remove_hook(const Tensor &t, const TensorHook *hook);
AUTOGRAD_API void set_post_accumulate(const Tensor &t, std::shared_ptr<PostAccumulateHook> hook);  // leaves only
// Takes the tensor out of the graph, as x.detach_(). Raises for views.
AUTOGRAD_API void detach_(const Tensor &t);

}  // namespace torch::autograd
