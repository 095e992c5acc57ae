// The dtype table and the lists derived from it; 16-bit types, exhaustively.
#include <set>

#include "tensors.hpp"

using namespace test;

namespace {

#define ITEM(Name, type, kind, kernels, name, alias) TH_##kernels,
constexpr THDtype kKernels[] = {TH_DTYPES(ITEM)};
#undef ITEM

// Those that have kernels.
std::set<int> rows(std::initializer_list<THKind> kinds) {
  std::set<int> found;
  for (int d = 0; d < TH_NUM_DTYPES; d++)
    for (THKind kind : kinds)
      if (TH_kind(THDtype(d)) == kind && kKernels[d] == d) found.insert(d);
  return found;
}

TEST(Dtype, ListsAgreeWithTable) {
#define ITEM(Name, ...) TH_##Name,
  EXPECT_EQ((std::set<int> { TH_FOR_floating(ITEM, ) }), rows({TH_KIND_float}));
  EXPECT_EQ((std::set<int> { TH_FOR_integral(ITEM, ) }), rows({TH_KIND_int}));
  EXPECT_EQ((std::set<int> { TH_FOR_number(ITEM, ) }), rows({TH_KIND_int, TH_KIND_float}));
  EXPECT_EQ((std::set<int> { TH_FOR_bits(ITEM, ) }), rows({TH_KIND_bool, TH_KIND_int}));
  EXPECT_EQ((std::set<int> { TH_FOR_all(ITEM, ) }), rows({TH_KIND_bool, TH_KIND_int, TH_KIND_float}));
  EXPECT_EQ((std::set<int>{TH_FOR_complex(ITEM, )}), rows({TH_KIND_complex}));
  EXPECT_EQ((std::set<int>{TH_FOR_floating_complex(ITEM, )}), rows({TH_KIND_float, TH_KIND_complex}));
  EXPECT_EQ((std::set<int>{TH_FOR_number_complex(ITEM, )}), rows({TH_KIND_int, TH_KIND_float, TH_KIND_complex}));
  EXPECT_EQ((std::set<int>{TH_FOR_all_complex(ITEM, )}),
            rows({TH_KIND_bool, TH_KIND_int, TH_KIND_float, TH_KIND_complex}));
#undef ITEM
}

// What computes for a stored dtype has kernels and is of its kind; bits wrap in as many of them, numbers fit.
TEST(Dtype, StoredOnesHaveKernelsOfOthers) {
  for (int d = 0; d < TH_NUM_DTYPES; d++) {
    const THDtype dtype = THDtype(d), by = kKernels[d];
    SCOPED_TRACE(TH_dtypeName(dtype));
    EXPECT_EQ(kKernels[by], by);
    EXPECT_EQ(TH_kind(by), TH_kind(dtype));
    if (TH_kind(dtype) == TH_KIND_int)
      EXPECT_EQ(TH_elementSize(by), TH_elementSize(dtype));
    else
      EXPECT_GE(TH_finfoMax(by), TH_finfoMax(dtype));
  }
}

TEST(Dtype, Questions) {
  EXPECT_EQ(TH_realDtype(TH_ComplexHalf), TH_Half);
  EXPECT_EQ(TH_realDtype(TH_ComplexFloat), TH_Float);
  EXPECT_EQ(TH_realDtype(TH_ComplexDouble), TH_Double);
  EXPECT_EQ(TH_realDtype(TH_UInt16), TH_UInt16);
  EXPECT_EQ(TH_elementSize(TH_BFloat16), 2u);
  EXPECT_EQ(TH_elementSize(TH_Bool), 1u);
  EXPECT_STREQ(TH_dtypeName(TH_Float), "float32");
  EXPECT_STREQ(TH_typeName(TH_Long), "Long");
}

// The value of a half by its definition.
double halfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                           : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                          : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Dtype, HalfEveryPattern) {
  for (int b = 0; b < 65536; b++) {
    const double expected = halfValue(uint16_t(b));
    const float f = th::half::decode(uint16_t(b));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(f));
      EXPECT_TRUE(std::isnan(th::half::decode(th::half::encode(f))));
    } else {
      ASSERT_EQ(double(f), expected) << b;
      ASSERT_EQ(th::half::encode(f), b);
    }
  }
}

// Between two neighbours: the nearer, or the even one. At every half and at every middle.
TEST(Dtype, HalfRounds) {
  for (int b = 0; b < 0x7c00; b++) {
    const double low = halfValue(uint16_t(b)), high = b == 0x7bff ? 65536 : halfValue(uint16_t(b + 1));
    const float middle = float((low + high) / 2);
    ASSERT_EQ(double(middle), (low + high) / 2);
    ASSERT_EQ(th::half::encode(middle), b + (b & 1)) << b;
    ASSERT_EQ(th::half::encode(std::nextafter(middle, 0.f)), b);
    ASSERT_EQ(th::half::encode(std::nextafter(middle, 1e9f)), b + 1);
    ASSERT_EQ(th::half::encode(-middle), 0x8000 | (b + (b & 1)));
  }
}

TEST(Dtype, BFloat16EveryPattern) {
  for (int b = 0; b < 65536; b++) {
    const float f = th::bfloat16(std::bit_cast<th::bfloat16>(uint16_t(b)));
    ASSERT_EQ(std::bit_cast<uint32_t>(f), uint32_t(b) << 16);
    const uint16_t back = th::bfloat16::encode(f);
    if (std::isnan(f))
      ASSERT_TRUE(std::isnan(float(th::bfloat16(f))));
    else
      ASSERT_EQ(back, b);
  }
  EXPECT_EQ(th::bfloat16::encode(std::bit_cast<float>(0x3f808000u)), 0x3f80);  // ties to even
  EXPECT_EQ(th::bfloat16::encode(std::bit_cast<float>(0x3f818000u)), 0x3f82);
  EXPECT_EQ(th::bfloat16::encode(std::bit_cast<float>(0x3f808001u)), 0x3f81);
  EXPECT_EQ(th::bfloat16::encode(std::numeric_limits<float>::max()), 0x7f80);
}

// Every code by its definition, and every middle between two neighbours, which goes to the even one.
template <class F>
void checkFloat8(int fraction, int bias, int end) {
  const auto value = [&](int code) {
    const int exponent = code >> fraction, rest = code & ((1 << fraction) - 1);
    return exponent ? std::ldexp((1 << fraction) + rest, exponent - bias - fraction)
                    : std::ldexp(rest, 1 - bias - fraction);
  };
  for (int code = 0; code < 128; code++) {
    const float f = F::decode(uint8_t(code)), minus = F::decode(uint8_t(code | 0x80));
    if (code >= end) {
      EXPECT_TRUE(std::isnan(f) || (std::isinf(f) && code == end && fraction == 2)) << code;
      EXPECT_FALSE(std::isfinite(minus));
      continue;
    }
    ASSERT_EQ(double(f), value(code)) << code;
    ASSERT_EQ(F::encode(f), code);
    if (code || end < 0x80) {
      ASSERT_EQ(double(minus), -value(code)) << code;
      ASSERT_EQ(F::encode(minus), code | 0x80);
    }
    if (code + 1 == end) break;
    const float middle = float((value(code) + value(code + 1)) / 2);
    ASSERT_EQ(F::encode(middle), code + (code & 1)) << code;
    ASSERT_EQ(F::encode(std::nextafter(middle, 0.f)), code);
    ASSERT_EQ(F::encode(std::nextafter(middle, 1e9f)), code + 1);
  }
  EXPECT_TRUE(std::isnan(F::decode(F::encode(NAN))));
}
TEST(Dtype, Float8EveryPattern) {
  checkFloat8<th::float8_e4m3fn>(3, 7, 0x7f);
  checkFloat8<th::float8_e5m2>(2, 15, 0x7c);
  checkFloat8<th::float8_e4m3fnuz>(3, 8, 0x80);
  checkFloat8<th::float8_e5m2fnuz>(2, 16, 0x80);
}

TEST(Dtype, Float8BeyondTheLargest) {
  for (float x : {464.5f, 1e9f, INFINITY}) {
    EXPECT_EQ(th::float8_e4m3fn::encode(x), 0x7e);  // the largest number: there is no infinity
    EXPECT_EQ(th::float8_e4m3fn::encode(-x), 0xfe);
    EXPECT_EQ(th::float8_e4m3fnuz::encode(x), 0x80);  // NaN
  }
  EXPECT_EQ(th::float8_e5m2::encode(61440), 0x7c);  // the middle between the largest and what would follow
  EXPECT_EQ(th::float8_e5m2::encode(61439), 0x7b);
  EXPECT_EQ(th::float8_e5m2fnuz::encode(61440), 0x80);
  EXPECT_EQ(th::float8_e5m2fnuz::encode(-1e-9f), 0);  // no negative zero
}

// All integers up to 2^digits are elements, the next one is none; nothing finite lies beyond the greatest number.
// Half the smallest one has fewer digits; what lies next above it has not.
TEST(Dtype, DigitsAndEnds) {
  for (int d = 0; d < TH_NUM_DTYPES; d++) {
    const THDtype dtype = THDtype(d);
    SCOPED_TRACE(TH_dtypeName(dtype));
    const int digits = TH_digits(dtype);
    if (TH_kind(dtype) < TH_KIND_float) {
      EXPECT_EQ(digits, dtype == TH_Bool ? 1 : int(8 * TH_elementSize(dtype)) - (TH_dtypeName(dtype)[0] == 'i'));
      EXPECT_EQ(TH_finfoMax(dtype), double(std::ldexp(1.0L, digits) - 1));
      EXPECT_EQ(TH_smallest(dtype), 1);
      continue;
    }
    const double end = std::ldexp(1.0, digits), top = TH_finfoMax(dtype);
    const Tensor x = of(dtype, {end - 1, end, end + 1, top, 2 * top});
    EXPECT_EQ(get(x, 0), end - 1);
    EXPECT_EQ(get(x, 1), end);
    EXPECT_NE(get(x, 2) - end, 1);
    EXPECT_EQ(get(x, 3), top);
    EXPECT_TRUE(std::isfinite(top) && !(std::isfinite(get(x, 4)) && get(x, 4) > top));
    const double least = TH_smallest(dtype), next = least * (1 + std::ldexp(1.0, 1 - digits));
    const Tensor y = of(dtype, {least, next, next / 2});
    EXPECT_EQ(get(y, 0), least);
    EXPECT_EQ(get(y, 1), next);
    if (digits < 53) EXPECT_NE(get(y, 2), next / 2);
  }
}

TEST(Dtype, NumbersBeyondInt64) {
  const uint64_t most = ~uint64_t(0);
  const THScalar number{TH_KIND_uint, {.u = most}, 0};
  const Tensor wide(TH_UInt64, {2}), twofold(TH_Double, {1}), truth(TH_Bool, {1});
  THTensor_fill(wide, number);
  THTensor_fill(twofold, number);
  THTensor_fill(truth, number);
  EXPECT_EQ(*static_cast<uint64_t *>(address(wide, 1)), most);
  EXPECT_EQ(get(twofold, 0), 0x1p64);
  EXPECT_EQ(get(truth, 0), 1);
  const THScalar item = THTensor_item(Tensor(THTensor_newSelect(wide, 0, 0)));
  EXPECT_EQ(item.kind, TH_KIND_uint);
  EXPECT_EQ(item.value.u, most);
  THTensor_fill(wide, THScalar{TH_KIND_int, {.i = INT64_MAX}, 0});
  EXPECT_EQ(THTensor_item(Tensor(THTensor_newSelect(wide, 0, 0))).kind, TH_KIND_int);
  for (THDtype dtype : {TH_Byte, TH_Int, TH_Long, TH_UInt32, TH_Half}) {
    const Tensor narrow = of(dtype, {3, 3});
    expectRaises(TH_ERROR_RUNTIME, "without overflow", [&] { THTensor_fill(narrow, number); });
    EXPECT_EQ(get(narrow, 0), 3);
  }
  const Tensor x = of(TH_Long, {1}), y = of(TH_Float, {1});
  expectRaises(TH_ERROR_RUNTIME, "int64_t without overflow", [&] { THLongTensor_csub(x, x, number, x); });
  THFloatTensor_csub(y, y, number, y);
  EXPECT_EQ(get(y, 0), -0x1p64);
}

// The vector instructions that convert runs agree with the scalar definition, and stop where the run ends.
template <class H>
void checkRuns(THDtype dtype) {
  constexpr int n = 1 << 16;
  Tensor floats(TH_Float, {n}), halves(dtype, {n});
  auto *f = static_cast<float *>(THTensor_data(floats));
  auto *h = static_cast<H *>(THTensor_data(halves));
  // 0x8000, 0x1000: what lies in the middle between two bfloat16, two halves
  for (uint32_t step : {65537u, 1u, 4099u, 0x8000u, 0x1000u}) {
    const uint32_t first = step == 1 ? 0x38000000u : step == 0x1000u ? 0x3fff0000u : 0;
    for (uint32_t i = 0; i < n; i++) f[i] = std::bit_cast<float>(first + i * step);
    THTensor_copy(halves, floats);
    for (int i = 0; i < n; i++) {
      if (std::isnan(f[i]))
        ASSERT_TRUE(std::isnan(float(h[i])));
      else
        ASSERT_EQ(h[i].bits, H::encode(f[i])) << f[i];
    }
  }
  for (int length = 0; length < 70; length++) {
    for (int i = 0; i < n; i++) h[i].bits = 0x1234;
    THTensor_copy(Tensor(THTensor_newNarrow(halves, 0, 3, length)), Tensor(THTensor_newNarrow(floats, 0, 5, length)));
    for (int i = 0; i < 80; i++) ASSERT_EQ(h[i].bits, i < 3 || i >= 3 + length ? 0x1234 : H::encode(f[i + 2]));
  }
  for (int i = 0; i < n; i++) h[i].bits = uint16_t(i);
  THTensor_copy(floats, halves);
  for (int i = 0; i < n; i++) {
    const float expected = h[i];
    ASSERT_TRUE(f[i] == expected || (std::isnan(f[i]) && std::isnan(expected))) << i;
  }
}
TEST(Dtype, HalfRuns) { checkRuns<th::half>(TH_Half); }
TEST(Dtype, BFloat16Runs) { checkRuns<th::bfloat16>(TH_BFloat16); }

}  // namespace
