// Choosing elements by a mask. Elements only move, so the loops go by width.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/select.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// r[i] = mask[i] ? a[i * sa] : b[i * sb], for steps 0 and 1
template <class T, int sa, int sb>
void whereRun(T *r, const uint8_t *mask, const T *a, const T *b, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    const T x = a[i * sa], y = b[i * sb];
    r[i] = mask[i] ? x : y;
  }
}

template <class T>
void whereLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  constexpr int64_t width = sizeof(T);
  const int64_t sa = strides[2], sb = strides[3];
  if (strides[0] == width && strides[1] == 1 && (sa == width || sa == 0) && (sb == width || sb == 0)) {
    auto run = sa ? sb ? whereRun<T, 1, 1> : whereRun<T, 1, 0> : sb ? whereRun<T, 0, 1> : whereRun<T, 0, 0>;
    run(reinterpret_cast<T *>(data[0]), reinterpret_cast<const uint8_t *>(data[1]),
        reinterpret_cast<const T *>(data[2]), reinterpret_cast<const T *>(data[3]), n);
  } else {
    for (int64_t i = 0; i < n; i++)
      *reinterpret_cast<T *>(data[0] + i * strides[0]) = data[1][i * strides[1]]
                                                             ? *reinterpret_cast<const T *>(data[2] + i * sa)
                                                             : *reinterpret_cast<const T *>(data[3] + i * sb);
  }
}

// r[i] = mask[i] ? value : r[i]
template <class T>
void maskedFillLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  T value;
  std::memcpy(&value, param, sizeof value);
  auto *r = reinterpret_cast<T *>(data[0]);
  if (strides[0] == sizeof(T) && strides[1] == 1) {
    auto *mask = reinterpret_cast<const uint8_t *>(data[1]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = mask[i] ? value : r[i];
  } else {
    for (int64_t i = 0; i < n; i++)
      if (data[1][i * strides[1]]) *reinterpret_cast<T *>(data[0] + i * strides[0]) = value;
  }
}

// [log2 of the width]
constexpr Loop where[] = {whereLoop<uint8_t>, whereLoop<uint16_t>, whereLoop<uint32_t>, whereLoop<uint64_t>,
                          whereLoop<Wide>};
constexpr Loop maskedFill[] = {maskedFillLoop<uint8_t>, maskedFillLoop<uint16_t>, maskedFillLoop<uint32_t>,
                               maskedFillLoop<uint64_t>, maskedFillLoop<Wide>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THPrepare.h>
#include <TH/THTensorMath.h>
#include "kit/scalar.hpp"

using namespace th;

static int log2Width(THDtype dtype) { return __builtin_ctzll(TH_elementSize(dtype)); }

void THTensor_where(THTensor *r, const THTensor *condition, const THTensor *a, const THTensor *b) {
  const THDtype dtype = dtypeOf(r);
  Operand operands[] = {{r, dtype, dtype}, {condition, TH_Bool, TH_Bool}, {a, dtype, dtype}, {b, dtype, dtype}};
  iterate(TH_BEST_TARGET(where)[log2Width(dtype)], nullptr, operands, 4);
}

// What the iterator does not check.
static void prepareMasked(void *element, const THTensor *self, const THTensor *mask, THScalar value) {
  if (mask->dtype != TH_Bool)
    THError(TH_ERROR_RUNTIME, "masked_fill_ only supports boolean masks, but got mask with dtype %s",
            cppName(dtypeOf(mask)));
  if (hasMemory(self)) scalarToBytes(dtypeOf(self), value, element);
}

bool THPrepare_maskedFill(THPointwisePlan *plan, void *element, THTensor *self, const THTensor *mask, THScalar value) {
  prepareMasked(element, self, mask, value);
  const THTensor *operands[] = {self, mask};
  return THPrepare_pointwise(plan, 2, operands, TH_RESULT_FILLED);
}

void THTensor_maskedFill(THTensor *self, const THTensor *mask, THScalar value) {
  const THDtype dtype = dtypeOf(self);
  alignas(8) char element[kWidest];
  prepareMasked(element, self, mask, value);
  Operand operands[] = {{self, dtype, dtype}, {mask, TH_Bool, TH_Bool}};
  iterate(TH_BEST_TARGET(maskedFill)[log2Width(dtype)], element, operands, 2, Result::filled);
}

#endif
