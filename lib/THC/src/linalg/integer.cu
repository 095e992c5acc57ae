// Products of integer matrices, in tiles. Sums wrap, so they are formed in unsigned arithmetic.
#include "kit/launch.cuh"
#include "kit/scalar.hpp"
#include "linalg/gemm.hpp"

#include <type_traits>

namespace thc {
namespace {

constexpr int kTile = 16;

// Each block takes tiles of the results in turn; a thread has one element of a tile.
template <class U>
__global__ void __launch_bounds__(kTile *kTile) multiplyKernel(Product p, U alpha, U beta) {
  THC_SHARED(U, left, kTile * kTile);
  THC_SHARED(U, right, kTile * kTile);
  const int64_t m = p.c.rows, n = p.c.columns, inner = p.a.columns;
  const int64_t down = (m + kTile - 1) / kTile, across = (n + kTile - 1) / kTile;
  const int y = int(threadIdx.x) / kTile, x = int(threadIdx.x) % kTile;
  for (int64_t tile = blockIdx.x; tile < down * across * p.batch; tile += gridDim.x) {
    const int64_t batch = tile / (down * across), i = tile / across % down * kTile + y, j = tile % across * kTile + x;
    const U *const a = static_cast<const U *>(p.a.data) + batch * p.aStep;
    const U *const b = static_cast<const U *>(p.b.data) + batch * p.bStep;
    U sum = 0;
    for (int64_t k = 0; k < inner; k += kTile) {
      left[y * kTile + x] = i < m && k + x < inner ? a[i * p.a.rowStride + (k + x) * p.a.columnStride] : U(0);
      right[y * kTile + x] = j < n && k + y < inner ? b[(k + y) * p.b.rowStride + j * p.b.columnStride] : U(0);
      __syncthreads();
      for (int l = 0; l < kTile; l++) sum += left[y * kTile + l] * right[l * kTile + x];
      __syncthreads();
    }
    if (i < m && j < n) {
      U &c = static_cast<U *>(p.c.data)[batch * p.cStep + i * p.c.rowStride + j * p.c.columnStride];
      c = U(alpha * sum + (beta == U(0) ? U(0) : U(beta * c)));
    }
  }
}

template <class T>
void multiply(const Product &p, cudaStream_t stream) {
  using U = std::make_unsigned_t<T>;
  const int64_t tiles = (p.c.rows + kTile - 1) / kTile * ((p.c.columns + kTile - 1) / kTile) * p.batch;
  launch(multiplyKernel<U>, blocksFor(tiles, 1), kTile * kTile, 0, stream, p, U(th::scalarTo<T>(p.alpha)),
         U(th::scalarTo<T>(p.beta)));
}

}  // namespace

void multiplyIntegers(const Product &p, cudaStream_t stream) {
  p.dtype == TH_Int ? multiply<int32_t>(p, stream) : multiply<int64_t>(p, stream);
}

}  // namespace thc
