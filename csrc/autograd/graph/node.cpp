// The life of a node.
#include <autograd/engine.h>
#include <autograd/numbers.h>

#include <algorithm>
#include <string_view>

#include "pass.h"

namespace torch::autograd {

namespace {

thread_local uint64_t sequences = 0;
// Nodes whose last reference went while another one was being deleted. Where a graph is a chain, its end would
// otherwise be as deep a recursion as it is long.
thread_local std::vector<Node *> *dying = nullptr;
std::atomic<void (*)(Node *)> object_release = nullptr;

}  // namespace

void *Node::operator new(size_t size) { return TH_alloc(size); }
void Node::operator delete(void *at, size_t size) { TH_free(at, size); }

std::string call_name(const Node &node) {
  std::string name = node.name();
  constexpr char suffix[] = "Backward";
  const size_t at = name.rfind(suffix);
  if (at != std::string::npos && name.find_first_not_of("0123456789", at + sizeof suffix - 1) == std::string::npos)
    name.resize(at);
  return name;
}

bool takes_numbers(const Node &node) {
  static constexpr std::string_view kNames[] = {"AddBackward0", "SubBackward0", "MulBackward0",
                                                "DivBackward0", "DivBackward2", "WhereBackward0"};
  return std::ranges::count(kNames, node.name()) != 0;
}

uint64_t next_sequence() { return sequences; }
Node::Node() : sequence_(sequences++) {}
Node::~Node() { delete hooks(); }

void set_node_object_release(void (*release)(Node *)) { object_release = release; }

void Node::release() const {
  auto *const self = const_cast<Node *>(this);
  if (pyobj.load(std::memory_order_acquire) && use_count() == 1)
    if (auto *const release = object_release.load()) return release(self);
  if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (dying) return dying->push_back(self);
  std::vector<Node *> more;
  dying = &more;
  delete self;
  while (!more.empty()) {
    Node *const next = more.back();
    more.pop_back();
    delete next;
  }
  dying = nullptr;
}

bool Node::try_retain() const {
  int32_t count = use_count();
  while (count && !count_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) {
  }
  return count != 0;
}

bool Node::needs(size_t edge) const { return bool(edges_[edge]) && wants_edge(*this, edges_[edge]); }

static void describe(OutputInfo &info, const thpp::Tensor &result) {
  info.known = result.defined() && TH_kind(result.dtype()) >= TH_KIND_float;
  if (!info.known) return;
  info.dtype = result.dtype();
  info.device = result.device();
  info.size.assign(result.sizes().begin(), result.sizes().end());
}

uint32_t Node::add_output(const thpp::Tensor &result) {
  describe(outputs_.emplace_back(), result);
  return uint32_t(outputs_.size() - 1);
}

Ref<Node> Node::owner() const {
  const std::lock_guard lock(state_lock());
  return owner_ && owner_->try_retain() ? Ref<Node>(owner_) : Ref<Node>();
}

void Node::set_owner(Node *owner) {
  const std::lock_guard lock(state_lock());
  owner_ = owner;
}

NodeHooks &Node::make_hooks() {
  const std::lock_guard lock(state_lock());
  if (!hooks()) hooks_.store(new NodeHooks, std::memory_order_release);
  return *hooks();
}

void Node::add_hook(std::shared_ptr<PreHook> hook) {
  const std::lock_guard lock(state_lock());
  make_hooks().pre.push_back(std::move(hook));
}

void Node::add_hook(std::shared_ptr<PostHook> hook) {
  const std::lock_guard lock(state_lock());
  make_hooks().post.push_back(std::move(hook));
}

void throw_released(const char *name) {
  THError(
      TH_ERROR_RUNTIME,
      "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
      "freed): what %s had saved was freed by the first backward pass. Specify retain_graph=True in that one to keep it.",
      name);
}

}  // namespace torch::autograd
