// Products of matrices by oneDNN, for all of TH: in single precision by a plain call, for which nothing is kept, in
// bfloat16 by primitives. What is faster was measured with one thread of an Intel machine with AVX-512 and AMX, against
// OpenBLAS 0.3.29 (docs/onednn.md).
#ifdef THNN_ONEDNN

#include <algorithm>
#include <THNN/OneDNN.h>

#include "primitives.hpp"

namespace thnn::onednn {
namespace {

// OpenBLAS has kernels for small matrices that copy nothing; those for a times b transposed are its slow ones.
bool isFaster(bool transa, bool transb, int64_t m, int64_t n, int64_t k) {
  const double work = double(m) * double(n) * double(k);
  if (work >= 1 << 20) return n >= 8;
  return !transa && transb && work >= 1 << 16 && m * n >= 2048 && k >= 16;
}

// Terms of a sum that one call adds up. With more, oneDNN's order of additions depends on how far the rows lie apart: it
// has kernels that copy and others that do not.
constexpr int64_t kTerms = 512;

bool product(bool transa, bool transb, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
             const float *b, int64_t ldb, float beta, float *c, int64_t ldc) {
  if (!isFaster(transa, transb, m, n, k) || !THNNOneDNN_isEnabled()) return false;
  processor();  // sets what instructions it may use
  const OneThread guard;
  const int64_t blocks = (k + kTerms - 1) / kTerms, block = ((k + blocks - 1) / blocks + 15) / 16 * 16;
  for (int64_t from = 0; from < k; from += block) {
    const int64_t terms = std::min(block, k - from);
    const dnnl_status_t status = dnnl_sgemm(transa ? 'T' : 'N', transb ? 'T' : 'N', m, n, terms, alpha,
                                            a + from * (transa ? lda : 1), lda, b + from * (transb ? 1 : ldb), ldb,
                                            from ? 1 : beta, c, ldc);
    if (status != dnnl_success) THError(TH_ERROR_RUNTIME, "oneDNN: a product failed with status %d", int(status));
  }
  return true;
}

// Where the processor multiplies bfloat16; otherwise oneDNN converts, as TH does. A call takes 2 microseconds.
bool isFasterInBFloat16(int64_t m, int64_t n, int64_t k) {
  if (double(m) * double(n) * double(k) < 1 << 15 || !THNNOneDNN_isEnabled()) return false;
  processor();  // sets what instructions it may use
  constexpr int needed = dnnl_cpu_isa_avx512_core_bf16;
  static const bool native = (dnnl_get_effective_cpu_isa() & needed) == needed;
  return native;
}

void productInBFloat16(bool transa, bool transb, int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                       const void *b, int64_t ldb, bool add, void *c, int64_t ldc) {
  const OneThread guard;
  try {
    const auto primitive = primitiveFor(ProductShape{transa, transb, m, n, k, lda, ldb, ldc, add});
    const Buffer scratch(primitive->scratch.get_size());
    run(*primitive, Pass::Output, a, b, nullptr, c, scratch.data());
  } catch (const dnnl::error &error) {
    THError(TH_ERROR_RUNTIME, "oneDNN: a product of matrices failed: %s", error.what());
  }
}

constexpr THBFloat16BlasProduct inBFloat16 = {isFasterInBFloat16, productInBFloat16};
[[maybe_unused]] const bool offered = (THFloatBlas_setProduct(product), THBFloat16Blas_setProduct(&inBFloat16), true);

}  // namespace
}  // namespace thnn::onednn

#endif
