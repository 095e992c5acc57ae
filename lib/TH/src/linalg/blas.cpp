// Products of matrices and vectors: conversions, and where to put the result.
#include <TH/THPrepare.h>
#include <TH/THTensorBlas.h>
#include <TH/THTensorComplex.h>

#include <type_traits>

#include "gemm.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

// The dtype in which products of a dtype are computed.
constexpr THDtype productDtype(THDtype dtype) {
  return isHalf(dtype) || isFloat8(dtype)                            ? TH_Float
         : dtype == TH_Byte || dtype == TH_Char || dtype == TH_Short ? TH_Int
                                                                     : dtype;
}

// t in another dtype, or itself.
Ref converted(const THTensor *t, THDtype dtype) {
  if (dtypeOf(t) == dtype) {
    THTensor_retain(const_cast<THTensor *>(t));
    return Ref(const_cast<THTensor *>(t));
  }
  Ref copy(THTensor_newWithSize(dtype, t->ndim, t->size));
  THTensor_copy(copy, t);
  return copy;
}

// The matrices in the last two dimensions of t; a vector is one column.
template <class T>
Matrix<T> matrixOf(const THTensor *t) {
  const int d = t->ndim;
  using Plain = std::remove_const_t<T>;
  if (d == 1) return {elements<Plain>(t), t->size[0], 1, t->stride[0], 1};
  return {elements<Plain>(t), t->size[d - 2], t->size[d - 1], t->stride[d - 2], t->stride[d - 1]};
}

bool isBlasReady(const THTensor *t) { return matrixOf<char>(t).isBlasReady(); }

Ref blasReady(Ref t) { return isBlasReady(t) ? std::move(t) : Ref(THTensor_newContiguous(t)); }

template <class T>
void multiplyInto(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
  const auto factor = [](THScalar s) { return scalarTo<T>(s); };
  Product<T> p{matrixOf<T>(out), matrixOf<const T>(a), matrixOf<const T>(b), factor(alpha), factor(beta)};
  if (out->ndim == 3) {
    p.batch = out->size[0];
    p.cStep = out->stride[0], p.aStep = a->stride[0], p.bStep = b->stride[0];
  }
  multiply(p);
}

// r = beta t + alpha a b, all checked
void product(const THProductPlan &plan, const THTensor *t, const THTensor *a, const THTensor *b) {
  THTensor *const r = plan.result.tensor;
  if (!hasMemory(r)) return resizeResults(&plan.result);
  const int ndim = plan.result.ndim;
  const int64_t *const size = plan.result.size;
  const bool useT = plan.usesT, fits = sameShape(ndim, size, r);
  const Ref expanded(useT && !sameShape(ndim, size, t) ? THTensor_newExpand(const_cast<THTensor *>(t), ndim, size)
                                                       : nullptr);
  const THTensor *const added = expanded ? static_cast<THTensor *>(expanded) : t;
  const THDtype dtype = dtypeOf(a), compute = productDtype(dtype);

  const Ref left = blasReady(converted(a, compute)), right = blasReady(converted(b, compute));
  // Writing (or resizing) r early would change an argument that shares its memory.
  const auto separate = [&](const THTensor *x) { return fits ? !THTensor_overlaps(r, x) : r->storage != x->storage; };
  const bool keepsT = !useT || (fits && THTensor_isSetTo(r, t)) || separate(t);
  const bool direct = dtype == compute && keepsT && separate(left) && separate(right) && (!fits || isBlasReady(r));
  Ref temporary(direct ? nullptr : THTensor_newWithSize(compute, ndim, size));
  if (direct) resizeResults(&plan.result);
  THTensor *out = direct ? r : static_cast<THTensor *>(temporary);

  if (out->numel) {
    if (useT && !THTensor_isSetTo(out, added)) THTensor_copy(out, added);
    switch (compute) {
      case TH_Float: multiplyInto<float>(out, plan.beta, plan.alpha, left, right); break;
      case TH_Double: multiplyInto<double>(out, plan.beta, plan.alpha, left, right); break;
      case TH_ComplexFloat: multiplyInto<THComplexFloat>(out, plan.beta, plan.alpha, left, right); break;
      case TH_ComplexDouble: multiplyInto<THComplexDouble>(out, plan.beta, plan.alpha, left, right); break;
      case TH_Int: multiplyInto<int32_t>(out, plan.beta, plan.alpha, left, right); break;
      default: multiplyInto<int64_t>(out, plan.beta, plan.alpha, left, right); break;
    }
  }
  if (direct) return;
  resizeResults(&plan.result);
  THTensor_copy(r, temporary);
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
  if (!hasMemory(r)) return resizeResults(&plan.result);
  const int64_t inner = b1->size[0] * b1->size[2], left[] = {b1->size[1], inner}, right[] = {inner, b2->size[2]};
  const Ref turned(THTensor_newTranspose(const_cast<THTensor *>(b1), 0, 1));
  product(plan, t, Ref(THTensor_newReshape(turned, 2, left)),
          Ref(THTensor_newReshape(const_cast<THTensor *>(b2), 2, right)));
}

void dot(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b) {
  THResult result;
  THPrepare_dot(&result, dtype, r, a, b);
  if (!hasMemory(r)) return resizeResults(&result);

  const THDtype compute = productDtype(dtype);
  const auto ready = [&](const THTensor *t) {
    Ref u = converted(t, compute);
    return u->numel > 1 && u->stride[0] == 0 ? Ref(THTensor_newContiguous(u)) : std::move(u);
  };
  const Ref left = ready(a), right = ready(b);
  const Ref sum(THTensor_newWithSize(compute, 0, nullptr));
  const auto run = [&]<class T>(T) {
    *elements<T>(sum) = left->numel ? dotProduct(left->numel, elements<T>(left), left->stride[0], elements<T>(right),
                                                 right->stride[0])
                                    : T(0);
  };
  switch (compute) {
    case TH_Float: run(float()); break;
    case TH_Double: run(double()); break;
    case TH_ComplexFloat: run(THComplexFloat()); break;
    case TH_ComplexDouble: run(THComplexDouble()); break;
    case TH_Int: run(int32_t()); break;
    default: run(int64_t()); break;
  }
  resizeResults(&result);
  THTensor_copy(r, sum);
}

}  // namespace
}  // namespace th

#define PRODUCT_ARGUMENTS(m1, m2) \
  (THTensor * r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1, const THTensor *m2)

TH_DEFINE(dot, number_complex, (THTensor *r, const THTensor *a, const THTensor *b), th::dot(dtype, r, a, b))
TH_DEFINE(addmv, number_complex, PRODUCT_ARGUMENTS(m, v), th::prepared(THPrepare_addmv, dtype, r, beta, t, alpha, m, v))
// Float's takes float8 as well.
TH_DEFINE(addmm, number_complex, PRODUCT_ARGUMENTS(m1, m2),
          th::prepared(THPrepare_addmm, dtype == TH_Float && th::isFloat8(th::dtypeOf(m1)) ? th::dtypeOf(m1) : dtype, r,
                       beta, t, alpha, m1, m2))
TH_DEFINE(baddbmm, number_complex, PRODUCT_ARGUMENTS(b1, b2),
          th::prepared(THPrepare_baddbmm, dtype, r, beta, t, alpha, b1, b2))
TH_DEFINE(addbmm, number_complex, PRODUCT_ARGUMENTS(b1, b2), th::addbmm(dtype, r, beta, t, alpha, b1, b2))
