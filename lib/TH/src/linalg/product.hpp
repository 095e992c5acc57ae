// Products of matrices and vectors, for every backend that has a BLAS: which dtype and which memory they are computed in, and
// where to put the result.
#pragma once

#include <TH/THPrepare.h>

#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "matrix.hpp"

namespace th {

// The matrices in the last two dimensions of t; a vector is one column.
template <class T>
Matrix<T> matrixOf(const THTensor *t) {
  const int d = t->ndim;
  T *const data = static_cast<T *>(static_cast<void *>(addressOf(t)));
  if (d == 1) return {data, t->size[0], 1, t->stride[0], 1};
  return {data, t->size[d - 2], t->size[d - 1], t->stride[d - 2], t->stride[d - 1]};
}

inline bool isBlasReady(const THTensor *t) { return matrixOf<void>(t).isBlasReady(); }

// r = beta t + alpha a b, all checked. A backend has
//     dtypeFor(dtype)                     in which products of a dtype are computed
//     ready(t, dtype, r)                  a factor in that dtype, as BLAS takes it
//     takes(r)                            whether a result may be written as it lies
//     copy(to, from)
//     multiply(out, beta, alpha, a, b)    out = beta out + alpha a b; no size of out is 0
template <class Backend>
void product(const THProductPlan &plan, const THTensor *t, const THTensor *a, const THTensor *b) {
  THTensor *const r = plan.result.tensor;
  const int ndim = plan.result.ndim;
  const int64_t *const size = plan.result.size;
  const bool usesT = plan.usesT, fits = sameShape(ndim, size, r);
  const Ref expanded(usesT && !sameShape(ndim, size, t) ? THTensor_newExpand(const_cast<THTensor *>(t), ndim, size)
                                                        : nullptr);
  const THTensor *const added = expanded ? static_cast<THTensor *>(expanded) : t;
  const THDtype compute = Backend::dtypeFor(dtypeOf(a));

  const Ref left = Backend::ready(a, compute, r), right = Backend::ready(b, compute, r);
  // Writing (or resizing) r early would change an argument that shares its memory.
  const auto separate = [&](const THTensor *x) { return fits ? !THTensor_overlaps(r, x) : r->storage != x->storage; };
  const bool keepsT = !usesT || (fits && THTensor_isSetTo(r, t)) || separate(t);
  const bool direct = dtypeOf(r) == compute && keepsT && separate(left) && separate(right) &&
                      (!fits || Backend::takes(r));
  const Ref temporary(direct ? nullptr : newLike(r, compute, ndim, size));
  if (direct) THResult_resize(&plan.result, 1);
  THTensor *const out = direct ? r : static_cast<THTensor *>(temporary);

  if (out->numel) {
    if (usesT && !THTensor_isSetTo(out, added)) Backend::copy(out, added);
    Backend::multiply(out, plan.beta, plan.alpha, left, right);
  }
  if (direct) return;
  THResult_resize(&plan.result, 1);
  Backend::copy(r, temporary);
}

// By prepare, one of THPrepare_addmm, _baddbmm and _addmv. On a device without memory r gets its shape.
template <class Backend>
void prepared(decltype(THPrepare_addmm) prepare, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
              THScalar alpha, const THTensor *a, const THTensor *b) {
  THProductPlan plan;
  prepare(&plan, dtype, r, beta, t, alpha, a, b);
  if (!hasMemory(r)) return THResult_resize(&plan.result, 1);
  product<Backend>(plan, t, a, b);
}

// Float's addmm takes float8 as well.
inline THDtype addmmDtype(THDtype dtype, const THTensor *m1) {
  return dtype == TH_Float && isFloat8(dtypeOf(m1)) ? dtypeOf(m1) : dtype;
}

// One product of matrices laid side by side.
template <class Backend>
void addbmm(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *b1,
            const THTensor *b2) {
  THProductPlan plan;
  THPrepare_addbmm(&plan, dtype, r, beta, t, alpha, b1, b2);
  if (!hasMemory(r)) return THResult_resize(&plan.result, 1);
  const int64_t inner = b1->size[0] * b1->size[2], left[] = {b1->size[1], inner}, right[] = {inner, b2->size[2]};
  const Ref turned(THTensor_newTranspose(const_cast<THTensor *>(b1), 0, 1));
  product<Backend>(plan, t, Ref(THTensor_newReshape(turned, 2, left)),
                   Ref(THTensor_newReshape(const_cast<THTensor *>(b2), 2, right)));
}

}  // namespace th
