// A pass of the reducer: from the first gradient until all of them are the mean.
#include "reducer.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

#include <autograd/engine.h>
#include <autograd/meta.h>
#include <THPP/Functions.h>

namespace torch::distributed {
namespace {

using autograd::Edge;
using autograd::Grads;
using autograd::Node;
using autograd::Ref;

[[noreturn]] void fail(const std::string &text) { throw thd::Error(thd::ErrorKind::Runtime, text); }

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Done final : Pending {
  Done(thd::WorkRef work, Tensor tensor) : work(std::move(work)), tensor(std::move(tensor)) {}
  Tensor wait() override {
    if (work) work->wait();
    return tensor;
  }
  const thd::WorkRef work;
  const Tensor tensor;
};

}  // namespace

// After a parameter's gradient was added up.
struct Reducer::Hook final : autograd::PostHook {
  Hook(std::weak_ptr<Reducer> reducer, size_t index) : reducer(std::move(reducer)), index(index) {}
  void call(Grads &, const Grads &) override {
    if (!on) return;
    if (const auto alive = reducer.lock()) alive->gradient_ready(index);
  }
  const std::weak_ptr<Reducer> reducer;
  const size_t index;
  bool on = true;
};
// Keeps the node alive that a parameter's gradient arrives at, and with it the hook.
struct Reducer::Handle {
  Ref<Node> node;
  std::shared_ptr<Hook> hook;
};

Reducer::Reducer(Tensors parameters, std::vector<std::string> names, std::vector<Indices> buckets, thd::GroupRef group,
                 int rank, int size, std::vector<bool> sparse, ReducerOptions options, BeginReduce all_reduce,
                 std::function<Tensor(const Tensor &)> reduce_sparse)
    : options(std::move(options)), parameters(std::move(parameters)), names_(std::move(names)),
      sparse_(std::move(sparse)), group_(std::move(group)), rank_(rank), size_(size),
      all_reduce_(std::move(all_reduce)), reduce_sparse_(std::move(reduce_sparse)), divisor_(size) {
  if (this->parameters.empty()) fail("a Reducer needs parameters");
  if (sparse_.size() != this->parameters.size() || names_.size() != this->parameters.size())
    fail("a Reducer needs a name for each parameter, and whether its gradient is sparse");
  used_ = thpp::zeros({int64_t(this->parameters.size())}, TH_Int);
  calls_.assign(this->parameters.size(), 0);
  used_anywhere_.assign(this->parameters.size(), true);
  make_buckets(std::move(buckets));
}
Reducer::~Reducer() { remove_hooks(); }

void Reducer::install() {
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto handle = std::make_unique<Handle>();
    handle->node = autograd::gradient_edge(parameters[i]).node;
    if (!handle->node) fail("the parameter " + names_[i] + " takes no gradient");
    handle->hook = std::make_shared<Hook>(weak_from_this(), i);
    handle->node->add_hook(handle->hook);
    handles_.push_back(std::move(handle));
  }
}
void Reducer::remove_hooks() {
  for (const auto &handle : handles_) handle->hook->on = false;
  handles_.clear();
}

std::string Reducer::names_of(const Indices &indices) const {
  std::string text;
  for (size_t i = 0; i < indices.size() && i < 20; ++i) text += (i ? ", " : "") + names_[indices[i]];
  return indices.size() > 20 ? text + " and " + std::to_string(indices.size() - 20) + " more" : text;
}

void Reducer::prepare_for_forward() {
  const std::lock_guard lock(mutex_);
  forward_began_ = now();
  if (!unfinished_) return;
  Indices missing;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!ready_[i]) missing.push_back(i);
  const std::string who = "DistributedDataParallel on rank " + std::to_string(rank_) + ": ";
  if (missing.empty())
    fail(who +
         "the last backward pass ended with an error while gradients were being reduced, and so they are not to be "
         "trusted");
  fail(who + "the last backward pass reduced nothing of " + std::to_string(missing.size()) + " of " +
       std::to_string(parameters.size()) + " parameters, since no gradient came for them: " + names_of(missing) +
       ". Other ranks wait for these. If the loss does not depend on all parameters in every pass, construct it with "
       "find_unused_parameters=True" +
       (options.find_unused ? " (as has been done), and let forward() return all that the loss is made of" : "") +
       "; else see that all outputs of forward() are part of the loss");
}

void Reducer::prepare_for_backward(const Tensors &outputs) {
  const std::lock_guard lock(mutex_);
  expecting_ = true;
  end_queued_ = unreached_marked_ = false;
  next_ = 0;
  ready_.assign(parameters.size(), false);
  for (Bucket &bucket : buckets_) {
    bucket.pending = bucket.indices.size();
    bucket.work = nullptr;
    bucket.result = nullptr;
    bucket.sparse = Tensor();
  }
  backward_began_ = first_launch_ = 0;
  stats_.forward_ns = now() - forward_began_;
  unreached_.clear();
  if (static_graph_ && stats_.iterations > 0) {
    calls_left_ = calls_;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (!calls_[i]) unreached_.push_back(i);
  } else if (looks_for_unused() && !outputs.empty()) {
    unreached_ = find_unreached(outputs);
  }
}

// Parameters that no output leads to.
Indices Reducer::find_unreached(const Tensors &outputs) const {
  std::unordered_set<const Node *> seen;
  std::vector<const Node *> path;
  const auto enter = [&](const Node *node) {
    if (node && seen.insert(node).second) path.push_back(node);
  };
  for (const Tensor &output : outputs)
    if (autograd::requires_grad(output)) enter(autograd::gradient_edge(output).node.get());
  while (!path.empty()) {
    const Node *const node = path.back();
    path.pop_back();
    for (const Edge &edge : node->edges()) enter(edge.node.get());
  }
  Indices unreached;
  for (size_t i = 0; i < handles_.size(); ++i)
    if (!seen.contains(handles_[i]->node.get())) unreached.push_back(i);
  return unreached;
}

void Reducer::queue_end() {
  if (end_queued_) return;
  end_queued_ = true;
  autograd::queue_callback([held = weak_from_this()] {
    if (const auto alive = held.lock()) alive->end();
  });
}

void Reducer::gradient_ready(size_t index) {
  const std::lock_guard lock(mutex_);
  const thpp::NoRecording off;
  if (looks_for_unused() || first_static_pass()) used_.data<int32_t>()[index] = 1;
  if (!expecting_) return;
  if (!backward_began_) {
    backward_began_ = now();
    unfinished_ = true;
    divisor_ = divisor_of_pass_ ? divisor_of_pass_() : double(size_);
    divisor_of_pass_ = nullptr;
  }
  if (should_rebuild() && std::ranges::find(seen_, index) == seen_.end()) seen_.push_back(index);
  if (first_static_pass()) {
    ++calls_[index];
    queue_end();
    return;
  }
  if (looks_for_unused()) queue_end();  // which finds those that the loss has left out
  if (!unreached_marked_) {
    unreached_marked_ = true;
    for (const size_t i : unreached_) mark_ready(i);
  }
  if (static_graph_ && --calls_left_[index] > 0) return;
  mark_ready(index);
}

void Reducer::mark_ready(size_t index) {
  if (ready_[index])
    fail("DistributedDataParallel on rank " + std::to_string(rank_) + ": a second gradient came for the parameter " +
         names_[index] +
         " in one pass, after the first had been given away to be reduced. Use a parameter in one forward() alone, and "
         "a checkpoint of use_reentrant=False; a graph that is the same in every pass may use it more often with "
         "static_graph=True");
  ready_[index] = true;
  Bucket &bucket = buckets_[places_[index].bucket];
  const Tensor &parameter = parameters[index];
  const Tensor grad = autograd::grad_of(parameter);
  const bool given = grad.defined();  // also one of passes before
  const double factor = hook_ ? 1 : 1 / divisor_;
  if (sparse_[index]) {
    if (!given)
      fail("the parameter " + names_[index] +
           ", whose gradient is sparse, got none: it cannot be among the unused ones");
    bucket.sparse = factor == 1 ? grad : thpp::mul(grad, thpp::wrapped_number(factor));
  } else {
    Tensor view = bucket.views[places_[index].at];
    if (!given) {
      thpp::zero_(view);
    } else if (grad.layout() != TH_STRIDED) {
      fail("the parameter " + names_[index] +
           " got a sparse gradient, which was not expected: its module must say so "
           "(sparse=True of an Embedding) when DistributedDataParallel is made");
    } else if (grad.is_same(view) || grad.data<void>() == view.data<void>()) {
      if (factor != 1) thpp::mul_(view, thpp::wrapped_number(factor));
    } else {
      if (factor == 1 || grad.dtype() != view.dtype()) {
        thpp::copy_(view, grad);
        if (factor != 1) thpp::mul_(view, thpp::wrapped_number(factor));
      } else {
        thpp::mul_out(view, grad, thpp::wrapped_number(factor));
      }
      if (options.as_bucket_view) autograd::set_grad(parameter, view);
    }
  }
  if (--bucket.pending == 0) launch_full();
}

void Reducer::launch_full() {
  for (; next_ < buckets_.size() && buckets_[next_].pending == 0; ++next_) {
    if (!first_launch_) first_launch_ = now();
    launch(buckets_[next_], next_ + 1 == buckets_.size());
  }
  if (next_ == buckets_.size()) queue_end();
}

void Reducer::launch(Bucket &bucket, bool last) {
  if (hook_) {
    GradBucket shown{size_t(&bucket - buckets_.data()), buckets_.size(), {}, {}, {}};
    for (const size_t index : bucket.indices) shown.parameters.push_back(parameters[index]);
    shown.buffer = bucket.buffer.defined() ? bucket.buffer : bucket.sparse;
    shown.gradients = bucket.buffer.defined() ? bucket.views : Tensors{bucket.sparse};
    bucket.result = hook_(shown);
  } else if (!bucket.buffer.defined()) {
    bucket.sparse = reduce_sparse_(bucket.sparse);
  } else if (!group_) {
    bucket.result = all_reduce_(bucket.buffer);
  } else if (!last) {
    bucket.work = group_->all_reduce({bucket.buffer}, {}, {true});
  }
  // The last one, with nothing left to compute meanwhile, is reduced by the thread that would wait for it: see end().
}

void Reducer::reduce_now(const Tensor &tensor) {
  if (group_)
    group_->all_reduce({tensor}, {});
  else
    all_reduce_(tensor)->wait();
}

void Reducer::end() {
  const std::lock_guard lock(mutex_);
  if (!expecting_) return;
  const thpp::NoRecording off;
  const int64_t computed = now();
  // What no gradient came for: the other ranks may have one.
  if (first_static_pass() || looks_for_unused())
    for (size_t i = 0; i < parameters.size(); ++i)
      if (!ready_[i]) mark_ready(i);
  if (next_ < buckets_.size()) return;  // prepare_for_forward() says which are missing
  Bucket &last = buckets_.back();
  if (!hook_ && group_ && last.buffer.defined()) reduce_now(last.buffer);
  Tensor used;
  if (looks_for_unused() || first_static_pass()) {
    used = thpp::clone(used_);
    reduce_now(used);
    thpp::zero_(used_);
  }
  for (Bucket &bucket : buckets_) finish_bucket(bucket, used);
  for (const auto &wait : at_end_) wait();
  at_end_.clear();
  expecting_ = unfinished_ = false;
  ++stats_.iterations;
  const int64_t ended = now();
  stats_.backward_compute_ns = computed - backward_began_;
  stats_.backward_comm_ns = ended - (first_launch_ ? first_launch_ : computed);
  stats_.overlap_ns = std::max<int64_t>(0, computed - (first_launch_ ? first_launch_ : computed));
}

void Reducer::finish_bucket(Bucket &bucket, const Tensor &used_anywhere) {
  if (bucket.work) bucket.work->wait();
  bucket.work = nullptr;
  Tensor result;
  if (bucket.result) result = bucket.result->wait();
  bucket.result = nullptr;
  if (!bucket.buffer.defined()) {
    const Tensor total = result.defined() ? result : bucket.sparse;
    autograd::set_grad(parameters[bucket.indices[0]], total);
    bucket.sparse = Tensor();
    return;
  }
  if (result.defined() && result.data<void>() != bucket.buffer.data<void>()) {
    if (result.numel() != bucket.buffer.numel())
      fail("a communication hook gave " + std::to_string(result.numel()) + " elements for a bucket of " +
           std::to_string(bucket.buffer.numel()));
    thpp::copy_(bucket.buffer, thpp::reshape(result, {-1}));
  }
  for (size_t i = 0; i < bucket.indices.size(); ++i) {
    const size_t index = bucket.indices[i];
    // Where no rank used it, its gradient stays as it is.
    if (used_anywhere.defined() && !used_anywhere.data<int32_t>()[index]) continue;
    if (static_graph_ && !used_anywhere.defined() && !used_anywhere_[index]) continue;
    const Tensor &parameter = parameters[index], &view = bucket.views[i];
    const Tensor grad = autograd::grad_of(parameter);
    if (options.as_bucket_view) {
      if (!grad.defined() || grad.data<void>() != view.data<void>()) autograd::set_grad(parameter, view);
    } else if (!grad.defined()) {
      autograd::set_grad(parameter, thpp::clone(view));
    } else {
      thpp::copy_(grad, view);
    }
  }
  if (static_graph_ && used_anywhere.defined())
    for (const size_t index : bucket.indices) used_anywhere_[index] = used_anywhere.data<int32_t>()[index] != 0;
}

std::shared_ptr<Pending> Reducer::run_hook(GradBucket &bucket) {
  if (hook_) return hook_(bucket);
  if (bucket.buffer.layout() != TH_STRIDED) return std::make_shared<Done>(nullptr, reduce_sparse_(bucket.buffer));
  const thpp::NoRecording off;
  thpp::mul_(bucket.buffer, thpp::wrapped_number(1 / divisor_));
  reduce_now(bucket.buffer);
  return std::make_shared<Done>(nullptr, bucket.buffer);
}

void Reducer::set_hook(CommHook hook) {
  const std::lock_guard lock(mutex_);
  if (hook_) fail("a communication hook is registered already: register_comm_hook() is called once");
  if (unfinished_) fail("a communication hook is registered before the backward pass, not within it");
  hook_ = std::move(hook);
}
void Reducer::set_static_graph() {
  const std::lock_guard lock(mutex_);
  if (stats_.iterations || unfinished_) fail("a static graph is set before the first pass");
  static_graph_ = true;
}
void Reducer::set_divisor(std::function<double()> divisor) {
  const std::lock_guard lock(mutex_);
  divisor_of_pass_ = std::move(divisor);
}
void Reducer::at_end(std::function<void()> wait) {
  const std::lock_guard lock(mutex_);
  at_end_.push_back(std::move(wait));
}
void Reducer::check_finalized() {
  const std::lock_guard lock(mutex_);
  if (expecting_ && unfinished_)
    fail("DistributedDataParallel: gradients of the last backward pass have not all been reduced");
}
void Reducer::reset() {
  const std::lock_guard lock(mutex_);
  expecting_ = unfinished_ = false;
  seen_.clear();
  at_end_.clear();
  divisor_of_pass_ = nullptr;
  stats_ = {};
  thpp::zero_(used_);
  std::ranges::fill(calls_, 0);
}
void Reducer::set_group(thd::GroupRef group, int rank, int size) {
  const std::lock_guard lock(mutex_);
  group_ = std::move(group);
  rank_ = rank;
  size_ = size;
}
Tensor Reducer::used() const { return used_; }
ReducerStats Reducer::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace torch::distributed
