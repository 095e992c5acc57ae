// Products of matrices and vectors: what is checked, and the shapes of results.
#include "prepare.hpp"

#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <algorithm>
#include <utility>

#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace th {

OuterOperands::OuterOperands(void *factors, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                             THScalar alpha, const THTensor *v1, const THTensor *v2) {
  for (const auto &[v, name] : {std::pair(v1, "vec1"), std::pair(v2, "vec2")})
    if (v->ndim != 1) THError(TH_ERROR_RUNTIME, "addr: Expected 1-D argument %s, but got %d-D", name, v->ndim);
  const int64_t size[] = {v1->numel, v2->numel};
  column = Ref(THTensor_newUnsqueeze1d(const_cast<THTensor *>(v1), 1));
  if (!sameShape(2, size, t)) {
    wide = Ref(THTensor_newExpand(const_cast<THTensor *>(t), 2, size));
    if (r == t)
      THError(TH_ERROR_RUNTIME, "output with shape %s doesn't match the broadcast shape %s", shapeString(r).c_str(),
              shapeString(2, size).c_str());
    t = wide;
  }
  if (hasMemory(r)) {
    scalarToBytes(dtype, beta, factors);
    scalarToBytes(dtype, alpha, static_cast<char *>(factors) + elementSize(dtype));
  }
  operand[0] = r, operand[1] = t, operand[2] = v2, operand[3] = column;
}

namespace {

// A factor as torch sees it (float for half types, cut to an integer for integers).
THScalar factorFor(THDtype dtype, const THTensor *r, THScalar value) {
  if (!hasMemory(r) || isScalar(value, 0) || isScalar(value, 1)) return value;
  const THDtype compute = isHalf(dtype) || isFloat8(dtype) ? TH_Float : dtype;
  alignas(8) char element[kWidest];
  scalarToBytes(compute, value, element);
  return scalarFromBytes(compute, element);
}

void setFactors(THProductPlan *plan, THDtype dtype, const THTensor *r, THScalar beta, THScalar alpha) {
  plan->alpha = factorFor(dtype, r, alpha);
  plan->beta = factorFor(dtype, r, beta);
  plan->usesT = !isScalar(plan->beta, 0);
}

void requireSameDtype(THDtype dtype, const THTensor *m1, const THTensor *m2) {
  THCheck_factorDtypes(m1, m2);
  requireDtype(m1, dtype, "m1");
}

void requireBatches(const THTensor *b1, const THTensor *b2) {
  if (b1->ndim != 3) THError(TH_ERROR_RUNTIME, "batch1 must be a 3D tensor");
  if (b2->ndim != 3) THError(TH_ERROR_RUNTIME, "batch2 must be a 3D tensor");
}

// The result has this shape, once the factors of the product are known to fit each other.
void setProduct(THProductPlan *plan, THDtype dtype, THTensor *r, const THTensor *t, const THTensor *a,
                const THTensor *b, int ndim, const int64_t *size) {
  requireSameDtype(dtype, a, b);
  for (const THTensor *input : {a, b, plan->usesT ? t : a}) requireMemory(r, input);
  if (dtypeOf(r) != dtypeOf(a))
    THError(TH_ERROR_RUNTIME, "Expected out tensor to have dtype %s, but got %s instead", TH_dtypeName(dtypeOf(a)),
            TH_dtypeName(dtypeOf(r)));
  if (plan->usesT || (t && t != r)) {
    requireDtype(t, dtype, "self");
    const Ref expanded(sameShape(ndim, size, t) ? nullptr : THTensor_newExpand(const_cast<THTensor *>(t), ndim, size));
    if (plan->usesT) std::copy_n(expanded ? expanded->stride : t->stride, ndim, plan->tStride);
  }
  setResult(plan->result, r, ndim, size);
}

}  // namespace
}  // namespace th

using namespace th;

void THCheck_factorDtypes(const THTensor *m1, const THTensor *m2) {
  if (m1->dtype != m2->dtype)
    THError(TH_ERROR_RUNTIME, "expected m1 and m2 to have the same dtype, but got: %s != %s", TH_dtypeName(dtypeOf(m1)),
            TH_dtypeName(dtypeOf(m2)));
}

void THCheck_addmm(const THTensor *m1, const THTensor *m2) {
  if (m1->ndim != 2) THError(TH_ERROR_RUNTIME, "mat1 must be a matrix, got %d-D tensor", m1->ndim);
  if (m2->ndim != 2) THError(TH_ERROR_RUNTIME, "mat2 must be a matrix, got %d-D tensor", m2->ndim);
  if (m1->size[1] != m2->size[0])
    THError(TH_ERROR_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
            (long long)m1->size[0], (long long)m1->size[1], (long long)m2->size[0], (long long)m2->size[1]);
}

void THPrepare_addmm(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha,
                     const THTensor *m1, const THTensor *m2) {
  setFactors(plan, dtype, r, beta, alpha);
  THCheck_addmm(m1, m2);
  const int64_t size[] = {m1->size[0], m2->size[1]};
  setProduct(plan, dtype, r, t, m1, m2, 2, size);
}

void THCheck_baddbmm(const THTensor *b1, const THTensor *b2) {
  requireBatches(b1, b2);
  if (b1->size[0] != b2->size[0] || b1->size[2] != b2->size[1])
    THError(TH_ERROR_RUNTIME,
            "Expected size for first two dimensions of batch2 tensor to be: [%lld, %lld] but got: [%lld, %lld].",
            (long long)b1->size[0], (long long)b1->size[2], (long long)b2->size[0], (long long)b2->size[1]);
}

void THPrepare_baddbmm(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                       THScalar alpha, const THTensor *b1, const THTensor *b2) {
  setFactors(plan, dtype, r, beta, alpha);
  THCheck_baddbmm(b1, b2);
  const int64_t size[] = {b1->size[0], b1->size[1], b2->size[2]};
  setProduct(plan, dtype, r, t, b1, b2, 3, size);
}

void THCheck_addmv(const THTensor *t, const THTensor *m, const THTensor *v) {
  const int ndim = t ? t->ndim : 1;
  const long long length = t ? t->numel : m->ndim ? m->size[0] : 1;
  if (m->ndim != 2 || v->ndim != 1 || ndim > 1)
    THError(TH_ERROR_RUNTIME, "vector + matrix @ vector expected, got %d, %d, %d", ndim, m->ndim, v->ndim);
  if (m->size[1] != v->size[0] || (length != m->size[0] && length != 1))
    THError(TH_ERROR_RUNTIME, "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)", length,
            (long long)m->size[0], (long long)m->size[1], (long long)v->size[0]);
}

void THPrepare_addmv(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha,
                     const THTensor *m, const THTensor *v) {
  setFactors(plan, dtype, r, beta, alpha);
  THCheck_addmv(t == r && !plan->usesT ? nullptr : t, m, v);
  setProduct(plan, dtype, r, t, m, v, 1, m->size);
}

void THCheck_addbmm(const THTensor *b1, const THTensor *b2) {
  requireBatches(b1, b2);
  if (b1->size[0] != b2->size[0])
    THError(TH_ERROR_RUNTIME, "batch1 and batch2 must have same number of batches, got %lld and %lld",
            (long long)b1->size[0], (long long)b2->size[0]);
  if (b1->size[2] != b2->size[1])
    THError(TH_ERROR_RUNTIME, "Incompatible matrix sizes for bmm (%lldx%lld and %lldx%lld)", (long long)b1->size[1],
            (long long)b1->size[2], (long long)b2->size[1], (long long)b2->size[2]);
}

void THPrepare_addbmm(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha,
                      const THTensor *b1, const THTensor *b2) {
  THCheck_addbmm(b1, b2);
  setFactors(plan, dtype, r, beta, alpha);
  const int64_t size[] = {b1->size[1], b2->size[2]};
  setProduct(plan, dtype, r, t, b1, b2, 2, size);
}

void THCheck_dot(const THTensor *a, const THTensor *b) {
  if (a->ndim != 1 || b->ndim != 1)
    THError(TH_ERROR_RUNTIME, "1D tensors expected, but got %dD and %dD tensors", a->ndim, b->ndim);
  if (a->dtype != b->dtype)
    THError(TH_ERROR_RUNTIME, "dot : expected both vectors to have same dtype, but found %s and %s",
            TH_typeName(dtypeOf(a)), TH_typeName(dtypeOf(b)));
  if (a->numel != b->numel)
    THError(TH_ERROR_RUNTIME,
            "inconsistent tensor size, expected tensor [%lld] and src [%lld] to have the same number of elements, "
            "but got %lld and %lld elements respectively",
            (long long)a->numel, (long long)b->numel, (long long)a->numel, (long long)b->numel);
}

void THPrepare_dot(THResult *result, THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b) {
  THCheck_dot(a, b);
  requireDtype(a, dtype, "tensor");
  requireDtype(r, dtype, "result");
  requireSeparate(r, a, 0, nullptr);
  requireSeparate(r, b, 0, nullptr);
  setResult(*result, r, 0, nullptr);
}

bool THPrepare_addr(THPointwisePlan *plan, void *factors, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                    THScalar alpha, const THTensor *v1, const THTensor *v2) {
  const OuterOperands o(factors, dtype, r, beta, t, alpha, v1, v2);
  const THTensor *const withoutT[] = {r, o.operand[2], o.operand[3]};
  return isScalar(beta, 0) ? THPrepare_pointwise(plan, 3, withoutT, TH_RESULT_RESIZED)
                           : THPrepare_pointwise(plan, 4, o.operand, TH_RESULT_RESIZED);
}

int THPrepare_cross(THResult *result, THTensor *r, const THTensor *a, const THTensor *b, int dim) {
  const THTensor *both[] = {a, b};
  int64_t size[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(2, both, size);
  dim = TH_wrapDim(dim, ndim);
  if (ndim == 0 || size[dim] != 3)
    THError(TH_ERROR_RUNTIME, "cross: dimension %d must have size 3, but the tensors have shapes %s and %s", dim,
            shapeString(a).c_str(), shapeString(b).c_str());
  requireSeparate(r, a, ndim, size);
  requireSeparate(r, b, ndim, size);
  setResult(*result, r, ndim, size);
  return dim;
}

void THCheck_trace(const THTensor *t) {
  if (t->ndim != 2) THError(TH_ERROR_RUNTIME, "trace: expected a matrix, but got tensor with dim %d", t->ndim);
}

THTensor *THPrepare_trace(const THTensor *t) {
  THCheck_trace(t);
  return THTensor_newDiagonal(const_cast<THTensor *>(t), 0, 0, 1);
}
