// A node of the graph: the derivative of one recorded call.
//
// Its *outputs* are the results of the forward call, whose gradients it is given; its *edges* lead to the nodes that
// its inputs came from, which get the gradients that it computes: apply() returns one per edge.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <THPP/Tensor.h>

#include <autograd/export.h>
#include <autograd/hooks.h>

namespace torch::autograd {

class Node;
class SavedVisitor;

// A counted reference.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T *fresh) : at_(fresh) {}  // takes the reference that a new node begins with
  Ref(const Ref &other) : at_(other.at_) {
    if (at_) at_->retain();
  }
  template <class U>
  Ref(const Ref<U> &other) : at_(other.get()) {
    if (at_) at_->retain();
  }
  Ref(Ref &&other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  template <class U>
  Ref(Ref<U> &&other) noexcept : at_(other.leave()) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(at_, other.at_);
    return *this;
  }
  ~Ref() {
    if (at_) at_->release();
  }
  static Ref share(T *at) {
    at->retain();
    return Ref(at);
  }
  T *get() const { return at_; }
  T *leave() { return std::exchange(at_, nullptr); }  // the reference is the caller's
  T *operator->() const { return at_; }
  T &operator*() const { return *at_; }
  explicit operator bool() const { return at_ != nullptr; }
  friend bool operator==(const Ref &a, const Ref &b) { return a.at_ == b.at_; }

 private:
  T *at_ = nullptr;
};

// Output `output` of a node; without a node it leads nowhere, and `output` may say why.
struct Edge {
  static constexpr uint32_t kOfNumber = ~0u;  // the argument is a number, which PyTorch has other operators for
  Ref<Node> node;
  uint32_t output = 0;
  explicit operator bool() const { return bool(node); }
};

// What a gradient must look like: the forward result that it belongs to.
struct OutputInfo {
  bool known = false;  // false: of an output that is no tensor, or has no derivative
  THDtype dtype = TH_Float;
  THDevice device = {};
  std::vector<int64_t> size;
};

// What few nodes have.
struct NodeHooks {
  std::vector<std::pair<uint32_t, std::shared_ptr<TensorHook>>> tensor;  // of output n, in the order they were added
  std::vector<std::pair<uint32_t, std::shared_ptr<TensorHook>>> retain;  // of tensors that retain_grad; these run last
  std::vector<std::shared_ptr<PreHook>> pre;
  std::vector<std::shared_ptr<PostHook>> post;
};

class AUTOGRAD_API Node {
 public:
  AUTOGRAD_API Node();  // with the thread's next sequence number
  Node(const Node &) = delete;
  AUTOGRAD_API virtual ~Node();
  AUTOGRAD_API static void *operator new(size_t size);
  AUTOGRAD_API static void operator delete(void *at, size_t size);

  virtual const char *name() const = 0;  // "AddBackward0"
  // One gradient per edge; undefined ones stand for zeros. `grads`: one per output, not all of them undefined.
  virtual Grads apply(Grads &&grads) = 0;
  // Frees what was saved. apply() raises afterwards, where something was.
  virtual void release_saved() {}
  // Shows what was saved, for the attributes _saved_… of nodes.
  virtual void each_saved(SavedVisitor &) {}
  // Applied without a gradient too, as custom functions want it.
  virtual bool takes_undefined() const { return false; }
  // Of a leaf's accumulator: the leaf. Else undefined.
  virtual thpp::Tensor leaf() const { return {}; }

  // ---- the graph, written while a call is recorded -----------------------------------------------
  void add_edge(Edge edge) { edges_.push_back(std::move(edge)); }
  void set_edge(size_t i, Edge edge) { edges_[i] = std::move(edge); }
  const std::vector<Edge> &edges() const { return edges_; }
  // Whether anybody wants that gradient: in this backward pass, if one is running.
  AUTOGRAD_API bool needs(size_t edge) const;
  AUTOGRAD_API uint32_t add_output(const thpp::Tensor &result);  // returns its number
  const std::vector<OutputInfo> &outputs() const { return outputs_; }
  uint64_t sequence() const { return sequence_; }
  // Of a write through a view: the node of the written base, which owns this one (CopySlices); null of others, and where
  // it is gone.
  AUTOGRAD_API Ref<Node> owner() const;
  AUTOGRAD_API void set_owner(Node *owner);
  void set_sequence(uint64_t sequence) { sequence_ = sequence; }

  // Null where there are none. A pass in another thread copies them while it holds state_lock() (pass.h), with which they
  // are to be changed, too; these two take it.
  NodeHooks *hooks() const { return hooks_.load(std::memory_order_acquire); }
  AUTOGRAD_API NodeHooks &make_hooks();
  AUTOGRAD_API void add_hook(std::shared_ptr<PreHook> hook);
  AUTOGRAD_API void add_hook(std::shared_ptr<PostHook> hook);

  // Its one Python object, or nullptr; libtorch_python's.
  std::atomic<void *> pyobj = nullptr;
  // For anomaly mode: what the creator of the node noted (a traceback), and the node that was running then.
  struct Note {
    virtual ~Note() = default;
    Ref<Node> parent;
  };
  std::unique_ptr<Note> note;

  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  AUTOGRAD_API void release() const;  // graphs end without recursion
  AUTOGRAD_API bool try_retain() const;  // false where the last reference is going
  int32_t use_count() const { return count_.load(std::memory_order_acquire); }

 protected:
  std::vector<Edge> edges_;

 private:
  friend class Engine;
  mutable std::atomic<int32_t> count_ = 1;
  uint64_t sequence_;
  Node *owner_ = nullptr;  // written and read with state_lock()
  std::vector<OutputInfo> outputs_;
  std::atomic<NodeHooks *> hooks_ = nullptr;
};

// Raises what a user hears who runs backward through a graph twice.
[[noreturn]] AUTOGRAD_API void throw_released(const char *name);

// What is called with the last reference to a node that has a Python object (as TH_setObjectRelease).
AUTOGRAD_API void set_node_object_release(void (*release)(Node *));

}  // namespace torch::autograd
