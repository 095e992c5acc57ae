// Factorisations and solvers: what they are asked for must come out when it is multiplied again.
#include "tensors.hpp"

using namespace test;

namespace {

constexpr int64_t batch = 3, n = 5;

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

TEST(Lapack, SolvesByLU) {
  for (const Kernels &k : all) {
    const Tensor a = matrices(k.dtype, n, n, general), x = matrices(k.dtype, n, 2, right);
    const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
    k.getrf(a, pivots, info);
    for (int64_t b = 0; b < batch; b++) EXPECT_EQ(get(info, b), 0);
    k.getrs(x, a, pivots, false);
    EXPECT_LT(residual(general, elementsOf(x), right, n, n, 2), k.tolerance);
  }
}

TEST(Lapack, TellsASingularMatrix) {
  const Tensor a = matrices(TH_Double, n, n,
                            [](int64_t b, int64_t i, int64_t j) { return b == 1 ? 0.0 : general(b, i, j); });
  const Tensor pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  THDoubleTensor_getrf(a, pivots, info);
  EXPECT_EQ(get(info, 0), 0);
  EXPECT_EQ(get(info, 1), 1);
}

TEST(Lapack, SolvesByCholesky) {
  for (const Kernels &k : all)
    for (bool upper : {false, true}) {
      const Tensor a = matrices(k.dtype, n, n, symmetric), x = matrices(k.dtype, n, 2, right), info(TH_Int, {batch});
      k.potrf(a, info, upper);
      k.potrs(x, a, upper);
      EXPECT_LT(residual(symmetric, elementsOf(x), right, n, n, 2), k.tolerance);
    }
}

TEST(Lapack, FindsEigenvectors) {
  for (const Kernels &k : all) {
    const Tensor v = matrices(k.dtype, n, n, symmetric), w(k.dtype, {batch, n}), info(TH_Int, {batch});
    k.syev(v, w, info, true, false);
    const Element values = elementsOf(v),
                  scaled = [&](int64_t b, int64_t i, int64_t j) { return values(b, i, j) * get(w, b * n + j); };
    EXPECT_LT(residual(symmetric, values, scaled, n, n, n), k.tolerance);
  }
}

TEST(Lapack, RefusesMatricesByRows) {
  const Tensor a(TH_Float, {batch, n, n}), pivots(TH_Int, {batch, n}), info(TH_Int, {batch});
  EXPECT_THROW(THFloatTensor_getrf(a, pivots, info), th::Exception);
}

}  // namespace
