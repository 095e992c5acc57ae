// Products of matrices and vectors: conversions, and where to put the result.
#include <THC/THCTensorBlas.h>
#include <TH/THPrepare.h>

#include "kit/cuda.hpp"
#include "kit/operands.hpp"
#include "kit/scalar.hpp"
#include "linalg/gemm.hpp"

namespace thc {
namespace {

using th::dtypeOf;

// The dtype in which products of a dtype are computed.
constexpr THDtype productDtype(THDtype dtype) {
  return th::isFloat8(dtype) ? TH_Float : dtype == TH_Byte || dtype == TH_Char || dtype == TH_Short ? TH_Int : dtype;
}

// The matrices in the last two dimensions of t; a vector is one column.
th::Matrix<void> matrixOf(const THTensor *t) {
  const int d = t->ndim;
  void *const data = th::addressOf(t);
  if (d == 1) return {data, t->size[0], 1, t->stride[0], 1};
  return {data, t->size[d - 2], t->size[d - 1], t->stride[d - 2], t->stride[d - 1]};
}
th::Matrix<const void> factorOf(const THTensor *t) {
  const th::Matrix<void> m = matrixOf(t);
  return {m.data, m.rows, m.columns, m.rowStride, m.columnStride};
}

// A factor in this dtype, on r's device, as BLAS takes it.
Ref blasReady(const THTensor *t, THDtype dtype, const THTensor *r) {
  if (dtypeOf(t) != dtype || t->device != TH_CUDA || deviceOf(t) != deviceOf(r) || !matrixOf(t).isBlasReady())
    return contiguousAs(dtype, t, r);
  THTensor_retain(const_cast<THTensor *>(t));
  return Ref(const_cast<THTensor *>(t));
}

// Zeros instead of a factor whose inner dimension is empty, with one of size 1.
Ref zerosFor(const THTensor *factor, int inner) {
  int64_t size[3];
  for (int d = 0; d < factor->ndim; d++) size[d] = d == inner ? 1 : factor->size[d];
  Ref zeros(th::newLike(factor, dtypeOf(factor), factor->ndim, size));
  THCTensor_zero(zeros);
  return zeros;
}

void multiplyInto(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
  Product p{dtypeOf(a), matrixOf(out), factorOf(a), factorOf(b), alpha, beta};
  if (out->ndim == 3) {
    p.batch = out->size[0];
    p.cStep = out->stride[0], p.aStep = a->stride[0], p.bStep = b->stride[0];
  }
  if (p.dtype == TH_Int || p.dtype == TH_Long)
    multiplyIntegers(p, currentStream(deviceOf(out)));
  else
    multiplyByBlas(p, deviceOf(out));
}

// r = beta t + alpha a b, all checked
void product(const THProductPlan &plan, const THTensor *t, const THTensor *a, const THTensor *b) {
  THTensor *const r = plan.result.tensor;
  const int ndim = plan.result.ndim;
  const int64_t *const size = plan.result.size;
  const DeviceGuard guard(r);
  const bool fits = th::sameShape(ndim, size, r);
  const Ref expanded(plan.usesT && !th::sameShape(ndim, size, t)
                         ? THTensor_newExpand(const_cast<THTensor *>(t), ndim, size)
                         : nullptr);
  const THTensor *const added = expanded ? static_cast<THTensor *>(expanded) : t;
  const THDtype compute = productDtype(dtypeOf(a));

  Ref left = blasReady(a, compute, r), right = blasReady(b, compute, r);
  if (a->size[a->ndim - 1] == 0) left = zerosFor(left, left->ndim - 1), right = zerosFor(right, left->ndim - 2);
  // Writing (or resizing) r early would change an argument that shares its memory.
  const auto separate = [&](const THTensor *x) { return fits ? !THTensor_overlaps(r, x) : r->storage != x->storage; };
  const bool keepsT = !plan.usesT || (fits && THTensor_isSetTo(r, t)) || separate(t);
  const bool direct = dtypeOf(r) == compute && keepsT && separate(left) && separate(right) &&
                      (!fits || (matrixOf(r).isBlasReady() && !THTensor_overlapsItself(r)));
  const Ref temporary(direct ? nullptr : th::newLike(r, compute, ndim, size));
  if (direct) THResult_resize(&plan.result, 1);
  THTensor *const out = direct ? r : static_cast<THTensor *>(temporary);

  if (out->numel) {
    if (plan.usesT && !THTensor_isSetTo(out, added)) THCTensor_copy(out, added);
    multiplyInto(out, plan.beta, plan.alpha, left, right);
  }
  if (direct) return;
  THResult_resize(&plan.result, 1);
  THCTensor_copy(r, temporary);
}

// By prepare, one of THPrepare_addmm, _baddbmm and _addmv.
void prepared(decltype(THPrepare_addmm) prepare, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
              THScalar alpha, const THTensor *a, const THTensor *b) {
  THProductPlan plan;
  prepare(&plan, dtype, r, beta, t, alpha, a, b);
  product(plan, t, a, b);
}

// One product of matrices laid side by side.
void addbmm(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *b1,
            const THTensor *b2) {
  THProductPlan plan;
  THPrepare_addbmm(&plan, dtype, r, beta, t, alpha, b1, b2);
  const int64_t inner = b1->size[0] * b1->size[2], left[] = {b1->size[1], inner}, right[] = {inner, b2->size[2]};
  const Ref turned(THTensor_newTranspose(const_cast<THTensor *>(b1), 0, 1));
  const auto matrix = [&](const THTensor *batch, const int64_t *size) {
    return Ref(THTensor_newView(contiguousAs(dtypeOf(batch), batch, r), 2, size));
  };
  product(plan, t, matrix(turned, left), matrix(b2, right));
}

}  // namespace
}  // namespace thc

// No THC_DEFINE here: nothing of a dtype is needed but its number.
#define PRODUCT_ARGUMENTS(m1, m2) \
  (THTensor * r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1, const THTensor *m2)
#define THC_PRODUCT(Name, op, m1, m2)                                   \
  void THC_TENSOR(Name, op) PRODUCT_ARGUMENTS(m1, m2) {                 \
    thc::prepared(THPrepare_##op, TH_##Name, r, beta, t, alpha, m1, m2); \
  }
TH_FOR_number_complex(THC_PRODUCT, addmv, m, v) TH_FOR_number_complex(THC_PRODUCT, baddbmm, b1, b2)
// Float's takes float8 as well.
#define THC_ADDMM(Name, _)                                                                                     \
  void THC_TENSOR(Name, addmm) PRODUCT_ARGUMENTS(m1, m2) {                                                     \
    const THDtype own = TH_##Name, given = th::dtypeOf(m1);                                                    \
    thc::prepared(THPrepare_addmm, own == TH_Float && th::isFloat8(given) ? given : own, r, beta, t, alpha, m1, \
                  m2);                                                                                         \
  }
    TH_FOR_number_complex(THC_ADDMM, )
#define THC_ADDBMM(Name, _)                                      \
  void THC_TENSOR(Name, addbmm) PRODUCT_ARGUMENTS(b1, b2) {      \
    thc::addbmm(TH_##Name, r, beta, t, alpha, b1, b2);           \
  }
        TH_FOR_number_complex(THC_ADDBMM, )
