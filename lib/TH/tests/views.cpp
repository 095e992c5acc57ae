// Views against index arithmetic: element [i, j, …] of the view is the element of the source that
// the definition says. Sources hold their own row-major number.
#include "tensors.hpp"

using namespace test;

namespace {

Tensor numbered(const Shape &shape, Layout layout = Layout::contiguous) {
  return relayout(make(TH_Int, shape, [](int64_t i) { return double(i); }), layout);
}

// Row-major number of an index.
int64_t at(const Shape &shape, const Shape &index) {
  int64_t i = 0;
  for (size_t d = 0; d < shape.size(); d++) i = i * shape[d] + index[d];
  return i;
}

// view[index] == source[where(index)] for every index, and the view shares the source's storage.
void expectView(const THTensor *view, const THTensor *source, const Shape &shape,
                const std::function<Shape(const Shape &)> &where) {
  ASSERT_EQ(shapeOf(view), shape);
  EXPECT_EQ(view->numel, product(shape));
  EXPECT_EQ(view->storage, source->storage);
  for (int64_t i = 0; i < view->numel; i++) {
    Shape index(shape.size());
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    ASSERT_EQ(get(view, i), double(at(shapeOf(source), where(index)))) << "element " << i;
  }
}

class Views : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, Views, testing::ValuesIn(kLayouts));

TEST_P(Views, Of3Dimensions) {
  const Tensor t = numbered({3, 4, 5}, GetParam());
  for (int dim = -3; dim < 3; dim++) {
    const size_t d = size_t(dim < 0 ? dim + 3 : dim);
    const int64_t n = shapeOf(t)[d];
    for (int64_t i = -n; i < n; i++) {
      Shape shape = shapeOf(t);
      shape.erase(shape.begin() + long(d));
      expectView(Tensor(THTensor_newSelect(t, dim, i)), t, shape, [&](Shape index) {
        index.insert(index.begin() + long(d), i < 0 ? i + n : i);
        return index;
      });
    }
    for (int64_t first = 0; first <= n; first++)
      for (int64_t length = 0; length <= n - first; length++) {
        Shape shape = shapeOf(t);
        shape[d] = length;
        expectView(Tensor(THTensor_newNarrow(t, dim, first, length)), t, shape, [&](Shape index) {
          index[d] += first;
          return index;
        });
        for (int64_t step = 1; step < 4; step++) {
          shape[d] = (length + step - 1) / step;
          expectView(Tensor(THTensor_newSlice(t, dim, first, first + length, step)), t, shape, [&](Shape index) {
            index[d] = first + index[d] * step;
            return index;
          });
        }
      }
    for (int64_t size = 0; size <= n; size++)
      for (int64_t step = 1; step < 3; step++) {
        Shape shape = shapeOf(t);
        shape[d] = (n - size) / step + 1;
        shape.push_back(size);
        expectView(Tensor(THTensor_newUnfold(t, dim, size, step)), t, shape, [&](Shape index) {
          index[d] = index[d] * step + index[3];
          index.pop_back();
          return index;
        });
      }
    for (int other = 0; other < 3; other++) {
      Shape shape = shapeOf(t);
      std::swap(shape[d], shape[size_t(other)]);
      expectView(Tensor(THTensor_newTranspose(t, dim, other)), t, shape, [&](Shape index) {
        std::swap(index[d], index[size_t(other)]);
        return index;
      });
      if (int(d) == other) continue;
      for (int64_t offset = -6; offset < 7; offset++) {
        Shape shape;
        const size_t third = 3 - d - size_t(other);
        const int64_t rows = std::min(n, n + offset),
                      columns = std::min(shapeOf(t)[size_t(other)], shapeOf(t)[size_t(other)] - offset);
        shape = {shapeOf(t)[third], std::max<int64_t>(0, std::min(rows, columns))};
        expectView(Tensor(THTensor_newDiagonal(t, offset, dim, other)), t, shape, [&](Shape index) {
          Shape source(3);
          source[third] = index[0];
          source[d] = index[1] - std::min<int64_t>(offset, 0);
          source[size_t(other)] = index[1] + std::max<int64_t>(offset, 0);
          return source;
        });
      }
    }
    Shape shape = shapeOf(t);
    shape.insert(shape.begin() + long(d), 1);
    expectView(Tensor(THTensor_newUnsqueeze1d(t, int(d))), t, shape, [&](Shape index) {
      index.erase(index.begin() + long(d));
      return index;
    });
  }
  const int64_t order[] = {2, -3, 1};
  expectView(Tensor(THTensor_newPermute(t, 3, order)), t, {5, 3, 4},
             [](const Shape &i) { return Shape{i[1], i[2], i[0]}; });
}

TEST_P(Views, SqueezeAndExpand) {
  const Tensor t = numbered({3, 1, 4, 1}, GetParam());
  expectView(Tensor(THTensor_newSqueeze(t)), t, {3, 4}, [](const Shape &i) { return Shape{i[0], 0, i[1], 0}; });
  expectView(Tensor(THTensor_newSqueeze1d(t, -3)), t, {3, 4, 1},
             [](const Shape &i) { return Shape{i[0], 0, i[1], 0}; });
  expectView(Tensor(THTensor_newSqueeze1d(t, 0)), t, {3, 1, 4, 1}, [](const Shape &i) { return i; });
  const int64_t size[] = {2, -1, 5, 4, 1};
  const Tensor wide(THTensor_newExpand(t, 5, size));
  expectView(wide, t, {2, 3, 5, 4, 1}, [](const Shape &i) { return Shape{i[1], 0, i[3], 0}; });
  EXPECT_TRUE(THTensor_overlapsItself(wide));
  EXPECT_FALSE(THTensor_overlapsItself(t));
}

// view and reshape keep the row-major order; view shares memory, and raises exactly where reshape copies.
TEST_P(Views, ViewAndReshape) {
  const std::vector<Shape> shapes = {{24},          {2, 12}, {4, 6},    {2, 3, 4}, {4, 3, 2}, {1, 24},
                                     {2, 1, 12, 1}, {3, 8},  {2, 2, 6}, {24, 1},   {8, 3}};
  for (const Shape &from : shapes)
    for (Shape to : shapes)
      for (int unknown = -1; unknown < int(to.size()); unknown++) {
        Shape asked = to;
        if (unknown >= 0) asked[size_t(unknown)] = -1;
        const Tensor t = numbered(from, GetParam());
        const Tensor r(THTensor_newReshape(t, int(asked.size()), asked.data()));
        ASSERT_EQ(shapeOf(r), to);
        for (int64_t i = 0; i < 24; i++) ASSERT_EQ(get(r, i), double(i));
        if (r->storage == t->storage) {
          const Tensor v(THTensor_newView(t, int(asked.size()), asked.data()));
          EXPECT_TRUE(THTensor_isSetTo(v, r));
        } else {
          expectRaises(TH_ERROR_RUNTIME, ".reshape(...) makes a copy",
                       [&] { THTensor_newView(t, int(asked.size()), asked.data()); });
          EXPECT_TRUE(THTensor_isContiguous(r));
        }
        if (GetParam() == Layout::contiguous) {
          EXPECT_EQ(r->storage, t->storage);
        }
      }
}

struct StrideCase {
  const char *what;
  Tensor tensor;
  Shape strides;
};

// Strides that the elements do not determine, as torch chooses them.
TEST(Views, Strides) {
  auto expand = [](const THTensor *t, Shape size) {
    return Tensor(THTensor_newExpand(const_cast<THTensor *>(t), int(size.size()), size.data()));
  };
  auto view = [](const THTensor *t, Shape size) {
    return Tensor(THTensor_newView(const_cast<THTensor *>(t), int(size.size()), size.data()));
  };
  auto transposed = [](Shape size) { return Tensor(THTensor_newTranspose(Tensor(TH_Float, size), 0, 1)); };
  StrideCase cases[] = {
      {"empty", Tensor(TH_Float, {2, 0, 3}), {3, 3, 1}},
      {"expand new 1", expand(Tensor(TH_Float, {3}), {1, 1, 3}), {3, 3, 1}},
      {"expand matrix", expand(Tensor(TH_Float, {2, 3}), {1, 2, 3}), {6, 3, 1}},
      {"expand scalar", expand(Tensor(TH_Float, {}), {1}), {0}},
      {"expand size 1", expand(Tensor(TH_Float, {1}), {1}), {1}},
      {"view scalar", view(Tensor(TH_Float, {}), {1, 1}), {1, 1}},
      {"view empty", view(Tensor(TH_Float, {0, 3}), {3, 0}), {1, 1}},
      {"view transposed", view(transposed({2, 3}), {3, 1, 2}), {1, 6, 3}},
      {"unsqueeze 0", Tensor(THTensor_newUnsqueeze1d(transposed({2, 3}), 0)), {3, 1, 3}},
      {"unsqueeze 1", Tensor(THTensor_newUnsqueeze1d(transposed({2, 3}), 1)), {1, 6, 3}},
      {"unsqueeze -1", Tensor(THTensor_newUnsqueeze1d(Tensor(TH_Float, {2, 3}), -1)), {3, 1, 1}},
      {"clone transposed", Tensor(THTensor_newClone(transposed({4, 5}))), {1, 5}},
      {"clone expanded",
       Tensor(THTensor_newClone(Tensor(THTensor_newTranspose(expand(Tensor(TH_Float, {1, 4}), {3, 4}), 0, 1)))),
       {3, 1}},
      {"clone expanded in the middle",
       Tensor(THTensor_newClone(expand(Tensor(THTensor_newTranspose(Tensor(TH_Float, {3, 1, 2}), 0, 2)), {2, 2, 3}))),
       {1, 2, 4}},
      {"contiguous", Tensor(THTensor_newContiguous(transposed({2, 3}))), {2, 1}},
      {"permuted",
       Tensor([] {
         int64_t p[] = {2, 0, 1};
         return THTensor_newClone(Tensor(THTensor_newPermute(Tensor(TH_Float, {4, 5, 6}), 3, p)));
       }()),
       {1, 30, 6}},
  };
  for (const StrideCase &c : cases)
    EXPECT_EQ(Shape(c.tensor->stride, c.tensor->stride + c.tensor->ndim), c.strides) << c.what;
}

TEST(Views, ManyDimensions) {
  Tensor t = numbered({2, 3});
  for (int n = 2; n < TH_MAX_DIM; n++) t = Tensor(THTensor_newUnsqueeze1d(t, n / 2));
  ASSERT_EQ(t->ndim, TH_MAX_DIM);
  EXPECT_EQ(get(t, 5), 5);
  expectRaises(TH_ERROR_RUNTIME, "at most 64 dimensions", [&] { THTensor_newUnsqueeze1d(t, 0); });
  const Tensor flat(THTensor_newSqueeze(t));
  EXPECT_EQ(shapeOf(flat), (Shape{2, 3}));
  const Tensor clone(THTensor_newClone(t));
  expectSame(clone, t);
}

TEST(Geometry, ResizeAndSet) {
  Tensor t = numbered({2, 3});
  const int64_t six[] = {1, 1, 1, 1, 1, 6}, two[] = {2}, big[] = {100};
  THTensor_resize(t, 6, six);
  EXPECT_EQ(t->ndim, 6);
  EXPECT_EQ(get(t, 5), 5);
  THTensor_resize(t, 1, two);
  EXPECT_EQ(t->storage->nbytes, 24u);  // never shrinks
  THTensor_resize(t, 1, big);
  EXPECT_EQ(t->storage->nbytes, 400u);
  EXPECT_EQ(get(t, 5), 5);
  Tensor other(TH_Int);
  EXPECT_EQ(shapeOf(other), Shape{0});
  THTensor_set(other, t);
  EXPECT_TRUE(THTensor_isSetTo(other, t));
  THTensor_resizeAs(other, numbered({2, 3}));
  EXPECT_EQ(shapeOf(other), (Shape{2, 3}));
  const Tensor turned(THTensor_newTranspose(other, 0, 1));
  THTensor_resizeAs(turned, numbered({3, 2}));  // of that shape already
  EXPECT_EQ(turned->stride[0], 1);
  EXPECT_EQ(other->storage, t->storage);
  EXPECT_FALSE(THTensor_isSameSizeAs(other, t));
}

TEST(Geometry, Overlap) {
  const Tensor t = numbered({10});
  auto strided = [&](Shape size, Shape stride, int64_t offset) {
    return Tensor(THTensor_newAsStrided(t, int(size.size()), size.data(), stride.data(), offset));
  };
  EXPECT_FALSE(THTensor_overlapsItself(strided({2, 2}, {3, 2}, 0)));
  EXPECT_TRUE(THTensor_overlapsItself(strided({3, 3}, {1, 1}, 0)));
  EXPECT_TRUE(THTensor_overlapsItself(strided({3, 3}, {0, 1}, 0)));
  EXPECT_FALSE(THTensor_overlapsItself(strided({1, 3}, {0, 1}, 0)));
  EXPECT_TRUE(THTensor_overlaps(strided({4}, {1}, 0), strided({4}, {1}, 3)));
  EXPECT_FALSE(THTensor_overlaps(strided({4}, {1}, 0), strided({4}, {1}, 4)));
  EXPECT_FALSE(THTensor_overlaps(t, numbered({10})));
  EXPECT_FALSE(THTensor_overlaps(t, strided({0}, {1}, 4)));
}

TEST(Geometry, Questions) {
  const Tensor t = numbered({2, 3, 4}), s(TH_Float, Shape{});
  EXPECT_EQ(THTensor_size(t, -1), 4);
  EXPECT_EQ(THTensor_stride(t, 0), 12);
  EXPECT_EQ(THTensor_size(s, 0), 1);
  EXPECT_TRUE(THTensor_isContiguous(Tensor(THTensor_newTranspose(Tensor(TH_Int, {1, 4}), 0, 1))));
  EXPECT_TRUE(THTensor_isContiguous(Tensor(THTensor_newTranspose(Tensor(TH_Int, {0, 4}), 0, 1))));
  EXPECT_FALSE(THTensor_isContiguous(Tensor(THTensor_newTranspose(t, 0, 1))));
  char text[8];
  TH_sizeString(3, t->size, text, sizeof text);
  EXPECT_STREQ(text, "[2, 3, ");
  int64_t size[TH_MAX_DIM];
  const Tensor a(TH_Int, {4, 1, 3}), b(TH_Int, {5, 1}), c(TH_Int, {2, 1, 1, 1});
  const THTensor *all[] = {b, a, c};
  const int n = TH_broadcastShape(3, all, size);
  EXPECT_EQ(Shape(size, size + n), (Shape{2, 4, 5, 3}));
}

}  // namespace
