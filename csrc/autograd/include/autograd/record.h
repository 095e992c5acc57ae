// What the recorders that codegen writes are made of (codegen target `autograd`).
//
//     Tensor record_mul(const Tensor &self, const Tensor &other) {
//       Ref<MulBackward0> node;
//       if (wants_recording(self, other)) {
//         node = make<MulBackward0>(self, other);       // an edge per differentiable input
//         if (node->needs(0)) node->other.save(other);
//         if (node->needs(1)) node->self.save(self);
//       }
//       Tensor result = unrecorded([&] { return thpp::mul(self, other); });
//       if (node) record(result, node);
//       return result;
//     }
#pragma once

#include <autograd/engine.h>
#include <autograd/saved.h>
#include <autograd/view.h>

namespace torch::autograd {

// ---- whether there is something to record -------------------------------------------------------
inline bool is_differentiable(THDtype dtype) {
  return TH_kind(dtype) == TH_KIND_float || TH_kind(dtype) == TH_KIND_complex;
}
inline bool wants(const Tensor &t) { return requires_grad(t); }
inline bool wants(thpp::TensorList tensors) {
  for (const Tensor &t : tensors)
    if (requires_grad(t)) return true;
  return false;
}
// Any differentiable input is recorded.
template <class... T>
bool wants_recording(const T &...inputs) {
  return thpp::grad_mode() && (wants(inputs) || ...);
}

// ---- edges ----------------------------------------------------------------------------------------
inline Edge edge_of(const Tensor &t) {
  if (requires_grad(t)) return gradient_edge(t);
  return {nullptr, t.defined() && t.is_wrapped_number() ? Edge::kOfNumber : 0};
}
inline void add_edges(Node &node, const Tensor &t) { node.add_edge(edge_of(t)); }
inline void add_edges(Node &node, thpp::TensorList tensors) {
  for (const Tensor &t : tensors) add_edges(node, t);
}
AUTOGRAD_API void note_anomaly(Node &node);  // in anomaly mode: who makes it
template <class N, class... T>
Ref<N> make(const T &...inputs) {
  Ref<N> node(new N);
  (add_edges(*node, inputs), ...);
  if (anomaly_mode()) [[unlikely]]
    note_anomaly(*node);
  return node;
}

template <class F>
decltype(auto) unrecorded(F call) {
  const thpp::NoRecording off;
  return call();
}

// ---- results --------------------------------------------------------------------------------------
// Makes a new result output n of the node (the next one), if its dtype has a derivative; else the output is counted all
// the same.
AUTOGRAD_API void record(const Tensor &result, const Ref<Node> &node);
AUTOGRAD_API void record(thpp::TensorList results, const Ref<Node> &node);
// The same of a tensor that was written in place, or given as out=. `node` null: nothing is to be recorded.
AUTOGRAD_API void record_written(const Tensor &written, const Ref<Node> &node);
// Before a write: raises where a recorded tensor may not be written: a leaf that requires grad, a view of one, one of
// several views of one call, a view made where nothing was recorded.
AUTOGRAD_API void check_write(const Tensor &written, bool recording);

}  // namespace torch::autograd
