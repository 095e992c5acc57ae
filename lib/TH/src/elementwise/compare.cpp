// Comparisons: in the computation's dtype, to bool.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/compare.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct Less {
  bool operator()(T a, T b) const { return a < b; }
};
template <class T> struct LessEqual {
  bool operator()(T a, T b) const { return a <= b; }
};
template <class T> struct Equal {
  bool operator()(T a, T b) const { return a == b; }
};
template <class T> struct Unequal {
  bool operator()(T a, T b) const { return a != b; }
};

constexpr KernelTable less = makeTable(AllDtypes{}, Compare<Less, native, LoopType>{});
constexpr KernelTable lessEqual = makeTable(AllDtypes{}, Compare<LessEqual, native, LoopType>{});
constexpr KernelTable equal = makeTable(AllDtypes{}, Compare<Equal>{});
constexpr KernelTable unequal = makeTable(AllDtypes{}, Compare<Unequal>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorMath.h>

using namespace th;

// a > b is b < a; but a message about their shapes should name them in the order given, and strides follow the first.
static void swapped(const KernelTable &table, THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b) {
  if (!THTensor_isContiguous(a) || !THTensor_isContiguous(b)) {
    const Operand operands[] = {{r, TH_Bool, TH_Bool}, {a, dtype, dtype}, {b, dtype, dtype}};
    Plan plan;
    prepare(plan, operands, 3, Result::resized);
  } else if (!THTensor_isSameSizeAs(a, b)) {
    int64_t size[TH_MAX_DIM];
    const THTensor *both[] = {a, b};
    TH_broadcastShape(2, both, size);
  }
  pointwise(table, dtype, nullptr, r, {b, a});
}

#define COMPARE (THTensor *r, const THTensor *a, const THTensor *b)
TH_DEFINE(ltTensor, all, COMPARE, pointwise(TH_BEST_TARGET(less), dtype, nullptr, r, {a, b}))
TH_DEFINE(leTensor, all, COMPARE, pointwise(TH_BEST_TARGET(lessEqual), dtype, nullptr, r, {a, b}))
TH_DEFINE(gtTensor, all, COMPARE, swapped(TH_BEST_TARGET(less), dtype, r, a, b))
TH_DEFINE(geTensor, all, COMPARE, swapped(TH_BEST_TARGET(lessEqual), dtype, r, a, b))
TH_DEFINE(eqTensor, all, COMPARE, pointwise(TH_BEST_TARGET(equal), dtype, nullptr, r, {a, b}))
TH_DEFINE(neTensor, all, COMPARE, pointwise(TH_BEST_TARGET(unequal), dtype, nullptr, r, {a, b}))

#endif
