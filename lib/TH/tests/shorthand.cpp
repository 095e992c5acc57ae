// The shorthands: each against the function that it stands for.
#include "tensors.hpp"

using namespace test;

namespace {

THScalar whole(int64_t i) {
  THScalar s;
  s.kind = TH_KIND_int;
  s.value.i = i;
  s.imag = 0;
  return s;
}
Tensor counting(THDtype dtype, const Shape &shape) {
  return make(dtype, shape, [](int64_t i) { return double(i); });
}

TEST(Shorthand, Fields) {
  const Tensor t = counting(TH_Float, {2, 3}), row(THTensor_newSelect(t, 0, 1));
  const int64_t three = 3, four = 4;
  EXPECT_EQ(THTensor_nDimension(t), 2);
  EXPECT_EQ(THTensor_nElement(t), 6);
  EXPECT_EQ(THTensor_storageOffset(row), 3);
  EXPECT_EQ(THTensor_storage(row), t->storage);
  EXPECT_TRUE(THTensor_isSize(row, 1, &three));
  EXPECT_FALSE(THTensor_isSize(row, 1, &four));
  EXPECT_FALSE(THTensor_isSize(t, 1, &three));
}

TEST(Shorthand, FixedNumbersOfDimensions) {
  EXPECT_EQ(shapeOf(Tensor(THTensor_newWithSize1d(TH_Int, 2))), (Shape{2}));
  EXPECT_EQ(shapeOf(Tensor(THTensor_newWithSize2d(TH_Int, 2, 3))), (Shape{2, 3}));
  EXPECT_EQ(shapeOf(Tensor(THTensor_newWithSize3d(TH_Int, 2, 3, 4))), (Shape{2, 3, 4}));
  EXPECT_EQ(shapeOf(Tensor(THTensor_newWithSize4d(TH_Int, 2, 3, 4, 5))), (Shape{2, 3, 4, 5}));
  Tensor t(TH_Int);
  THTensor_resize1d(t, 2);
  EXPECT_EQ(shapeOf(t), (Shape{2}));
  THTensor_resize2d(t, 2, 3);
  EXPECT_EQ(shapeOf(t), (Shape{2, 3}));
  THTensor_resize3d(t, 2, 3, 4);
  EXPECT_EQ(shapeOf(t), (Shape{2, 3, 4}));
  THTensor_resize4d(t, 2, 3, 4, 5);
  EXPECT_EQ(shapeOf(t), (Shape{2, 3, 4, 5}));
  THTensor_resize5d(t, 2, 3, 4, 5, 6);
  EXPECT_EQ(shapeOf(t), (Shape{2, 3, 4, 5, 6}));
}

TEST(Shorthand, SingleElements) {
  for (int d = TH_Byte; d < TH_NUM_DTYPES; d++)
    for (Layout layout : kLayouts) {
      Tensor t = relayout(counting(THDtype(d), {2, 3, 2, 2}), layout);
      EXPECT_EQ(values(t)[23], TH_digits(THDtype(d)) < 5 ? 24 : 23);  // rounded to 3 or 4 digits
      THTensor_set4d(t, 1, 2, 0, 1, whole(7));
      EXPECT_EQ(get(t, 21), 7);
      const THScalar got = THTensor_get4d(t, 1, 2, 0, 1);
      EXPECT_EQ(got.kind >= TH_KIND_float ? got.value.d : double(got.value.i), 7);
    }
  Tensor t = counting(TH_Long, {2, 3}), v = counting(TH_Long, {4}), cube = counting(TH_Long, {2, 2, 2});
  THTensor_set1d(v, 3, whole(30));
  THTensor_set2d(t, 1, 0, whole(40));
  THTensor_set3d(cube, 1, 0, 1, whole(50));
  EXPECT_EQ(THTensor_get1d(v, 3).value.i, 30);
  EXPECT_EQ(THTensor_get2d(t, 1, 0).value.i, 40);
  EXPECT_EQ(THTensor_get3d(cube, 1, 0, 1).value.i, 50);
  EXPECT_EQ(get(cube, 5), 50);
  expectRaises(TH_ERROR_INDEX, "index 3 is out of bounds for dimension 1 with size 3",
               [&] { THTensor_get2d(t, 0, 3); });
  expectRaises(TH_ERROR_INDEX, "index -1 is out of bounds", [&] { THTensor_set1d(v, -1, whole(0)); });
  expectRaises(TH_ERROR_INDEX, "2 dimensions is indexed with 1", [&] { THTensor_get1d(t, 0); });
}

TEST(Shorthand, Views) {
  const Tensor t = counting(TH_Float, {2, 1, 4});
  const int64_t wide[] = {2, 3, 4};
  Tensor v(TH_Float);
  const auto is = [&](THTensor *made) { return THTensor_isSetTo(v, Tensor(made)); };
  THTensor_select(v, t, 0, 1);
  EXPECT_TRUE(is(THTensor_newSelect(t, 0, 1)));
  THTensor_narrow(v, t, 2, 1, 2);
  EXPECT_TRUE(is(THTensor_newNarrow(t, 2, 1, 2)));
  THTensor_transpose(v, t, 0, 2);
  EXPECT_TRUE(is(THTensor_newTranspose(t, 0, 2)));
  THTensor_unfold(v, t, 2, 2, 2);
  EXPECT_TRUE(is(THTensor_newUnfold(t, 2, 2, 2)));
  THTensor_expand(v, t, 3, wide);
  EXPECT_TRUE(is(THTensor_newExpand(t, 3, wide)));
  THTensor_squeeze(v, t);
  EXPECT_TRUE(is(THTensor_newSqueeze(t)));
  THTensor_squeeze1d(v, t, 1);
  EXPECT_TRUE(is(THTensor_newSqueeze1d(t, 1)));
  THTensor_unsqueeze1d(v, t, 0);
  EXPECT_TRUE(is(THTensor_newUnsqueeze1d(t, 0)));
  THTensor_setStorage(v, t->storage, 2, 3, Shape{1, 2, 3}.data(), nullptr);
  EXPECT_EQ(values(v), (std::vector<double>{2, 3, 4, 5, 6, 7}));
  THTensor_select(v, nullptr, 1, 1);  // of itself
  EXPECT_EQ(values(v), (std::vector<double>{5, 6, 7}));
  expectRaises(TH_ERROR_RUNTIME, "Could not set tensor", [&] { THTensor_squeeze(Tensor(TH_Int), t); });
  expectRaises(TH_ERROR_RUNTIME, "out of bounds",
               [&] { THTensor_setStorage(v, t->storage, 7, 1, Shape{2}.data(), nullptr); });
  EXPECT_EQ(values(v), (std::vector<double>{5, 6, 7}));
}

TEST(Shorthand, MadeAndCopied) {
  const int64_t size[] = {2, 3}, tall[] = {3, -1};
  Tensor r(TH_BFloat16);
  THTensor_ones(r, 2, size);
  EXPECT_EQ(values(r), std::vector<double>(6, 1));
  THTensor_zeros(r, 1, size);
  EXPECT_EQ(values(r), std::vector<double>(2, 0));
  Tensor t = counting(TH_Float, {2, 3}), copy(TH_Double);
  THTensor_reshape(copy, t, 2, tall);
  EXPECT_EQ(shapeOf(copy), (Shape{3, 2}));
  EXPECT_EQ(values(copy), values(t));
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THTensor_reshape(t, t, 2, tall); });
  THTensor_retain(t);
  THTensor_zeros(copy, 2, size);
  THTensor_freeCopyTo(t, copy);
  EXPECT_EQ(values(copy), values(t));
  EXPECT_EQ(t->refcount, 1);
  THGenerator *a = THGenerator_new(), *b = THGenerator_new();
  Tensor drawn(TH_Float), like(TH_Float, {2, 3});
  THFloatTensor_rand(drawn, a, 2, size);
  THFloatTensor_uniform(like, b, 0, 1);
  expectSame(drawn, like);
  THFloatTensor_randn(drawn, a, 2, size);
  THFloatTensor_normal(like, b, 0, 1);
  expectSame(drawn, like);
  expectRaises(TH_ERROR_RUNTIME, "must have dtype Float", [&] { THFloatTensor_rand(copy, a, 1, size); });
  EXPECT_EQ(shapeOf(copy), (Shape{2, 3}));
  THGenerator_free(a);
  THGenerator_free(b);
}

TEST(Shorthand, NumbersAsOperands) {
  const Tensor t = of(TH_Int, {7, -7, 2}), r(TH_Int), truth(TH_Bool);
#define EXPECT_OP(op, r, ...)               \
  THIntTensor_##op(r, t, whole(2));         \
  EXPECT_EQ(values(r), (std::vector<double>{__VA_ARGS__})) << #op
  EXPECT_OP(add, r, 9, -5, 4);
  EXPECT_OP(sub, r, 5, -9, 0);
  EXPECT_OP(mul, r, 14, -14, 4);
  EXPECT_OP(div, r, 3, -3, 1);
  EXPECT_OP(fmod, r, 1, -1, 0);
  EXPECT_OP(remainder, r, 1, 1, 0);
  EXPECT_OP(pow, r, 49, 49, 4);
  EXPECT_OP(lshift, r, 28, -28, 8);
  EXPECT_OP(rshift, r, 1, -2, 0);
  EXPECT_OP(bitand, r, 2, 0, 2);
  EXPECT_OP(bitor, r, 7, -5, 2);
  EXPECT_OP(bitxor, r, 5, -5, 0);
  EXPECT_OP(cmaxValue, r, 7, 2, 2);
  EXPECT_OP(cminValue, r, 2, -7, 2);
  EXPECT_OP(ltValue, truth, 0, 1, 0);
  EXPECT_OP(leValue, truth, 0, 1, 1);
  EXPECT_OP(gtValue, truth, 1, 0, 0);
  EXPECT_OP(geValue, truth, 1, 0, 1);
  EXPECT_OP(eqValue, truth, 0, 0, 1);
  EXPECT_OP(neValue, truth, 1, 1, 0);
  EXPECT_OP(ltValue, r, 0, 1, 0);  // numbers, where the result is of numbers
#undef EXPECT_OP
  const Tensor f = of(TH_Half, {1, 4}), q(TH_Half);
  THHalfTensor_div(q, f, number(0.5));
  EXPECT_EQ(values(q), (std::vector<double>{2, 8}));
  THHalfTensor_tpow(q, number(2), f);
  EXPECT_EQ(values(q), (std::vector<double>{2, 16}));
  Tensor c = of(TH_ComplexDouble, {1, 2});
  THComplexDoubleTensor_mul(c, c, number(3));
  EXPECT_EQ(values(c), (std::vector<double>{3, 6}));
  expectRaises(TH_ERROR_RUNTIME, "", [&] { THByteTensor_add(r, t, whole(1000)); });
  expectRaises(TH_ERROR_RUNTIME, "Integers to negative integer powers", [&] { THIntTensor_pow(r, t, whole(-1)); });
}

TEST(Shorthand, WholeTensors) {
  const Tensor bytes = of(TH_Byte, {200, 100, 2}), f = of(TH_Float, {1, 2, 3, 4}), none(TH_Float);
  EXPECT_EQ(THByteTensor_sumall(bytes).value.i, 302);
  EXPECT_EQ(THByteTensor_prodall(bytes).value.i, 40000);
  EXPECT_EQ(THByteTensor_minall(bytes).value.i, 2);
  EXPECT_EQ(THByteTensor_maxall(bytes).value.i, 200);
  EXPECT_EQ(THFloatTensor_sumall(f).value.d, 10);
  EXPECT_EQ(THFloatTensor_prodall(f).value.d, 24);
  EXPECT_EQ(THFloatTensor_meanall(f).value.d, 2.5);
  EXPECT_FLOAT_EQ(float(THFloatTensor_varall(f, 1).value.d), 5.0f / 3);
  EXPECT_FLOAT_EQ(float(THFloatTensor_stdall(f, 0).value.d), std::sqrt(1.25f));
  EXPECT_FLOAT_EQ(float(THFloatTensor_normall(f, 2).value.d), std::sqrt(30.0f));
  EXPECT_TRUE(THFloatTensor_logicalall(f));
  EXPECT_FALSE(THFloatTensor_logicalall(of(TH_Float, {1, 0})));
  EXPECT_TRUE(THFloatTensor_logicalany(of(TH_Float, {1, 0})));
  EXPECT_FALSE(THFloatTensor_logicalany(none));
  EXPECT_EQ(THFloatTensor_sumall(none).value.d, 0);
  expectRaises(TH_ERROR_RUNTIME, "numel() == 0", [&] { THFloatTensor_maxall(none); });
}

TEST(Shorthand, HistogramsOfRows) {
  const Tensor t = make(TH_Float, {2, 3}, [](int64_t i) { return double(i); }), r(TH_Float);
  THFloatTensor_bhistc(r, t, 2, 0, 4);
  EXPECT_EQ(shapeOf(r), (Shape{2, 2}));
  EXPECT_EQ(values(r), (std::vector<double>{2, 1, 0, 2}));
  expectRaises(TH_ERROR_RUNTIME, "expected a matrix", [&] { THFloatTensor_bhistc(r, of(TH_Float, {1}), 2, 0, 4); });
  EXPECT_EQ(shapeOf(r), (Shape{2, 2}));
}

TEST(Shorthand, Bernoulli) {
  THGenerator *g = THGenerator_new();
  for (double p : {0.0, 0.25, 1.0}) {
    Tensor t(TH_Byte, {20000});
    THByteTensor_bernoulli(t, g, p);
    EXPECT_NEAR(THByteTensor_sumall(t).value.i / 20000.0, p, 0.02);
    EXPECT_LE(THByteTensor_maxall(t).value.i, 1);
  }
  expectRaises(TH_ERROR_RUNTIME, "p to be in [0, 1]", [&] { THFloatTensor_bernoulli(Tensor(TH_Float), g, 1.5); });
  THGenerator_free(g);
}

}  // namespace
