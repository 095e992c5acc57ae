// Products of matrices by oneDNN, for all of TH: in single precision by a plain call, for which nothing is kept, in
// half and bfloat16 by primitives. What is faster was measured with one thread of an Intel machine with AVX-512 and
// AMX and one of AMD with AVX-512 and without, against OpenBLAS 0.3.29 (docs/onednn.md).
#ifdef THNN_ONEDNN

#include <algorithm>
#include <cmath>
#include <THNN/OneDNN.h>

#include "primitives.hpp"

namespace thnn::onednn {
namespace {

bool hasInstructions(int needed) {
  processor();  // sets what instructions it may use
  static const int has = dnnl_get_effective_cpu_isa();
  return (has & needed) == needed;
}

// Without AVX-512 its kernels read most factors as they lie, and what lies some multiple of 2 KiB apart, as powers of two
// do, up to three times slower than OpenBLAS does, which copies it. With AVX-512 so do those for two transposed factors.
bool isFasterAt(bool transa, bool transb) {
  return hasInstructions(dnnl_cpu_isa_avx512_core) ? !(transa && transb) : !transa && transb;
}

// OpenBLAS has kernels for small matrices that copy nothing; those for a times b transposed are its slow ones.
bool isFaster(bool transa, bool transb, int64_t m, int64_t n, int64_t k) {
  const double work = double(m) * double(n) * double(k);
  if (work >= 1 << 20) return n >= 8;
  return !transa && transb && work >= 1 << 16 && m * n >= 2048 && k >= 16;
}

// Terms of a sum that one call adds up. With more, oneDNN's order of additions depends on how far the rows lie apart: it
// has kernels that copy and others that do not.
constexpr int64_t kTerms = 512;

// Factors are arguments of a primitive, not a part of it, lest each new one be compiled: alpha op(a) op(b) + beta c is
// computed as (alpha / beta op(a) op(b) + c) beta. Not where that could leave single precision's range.
bool isScaled(float alpha, float beta) { return alpha != 1 || (beta != 0 && beta != 1); }
bool isReached(float alpha, float beta) {
  const float size = std::abs(beta == 0 ? alpha : alpha / beta);
  return !isScaled(alpha, beta) || (size > 0x1p-20f && size < 0x1p20f && std::isfinite(alpha));
}

bool product(bool transa, bool transb, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
             const float *b, int64_t ldb, float beta, float *c, int64_t ldc) {
  if (!isFaster(transa, transb, m, n, k) || !THNNOneDNN_isEnabled() || !isFasterAt(transa, transb)) return false;
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

constexpr double kLeast = 1 << 12;  // multiplications of one matrix of a batch

// Where the processor multiplies bfloat16, or has arithmetic in half precision (sums are single precision's even then);
// otherwise oneDNN converts, as TH does. A call takes 2 microseconds, and less is to be gained in half precision.
bool isFasterInHalf(THDtype dtype, int64_t batch, int64_t m, int64_t n, int64_t k, float alpha, float beta) {
  const bool isHalf = dtype == TH_Half;
  const double work = double(m) * double(n) * double(k);
  if (work < kLeast || double(batch) * work < (isHalf ? 1 << 21 : 1 << 17) || !THNNOneDNN_isEnabled()) return false;
  return isReached(alpha, beta) &&
         hasInstructions(isHalf ? dnnl_cpu_isa_avx512_core_fp16 : dnnl_cpu_isa_avx512_core_bf16);
}

void halfProduct(const THHalfProduct *p) {
  const OneThread guard;
  try {
    const bool scaled = isScaled(p->alpha, p->beta);
    const auto primitive = primitiveFor(ProductShape{p->dtype == TH_Half, p->transa, p->transb, p->batch, p->m, p->n,
                                                     p->k, p->lda, p->ldb, p->ldc, p->aStep, p->bStep, p->cStep, scaled,
                                                     p->beta != 0});
    const Buffer scratch(primitive->scratch.get_size());
    runProduct(*primitive, p->a, p->b, p->c, scaled, p->alpha, p->beta, scratch.data());
  } catch (const dnnl::error &error) {
    THError(TH_ERROR_RUNTIME, "oneDNN: a product of matrices failed: %s", error.what());
  }
}

constexpr THHalfBlasProduct inHalf = {isFasterInHalf, halfProduct};
[[maybe_unused]] const bool offered = (THFloatBlas_setProduct(product), THHalfBlas_setProduct(&inHalf), true);

}  // namespace
}  // namespace thnn::onednn

#endif
