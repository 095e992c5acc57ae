// Powers, and the angle of a point.
#include "power.hpp"

#include <cmath>
#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <TH/THTensorMath.h>
#include "kit/floats.hpp"
#include "kit/kernel.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

template <class T> struct Power {
  T operator()(T t, T e) const { return powerOfIntegers(t, e); }
};
template <std::floating_point T> struct Power<T> {
  T operator()(T t, T e) const { return std::pow(t, e); }
};

const KernelTable &power() {
  static const KernelTable table = withDoubles(
      withFloats(makeTable(NumberDtypes{}, PlainBinary<Power>{}), FloatFunction::power), DoubleFunction::power);
  return table;
}
const KernelTable &angle() {
  static const KernelTable table = withDoubles(withFloats({}, FloatFunction::angle), DoubleFunction::angle);
  return table;
}

void raise(THDtype dtype, THTensor *r, const THTensor *t, const THTensor *src) {
  THScalar e;
  if (THPrepare_exponent(&e, dtype, src) && isFloating(dtype)) {
    const double exponent = scalarToDouble(e);
    // torch's float16 is pow's also where the exponent is a half: +0 and infinity for -0 and -infinity,
    // of which a square root makes -0 and NaN.
    const bool special = !(dtype == TH_Half && std::abs(exponent) == 0.5);
    if (const KernelTable *table = special ? powerKernel(exponent) : nullptr)
      return pointwise(*table, dtype, nullptr, r, {t});
  }
  pointwise(power(), dtype, nullptr, r, {t, src});
}

}  // namespace
}  // namespace th

using namespace th;

void THCheck_exponent(THDtype dtype, THScalar exponent) {
  if (exponent.kind == TH_KIND_int && exponent.value.i < 0 && dtypeTable[dtype].kind < TH_KIND_float)
    THError(TH_ERROR_RUNTIME, "Integers to negative integer powers are not allowed.");
}

bool THPrepare_exponent(THScalar *exponent, THDtype dtype, const THTensor *src) {
  if (src->ndim || src->device != TH_CPU) return false;
  *exponent = THTensor_item(src);
  if (src->flags & TH_WRAPPED_NUMBER) THCheck_exponent(dtype, *exponent);
  return true;
}

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(cpow, number, BINARY, raise(dtype, r, t, src))
TH_DEFINE(atan2, floating, BINARY, pointwise(angle(), dtype, nullptr, r, {t, src}))
