// Planes shared out over threads, each of which is one thread's: results do not depend on how many there are.
#pragma once

#include <memory>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "pooling.hpp"

namespace thnn {

inline int64_t elementsOf(const int64_t (&space)[3]) { return space[0] * space[1] * space[2]; }

// work(plane, scratch); `cost`: of a plane, in elements read.
template <class Work>
void forPlanes(const THNNPoolingPlan &p, int64_t cost, const Work &work) {
  parallelFor(p.planes, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, cost)), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<int64_t[]> scratch(new int64_t[scratchOf(p) / sizeof(int64_t)]);
    for (int64_t plane = begin; plane < end; plane++) work(plane, scratch.get());
  });
}

// The indices of a function that is given them, all of which lie in planes of the plan's input. n: its dimensions.
class Indices {
 public:
  Indices(const THNNPoolingPlan &plan, int n, const THTensor *t);
  const int64_t *data() const { return elements_.data(); }

 private:
  Elements<int64_t> elements_;
};

// Both results of a function that gives indices: fill(output's elements, the indices).
template <class C, class Fill>
void intoBoth(THNNPoolingPlan &plan, const THTensor *input, const Fill &fill) {
  THTensor *const output = plan.result[0].tensor, *const indices = plan.result[1].tensor;
  if (dtypeOf(output) == DtypeOf<C>::value && output->storage != input->storage && indices->storage != input->storage) {
    resizeResults(plan.result, 2);
    ContiguousResult y(output), where(indices);
    fill(y.data<C>(), where.data<int64_t>());
    y.finish();
    return where.finish();
  }
  const Ref y(newLike(output, DtypeOf<C>::value, plan.result[0].ndim, plan.result[0].size));
  const Ref where(newLike(indices, TH_Long, plan.result[1].ndim, plan.result[1].size));
  fill(elements<C>(y), elements<int64_t>(where));
  resizeResults(plan.result, 2);
  THTensor_copy(output, y);
  THTensor_copy(indices, where);
}

}  // namespace thnn
