// How parameters come into buckets, and what is sent of tensors in one piece.
#include <algorithm>
#include <cstring>
#include <map>

#include <autograd/meta.h>
#include <THPP/Functions.h>

#include "reducer.h"

namespace torch::distributed {
namespace {

size_t bytes_of(const Tensor &tensor) { return size_t(tensor.numel()) * TH_elementSize(tensor.dtype()); }

bool is_dense(const Tensor &tensor) {
  std::vector<int64_t> stride(size_t(tensor.dim()));
  THTensor_denseStrides(tensor.get(), stride.data());
  return std::ranges::equal(stride, tensor.strides());
}

}  // namespace

std::vector<Indices> assign_buckets(const Tensors &tensors, const std::vector<size_t> &limits,
                                    const std::vector<bool> &sparse, const Indices &order) {
  if (limits.empty()) throw thd::Error(thd::ErrorKind::Value, "buckets need a size limit");
  struct Open {
    Indices indices;
    size_t bytes = 0, limit = 0;
  };
  std::map<std::pair<int, int>, Open> open;  // by dtype and device
  std::vector<Indices> done;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const size_t index = order.empty() ? i : order[i];
    const Tensor &tensor = tensors[i];
    if (!sparse.empty() && sparse[index]) {
      done.push_back({index});
      continue;
    }
    Open &bucket = open[{int(tensor.dtype()), int(tensor.device().kind) << 16 | int(tensor.device().index)}];
    bucket.indices.push_back(index);
    bucket.bytes += bytes_of(tensor);
    if (bucket.bytes >= limits[bucket.limit]) {
      done.push_back(std::move(bucket.indices));
      bucket.indices.clear();
      bucket.bytes = 0;
      if (bucket.limit + 1 < limits.size()) ++bucket.limit;
    }
  }
  for (auto &[kind, bucket] : open)
    if (!bucket.indices.empty()) done.push_back(std::move(bucket.indices));
  // In the order of parameters, where they come in it.
  if (order.empty())
    std::ranges::sort(done, {}, [](const Indices &indices) { return *std::ranges::min_element(indices); });
  return done;
}

void broadcast_coalesced(thd::ProcessGroup &group, const Tensors &tensors, size_t bytes, int source) {
  // Tensors of the CPU go as bytes, whatever their dtypes, those of others one by one.
  const thpp::NoRecording off;
  const bool mine = group.rank() == source;
  for (size_t first = 0; first < tensors.size();) {
    if (!thpp::is_host_memory(tensors[first].device())) {
      group.broadcast(tensors[first++], source);
      continue;
    }
    size_t last = first, all = 0;
    while (last < tensors.size() && thpp::is_host_memory(tensors[last].device()) &&
           (last == first || all + bytes_of(tensors[last]) <= bytes))
      all += bytes_of(tensors[last++]);
    const Tensor flat = thpp::empty({int64_t(all)}, TH_Byte);
    char *at = flat.data<char>();
    if (mine)
      for (size_t i = first; i < last; ++i) {
        const Tensor whole = thpp::contiguous(tensors[i]);
        if (const size_t n = bytes_of(whole)) std::memcpy(at, whole.data<void>(), n), at += n;
      }
    group.broadcast(flat, source);
    if (!mine) {
      at = flat.data<char>();
      for (size_t i = first; i < last; ++i) {
        const Tensor &to = tensors[i];
        const size_t n = bytes_of(to);
        if (!n) continue;
        const Tensor whole = to.is_contiguous() ? to : thpp::empty(to.sizes(), to.dtype());
        std::memcpy(whole.data<void>(), at, n);
        if (!whole.is_same(to)) thpp::copy_(to, whole);
        at += n;
      }
    }
    first = last;
  }
}

void Reducer::make_buckets(std::vector<Indices> buckets) {
  std::vector<bool> placed(parameters.size(), false);
  places_.assign(parameters.size(), {});
  std::vector<Bucket> made;
  for (Indices &indices : buckets) {
    Bucket bucket;
    bucket.indices = std::move(indices);
    for (size_t at = 0; at < bucket.indices.size(); ++at) {
      const size_t index = bucket.indices[at];
      if (index >= parameters.size() || placed[index])
        throw thd::Error(thd::ErrorKind::Value, "buckets must hold every parameter once; " + std::to_string(index) +
                                                    " of " + std::to_string(parameters.size()) +
                                                    " is there twice or not at all");
      placed[index] = true;
      places_[index] = {made.size(), at};
    }
    const Tensor &first = parameters[bucket.indices.at(0)];
    if (!sparse_[bucket.indices[0]]) {
      int64_t elements = 0;
      for (const size_t index : bucket.indices) elements += parameters[index].numel();
      const thpp::NoRecording off;
      bucket.buffer = thpp::zeros({elements}, first.dtype(), first.device());
      int64_t at = 0;
      for (const size_t index : bucket.indices) {
        const Tensor parameter = thpp::detach(parameters[index]);
        Tensor view = is_dense(parameter)
                          ? thpp::as_strided(bucket.buffer, parameter.sizes(), parameter.strides(), at)
                          : thpp::view(thpp::narrow(bucket.buffer, 0, at, parameter.numel()), parameter.sizes());
        at += parameter.numel();
        const Tensor grad = autograd::grad_of(parameters[index]);
        if (options.as_bucket_view && grad.defined() && grad.layout() == TH_STRIDED) {
          thpp::copy_(view, grad);
          autograd::set_grad(parameters[index], view);
        }
        bucket.views.push_back(std::move(view));
      }
    }
    made.push_back(std::move(bucket));
  }
  if (std::ranges::find(placed, false) != placed.end())
    throw thd::Error(thd::ErrorKind::Value, "buckets must hold every parameter once, and lack one");
  buckets_ = std::move(made);
}

void Reducer::push_all_rebuilt() {
  const std::lock_guard lock(mutex_);
  if (!should_rebuild() || !seen_.empty()) return;
  for (const Bucket &bucket : buckets_)
    for (const size_t index : bucket.indices) seen_.push_back(index);
}

bool Reducer::rebuild() {
  const std::lock_guard lock(mutex_);
  if (!should_rebuild() || seen_.empty() || unfinished_) return false;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (std::ranges::find(seen_, i) == seen_.end()) seen_.push_back(i);  // no gradient has come for it
  // Rank 0's order, for all.
  const Tensor order = thpp::empty({int64_t(seen_.size())}, TH_Long);
  std::ranges::copy(seen_, order.data<int64_t>());
  if (group_) {
    group_->broadcast(order, 0);
  } else {
    if (rank_) thpp::zero_(order);
    all_reduce_(order)->wait();
  }
  Indices agreed(seen_.size());
  Tensors ordered;
  for (size_t i = 0; i < agreed.size(); ++i) {
    agreed[i] = size_t(order.data<int64_t>()[i]);
    ordered.push_back(parameters.at(agreed[i]));
  }
  std::vector<size_t> limits = options.bucket_bytes_list;
  if (limits.empty()) limits = {options.first_bucket_bytes, options.bucket_bytes};
  make_buckets(assign_buckets(ordered, limits, sparse_, agreed));
  stats_.rebuilt = true;
  seen_.clear();
  return true;
}

std::vector<GradBucket> Reducer::zero_buckets() {
  const std::lock_guard lock(mutex_);
  const thpp::NoRecording off;
  std::vector<GradBucket> shown;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    const Bucket &bucket = buckets_[i];
    GradBucket zero{i, buckets_.size(), {}, {}, {}};
    for (const size_t index : bucket.indices) zero.parameters.push_back(parameters[index]);
    if (!bucket.buffer.defined()) throw thd::Error(thd::ErrorKind::Runtime, "join() knows no sparse gradients");
    zero.buffer = thpp::zeros_like(bucket.buffer);
    int64_t at = 0;
    for (const Tensor &view : bucket.views) {
      zero.gradients.push_back(thpp::as_strided(zero.buffer, view.sizes(), view.strides(), at));
      at += view.numel();
    }
    shown.push_back(std::move(zero));
  }
  return shown;
}

std::vector<std::vector<size_t>> Reducer::bucket_indices() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::vector<size_t>> all;
  for (const Bucket &bucket : buckets_) all.push_back(bucket.indices);
  return all;
}
std::vector<int64_t> Reducer::bucket_sizes() const {
  const std::lock_guard lock(mutex_);
  std::vector<int64_t> all;
  for (const Bucket &bucket : buckets_) all.push_back(bucket.buffer.defined() ? int64_t(bytes_of(bucket.buffer)) : 0);
  return all;
}

}  // namespace torch::distributed
