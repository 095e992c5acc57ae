// A tensor that a node keeps for its backward pass.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <variant>

#include <autograd/info.h>
#include <autograd/meta.h>

namespace torch::autograd {

// For the few instructions that take references: passes in several threads may run through one node, and one of them may
// free what another one reads. A copy of what it guards has its own.
class Latch {
 public:
  Latch() = default;
  Latch(const Latch &) noexcept {}
  Latch &operator=(const Latch &) noexcept { return *this; }
  void lock() noexcept {
    while (taken_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() noexcept { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_{};
};

class Saved {
 public:
  Saved() = default;
  // `output`: it is a result of `node` itself, which must not own itself through it. To be called when its gradient
  // edge is set: for results after record().
  AUTOGRAD_API void save(const Tensor &tensor, const Node *node = nullptr);
  // The tensor, as it was. Raises if it was written since, or if `owner` has been released. `owner` is the node that
  // saved it.
  AUTOGRAD_API Tensor unpack(Node *owner) const;
  AUTOGRAD_API void release();
  AUTOGRAD_API bool released() const;
  AUTOGRAD_API bool hooked() const;
  bool given() const { return given_; }  // whether a defined tensor was saved
  AUTOGRAD_API Tensor raw() const;  // for _saved_… attributes and for tests
  // What has packed it, or nullptr: the caller's own to look at while the node is not released.
  AUTOGRAD_API SavedHook *hook() const;
  // Registers hooks on one saved tensor, as grad_fn._raw_saved_….register_hooks.
  AUTOGRAD_API void set_hook(std::unique_ptr<SavedHook> hook);

 private:
  struct Packed;  // by hooks
  Edge edge_of_output(Node *owner, const Tensor &elements) const;  // of what is_output_
  Tensor tensor_;
  std::shared_ptr<Packed> packed_;
  uint32_t version_ = 0;
  uint32_t output_nr_ = 0;
  bool given_ = false, is_output_ = false, released_ = false;
  bool was_computed_ = false;  // it was no leaf
  bool through_view_ = false;  // an output that was written through a view
  mutable Latch latch_;  // of what release() writes
};

// The list of them that an operator's tensor list is saved as, or what a function saved.
class SavedList {
 public:
  AUTOGRAD_API void save(thpp::TensorList tensors, const Node *node = nullptr);
  AUTOGRAD_API void add(const Tensor &tensor, const Node *node);  // one more
  AUTOGRAD_API std::vector<Tensor> unpack(Node *owner) const;
  AUTOGRAD_API void release();
  bool released() const { return released_; }
  std::vector<Saved> &each() { return saved_; }

 private:
  std::vector<Saved> saved_;
  std::atomic<bool> released_ = false;
};

// ---- what Node::each_saved() shows, by the names that formulas have for it -------------------------
using SavedValue = std::variant<std::monostate, bool, int64_t, double, thpp::Scalar, std::string, std::vector<int64_t>,
                                std::vector<double>>;
class SavedVisitor {
 public:
  virtual ~SavedVisitor() = default;
  virtual void tensor(const char *name, Saved &saved) = 0;
  virtual void list(const char *name, std::vector<Saved> &saved, bool released) = 0;
  virtual void info(const char *name, const TensorInfo &info) = 0;
  virtual void value(const char *name, SavedValue value) = 0;  // monostate: an argument that was not given
};

// Hooks that pack what is saved in this thread, from the outermost; empty: none.
AUTOGRAD_API std::vector<std::shared_ptr<SavedHooks>> &saved_hooks();

}  // namespace torch::autograd
