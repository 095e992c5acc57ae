// Pointwise kernels of a device beside those of the CPU.
#include "compare.hpp"

using namespace test;

namespace {

// What an operand's elements are made of: numbers from low to high, and of floating dtypes some that are none.
struct Range {
  double low, high;
  bool special = true;
};

Tensor operand(THDtype dtype, const Shape &shape, const Range &range, uint64_t seed) {
  static const double specials[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1e-310, 1, -1};
  const bool floating = TH_kind(dtype) == TH_KIND_float;
  const double low = dtype == TH_Byte ? std::fmax(0, range.low) : range.low;
  return make(dtype, shape, [&](int64_t i) {
    if (range.special && floating && i % 11 == int64_t(seed)) return specials[i / 11 % 8];
    const double x = low + (range.high - low) * noise(i, seed);
    return TH_kind(dtype) == TH_KIND_bool   ? double(noise(i, seed) < 0.5)
           : TH_kind(dtype) < TH_KIND_float ? std::floor(x)
                                            : x;
  });
}

Tensor as(THDtype dtype, const THTensor *t) {
  Tensor r(dtype, shapeOf(t));
  THTensor_copy(r, t);
  return r;
}

// `ulps` units in the last place of `precision`, of a complex number's larger part; 0: the same number.
void expectWithin(const THTensor *want, const THTensor *deviceResult, THDtype precision, double ulps) {
  const Tensor got = toHost(deviceResult);
  ASSERT_EQ(shapeOf(got), shapeOf(want));
  const Tensor a = as(TH_ComplexDouble, want), b = as(TH_ComplexDouble, got);
  const auto *const x = static_cast<const THComplexDouble *>(THTensor_data(a));
  const auto *const y = static_cast<const THComplexDouble *>(THTensor_data(b));
  const auto near = [](double p, double q, double allowed) {
    return p == q || (std::isnan(p) && std::isnan(q)) || std::fabs(p - q) <= allowed;
  };
  // The step between subnormal numbers
  const double least = precision == TH_Half                                    ? 0x1p-24
                       : precision == TH_BFloat16                              ? 0x1p-133
                       : precision == TH_Float || precision == TH_ComplexFloat ? 0x1p-149
                                                                               : 0x1p-1074;
  for (int64_t i = 0; i < want->numel; i++) {
    double size = std::fmax(std::fabs(x[i].real()), std::fabs(x[i].imag()));
    if (!std::isfinite(size)) size = 1;
    const double allowed = ulps * (epsilon(precision) * size + least);
    ASSERT_TRUE(near(x[i].real(), y[i].real(), allowed) && near(x[i].imag(), y[i].imag(), allowed))
        << "element " << i << ": (" << x[i].real() << ", " << x[i].imag() << ") on the CPU, (" << y[i].real() << ", "
        << y[i].imag() << ") on the device, " << ulps << " ulp of " << TH_dtypeName(precision);
  }
}

struct Case {
  const char *name;
  THDtype dtype, out;  // of the kernel, of its result
  double ulps;
  std::vector<Range> operands;
};

// `run(r, inputs, cuda)` calls one of the two kernels.
template <class Run>
void compareAll(const Case &c, const Run &run) {
  SCOPED_TRACE(::testing::Message() << c.name << " of " << TH_dtypeName(c.dtype));
  const size_t n = c.operands.size();
  const THDtype precision = c.dtype;
  using Inputs = std::vector<const THTensor *>;
  const auto check = [&](const char *what, const std::vector<Tensor> &inputs, THDtype out, size_t numbers = 0) {
    SCOPED_TRACE(what);
    std::vector<Tensor> moved;
    Inputs host, device;
    for (size_t k = 0; k < n; k++) {
      host.push_back(inputs[k]);
      if (k < n - numbers) moved.push_back(onDevice(inputs[k]));
    }
    for (size_t k = 0; k < n; k++) device.push_back(k < n - numbers ? moved[k] : static_cast<THTensor *>(inputs[k]));
    const Tensor want(out), got = newOnDevice(out);
    run(want, host, false);
    run(got, device, true);
    expectWithin(want, got, precision, c.ulps);
  };
  const auto operands = [&](const std::vector<Shape> &shapes, THDtype dtype, Layout layout = Layout::contiguous) {
    std::vector<Tensor> inputs;
    for (size_t k = 0; k < n; k++)
      inputs.push_back(relayout(as(dtype, operand(c.dtype, shapes[k % shapes.size()], c.operands[k], k)), layout));
    return inputs;
  };
  check("contiguous", operands({{7, 71}}, c.dtype), c.out);
  check("reversed", operands({{7, 5, 9}}, c.dtype, Layout::reversed), c.out);
  check("gapped", operands({{7, 5, 9}}, c.dtype, Layout::gapped), c.out);
  check("broadcast", operands({{5, 1, 9}, {4, 1}, {9}}, c.dtype), c.out);
  check("one element", operands({{}}, c.dtype), c.out);
  check("none", operands({{0, 3}}, c.dtype), c.out);
  if (TH_kind(c.dtype) != TH_KIND_complex) {
    check("of double", operands({{60}}, TH_Double), c.out);
    check("of int16", operands({{60}}, TH_Short), c.out);
  }
  if (c.out == c.dtype && TH_kind(c.dtype) < TH_KIND_float) check("to float", operands({{60}}, c.dtype), TH_Float);
  if (n > 1) {
    std::vector<Tensor> inputs = operands({{60}}, c.dtype);
    inputs.back() = operand(c.dtype, {}, c.operands.back(), 3);
    check("and a number of the CPU", inputs, c.out, 1);
  }
  if (c.out == c.dtype) {
    SCOPED_TRACE("in place");
    std::vector<Tensor> inputs = operands({{60}}, c.dtype), moved;
    for (const Tensor &t : inputs) moved.push_back(onDevice(t));
    run(inputs[0], Inputs(inputs.begin(), inputs.end()), false);
    run(moved[0], Inputs(moved.begin(), moved.end()), true);
    expectWithin(inputs[0], moved[0], precision, c.ulps);
  }
}

constexpr THDtype kSame = TH_NUM_DTYPES, kReal = THDtype(TH_NUM_DTYPES + 1);
THDtype resultOf(THDtype dtype, THDtype out) {
  if (out == kSame) return dtype;
  return out == kReal ? dtype == TH_ComplexFloat ? TH_Float : dtype == TH_ComplexDouble ? TH_Double : dtype : out;
}

template <class F>
void unary(const char *name, const std::vector<Kernel<F>> &kernels, const Range &range, double ulps,
           THDtype out = kSame) {
  for (const auto &kernel : kernels)
    compareAll({name, kernel.dtype, resultOf(kernel.dtype, out), ulps, {range}},
               [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                 (cuda ? kernel.cuda : kernel.cpu)(r, in[0]);
               });
}
template <class F>
void binary(const char *name, const std::vector<Kernel<F>> &kernels, const Range &a, const Range &b, double ulps,
            THDtype out = kSame) {
  for (const auto &kernel : kernels)
    compareAll({name, kernel.dtype, resultOf(kernel.dtype, out), ulps, {a, b}},
               [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                 (cuda ? kernel.cuda : kernel.cpu)(r, in[0], in[1]);
               });
}
#define TEST_TYPE_float_double TEST_TYPE_floating
#define UNARY(dtypes, op, ...) unary(#op, PAIRS(dtypes, op), __VA_ARGS__)
#define BINARY(dtypes, op, ...) binary(#op, PAIRS(dtypes, op), __VA_ARGS__)

const Range kAny{-9, 9}, kPositive{0.01, 9}, kUnit{-0.999, 0.999}, kPart{0.001, 0.999}, kDivisor{1, 9, false};

class Pointwise : public ::testing::Test {
 protected:
  void SetUp() override { THC_init(); }
};

TEST_F(Pointwise, Arithmetic) {
  BINARY(all, cmul, kAny, kAny, 0);
  BINARY(floating, cdiv, kAny, kAny, 0);
  BINARY(complex, cmul, kAny, kAny, 4);  // a device fuses products and sums
  BINARY(complex, cdiv, kAny, kAny, 4);
  for (const int alpha : {1, 2, -1}) {
    THScalar scale = number(alpha);
    scale.kind = TH_KIND_int;
    scale.value.i = alpha;
    const auto scaled = [&](const char *name, const auto &kernels) {
      for (const auto &kernel : kernels)
        compareAll({name, kernel.dtype, kernel.dtype, 0, {{-4, 4}, {-4, 4}}},
                   [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                     (cuda ? kernel.cuda : kernel.cpu)(r, in[0], scale, in[1]);
                   });
    };
    scaled("cadd", PAIRS(all_complex, cadd));
    scaled("csub", PAIRS(number_complex, csub));
  }
  BINARY(number, cdivTrunc, kAny, kDivisor, 0);
  BINARY(number, cdivFloor, kAny, kDivisor, 0);
  BINARY(number, cremainder, kAny, kDivisor, 0);
  BINARY(number, cfmod, kAny, kDivisor, 0);
}

TEST_F(Pointwise, PowersAndExtrema) {
  BINARY(number, cpow, kAny, {-3, 4}, 8);
  BINARY(complex, cpow, kAny, {-3, 4}, 16);
  BINARY(floating, atan2, kAny, kAny, 3);
  BINARY(all, cmax, kAny, kAny, 0);
  BINARY(all, cmin, kAny, kAny, 0);
  BINARY(all, fmax, kAny, kAny, 0);
  BINARY(all, fmin, kAny, kAny, 0);
  for (const auto &kernel : PAIRS(all, clamp))
    for (const int bounds : {1, 2, 3})
      compareAll({"clamp", kernel.dtype, kernel.dtype, 0, {kAny, {-3, 1}, {0, 5}}},
                 [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                   (cuda ? kernel.cuda : kernel.cpu)(r, in[0], bounds & 1 ? in[1] : nullptr,
                                                     bounds & 2 ? in[2] : nullptr);
                 });
}

TEST_F(Pointwise, Bits) {
  BINARY(bits, cbitand, kAny, kAny, 0);
  BINARY(bits, cbitor, kAny, kAny, 0);
  BINARY(bits, cbitxor, kAny, kAny, 0);
  BINARY(integral, clshift, kAny, {-2, 70}, 0);
  BINARY(integral, crshift, kAny, {-2, 70}, 0);
  UNARY(bits, bitnot, kAny, 0);
  BINARY(all_complex, logicalAnd, {-1, 2}, {-1, 2}, 0, TH_Bool);
  BINARY(all_complex, logicalOr, {-1, 2}, {-1, 2}, 0, TH_Bool);
  BINARY(all_complex, logicalXor, {-1, 2}, {-1, 2}, 0, TH_Bool);
  UNARY(all_complex, logicalNot, {-1, 2}, 0, TH_Bool);
}

TEST_F(Pointwise, Comparisons) {
  BINARY(all, ltTensor, kAny, kAny, 0, TH_Bool);
  BINARY(all, leTensor, kAny, kAny, 0, TH_Bool);
  BINARY(all, gtTensor, kAny, kAny, 0, TH_Bool);
  BINARY(all, geTensor, kAny, kAny, 0, TH_Bool);
  BINARY(all_complex, eqTensor, kAny, kAny, 0, TH_Bool);
  BINARY(all_complex, neTensor, kAny, kAny, 0, TH_Bool);
  UNARY(floating, isnan, kAny, 0, TH_Bool);
  UNARY(floating, isinf, kAny, 0, TH_Bool);
  UNARY(all, signbit, kAny, 0, TH_Bool);
}

TEST_F(Pointwise, Unary) {
  UNARY(number_complex, neg, kAny, 0);
  UNARY(number, abs, kAny, 0);
  UNARY(complex, abs, kAny, 1, kReal);
  UNARY(complex, arg, kAny, 3, kReal);
  UNARY(complex, conj, kAny, 0);
  UNARY(all, sign, kAny, 0);
  UNARY(number, square, kAny, 0);
  UNARY(complex, square, kAny, 4);
  UNARY(floating, sqrt, kAny, 0);
  UNARY(floating, rsqrt, kAny, 0);
  UNARY(floating, cinv, kAny, 0);
  UNARY(complex, cinv, kAny, 4);
  UNARY(floating, floor, kAny, 0);
  UNARY(floating, ceil, kAny, 0);
  UNARY(floating, round, kAny, 0);
  UNARY(floating, trunc, kAny, 0);
  UNARY(floating, frac, kAny, 0);
}

TEST_F(Pointwise, Elementary) {
  UNARY(floating_complex, exp, kAny, 5);
  UNARY(floating_complex, exp2, kAny, 5);
  UNARY(floating, expm1, kAny, 5);
  UNARY(complex, expm1, kAny, 8);
  UNARY(floating_complex, log, kAny, 5);
  UNARY(floating_complex, log1p, kAny, 5);
  UNARY(floating_complex, log2, kAny, 5);
  UNARY(floating_complex, log10, kAny, 5);
  UNARY(floating_complex, sin, kAny, 6);
  UNARY(floating_complex, cos, kAny, 6);
  UNARY(floating_complex, tan, kAny, 8);
  UNARY(floating_complex, asin, {-2, 2}, 6);
  UNARY(floating_complex, acos, {-2, 2}, 6);
  UNARY(floating_complex, atan, kAny, 6);
  UNARY(floating_complex, sinh, kAny, 6);
  UNARY(floating_complex, cosh, kAny, 6);
  UNARY(floating_complex, tanh, kAny, 6);
  UNARY(floating_complex, asinh, kAny, 6);
  UNARY(floating_complex, acosh, kPositive, 6);
  UNARY(floating_complex, atanh, kUnit, 6);
  UNARY(floating_complex, sigmoid, kAny, 6);
  UNARY(complex, sqrt, kAny, 4);
  UNARY(complex, rsqrt, kAny, 6);
  UNARY(complex, sgn, kAny, 4);
  UNARY(complex, sinc, kAny, 8);
  UNARY(floating, erf, kAny, 4);
  UNARY(floating, erfc, {-5, 5}, 8);
  UNARY(floating, lgamma, kPositive, 16);
}

TEST_F(Pointwise, Special) {
  UNARY(floating, erfinv, kUnit, 5);
  UNARY(floating, digamma, {-4.5, 9}, 64);
  UNARY(floating, i0, kAny, 8);
  UNARY(floating, i0e, kAny, 8);
  UNARY(floating, i1, kAny, 8);
  UNARY(floating, i1e, kAny, 8);
  UNARY(floating, erfcx, kAny, 4);
  UNARY(floating, ndtr, kAny, 4);
  UNARY(floating, logNdtr, kAny, 4);
  UNARY(floating, ndtri, kPart, 8);
  UNARY(floating, entr, kPositive, 6);
  UNARY(floating, sinc, kAny, 8);
  for (const auto &kernel : PAIRS(floating, polygamma))
    for (const int order : {0, 1, 2, 5})
      compareAll({"polygamma", kernel.dtype, kernel.dtype, 32, {kPositive}},
                 [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                   (cuda ? kernel.cuda : kernel.cpu)(r, order, in[0]);
                 });
  for (const auto &kernel : PAIRS(floating, logit))
    for (const double eps : {-1.0, 0.125})
      compareAll({"logit", kernel.dtype, kernel.dtype, 6, {kPart}},
                 [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                   (cuda ? kernel.cuda : kernel.cpu)(r, in[0], eps);
                 });
  for (const auto &kernel : PAIRS(floating, roundDecimals))
    for (const int decimals : {-1, 0, 2})
      compareAll({"roundDecimals", kernel.dtype, kernel.dtype, 0, {kAny}},
                 [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                   (cuda ? kernel.cuda : kernel.cpu)(r, in[0], decimals);
                 });
  for (const auto &kernel : PAIRS(floating, nanToNum))
    compareAll({"nanToNum", kernel.dtype, kernel.dtype, 0, {kAny}},
               [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                 (cuda ? kernel.cuda : kernel.cpu)(r, in[0], 0.5, 1e9, -7);
               });
}

TEST_F(Pointwise, SpecialBinary) {
  BINARY(floating, hypot, kAny, kAny, 2);
  BINARY(floating, copysign, kAny, kAny, 0);
  BINARY(floating, nextafter, kAny, kAny, 0);
  BINARY(floating, ldexp, kAny, {-20, 20}, 2);
  BINARY(floating, xlogy, kAny, kPositive, 4);
  BINARY(floating, xlog1py, kAny, kPositive, 4);
  BINARY(floating, logaddexp, kAny, kAny, 4);
  BINARY(floating, logaddexp2, kAny, kAny, 4);
  BINARY(floating, zeta, {1.1, 9}, kPositive, 16);
  BINARY(all, heaviside, kAny, kAny, 0);
  BINARY(integral, gcd, {-100, 100}, {-100, 100}, 0);
  BINARY(integral, lcm, {-100, 100}, {-100, 100}, 0);
  BINARY(floating, igamma, kPositive, kPositive, 32);
  BINARY(floating, igammac, kPositive, kPositive, 32);
  for (const auto &kernel : PAIRS(float_double, isclose))
    for (const bool nan : {false, true})
      compareAll({"isclose", kernel.dtype, TH_Bool, 0, {kAny, kAny}},
                 [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                   (cuda ? kernel.cuda : kernel.cpu)(r, in[0], in[1], 0.5, 0.25, nan);
                 });
}

TEST_F(Pointwise, BesselAndPolynomials) {
  UNARY(float_double, besselJ0, kAny, 1e5);  // the toolkit's are right to 5e-12
  UNARY(float_double, besselJ1, kAny, 1e5);
  UNARY(float_double, besselY0, kPositive, 1e5);
  UNARY(float_double, besselY1, kPositive, 1e5);
  UNARY(float_double, besselK0, {0.001, 90}, 64);
  UNARY(float_double, besselK1, {0.001, 90}, 64);
  UNARY(float_double, scaledBesselK0, {0.001, 90}, 64);
  UNARY(float_double, scaledBesselK1, {0.001, 90}, 64);
  UNARY(float_double, sphericalBesselJ0, kAny, 64);
  UNARY(float_double, airyAi, {-2, 5}, 128);  // above its zeros
  const Range degree{0, 9, false};
#define POLYNOMIAL(op) BINARY(float_double, op, kUnit, degree, 64);
  POLYNOMIAL(chebyshevT)
  POLYNOMIAL(chebyshevU)
  POLYNOMIAL(chebyshevV)
  POLYNOMIAL(chebyshevW)
  POLYNOMIAL(shiftedChebyshevT)
  POLYNOMIAL(shiftedChebyshevU)
  POLYNOMIAL(shiftedChebyshevV)
  POLYNOMIAL(shiftedChebyshevW)
  POLYNOMIAL(hermiteH)
  POLYNOMIAL(hermiteHe)
  POLYNOMIAL(laguerreL)
  POLYNOMIAL(legendreP)
}

TEST_F(Pointwise, Ternary) {
  const Range near{1, 4, false};  // nothing cancels
  for (const auto &kernel : PAIRS(number_complex, addcmul))
    compareAll({"addcmul", kernel.dtype, kernel.dtype, 4, {near, near, near}},
               [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                 (cuda ? kernel.cuda : kernel.cpu)(r, in[0], number(2), in[1], in[2]);
               });
  for (const auto &kernel : PAIRS(floating_complex, addcdiv))
    compareAll({"addcdiv", kernel.dtype, kernel.dtype, 4, {near, near, near}},
               [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                 (cuda ? kernel.cuda : kernel.cpu)(r, in[0], number(0.5), in[1], in[2]);
               });
  for (const auto &kernel : PAIRS(floating_complex, lerp))
    for (const double weight : {0.0, 0.3, 0.7, 1.0})
      compareAll({"lerp", kernel.dtype, kernel.dtype, 8, {near, near}},
                 [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                   (cuda ? kernel.cuda : kernel.cpu)(r, in[0], in[1], number(weight));
                 });
  for (const auto &kernel : PAIRS(floating_complex, lerpTensor))
    compareAll({"lerpTensor", kernel.dtype, kernel.dtype, 8, {near, near, kPart}},
               [&](THTensor *r, const std::vector<const THTensor *> &in, bool cuda) {
                 (cuda ? kernel.cuda : kernel.cpu)(r, in[0], in[1], in[2]);
               });
}

TEST_F(Pointwise, ChoosesElementsOfEveryWidth) {
  for (const THDtype dtype : {TH_Bool, TH_Byte, TH_Half, TH_Float, TH_Long, TH_ComplexDouble}) {
    SCOPED_TRACE(TH_dtypeName(dtype));
    for (const THDtype other : {dtype, TH_Float}) {
      const Tensor condition = random(TH_Bool, {4, 1}), a = random(dtype, {3, 1, 5}), b = random(other, {4, 5}, 2);
      const Tensor want(dtype), got = newOnDevice(dtype);
      THTensor_where(want, condition, a, b);
      THCTensor_where(got, onDevice(condition), onDevice(a), onDevice(b));
      expectEqual(want, got);
      const Tensor one = random(other, {});  // a number of the CPU
      THTensor_where(want, condition, one, b);
      THCTensor_where(got, onDevice(condition), one, onDevice(b));
      expectEqual(want, got);
    }
    const Tensor mask = random(TH_Bool, {1, 5});
    for (const Layout layout : kLayouts) {
      const Tensor self = relayout(random(dtype, {4, 5}), layout), moved = onDevice(self);
      THCTensor_maskedFill(moved, onDevice(mask), number(1));
      THTensor_maskedFill(self, mask, number(1));
      expectEqual(self, moved);
    }
  }
}

TEST_F(Pointwise, Ranges) {
  for (const auto &kernel : PAIRS(number, arange)) {
    const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
    kernel.cpu(want, number(1), number(60), number(2));
    kernel.cuda(got, number(1), number(60), number(2));
    expectEqual(want, got);
  }
  for (const auto &kernel : PAIRS(number, range)) {
    const Tensor want(TH_Double), got = newOnDevice(TH_Double);
    kernel.cpu(want, number(1), number(60), number(2));
    kernel.cuda(got, number(1), number(60), number(2));
    expectEqual(want, got);
  }
  for (const auto &kernel : PAIRS(number_complex, linspace))
    for (const int64_t steps : {0, 1, 2, 90}) {
      const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
      kernel.cpu(want, number(1), number(90), steps);
      kernel.cuda(got, number(1), number(90), steps);
      expectClose(want, got, TH_kind(kernel.dtype) < TH_KIND_float ? 0 : epsilon(kernel.dtype));
    }
  for (const auto &kernel : PAIRS(floating, logspace))
    for (const int64_t steps : {0, 1, 2, 7}) {
      const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
      kernel.cpu(want, number(0), number(3), steps, 2.0);
      kernel.cuda(got, number(0), number(3), steps, 2.0);
      expectClose(want, got, 4 * epsilon(kernel.dtype));
    }
  for (const auto &kernel : PAIRS(all_complex, eye)) {
    const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
    kernel.cpu(want, 3, 5);
    kernel.cuda(got, 3, 5);
    expectEqual(want, got);
  }
}

TEST_F(Pointwise, PartsOfNumbers) {
  for (const auto &kernel : PAIRS(floating, frexp)) {
    const Tensor t = operand(kernel.dtype, {9, 13}, {-1000, 1000}, 0);
    const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype), wanted(TH_Int), gotten = newOnDevice(TH_Int);
    kernel.cpu(want, wanted, t);
    kernel.cuda(got, gotten, onDevice(t));
    expectEqual(want, got);
    expectEqual(wanted, gotten);
  }
  for (const auto &kernel : PAIRS(complex, fromParts)) {
    const Tensor a = random(TH_Float, {4, 1}), b = random(TH_Float, {5}, 2);
    const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
    kernel.cpu(want, a, b);
    kernel.cuda(got, onDevice(a), onDevice(b));
    expectWithin(want, got, kernel.dtype, 0);
  }
  for (const auto &kernel : PAIRS(complex, fromPolar)) {
    const Tensor a = random(TH_Float, {4, 1}), b = random(TH_Float, {5}, 2);
    const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
    kernel.cpu(want, a, b);
    kernel.cuda(got, onDevice(a), onDevice(b));
    expectWithin(want, got, kernel.dtype, 2);
  }
}

// Where the CPU raises, a kernel cannot.
TEST_F(Pointwise, IntegersDividedByZeroHaveAllBitsSet) {
  const Tensor t = of(TH_Int, {5, -5, 0}), zero = of(TH_Int, {0, 0, 0}), got = newOnDevice(TH_Int);
  for (const auto divide :
       {THCudaIntTensor_cdivTrunc, THCudaIntTensor_cdivFloor, THCudaIntTensor_cremainder, THCudaIntTensor_cfmod}) {
    divide(got, onDevice(t), onDevice(zero));
    expectEqual(of(TH_Int, {-1, -1, -1}), got);
  }
}

}  // namespace
