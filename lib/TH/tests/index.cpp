// Index functions against element-by-element loops.
#include <algorithm>
#include <optional>

#include "tensors.hpp"

using namespace test;

namespace {

constexpr THDtype kWidths[] = {TH_Bool, TH_Half, TH_Float, TH_Double};  // one dtype per element size

Tensor positions(THDtype dtype, const Shape &shape, int64_t below, uint64_t seed = 5, bool negative = false) {
  return make(dtype, shape, [&](int64_t i) {
    const double x = std::floor(noise(i, seed) * double(below));
    return negative && noise(i, seed + 1) < 0.3 ? x - double(below) : x;
  });
}

// Row-major number of coordinates, and back.
int64_t join(const Shape &shape, const Shape &at) {
  int64_t i = 0;
  for (size_t d = 0; d < shape.size(); d++) i = i * shape[d] + at[d];
  return i;
}
Shape split(const Shape &shape, int64_t i) {
  Shape at(shape.size());
  for (size_t d = shape.size(); d-- > 0; i /= shape[d]) at[d] = i % shape[d];
  return at;
}

// ---- advanced indexing -------------------------------------------------------------------------------

struct Index {
  std::vector<Tensor> owned;
  std::vector<const THTensor *> pointers;
  int n() const { return int(pointers.size()); }
  const THTensor *const *data() const { return pointers.data(); }
};

// Shapes of index tensors by dimension; no value: the whole dimension.
using Pattern = std::vector<std::optional<Shape>>;

Index indexFor(const Shape &shape, const Pattern &pattern, THDtype dtype = TH_Long,
               Layout layout = Layout::contiguous) {
  Index index;
  for (size_t d = 0; d < pattern.size(); d++)
    if (pattern[d]) index.owned.push_back(relayout(positions(dtype, *pattern[d], shape[d], d + 1, true), layout));
  size_t k = 0;
  for (const auto &p : pattern) index.pointers.push_back(p ? static_cast<THTensor *>(index.owned[k++]) : nullptr);
  return index;
}

// The shape of t[index] and, for each of its elements, the element of t.
std::pair<Shape, std::vector<int64_t>> reference(const Shape &shape, const Index &index) {
  std::vector<const THTensor *> used;
  size_t first = shape.size(), last = 0;
  for (size_t d = 0; d < index.pointers.size(); d++)
    if (index.pointers[d]) used.push_back(index.pointers[d]), first = std::min(first, d), last = d;
  int64_t common[TH_MAX_DIM];
  const int commonDims = TH_broadcastShape(int(used.size()), used.data(), common);
  const size_t place = used.empty() || last - first + 1 != used.size() ? 0 : first;
  Shape result;
  const auto whole = [&](size_t d) { return d >= index.pointers.size() || !index.pointers[d]; };
  for (size_t d = 0; d < place; d++) result.push_back(shape[d]);
  result.insert(result.end(), common, common + commonDims);
  for (size_t d = place; d < shape.size(); d++)
    if (whole(d)) result.push_back(shape[d]);
  std::vector<int64_t> from;
  for (int64_t i = 0; i < product(result); i++) {
    const Shape at = split(result, i);
    Shape source(shape.size());
    size_t next = 0;
    for (size_t d = 0; d < shape.size(); d++) {
      if (whole(d)) {
        if (next == place) next += size_t(commonDims);
        source[d] = at[next++];
      } else {
        const THTensor *t = index.pointers[d];
        Shape where;
        for (int k = 0; k < t->ndim; k++)
          where.push_back(t->size[k] == 1 ? 0 : at[place + size_t(commonDims - t->ndim + k)]);
        const int64_t v = int64_t(get(t, join(shapeOf(t), where)));
        source[d] = v < 0 ? v + shape[d] : v;
        if (next < place) next = place;
      }
    }
    from.push_back(join(shape, source));
  }
  return {result, from};
}

const struct {
  Shape shape;
  Pattern pattern;
} kIndexCases[] = {
    {{7}, {Shape{4}}},
    {{7}, {Shape{}}},
    {{7}, {Shape{0}}},
    {{5, 6}, {Shape{3}}},
    {{5, 6}, {Shape{3}, Shape{3}}},
    {{5, 6}, {Shape{3, 1}, Shape{4}}},
    {{5, 6}, {{}, Shape{3, 2}}},
    {{5, 6}, {}},
    {{4, 5, 6}, {Shape{3}, {}, Shape{3}}},
    {{4, 5, 6}, {{}, Shape{3}, Shape{1}}},
    {{4, 5, 6}, {{}, {}, Shape{2, 3}}},
    {{4, 5, 6}, {Shape{2, 3}, Shape{3}, Shape{}}},
    {{2, 3, 4, 5}, {{}, Shape{3}, {}, Shape{2, 3}}},
    {{2, 3, 4, 5}, {{}, Shape{3}, Shape{2, 1}}},
    {{3, 0}, {Shape{2}}},
    {{300, 200}, {Shape{400}}},
    {{300, 200}, {{}, Shape{400}}},
};

TEST(Index, Reads) {
  for (const auto &c : kIndexCases)
    for (THDtype dtype : kWidths)
      for (Layout layout : kLayouts)
        for (THDtype indexDtype : {TH_Long, TH_Int, TH_Short, TH_Char}) {
          if (product(c.shape) > 1000 && (dtype != TH_Float || indexDtype != TH_Long)) continue;
          const Tensor t = random(dtype, c.shape);
          const Index index = indexFor(c.shape, c.pattern, indexDtype, layout);
          const auto [shape, from] = reference(c.shape, index);
          Tensor r(dtype), strided = uninitialised(dtype, shape, layout);
          THTensor_index(r, relayout(t, layout), index.n(), index.data());
          ASSERT_EQ(shapeOf(r), shape);
          for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(r, i), get(t, from[size_t(i)]));
          THTensor_index(strided, t, index.n(), index.data());
          expectSame(strided, r);
        }
}

TEST(Index, Puts) {
  for (const auto &c : kIndexCases)
    for (int d : kKernelDtypes)
      for (Layout layout : {Layout::contiguous, Layout::gapped, Layout::reversed})
        for (bool accumulate : {false, true})
          for (bool single : {false, true}) {
            const THDtype dtype = THDtype(d);
            if (product(c.shape) > 1000 && (dtype != TH_Float || single || layout == Layout::gapped)) continue;
            const Index index = indexFor(c.shape, c.pattern);
            const auto [shape, to] = reference(c.shape, index);
            const Tensor value = random(dtype, single ? Shape{} : shape, 3), before = random(dtype, c.shape);
            Tensor self = relayout(before, layout), expected = relayout(before, Layout::contiguous);
            for (size_t i = 0; i < to.size(); i++) {
              const double x = get(value, single ? 0 : int64_t(i));
              set(expected, to[i], accumulate ? get(expected, to[i]) + x : x);
            }
            THTensor_indexPut(self, index.n(), index.data(), relayout(value, layout), accumulate);
            expectSame(self, expected);
          }
}

TEST(Index, BroadcastsValues) {
  Tensor self = make(TH_Float, {4, 3}, [](int64_t) { return 0.0; });
  const Tensor rows = of(TH_Long, {3, 1}), value = of(TH_Float, {1, 2, 3});
  const THTensor *index[] = {rows};
  THTensor_indexPut(self, 1, index, value, false);
  EXPECT_EQ(values(self), (std::vector<double>{0, 0, 0, 1, 2, 3, 0, 0, 0, 1, 2, 3}));
}

TEST(Index, IndexSelect) {
  for (const Shape &shape : {Shape{6}, Shape{4, 5}, Shape{3, 4, 5}, Shape{3, 0, 2}})
    for (int dim = 0; dim < int(shape.size()); dim++)
      for (THDtype dtype : kWidths)
        for (THDtype indexDtype : {TH_Long, TH_Int})
          for (Layout layout : kLayouts)
            for (int64_t n : {0, 1, 7}) {
              const int64_t length = shape[size_t(dim)];
              if (length == 0 && n) continue;
              const Tensor t = random(dtype, shape), index = positions(indexDtype, {n}, length);
              Tensor r(dtype);
              THTensor_indexSelect(r, relayout(t, layout), dim - int(shape.size()), relayout(index, layout));
              Shape result = shape;
              result[size_t(dim)] = n;
              ASSERT_EQ(shapeOf(r), result);
              for (int64_t i = 0; i < r->numel; i++) {
                Shape at = split(result, i);
                at[size_t(dim)] = int64_t(get(index, at[size_t(dim)]));
                ASSERT_EQ(get(r, i), get(t, join(shape, at)));
              }
            }
  const Tensor scalar = random(TH_Float, {});
  Tensor r(TH_Float);
  THTensor_indexSelect(r, scalar, 0, of(TH_Long, {0}));
  expectSame(r, scalar);
}

// ---- gather and scatter ----------------------------------------------------------------------------------

const struct {
  Shape self, index;
} kGatherCases[] = {
    {{6}, {9}},
    {{4, 5}, {4, 5}},
    {{4, 5}, {2, 7}},
    {{4, 5}, {7, 2}},
    {{3, 4, 5}, {3, 4, 5}},
    {{3, 4, 5}, {2, 3, 4}},
    {{3, 4, 5}, {3, 1, 5}},
    {{3}, {0}},
    {{}, {}},
    {{}, {1}},
    {{4}, {}},
    {{200, 300}, {200, 300}},
};

TEST(Index, GatherAndScatter) {
  for (const auto &c : kGatherCases)
    for (int dim = 0; dim < std::max<int>(1, int(c.self.size())); dim++)
      for (THDtype dtype : kWidths)
        for (THDtype indexDtype : {TH_Long, TH_Int})
          for (Layout layout : kLayouts) {
            if (product(c.self) > 1000 && (dtype != TH_Float || indexDtype != TH_Long)) continue;
            bool fits = true;
            for (size_t d = 0; d < c.index.size() && d < c.self.size(); d++)
              fits &= int(d) == dim || c.index[d] <= c.self[d];
            if (!fits) continue;
            const Tensor t = random(dtype, c.self), src = random(dtype, c.index, 8);
            const Tensor index = positions(indexDtype, c.index, c.self.empty() ? 1 : c.self[size_t(dim)]);
            const auto place = [&](int64_t i) {
              Shape at = split(c.index, i);
              at.resize(c.self.size());
              if (!at.empty()) at[size_t(dim)] = int64_t(get(index, i));
              return join(c.self, at);
            };
            Tensor r(dtype), strided = uninitialised(dtype, c.index, layout);
            THTensor_gather(r, relayout(t, layout), dim, relayout(index, layout));
            ASSERT_EQ(shapeOf(r), c.index);
            for (int64_t i = 0; i < r->numel; i++) ASSERT_EQ(get(r, i), get(t, place(i)));
            THTensor_gather(strided, t, dim, index);
            expectSame(r, strided);

            Tensor self = relayout(t, layout), expected = relayout(t, Layout::contiguous);
            Tensor filled = relayout(t, layout), expectedFill = relayout(t, Layout::contiguous);
            // Of several that go to one place the last along dim stays.
            for (int64_t i = 0; i < index->numel; i++)
              set(expected, place(i), get(src, i)), set(expectedFill, place(i), 1);
            THTensor_scatter(self, dim, relayout(index, layout), relayout(src, layout));
            THTensor_scatterFill(filled, dim, index, number(1));
            expectSame(self, expected);
            expectSame(filled, expectedFill);
          }
}

// ---- selection ---------------------------------------------------------------------------------------------

TEST(Index, Nonzero) {
  for (const Shape &shape : {Shape{}, Shape{0, 3}, Shape{10}, Shape{3, 4}, Shape{2, 3, 4}, Shape{100, 100}})
    for (int d : kKernelDtypes)
      for (Layout layout : kLayouts) {
        Tensor t = make(THDtype(d), shape, [](int64_t i) { return noise(i) < 0.5 ? 0 : 1 + i % 5; });
        if (t->numel > 3 && d >= TH_Half) set(t, 1, -0.0), set(t, 2, NAN);
        Tensor r(TH_Long);
        THTensor_nonzero(r, relayout(t, layout));
        std::vector<double> expected;
        int64_t count = 0;
        for (int64_t i = 0; i < t->numel; i++)
          if (get(t, i) != 0) {
            count++;
            for (int64_t x : split(shape, i)) expected.push_back(double(x));
          }
        ASSERT_EQ(shapeOf(r), (Shape{count, int64_t(shape.size())}));
        ASSERT_EQ(values(r), expected);
      }
}

TEST(Index, MaskedSelect) {
  const struct {
    Shape t, mask;
  } cases[] = {{{6}, {6}}, {{3, 4}, {3, 4}}, {{3, 4}, {4}}, {{3, 1}, {2}},
               {{}, {}},   {{0}, {0}},       {{2}, {3, 1}}, {{100, 90}, {100, 90}}};
  for (const auto &c : cases)
    for (THDtype dtype : kWidths)
      for (Layout layout : kLayouts) {
        const Tensor t = random(dtype, c.t), mask = random(TH_Bool, c.mask, 6);
        const THTensor *both[] = {mask, t};
        int64_t size[TH_MAX_DIM];
        const int ndim = TH_broadcastShape(2, both, size);
        const Tensor wide(THTensor_newExpand(t, ndim, size)), wideMask(THTensor_newExpand(mask, ndim, size));
        std::vector<double> expected;
        for (int64_t i = 0; i < wide->numel; i++)
          if (get(wideMask, i) != 0) expected.push_back(get(wide, i));
        Tensor r(dtype);
        THTensor_maskedSelect(r, relayout(t, layout), relayout(mask, layout));
        ASSERT_EQ(r->ndim, 1);
        ASSERT_EQ(values(r), expected);
      }
}

TEST(Index, Cat) {
  for (int dim : {0, 1, 2, -1})
    for (Layout layout : kLayouts)
      for (THDtype dtype : kWidths) {
        const int d = dim < 0 ? dim + 3 : dim;
        Shape shape{3, 4, 5};
        std::vector<Tensor> pieces;
        std::vector<const THTensor *> pointers;
        int64_t total = 0;
        for (int64_t length : {2, 0, 3}) {
          shape[size_t(d)] = length;
          total += length;
          pieces.push_back(relayout(random(dtype, shape, uint64_t(length)), layout));
        }
        pieces.emplace_back(TH_Float);  // 1-dim and empty: skipped
        for (const Tensor &piece : pieces) pointers.push_back(piece);
        Tensor r(dtype);
        THTensor_cat(r, int(pointers.size()), pointers.data(), dim);
        shape[size_t(d)] = total;
        ASSERT_EQ(shapeOf(r), shape);
        int64_t first = 0;
        for (const Tensor &piece : pieces) {
          if (piece->ndim == 1) continue;
          expectSame(Tensor(THTensor_newNarrow(r, d, first, piece->size[d])), piece);
          first += piece->size[d];
        }
      }
  const Tensor i = of(TH_Int, {1, 2}), f = of(TH_Float, {0.5});
  const THTensor *mixed[] = {i, f};
  Tensor r(TH_Float);
  THTensor_cat(r, 2, mixed, 0);
  EXPECT_EQ(values(r), (std::vector<double>{1, 2, 0.5}));
  const Tensor e(TH_Float);
  const THTensor *empty[] = {e, e};
  THTensor_cat(r, 2, empty, 1);
  EXPECT_EQ(shapeOf(r), Shape{0});
}

// ---- threads, errors -------------------------------------------------------------------------------------------

TEST(Index, ThreadsMakeNoDifference) {
  const Tensor t = random(TH_Float, {1000, 100}), rows = positions(TH_Long, {5000}, 1000);
  const Tensor value = random(TH_Float, {5000, 100}), index = positions(TH_Long, {1000, 100}, 1000);
  const THTensor *indices[] = {rows};
  for (bool accumulate : {false, true})
    expectThreadIndependent([&] {
      Tensor self = relayout(t, Layout::contiguous);
      THTensor_indexPut(self, 1, indices, value, accumulate);
      return self;
    });
  expectThreadIndependent([&] {
    Tensor self = relayout(t, Layout::contiguous);
    THTensor_scatter(self, 0, index, t);
    return self;
  });
  expectThreadIndependent([&] {
    Tensor r(TH_Long);
    THTensor_nonzero(r, Tensor(THTensor_newExpand(t, 3, Shape{3, 1000, 100}.data())));
    return r;
  });
}

TEST(Index, ErrorsChangeNothing) {
  const auto z = [](const Shape &shape, THDtype dtype = TH_Float) { return random(dtype, shape); };
  const auto at = [](const std::vector<double> &v, THDtype dtype = TH_Long) { return of(dtype, v); };
  Tensor r = of(TH_Float, {7}), self = random(TH_Float, {3, 4});
  const std::vector<double> before = values(self);
  const auto select = [&](const THTensor *t, int dim, const THTensor *i) { THTensor_indexSelect(r, t, dim, i); };
  const auto index = [&](const THTensor *t, const std::vector<const THTensor *> &i) {
    THTensor_index(r, t, int(i.size()), i.data());
  };
  const auto put = [&](THTensor *t, const std::vector<const THTensor *> &i, const THTensor *value,
                       bool accumulate = false) { THTensor_indexPut(t, int(i.size()), i.data(), value, accumulate); };
  const auto cat = [&](const std::vector<const THTensor *> &t, int dim = 0) {
    THTensor_cat(r, int(t.size()), t.data(), dim);
  };
  const struct {
    THErrorKind kind;
    const char *text;
    std::function<void()> call;
  } cases[] = {
      {TH_ERROR_INDEX, "index out of range in self", [&] { select(z({3}), 0, at({5})); }},
      {TH_ERROR_INDEX, "index out of range in self", [&] { select(z({3}), 0, at({-1})); }},
      {TH_ERROR_INDEX, "index out of range in self", [&] { select(z({0}), 0, at({0})); }},
      {TH_ERROR_RUNTIME, "index_select(): Expected dtype int32 or int64 for index",
       [&] { select(z({3}), 0, at({0}, TH_Short)); }},
      {TH_ERROR_INDEX, "index_select(): Index is supposed to be a vector",
       [&] { select(z({3}), 0, z({2, 2}, TH_Long)); }},
      {TH_ERROR_RUNTIME, "index_select(): Index to scalar can have only 1 value, got 2 value(s)",
       [&] { select(z({}), 0, at({0, 0})); }},
      {TH_ERROR_RUNTIME, "index_select(): self indexing axis dim should be positive",
       [&] { select(z({0, 3}), 0, at({0})); }},
      {TH_ERROR_RUNTIME, "index_select(): self and result must have the same scalar type",
       [&] { select(z({3}, TH_Int), 0, at({0})); }},
      {TH_ERROR_INDEX, "Dimension out of range", [&] { select(z({3}), 1, at({0})); }},
      {TH_ERROR_INDEX, "index 5 is out of bounds for dimension 0 with size 3", [&] { index(z({3}), {at({5})}); }},
      {TH_ERROR_INDEX, "index -4 is out of bounds for dimension 0 with size 3", [&] { index(z({3}), {at({1, -4})}); }},
      {TH_ERROR_INDEX, "index 4 is out of bounds for dimension 1 with size 4",
       [&] { index(z({3, 4}), {nullptr, at({4})}); }},
      {TH_ERROR_INDEX, "index is out of bounds for dimension with size 0", [&] { index(z({0, 4}), {at({0})}); }},
      {TH_ERROR_INDEX, "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]",
       [&] { index(z({3, 4}), {at({0, 1}), at({0, 1, 2})}); }},
      {TH_ERROR_INDEX, "too many indices for tensor of dimension 1", [&] { index(z({3}), {at({0}), at({0})}); }},
      {TH_ERROR_INDEX, "an index must hold integers, but the one of dimension 0 is of dtype float32",
       [&] { index(z({3}), {at({0}, TH_Float)}); }},
      {TH_ERROR_INDEX, "index 9 is out of bounds for dimension 0 with size 3",
       [&] { put(self, {at({0, 9})}, z({4})); }},
      {TH_ERROR_INDEX, "index 9 is out of bounds for dimension 0 with size 3",
       [&] { put(self, {at({0, 9})}, z({4}), true); }},
      {TH_ERROR_RUNTIME,
       "shape mismatch: value tensor of shape [5] cannot be broadcast to indexing result of shape [2, 4]",
       [&] { put(self, {at({0, 1})}, z({5})); }},
      {TH_ERROR_RUNTIME,
       "shape mismatch: value tensor of shape [1, 2, 4] cannot be broadcast to indexing result of shape [2, 4]",
       [&] { put(self, {at({0, 1})}, z({1, 2, 4})); }},
      {TH_ERROR_RUNTIME,
       "Index put requires the source and destination dtypes match, got Float for the destination and Double for the source.",
       [&] { put(self, {at({0})}, z({4}, TH_Double)); }},
      {TH_ERROR_RUNTIME, "refer to a single memory location",
       [&] { put(self, {at({0})}, Tensor(THTensor_newSelect(self, 0, 1))); }},
      {TH_ERROR_RUNTIME, "refer to a single memory location",
       [&] { THTensor_gather(self, self, 0, z({3, 4}, TH_Long)); }},
      {TH_ERROR_RUNTIME, "index 7 is out of bounds for dimension 0 with size 3",
       [&] { THTensor_gather(r, z({3}), 0, at({7})); }},
      {TH_ERROR_RUNTIME, "index -1 is out of bounds for dimension 0 with size 3",
       [&] { THTensor_gather(r, z({3}), 0, at({-1})); }},
      {TH_ERROR_RUNTIME, "Index tensor must have the same number of dimensions as input tensor",
       [&] { THTensor_gather(r, z({3}), 0, z({1, 1}, TH_Long)); }},
      {TH_ERROR_RUNTIME, "gather(): Expected dtype int32/int64 for index",
       [&] { THTensor_gather(r, z({3}), 0, at({0}, TH_Short)); }},
      {TH_ERROR_RUNTIME,
       "Size does not match at dimension 1 expected index [1, 4] to be no larger than self [2, 3] apart from dimension 0",
       [&] { THTensor_gather(r, z({2, 3}), 0, z({1, 4}, TH_Long)); }},
      {TH_ERROR_RUNTIME, "index 7 is out of bounds for dimension 0 with size 3",
       [&] { THTensor_scatterFill(self, 0, make(TH_Long, {2, 1}, [](int64_t i) { return i * 7; }), number(1)); }},
      {TH_ERROR_RUNTIME, "scatter(): Expected self.dtype to be equal to src.dtype",
       [&] { THTensor_scatter(self, 0, z({1, 1}, TH_Long), z({1, 1}, TH_Int)); }},
      {TH_ERROR_RUNTIME,
       "Expected index [1, 5] to be no larger than self [3, 4] apart from dimension 0 and to be no larger size than src [5, 5]",
       [&] { THTensor_scatter(self, 0, z({1, 5}, TH_Long), z({5, 5})); }},
      {TH_ERROR_RUNTIME, "Expected index [1, 5] to be no larger than self [3, 4] apart from dimension 0",
       [&] { THTensor_scatterFill(self, 0, z({1, 5}, TH_Long), number(1)); }},
      {TH_ERROR_RUNTIME, "masked_select: expected BoolTensor for mask",
       [&] { THTensor_maskedSelect(r, z({3}), at({1, 0, 1})); }},
      {TH_ERROR_RUNTIME, "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
       [&] { THTensor_maskedSelect(r, z({3}), z({2}, TH_Bool)); }},
      {TH_ERROR_RUNTIME, "dtype", [&] { THTensor_nonzero(r, z({3})); }},
      {TH_ERROR_VALUE, "torch.cat(): expected a non-empty list of Tensors", [&] { cat({}); }},
      {TH_ERROR_RUNTIME,
       "Sizes of tensors must match except in dimension 0. Expected size 2 but got size 3 for tensor number 1 in the list.",
       [&] { cat({z({3, 2}), z({4, 3})}); }},
      {TH_ERROR_RUNTIME, "Tensors must have same number of dimensions: got 2 and 1", [&] { cat({z({3, 2}), z({4})}); }},
      {TH_ERROR_RUNTIME, "zero-dimensional tensor (at position 1) cannot be concatenated",
       [&] { cat({z({3}), z({})}); }},
      {TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
       [&] { cat({z({0}), z({2, 2})}, 2); }},
      {TH_ERROR_RUNTIME, "refer to a single memory location", [&] { cat({r, r}); }},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.text);
    expectRaises(c.kind, c.text, c.call);
  }
  EXPECT_EQ(values(r), std::vector<double>{7});
  EXPECT_EQ(values(self), before);
}

}  // namespace
