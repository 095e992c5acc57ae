// The backward pass: nodes in the reverse order of their making, each when all that lead to it have run.
#include <autograd/engine.h>

#include <THPP/Inference.h>
#include <THPP/Observer.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>

#include "fit.h"
#include "pass.h"

namespace torch::autograd {

namespace {

// What a pass knows of a node.
struct Task {
  Ref<Node> node;
  Grads grads;  // of its outputs, as far as they have come
  std::vector<bool> summed;  // which of them are this pass's own memory
  int32_t pending_edges = 0;  // edges that have not delivered yet
  bool wanted;  // somebody needs what it computes
  bool found = false;  // discovered from a root
  std::vector<std::pair<uint32_t, size_t>> captures;  // (output, place among the results)
};

// Node -> its task, by open addressing: most passes are short, and each looks every edge up twice.
class Tasks {
 public:
  // `wanted`: whether all that is reached is.
  explicit Tasks(bool wanted) : slots_(64, 0), wanted_(wanted) {}

  Task &operator[](size_t i) { return tasks_[i]; }
  // The index of the node's task, which is made where there is none.
  size_t add(const Ref<Node> &node) {
    if (2 * (tasks_.size() + 1) > slots_.size()) grow();
    size_t &slot = find(node.get());
    if (slot) return slot - 1;
    Task &task = tasks_.emplace_back();
    task.node = node;
    task.wanted = wanted_;
    slot = tasks_.size();
    return slot - 1;
  }
  size_t at(const Node *node) { return find(node) - 1; }  // SIZE_MAX: it has none

 private:
  size_t &find(const Node *node) {
    size_t i = (reinterpret_cast<uintptr_t>(node) >> 6) * 0x9E3779B97F4A7C15u & (slots_.size() - 1);
    while (slots_[i] && tasks_[slots_[i] - 1].node.get() != node) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (size_t i = 0; i < tasks_.size(); ++i) find(tasks_[i].node.get()) = i + 1;
  }
  std::vector<size_t> slots_;  // 1 + index of a task; 0: free
  std::vector<Task> tasks_;
  bool wanted_;
};

struct Pass {
  Pass *const below;  // the pass whose node has started this one
  Tasks tasks;
  bool restricted;  // not all that can be reached is wanted
  int64_t number;
  thpp::Observer *const observer = thpp::observer();  // nullptr: nobody watches this pass
  Node *running = nullptr;
};

thread_local Pass *current = nullptr;
std::atomic<int64_t> passes = 0;
thread_local std::vector<std::function<void()>> callbacks;

class Restore {
 public:
  explicit Restore(Pass &pass) : mode_(thpp::wants_grad_mode()) { current = &pass; }
  Restore(const Restore &) = delete;
  ~Restore() {
    current = current->below;
    thpp::set_grad_mode(mode_);
    if (!current) callbacks.clear();  // of a pass that has failed
  }

 private:
  bool mode_;
};

bool is_needed(const Task &task) { return task.wanted || !task.captures.empty(); }

// The graph from `roots`, each node once, counting what leads to it. A node that leads to a wanted one is wanted; it is
// left after all that it leads to.
void discover(Tasks &tasks, const std::vector<Edge> &roots) {
  struct Frame {
    size_t task, edge;
  };
  std::vector<Frame> path;
  const auto enter = [&](size_t i) {
    tasks[i].found = true;
    path.push_back({i, 0});
  };
  for (const Edge &root : roots) {
    if (!root) continue;
    if (const size_t at = tasks.add(root.node); !tasks[at].found) enter(at);
    while (!path.empty()) {
      const size_t at = path.back().task;
      const std::vector<Edge> &edges = tasks[at].node->edges();
      if (path.back().edge < edges.size()) {
        const Edge &edge = edges[path.back().edge++];
        if (!edge) continue;
        const size_t next = tasks.add(edge.node);
        ++tasks[next].pending_edges;
        if (!tasks[next].found)
          enter(next);
        else if (is_needed(tasks[next]))
          tasks[at].wanted = true;
      } else {
        path.pop_back();
        if (!path.empty() && is_needed(tasks[at])) tasks[path.back().task].wanted = true;
      }
    }
  }
}

void accumulate(Task &task, uint32_t output, Tensor grad) {
  if (task.grads.size() <= output) {
    task.grads.resize(std::max<size_t>(output + 1, task.node->outputs().size()));
    task.summed.resize(task.grads.size());
  }
  Tensor &sum = task.grads[output];
  if (!grad.defined()) return;
  if (!sum.defined()) {
    sum = std::move(grad);
  } else if (task.summed[output] && sum.layout() == TH_STRIDED && !thpp::grad_mode()) {
    thpp::add_(sum, grad);
  } else {
    sum = thpp::add(sum, grad);
    task.summed[output] = true;
  }
}

// Hooks as they are now: one may remove itself, and another thread may add some.
template <class Hooks>
Hooks copied(const Hooks &hooks) {
  const std::lock_guard lock(state_lock());
  return hooks;
}

// Hooks of tensors; these see what autograd.grad gives for them, too, and nothing where another output alone has a gradient.
void run_tensor_hooks(Node &node, Grads &grads) {
  const auto run = [&](uint32_t output, const std::shared_ptr<TensorHook> &hook) {
    if (output >= grads.size()) grads.resize(output + 1);
    Tensor other = hook->call(grads[output]);
    if (other.defined()) grads[output] = std::move(other);
  };
  if (const Tensor leaf = node.leaf(); leaf.defined()) {
    const auto hooks = copied(meta_of(leaf)->hooks);
    for (const auto &hook : hooks) run(0, hook);
  } else if (node.hooks()) {
    const auto hooks = copied(node.hooks()->tensor), retain = copied(node.hooks()->retain);
    for (const auto &[output, hook] : hooks) run(output, hook);
    for (const auto &[output, hook] : retain) run(output, hook);
  }
}

bool any_defined(const Grads &grads) {
  return std::ranges::any_of(grads, [](const Tensor &grad) { return grad.defined(); });
}

Grads apply_node(Node &node, Grads grads) {
  const auto posts = node.hooks() ? copied(node.hooks()->post) : std::vector<std::shared_ptr<PostHook>>();
  Grads outputs;
  if (!posts.empty()) outputs = grads;
  Grads inputs = node.apply(std::move(grads));
  if (inputs.size() > node.edges().size()) {
    const bool extra = std::any_of(inputs.begin() + ptrdiff_t(node.edges().size()), inputs.end(),
                                   [](const Tensor &grad) { return grad.defined(); });
    if (extra)
      THError(TH_ERROR_RUNTIME, "Function %s returned an invalid number of gradients - got %zu, but expected %zu",
              node.name(), inputs.size(), node.edges().size());
  }
  inputs.resize(node.edges().size());
  for (const auto &post : posts) post->call(inputs, outputs);
  inputs.resize(node.edges().size());
  return inputs;
}

// What profilers show, and programs search for.
std::string evaluation_name(const Node &node) {
  return std::string("autograd::engine::evaluate_function: ") + node.name();
}

void run_node(Pass &pass, Task &task, Grads grads, const RunOptions &options) {
  Node &node = *task.node;
  const thpp::ObservedScope whole(pass.observer, pass.observer ? evaluation_name(node).c_str() : "",
                                  int64_t(node.sequence()));
  if (node.hooks()) {
    const auto pres = copied(node.hooks()->pre);
    for (const auto &pre : pres) pre->call(grads);
  }
  grads.resize(std::max(grads.size(), node.outputs().size()));
  Node *const above = pass.running;
  pass.running = &node;
  Grads inputs;
  try {
    if (any_defined(grads) || node.takes_undefined()) {
      const thpp::ObservedScope own(pass.observer, node.name(), int64_t(node.sequence()));
      inputs = apply_node(node, std::move(grads));
    }
    inputs.resize(node.edges().size());
    if (anomaly_mode() && anomaly_checks_nan())
      for (size_t i = 0; i < inputs.size(); ++i) throw_nan(node, i, inputs[i]);
  } catch (...) {
    pass.running = above;
    explain_anomaly(node);
    throw;
  }
  pass.running = above;
  if (!options.keep_graph) node.release_saved();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Edge &edge = node.edges()[i];
    if (!edge || !inputs[i].defined()) continue;
    Task &next = pass.tasks[pass.tasks.at(edge.node.get())];
    accumulate(next, edge.output, fit(std::move(inputs[i]), edge.node->outputs(), edge.output, node, i));
  }
}

}  // namespace

bool wants_edge(const Node &node, const Edge &edge) {
  if (!current || current->running != &node || !current->restricted) return true;
  const size_t i = current->tasks.at(edge.node.get());
  return i == SIZE_MAX || is_needed(current->tasks[i]);
}

bool will_run(const Node &node) {
  if (!current) return false;
  const size_t i = current->tasks.at(&node);
  return i != SIZE_MAX && current->tasks[i].found && is_needed(current->tasks[i]);
}
Node *running_node() { return current ? current->running : nullptr; }
int64_t running_pass() {
  if (!current) return -1;
  const Pass *outermost = current;
  while (outermost->below) outermost = outermost->below;
  return outermost->number;
}

void queue_callback(std::function<void()> callback) {
  if (!current) THError(TH_ERROR_RUNTIME, "Final callbacks can only be installed during backward pass.");
  callbacks.push_back(std::move(callback));
}

Grads run(const std::vector<Edge> &roots, Grads grads, const std::vector<Edge> &inputs, RunOptions options) {
  Pass pass{current, Tasks(inputs.empty()), !inputs.empty(), ++passes};
  const Restore restore(pass);
  thpp::set_grad_mode(options.create_graph);
  Tasks &tasks = pass.tasks;
  Grads results(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    Task &task = tasks[tasks.add(inputs[i].node)];
    task.captures.emplace_back(inputs[i].output, i);
    task.wanted = options.accumulate && task.node->leaf().defined();
  }
  discover(tasks, roots);

  const auto later = [&](size_t a, size_t b) { return tasks[a].node->sequence() < tasks[b].node->sequence(); };
  std::vector<size_t> ready;
  for (size_t i = 0; i < roots.size(); ++i)
    if (roots[i]) {
      const size_t at = tasks.at(roots[i].node.get());
      accumulate(tasks[at], roots[i].output, grads[i]);
      if (tasks[at].pending_edges == 0 && std::ranges::find(ready, at) == ready.end()) ready.push_back(at);
    }
  std::ranges::make_heap(ready, later);
  while (!ready.empty()) {
    std::ranges::pop_heap(ready, later);
    const size_t at = ready.back();
    ready.pop_back();
    Grads own = std::move(tasks[at].grads);
    const Ref<Node> node = tasks[at].node;
    if (is_needed(tasks[at])) run_tensor_hooks(*node, own);
    for (const auto &[output, place] : tasks[at].captures)
      if (output < own.size()) results[place] = own[output];
    if (tasks[at].wanted) run_node(pass, tasks[at], std::move(own), options);
    for (const Edge &edge : node->edges()) {
      if (!edge) continue;
      const size_t next = tasks.at(edge.node.get());
      if (--tasks[next].pending_edges == 0) {
        ready.push_back(next);
        std::ranges::push_heap(ready, later);
      }
    }
  }
  if (!pass.below)
    while (!callbacks.empty()) {
      const auto callback = std::move(callbacks.back());
      callbacks.pop_back();
      callback();
    }
  return results;
}

}  // namespace torch::autograd
