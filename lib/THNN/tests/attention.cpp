// Attention against its formula, and gradients against the sums that they are the gradients of.
#include <algorithm>
#include <limits>

#include <THNN/THNN.h>

#include "families.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const auto updateOutput = NN_FAMILY(floating, ScaledDotProductAttention_updateOutput);
const auto updateGradInput = NN_FAMILY(floating, ScaledDotProductAttention_updateGradInput);

struct Case {
  int64_t batch, heads, keyHeads, queries, keys, width, valueWidth;
  bool causal = false;
  Shape mask = {};
  THDtype maskDtype = TH_Bool;
  Shape query() const { return {batch, heads, queries, width}; }
  Shape key() const { return {batch, keyHeads, keys, width}; }
  Shape value() const { return {batch, keyHeads, keys, valueWidth}; }
  Shape output() const { return {batch, heads, queries, valueWidth}; }
};

// Sizes around the tiles' and the vectors', several heads for one of keys, masks of every rank, rows that see nothing.
const Case kCases[] = {
    {1, 1, 1, 1, 1, 1, 1},
    {2, 3, 3, 5, 7, 4, 4},
    {1, 4, 2, 33, 130, 17, 9},
    {1, 2, 1, 300, 140, 32, 32, true},
    {1, 1, 1, 40, 290, 33, 64, true},
    {2, 2, 2, 65, 129, 8, 40, false, {65, 129}},
    {2, 2, 2, 31, 45, 8, 8, false, {2, 1, 31, 45}, TH_Double},
    {2, 4, 2, 6, 10, 3, 5, true, {1, 10}},
    {1, 2, 2, 6, 10, 3, 5, false, {2, 6, 1}, TH_Float},
    {2, 2, 2, 6, 10, 3, 5, true, {10}, TH_Half},
    {1, 2, 2, 3, 4, 5, 6, false, {}, TH_Float},
    {2, 3, 3, 0, 4, 5, 6},
    {2, 3, 3, 4, 0, 5, 6},
    {0, 3, 3, 4, 4, 5, 6},
    {2, 3, 3, 4, 4, 0, 6},
};
constexpr double kScale = 0.4;

Tensor maskOf(const Case &c) {
  return make(c.maskDtype, c.mask, [&](int64_t i) {
    const double x = noise(i, 9);
    if (c.maskDtype == TH_Bool) return double(x < 0.7 && (i / 129) % 7 != 3);
    return x < 0.2 ? -kInfinity : std::floor(x * 8) / 4;
  });
}

bool hasMask(const Case &c) { return !c.mask.empty(); }

// What is added to the score of query i and key j.
double maskAt(const Case &c, const THTensor *mask, int64_t b, int64_t h, int64_t i, int64_t j) {
  if (c.causal && j > i) return -kInfinity;
  if (!hasMask(c)) return 0;
  const int64_t index[4] = {b, h, i, j};
  int64_t at = 0;
  for (int d = 0; d < mask->ndim; d++) at = at * mask->size[d] + (mask->size[d] == 1 ? 0 : index[4 - mask->ndim + d]);
  const double x = get(mask, at);
  return c.maskDtype == TH_Bool ? (x != 0 ? 0 : -kInfinity) : x;
}

struct Reference {
  Numbers output, logsumexp, gradQuery, gradKey, gradValue;
};

// By the formula, row by row.
Reference reference(const Case &c, const Numbers &q, const Numbers &k, const Numbers &v, const THTensor *mask,
                    const Numbers &gradOutput) {
  Reference r;
  r.output.resize(size_t(product(c.output())));
  r.logsumexp.resize(size_t(c.batch * c.heads * c.queries));
  r.gradQuery.resize(q.size()), r.gradKey.resize(k.size()), r.gradValue.resize(v.size());
  for (int64_t row = 0; row < c.batch * c.heads * c.queries; row++) {
    const int64_t i = row % c.queries, h = row / c.queries % c.heads, b = row / c.queries / c.heads;
    const int64_t kh = b * c.keyHeads + h / (c.heads / c.keyHeads);
    const auto at = [&](const Numbers &x, int64_t j, int64_t e, int64_t n) {
      return x[size_t((kh * c.keys + j) * n + e)];
    };
    Numbers shares(static_cast<size_t>(c.keys)), grads(static_cast<size_t>(c.keys));
    double max = -kInfinity, sum = 0, dot = 0;
    for (int64_t j = 0; j < c.keys; j++) {
      double score = 0;
      for (int64_t e = 0; e < c.width; e++) score += q[size_t(row * c.width + e)] * at(k, j, e, c.width);
      shares[size_t(j)] = score * kScale + maskAt(c, mask, b, h, i, j);
      max = std::max(max, shares[size_t(j)]);
    }
    for (double &x : shares) sum += x = max == -kInfinity ? 0 : std::exp(x - max);
    r.logsumexp[size_t(row)] = sum > 0 ? max + std::log(sum) : kInfinity;
    for (int64_t j = 0; j < c.keys; j++) {
      double &share = shares[size_t(j)], &grad = grads[size_t(j)];
      share = sum > 0 ? share / sum : 0;
      for (int64_t e = 0; e < c.valueWidth; e++) {
        const double g = gradOutput[size_t(row * c.valueWidth + e)];
        r.output[size_t(row * c.valueWidth + e)] += share * at(v, j, e, c.valueWidth);
        r.gradValue[size_t((kh * c.keys + j) * c.valueWidth + e)] += share * g;
        grad += g * at(v, j, e, c.valueWidth);
      }
      dot += share * grad;
    }
    for (int64_t j = 0; j < c.keys; j++) {
      const double grad = shares[size_t(j)] * (grads[size_t(j)] - dot) * kScale;
      for (int64_t e = 0; e < c.width; e++) {
        r.gradQuery[size_t(row * c.width + e)] += grad * at(k, j, e, c.width);
        r.gradKey[size_t((kh * c.keys + j) * c.width + e)] += grad * q[size_t(row * c.width + e)];
      }
    }
  }
  return r;
}

// The same elements, with heads inside rows: (batch, rows, heads, columns) in memory.
Tensor turned(const THTensor *t) {
  Tensor dense(THDtype(t->dtype), {t->size[0], t->size[2], t->size[1], t->size[3]});
  Tensor view(THTensor_newTranspose(dense, 1, 2));
  THTensor_copy(view, t);
  return view;
}
// The same elements, with the columns apart.
Tensor apart(const THTensor *t) {
  Tensor dense(THDtype(t->dtype), {t->size[3], t->size[1], t->size[2], t->size[0]});
  Tensor view(THTensor_newTranspose(dense, 0, 3));
  THTensor_copy(view, t);
  return view;
}

double tolerance(THDtype dtype) {
  return dtype == TH_Half ? 4e-3 : dtype == TH_BFloat16 ? 3e-2 : dtype == TH_Float ? 2e-5 : 1e-12;
}
void expectNear(const char *what, const THTensor *t, const Shape &shape, const Numbers &expected, double tolerance) {
  ASSERT_EQ(shapeOf(t), shape) << what;
  for (int64_t i = 0; i < t->numel; i++) {
    const double x = expected[size_t(i)];
    if (std::isinf(x))
      ASSERT_EQ(get(t, i), x) << what << " " << i;
    else
      ASSERT_NEAR(get(t, i), x, tolerance * (1 + std::fabs(x))) << what << " " << i;
  }
}

struct Results {
  Tensor output, logsumexp, gradQuery, gradKey, gradValue;
};
Results run(THDtype dtype, const Case &c, const THTensor *q, const THTensor *k, const THTensor *v, const THTensor *mask,
            const THTensor *grad) {
  const THDtype sums = dtype == TH_Double ? TH_Double : TH_Float;
  Results r{Tensor(dtype), Tensor(sums), Tensor(dtype), Tensor(dtype), Tensor(dtype)};
  mask = hasMask(c) ? mask : nullptr;
  updateOutput[dtype](nullptr, q, k, v, r.output, r.logsumexp, mask, c.causal, kScale);
  updateGradInput[dtype](nullptr, q, k, v, grad, r.gradQuery, r.gradKey, r.gradValue, r.output, r.logsumexp, mask,
                         c.causal, kScale);
  return r;
}

TEST(Attention, AsByItsFormula) {
  for (THDtype dtype : kFloatingDtypes)
    for (const Case &c : kCases) {
      SCOPED_TRACE(testing::Message() << TH_dtypeName(dtype) << ", case " << &c - kCases);
      const Tensor q = random(dtype, c.query(), 2), k = random(dtype, c.key(), 3), v = random(dtype, c.value(), 4),
                   grad = random(dtype, c.output(), 5), mask = maskOf(c);
      const Reference expected = reference(c, values(q), values(k), values(v), mask, values(grad));
      const auto compare = [&](const Results &r) {
        const double t = tolerance(dtype);
        expectNear("output", r.output, c.output(), expected.output, t);
        expectNear("logsumexp", r.logsumexp, {c.batch, c.heads, c.queries}, expected.logsumexp, t);
        expectNear("gradQuery", r.gradQuery, c.query(), expected.gradQuery, 8 * t);
        expectNear("gradKey", r.gradKey, c.key(), expected.gradKey, 8 * t);
        expectNear("gradValue", r.gradValue, c.value(), expected.gradValue, 8 * t);
      };
      compare(run(dtype, c, q, k, v, mask, grad));
      compare(run(dtype, c, turned(q), turned(k), turned(v), mask, turned(grad)));
      compare(run(dtype, c, apart(q), apart(k), turned(v), mask, apart(grad)));
    }
}

TEST(Attention, ResultsLieAsTheyAre) {
  const Case c{2, 4, 2, 40, 50, 6, 6, true};
  const Tensor q = random(TH_Float, c.query(), 2), k = random(TH_Float, c.key(), 3), v = random(TH_Float, c.value(), 4),
               grad = random(TH_Float, c.output(), 5);
  const Results plain = run(TH_Float, c, q, k, v, nullptr, grad);
  Tensor output = turned(q), sums(TH_Float), gradQuery = apart(q), gradKey = turned(k), gradValue = turned(v);
  updateOutput[TH_Float](nullptr, q, k, v, output, sums, nullptr, true, kScale);
  EXPECT_EQ(stridesOf(output), stridesOf(turned(q)));
  EXPECT_EQ(values(output), values(plain.output));
  updateGradInput[TH_Float](nullptr, q, k, v, grad, gradQuery, gradKey, gradValue, output, sums, nullptr, true, kScale);
  EXPECT_EQ(values(gradQuery), values(plain.gradQuery));
  EXPECT_EQ(values(gradKey), values(plain.gradKey));
  EXPECT_EQ(values(gradValue), values(plain.gradValue));
  // into the inputs themselves
  Tensor q2 = turned(q), k2 = turned(k), v2 = turned(v);
  updateGradInput[TH_Float](nullptr, q2, k2, v2, grad, q2, k2, v2, output, sums, nullptr, true, kScale);
  EXPECT_EQ(values(q2), values(plain.gradQuery));
  EXPECT_EQ(values(k2), values(plain.gradKey));
  EXPECT_EQ(values(v2), values(plain.gradValue));
  Tensor q3 = turned(q);
  updateOutput[TH_Float](nullptr, q3, k, v, q3, sums, nullptr, true, kScale);
  EXPECT_EQ(values(q3), values(plain.output));
}

// No result changes where one cannot, or where two are one.
TEST(Attention, ResultsAreJudgedTogether) {
  const Case c{1, 2, 2, 3, 4, 5, 5};
  const Tensor q = random(TH_Float, c.query(), 2), k = random(TH_Float, c.key(), 3), v = random(TH_Float, c.value(), 4);
  Tensor output(TH_Float, {7}), sums(TH_Float, {0});
  sums->storage->resizable = false;
  expectRaises(TH_ERROR_RUNTIME, "not resizable",
               [&] { updateOutput[TH_Float](nullptr, q, k, v, output, sums, nullptr, false, 1); });
  EXPECT_EQ(shapeOf(output), Shape{7});
  expectRaises(TH_ERROR_RUNTIME, "single memory location",
               [&] { updateOutput[TH_Float](nullptr, q, k, v, output, output, nullptr, false, 1); });
  // a result that grows where an input lies
  Tensor whole = random(TH_Float, {60}, 2), grows(THTensor_newNarrow(whole, 0, 0, 0));
  const Shape shape = c.query(), strides = {30, 15, 5, 1};
  const Tensor query(THTensor_newWithStorage(TH_Float, whole->storage, 0, 4, shape.data(), strides.data()));
  const Results expected = run(TH_Float, c, q, k, v, nullptr, random(TH_Float, c.output(), 5));
  THTensor_copy(query, q);
  Tensor fresh(TH_Float);
  updateOutput[TH_Float](nullptr, query, k, v, grows, fresh, nullptr, false, kScale);
  EXPECT_EQ(values(grows), values(expected.output));
}

TEST(Attention, ThreadsDoNotChangeBits) {
  const int before = TH_getNumThreads();
  for (const Case &c : {Case{1, 1, 1, 600, 520, 24, 24, true}, Case{3, 4, 2, 70, 300, 24, 16}}) {
    const Tensor q = random(TH_Float, c.query(), 2), k = random(TH_Float, c.key(), 3),
                 v = random(TH_Float, c.value(), 4), grad = random(TH_Float, c.output(), 5);
    TH_setNumThreads(1);
    const Results one = run(TH_Float, c, q, k, v, nullptr, grad);
    TH_setNumThreads(2);
    const Results two = run(TH_Float, c, q, k, v, nullptr, grad);
    EXPECT_EQ(values(one.output), values(two.output));
    EXPECT_EQ(values(one.gradQuery), values(two.gradQuery));
    EXPECT_EQ(values(one.gradKey), values(two.gradKey));
    EXPECT_EQ(values(one.gradValue), values(two.gradValue));
  }
  TH_setNumThreads(before);
}

TEST(Attention, NotANumberStaysInItsRows) {
  const Case c{1, 1, 1, 4, 5, 3, 3};
  Tensor q = random(TH_Double, c.query(), 2), k = random(TH_Double, c.key(), 3), v = random(TH_Double, c.value(), 4);
  set(q, 3, NAN);
  const Results r = run(TH_Double, c, q, k, v, nullptr, random(TH_Double, c.output(), 5));
  for (int64_t i = 0; i < 12; i++) EXPECT_EQ(std::isnan(get(r.output, i)), i / 3 == 1) << i;
}

TEST(Attention, RefusesWhatDoesNotFit) {
  const auto refused = [](const Shape &q, const Shape &k, const Shape &v, const Shape &mask, THDtype maskDtype) {
    Tensor output(TH_Float, {7}), sums(TH_Float, {8});
    EXPECT_THROW(updateOutput[TH_Float](nullptr, random(TH_Float, q), random(TH_Float, k), random(TH_Float, v), output,
                                        sums, random(maskDtype, mask), false, 1),
                 th::Exception);
    EXPECT_EQ(shapeOf(output), Shape{7});
    EXPECT_EQ(shapeOf(sums), Shape{8});
  };
  const Shape q = {2, 4, 3, 5}, k = {2, 2, 6, 5}, mask = {3, 6};
  refused({4, 3, 5}, k, k, mask, TH_Float);
  refused(q, {2, 2, 6, 4}, k, mask, TH_Float);
  refused(q, k, {2, 2, 7, 5}, mask, TH_Float);
  refused(q, k, {1, 2, 6, 5}, mask, TH_Float);
  refused(q, {2, 3, 6, 5}, {2, 3, 6, 5}, mask, TH_Float);
  refused(q, k, k, {3, 5}, TH_Float);
  refused(q, k, k, {1, 2, 4, 3, 6}, TH_Bool);
  refused(q, k, k, mask, TH_Long);
}

}  // namespace
