// Complex numbers: conversion, scalars, functions against the C library's long double, sums, products of matrices.
#include <algorithm>
#include <complex>

#include "tensors.hpp"

using namespace test;

namespace {

using Z = std::complex<long double>;
constexpr THDtype kComplex[] = {TH_ComplexFloat, TH_ComplexDouble};

Z getComplex(const THTensor *t, int64_t i) {
  const auto of = [](auto z) { return Z(z.real(), z.imag()); };
  if (t->dtype == TH_ComplexFloat) return of(*static_cast<THComplexFloat *>(address(t, i)));
  if (t->dtype == TH_ComplexDouble) return of(*static_cast<THComplexDouble *>(address(t, i)));
  return Z(get(t, i));
}
void setComplex(THTensor *t, int64_t i, Z z) {
  if (t->dtype == TH_ComplexFloat)
    *static_cast<THComplexFloat *>(address(t, i)) = THComplexFloat(float(z.real()), float(z.imag()));
  else
    *static_cast<THComplexDouble *>(address(t, i)) = THComplexDouble(double(z.real()), double(z.imag()));
}

Tensor numbers(THDtype dtype, const Shape &shape, uint64_t seed, Layout layout = Layout::contiguous) {
  Tensor t = uninitialised(dtype, shape, layout);
  for (int64_t i = 0; i < t->numel; i++) setComplex(t, i, {4 * noise(i, seed) - 2, 4 * noise(i, seed + 100) - 2});
  return t;
}

// Of the distance between two numbers, in units in the last place of the larger part.
double ulps(THDtype dtype, Z got, Z want) {
  const long double size = std::max({std::fabs(want.real()), std::fabs(want.imag()), 1e-30L});
  const int digits = dtype == TH_ComplexFloat || dtype == TH_Float ? 23 : 52;
  return double(std::abs(got - want) / std::ldexp(1.0L, std::ilogb(size) - digits));
}

THScalar complexNumber(double real, double imag) { return THScalar{TH_KIND_complex, {.d = real}, imag}; }

TEST(Complex, Conversion) {
  for (THDtype dtype : kComplex)
    for (Layout layout : kLayouts) {
      const Tensor z = numbers(dtype, {20, 70}, 1, layout);
      for (int d : kKernelDtypes) {
        const Tensor r(THDtype(d), {20, 70}), back(dtype, {20, 70}), real(TH_Double, {20, 70});
        THTensor_copy(r, z);
        for (int64_t i = 0; i < z->numel; i++) {
          const Z want = getComplex(z, i), got = getComplex(r, i);
          if (d == TH_Bool) {
            ASSERT_EQ(got.real(), want != Z(0));
          } else if (TH_kind(THDtype(d)) == TH_KIND_complex) {
            ASSERT_EQ(got, THDtype(d) == TH_ComplexFloat ? Z(float(want.real()), float(want.imag())) : want);
          }
        }
        if (TH_kind(THDtype(d)) == TH_KIND_complex) continue;
        // What a real tensor holds is what the real part gives, and comes back with imaginary part 0.
        const Tensor part(THDtype(d), {20, 70});
        for (int64_t i = 0; i < z->numel; i++) set(real, i, double(getComplex(z, i).real()));
        THTensor_copy(part, real);
        if (d != TH_Bool) expectSame(r, part);
        THTensor_copy(back, r);
        for (int64_t i = 0; i < z->numel; i++) ASSERT_EQ(getComplex(back, i), Z(get(r, i)));
      }
    }
}

TEST(Complex, Scalars) {
  for (THDtype dtype : kComplex) {
    const Tensor t(dtype, {2, 3});
    THTensor_fill(t, complexNumber(1.5, -2));
    for (int64_t i = 0; i < t->numel; i++) EXPECT_EQ(getComplex(t, i), Z(1.5L, -2));
    const THScalar s = THTensor_item(Tensor(THTensor_newSelect(Tensor(THTensor_newSelect(t, 0, 1)), 0, 1)));
    EXPECT_EQ(s.kind, TH_KIND_complex);
    EXPECT_EQ(s.value.d, 1.5);
    EXPECT_EQ(s.imag, -2);
    THTensor_zero(t);
    EXPECT_EQ(getComplex(t, 5), Z(0));
    THTensor_fill(t, number(3));
    EXPECT_EQ(getComplex(t, 5), Z(3));
  }
  const Tensor f(TH_Float, {2}), i(TH_Int, {2}), b(TH_Bool, {2}), z(TH_ComplexFloat, {2});
  THTensor_fill(f, complexNumber(2.5, 0));
  EXPECT_EQ(get(f, 1), 2.5);
  THTensor_fill(b, complexNumber(0, 1));
  EXPECT_EQ(get(b, 1), 1);
  expectRaises(TH_ERROR_RUNTIME, "type float without overflow", [&] { THTensor_fill(f, complexNumber(2.5, 1)); });
  expectRaises(TH_ERROR_RUNTIME, "type int without overflow", [&] { THTensor_fill(i, complexNumber(2, 1)); });
  expectRaises(TH_ERROR_RUNTIME, "c10::complex<float>", [&] { THTensor_fill(z, complexNumber(0, 1e300)); });
}

struct Unary {
  const char *name;
  std::vector<decltype(&THComplexFloatTensor_exp)> kernels;
  Z (*reference)(Z);
  double allowed;
};
const Unary kUnary[] = {
    {"neg", TEST_FAMILY(complex, neg), [](Z z) { return -z; }, 0},
    {"conj", TEST_FAMILY(complex, conj), [](Z z) { return std::conj(z); }, 0},
    {"square", TEST_FAMILY(complex, square), [](Z z) { return z * z; }, 3},
    {"cinv", TEST_FAMILY(complex, cinv), [](Z z) { return Z(1) / z; }, 3},
    {"abs", TEST_FAMILY(complex, abs), [](Z z) { return Z(std::abs(z)); }, 1.5},
    {"arg", TEST_FAMILY(complex, arg), [](Z z) { return Z(std::arg(z)); }, 1},
    {"sgn", TEST_FAMILY(complex, sgn), [](Z z) { return z / std::abs(z); }, 2},
    {"sqrt", TEST_FAMILY(complex, sqrt), [](Z z) { return std::sqrt(z); }, 2},
    {"rsqrt", TEST_FAMILY(complex, rsqrt), [](Z z) { return Z(1) / std::sqrt(z); }, 4},
    {"exp", TEST_FAMILY(complex, exp), [](Z z) { return std::exp(z); }, 2},
    {"exp2", TEST_FAMILY(complex, exp2), [](Z z) { return std::exp(z * std::log(2.0L)); }, 4},
    {"expm1", TEST_FAMILY(complex, expm1), [](Z z) { return std::exp(z) - Z(1); }, 4},
    {"log", TEST_FAMILY(complex, log), [](Z z) { return std::log(z); }, 2},
    {"log1p", TEST_FAMILY(complex, log1p), [](Z z) { return std::log(Z(1) + z); }, 4},
    {"log2", TEST_FAMILY(complex, log2), [](Z z) { return std::log(z) / std::log(2.0L); }, 4},
    {"log10", TEST_FAMILY(complex, log10), [](Z z) { return std::log10(z); }, 4},
    {"sin", TEST_FAMILY(complex, sin), [](Z z) { return std::sin(z); }, 4},
    {"cos", TEST_FAMILY(complex, cos), [](Z z) { return std::cos(z); }, 4},
    {"tan", TEST_FAMILY(complex, tan), [](Z z) { return std::tan(z); }, 8},
    {"asin", TEST_FAMILY(complex, asin), [](Z z) { return std::asin(z); }, 4},
    {"acos", TEST_FAMILY(complex, acos), [](Z z) { return std::acos(z); }, 4},
    {"atan", TEST_FAMILY(complex, atan), [](Z z) { return std::atan(z); }, 4},
    {"sinh", TEST_FAMILY(complex, sinh), [](Z z) { return std::sinh(z); }, 4},
    {"cosh", TEST_FAMILY(complex, cosh), [](Z z) { return std::cosh(z); }, 4},
    {"tanh", TEST_FAMILY(complex, tanh), [](Z z) { return std::tanh(z); }, 8},
    {"asinh", TEST_FAMILY(complex, asinh), [](Z z) { return std::asinh(z); }, 4},
    {"acosh", TEST_FAMILY(complex, acosh), [](Z z) { return std::acosh(z); }, 4},
    {"atanh", TEST_FAMILY(complex, atanh), [](Z z) { return std::atanh(z); }, 4},
    // Near the zeros the rounding of pi z is all that counts.
    {"sinc", TEST_FAMILY(complex, sinc), [](Z z) { return std::sin(z * acosl(-1)) / (z * acosl(-1)); }, 64},
    {"sigmoid", TEST_FAMILY(complex, sigmoid), [](Z z) { return Z(1) / (Z(1) + std::exp(-z)); }, 8},
};

TEST(Complex, Unary) {
  for (const Unary &op : kUnary)
    for (THDtype dtype : kComplex)
      for (Layout layout : kLayouts) {
        SCOPED_TRACE(std::string(op.name) + " " + TH_dtypeName(dtype));
        const Tensor z = numbers(dtype, {30, 41}, 7, layout);
        const Tensor r(op.name == std::string("abs") || op.name == std::string("arg")
                           ? (dtype == TH_ComplexFloat ? TH_Float : TH_Double)
                           : dtype);
        op.kernels[size_t(dtype)](r, z);
        ASSERT_EQ(shapeOf(r), shapeOf(z));
        for (int64_t i = 0; i < z->numel; i++) {
          const Z want = op.reference(getComplex(z, i));
          ASSERT_LE(ulps(dtype, getComplex(r, i), want), op.allowed + 0.51) << getComplex(z, i);
        }
      }
}

TEST(Complex, AbsoluteValuesNeitherOverflowNorVanish) {
  for (const Z z : {Z(3e37L, 4e37L), Z(3e-40L, 4e-40L), Z(INFINITY, NAN), Z(NAN, -INFINITY)}) {
    const Tensor t(TH_ComplexFloat, {1}), r(TH_Float);
    setComplex(t, 0, z);
    THComplexFloatTensor_abs(r, t);
    const double got = get(r, 0), want = double(std::abs(z));
    EXPECT_TRUE(std::isinf(want) ? got == want : std::fabs(got / want - 1) < 1e-5) << z;
  }
}

TEST(Complex, Binary) {
  for (THDtype dtype : kComplex)
    for (Layout layout : kLayouts) {
      const Tensor a = numbers(dtype, {25, 33}, 3, layout), b = numbers(dtype, {33}, 4), r(dtype);
      const auto expect = [&](double allowed, const std::function<Z(Z, Z)> &reference) {
        for (int64_t i = 0; i < r->numel; i++) {
          const Z x = getComplex(a, i), y = getComplex(b, i % 33);
          const Z want = reference(x, y);  // which may be small because the operands cancel each other
          const long double size = std::max({std::abs(want), std::abs(x), std::abs(y)});
          ASSERT_LE(std::abs(getComplex(r, i) - want),
                    allowed * size * (dtype == TH_ComplexFloat ? 0x1p-23L : 0x1p-52L))
              << x << ' ' << y;
        }
      };
      const auto binary = [&](const auto &kernels) { kernels[size_t(dtype)](r, a, b); };
      TEST_FAMILY(complex, cadd)[size_t(dtype)](r, a, complexNumber(0.5, 2), b);
      expect(8, [](Z x, Z y) { return x + Z(0.5L, 2) * y; });
      TEST_FAMILY(complex, csub)[size_t(dtype)](r, a, complexNumber(1, 0), b);
      expect(1, [](Z x, Z y) { return x - y; });
      TEST_FAMILY(complex, csub)[size_t(dtype)](r, a, complexNumber(0, 1), b);
      expect(16, [](Z x, Z y) { return x - Z(0, 1) * y; });
      binary(TEST_FAMILY(complex, cmul));
      expect(3, [](Z x, Z y) { return x * y; });
      binary(TEST_FAMILY(complex, cdiv));
      expect(4, [](Z x, Z y) { return x / y; });
      binary(TEST_FAMILY(complex, cpow));
      expect(64, [](Z x, Z y) { return std::pow(x, y); });
      TEST_FAMILY(complex, addcmul)[size_t(dtype)](r, a, complexNumber(0.5, 2), a, b);
      expect(32, [](Z x, Z y) { return x + Z(0.5L, 2) * x * y; });
      TEST_FAMILY(complex, addcdiv)[size_t(dtype)](r, a, complexNumber(0.5, 2), a, b);
      expect(32, [](Z x, Z y) { return x + Z(0.5L, 2) * x / y; });
      TEST_FAMILY(complex, lerp)[size_t(dtype)](r, a, b, complexNumber(0.25, 0));
      expect(8, [](Z x, Z y) { return x + 0.25L * (y - x); });
      TEST_FAMILY(complex, lerpTensor)[size_t(dtype)](r, a, b, b);
      expect(32, [](Z x, Z y) { return x + y * (y - x); });
    }
}

TEST(Complex, Reductions) {
  for (THDtype dtype : kComplex)
    for (const Shape &shape : {Shape{0}, Shape{7}, Shape{3000}, Shape{40, 65}})
      for (Layout layout : kLayouts) {
        const Tensor t = numbers(dtype, shape, 5, layout);
        for (uint64_t dims : {TH_ALL_DIMS, uint64_t(1)}) {
          const Tensor sum(dtype), mean(dtype), product(dtype);
          TEST_FAMILY(complex, sum)[size_t(dtype)](sum, t, dims, false);
          TEST_FAMILY(complex, mean)[size_t(dtype)](mean, t, dims, false);
          TEST_FAMILY(complex, prod)[size_t(dtype)](product, t, dims, false);
          for (int64_t j = 0; j < sum->numel; j++) {
            Z s = 0, p = 1;
            const int64_t step = dims == TH_ALL_DIMS ? 1 : sum->numel;
            for (int64_t i = dims == TH_ALL_DIMS ? 0 : j; i < t->numel; i += step)
              s += getComplex(t, i), p *= getComplex(t, i);
            const double epsilon = dtype == TH_ComplexFloat ? 1e-6 : 1e-15;
            ASSERT_LE(std::abs(getComplex(sum, j) - s), 50 * epsilon * std::sqrt(double(t->numel) + 1));
            if (t->numel) {
              ASSERT_LE(std::abs(getComplex(mean, j) - s / (long double)(t->numel / sum->numel)), 50 * epsilon);
            }
            if (t->numel / sum->numel < 100) {
              ASSERT_LE(std::abs(getComplex(product, j) - p), 1e3 * epsilon * std::abs(p));
            }
          }
        }
      }
  for (const Shape &shape : {Shape{300000}, Shape{2000, 100}})
    for (THDtype dtype : kComplex)
      expectThreadIndependent([&] {
        Tensor r(dtype);
        TEST_FAMILY(complex, sum)[size_t(dtype)](r, numbers(dtype, shape, 6), 1, false);
        return r;
      });
}

TEST(Complex, Products) {
  for (THDtype dtype : kComplex)
    for (Layout layout : kLayouts)
      for (const auto &[m, k, n] : {std::tuple{3, 4, 5}, {1, 7, 6}, {6, 7, 1}, {2, 0, 3}, {40, 50, 60}}) {
        const Tensor a = numbers(dtype, {m, k}, 8, layout), b = numbers(dtype, {k, n}, 9, layout);
        const Tensor t = numbers(dtype, {m, n}, 10), r(dtype);
        TEST_FAMILY(complex, addmm)[size_t(dtype)](r, complexNumber(0, 2), t, complexNumber(1, -1), a, b);
        for (int64_t i = 0; i < m; i++)
          for (int64_t j = 0; j < n; j++) {
            Z want = 0;
            for (int64_t l = 0; l < k; l++) want += getComplex(a, i * k + l) * getComplex(b, l * n + j);
            want = Z(0, 2) * getComplex(t, i * n + j) + Z(1, -1) * want;
            ASSERT_LE(std::abs(getComplex(r, i * n + j) - want), dtype == TH_ComplexFloat ? 1e-3 : 1e-12);
          }
        const Tensor x = numbers(dtype, {k}, 11, layout), y = numbers(dtype, {k}, 12), d(dtype);
        TEST_FAMILY(complex, dot)[size_t(dtype)](d, x, y);
        Z want = 0;
        for (int64_t l = 0; l < k; l++) want += getComplex(x, l) * getComplex(y, l);
        ASSERT_LE(std::abs(getComplex(d, 0) - want), dtype == TH_ComplexFloat ? 1e-3 : 1e-12);
      }
}

TEST(Complex, PartsMakeNumbers) {
  const Tensor real = random(TH_Double, {20, 1}, 1), imag = random(TH_Double, {30}, 2), r(TH_ComplexDouble);
  THComplexDoubleTensor_fromParts(r, real, imag);
  ASSERT_EQ(shapeOf(r), (Shape{20, 30}));
  for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(getComplex(r, i), Z(get(real, i / 30), get(imag, i % 30)));
  THComplexDoubleTensor_fromPolar(r, real, imag);
  for (int64_t i = 0; i < r->numel; i++) {
    const Z want = std::polar(1.0L, (long double)get(imag, i % 30)) * (long double)get(real, i / 30);
    ASSERT_LE(std::abs(getComplex(r, i) - want), 1e-15);
  }
}

TEST(Complex, Truth) {
  for (THDtype dtype : kComplex) {
    const Tensor z(dtype, {5}), any(TH_Bool), nonzero(TH_Long), no(TH_Bool);
    THTensor_zero(z);
    setComplex(z, 1, {0, 1});
    setComplex(z, 3, {-0.0L, -0.0L});
    TEST_FAMILY(complex, any)[size_t(dtype)](any, z, TH_ALL_DIMS, false);
    EXPECT_EQ(get(any, 0), 1);
    THTensor_nonzero(nonzero, z);
    EXPECT_EQ(values(nonzero), std::vector<double>{1});
    TEST_FAMILY(complex, logicalNot)[size_t(dtype)](no, z);
    EXPECT_EQ(values(no), (std::vector<double>{1, 0, 1, 1, 1}));
    EXPECT_TRUE(THTensor_equal(z, z));
  }
}

TEST(Complex, Random) {
  THGenerator *generator = THGenerator_new();
  for (THDtype dtype : kComplex) {
    const Tensor t(dtype, {100000});
    TEST_FAMILY(complex, normal)[size_t(dtype)](t, generator, 0, 2);
    long double real = 0, imag = 0, both = 0;
    for (int64_t i = 0; i < t->numel; i++) {
      const Z z = getComplex(t, i);
      real += z.real() * z.real(), imag += z.imag() * z.imag(), both += z.real() * z.imag();
    }
    EXPECT_NEAR(double(real) / 1e5, 2, 0.1);
    EXPECT_NEAR(double(imag) / 1e5, 2, 0.1);
    EXPECT_NEAR(double(both) / 1e5, 0, 0.1);
  }
  THGenerator_free(generator);
}

}  // namespace
