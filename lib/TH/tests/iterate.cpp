// What the iterator does around every pointwise kernel: shapes, layouts, overlap, threads.
#include <limits>

#include "tensors.hpp"

using namespace test;

namespace {

THScalar one() { return THScalar{TH_KIND_int, {1}, 0}; }

void add(THTensor *r, const THTensor *a, const THTensor *b) { THFloatTensor_cadd(r, a, one(), b); }

Shape strides(const THTensor *t) { return Shape(t->stride, t->stride + t->ndim); }

TEST(Iterate, Broadcasts) {
  const Shape shapes[] = {{},        {1},          {5},          {4, 1}, {4, 5}, {3, 1, 1},
                          {3, 4, 5}, {1, 1, 1, 5}, {2, 1, 4, 1}, {0},    {4, 0}, {1, 0}};
  for (const Shape &left : shapes)
    for (const Shape &right : shapes) {
      const Tensor a = random(TH_Float, left, 1), b = random(TH_Float, right, 2);
      const THTensor *both[] = {a, b};
      int64_t size[TH_MAX_DIM];
      int n;
      try {
        n = TH_broadcastShape(2, both, size);
      } catch (const th::Exception &) {
        const Tensor r = random(TH_Float, {2}, 3);
        EXPECT_THROW(add(r, a, b), th::Exception);
        expectSame(r, random(TH_Float, {2}, 3));  // nothing has changed
        continue;
      }
      const Tensor r(TH_Float), x(THTensor_newExpand(a, n, size)), y(THTensor_newExpand(b, n, size));
      add(r, a, b);
      ASSERT_EQ(shapeOf(r), Shape(size, size + n));
      for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(r, i), double(float(get(x, i)) + float(get(y, i))));
    }
}

TEST(Iterate, ManyDimensionsInEveryOrder) {
  const Tensor a = random(TH_Float, {2, 3, 4, 5, 2, 3}, 1), b = random(TH_Short, {2, 3, 4, 5, 2, 3}, 2);
  std::vector<int64_t> order = {0, 1, 2, 3, 4, 5};
  for (int k = 0; k < 40; k++) {
    std::swap(order[size_t(noise(k) * 6)], order[size_t(noise(k, 2) * 6)]);
    const Tensor x(THTensor_newPermute(a, 6, order.data())), y(THTensor_newPermute(b, 6, order.data())), r(TH_Float),
        s(TH_Half);
    add(r, x, y);
    EXPECT_EQ(strides(r), strides(x));
    for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(r, i), double(float(get(x, i)) + float(get(y, i))));
    const Tensor plain(THTensor_newReshape(y, 6, x->size));
    add(s, plain, Tensor(THTensor_newContiguous(x)));
    for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(s, i), double(float(th::half(float(get(r, i))))));
  }
}

// A new result lies in memory as its inputs do; one that has the shape already stays as it is.
TEST(Iterate, LayoutOfResults) {
  const Tensor wide(TH_Float, {4, 5}), tall(TH_Float, {5, 4}), turned(THTensor_newTranspose(wide, 0, 1));
  THTensor_zero(wide);
  THTensor_zero(tall);
  auto layout = [&](const THTensor *a, const THTensor *b) {
    const Tensor r(TH_Float);
    add(r, a, b);
    return strides(r);
  };
  const Tensor number(THTensor_newWithScalar(TH_Float, test::number(1))), row(TH_Float, {1}), cube(TH_Float, {4, 5, 6}),
      column(TH_Float, {4, 1});
  THTensor_zero(row);
  THTensor_zero(cube);
  THTensor_zero(column);
  const int64_t order[] = {2, 0, 1}, expanded[] = {4, 3};
  EXPECT_EQ(layout(turned, number), (Shape{1, 5}));
  EXPECT_EQ(layout(turned, tall), (Shape{1, 5}));
  EXPECT_EQ(layout(tall, turned), (Shape{4, 1}));
  EXPECT_EQ(layout(Tensor(THTensor_newPermute(cube, 3, order)), row), (Shape{1, 30, 6}));
  EXPECT_EQ(layout(Tensor(THTensor_newExpand(column, 2, expanded)), number), (Shape{3, 1}));
  EXPECT_EQ(layout(Tensor(THTensor_newSlice(turned, 1, 0, 4, 2)), number), (Shape{1, 5}));
  const Tensor kept(THTensor_newTranspose(Tensor(TH_Float, {5, 4}), 0, 1));
  add(kept, wide, number);
  EXPECT_EQ(strides(kept), (Shape{1, 4}));
  const Tensor wrong(TH_Float, {7});
  add(wrong, wide, number);
  EXPECT_EQ(shapeOf(wrong), (Shape{4, 5}));
}

TEST(Iterate, EmptyAndZeroDimensional) {
  const Tensor none(TH_Float, {3, 0}), r(TH_Float);
  add(r, none, none);
  EXPECT_EQ(shapeOf(r), (Shape{3, 0}));
  const Tensor a(THTensor_newWithScalar(TH_Float, number(2))), b(THTensor_newWithScalar(TH_Float, number(3)));
  add(r, a, b);
  EXPECT_EQ(shapeOf(r), Shape{});
  EXPECT_EQ(get(r, 0), 5);
  add(a, a, a);
  EXPECT_EQ(get(a, 0), 4);
}

constexpr const char *kShape = "output with shape [2] doesn't match the broadcast shape [3, 2]";
constexpr const char *kWrites =
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location; write to a clone() instead";
constexpr const char *kPartly =
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location; write to a clone() instead";

TEST(Iterate, InPlace) {
  const Tensor two = random(TH_Float, {2}), three = random(TH_Float, {3, 2});
  expectRaises(TH_ERROR_RUNTIME, kShape, [&] { add(two, two, three); });
  expectSame(two, random(TH_Float, {2}));
  expectRaises(TH_ERROR_RUNTIME,
               "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
               [&] { add(Tensor(TH_Float), random(TH_Float, {3}), two); });
  expectRaises(TH_ERROR_RUNTIME,
               "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
               [&] { THFloatTensor_gtTensor(Tensor(TH_Bool), random(TH_Float, {3}), two); });
  add(three, three, two);
  add(three, three, three);
  const Tensor before = random(TH_Float, {3, 2});
  for (int64_t i = 0; i < 6; i++) EXPECT_EQ(get(three, i), 2 * double(float(get(before, i)) + float(get(two, i % 2))));
}

TEST(Iterate, Overlap) {
  const int64_t three[] = {3}, square[] = {2, 2};
  const Tensor x = random(TH_Float, {6}), one = random(TH_Float, {1}), wide(THTensor_newExpand(one, 1, three));
  auto part = [&](int64_t first, int64_t length) { return Tensor(THTensor_newNarrow(x, 0, first, length)); };
  expectRaises(TH_ERROR_RUNTIME, kWrites, [&] { add(wide, wide, random(TH_Float, {3})); });
  expectRaises(TH_ERROR_RUNTIME, kWrites, [&] { add(wide, random(TH_Float, {3}), random(TH_Float, {3})); });
  expectRaises(TH_ERROR_RUNTIME, kWrites, [&] { THTensor_copy(wide, random(TH_Float, {3})); });
  expectRaises(TH_ERROR_RUNTIME, kPartly, [&] { add(part(0, 5), part(1, 5), one); });
  const Tensor tail = part(1, 5);
  expectRaises(TH_ERROR_RUNTIME, kPartly, [&] { add(tail, tail, part(0, 5)); });
  expectRaises(TH_ERROR_RUNTIME, kPartly, [&] { THTensor_copy(part(0, 5), part(1, 5)); });
  const Tensor m(THTensor_newView(part(0, 4), 2, square)), turned(THTensor_newTranspose(m, 0, 1));
  expectRaises(TH_ERROR_RUNTIME, kPartly, [&] { add(m, m, turned); });
  // A result that would be resized over its input.
  Tensor head = part(0, 1);
  expectRaises(TH_ERROR_RUNTIME, kPartly, [&] { add(head, part(0, 5), one); });
  EXPECT_EQ(shapeOf(head), Shape{1});
  expectSame(x, random(TH_Float, {6}));
  // The same elements by another tensor, disjoint parts, and interleaved ones are fine.
  const Tensor again(THTensor_newWithTensor(x));
  add(again, x, one);
  add(part(0, 3), part(3, 3), one);
  const Tensor even(THTensor_newSlice(x, 0, 0, 6, 2)), odd(THTensor_newSlice(x, 0, 1, 6, 2));
  add(even, even, odd);
}

// The same memory viewed as another dtype is not the same operand.
// Elements of one width in one place are the same elements, whatever their dtypes: each is read before it is written.
TEST(Iterate, OverlapOfDtypes) {
  const Tensor x = random(TH_Float, {3000}), before(THTensor_newClone(x));
  const int64_t size[] = {3000};
  const Tensor ints(THTensor_newWithStorage(TH_Int, x->storage, 0, 1, size, nullptr));
  const Tensor shorts(THTensor_newWithStorage(TH_Short, x->storage, 0, 1, size, nullptr));
  expectRaises(TH_ERROR_RUNTIME, kPartly, [&] { THTensor_copy(shorts, x); });
  expectSame(x, before);
  THTensor_copy(ints, x);
  for (int64_t i = 0; i < ints->numel; i++) ASSERT_EQ(get(ints, i), std::trunc(get(before, i)));
}

TEST(Iterate, ThreadsDoNotMatter) {
  const Tensor a = random(TH_Float, {501, 307}, 1), b = random(TH_Half, {307}, 2),
               c(THTensor_newTranspose(random(TH_Float, {307, 501}, 3), 0, 1));
  expectThreadIndependent([&] {
    Tensor r(TH_Float);
    add(r, a, b);
    return r;
  });
  expectThreadIndependent([&] {
    Tensor r(TH_Double);
    add(r, c, a);
    return r;
  });
  expectThreadIndependent([&] {
    Tensor r(TH_Float);
    THFloatTensor_exp(r, c);
    return r;
  });
  expectThreadIndependent([&] {
    Tensor r(TH_Half);
    THHalfTensor_tanh(r, a);
    return r;
  });
  expectThreadIndependent([&] {
    Tensor r(TH_Float);
    THFloatTensor_sin(r, Tensor(THTensor_newSlice(a, 1, 0, 307, 3)));
    return r;
  });
}

}  // namespace
