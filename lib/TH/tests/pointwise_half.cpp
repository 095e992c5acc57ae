// Pointwise operators of half types, to the bit.
#include "exact.hpp"

using namespace test;

namespace {

// Half types compute in float: numbers that come as one element keep their precision.
TEST(Pointwise, NumbersInHalf) {
  Tensor r(TH_Half);
  const Tensor h = of(TH_Half, {0.1}), tenth(THTensor_newWithScalar(TH_Double, number(0.1)));
  Tensor equal(TH_Bool);
  THHalfTensor_eqTensor(equal, h, tenth);  // comparisons round the number first
  EXPECT_EQ(get(equal, 0), 1);
  const Tensor big = of(TH_Half, {1024}), factor(THTensor_newWithScalar(TH_Double, number(1.0004)));
  THHalfTensor_cmul(r, big, factor);  // 1024.41 rounds to 1024; 1.0004 alone would round to 1
  EXPECT_EQ(get(r, 0), double(float(th::half(1024 * 1.0004f))));
}

// Arithmetic of half types, to the bit: what float makes of them, rounded once. Each bit pattern meets some others.
template <class H>
void checkHalves(THDtype dtype) {
  constexpr int n = 1 << 16;
  const auto pattern = [&](uint32_t factor, uint32_t first) {
    Tensor t(dtype, {n});
    for (uint32_t i = 0; i < n; i++) static_cast<H *>(THTensor_data(t))[i].bits = uint16_t(i * factor + first);
    return t;
  };
  const auto expect = [](const THTensor *r, const THTensor *a, const THTensor *b, float (*op)(float, float)) {
    for (int64_t i = 0; i < r->numel; i++) {
      const float x = float(get(a, i % a->numel)), y = float(get(b, i % b->numel)), want = op(x, y);
      const H got = *static_cast<const H *>(address(r, i));
      if (std::isnan(want))
        ASSERT_TRUE(std::isnan(float(got))) << x << ", " << y;
      else
        ASSERT_EQ(got.bits, H::encode(want)) << x << ", " << y;
    }
  };
  static const auto add = TEST_FAMILY(all, cadd);
  static const auto subtract = TEST_FAMILY(number, csub);
  static const auto multiply = TEST_FAMILY(all, cmul);
  static const auto divide = TEST_FAMILY(floating, cdiv);
  struct {
    void (*kernel)(size_t, THTensor *, const THTensor *, const THTensor *);
    float (*op)(float, float);
  } const cases[] = {
      {[](size_t d, THTensor *r, const THTensor *a, const THTensor *b) { add[d](r, a, number(1), b); },
       [](float a, float b) { return a + b; }},
      {[](size_t d, THTensor *r, const THTensor *a, const THTensor *b) { add[d](r, a, number(0.7), b); },
       [](float a, float b) {
         const float product = 0.7f * b;
         return a + product;
       }},
      {[](size_t d, THTensor *r, const THTensor *a, const THTensor *b) { subtract[d](r, a, number(1), b); },
       [](float a, float b) { return a - b; }},
      {[](size_t d, THTensor *r, const THTensor *a, const THTensor *b) { multiply[d](r, a, b); },
       [](float a, float b) { return a * b; }},
      {[](size_t d, THTensor *r, const THTensor *a, const THTensor *b) { divide[d](r, a, b); },
       [](float a, float b) { return a / b; }},
  };
  const Tensor a = pattern(1, 0), b = pattern(40503, 77), factor = of(TH_Float, {1.0004f});
  for (const auto &c : cases) {
    const Tensor r(dtype);
    for (const Tensor &other : {pattern(40503, 77), pattern(1, 1), pattern(3, 0x3c00)}) {
      c.kernel(dtype, r, a, other);
      expect(r, a, other, c.op);
    }
    c.kernel(dtype, r, a, factor);
    expect(r, a, factor, c.op);
    c.kernel(dtype, r, factor, a);
    expect(r, factor, a, c.op);
    for (int64_t length = 1; length < 40; length++) {  // the element after the last one stays
      const Tensor long_ = make(dtype, {length + 1}, [](int64_t) { return 42; });
      const Tensor out(THTensor_newNarrow(long_, 0, 0, length)), x(THTensor_newNarrow(a, 0, 15000 + length, length)),
          y(THTensor_newNarrow(b, 0, 9, length)), one(THTensor_newNarrow(a, 0, 16000, 1));
      c.kernel(dtype, out, x, y);
      expect(out, x, y, c.op);
      c.kernel(dtype, out, x, one);
      expect(out, x, one, c.op);
      EXPECT_EQ(get(long_, length), 42);
    }
    // A column against rows; every other element; in place.
    const Tensor square(THTensor_newNarrow(a, 0, 14000, 900)), few(THTensor_newNarrow(b, 0, 500, 30));
    const int64_t shape[] = {30, 30}, column[] = {30, 1};
    const Tensor rows(THTensor_newView(square, 2, shape)), columns(THTensor_newView(few, 2, column));
    const Tensor repeated(THTensor_newExpand(columns, 2, shape));
    c.kernel(dtype, r, rows, columns);
    expect(r, rows, relayout(repeated, Layout::contiguous), c.op);
    c.kernel(dtype, r, relayout(rows, Layout::gapped), rows);
    expect(r, rows, rows, c.op);
    const Tensor self = relayout(square, Layout::contiguous);
    c.kernel(dtype, self, self, square);
    expect(self, square, square, c.op);
  }
}
TEST(Pointwise, ArithmeticOfHalf) { checkHalves<th::half>(TH_Half); }
TEST(Pointwise, ArithmeticOfBFloat16) { checkHalves<th::bfloat16>(TH_BFloat16); }

}  // namespace
