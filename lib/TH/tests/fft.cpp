// Fourier transforms against their definition in long double; pieces that are added up; what is refused.
#include <complex>
#include <numbers>

#include "tensors.hpp"

using namespace test;

namespace {

using Z = std::complex<long double>;

Z getComplex(const THTensor *t, int64_t i) {
  const auto of = [](auto z) { return Z(z.real(), z.imag()); };
  if (t->dtype == TH_ComplexFloat) return of(*static_cast<THComplexFloat *>(address(t, i)));
  if (t->dtype == TH_ComplexDouble) return of(*static_cast<THComplexDouble *>(address(t, i)));
  return Z(get(t, i));
}

// Element k of the transform of n elements of line `line`: of what the tensor has, and zeros. `last`: lines lie along
// dimension 1 of two, else along 0. A mirrored line continues as its own conjugate.
Z defined(const THTensor *t, bool last, int64_t line, int64_t n, int64_t k, bool forward, bool mirrored = false) {
  const int64_t size = t->size[last], turn = forward ? -1 : 1;
  const auto element = [&](int64_t j) {
    return j >= size ? Z(0) : getComplex(t, last ? line * size + j : j * t->size[1] + line);
  };
  Z sum = 0;
  for (int64_t j = 0; j < n; j++) {
    Z x = !mirrored || j <= n / 2 ? element(j) : std::conj(element(n - j));
    if (mirrored && (j == 0 || 2 * j == n)) x = x.real();
    const long double angle = 2 * std::numbers::pi_v<long double> * (long double)(j * k % n) / (long double)n;
    sum += x * Z(std::cos(angle), (long double)turn * std::sin(angle));
  }
  return sum;
}

struct Kernels {
  THDtype real, complex;
  decltype(&THComplexFloatTensor_fftC2C) c2c;
  decltype(&THComplexFloatTensor_fftR2C) r2c;
  decltype(&THComplexFloatTensor_fftC2R) c2r;
  long double tolerance;
};
const Kernels all[] = {
    {TH_Float, TH_ComplexFloat, THComplexFloatTensor_fftC2C, THComplexFloatTensor_fftR2C, THComplexFloatTensor_fftC2R,
     4e-6L},
    {TH_Double, TH_ComplexDouble, THComplexDoubleTensor_fftC2C, THComplexDoubleTensor_fftR2C,
     THComplexDoubleTensor_fftC2R, 8e-15L},
};

Tensor numbers(THDtype dtype, const Shape &shape, uint64_t seed) {
  Tensor t(dtype, shape);
  for (int64_t i = 0; i < t->numel; i++) set(t, i, 2 * noise(i, seed) - 1);
  return t;
}

TEST(Fft, AgreesWithItsDefinition) {
  for (const Kernels &k : all)
    for (const int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16, 30, 32, 63, 64, 67, 100, 128, 139, 200, 256, 509})
      for (const int64_t lines : {1, 2, 11})
        for (const bool last : {true, false}) {
          const int64_t given = n > 6 ? n - 3 * (lines % 2) : n + 2;  // cut, and continued with zeros
          const Shape shape = last ? Shape{lines, given} : Shape{given, lines};
          const Tensor z = numbers(k.complex, shape, 1), x = numbers(k.real, shape, 2);
          const Tensor full(k.complex), half(k.complex), both(k.complex), real(k.real);
          const bool forward = n % 3;
          k.c2c(full, z, last, n, forward, 0.5);
          k.r2c(half, x, last, n, forward, 1, true);
          k.r2c(both, x, last, n, forward, 1, false);
          k.c2r(real, z, last, n, forward, 1);
          EXPECT_EQ(shapeOf(half), last ? (Shape{lines, n / 2 + 1}) : (Shape{n / 2 + 1, lines}));
          EXPECT_EQ(shapeOf(real), last ? (Shape{lines, n}) : (Shape{n, lines}));
          long double worst = 0;
          const int64_t stride = std::max<int64_t>(1, n / 50);
          for (int64_t line = 0; line < lines; line += 5)
            for (int64_t j = 0; j < n; j += stride) {
              const auto at = [&](const THTensor *t) { return last ? line * t->size[1] + j : j * t->size[1] + line; };
              const Z transform = defined(x, last, line, n, j, forward);
              worst = std::max(worst,
                               std::abs(getComplex(full, at(full)) - 0.5L * defined(z, last, line, n, j, forward)));
              worst = std::max(worst, std::abs(getComplex(both, at(both)) - transform));
              if (j <= n / 2) worst = std::max(worst, std::abs(getComplex(half, at(half)) - transform));
              worst = std::max(worst,
                               std::abs(getComplex(real, at(real)) - defined(z, last, line, n, j, forward, true)));
            }
          EXPECT_LE(worst, k.tolerance * std::sqrt((long double)n)) << n << " " << lines << " " << last;
        }
}

TEST(Fft, WorksInPlace) {
  const Tensor z = numbers(TH_ComplexDouble, {9, 64}, 3), wanted(TH_ComplexDouble);
  for (int dim : {0, 1}) {
    THComplexDoubleTensor_fftC2C(wanted, z, dim, z->size[dim], true, 1);
    const Tensor own(THTensor_newClone(z));
    THComplexDoubleTensor_fftC2C(own, own, dim, z->size[dim], true, 1);
    for (int64_t i = 0; i < z->numel; i++) EXPECT_EQ(getComplex(own, i), getComplex(wanted, i));
  }
}

TEST(Fft, RefusesWhatCannotBe) {
  const Tensor z = numbers(TH_ComplexFloat, {3, 4}, 3), r(TH_ComplexFloat, {2}), real(TH_Float, {2});
  EXPECT_THROW(THComplexFloatTensor_fftC2C(r, z, 1, 0, true, 1), th::Exception);
  EXPECT_THROW(THComplexFloatTensor_fftC2C(r, z, 2, 4, true, 1), th::Exception);
  EXPECT_THROW(THComplexFloatTensor_fftC2C(real, z, 1, 4, true, 1), th::Exception);
  EXPECT_THROW(THComplexFloatTensor_fftR2C(r, z, 1, 4, true, 1, true), th::Exception);
  EXPECT_THROW(THComplexFloatTensor_fftC2R(r, z, 1, 4, true, 1), th::Exception);
  EXPECT_EQ(shapeOf(r), Shape{2});
  EXPECT_EQ(shapeOf(real), Shape{2});
  const Tensor part(THTensor_newNarrow(z, 1, 1, 3));  // shares memory, but is another tensor
  EXPECT_THROW(THComplexFloatTensor_fftC2C(part, z, 1, 3, true, 1), th::Exception);
}

TEST(Fft, AddsPiecesUp) {
  for (const int64_t hop : {1, 2, 5, 7}) {
    const Tensor t = numbers(TH_Double, {3, 2000, 5}, 5), r(TH_Double);
    THDoubleTensor_overlapAdd(r, t, hop);
    ASSERT_EQ(shapeOf(r), (Shape{3, 5 + 1999 * hop}));
    std::vector<double> wanted(r->numel);
    for (int64_t s = 0; s < 3; s++)
      for (int64_t p = 0; p < 2000; p++)
        for (int64_t i = 0; i < 5; i++) wanted[s * r->size[1] + p * hop + i] += get(t, (s * 2000 + p) * 5 + i);
    for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(r, i), wanted[i]) << hop << " " << i;
  }
}

}  // namespace
