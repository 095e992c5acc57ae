// The end of the graph: what adds gradients up in leaves.
#pragma once

#include <mutex>

#include <autograd/meta.h>

namespace torch::autograd {

struct AccumulateGrad final : Node {
  explicit AccumulateGrad(const Tensor &variable);
  ~AccumulateGrad() override;
  const char *name() const override { return "torch::autograd::AccumulateGrad"; }
  Grads apply(Grads &&grads) override;
  Tensor leaf() const override { return variable; }

  const Tensor variable;
};

// Guards a tensor's gradient and what is called after it was added to: passes in several threads may meet there. Whoever
// holds it calls no Python, not even to end something.
std::mutex &gradient_lock(const Tensor &t);
// The leaf's one accumulator, made where it has none.
Ref<Node> accumulator_of(const Tensor &leaf);
// The tensor becomes an output of another node, which its retained gradient comes from henceforth.
void move_retain(const Tensor &t, GradMeta &meta, const Ref<Node> &to, uint32_t output);

}  // namespace torch::autograd
