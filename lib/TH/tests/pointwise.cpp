// Every pointwise operator against a reference, in all its dtypes and several layouts.
//
// To add an operator: one line in a table below. A unary line has the reference for floating dtypes
// in long double and the error that is allowed (in units in the last place; 0: exact), and the one
// for integers in __int128, which is wrapped to the dtype; a binary line likewise.
#include <algorithm>

#include "exact.hpp"

using namespace test;

namespace {

using L = long double;
using I = __int128;
using UnaryKernel = decltype(&THFloatTensor_exp);
using BinaryKernel = decltype(&THFloatTensor_cmul);

const double kSpecial[] = {
    0,     -0.0,  1,      -1,         0.5,        -0.5,     1.5,       2.5,   -2.5, 3,    -3,       0.1,
    1e-3,  1e-6,  -1e-6,  1e-10,      10,         -10,      20,        -20,   88,   -88,  89,       -104,
    100,   -100,  1e3,    710,        -750,       1e5,      -1e5,      1e10,  NAN,  1e30, INFINITY, -INFINITY,
    1e-38, 1e-40, -1e-45, 3.14159274, 1.57079637, 0.999999, -0.999999, 65504, 7,    13,   1e300,    1e-310};

// What a dtype makes of the specials and of noise; `integral` ones over the whole range.
Tensor samples(THDtype d, uint64_t seed, int64_t n = 700) {
  return make(d, {n / 7, 7}, [&](int64_t i) -> double {
    const int64_t special = int64_t(std::size(kSpecial));
    const double z = noise(i, seed);
    if (TH_kind(d) == TH_KIND_bool) return z < 0.5;
    if (isInteger(d)) {
      const double top = largest(d), low = d == TH_Byte ? 0 : -top - 1;
      const double corner[] = {0, 1, -1, 2, -2, 7, top, top - 1, low, low + 1};
      if (i < 100) return std::clamp(corner[(seed == 1 ? i : i / 10) % 10], low, top);
      return std::floor(i % 2 ? low + z * (top - low) : std::max(low, z * 20 - 10));
    }
    if (i < special) return kSpecial[seed == 1 ? i : (i * 17 + 5) % special];
    return (z * 2 - 1) * std::ldexp(1, int(i % 23) - 12);
  });
}

struct Unary {
  const char *name;
  std::vector<UnaryKernel> kernels;  // by dtype
  L (*real)(L);
  double error;
  I (*integer)(I);
  bool toBool = false;
};

L roundEven(L x) { return std::nearbyint(x); }
L signOf(L x) { return (x > 0) - (x < 0); }

const Unary kUnary[] = {
    {"neg", TEST_FAMILY(number, neg), [](L x) { return -x; }, 0, [](I x) { return -x; }},
    {"abs", TEST_FAMILY(number, abs), [](L x) { return std::fabs(x); }, 0, [](I x) { return x < 0 ? -x : x; }},
    {"sign", TEST_FAMILY(all, sign), signOf, 0, [](I x) { return I(x > 0) - I(x < 0); }},
    {"square", TEST_FAMILY(number, square), [](L x) { return x * x; }, 0.51, [](I x) { return x * x; }},
    {"bitnot", TEST_FAMILY(bits, bitnot), nullptr, 0, [](I x) { return ~x; }},
    {"exp", TEST_FAMILY(floating, exp), [](L x) { return std::exp(x); }, 1.5, nullptr},
    {"expm1", TEST_FAMILY(floating, expm1), [](L x) { return std::expm1(x); }, 4, nullptr},
    {"log", TEST_FAMILY(floating, log), [](L x) { return std::log(x); }, 4, nullptr},
    {"log1p", TEST_FAMILY(floating, log1p), [](L x) { return std::log1p(x); }, 4, nullptr},
    {"log2", TEST_FAMILY(floating, log2), [](L x) { return std::log2(x); }, 4, nullptr},
    {"log10", TEST_FAMILY(floating, log10), [](L x) { return std::log10(x); }, 4, nullptr},
    {"sqrt", TEST_FAMILY(floating, sqrt), [](L x) { return std::sqrt(x); }, 0.51, nullptr},
    {"rsqrt", TEST_FAMILY(floating, rsqrt), [](L x) { return 1 / std::sqrt(x); }, 1.6, nullptr},
    {"sin", TEST_FAMILY(floating, sin), [](L x) { return std::sin(x); }, 4, nullptr},
    {"cos", TEST_FAMILY(floating, cos), [](L x) { return std::cos(x); }, 4, nullptr},
    // in double the quotient of two functions that are off by 1 each
    {"tan", TEST_FAMILY(floating, tan), [](L x) { return std::tan(x); }, 3, nullptr},
    {"asin", TEST_FAMILY(floating, asin), [](L x) { return std::asin(x); }, 4, nullptr},
    {"acos", TEST_FAMILY(floating, acos), [](L x) { return std::acos(x); }, 4, nullptr},
    {"atan", TEST_FAMILY(floating, atan), [](L x) { return std::atan(x); }, 4, nullptr},
    {"sinh", TEST_FAMILY(floating, sinh), [](L x) { return std::sinh(x); }, 4, nullptr},
    {"cosh", TEST_FAMILY(floating, cosh), [](L x) { return std::cosh(x); }, 4, nullptr},
    {"tanh", TEST_FAMILY(floating, tanh), [](L x) { return std::tanh(x); }, 4, nullptr},
    {"sigmoid", TEST_FAMILY(floating, sigmoid), [](L x) { return 1 / (1 + std::exp(-x)); }, 4, nullptr},
    {"erf", TEST_FAMILY(floating, erf), [](L x) { return std::erf(x); }, 2, nullptr},
    {"floor", TEST_FAMILY(floating, floor), [](L x) { return std::floor(x); }, 0, nullptr},
    {"ceil", TEST_FAMILY(floating, ceil), [](L x) { return std::ceil(x); }, 0, nullptr},
    {"round", TEST_FAMILY(floating, round), roundEven, 0, nullptr},
    {"trunc", TEST_FAMILY(floating, trunc), [](L x) { return std::trunc(x); }, 0, nullptr},
    {"frac", TEST_FAMILY(floating, frac), [](L x) { return x - std::trunc(x); }, 0, nullptr},
    {"cinv", TEST_FAMILY(floating, cinv), [](L x) { return 1 / x; }, 0.51, nullptr},
    {"isnan", TEST_FAMILY(floating, isnan), [](L x) -> L { return std::isnan(x); }, 0, nullptr, true},
    {"isinf", TEST_FAMILY(floating, isinf), [](L x) -> L { return std::isinf(x); }, 0, nullptr, true},
    {"logicalNot", TEST_FAMILY(all, logicalNot), [](L x) -> L { return x == 0; }, 0, [](I x) { return I(x == 0); },
     true},
};

L reference(THDtype d, bool toBool, L (*real)(L), I (*integer)(I), L x) {
  if (TH_kind(d) == TH_KIND_float) return real(x);
  const I y = integer(I(x));
  return toBool ? L(y != 0) : d == TH_Bool ? L(y & 1) : wrap(d, y);
}

TEST(Pointwise, Unary) {
  for (const Unary &op : kUnary)
    for (int d : kRealDtypes) {
      const THDtype dtype = THDtype(d);
      if (!op.kernels[size_t(d)]) continue;
      SCOPED_TRACE(std::string(op.name) + " " + TH_dtypeName(dtype));
      const Tensor source = samples(dtype, 1);
      for (Layout layout : kLayouts) {
        const Tensor x = relayout(source, layout), r(op.toBool ? TH_Bool : dtype);
        op.kernels[size_t(d)](r, x);
        ASSERT_EQ(shapeOf(r), shapeOf(x));
        for (int64_t i = 0; i < x->numel; i++) {
          const L want = reference(dtype, op.toBool, op.real, op.integer, exact(x, i)), got = exact(r, i);
          const double error = TH_kind(dtype) == TH_KIND_float && !op.toBool ? ulps(dtype, got, want) : got != want;
          ASSERT_LE(error, op.error == 0 ? 0 : bound(dtype, op.error))
              << "of " << exact(x, i) << ": " << got << ", not " << want;
        }
      }
      if (op.toBool) continue;
      const Tensor fresh(dtype), inPlace = relayout(source, Layout::contiguous);
      op.kernels[size_t(d)](fresh, source);
      op.kernels[size_t(d)](inPlace, inPlace);
      expectSame(inPlace, fresh);
    }
}

struct Binary {
  const char *name;
  std::vector<BinaryKernel> kernels;
  L (*real)(L, L);
  double error;
  I (*integer)(I, I, THDtype);
  bool toBool = false, divides = false;
};

I floorDivide(I a, I b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
L remainderOf(L a, L b) {
  const L m = std::fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
// Python's // on floats.
L floorDivide(L a, L b) {
  if (b == 0) return a / b;
  const L m = std::fmod(a, b);
  L q = (a - m) / b;
  if (m != 0 && (m < 0) != (b < 0)) q -= 1;
  return q == 0 ? std::copysign(0.0L, a / b) : std::round(q);
}
I powerOf(I t, I e, THDtype) {
  if (e < 0) return t == 1 ? 1 : t == -1 ? (e % 2 ? -1 : 1) : 0;
  uint64_t r = 1, base = uint64_t(t);
  for (uint64_t k = uint64_t(e); k; k >>= 1, base *= base)
    if (k & 1) r *= base;
  return I(r);
}
I bitsOf(THDtype d) { return I(TH_elementSize(d)) * 8; }
L larger(L a, L b) { return std::isnan(a) || std::isnan(b) ? L(NAN) : std::max(a, b); }
L smaller(L a, L b) { return std::isnan(a) || std::isnan(b) ? L(NAN) : std::min(a, b); }

const Binary kBinary[] = {
    {"cmul", TEST_FAMILY(all, cmul), [](L a, L b) { return a * b; }, 0.51, [](I a, I b, THDtype) { return a * b; }},
    {"cdiv", TEST_FAMILY(floating, cdiv), [](L a, L b) { return a / b; }, 0.51, nullptr},
    {"cdivTrunc", TEST_FAMILY(number, cdivTrunc), nullptr, 0, [](I a, I b, THDtype) { return a / b; }, false, true},
    {"cdivFloor", TEST_FAMILY(number, cdivFloor), nullptr, 0, [](I a, I b, THDtype) { return floorDivide(a, b); },
     false, true},
    {"cremainder", TEST_FAMILY(number, cremainder), remainderOf, 1,
     [](I a, I b, THDtype) { return a - b * floorDivide(a, b); }, false, true},
    {"cfmod", TEST_FAMILY(number, cfmod), [](L a, L b) { return std::fmod(a, b); }, 0.51,
     [](I a, I b, THDtype) { return a % b; }, false, true},
    {"cpow", TEST_FAMILY(number, cpow), [](L a, L b) { return std::pow(a, b); }, 1, powerOf},
    {"cmax", TEST_FAMILY(all, cmax), larger, 0, [](I a, I b, THDtype) { return std::max(a, b); }},
    {"cmin", TEST_FAMILY(all, cmin), smaller, 0, [](I a, I b, THDtype) { return std::min(a, b); }},
    {"atan2", TEST_FAMILY(floating, atan2), [](L a, L b) { return std::atan2(a, b); }, 2, nullptr},
    {"cbitand", TEST_FAMILY(bits, cbitand), nullptr, 0, [](I a, I b, THDtype) { return a & b; }},
    {"cbitor", TEST_FAMILY(bits, cbitor), nullptr, 0, [](I a, I b, THDtype) { return a | b; }},
    {"cbitxor", TEST_FAMILY(bits, cbitxor), nullptr, 0, [](I a, I b, THDtype) { return a ^ b; }},
    {"clshift", TEST_FAMILY(integral, clshift), nullptr, 0,
     [](I a, I b, THDtype d) { return b < 0 || b >= bitsOf(d) ? 0 : a << b; }},
    {"crshift", TEST_FAMILY(integral, crshift), nullptr, 0,
     [](I a, I b, THDtype d) { return b < 0 || b >= bitsOf(d) ? (a < 0 ? -1 : 0) : a >> b; }},
    {"ltTensor", TEST_FAMILY(all, ltTensor), [](L a, L b) -> L { return a < b; }, 0,
     [](I a, I b, THDtype) { return I(a < b); }, true},
    {"leTensor", TEST_FAMILY(all, leTensor), [](L a, L b) -> L { return a <= b; }, 0,
     [](I a, I b, THDtype) { return I(a <= b); }, true},
    {"gtTensor", TEST_FAMILY(all, gtTensor), [](L a, L b) -> L { return a > b; }, 0,
     [](I a, I b, THDtype) { return I(a > b); }, true},
    {"geTensor", TEST_FAMILY(all, geTensor), [](L a, L b) -> L { return a >= b; }, 0,
     [](I a, I b, THDtype) { return I(a >= b); }, true},
    {"eqTensor", TEST_FAMILY(all, eqTensor), [](L a, L b) -> L { return a == b; }, 0,
     [](I a, I b, THDtype) { return I(a == b); }, true},
    {"neTensor", TEST_FAMILY(all, neTensor), [](L a, L b) -> L { return a != b; }, 0,
     [](I a, I b, THDtype) { return I(a != b); }, true},
    {"logicalAnd", TEST_FAMILY(all, logicalAnd), [](L a, L b) -> L { return a != 0 && b != 0; }, 0,
     [](I a, I b, THDtype) { return I(a && b); }, true},
    {"logicalOr", TEST_FAMILY(all, logicalOr), [](L a, L b) -> L { return a != 0 || b != 0; }, 0,
     [](I a, I b, THDtype) { return I(a || b); }, true},
    {"logicalXor", TEST_FAMILY(all, logicalXor), [](L a, L b) -> L { return (a != 0) != (b != 0); }, 0,
     [](I a, I b, THDtype) { return I(!a != !b); }, true},
};

// The functions whose result in long double, rounded, is another one than that in the dtype.
L quotient(const Binary &op, THDtype d, L a, L b) {
  const bool trunc = op.kernels[TH_Float] == THFloatTensor_cdivTrunc;
  if (d == TH_Double) return trunc ? L(std::trunc(double(a) / double(b))) : floorDivide(a, b);
  const L q = trunc ? L(std::trunc(float(a) / float(b))) : floorDivide(a, b);
  return d == TH_Half       ? L(float(th::half(float(q))))
         : d == TH_BFloat16 ? L(float(th::bfloat16(float(q))))
                            : L(float(q));
}

void checkBinary(const Binary &op, THDtype d, const THTensor *a, const THTensor *b) {
  const Tensor r(op.toBool ? TH_Bool : d);
  op.kernels[size_t(d)](r, a, b);
  const Shape shape = shapeOf(r);
  const Tensor x(THTensor_newExpand(const_cast<THTensor *>(a), int(shape.size()), shape.data()));
  const Tensor y(THTensor_newExpand(const_cast<THTensor *>(b), int(shape.size()), shape.data()));
  for (int64_t i = 0; i < r->numel; i++) {
    const L got = exact(r, i), p = exact(x, i), q = exact(y, i);
    L want;
    double error, allowed = 0;
    if (TH_kind(d) == TH_KIND_float) {
      want = op.real ? op.real(p, q) : quotient(op, d, p, q);
      error = op.toBool                     ? got != want
              : op.real || std::isnan(want) ? ulps(d, got, want)
                                            : got != want && ulps(d, got, want) > 1;
      allowed = op.toBool || op.error == 0 ? 0 : bound(d, op.error);
    } else {
      const I z = op.integer(I(p), I(q), d);
      want = op.toBool || d == TH_Bool ? L(z != 0) : wrap(d, z);
      error = got != want;
    }
    ASSERT_LE(error, allowed) << p << ", " << q << ": " << got << ", not " << want;
  }
}

TEST(Pointwise, Binary) {
  for (const Binary &op : kBinary)
    for (int d : kRealDtypes) {
      const THDtype dtype = THDtype(d);
      if (!op.kernels[size_t(d)]) continue;
      SCOPED_TRACE(std::string(op.name) + " " + TH_dtypeName(dtype));
      const Tensor a = samples(dtype, 1), b = samples(dtype, 2);
      if (op.divides && isInteger(dtype))
        for (int64_t i = 0; i < b->numel; i++)
          if (get(b, i) == 0) set(b, i, 3);
      for (Layout left : kLayouts) checkBinary(op, dtype, relayout(a, left), b);
      checkBinary(op, dtype, a, relayout(b, Layout::reversed));
      for (int64_t i : {0, 1, 5, 6, 8}) {  // one element against all
        const Tensor row(THTensor_newSelect(b, 0, i)), one(THTensor_newNarrow(row, 0, i % 7, 1));
        checkBinary(op, dtype, a, one);
        checkBinary(op, dtype, a, row);
        if (!op.divides) checkBinary(op, dtype, one, a);
      }
      if (op.toBool) continue;
      const Tensor fresh(dtype), left = relayout(a, Layout::contiguous), right = relayout(b, Layout::contiguous);
      op.kernels[size_t(d)](fresh, a, b);
      op.kernels[size_t(d)](left, left, b);
      expectSame(left, fresh);
      op.kernels[size_t(d)](right, a, right);
      expectSame(right, fresh);
    }
}

TEST(Pointwise, AddAndSubtractScaled) {
  const auto add = TEST_FAMILY(all, cadd);
  const auto subtract = TEST_FAMILY(number, csub);
  for (int d : kRealDtypes)
    for (int alpha : {1, 3, 0, -2}) {
      const THDtype dtype = THDtype(d);
      if (dtype == TH_Bool && alpha != 1) continue;
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(alpha));
      THScalar scale;
      scale.kind = TH_KIND_int;
      scale.value.i = alpha;
      const Tensor a = random(dtype, {20, 30}, 3), b = random(dtype, {20, 30}, 4), sum(dtype), difference(dtype);
      add[size_t(d)](sum, a, scale, relayout(b, Layout::gapped));
      if (dtype != TH_Bool) subtract[size_t(d)](difference, a, scale, b);
      for (int64_t i = 0; i < a->numel; i++) {
        const L x = exact(a, i), y = exact(b, i);
        if (TH_kind(dtype) == TH_KIND_float) {
          // One rounding of the product, in float at least, and one or two of the sum.
          const L product = std::fabs(alpha * y) * (dtype == TH_Double ? 0x1p-53L : 0x1p-24L);
          for (int sign : {1, -1}) {
            const L want = x + sign * alpha * y, got = exact(sign > 0 ? sum : difference, i);
            const L rounding = std::fabs(want) * (dtype == TH_Double  ? 0x1p-53L
                                                  : dtype == TH_Float ? 0x1p-24L
                                                  : dtype == TH_Half  ? 0x1p-11L
                                                                      : 0x1p-8L);
            ASSERT_LE(std::fabs(got - want), (product + rounding) * 1.01L);
          }
        } else {
          ASSERT_EQ(exact(sum, i), wrap(dtype, I(x) + alpha * I(y)));
          if (dtype != TH_Bool) {
            ASSERT_EQ(exact(difference, i), wrap(dtype, I(x) - alpha * I(y)));
          }
        }
      }
    }
  THScalar no;
  no.kind = TH_KIND_bool;
  no.value.i = 0;
  const Tensor r(TH_Bool), a = of(TH_Bool, {0, 0, 1, 1}), b = of(TH_Bool, {0, 1, 0, 1});
  THBoolTensor_cadd(r, a, no, b);
  expectSame(r, a);
}

TEST(Pointwise, ComputesInItsDtype) {
  // uint8: 300 becomes 44 before the division, not after.
  const Tensor a = of(TH_Byte, {200}), b(THTensor_newWithScalar(TH_Long, number(300))), r(TH_Byte);
  THByteTensor_cdivFloor(r, a, b);
  EXPECT_EQ(get(r, 0), 4);
  const Tensor wide(TH_Long), x = of(TH_Byte, {200, 100}), y = of(TH_Byte, {100, 100});
  THByteTensor_cadd(wide, x, number(1).kind == TH_KIND_float ? THScalar{TH_KIND_int, {1}, 0} : THScalar{}, y);
  EXPECT_EQ(values(wide), (std::vector<double>{44, 200}));
  const Tensor doubles(TH_Double);
  THIntTensor_ltTensor(doubles, x, y);
  EXPECT_EQ(values(doubles), (std::vector<double>{0, 0}));
}

TEST(Pointwise, PowersWithShortcuts) {
  for (THDtype d : {TH_Half, TH_BFloat16, TH_Float, TH_Double})
    for (double e : {2.0, 3.0, 0.5, -0.5, -1.0, -2.0, 2.5, 0.0}) {
      const Tensor x = make(d, {50}, [](int64_t i) { return double(i) * 0.37 + 0.1; }), r(d);
      const Tensor exponent(THTensor_newWithScalar(TH_Double, number(e)));
      TEST_FAMILY(floating, cpow)[size_t(d)](r, x, exponent);
      for (int64_t i = 0; i < 50; i++) ASSERT_LE(ulps(d, exact(r, i), std::pow(exact(x, i), L(e))), bound(d, 2)) << e;
    }
}

// As torch: the shortcuts are roots and quotients at the edges, too.
TEST(Pointwise, PowersAtTheEdges) {
  const Tensor x = of(TH_Float, {-0.0, -INFINITY}), r(TH_Float);
  THFloatTensor_cpow(r, x, Tensor(THTensor_newWithScalar(TH_Double, number(-0.5))));
  EXPECT_EQ(get(r, 0), -INFINITY);
  EXPECT_TRUE(std::isnan(get(r, 1)));
}

TEST(Pointwise, Clamp) {
  const auto clamp = TEST_FAMILY(number, clamp);
  for (int d : kNumberDtypes) {
    const THDtype dtype = THDtype(d);
    const Tensor x = samples(dtype, 1), low(THTensor_newWithScalar(dtype, number(2))),
                 high(THTensor_newWithScalar(TH_Double, number(7)));
    const Tensor lows = random(dtype, {7}, 9);
    for (const THTensor *l :
         {static_cast<THTensor *>(nullptr), static_cast<THTensor *>(low), static_cast<THTensor *>(lows)})
      for (const THTensor *h : {static_cast<THTensor *>(nullptr), static_cast<THTensor *>(high)}) {
        if (!l && !h) continue;
        const Tensor r(dtype);
        clamp[size_t(d)](r, x, l, h);
        for (int64_t i = 0; i < x->numel; i++) {
          L want = exact(x, i);
          if (l) want = larger(want, exact(l, l == lows ? i % 7 : 0));
          if (h) want = smaller(want, exact(h, 0));
          ASSERT_TRUE(exact(r, i) == want || (std::isnan(want) && std::isnan(exact(r, i)))) << TH_dtypeName(dtype) << i;
        }
      }
    const Tensor nothing(dtype);
    expectRaises(TH_ERROR_RUNTIME, "torch.clamp: At least one of 'min' or 'max' must not be None",
                 [&] { clamp[size_t(d)](nothing, x, nullptr, nullptr); });
  }
  const Tensor nan(THTensor_newWithScalar(TH_Float, number(NAN))), r(TH_Float),
      x = random(TH_Float, {40}), one(THTensor_newWithScalar(TH_Float, number(1)));
  THFloatTensor_clamp(r, x, nan, one);
  for (double v : values(r)) EXPECT_TRUE(std::isnan(v));
}

TEST(Pointwise, WhereAndMaskedFill) {
  for (int d : kRealDtypes)
    for (Layout layout : kLayouts) {
      const THDtype dtype = THDtype(d);
      const Tensor mask = relayout(random(TH_Bool, {20, 33}, 5), layout),
                   a = relayout(random(dtype, {20, 33}, 6), layout), b = random(dtype, {33}, 7);
      const Tensor one(THTensor_newWithScalar(TH_Long, number(1)));
      for (const THTensor *other : {static_cast<THTensor *>(b), static_cast<THTensor *>(one)}) {
        const Tensor r(dtype);
        THTensor_where(r, mask, a, other);
        for (int64_t i = 0; i < r->numel; i++)
          ASSERT_EQ(get(r, i), get(mask, i) ? get(a, i) : get(other, other->numel == 1 ? 0 : i % 33));
        const Tensor s(dtype);
        THTensor_where(s, mask, other, a);
        for (int64_t i = 0; i < r->numel; i++)
          ASSERT_EQ(get(s, i), get(mask, i) ? get(other, other->numel == 1 ? 0 : i % 33) : get(a, i));
      }
      const Tensor filled = relayout(a, layout), row(THTensor_newSelect(mask, 0, 3));
      THTensor_maskedFill(filled, row, number(1));
      for (int64_t i = 0; i < a->numel; i++) ASSERT_EQ(get(filled, i), get(row, i % 33) ? 1 : get(a, i));
    }
}

TEST(Pointwise, Ranges) {
  auto number64 = [](int64_t i) {
    THScalar s;
    s.kind = TH_KIND_int;
    s.value.i = i;
    return s;
  };
  const auto arange = TEST_FAMILY(number, arange);
  const auto linspace = TEST_FAMILY(number, linspace);
  for (int d : kNumberDtypes) {
    const Tensor r((THDtype(d)));
    arange[size_t(d)](r, number64(3), number64(20), number64(4));
    EXPECT_EQ(values(r), (std::vector<double>{3, 7, 11, 15, 19})) << TH_dtypeName(THDtype(d));
    linspace[size_t(d)](r, number64(0), number64(12), 5);
    EXPECT_EQ(values(r), (std::vector<double>{0, 3, 6, 9, 12}));
    linspace[size_t(d)](r, number64(5), number64(9), 1);
    EXPECT_EQ(values(r), (std::vector<double>{5}));
    TEST_FAMILY(all, eye)[size_t(d)](r, 2, 3);
    EXPECT_EQ(values(r), (std::vector<double>{1, 0, 0, 0, 1, 0}));
  }
  // As torch 2.13 gives them.
  const Tensor l(TH_Long), i(TH_Int), h(TH_Half), b(TH_BFloat16), f(TH_Float);
  THLongTensor_arange(l, number(0.5), number(5.5), number(1.5));
  EXPECT_EQ(values(l), (std::vector<double>{0, 1, 2, 3, 4}));
  THIntTensor_arange(i, number(0.5), number(5.5), number(1.5));
  EXPECT_EQ(values(i), (std::vector<double>{0, 1, 2, 3}));
  THLongTensor_arange(l, number64((int64_t(1) << 53) + 1), number64((int64_t(1) << 53) + 4), number64(1));
  EXPECT_EQ(exact(l, 2), 9007199254740995.0L);
  THLongTensor_linspace(l, number64(10), number64(0), 4);
  EXPECT_EQ(values(l), (std::vector<double>{10, 6, 3, 0}));
  THIntTensor_linspace(i, number(0.7), number(9.9), 6);
  EXPECT_EQ(values(i), (std::vector<double>{0, 1, 3, 5, 7, 9}));
  THHalfTensor_linspace(h, number64(0), number64(1), 7);
  EXPECT_EQ(values(h), (std::vector<double>{0, 0.1666259765625, 0.333251953125, 0.5, 0.6669921875, 0.83349609375, 1}));
  THBFloat16Tensor_linspace(b, number64(0), number64(1), 7);
  EXPECT_EQ(values(b), (std::vector<double>{0, 0.1669921875, 0.333984375, 0.5, 0.6640625, 0.83203125, 1}));
  THFloatTensor_arange(f, number64(5), number64(0), number64(-2));
  EXPECT_EQ(values(f), (std::vector<double>{5, 3, 1}));
  const Tensor gaps = uninitialised(TH_Float, {3}, Layout::gapped);
  THFloatTensor_arange(gaps, number64(0), number64(3), number64(1));
  EXPECT_EQ(values(gaps), (std::vector<double>{0, 1, 2}));
}

}  // namespace
