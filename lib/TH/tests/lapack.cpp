// Factorisations and solvers: multiplied again, the factors must give the matrix, and the solution the right side.
#include "tensors.hpp"

using namespace test;

namespace {

constexpr int64_t batch = 3;

// Batches of matrices by columns: element (b, i, j) is f(b, i, j).
Tensor matrices(THDtype dtype, int64_t m, int64_t k, const std::function<double(int64_t, int64_t, int64_t)> &f) {
  const Tensor rows(dtype, {batch, k, m});
  Tensor t(THTensor_newTranspose(rows, 1, 2));
  for (int64_t b = 0; b < batch; b++)
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < k; j++) set(t, (b * m + i) * k + j, f(b, i, j));
  return t;
}

double symmetric(int64_t b, int64_t i, int64_t j) { return (i == j ? 6.0 : 0.0) + 1.0 / double(1 + i + j + b); }
double general(int64_t b, int64_t i, int64_t j) {
  return double((7 * i + 3 * j + 5 * b + i * j) % 11) - 5 + (i == j ? 12 : 0);
}
double right(int64_t b, int64_t i, int64_t j) { return double(i - 2 * j + b); }

// The largest difference of a b from c, each given by its elements.
using Element = std::function<double(int64_t, int64_t, int64_t)>;
double residual(const Element &a, const Element &b, const Element &c, int64_t m, int64_t inner, int64_t k) {
  double most = 0;
  for (int64_t q = 0; q < batch; q++)
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < k; j++) {
        double sum = 0;
        for (int64_t l = 0; l < inner; l++) sum += a(q, i, l) * b(q, l, j);
        most = std::max(most, std::fabs(sum - c(q, i, j)));
      }
  return most;
}
Element elementsOf(const THTensor *t) {
  return [t](int64_t b, int64_t i, int64_t j) { return get(t, (b * t->size[1] + i) * t->size[2] + j); };
}

struct Kernels {
  THDtype dtype;
  decltype(&THFloatTensor_getrf) getrf;
  decltype(&THFloatTensor_getrs) getrs;
  decltype(&THFloatTensor_potrf) potrf;
  decltype(&THFloatTensor_potrs) potrs;
  decltype(&THFloatTensor_syev) syev;
  double tolerance;
};
const Kernels all[] = {
    {TH_Float, THFloatTensor_getrf, THFloatTensor_getrs, THFloatTensor_potrf, THFloatTensor_potrs, THFloatTensor_syev,
     1e-4},
    {TH_Double, THDoubleTensor_getrf, THDoubleTensor_getrs, THDoubleTensor_potrf, THDoubleTensor_potrs,
     THDoubleTensor_syev, 1e-12},
};

// The order of the matrices: of a few rows we factorise by ourselves, of more OpenBLAS does.
class Lapack : public testing::TestWithParam<int64_t> {
 protected:
  const int64_t n = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Orders, Lapack, testing::Values(5, 12));

TEST_P(Lapack, SolvesByLU) {
  for (const Kernels &k : all) {
    const Tensor a = matrices(k.dtype, n, n, general), x = matrices(k.dtype, n, 2, right);
    const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
    k.getrf(a, pivots, info);
    for (int64_t b = 0; b < batch; b++) EXPECT_EQ(get(info, b), 0);
    k.getrs(x, a, pivots, 'N');
    EXPECT_LT(residual(general, elementsOf(x), right, n, n, 2), k.tolerance);
  }
}

TEST_P(Lapack, TellsASingularMatrix) {
  const Tensor a = matrices(TH_Double, n, n,
                            [](int64_t b, int64_t i, int64_t j) { return b == 1 ? 0.0 : general(b, i, j); });
  const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  THDoubleTensor_getrf(a, pivots, info);
  EXPECT_EQ(get(info, 0), 0);
  EXPECT_EQ(get(info, 1), 1);
}

TEST_P(Lapack, SolvesByCholesky) {
  for (const Kernels &k : all)
    for (bool upper : {false, true}) {
      const Tensor a = matrices(k.dtype, n, n, symmetric), x = matrices(k.dtype, n, 2, right), info(TH_Int, {batch});
      k.potrf(a, info, upper);
      k.potrs(x, a, upper);
      EXPECT_LT(residual(symmetric, elementsOf(x), right, n, n, 2), k.tolerance);
    }
}

TEST_P(Lapack, FindsEigenvectors) {
  for (const Kernels &k : all) {
    const Tensor v = matrices(k.dtype, n, n, symmetric), w(k.dtype, {batch, n}), info(TH_Int, {batch});
    k.syev(v, w, info, true, false);
    const Element values = elementsOf(v),
                  scaled = [&](int64_t b, int64_t i, int64_t j) { return values(b, i, j) * get(w, b * n + j); };
    EXPECT_LT(residual(symmetric, values, scaled, n, n, n), k.tolerance);
  }
}

// A complex element is x - i x: a factor of (1 - i) on both sides, which no real part of a solution shows.
TEST_P(Lapack, SolvesComplexEquations) {
  const Tensor a = matrices(TH_ComplexDouble, n, n, general), x = matrices(TH_ComplexDouble, n, 2, right);
  const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  THComplexDoubleTensor_gesv(x, a, pivots, info);
  EXPECT_LT(residual(general, elementsOf(x), right, n, n, 2), 1e-12);
}

TEST_P(Lapack, SolvesByBatches) {
  const Tensor a = matrices(TH_Double, n, n, general), x = matrices(TH_Double, n, 2, right);
  const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  THDoubleTensor_btrifact(a, pivots, info);
  THDoubleTensor_btrisolve(x, a, pivots);
  EXPECT_LT(residual(general, elementsOf(x), right, n, n, 2), 1e-12);
}

double one(int64_t, int64_t i, int64_t j) { return i == j; }

TEST_P(Lapack, InvertsByLU) {
  const Tensor a = matrices(TH_Double, n, n, general), pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  THDoubleTensor_getrf(a, pivots, info);
  THDoubleTensor_getri(a, pivots, info);
  EXPECT_LT(residual(general, elementsOf(a), one, n, n, n), 1e-12);
}

TEST_P(Lapack, SolvesSymmetricEquations) {
  const auto indefinite = [](int64_t b, int64_t i, int64_t j) { return symmetric(b, i, j) - (i == j ? 6.5 : 0); };
  for (bool upper : {false, true}) {
    const Tensor a = matrices(TH_Double, n, n, indefinite), x = matrices(TH_Double, n, 2, right);
    const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
    THDoubleTensor_sytrf(a, pivots, info, upper, false);
    THDoubleTensor_sytrs(x, a, pivots, upper, false);
    EXPECT_LT(residual(indefinite, elementsOf(x), right, n, n, 2), 1e-11);
    for (int bad : {0, int(n) + 1, -int(n) - 1, -3}) {  // one negative pivot alone is no block
      set(pivots, n, 1), set(pivots, n + 1, bad), set(pivots, n + 2, 1);
      EXPECT_THROW(THDoubleTensor_sytrs(x, a, pivots, upper, false), th::Exception);
    }
  }
}

TEST_P(Lapack, FactorsByReflections) {
  for (int64_t wide : {int64_t(3), n}) {
    const Tensor a = matrices(TH_Double, n, 3, general), q = matrices(TH_Double, n, wide, one);
    const Tensor r = matrices(TH_Double, wide, 3, right);
    THDoubleTensor_qr(q, r, a);
    EXPECT_LT(residual(elementsOf(q), elementsOf(r), general, n, wide, 3), 1e-12);
    const Element columns = elementsOf(q), turned = [&](int64_t b, int64_t i, int64_t j) { return columns(b, j, i); };
    EXPECT_LT(residual(turned, columns, one, wide, n, wide), 1e-12);
    EXPECT_EQ(elementsOf(r)(1, 2, 0), 0);
  }
}

TEST_P(Lapack, FindsSingularVectors) {
  for (const auto kernel : {THDoubleTensor_gesdd, THDoubleTensor_gesvd, THDoubleTensor_gesvd2}) {
    const Tensor a = matrices(TH_Double, n, 3, general), u = matrices(TH_Double, n, 3, one);
    const Tensor vt = matrices(TH_Double, 3, 3, one), s(TH_Double, {batch, 3}), info(TH_Int, {batch});
    kernel(a, s, u, vt, info);
    const Element left = elementsOf(u),
                  scaled = [&](int64_t b, int64_t i, int64_t j) { return left(b, i, j) * get(s, b * 3 + j); };
    EXPECT_LT(residual(scaled, elementsOf(vt), general, n, 3, 3), 1e-12);
  }
}

TEST_P(Lapack, FactorsSemidefiniteMatrices) {
  // Of rank 2: the products of two vectors' elements.
  const auto low = [](int64_t b, int64_t i, int64_t j) { return double(i * j + (i % 2) * (j % 2) * (b + 1)); };
  const Tensor a = matrices(TH_Double, n, n, low), pivots(TH_Int, {batch, n}), rank(TH_Int, {batch});
  THDoubleTensor_pstrf(a, pivots, rank, false, -1);
  const Element all = elementsOf(a),
                l = [&](int64_t b, int64_t i, int64_t j) { return j <= i && j < 2 ? all(b, i, j) : 0; };
  const Element turned = [&](int64_t b, int64_t i, int64_t j) { return l(b, j, i); };
  const auto row = [&](int64_t b, int64_t i) { return int64_t(get(pivots, b * n + i)) - 1; };
  for (int64_t b = 0; b < batch; b++) EXPECT_EQ(get(rank, b), 2);
  EXPECT_LT(residual(
                l, turned, [&](int64_t b, int64_t i, int64_t j) { return low(b, row(b, i), row(b, j)); }, n, n, n),
            1e-12);
}

TEST_P(Lapack, RefusesMatricesByRows) {
  const Tensor a(TH_Float, {batch, n, n}), pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  EXPECT_THROW(THFloatTensor_getrf(a, pivots, info), th::Exception);
}

}  // namespace
