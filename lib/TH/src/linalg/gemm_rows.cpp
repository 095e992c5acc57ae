// Products of few rows with a transposed matrix, as a linear layer has them for a small batch. BLAS copies the matrix
// into another order first, which takes as long as the product; here each of its rows is read as it lies.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/gemm_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// As many sums as there are registers for, and narrower vectors than AVX2's gain nothing.
constexpr bool kIsWide = HWY_TARGET <= HWY_AVX2;
constexpr int kRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4, kColumns = 3;

// c = alpha a b' + beta c for so many rows of a and b. Each sum is a vector's, whose lanes are added up at the end.
template <int rows, int columns>
void tile(int64_t k, float alpha, const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c,
          int64_t ldc) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  V sums[rows][columns];
  for (auto &row : sums)
    for (V &sum : row) sum = hn::Zero(d);
  for (int64_t l = 0; l < k; l += int64_t(hn::Lanes(d))) {
    V right[columns];
    for (int j = 0; j < columns; j++) right[j] = hn::LoadU(d, b + j * ldb + l);
    for (int i = 0; i < rows; i++) {
      const V left = hn::LoadU(d, a + i * lda + l);
      for (int j = 0; j < columns; j++) sums[i][j] = hn::MulAdd(left, right[j], sums[i][j]);
    }
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const float sum = alpha * hn::GetLane(hn::SumOfLanes(d, sums[i][j]));
      float &to = c[i * ldc + j];
      to = beta == 0 ? sum : sum + beta * to;
    }
}

template <int columns, int rows = kRows, class... Rest>
void tileOf(int64_t m, Rest... rest) {
  if constexpr (rows > 1)
    if (m < rows) return tileOf<columns, rows - 1>(m, rest...);
  tile<rows, columns>(rest...);
}

bool product(int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda, const float *b, int64_t ldb,
             float beta, float *c, int64_t ldc) {
  if constexpr (kIsWide) {
    if (k % int64_t(hn::Lanes(hn::ScalableTag<float>()))) return false;
    for (int64_t j = 0; j < n;) {
      const bool whole = n - j >= kColumns;
      for (int64_t i = 0; i < m; i += kRows) {
        float *const to = c + i * ldc + j;
        if (whole)
          tileOf<kColumns>(m - i, k, alpha, a + i * lda, lda, b + j * ldb, ldb, beta, to, ldc);
        else
          tileOf<1>(m - i, k, alpha, a + i * lda, lda, b + j * ldb, ldb, beta, to, ldc);
      }
      j += whole ? kColumns : 1;
    }
  }
  return kIsWide;
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "gemm.hpp"

namespace th {

bool multiplyFewRows(int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda, const float *b,
                     int64_t ldb, float beta, float *c, int64_t ldc) {
  // Where it was measured to be faster than OpenBLAS and oneDNN, by AVX-512.
  if (m < 4 || m > (k < 512 ? 16 : 24) || k < 256 || double(m) * double(n) * double(k) < double(3 << 18)) return false;
  return TH_BEST_TARGET(product)(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace th

#endif
