// Tiles of products: as many rows and vectors of columns as there are registers for their sums.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "recurrent/products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "products.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kVectors = 2;                                // of a panel
constexpr int kRows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;     // of a tile, where there are 32 registers, or 16
template <class C> constexpr int64_t kPanel = kVectors * hn::MaxLanes(hn::ScalableTag<C>());

// A tile of R rows and one panel, of which n columns are wanted.
template <int R, class C>
void tile(int64_t n, int64_t k, const C *HWY_RESTRICT a, int64_t lda, const C *HWY_RESTRICT packed, bool add,
          C *HWY_RESTRICT c, int64_t ldc) {
  const hn::ScalableTag<C> d;
  constexpr int64_t lanes = hn::MaxLanes(hn::ScalableTag<C>());
  hn::Vec<decltype(d)> sums[R][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < R; r++)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; v++) sums[r][v] = hn::Zero(d);
  for (int64_t i = 0; i < k; i++) {
    const auto b0 = hn::LoadU(d, packed + i * kPanel<C>), b1 = hn::LoadU(d, packed + i * kPanel<C> + lanes);
#pragma GCC unroll 16
    for (int r = 0; r < R; r++) {
      const auto x = hn::Set(d, a[r * lda + i]);
      sums[r][0] = hn::MulAdd(x, b0, sums[r][0]);
      sums[r][1] = hn::MulAdd(x, b1, sums[r][1]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; r++) {
    C *const to = c + r * ldc;
    if (n == kPanel<C>) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; v++) {
        C *const at = to + v * lanes;
        hn::StoreU(add ? hn::Add(hn::LoadU(d, at), sums[r][v]) : sums[r][v], d, at);
      }
    } else {
      C row[kPanel<C>];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; v++) hn::StoreU(sums[r][v], d, row + v * lanes);
      for (int64_t j = 0; j < n; j++) to[j] = add ? to[j] + row[j] : row[j];
    }
  }
}

// The last rows, which are fewer than a tile's.
template <int R, class C>
void rest(int64_t rows, int64_t n, int64_t k, const C *a, int64_t lda, const C *packed, bool add, C *c, int64_t ldc) {
  if constexpr (R > 0) {
    if (rows == R) return tile<R>(n, k, a, lda, packed, add, c, ldc);
    rest<R - 1>(rows, n, k, a, lda, packed, add, c, ldc);
  }
}

template <class C>
void multiply(int64_t rows, int64_t n, int64_t k, const C *a, int64_t lda, const C *packed, bool add, C *c,
              int64_t ldc) {
  for (int64_t j = 0; j < n; j += kPanel<C>, packed += k * kPanel<C>) {
    const int64_t width = n - j < kPanel<C> ? n - j : kPanel<C>;
    int64_t i = 0;
    for (; i + kRows <= rows; i += kRows) tile<kRows>(width, k, a + i * lda, lda, packed, add, c + i * ldc + j, ldc);
    rest<kRows - 1>(rows - i, width, k, a + i * lda, lda, packed, add, c + i * ldc + j, ldc);
  }
}

constexpr thnn::Products<float> productsOfFloat = {kPanel<float>, multiply<float>};
constexpr thnn::Products<double> productsOfDouble = {kPanel<double>, multiply<double>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

template <>
const Products<float> &products() {
  return TH_BEST_TARGET(productsOfFloat);
}
template <>
const Products<double> &products() {
  return TH_BEST_TARGET(productsOfDouble);
}

}  // namespace thnn
#endif
