// Gradients as C++ users and extensions reach them.
#include <autograd/extension_api.h>

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <autograd/custom.h>

namespace torch::autograd::api {

namespace {

struct FunctionHook final : TensorHook {
  FunctionHook(unsigned number, std::function<Tensor(const Tensor &)> function)
      : number(number), function(std::move(function)) {}
  Tensor call(const Tensor &grad) override { return function(grad); }
  const unsigned number;
  const std::function<Tensor(const Tensor &)> function;
};

const TensorHook *numbered(const TensorHook *hook, unsigned number) {
  const auto *const ours = dynamic_cast<const FunctionHook *>(hook);
  return ours && ours->number == number ? ours : nullptr;
}

std::shared_ptr<Node> shared(Ref<Node> node) {
  if (!node) return nullptr;
  return {node.leave(), [](const Node *ended) { ended->release(); }};
}

std::string demangled(const char *name) {
  int status;
  const std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return text ? text.get() : name;
}

// A result of forward(), for gradients that nobody has computed.
struct Result {
  bool defined = false;
  THDtype dtype = TH_Float;
  THDevice device = {};
  std::vector<int64_t> size;
};

struct CustomNode final : Node {
  CustomNode(const std::type_info &function, std::unique_ptr<Backward> backward, std::vector<bool> is_tensor)
      : function_(demangled(function.name())), name_("torch::autograd::CppNode<" + function_ + ">"),
        backward_(std::move(backward)), is_tensor_(std::move(is_tensor)) {}
  const char *name() const override { return name_.c_str(); }
  bool takes_undefined() const override { return true; }
  void release_saved() override { saved.release(); }
  Grads apply(Grads &&grads) override;

  SavedList saved;
  std::vector<Result> results;

 private:
  const std::string function_, name_;
  const std::unique_ptr<Backward> backward_;
  const std::vector<bool> is_tensor_;  // for each argument; these have an edge
};

Grads CustomNode::apply(Grads &&grads) {
  grads.resize(results.size());
  for (size_t i = 0; i < grads.size(); ++i) {
    const Result &result = results[i];
    if (!grads[i].defined() && backward_->materialize && result.defined)
      grads[i] = thpp::zeros(result.size, result.dtype, result.device);
  }
  Grads given = backward_->apply(std::move(grads));
  const size_t expected = is_tensor_.size();
  while (given.size() > expected && !given.back().defined()) given.pop_back();
  if (given.size() != expected)
    THError(TH_ERROR_RUNTIME, "function %s returned an incorrect number of gradients (expected %zu, got %zu)",
            function_.c_str(), expected, given.size());
  Grads inputs;
  for (size_t i = 0; i < expected; ++i) {
    if (is_tensor_[i])
      inputs.push_back(std::move(given[i]));
    else if (given[i].defined())
      THError(TH_ERROR_RUNTIME,
              "function %s returned a gradient different than None at position %zu, but the corresponding forward "
              "input was not a Variable",
              function_.c_str(), i + 1);
  }
  return inputs;
}

bool holds(const Tensors &tensors, const Tensor &tensor) {
  return std::ranges::any_of(tensors, [&](const Tensor &t) { return t.defined() && t.is_same(tensor); });
}

// For each root its gradient, or nothing for all of them.
void check_count(thpp::TensorList tensors, const Tensors &grads) {
  if (!grads.empty() && grads.size() != tensors.size())
    THError(TH_ERROR_RUNTIME, "got %zu tensors and %zu gradients", tensors.size(), grads.size());
}

}  // namespace

// ---- tensors --------------------------------------------------------------------------------------
bool requires_grad(const Tensor &t) { return autograd::requires_grad(t); }
void set_requires_grad(const Tensor &t, bool wanted) { autograd::set_requires_grad(t, wanted); }
bool is_leaf(const Tensor &t) { return autograd::is_leaf(t); }
uint32_t output_nr(const Tensor &t) { return autograd::output_nr(t); }
bool is_view(const Tensor &t) { return autograd::is_view(t); }
Tensor base_of(const Tensor &view) { return autograd::is_view(view) ? autograd::base_of(view) : Tensor(); }
Tensor grad_of(const Tensor &t) { return autograd::grad_of(t); }
Tensor &mutable_grad(const Tensor &t) { return make_meta(t).grad; }
void retain_grad(const Tensor &t) { autograd::retain_grad(t); }
bool retains_grad(const Tensor &t) { return autograd::retains_grad(t); }
void detach_(const Tensor &t) { autograd::detach_(t); }

unsigned add_hook(const Tensor &t, std::function<Tensor(const Tensor &)> hook) {
  static std::atomic<unsigned> numbers = 0;
  const unsigned number = numbers++;
  autograd::add_hook(t, std::make_shared<FunctionHook>(number, std::move(hook)));
  return number;
}

void remove_hook(const Tensor &t, unsigned number) {
  const TensorHook *found = nullptr;
  if (const Ref<Node> node = autograd::grad_fn(t)) {
    if (node->hooks())
      for (const auto &[output, hook] : node->hooks()->tensor)
        if (const TensorHook *const it = numbered(hook.get(), number)) found = it;
  } else if (const GradMeta *const meta = meta_of(t)) {
    for (const auto &hook : meta->hooks)
      if (const TensorHook *const it = numbered(hook.get(), number)) found = it;
  }
  if (found) autograd::remove_hook(t, found);
}

// ---- nodes ----------------------------------------------------------------------------------------
std::shared_ptr<Node> grad_fn(const Tensor &t) { return shared(autograd::grad_fn(t)); }
std::string name_of(const Node &node) { return node.name(); }
std::vector<std::pair<std::shared_ptr<Node>, uint32_t>> edges_of(const Node &node) {
  std::vector<std::pair<std::shared_ptr<Node>, uint32_t>> edges;
  for (const Edge &edge : node.edges()) edges.emplace_back(shared(edge.node), edge.output);
  return edges;
}

// ---- the backward pass ----------------------------------------------------------------------------
void backward(thpp::TensorList tensors, Tensors grads, std::optional<bool> keep_graph, bool create_graph,
              thpp::TensorList inputs) {
  check_count(tensors, grads);
  autograd::backward(tensors, std::move(grads), keep_graph.value_or(create_graph), create_graph, inputs);
}

Tensors grad(thpp::TensorList outputs, thpp::TensorList inputs, Tensors grads, std::optional<bool> keep_graph,
             bool create_graph, bool allow_unused) {
  check_count(outputs, grads);
  if (inputs.empty()) THError(TH_ERROR_VALUE, "grad requires non-empty inputs.");
  return autograd::grad(outputs, inputs, std::move(grads), keep_graph.value_or(create_graph), create_graph,
                        allow_unused);
}

bool grad_mode() { return thpp::grad_mode(); }
void set_grad_mode(bool on) { thpp::set_grad_mode(on); }

// ---- functions with a backward of their own -------------------------------------------------------
CustomCall::CustomCall(const std::type_info &function, std::unique_ptr<Backward> backward, Tensors inputs,
                       std::vector<bool> is_tensor)
    : node_(new CustomNode(function, std::move(backward), std::move(is_tensor))), inputs_(std::move(inputs)),
      recording_(wants_recording(thpp::TensorList(inputs_))) {
  if (!recording_) return;
  add_edges(*node_, thpp::TensorList(inputs_));
  if (anomaly_mode()) note_anomaly(*node_);
}
CustomCall::~CustomCall() { node_->release(); }

Tensors CustomCall::results(const Tensors &raw, const Tensors &dirty, const Tensors &non_differentiable,
                            const Tensors &saved) {
  auto &node = static_cast<CustomNode &>(*node_);
  const Ref<Node> own = Ref<Node>::share(node_);
  for (const Tensor &written : dirty)
    if (written.defined() && !holds(raw, written))
      THError(TH_ERROR_RUNTIME,
              "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
              "are modified inplace must all be outputs of the Function.");
  const auto with_gradient = std::ranges::count_if(raw, [&](const Tensor &t) {
    return t.defined() && is_differentiable(t.dtype()) && !holds(non_differentiable, t);
  });
  Tensors results;
  for (const Tensor &t : raw) {
    Result &info = node.results.emplace_back();
    if (!t.defined()) {
      node.add_output(t);
      results.push_back(t);
      continue;
    }
    info = {true, t.dtype(), t.device(), {t.sizes().begin(), t.sizes().end()}};
    const CustomResult is = {holds(inputs_, t), holds(dirty, t), !holds(non_differentiable, t)};
    results.push_back(add_result(own, t, is, recording_, with_gradient > 1));
  }
  if (recording_)
    for (const Tensor &t : saved) node.saved.add(t, node_);
  return results;
}

Tensors saved_by(Node &at) {
  auto &node = static_cast<CustomNode &>(at);
  return node.saved.unpack(&node);
}

bool needs_edge(const Node &node, size_t input) { return input < node.edges().size() && node.needs(input); }

}  // namespace torch::autograd::api
