// Copies: every pair of dtypes, layouts, broadcasting, clones.
#include "exact.hpp"

using namespace test;

namespace {

// A double becomes `d` as the x86 instructions do it (scalar.hpp in src has the words).
long double converted(THDtype to, long double x, THDtype from) {
  if (to == TH_Bool) return x != 0;
  if (isInteger(to)) {
    if (TH_kind(from) < TH_KIND_float) return wrap(to, __int128(x));
    if (to == TH_UInt64 && !(x >= -0x1p63L && x < 0x1p63L))
      return x >= 0x1p64L ? 0 : x >= 0x1p63L ? uint64_t(x) : 0x1p63L;
    const bool wide = to == TH_Long || to == TH_UInt32 || to == TH_UInt64 ||
                      (to == TH_Byte && (from == TH_Double || from == TH_ComplexDouble));
    const long double limit = wide ? 0x1p63L : 0x1p31L;
    return wrap(to, x >= -limit && x < limit ? __int128(x) : -__int128(limit));
  }
  // To a half type by float, as torch; double rounding and all.
  if (to == TH_Half) return float(th::half(float(x)));
  if (to == TH_BFloat16) return float(th::bfloat16(float(x)));
  if (to == TH_Float8_e4m3fn) return float(th::float8_e4m3fn(float(x)));
  if (to == TH_Float8_e5m2) return float(th::float8_e5m2(float(x)));
  if (to == TH_Float8_e4m3fnuz) return float(th::float8_e4m3fnuz(float(x)));
  if (to == TH_Float8_e5m2fnuz) return float(th::float8_e5m2fnuz(float(x)));
  if (to == TH_ComplexHalf) return float(th::half(float(x)));
  return to == TH_Float || to == TH_ComplexFloat ? (long double)float(x) : (long double)double(x);
}

const double kSpecial[] = {0,     -0.0,     1,          -1,           0.5,  -0.5,  1.5,    -1.5, 127,   128,
                           -128,  -129,     255,        256,          300,  -300,  1e4,    -1e4, 32768, 65504,
                           65520, 7e4,      2147483520, 2147483648.0, -3e9, 3e9,   1e10,   1e19, -1e19, 1e30,
                           1e-8,  INFINITY, -INFINITY,  NAN,          3.14, 1e300, 5e-324, 6e-5};

TEST(Copy, EveryPairOfDtypes) {
  const int64_t special = int64_t(std::size(kSpecial));
  for (int from = 0; from < TH_NUM_DTYPES; from++) {
    // Long enough for vectors, blocks and what is left over; 1200 = 24 * 50.
    const Tensor source = make(THDtype(from), {24, 50}, [&](int64_t i) {
      const double x = i < special ? kSpecial[i] : (noise(i) - 0.5) * std::ldexp(1, int(i % 40));
      const double top = largest(THDtype(from));
      return TH_kind(THDtype(from)) >= TH_KIND_float ? x
             : std::isnan(x) ? 0
                             : std::floor(std::min(std::max(x, isSigned(THDtype(from)) ? -top : 0), top));
    });
    for (int to = 0; to < TH_NUM_DTYPES; to++)
      for (Layout in : kLayouts)
        for (Layout out : kLayouts) {
          const Tensor s = relayout(source, in), r = uninitialised(THDtype(to), {24, 50}, out);
          THTensor_copy(r, s);
          for (int64_t i = 0; i < r->numel; i++) {
            const long double want = converted(THDtype(to), exact(s, i), THDtype(from)), got = exact(r, i);
            ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want)))
                << TH_dtypeName(THDtype(from)) << " to " << TH_dtypeName(THDtype(to)) << ", element " << i << ": "
                << exact(s, i) << " became " << got << ", not " << want;
          }
          if (out == Layout::gapped) continue;
        }
  }
}

TEST(Copy, LeavesTheRestAlone) {
  const Tensor all = make(TH_Short, {6, 7}, [](int64_t) { return -1; });
  const Tensor middle(THTensor_newSlice(Tensor(THTensor_newNarrow(all, 0, 1, 4)), 1, 1, 7, 2));
  THTensor_copy(middle, random(TH_Float, {4, 3}));
  THTensor_fill(middle, number(7));
  for (int64_t i = 0; i < all->numel; i++) {
    const int64_t row = i / 7, column = i % 7;
    EXPECT_EQ(get(all, i), row >= 1 && row < 5 && column % 2 == 1 ? 7 : -1);
  }
}

TEST(Copy, Broadcasts) {
  const Tensor r(TH_Double, {3, 4, 5});
  for (const Shape &shape : {Shape{}, Shape{5}, Shape{4, 1}, Shape{3, 1, 5}, Shape{1, 1, 1}, Shape{3, 4, 5}}) {
    const Tensor s = random(TH_Float, shape);
    THTensor_copy(r, s);
    const Tensor wide(THTensor_newExpand(s, 3, r->size));
    for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(r, i), get(wide, i));
  }
}

// Large enough to go by tiles, and not a multiple of them.
TEST(Copy, BigTransposed) {
  const Tensor t = random(TH_Float, {1030, 1100}), view(THTensor_newTranspose(t, 0, 1));
  expectThreadIndependent([&] { return Tensor(THTensor_newContiguous(view)); });
  const Tensor c(THTensor_newContiguous(view)), d(TH_Double, {2, 550, 1030});
  expectSame(c, view);
  EXPECT_TRUE(THTensor_isContiguous(c));
  const int64_t size[] = {2, 550, 1030};
  const Tensor split(THTensor_newView(view, 3, size));
  THTensor_copy(d, split);
  for (int64_t i = 0; i < d->numel; i += 7) ASSERT_EQ(get(d, i), get(split, i));
  THDoubleTensor_cmul(d, split, d);
  for (int64_t i = 0; i < d->numel; i += 7) ASSERT_EQ(get(d, i), get(split, i) * get(split, i));
}

// Whole tiles and what is left of them, results that go past the caches, rows that do not begin at a line of them,
// powers of two; every width of an element.
TEST(Copy, TransposedOfEveryWidth) {
  const struct {
    Shape shape;
    std::vector<int64_t> order;
  } cases[] = {{{64, 64}, {1, 0}},
               {{65, 127}, {1, 0}},
               {{1024, 1024}, {1, 0}},
               {{1023, 1025}, {1, 0}},
               {{16, 4100}, {1, 0}},
               {{2, 33, 7, 19}, {0, 2, 3, 1}},
               {{3, 9, 11, 40}, {0, 3, 1, 2}},
               {{17, 3, 2, 50}, {3, 0, 2, 1}},
               {{4, 16, 16, 16}, {2, 1, 3, 0}}};
  for (const THDtype dtype : {TH_Byte, TH_Half, TH_Float, TH_Double, TH_ComplexFloat, TH_ComplexDouble})
    for (const auto &[shape, order] : cases)
      for (const int64_t skipped : {0, 1}) {
        if (shape[0] > 1000 && dtype != TH_Float) continue;  // large enough to go past the caches, and slow to compare
        const Tensor all = random(dtype, {skipped + TH_numel(int(shape.size()), shape.data())});
        const Tensor tail(THTensor_newNarrow(all, 0, skipped, all->numel - skipped));
        const Tensor source(THTensor_newView(tail, int(shape.size()), shape.data()));
        const Tensor view(THTensor_newPermute(source, int(order.size()), order.data()));
        const Tensor result(THTensor_newContiguous(view));
        ASSERT_TRUE(THTensor_isContiguous(result));
        expectSame(result, view);
        if (HasFatalFailure()) return;
      }
}

// Vectors of one element and what is left of them, and nothing beside.
TEST(Copy, FillsOfEveryWidth) {
  for (const THDtype dtype : {TH_Byte, TH_Half, TH_Float, TH_Double, TH_ComplexDouble})
    for (const int64_t n : {1, 2, 3, 7, 8, 9, 15, 31, 32, 33, 63, 65, 127, 129, 1000})
      for (const int64_t skipped : {0, 1, 3}) {
        const Tensor all(dtype, {n + 8});
        THTensor_zero(all);
        THTensor_fill(Tensor(THTensor_newNarrow(all, 0, skipped, n)), number(3));
        for (int64_t i = 0; i < all->numel; i++) ASSERT_EQ(get(all, i), i >= skipped && i < skipped + n ? 3 : 0);
      }
}

TEST(Copy, Itself) {
  const Tensor t = random(TH_Float, {4});
  THTensor_copy(t, t);
  THTensor_copy(t, Tensor(THTensor_newWithTensor(t)));
  expectSame(t, random(TH_Float, {4}));
}

}  // namespace
