#include "accumulate.h"

#include <array>
#include <cstdint>
#include <mutex>

#include <autograd/engine.h>
#include <autograd/view.h>

#include "pass.h"

namespace torch::autograd {

AccumulateGrad::AccumulateGrad(const Tensor &leaf) : variable(leaf) {
  set_sequence(UINT64_MAX);  // as soon as it can
  add_output(leaf);
}

AccumulateGrad::~AccumulateGrad() {
  const std::lock_guard lock(state_lock());
  GradMeta *const meta = meta_of(variable);
  if (meta && meta->accumulator == this) meta->accumulator = nullptr;
}

Ref<Node> accumulator_of(const Tensor &leaf) {
  const std::lock_guard lock(state_lock());
  GradMeta &meta = make_meta(leaf);
  if (meta.accumulator && meta.accumulator->try_retain()) return Ref<Node>(meta.accumulator);
  auto *const made = new AccumulateGrad(leaf);
  meta.accumulator = made;
  return Ref<Node>(made);
}

std::mutex &gradient_lock(const Tensor &t) {
  static auto &locks = *new std::array<std::mutex, 64>;  // for threads that outlive the program's statics
  return locks[reinterpret_cast<uintptr_t>(t.get()) / sizeof(THTensor) % locks.size()];
}

static thread_local bool layout_enforced = true;
bool grad_layout_enforced() { return layout_enforced; }
void set_grad_layout_enforced(bool on) { layout_enforced = on; }

static bool single(const int32_t &count, int32_t one = 1) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE) == one; }

// Of a view of all of a tensor that nobody has but the view, that tensor is dropped: the weights of a linear layer get a
// product that was transposed twice.
static void drop_base(Tensor &grad) {
  const THTensor *const t = grad.get();
  const Tensor base = base_of(grad);
  if (base.defined() && grad.layout() == TH_STRIDED && t->numel == base.get()->numel && single(t->refcount) &&
      single(base.get()->refcount, 2) && single(t->storage->refcount, 2))
    grad = thpp::detach(grad);
}

// Whether a gradient may become a leaf's as it is: nobody else has it, and it lies as the leaf does, if it must.
static bool may_keep(const Tensor &grad, const Tensor &leaf) {
  const THTensor *const t = grad.get();
  if (!single(t->refcount) || !single(t->storage->refcount)) return false;
  if (grad.layout() != TH_STRIDED)
    return thpp::_values(grad).get()->storage->refcount == 2;  // the member's, and this one's
  if (!layout_enforced || std::ranges::equal(grad.strides(), leaf.strides())) return true;
  if (leaf.layout() != TH_STRIDED) return true;
  return leaf.is_contiguous() ? grad.is_contiguous() : false;
}

// In the strides that the leaf has, where both are strided.
static Tensor copied(const Tensor &grad, const Tensor &leaf) {
  if (grad.layout() != TH_STRIDED || leaf.layout() != TH_STRIDED) return thpp::clone(grad);
  Tensor own = thpp::empty_like(leaf);
  own.get()->flags &= uint8_t(~TH_RECORDED);
  thpp::copy_(own, grad);
  return own;
}

// Recorded, which may call Python: so without the lock, and again where another thread was faster. A first gradient that is
// recorded is copied, so that nothing done to it reaches the graph that it came from.
static void add_recorded(const Tensor &leaf, GradMeta &meta, const Tensor &grad) {
  for (;;) {
    const Tensor before = grad_of(leaf);
    Tensor sum = before.defined()                               ? thpp::add(before, grad)
                 : requires_grad(grad) || !may_keep(grad, leaf) ? copied(grad, leaf)
                                                                : grad;
    const std::lock_guard lock(gradient_lock(leaf));
    if (meta.grad.get() != before.get()) continue;
    std::swap(meta.grad, sum);
    return;
  }
}

static void add_plain(const Tensor &leaf, GradMeta &meta, Tensor grad) {
  drop_base(grad);
  const std::lock_guard lock(gradient_lock(leaf));
  if (meta.grad.defined()) {
    // A strided tensor has room for all, a sparse one for sparse ones.
    if (meta.grad.layout() == TH_STRIDED || meta.grad.layout() == grad.layout())
      thpp::add_(meta.grad, grad);
    else
      meta.grad = thpp::add(meta.grad, grad);
  } else if (may_keep(grad, leaf)) {
    meta.grad = std::move(grad);
  } else {
    meta.grad = copied(grad, leaf);
  }
}

Grads AccumulateGrad::apply(Grads &&grads) {
  Tensor grad = std::move(grads[0]);
  if (!grad.defined() || !requires_grad(variable)) return {};  // it may have been told since to take no more
  GradMeta &meta = *meta_of(variable);
  if (thpp::grad_mode())
    add_recorded(variable, meta, grad);
  else
    add_plain(variable, meta, std::move(grad));
  const auto after = [&] {
    const std::lock_guard lock(gradient_lock(variable));
    return meta.post_accumulate;
  }();
  if (after) after->call(variable);
  return {};
}

}  // namespace torch::autograd
