// The node of a base that was written through a view.
#pragma once

#include <autograd/saved.h>
#include <autograd/view.h>

namespace torch::autograd {

// Its output is the base as it is after the write; its first edge leads to the base before it, the others to what
// `write` (the node of the write itself, whose first edge is the written view's) had besides.
class CopySlices final : public Node {
 public:
  CopySlices(const Tensor &base, const Tensor &view, Ref<Node> write);
  ~CopySlices() override;
  const char *name() const override { return "torch::autograd::CopySlices"; }
  Grads apply(Grads &&grads) override;
  void release_saved() override;
  // Where a gradient for the view that was written goes: to this node, as part of the base's.
  static Edge edge_of_view(const Ref<Node> &slices, const Tensor &view);

 private:
  friend class SliceOfWritten;
  Geometry base_, view_;
  Ref<Node> write_;
  Latch latch_;  // of it
};

}  // namespace torch::autograd
