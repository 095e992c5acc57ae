// The loops of connectionist temporal classification over the states of one sample, for the best SIMD target:
// ctc_loops.cpp.
#pragma once

#include <cstdint>

namespace thnn {

template <class C>
struct CtcLoops {
  // The states after a step: next[s] = shares[s] + log(e^last[s] + e^last[s - 1] + e^(last[s - 2] + skip[s])); last[-1]
  // and last[-2] are there, and are those of no state.
  void (*step)(int64_t n, const C *last, const C *skip, const C *shares, C *next);
  // to[s] = g e^(forward[n - 1 - s] + backward[s] - shares[s] + loss), how likely the sample is in state n - 1 - s
  void (*likely)(int64_t n, const C *forward, const C *backward, const C *shares, C loss, C g, C *to);
  void (*exponential)(int64_t n, const C *x, C g, C *to);  // to = g e^x
};
template <class C>
const CtcLoops<C> &ctcLoops();

}  // namespace thnn
