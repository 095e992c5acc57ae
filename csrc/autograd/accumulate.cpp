#include "accumulate.h"

#include <array>
#include <cstdint>
#include <mutex>

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

// Of a leaf: passes in several threads may meet in it.
static std::mutex &lock_of(const Tensor &leaf) {
  static std::array<std::mutex, 64> locks;
  return locks[reinterpret_cast<uintptr_t>(leaf.get()) / sizeof(THTensor) % locks.size()];
}

// Whether a gradient may become a leaf's as it is: nobody else has it, and it lies as the leaf does.
static bool may_keep(const Tensor &grad, const Tensor &leaf) {
  const THTensor *const t = grad.get();
  const auto single = [](const int32_t &count) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE) == 1; };
  if (!single(t->refcount) || !single(t->storage->refcount)) return false;
  if (std::ranges::equal(grad.strides(), leaf.strides())) return true;
  return leaf.is_contiguous() ? grad.is_contiguous() : false;
}

Grads AccumulateGrad::apply(Grads &&grads) {
  Tensor grad = std::move(grads[0]);
  if (!grad.defined()) return {};
  GradMeta &meta = *meta_of(variable);
  std::shared_ptr<PostAccumulateHook> after;
  Tensor before;  // ends without the lock
  {
    const std::lock_guard lock(lock_of(variable));
    if (!meta.grad.defined()) {
      // One that is recorded is copied, so that nothing done to it reaches the graph that it came from.
      if (may_keep(grad, variable) && !(thpp::grad_mode() && requires_grad(grad))) {
        meta.grad = std::move(grad);
      } else {
        // In the strides that the leaf has.
        Tensor own = thpp::empty_like(variable);
        own.get()->flags &= uint8_t(~TH_RECORDED);
        thpp::copy_(own, grad);
        meta.grad = std::move(own);
      }
    } else if (thpp::grad_mode()) {
      before = std::exchange(meta.grad, thpp::add(meta.grad, grad));
    } else {
      thpp::add_(meta.grad, grad);
    }
    after = meta.post_accumulate;
  }
  if (after) after->call(variable);
  return {};
}

}  // namespace torch::autograd
