#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/add_runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include "add_runs.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T>
void add(T *to, const T *from, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) to[i] = T(to[i] + from[i]);
}
constexpr AddRuns sums = {add<uint8_t>, add<uint16_t>, add<uint32_t>, add<uint64_t>, add<float>, add<double>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::AddRuns &th::addRuns() { return TH_BEST_TARGET(sums); }
#endif
