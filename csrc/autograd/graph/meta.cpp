// Gradient state of tensors.
#include <autograd/meta.h>

#include <THPP/Inference.h>

#include <string>
#include <utility>

#include <autograd/view.h>
#include "accumulate.h"
#include "pass.h"

namespace torch::autograd {

namespace {

std::string dtype_name(const Tensor &t) { return TH_typeName(t.dtype()); }

// Writes the gradient of a tensor that is no leaf into its `grad`. The node has it, and the tensor, whose end it must
// survive.
struct RetainGrad : TensorHook {
  explicit RetainGrad(THTensor *tensor) : tensor_(tensor) {}
  Tensor call(const Tensor &grad) override {
    const Tensor tensor = alive();
    if (!tensor.defined() || !grad.defined()) return {};
    for (;;) {
      const Tensor before = grad_of(tensor);
      Tensor sum = before.defined() ? thpp::add(before, grad) : thpp::clone(grad);
      const std::lock_guard lock(gradient_lock(tensor));
      Tensor &kept = meta_of(tensor)->grad;
      if (kept.get() != before.get()) continue;  // another pass was faster
      std::swap(kept, sum);
      return {};
    }
  }
  void forget() {
    const std::lock_guard lock(state_lock());
    tensor_ = nullptr;
  }

 private:
  // Undefined if its last reference is going.
  Tensor alive() {
    const std::lock_guard lock(state_lock());
    if (!tensor_) return {};
    int32_t count = __atomic_load_n(&tensor_->refcount, __ATOMIC_ACQUIRE);
    while (count && !__atomic_compare_exchange_n(&tensor_->refcount, &count, count + 1, true, __ATOMIC_ACQ_REL,
                                                 __ATOMIC_ACQUIRE)) {
    }
    return count ? Tensor::steal(tensor_) : Tensor();
  }
  THTensor *tensor_;  // not counted
};

}  // namespace

std::recursive_mutex &state_lock() {
  static auto *const lock = new std::recursive_mutex;  // for tensors that end after the program's statics
  return *lock;
}

void release_grad_meta(void *at) {
  auto *const meta = static_cast<GradMeta *>(at);
  if (meta->retain) static_cast<RetainGrad *>(meta->retain.get())->forget();
  THTensor *const base = meta->base;
  meta->~GradMeta();
  TH_free(at, sizeof(GradMeta));
  THTensor_free(base);
}

GradMeta &make_meta(const Tensor &t) {
  if (GradMeta *const known = meta_of(t)) return *known;
  auto *const plain = static_cast<thpp::Meta *>(t.get()->meta);
  auto *const made = new (TH_alloc(sizeof(GradMeta))) GradMeta;
  if (plain) {
    static_cast<thpp::Meta &>(*made) = *plain;  // with its reference to the base
    TH_free(plain, sizeof(thpp::Meta));
  }
  made->release = release_grad_meta;
  t.get()->meta = made;
  return *made;
}

bool is_leaf(const Tensor &t) { return !requires_grad(t) || !grad_fn(t); }

void set_requires_grad(const Tensor &t, bool wanted) {
  if (!is_leaf(t)) {
    if (!wanted)
      THError(TH_ERROR_RUNTIME,
              "you can only change requires_grad flags of leaf variables, and this one was computed: x.detach() is the "
              "same tensor without history");
    return;
  }
  if (wanted && TH_kind(t.dtype()) < TH_KIND_float)
    THError(TH_ERROR_RUNTIME, "only Tensors of floating point and complex dtype can require gradients, not %s",
            dtype_name(t).c_str());
  if (wanted && thpp::is_inference(t) && !thpp::inference_mode())
    THError(TH_ERROR_RUNTIME, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (!wanted && !meta_of(t)) return;
  make_meta(t).requires_grad = wanted;
  if (wanted)
    t.get()->flags |= TH_RECORDED;
  else
    t.get()->flags &= uint8_t(~TH_RECORDED);
}

// Whether a view's base, which is recorded, was written since its node was found.
static bool is_written(const Tensor &view) {
  const auto *const meta = static_cast<const thpp::Meta *>(view.get()->meta);
  return meta->made_at != view.version() && (meta->base->flags & TH_RECORDED);
}

// The node of a view, once more after its base was written: its own record ends at the elements of before.
static void look_up_view(const Tensor &t) {
  // Nothing is recorded with the lock held: anomaly mode would ask for the interpreter's, too.
  const bool mode = thpp::wants_grad_mode(), inference = thpp::inference_mode();
  const auto restore = [&] {
    thpp::set_grad_mode(mode);
    thpp::set_inference_mode(inference);
  };
  thpp::set_grad_mode(true);
  thpp::set_inference_mode(false);
  Tensor again;
  try {
    again = view_of(base_of(t), geometry_of(t));
  } catch (...) {
    restore();
    throw;
  }
  restore();
  Ref<Node> before;  // ends without the lock, for Python objects may end with it
  const std::lock_guard lock(state_lock());
  GradMeta &meta = make_meta(t);
  if (meta.made_at == t.version()) return;
  GradMeta *const its = meta_of(again);
  if (its && its->grad_fn) {
    if (meta.retain && meta.grad_fn) move_retain(t, meta, its->grad_fn, its->output_nr);
    before = std::exchange(meta.grad_fn, its->grad_fn);
    meta.output_nr = its->output_nr;
    meta.made_at = t.version();
    t.get()->flags |= TH_RECORDED;
  }
}

void move_retain(const Tensor &, GradMeta &meta, const Ref<Node> &to, uint32_t output) {
  const std::lock_guard lock(state_lock());
  if (meta.grad_fn && meta.grad_fn->hooks())
    std::erase_if(meta.grad_fn->hooks()->retain, [&](const auto &row) { return row.second == meta.retain; });
  to->make_hooks().retain.emplace_back(output, meta.retain);
}

// The output of a node that the tensor is, or nothing.
static Edge made_by(const Tensor &t) {
  const auto found = [&]() -> Edge {
    const GradMeta *const meta = meta_of(t);
    return meta && meta->grad_fn ? Edge{meta->grad_fn, meta->output_nr} : Edge{};
  };
  if (!is_view(t)) return found();
  {
    const std::lock_guard lock(state_lock());  // another thread may look it up
    if (!is_written(t)) return found();
  }
  look_up_view(t);
  const std::lock_guard lock(state_lock());
  return found();
}

Ref<Node> grad_fn(const Tensor &t) { return made_by(t).node; }
uint32_t output_nr(const Tensor &t) { return made_by(t).output; }

Edge gradient_edge(const Tensor &t) {
  if (Edge edge = made_by(t)) return edge;
  const GradMeta *const meta = meta_of(t);
  if (!meta || !meta->requires_grad) return {};
  return {accumulator_of(t), 0};
}

Tensor grad_of(const Tensor &t) {
  const GradMeta *const meta = meta_of(t);
  if (!meta) return {};
  const std::lock_guard lock(gradient_lock(t));
  return meta->grad;
}

// What was there before ends without the lock.
static void put_grad(const Tensor &t, GradMeta &meta, Tensor grad) {
  const std::lock_guard lock(gradient_lock(t));
  std::swap(meta.grad, grad);
}

void set_grad(const Tensor &t, const Tensor &grad) {
  if (!grad.defined()) {
    if (GradMeta *const meta = meta_of(t)) put_grad(t, *meta, {});
    return;
  }
  if (grad.is_same(t)) THError(TH_ERROR_RUNTIME, "can't assign Variable as its own grad");
  if (grad.dtype() != t.dtype())
    THError(TH_ERROR_RUNTIME,
            "attempting to assign a gradient with dtype '%s' to a tensor with grad_dtype '%s': the two must be equal",
            TH_typeName(grad.dtype()), TH_typeName(t.dtype()));
  if (grad.device().kind != t.device().kind || grad.device().index != t.device().index)
    THError(TH_ERROR_RUNTIME, "assigned grad has data located on a different device");
  if (!std::ranges::equal(grad.sizes(), t.sizes())) {
    char of_grad[256], of_tensor[256];
    TH_sizeString(grad.dim(), grad.sizes().data(), of_grad, sizeof of_grad);
    TH_sizeString(t.dim(), t.sizes().data(), of_tensor, sizeof of_tensor);
    THError(TH_ERROR_RUNTIME, "assigned grad has data of a different size: %s, and the tensor %s", of_grad, of_tensor);
  }
  put_grad(t, make_meta(t), grad);
}

void retain_grad(const Tensor &t) {
  if (!requires_grad(t)) THError(TH_ERROR_RUNTIME, "can't retain_grad on Tensor that has requires_grad=False");
  const Ref<Node> node = grad_fn(t);
  GradMeta &meta = make_meta(t);
  if (!node) return;
  const std::lock_guard lock(state_lock());
  if (meta.retain) return;
  meta.retain = std::make_shared<RetainGrad>(t.get());
  node->make_hooks().retain.emplace_back(meta.output_nr, meta.retain);
}

bool retains_grad(const Tensor &t) {
  const GradMeta *const meta = meta_of(t);
  return meta && meta->retain && !is_leaf(t);
}

void add_hook(const Tensor &t, std::shared_ptr<TensorHook> hook) {
  if (!requires_grad(t)) THError(TH_ERROR_RUNTIME, "cannot register a hook on a tensor that doesn't require gradient");
  const Edge edge = made_by(t);
  const std::lock_guard lock(state_lock());
  if (edge)
    edge.node->make_hooks().tensor.emplace_back(edge.output, std::move(hook));
  else
    make_meta(t).hooks.push_back(std::move(hook));
}

void remove_hook(const Tensor &t, const TensorHook *hook) {
  const auto is_it = [&](const std::shared_ptr<TensorHook> &other) { return other.get() == hook; };
  GradMeta *const meta = meta_of(t);
  if (!meta) return;
  std::vector<std::shared_ptr<TensorHook>> ended = meta->hooks;  // they end without the lock
  if (meta->grad_fn && meta->grad_fn->hooks())
    for (const auto &row : meta->grad_fn->hooks()->tensor) ended.push_back(row.second);
  const std::lock_guard lock(state_lock());
  std::erase_if(meta->hooks, is_it);
  if (meta->grad_fn && meta->grad_fn->hooks())
    std::erase_if(meta->grad_fn->hooks()->tensor, [&](const auto &row) { return is_it(row.second); });
}

void set_post_accumulate(const Tensor &t, std::shared_ptr<PostAccumulateHook> hook) {
  if (hook && !requires_grad(t))
    THError(TH_ERROR_RUNTIME, "cannot register a hook on a tensor that doesn't require gradient");
  if (hook && !is_leaf(t))
    THError(TH_ERROR_RUNTIME, "post accumulate grad hooks cannot be registered on non-leaf tensors");
  GradMeta &meta = make_meta(t);
  const std::lock_guard lock(gradient_lock(t));
  meta.post_accumulate.swap(hook);  // what was there ends without the lock
}

void detach_(const Tensor &t) {
  if (is_view(t) && requires_grad(t))
    THError(
        TH_ERROR_RUNTIME,
        "Can't detach views in-place: what is written into a view belongs to its base. x.detach() gives another view.");
  GradMeta *const meta = meta_of(t);
  if (!meta) return;
  meta->grad_fn = {};
  meta->output_nr = 0;
  meta->requires_grad = false;
  t.get()->flags &= uint8_t(~TH_RECORDED);
}

}  // namespace torch::autograd
