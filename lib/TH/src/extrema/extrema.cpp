// Largest and smallest elements; any and all, which are the largest and the smallest truth value. (Where they stand:
// places.cpp.)
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extrema/extrema.cpp"
#include <hwy/foreach_target.h>
#include "extrema-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <template <class> class Op>
constexpr ReductionTable table() {
  ReductionTable table = floatingTable(makeReduction<Op, float, TH_Float>(), makeReduction<Op, double, TH_Double>());
  table.of[TH_Bool] = makeReduction<Op, uint8_t, TH_Bool>();
  table.of[TH_Byte] = makeReduction<Op, uint8_t, TH_Byte>();
  table.of[TH_Char] = makeReduction<Op, int8_t, TH_Char>();
  table.of[TH_Short] = makeReduction<Op, int16_t, TH_Short>();
  table.of[TH_Int] = makeReduction<Op, int32_t, TH_Int>();
  table.of[TH_Long] = makeReduction<Op, int64_t, TH_Long>();
  return table;
}
constexpr ReductionTable max = table<Max>();
constexpr ReductionTable min = table<Min>();

void finishTruth(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t, double) {
  for (int64_t j = 0; j < w; j++) out[0][j * strides[0]] = static_cast<const uint8_t *>(states)[j] != 0;
}
constexpr Reduction any = makeReduction<Max, uint8_t, TH_Bool>(finishTruth);
constexpr Reduction all = makeReduction<Min, uint8_t, TH_Bool>(finishTruth);  // of nothing: 255

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorComplex.h>
#include <TH/THTensorMath.h>
#include "kit/tensor.hpp"

using namespace th;

static void extremum(const char *name, const ReductionTable &table, THDtype dtype, THTensor *r, const THTensor *t,
                     uint64_t dims, bool keepdim) {
  checkNotEmpty(name, t, dims);
  reduce(table.of[dtype], dtype, r, nullptr, t, dims, keepdim);
}

// Any dtype is tested for not being zero as the computation's dtype.
static void truth(const Reduction &reduction, THDtype dtype, THTensor *r, const THTensor *t, uint64_t dims,
                  bool keepdim) {
  reduce(reduction, dtype, r, nullptr, t, dims, keepdim);
}

bool th::allTrue(THDtype dtype, const THTensor *t) {
  Ref flag(THTensor_new(TH_Bool));
  truth(TH_BEST_TARGET(all), dtype, flag, t, TH_ALL_DIMS, false);
  return THTensor_item(flag).value.i;
}

#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
TH_DEFINE(amax, all, REDUCTION, extremum("amax", TH_BEST_TARGET(max), dtype, r, t, dims, keepdim))
TH_DEFINE(amin, all, REDUCTION, extremum("amin", TH_BEST_TARGET(min), dtype, r, t, dims, keepdim))
TH_DEFINE(any, all_complex, REDUCTION, truth(TH_BEST_TARGET(any), dtype, r, t, dims, keepdim))
TH_DEFINE(all, all_complex, REDUCTION, truth(TH_BEST_TARGET(all), dtype, r, t, dims, keepdim))

bool THTensor_equal(const THTensor *a, const THTensor *b) {
  if (!hasMemory(a) || !hasMemory(b)) refuseMeta("equal");
  if (a->dtype != b->dtype)
    THError(TH_ERROR_RUNTIME, "Expected object of type %s but got type %s", TH_dtypeName(dtypeOf(a)),
            TH_dtypeName(dtypeOf(b)));
  if (!THTensor_isSameSizeAs(a, b)) return false;
  if (dtypeOf(a) == TH_ComplexHalf)
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"equal_cpu\" not implemented for '%s'", TH_typeName(dtypeOf(a)));
  Ref same(THTensor_new(TH_Bool));
  switch (dtypeOf(a)) {  // integers of one width differ whatever their sign
#define CASE(Name, type, kind, kernels, name, alias) \
  case TH_##Name: TH##kernels##Tensor_eqTensor(same, a, b); break;
    TH_DTYPES(CASE)
#undef CASE
    case TH_NUM_DTYPES: break;
  }
  return allTrue(TH_Bool, same);
}

#endif
