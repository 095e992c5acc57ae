#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "copy/reverse.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include "reverse.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T>
void reverse(T *to, const T *last, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) to[i] = last[-i];
}
constexpr ReverseLoops loops = {reverse<uint8_t>, reverse<uint16_t>, reverse<uint32_t>, reverse<uint64_t>,
                                reverse<Wide>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::ReverseLoops &th::reverseLoops() { return TH_BEST_TARGET(loops); }
#endif
