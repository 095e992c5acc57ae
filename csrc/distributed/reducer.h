// Gradients of a module's copies in several processes become their mean: parameters share buckets, and a bucket is
// reduced as soon as the gradients of all its parameters are there, while the backward pass goes on.
//
// Ranks reduce the same buckets in the same order. At first that is the reverse of the parameters' own order; the order
// in which gradients came in rank 0's first pass makes new buckets (rebuild).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <THD/ProcessGroup.h>

namespace torch::distributed {

using thpp::Tensor;
using Tensors = std::vector<Tensor>;
using Indices = std::vector<size_t>;

// What a communication hook sees of a bucket.
struct GradBucket {
  size_t index = 0, count = 0;
  Tensor buffer;  // one dimension; of a sparse gradient that gradient
  Tensors gradients, parameters;  // gradients: views of the buffer
  bool is_last() const { return index + 1 == count; }
};
// What a communication hook has begun: wait() returns what shall be the bucket's buffer.
struct Pending {
  virtual ~Pending() = default;
  virtual Tensor wait() = 0;
};
// The same, of a sum in place.
using BeginReduce = std::function<std::shared_ptr<Pending>(const Tensor &)>;
using CommHook = std::function<std::shared_ptr<Pending>(GradBucket &)>;

// Parameters, as numbers, put together by dtype and device until a bucket has so many bytes; of limits the last one
// holds for all further buckets. A sparse one is alone. `order`: in which they come; empty: their own.
std::vector<Indices> assign_buckets(const Tensors &tensors, const std::vector<size_t> &limits,
                                    const std::vector<bool> &sparse, const Indices &order = {});
// src's tensors, for all, `bytes` of them at a time. Versions stay.
void broadcast_coalesced(thd::ProcessGroup &group, const Tensors &tensors, size_t bytes, int source);

struct ReducerOptions {
  size_t bucket_bytes = 25 << 20, first_bucket_bytes = 1 << 20;
  std::vector<size_t> bucket_bytes_list;  // of rebuilt buckets; empty: the two above
  bool find_unused = false, as_bucket_view = false;
};

struct ReducerStats {
  int64_t iterations = 0;  // passes that were reduced
  int64_t forward_ns = 0, backward_compute_ns = 0, backward_comm_ns = 0, overlap_ns = 0;  // of the last one
  bool rebuilt = false;
};

class Reducer : public std::enable_shared_from_this<Reducer> {
 public:
  // `all_reduce`: a sum by whoever is no group of THD's; `group` null then. `reduce_sparse`: a sparse gradient's sum.
  Reducer(Tensors parameters, std::vector<std::string> names, std::vector<Indices> buckets, thd::GroupRef group,
          int rank, int size, std::vector<bool> sparse, ReducerOptions options, BeginReduce all_reduce,
          std::function<Tensor(const Tensor &)> reduce_sparse);
  ~Reducer();
  Reducer(const Reducer &) = delete;
  void install();  // the hooks; once, when a shared pointer owns this

  void prepare_for_forward();  // raises if the pass before was not reduced
  void prepare_for_backward(const Tensors &outputs);  // of which, with find_unused, parameters are reached
  // New buckets, if the first pass has told of an order and no rebuilding was done: whether it has been done now.
  bool rebuild();
  void push_all_rebuilt();  // for a rank that has no more inputs: all parameters in their order now
  void set_hook(CommHook hook);  // once
  bool has_hook() const { return bool(hook_); }
  void set_static_graph();
  void set_divisor(std::function<double()> divisor);  // of the next pass's sums; else the number of ranks
  void remove_hooks();
  void check_finalized();
  void reset();
  void set_group(thd::GroupRef group, int rank, int size);
  void at_end(std::function<void()> wait);  // called once, when the next pass is reduced

  std::vector<GradBucket> zero_buckets();
  std::shared_ptr<Pending> run_hook(GradBucket &bucket);  // the hook's, or a sum divided by the number of ranks
  Tensor used() const;  // int32: which parameters got a gradient
  std::vector<std::vector<size_t>> bucket_indices() const;
  std::vector<int64_t> bucket_sizes() const;  // bytes
  ReducerStats stats() const;
  const ReducerOptions options;
  const Tensors parameters;
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  struct Hook;
  struct Handle;
  struct Bucket {
    Indices indices;
    Tensor buffer;  // undefined: sparse
    Tensors views;
    Tensor sparse;
    size_t pending = 0;
    thd::WorkRef work;
    std::shared_ptr<Pending> result;
  };
  struct Place {
    size_t bucket, at;
  };

  void gradient_ready(size_t index);  // from a hook
  void mark_ready(size_t index);
  void launch_full();
  void launch(Bucket &bucket, bool last);
  void reduce_now(const Tensor &tensor);
  void queue_end();
  void end();  // of the backward pass: everything is reduced, and gradients are what came out
  void finish_bucket(Bucket &bucket, const Tensor &used_anywhere);
  void make_buckets(std::vector<Indices> buckets);
  bool looks_for_unused() const { return options.find_unused && !static_graph_; }
  bool first_static_pass() const { return static_graph_ && stats_.iterations == 0; }
  bool should_rebuild() const { return !stats_.rebuilt && (static_graph_ || !options.find_unused); }
  Indices find_unreached(const Tensors &outputs) const;
  std::string names_of(const Indices &indices) const;

  mutable std::mutex mutex_;
  const std::vector<std::string> names_;
  const std::vector<bool> sparse_;
  thd::GroupRef group_;
  int rank_, size_;
  BeginReduce all_reduce_;
  std::function<Tensor(const Tensor &)> reduce_sparse_;
  CommHook hook_;
  std::vector<std::unique_ptr<Handle>> handles_;
  std::vector<Bucket> buckets_;
  std::vector<Place> places_;
  std::vector<std::function<void()>> at_end_;

  bool expecting_ = false;  // the next pass is reduced
  bool unfinished_ = false;  // a pass has begun to be reduced, and not ended
  bool end_queued_ = false, static_graph_ = false, unreached_marked_ = false;
  size_t next_ = 0;  // the bucket to be launched
  double divisor_;
  std::vector<bool> ready_;
  Indices unreached_;
  Indices seen_;  // in which order gradients came
  Tensor used_;
  std::vector<bool> used_anywhere_;  // static graph: by any rank
  std::vector<int> calls_, calls_left_;  // static graph: how often each hook is called in a pass
  std::function<double()> divisor_of_pass_;
  ReducerStats stats_;
  int64_t forward_began_ = 0, backward_began_ = 0, first_launch_ = 0;
};
using ReducerRef = std::shared_ptr<Reducer>;

}  // namespace torch::distributed
