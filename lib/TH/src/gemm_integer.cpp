// Integer products. Sums wrap, so they are formed in unsigned arithmetic, in any order.
#define TH_WIDE_TARGETS
#include "simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gemm_integer.cpp"
#include <hwy/foreach_target.h>

#include <hwy/ops/set_macros-inl.h>

#include "gemm.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// Rows begin … end - 1 of c += alpha a b, for a b whose rows have unit stride. Blocks of 64 rows of b
// stay in the cache while the rows of c pass; `sum` has room for one of these.
template <class U>
void multiplyRows(const Matrix<U> &c, const Matrix<const U> &a, const Matrix<const U> &b, U alpha, int64_t begin,
                  int64_t end, U *__restrict sum) {
  constexpr int64_t block = 64;
  const int64_t n = c.columns, step = b.rowStride;
  for (int64_t k0 = 0; k0 < a.columns; k0 += block) {
    const int64_t k1 = a.columns < k0 + block ? a.columns : k0 + block;
    for (int64_t i = begin; i < end; i++) {
      const auto factor = [&](int64_t k) { return U(alpha * a.data[i * a.rowStride + k * a.columnStride]); };
      for (int64_t j = 0; j < n; j++) sum[j] = 0;
      int64_t k = k0;
      for (; k + 4 <= k1; k += 4) {
        const U x0 = factor(k), x1 = factor(k + 1), x2 = factor(k + 2), x3 = factor(k + 3);
        const U *row = b.data + k * step;
        for (int64_t j = 0; j < n; j++)
          sum[j] += x0 * row[j] + x1 * row[j + step] + x2 * row[j + 2 * step] + x3 * row[j + 3 * step];
      }
      for (; k < k1; k++) {
        const U x = factor(k);
        const U *row = b.data + k * step;
        for (int64_t j = 0; j < n; j++) sum[j] += x * row[j];
      }
      U *to = c.data + i * c.rowStride;
      for (int64_t j = 0; j < n; j++) to[j * c.columnStride] += sum[j];
    }
  }
}

constexpr auto multiplyRows32 = multiplyRows<uint32_t>;
constexpr auto multiplyRows64 = multiplyRows<uint64_t>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <type_traits>
#include <vector>

#include "parallel.hpp"

namespace th {
namespace {

template <class U>
auto bestMultiplyRows() {
  if constexpr (sizeof(U) == 4)
    return TH_BEST_TARGET(multiplyRows32);
  else
    return TH_BEST_TARGET(multiplyRows64);
}

template <class T>
void multiplyInteger(const Product<T> &p) {
  using U = std::make_unsigned_t<T>;
  const Matrix<U> c{reinterpret_cast<U *>(p.c.data), p.c.rows, p.c.columns, p.c.rowStride, p.c.columnStride};
  const int64_t m = c.rows, n = c.columns, k = p.a.columns;
  for (int64_t batch = 0; batch < p.batch; batch++) {
    Matrix<U> to = c;
    to.data += batch * p.cStep;
    Matrix<const U> a{reinterpret_cast<const U *>(p.a.data) + batch * p.aStep, m, k, p.a.rowStride, p.a.columnStride};
    Matrix<const U> b{reinterpret_cast<const U *>(p.b.data) + batch * p.bStep, k, n, p.b.rowStride, p.b.columnStride};
    std::vector<U> rows;
    if (b.columnStride != 1 && n > 1) {
      rows.resize(size_t(k * n));
      for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < n; j++) rows[size_t(i * n + j)] = b.data[i * b.rowStride + j * b.columnStride];
      b = {rows.data(), k, n, n, 1};
    }
    const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, n * std::min<int64_t>(k, kGrain)));
    parallelFor(m, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < n; j++) {
          U &x = to.data[i * to.rowStride + j * to.columnStride];
          x = p.beta == 0 ? U(0) : U(U(p.beta) * x);
        }
      std::vector<U> sum(static_cast<size_t>(n));
      bestMultiplyRows<U>()(to, a, b, U(p.alpha), begin, end, sum.data());
    });
  }
}

template <class T>
T dotInteger(int64_t n, const T *a, int64_t aStride, const T *b, int64_t bStride) {
  using U = std::make_unsigned_t<T>;
  U sum = 0;
  for (int64_t i = 0; i < n; i++) sum += U(a[i * aStride]) * U(b[i * bStride]);
  return T(sum);
}

}  // namespace

void multiply(const Product<int32_t> &product) { multiplyInteger(product); }
void multiply(const Product<int64_t> &product) { multiplyInteger(product); }
int32_t dotProduct(int64_t n, const int32_t *a, int64_t aStride, const int32_t *b, int64_t bStride) {
  return dotInteger(n, a, aStride, b, bStride);
}
int64_t dotProduct(int64_t n, const int64_t *a, int64_t aStride, const int64_t *b, int64_t bStride) {
  return dotInteger(n, a, aStride, b, bStride);
}

}  // namespace th
#endif
