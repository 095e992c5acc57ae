// Planes shared out over threads, each of which is one thread's: results do not depend on how many there are.
#pragma once

#include <memory>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "pooling.hpp"

namespace thnn {

// As messages of TH_ERROR_RUNTIME: an index outside a plane of the plan's input.
[[noreturn]] void refuseIndex(const THNNPoolingPlan &plan, int n, int64_t index);

inline int64_t elementsOf(const int64_t (&space)[3]) { return space[0] * space[1] * space[2]; }

// work(plane, scratch); `cost`: of a plane, in elements read.
template <class Work>
void forPlanes(const THNNPoolingPlan &p, int64_t cost, const Work &work) {
  parallelFor(p.planes, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, cost)), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<int64_t[]> scratch(new int64_t[scratchOf(p) / sizeof(int64_t)]);
    for (int64_t plane = begin; plane < end; plane++) work(plane, scratch.get());
  });
}

// Both results of a function that gives indices: fill(output's elements, the indices).
template <class C, class Fill>
void intoBoth(THNNPoolingPlan &plan, const THTensor *input, const Fill &fill) {
  resizeResults(&plan.result[1]);
  ContiguousResult indices(plan.result[1].tensor);
  into<C>(plan.result[0], {input}, [&](C *y) { fill(y, indices.data<int64_t>()); });
  indices.finish();
}

}  // namespace thnn
