// Functions of floats, computed in vectors of double with as many terms as a float needs: that is quicker than
// a float's rounding errors are kept small. Relative errors below 4e-10 leave 0.51 units in the last place of
// a float. And some of doubles, right to a few units in their last place.
//
// A function is a struct: lanes() for a vector, inside() where that is right, and single() for other elements.
// Every element goes the same way wherever it stands, as in elementary.cpp.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/floats.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include "floats-inl.hpp"
#include "kit/floats.hpp"
#include "kit/special.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// ---- functions of two floats -------------------------------------------------------------------------
struct Power {
  static HWY_INLINE M inside(V x, V y) { return hn::And(positive(x), finite(y)); }
  static HWY_INLINE V lanes(V x, V y) { return exp2(hn::Mul(y, log2(x))); }
  static double single(double x, double y) { return std::pow(x, y); }
};

struct XLogY {
  static HWY_INLINE M inside(V x, V y) { return hn::And(finite(x), positive(y)); }
  static HWY_INLINE V lanes(V x, V y) {  // 0, not -0, where x is 0
    return hn::IfThenZeroElse(hn::Eq(x, set(0)), hn::Mul(x, hn::Mul(log2(y), set(kLn2))));
  }
  static double single(double x, double y) { return y != y ? y : x == 0 ? 0 : x * std::log(y); }
};

// The larger plus what the other adds.
struct LogAddExp {
  static HWY_INLINE M inside(V x, V y) { return hn::And(finite(x), finite(y)); }
  static HWY_INLINE V lanes(V x, V y) {
    const V below = hn::Mul(hn::Abs(hn::Sub(x, y)), set(-1 / kLn2));
    return hn::Add(hn::Max(x, y), log1p(exp2(below), 2));
  }
  static double single(double x, double y) {
    if (x != x || y != y) return x + y;
    return std::isinf(x) && x == y ? x : std::max(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
  }
};
struct LogAddExp2 {
  static HWY_INLINE M inside(V x, V y) { return LogAddExp::inside(x, y); }
  static HWY_INLINE V lanes(V x, V y) {
    return hn::Add(hn::Max(x, y), log1p(exp2(hn::Neg(hn::Abs(hn::Sub(x, y)))), kTwoOverLn2));
  }
  static double single(double x, double y) {
    if (x != x || y != y) return x + y;
    return std::isinf(x) && x == y ? x : std::max(x, y) + std::log1p(std::exp2(-std::fabs(x - y))) / kLn2;
  }
};

// x - trunc(x / y) y is exact while the quotient is below 2^29: floats have 24 bits, so a quotient that is no integer
// is too far from one for double to round it there, and the product has at most 53 bits.
struct Fmod {
  static HWY_INLINE M inside(V x, V y) { return hn::And(finite(y), hn::Lt(hn::Abs(hn::Div(x, y)), set(0x1p29))); }
  static HWY_INLINE V lanes(V x, V y) { return hn::CopySign(hn::Sub(x, hn::Mul(hn::Trunc(hn::Div(x, y)), y)), x); }
  static double single(double x, double y) { return std::fmod(x, y); }
};
struct Remainder {
  static HWY_INLINE M inside(V x, V y) { return Fmod::inside(x, y); }
  static HWY_INLINE V lanes(V x, V y) {
    const V zero = hn::Zero(D()), m = Fmod::lanes(x, y);
    const M differ = hn::Xor(hn::Lt(m, zero), hn::Lt(y, zero));
    return hn::IfThenElse(hn::And(hn::Ne(m, zero), differ), hn::Add(m, y), m);
  }
  static double single(double x, double y) {
    const double m = std::fmod(x, y);
    return m != 0 && (m < 0) != (y < 0) ? m + y : m;
  }
};

// Exact as well: so is the quotient's floor there, of which -0 is to be left (Floor may lose it). Beyond 2^21 torch's
// steps in float are not, and so are to be taken.
struct FloorDivide {
  static HWY_INLINE M inside(V x, V y) {
    return hn::And(hn::And(finite(x), finite(y)), hn::Lt(hn::Abs(hn::Div(x, y)), set(0x1p21)));
  }
  static HWY_INLINE V lanes(V x, V y) {
    const V q = hn::Div(x, y);
    return hn::CopySign(hn::Floor(q), q);
  }
  static double single(double x, double y) { return floorOfQuotient(float(x), float(y)); }
};

// The angle of (x, y), for float and double. By symmetry it is one of up to pi/4, and that, or its difference from pi/4,
// is the arc tangent of an s below tan(pi/8): s + s^3 p(s^2), p interpolated at Chebyshev's nodes.
struct Angle {
  static HWY_INLINE M inside(V y, V x) {
    const V larger = hn::Max(hn::Abs(x), hn::Abs(y));
    const M numbers = hn::And(hn::Eq(x, x), hn::Eq(y, y));
    return hn::And(numbers, hn::And(hn::Ge(larger, set(1e-290)), hn::Le(larger, set(1e300))));
  }
  static HWY_INLINE V lanes(V y, V x) {
    const V ax = hn::Abs(x), ay = hn::Abs(y), larger = hn::Max(ax, ay), smaller = hn::Min(ax, ay);
    const M wide = hn::Gt(smaller, hn::Mul(larger, set(0.41421356237309503)));
    const V s = hn::Div(hn::IfThenElse(wide, hn::Sub(smaller, larger), smaller),
                        hn::IfThenElse(wide, hn::Add(smaller, larger), larger));
    const V s2 = hn::Mul(s, s);
    const V p = polynomial(
        s2, {-0.3333333333333333, 0.19999999999999804, -0.14285714285659779, 0.11111111105150588, -0.09090908753259112,
             0.07692296368042296, -0.0666642476020052, 0.05878927554473807, -0.05230443640686948, 0.045515447340221615,
             -0.03456931506332609, 0.016284375050043393});
    V a = hn::MulAdd(hn::Mul(s, s2), p, s);
    a = hn::IfThenElse(wide, hn::Add(set(kPi / 4), hn::Add(a, set(kPiRest / 4))), a);
    a = hn::IfThenElse(hn::Gt(ay, ax), hn::Sub(set(kPi / 2), hn::Sub(a, set(kPiRest / 2))), a);
    a = hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Sub(set(kPi), hn::Sub(a, set(kPiRest))), a);
    return hn::CopySign(a, y);
  }
  static double single(double y, double x) { return std::atan2(y, x); }
  static constexpr double kPi = 3.141592653589793, kPiRest = 1.2246467991473532e-16;
};

// ---- functions of one float --------------------------------------------------------------------------
// The sums of 1 / (x + k) and of 1 / (x + k)^2 for k = 0 … 5 with one and three divisions: with t = x (x + 5)
// (x + 1) (x + 4) is t + 4, (x + 2) (x + 3) is t + 6.
HWY_INLINE V sixReciprocals(V x) {
  const V t = hn::Mul(x, hn::Add(x, set(5)));
  const V over = hn::Mul(hn::MulAdd(set(2), x, set(5)), polynomial(t, {24, 20, 3}));
  return hn::Div(over, hn::Mul(t, hn::Mul(hn::Add(t, set(4)), hn::Add(t, set(6)))));
}
HWY_INLINE V sixSquares(V x) {
  const V t = hn::Mul(x, hn::Add(x, set(5))), t4 = hn::Add(t, set(4)), t6 = hn::Add(t, set(6));
  const auto pair = [&](double both, V product) {
    return hn::Div(hn::MulAdd(set(2), t, set(both)), hn::Mul(product, product));
  };
  return hn::Add(hn::Add(pair(25, t), pair(17, t4)), pair(13, t6));
}

// The asymptotic series from 6 on; below, the recurrence over six steps. Beside its zero and below 0 one by one.
struct Digamma {
  static HWY_INLINE M inside(V x) {
    return hn::And(positive(x), hn::Gt(hn::Abs(hn::Sub(x, set(1.4616321449683622))), set(0.01)));
  }
  static HWY_INLINE V lanes(V x) {
    const M small = hn::Lt(x, set(6));
    const V z = hn::IfThenElse(small, hn::Add(x, set(6)), x), r = hn::Div(set(1), z), y = hn::Mul(r, r);
    const V series = polynomial(y, {1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132});
    const V log = hn::Mul(log2(z), set(kLn2));
    const V far = hn::Sub(hn::Sub(log, hn::Mul(r, set(0.5))), hn::Mul(y, series));
    return hn::IfThenElse(small, hn::Sub(far, sixReciprocals(x)), far);
  }
  static double single(double x) { return special::digamma(x); }
};
struct Trigamma {
  static HWY_INLINE M inside(V x) { return positive(x); }
  static HWY_INLINE V lanes(V x) {
    const M small = hn::Lt(x, set(6));
    const V z = hn::IfThenElse(small, hn::Add(x, set(6)), x), r = hn::Div(set(1), z), y = hn::Mul(r, r);
    const V series = polynomial(y, {1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66});
    const V far = hn::MulAdd(hn::Mul(r, y), series, hn::MulAdd(y, set(0.5), r));
    return hn::IfThenElse(small, hn::Add(far, sixSquares(x)), far);
  }
  static double single(double x) { return special::polygamma(1, x); }
};

// By Taylor's series of sine and cosine. Multiples of pi / 2 are taken away in three parts, the
// first two so short that they and n's digits fit into a double; what the last subtraction rounds off comes in again.
struct Tangent {
  static HWY_INLINE M inside(V x) { return hn::Le(hn::Abs(x), set(39000)); }
  static HWY_INLINE V lanes(V x) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const V shifted = hn::MulAdd(x, set(0.6366197723675814), set(0x1.8p52));
    const V n = hn::Sub(shifted, set(0x1.8p52));
    const V part = hn::Sub(hn::Sub(x, hn::Mul(n, set(0x1.921fb544p+0))), hn::Mul(n, set(0x1.0b4611a6p-34)));
    const V last = hn::Mul(n, set(0x1.3198a2e037073p-69));
    const V r = hn::Sub(part, last), low = hn::Sub(hn::Sub(part, r), last), r2 = hn::Mul(r, r);
    constexpr const double *of = kInverseFactorial.of;
    V sine = polynomial(r2, {-of[3], of[5], -of[7], of[9], -of[11], of[13], -of[15], of[17]});
    V cosine = polynomial(r2, {-of[2], of[4], -of[6], of[8], -of[10], of[12], -of[14], of[16]});
    sine = hn::MulAdd(hn::Mul(r, r2), sine, r);
    cosine = hn::MulAdd(r2, cosine, set(1));
    const V s = hn::MulAdd(low, cosine, sine), c = hn::NegMulAdd(low, sine, cosine);
    const auto one = hn::Set(du, 1);
    const M odd = hn::RebindMask(d, hn::Eq(hn::And(hn::BitCast(du, shifted), one), one));
    const V t = hn::Div(hn::IfThenElse(odd, c, s), hn::IfThenElse(odd, hn::Neg(s), c));
    return hn::IfThenElse(hn::Lt(hn::Abs(x), set(1e-9)), x, t);  // of -0, -0
  }
  static double single(double x) { return std::tan(x); }
};

// Up to 2.05, (x - 1) (x - 2) times a polynomial (interpolated at Chebyshev's nodes), because there are zeros at 1 and 2;
// below 0.95 by way of x + 1. Beyond, Stirling's series from 6 on, to which the recurrence over four steps leads.
struct Lgamma {
  static HWY_INLINE M inside(V x) { return positive(x); }
  static HWY_INLINE V lanes(V x) {
    const V one = set(1);
    const M least = hn::Lt(x, set(0.95)), near = hn::Le(x, set(2.05)), small = hn::Lt(x, set(6));
    const V u = hn::IfThenElse(least, hn::Add(x, one), x);
    const V quotient = polynomial(
        hn::Sub(u, set(1.5)),
        {0.4831289503938252, -0.14595989582240249, 0.06291143604241294, -0.03130850933931393, 0.016795761481058928,
         -0.00942478742008419, 0.005464987466447401, -0.003223643924931613, 0.0018086974814703466,
         -0.0010931154920498594, 0.0010237739210397579, -0.0006328008241605486});
    const V zeros = hn::Add(hn::Mul(hn::Sub(u, one), hn::Sub(u, set(2))), hn::Zero(D()));  // not -0
    const V between = hn::Mul(zeros, quotient);
    const V z = hn::IfThenElse(small, hn::Add(x, set(4)), x), r = hn::Div(one, z), y = hn::Mul(r, r);
    const V series = hn::Mul(r, polynomial(y, {1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188}));
    const V stirling = hn::MulAdd(hn::Sub(z, set(0.5)), hn::Mul(log2(z), set(kLn2)),
                                  hn::Add(hn::Sub(set(0.9189385332046728), z), series));
    const V t = hn::Mul(x, hn::Add(x, set(3)));
    const V steps = hn::IfThenElse(least, x, hn::Mul(t, hn::Add(t, set(2))));  // x (x + 1) (x + 2) (x + 3)
    const V log = hn::Mul(log2(hn::IfThenElse(small, steps, one)), set(kLn2));
    const V value = hn::IfThenElse(near, between, stirling);
    return hn::IfThenElse(hn::Or(least, hn::AndNot(near, small)), hn::Sub(value, log), value);
  }
  static double single(double x) { return special::lgamma(x); }
};
// e^(-x^2) times e^(x^2) erfc(x), which is a polynomial of (x - 2) / (x + 2) (interpolated at Chebyshev's nodes).
// Beyond 10.6 a float has nothing of it.
struct Erfc {
  static HWY_INLINE M inside(V x) { return hn::Eq(x, x); }
  static HWY_INLINE V lanes(V x) {
    const V a = hn::Min(hn::Abs(x), set(10.6));
    const V u = hn::Div(hn::Sub(a, set(2)), hn::Add(a, set(2)));
    const V scaled = polynomial(
        u, {0.255395676298203, -0.42718584753108, 0.241658195929465, -0.0789785743201726, 0.00373285638242356,
            0.00699734758170337, -0.000846883586486799, -0.00098112852208282, 4.289585120834e-05, 0.000171306185583578,
            2.73312024094474e-05, -2.24762446286989e-05, -1.0739717136908e-05, -1.29478248835522e-06});
    const V y = hn::Mul(scaled, exp2(hn::Mul(hn::Mul(a, a), set(-1 / kLn2))));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Sub(set(2), y), y);
  }
  static double single(double x) { return x; }
};

struct Ndtr {
  static HWY_INLINE M inside(V x) { return Erfc::inside(x); }
  static HWY_INLINE V lanes(V x) { return hn::Mul(set(0.5), Erfc::lanes(hn::Mul(x, set(-0.70710678118654752440)))); }
  static double single(double x) { return x; }
};

// x times a polynomial: of w = -log(1 - x^2) up to 6, of its root beyond (interpolated at Chebyshev's nodes).
struct Erfinv {
  static HWY_INLINE V lanes(V x, V rest) {  // rest = 1 - x^2
    const V w = hn::Mul(log2(rest), set(-kLn2));
    const V small = polynomial(
        hn::Sub(w, set(3)),
        {1.6235420065382316, 0.2416304041505884, -0.005738136018748367, -0.000836181549259731, 0.00019506272951360786,
         -1.2716850761676694e-05, -1.7489211135266778e-06, 4.5028032937877996e-07, -2.3407418188886508e-08,
         -5.563785103878314e-09, 1.0683385257889045e-09, -1.5020727885379457e-11, -1.4560631578854707e-11,
         1.2787161395809005e-12});
    const V large = polynomial(
        hn::Sub(hn::Sqrt(hn::Max(w, set(6))), set(3)),
        {2.832976798882568, 1.001675280941539, 0.009445500142847889, -0.007643943137706964, 0.005685725881101679,
         -0.003557831988325171, 0.001478992712739347, -0.00014876321664538932, -0.00026756848796810617,
         0.0001896305559945768, -5.658899539899324e-05, 6.564045455277392e-06});
    return hn::Mul(x, hn::IfThenElse(hn::Le(w, set(6)), small, large));
  }
};

// sqrt(2) erfinv(2 x - 1), where 1 - (2 x - 1)^2 = 4 x (1 - x).
struct Ndtri {
  static HWY_INLINE M inside(V x) { return hn::And(hn::Ge(x, set(6e-8)), hn::Le(x, set(1 - 0x1p-24))); }
  static HWY_INLINE V lanes(V x) {
    const V rest = hn::Mul(hn::Mul(set(4), x), hn::Sub(set(1), x));
    return hn::Mul(set(1.41421356237309504880), Erfinv::lanes(hn::MulSub(set(2), x, set(1)), rest));
  }
  static double single(double x) { return special::ndtri(x); }
};

// ---- functions of doubles ----------------------------------------------------------------------------
#if HWY_NATIVE_FMA  // a product's rounding error is one more instruction
// A number as the sum of two.
struct Pair {
  V high, low;
};
// x + y, where x is 0 or the larger one.
HWY_INLINE Pair sum(V x, V y) {
  const V s = hn::Add(x, y);
  return {s, hn::Add(hn::Sub(x, s), y)};
}
HWY_INLINE Pair product(V x, V y) {
  const V p = hn::Mul(x, y);
  return {p, hn::MulSub(x, y, p)};
}
// x times y + rest
HWY_INLINE Pair product(Pair x, V y, V rest) {
  const Pair p = product(x.high, y);
  return {p.high, hn::MulAdd(x.high, rest, hn::MulAdd(x.low, y, p.low))};
}

// log2 of positive normal numbers with some 65 digits: the steps of log2, with s and the first two terms of its series
// in pairs.
HWY_INLINE Pair log2Pair(V x) {
  const auto [m, e] = partsOf(x);
  const V one = set(1), over = hn::Sub(m, one), under = hn::Add(m, one);
  const V underLow = hn::Add(hn::Sub(one, hn::Sub(under, m)), hn::Sub(m, hn::Sub(under, hn::Sub(under, m))));
  const V s = hn::Div(over, under);
  const V sLow = hn::Div(hn::NegMulAdd(s, underLow, hn::NegMulAdd(s, under, over)), under);
  const Pair square = product(s, s);
  const Pair s2 = {square.high, hn::MulAdd(hn::Add(s, s), sLow, square.low)};
  const V tail = hn::Mul(hn::Mul(s2.high, s2.high),
                         polynomial(s2.high, {1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19,
                                              1. / 21, 1. / 23, 1. / 25}));
  const Pair third = product(s2, set(1. / 3), set(1.850371707708594e-17));
  const Pair series = sum(third.high, hn::Add(third.low, tail));
  const Pair rest = product(series, s, sLow);
  const Pair artanh = sum(s, rest.high);
  const Pair log = product({artanh.high, hn::Add(artanh.low, hn::Add(rest.low, sLow))}, set(kTwoOverLn2),
                           set(4.0710547481862066e-17));
  const Pair whole = sum(e, log.high);
  return {whole.high, hn::Add(whole.low, log.low)};
}

// x^y = 2^(y log2 x): right to 0.55 units in the last place.
struct Power64 {
  static HWY_INLINE M inside(V x, V y) {
    const V t = hn::Mul(y, log2(x));
    const M normal = hn::And(hn::Ge(x, set(0x1p-1022)), hn::Le(x, set(std::numeric_limits<double>::max())));
    return hn::And(normal, hn::Lt(hn::Abs(t), set(1020)));
  }
  static HWY_INLINE V lanes(V x, V y) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const Pair log = log2Pair(x);
    const Pair t = product(log, y, hn::Zero(d));
    const V shifted = hn::Add(t.high, set(0x1.8p52));
    const V f = hn::Sub(t.high, hn::Sub(shifted, set(0x1.8p52)));
    const Pair product_ = product(f, set(kLn2));
    const V z = product_.high;
    const V zLow = hn::MulAdd(t.low, set(kLn2), hn::MulAdd(f, set(2.3190468138462996e-17), product_.low));
    V series = set(kInverseFactorial.of[14]);
    for (int k = 13; k >= 2; k--) series = hn::MulAdd(series, z, set(kInverseFactorial.of[k]));
    series = hn::Mul(hn::Mul(z, z), series);
    const Pair linear = sum(set(1), z);
    const V power = hn::Add(linear.high, hn::MulAdd(zLow, hn::Add(linear.high, series), hn::Add(linear.low, series)));
    return hn::BitCast(d, hn::Add(hn::BitCast(du, power), hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
  }
  static double single(double x, double y) { return std::pow(x, y); }
};
#endif

// Where no square overflows, and none that matters vanishes.
struct Hypotenuse {
  static HWY_INLINE M inside(V x, V y) {
    const V larger = hn::Max(hn::Abs(x), hn::Abs(y));
    const M numbers = hn::And(hn::Eq(x, x), hn::Eq(y, y));
    return hn::And(numbers, hn::And(hn::Ge(larger, set(1e-140)), hn::Le(larger, set(1e150))));
  }
  static HWY_INLINE V lanes(V x, V y) { return hn::Sqrt(hn::MulAdd(x, x, hn::Mul(y, y))); }
  static double single(double x, double y) { return std::hypot(x, y); }
};

// ---- tables ------------------------------------------------------------------------------------------
template <class Fn, int inputs> constexpr Kernel single = {floatLoop<Fn, float, inputs>, TH_Float, TH_Float};
template <class Fn, int inputs> constexpr Kernel twofold = {floatLoop<Fn, double, inputs>, TH_Double, TH_Double};
// In the order of FloatFunction and of DoubleFunction.
constexpr Kernel kernels[] = {single<Power, 2>, single<LogAddExp, 2>, single<LogAddExp2, 2>,  single<XLogY, 2>,
                              single<Fmod, 2>,  single<Remainder, 2>, single<FloorDivide, 2>, single<Angle, 2>,
                              single<Erfc, 1>,  single<Digamma, 1>,   single<Trigamma, 1>,    single<Lgamma, 1>,
                              single<Ndtr, 1>,  single<Ndtri, 1>};
constexpr Kernel kernelsOfDoubles[] = {
#if HWY_NATIVE_FMA
    twofold<Power64, 2>,
#else
    {},  // the C library is quicker
#endif
    twofold<Angle, 2>, twofold<Hypotenuse, 2>, twofold<Tangent, 1>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::Kernel &th::kernelOfFloats(FloatFunction function) { return TH_BEST_TARGET(kernels)[int(function)]; }
const th::Kernel &th::kernelOfDoubles(DoubleFunction function) {
  return TH_BEST_TARGET(kernelsOfDoubles)[int(function)];
}
#endif
