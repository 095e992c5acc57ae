// Integer products. Sums wrap, so they are formed in unsigned arithmetic, in any order.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/gemm_integer.cpp"
#include <hwy/foreach_target.h>

#include <hwy/ops/set_macros-inl.h>

#include <cstring>
#include <type_traits>
#include "gemm.hpp"
#include "kit/vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

constexpr int64_t kDepth = 128, kRows = 4;

template <class U> using Vector = VectorInMemory < U, HWY_MAX_BYTES<64 ? HWY_MAX_BYTES : 64>;
template <class U> constexpr int64_t kLanes = kLanesOf<U, Vector<U>>;

// sum = a b for `rows` rows of a, and so many vectors of columns of b, whose rows are `step` apart. The sums stay in
// registers, and each vector of b serves all rows.
template <int rows, int vectors, class U>
HWY_INLINE void multiplyTile(const U *a, int64_t rowStride, int64_t columnStride, const U *b, int64_t step,
                             int64_t depth, U *sum) {
  using V = Vector<U>;
  V s[rows][vectors] = {};
  for (int64_t k = 0; k < depth; k++, b += step, a += columnStride)
    for (int r = 0; r < rows; r++)
      for (int v = 0; v < vectors; v++) s[r][v] += a[r * rowStride] * reinterpret_cast<const V *>(b)[v];
  std::memcpy(sum, s, sizeof s);
}

// Columns begin … begin + columns - 1, at most so many vectors, of c += alpha a b.
template <int vectors, class U>
HWY_INLINE void multiplyColumns(const Matrix<U> &c, const Matrix<const U> &a, const Matrix<const U> &b, U alpha,
                                int64_t begin, int64_t columns) {
  constexpr int64_t width = vectors * kLanes<U>;
  alignas(64) U panel[kDepth * width], sum[kRows * width];
  for (int64_t k0 = 0; k0 < b.rows; k0 += kDepth) {
    const int64_t depth = b.rows - k0 < kDepth ? b.rows - k0 : kDepth;
    const U *from = b.data + k0 * b.rowStride + begin * b.columnStride;
    int64_t step = b.rowStride;
    if (columns < width || b.columnStride != 1 || c.rows >= kRows) {  // worth a copy, or in need of one
      for (int64_t k = 0; k < depth; k++) {
        const U *row = from + k * step;
        U *to = panel + k * width;
        if (columns == width && b.columnStride == 1) {
          std::memcpy(to, row, width * sizeof(U));
        } else {
          for (int64_t j = 0; j < columns; j++) to[j] = row[j * b.columnStride];
          for (int64_t j = columns; j < width; j++) to[j] = 0;
        }
      }
      from = panel;
      step = width;
    }
    const auto rows = [&]<int count>(int64_t i, std::integral_constant<int, count>) {
      multiplyTile<count, vectors>(a.data + i * a.rowStride + k0 * a.columnStride, a.rowStride, a.columnStride, from,
                                   step, depth, sum);
      for (int r = 0; r < count; r++) {
        U *to = c.data + (i + r) * c.rowStride + begin * c.columnStride;
        for (int64_t j = 0; j < columns; j++) to[j * c.columnStride] += alpha * sum[r * width + j];
      }
    };
    int64_t i = 0;
    for (; i + kRows <= c.rows; i += kRows) rows(i, std::integral_constant<int, kRows>());
    for (; i < c.rows; i++) rows(i, std::integral_constant<int, 1>());
  }
}

template <class U>
U dot(int64_t n, const U *a, int64_t aStride, const U *b, int64_t bStride) {
  U sum = 0;
  if (aStride == 1 && bStride == 1)
    for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
  else
    for (int64_t i = 0; i < n; i++) sum += a[i * aStride] * b[i * bStride];
  return sum;
}

// c += alpha a b
template <class U>
void multiplyAdd(const Matrix<U> &c, const Matrix<const U> &a, const Matrix<const U> &b, U alpha) {
  if (c.columns == 1) {
    for (int64_t i = 0; i < c.rows; i++)
      c.data[i * c.rowStride] += alpha * dot(b.rows, a.data + i * a.rowStride, a.columnStride, b.data, b.rowStride);
    return;
  }
  int64_t j = 0;
  for (; c.columns - j > kLanes<U>; j += 2 * kLanes<U>)
    multiplyColumns<2>(c, a, b, alpha, j, c.columns - j < 2 * kLanes<U> ? c.columns - j : 2 * kLanes<U>);
  if (j < c.columns) multiplyColumns<1>(c, a, b, alpha, j, c.columns - j);
}

constexpr auto multiplyAdd32 = multiplyAdd<uint32_t>;
constexpr auto multiplyAdd64 = multiplyAdd<uint64_t>;
constexpr auto dot32 = dot<uint32_t>;
constexpr auto dot64 = dot<uint64_t>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

#include "kit/parallel.hpp"

namespace th {
namespace {

// Of two functions the one for U.
template <class U, class F32, class F64>
auto of([[maybe_unused]] F32 narrow, [[maybe_unused]] F64 wide) {
  if constexpr (sizeof(U) == 4)
    return narrow;
  else
    return wide;
}

template <class T>
void multiplyInteger(const Product<T> &p) {
  using U = std::make_unsigned_t<T>;
  const int64_t m = p.c.rows, n = p.c.columns, k = p.a.columns;
  const auto multiplyAdd = of<U>(TH_BEST_TARGET(multiplyAdd32), TH_BEST_TARGET(multiplyAdd64));
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, n * std::min<int64_t>(k, kGrain)));
  for (int64_t batch = 0; batch < p.batch; batch++) {
    U *c = reinterpret_cast<U *>(p.c.data) + batch * p.cStep;
    auto *a = reinterpret_cast<const U *>(p.a.data) + batch * p.aStep;
    auto *b = reinterpret_cast<const U *>(p.b.data) + batch * p.bStep;
    parallelFor(m, grain, [&](int64_t begin, int64_t end) {
      const Matrix<U> to{c + begin * p.c.rowStride, end - begin, n, p.c.rowStride, p.c.columnStride};
      for (int64_t i = 0; i < to.rows; i++)
        for (int64_t j = 0; j < n; j++) {
          U &x = to.data[i * to.rowStride + j * to.columnStride];
          x = p.beta == 0 ? U(0) : U(U(p.beta) * x);
        }
      multiplyAdd(to, {a + begin * p.a.rowStride, to.rows, k, p.a.rowStride, p.a.columnStride},
                  {b, k, n, p.b.rowStride, p.b.columnStride}, U(p.alpha));
    });
  }
}

template <class T>
T dotInteger(int64_t n, const T *a, int64_t aStride, const T *b, int64_t bStride) {
  using U = std::make_unsigned_t<T>;
  return T(of<U>(TH_BEST_TARGET(dot32), TH_BEST_TARGET(dot64))(n, reinterpret_cast<const U *>(a), aStride,
                                                               reinterpret_cast<const U *>(b), bStride));
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
