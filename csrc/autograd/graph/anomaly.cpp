// Anomaly mode: nodes note who made them, and gradients with NaN are refused.
#include <autograd/engine.h>
#include <autograd/record.h>

#include "fit.h"

namespace torch::autograd {

namespace {

// Of the whole process, as in PyTorch: nodes made in one thread may fail in another.
std::atomic<bool> anomaly = false, checks_nan = true;
AnomalyHandler *handler = nullptr;

}  // namespace

bool anomaly_mode() { return anomaly.load(std::memory_order_relaxed); }
bool anomaly_checks_nan() { return checks_nan; }
void set_anomaly_mode(bool on, bool check_nan) {
  anomaly = on;
  checks_nan = check_nan;
}
void set_anomaly_handler(AnomalyHandler *other) { handler = other; }

void note_anomaly(Node &node) {
  if (!handler) return;
  node.note = handler->note();
  if (node.note && running_node()) node.note->parent = Ref<Node>::share(running_node());
}

void explain_anomaly(const Node &node) {
  if (anomaly_mode() && handler) handler->explain(node);
}

void throw_nan(const Node &node, size_t place, const Tensor &grad) {
  if (!grad.defined() || grad.device().kind == TH_Meta) return;
  const thpp::NoRecording off;
  if (thpp::any(thpp::ne(grad, grad)).item().to_int())
    THError(TH_ERROR_RUNTIME, "Function '%s' returned nan values in its %zuth output.", node.name(), place);
}

}  // namespace torch::autograd
