// Functions whose polynomials are looked up, a coefficient for each element, in tables of sixteen floats or eight doubles:
// a permutation of one register of 512 bits, of two of 256. And the tangent.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/piecewise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "elementary-inl.hpp"
#include "kit/floats.hpp"
#include "kit/special.hpp"
#include "piecewise_tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// row[cell], for cells of its 512 bits
template <class D, class VI, class C, int cells>
HWY_INLINE hn::Vec<D> lookUp(D d, const C (&row)[cells], VI cell) {
#if HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32
  return hn::GatherIndex(d, row, cell);
#elif HWY_MAX_BYTES == 32
  const hn::RebindToSigned<D> integers;
  const auto last = hn::Set(integers, cells / 2 - 1);
  const auto place = hn::IndicesFromVec(d, hn::And(cell, last));
  return hn::IfThenElse(hn::RebindMask(d, hn::Gt(cell, last)),
                        hn::TableLookupLanes(hn::Load(d, row + cells / 2), place),
                        hn::TableLookupLanes(hn::Load(d, row), place));
#else
  return hn::TableLookupLanes(hn::Load(d, row), hn::IndicesFromVec(d, cell));
#endif
}

// The value at x of the polynomial of the cell that `place` lies in; 2^shift neighbouring numbers share one.
template <int shift, class D, class V, class C, size_t n, int cells>
HWY_INLINE V piecewise(D d, const C (&table)[n][cells], V x, V place) {
  const hn::RebindToSigned<D> integers;
  const auto cell = hn::And(hn::ShiftRight<shift>(hn::BitCast(integers, place)), hn::Set(integers, cells - 1));
  const V u = hn::Sub(x, lookUp(d, table[0], cell));
  return polynomialOf<n - 1>(u, [&](size_t k) HWY_ATTR { return lookUp(d, table[k + 1], cell); });
}

// ---- functions -----------------------------------------------------------------------------------------
// From 3.92 on, a float's erf is 1; so is tanh from 9.02 on.
struct ErrorFunction {
  static constexpr float kLow = -kInf<float>, kHigh = kInf<float>;
  template <class D, class V> static HWY_INLINE V lanes(D d, V x) {
    const V a = hn::Min(hn::Abs(x), hn::Set(d, 4.0f));
    const V place = hn::Add(a, hn::Set(d, 1.375f)), y = piecewise<20>(d, kErf, a, place);
    // The first cell's polynomial is erf(x) - x, which keeps the rounding of its first coefficient small.
    return hn::CopySign(hn::IfThenElse(hn::Lt(place, hn::Set(d, 1.5f)), hn::Add(a, y), y), x);
  }
  static float single(float x) { return x; }  // not a number
};

// From 5.93 on, a double's is 1.
struct ErrorFunctionOfDoubles {
  static constexpr double kLow = -kInf<double>, kHigh = kInf<double>;
  template <class D, class V> static HWY_INLINE V lanes(D d, V x) {
    const V a = hn::Min(hn::Abs(x), hn::Set(d, 5.94));
    const V rounder = hn::Set(d, kRounder<double>), place = hn::MulAdd(a, hn::Set(d, 1 / 0.7925), rounder);
    const V y = piecewise<0>(d, kErf64, a, place);
    return hn::CopySign(hn::IfThenElse(hn::Eq(place, rounder), hn::Add(a, y), y), x);
  }
  static double single(double x) { return x; }
};

struct HyperbolicTangent {
  static constexpr float kLow = -kInf<float>, kHigh = kInf<float>;
  template <class D, class V> static HWY_INLINE V lanes(D d, V x) {
    const V a = hn::Min(hn::Abs(x), hn::Set(d, 11.0f));
    return hn::CopySign(piecewise<21>(d, kTanh, a, hn::Add(a, hn::Set(d, 1.0f))), x);
  }
  static float single(float x) { return x; }
};

// From 1 - 2^-8 on, with t = sqrt(-log(1 - x^2)), t times a polynomial of t - 3 (mpmath.chebyfit, error 7e-8).
struct InverseErrorFunction {
  static constexpr float kHigh = 1 - 0x1p-24f, kLow = -kHigh;
  template <class D, class V> static HWY_INLINE V lanes(D d, V x) {
    const V a = hn::Abs(x), most = hn::Set(d, 1 - 0x1p-8f);
    const V y = piecewise<22>(d, kErfinv, a, hn::Sub(hn::Set(d, 1 - 0x1p-24f), a));  // 1 would lie in another cell
    const auto far = hn::Ge(a, most);
    if (HWY_LIKELY(hn::AllFalse(d, far))) return hn::CopySign(y, x);
    const V rest = hn::Sub(hn::Set(d, 1.0f), hn::Max(hn::Min(a, hn::Set(d, kHigh)), most));
    const V t = hn::Sqrt(hn::Neg(logOf(d, hn::Mul(rest, hn::Sub(hn::Set(d, 2.0f), rest)))));
    constexpr float terms[] = {0.9442673325538635f,     0.019465161487460136f,   -0.0042070127092301846f,
                               0.00025191609165631235f, 0.00029794659349136055f, -0.0001659361005295068f,
                               3.6523520975606516e-05f};
    const V tail = hn::Mul(t, polynomialOf(d, hn::Sub(t, hn::Set(d, 3.0f)), terms));
    return hn::CopySign(hn::IfThenElse(far, tail, y), x);
  }
  static float single(float x) { return float(special::erfinv(x)); }
};

// x less n pi / 2. With fused products: in three parts, the first of which leaves a multiple of 2^-24, so nothing is
// rounded there. `low` is what comes after r's digits.
template <class V> struct Reduced {
  V r, low;
};
#if HWY_NATIVE_FMA
template <class D, class V>
HWY_INLINE Reduced<V> reduced(D d, V x, V n) {
  const V second = hn::Set(d, -0x1.777a5cp-25f), third = hn::Set(d, -0x1.ee59dap-50f);
  const V most = hn::NegMulAdd(n, hn::Set(d, 0x1.921fb6p+0f), x), product = hn::Mul(n, second);
  const V r = hn::Sub(most, product), low = hn::Sub(hn::Sub(most, r), product);
  return {r, hn::NegMulAdd(n, third, hn::Add(low, hn::NegMulAdd(n, second, product)))};
}
#else  // in double, where the first part times n has few enough digits
template <class D, class V>
HWY_INLINE Reduced<V> reduced(D d, V x, V n) {
  float xs[kMaxLanes<float>], multiples[kMaxLanes<float>], lows[kMaxLanes<float>];
  hn::StoreU(x, d, xs);
  hn::StoreU(n, d, multiples);
  for (size_t i = 0; i < hn::Lanes(d); i++) {
    const double multiple = multiples[i];
    const double r = xs[i] - multiple * 0x1.921fb544p+0 - multiple * 0x1.0b4611a626331p-34;
    xs[i] = float(r);
    lows[i] = float(r - xs[i]);
  }
  return {hn::LoadU(d, xs), hn::LoadU(d, lows)};
}
#endif

// r + r^3 p(r^2) (mpmath.chebyfit, relative error 4e-9), or minus its inverse where n is odd.
struct Tangent {
  static constexpr float kLow = -39000, kHigh = 39000;
  template <class D, class V> static HWY_INLINE V lanes(D d, V x) {
    const hn::RebindToSigned<D> integers;
    const V rounder = hn::Set(d, kRounder<float>), unit = hn::Set(d, 1.0f);
    const V sum = hn::MulAdd(x, hn::Set(d, 0.6366197723675814f), rounder);
    const auto [r, low] = reduced(d, x, hn::Sub(sum, rounder));
    constexpr float terms[] = {0.3333333432674408f,   0.1333322376012802f,   0.05399596318602562f,
                               0.021609388291835785f, 0.010003127157688141f, 0.0011201532324776053f,
                               0.0038816332817077637f};
    const V r2 = hn::Mul(r, r);
    const V rest = hn::Mul(hn::Mul(r, r2), polynomialOf(d, r2, terms)), near = hn::Add(r, rest);
    const V t = hn::Add(r, hn::MulAdd(low, hn::MulAdd(near, near, unit), rest));
    const auto one = hn::Set(integers, 1);
    const auto odd = hn::RebindMask(d, hn::Eq(hn::And(hn::BitCast(integers, sum), one), one));
    const V y = hn::IfThenElse(odd, hn::Div(hn::Neg(unit), t), t);
    return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, y);  // of -0, -0
  }
  static float single(float x) { return std::tan(x); }
};

// In the order of PiecewiseFunction.
constexpr Kernel kernels[] = {inFloat<ErrorFunction>, inFloat<InverseErrorFunction>, inFloat<Tangent>,
                              inFloat<HyperbolicTangent>, inDouble<ErrorFunctionOfDoubles>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::Kernel &th::kernelOfPieces(PiecewiseFunction function) { return TH_BEST_TARGET(kernels)[int(function)]; }
#endif
