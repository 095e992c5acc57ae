// Products of matrices and vectors: checks, conversions, and where to put the result.
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

// A factor as torch sees it (float for half types, cut to an integer for integers).
template <class T>
THScalar factorFor(const THTensor *r, THScalar value) {
  if (!hasMemory(r)) return value;
  if constexpr (isComplexType<T>)
    return scalar(THComplexDouble(scalarTo<T>(value)));
  else if constexpr (std::is_integral_v<T>)
    return scalar(int64_t(scalarTo<T>(value)));
  else
    return scalar(double(scalarTo<Compute<T>>(value)));
}

void requireSameDtype(THDtype dtype, const THTensor *m1, const THTensor *m2) {
  if (m1->dtype != m2->dtype)
    THError(TH_ERROR_RUNTIME, "expected m1 and m2 to have the same dtype, but got: %s != %s", TH_dtypeName(dtypeOf(m1)),
            TH_dtypeName(dtypeOf(m2)));
  requireDtype(m1, dtype, "m1");
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

// r = beta t + alpha a b, all shapes checked; the result has this one.
void product(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *a,
             const THTensor *b, int ndim, const int64_t *size) {
  const bool useT = !isScalar(beta, 0);
  for (const THTensor *input : {a, b, useT ? t : a}) requireMemory(r, input);
  if (dtypeOf(r) != dtypeOf(a))
    THError(TH_ERROR_RUNTIME, "Expected out tensor to have dtype %s, but got %s instead", TH_dtypeName(dtypeOf(a)),
            TH_dtypeName(dtypeOf(r)));
  Ref expanded;  // t in the result's shape
  if (useT || t != r) {
    requireDtype(t, dtype, "self");
    expanded = Ref(THTensor_newExpand(const_cast<THTensor *>(t), ndim, size));
  }
  const THDtype compute = productDtype(dtype);
  const bool fits = sameShape(ndim, size, r);
  if (fits) requireDistinct(r);
  if (!hasMemory(r)) return THTensor_resize(r, ndim, size);

  const Ref left = blasReady(converted(a, compute)), right = blasReady(converted(b, compute));
  // Writing (or resizing) r early would change an argument that shares its memory.
  const auto separate = [&](const THTensor *x) { return fits ? !THTensor_overlaps(r, x) : r->storage != x->storage; };
  const bool keepsT = !useT || (fits && THTensor_isSetTo(r, t)) || separate(t);
  const bool direct = dtype == compute && keepsT && separate(left) && separate(right) && (!fits || isBlasReady(r));
  Ref temporary(direct ? nullptr : THTensor_newWithSize(compute, ndim, size));
  if (direct && !fits) THTensor_resize(r, ndim, size);
  THTensor *out = direct ? r : static_cast<THTensor *>(temporary);

  if (out->numel) {
    if (useT && !THTensor_isSetTo(out, expanded)) THTensor_copy(out, expanded);
    switch (compute) {
      case TH_Float: multiplyInto<float>(out, beta, alpha, left, right); break;
      case TH_Double: multiplyInto<double>(out, beta, alpha, left, right); break;
      case TH_ComplexFloat: multiplyInto<THComplexFloat>(out, beta, alpha, left, right); break;
      case TH_ComplexDouble: multiplyInto<THComplexDouble>(out, beta, alpha, left, right); break;
      case TH_Int: multiplyInto<int32_t>(out, beta, alpha, left, right); break;
      default: multiplyInto<int64_t>(out, beta, alpha, left, right); break;
    }
  }
  if (direct) return;
  if (!fits) THTensor_resize(r, ndim, size);
  THTensor_copy(r, temporary);
}

void addmm(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1,
           const THTensor *m2) {
  if (m1->ndim != 2) THError(TH_ERROR_RUNTIME, "mat1 must be a matrix, got %d-D tensor", m1->ndim);
  if (m2->ndim != 2) THError(TH_ERROR_RUNTIME, "mat2 must be a matrix, got %d-D tensor", m2->ndim);
  if (m1->size[1] != m2->size[0])
    THError(TH_ERROR_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
            (long long)m1->size[0], (long long)m1->size[1], (long long)m2->size[0], (long long)m2->size[1]);
  if (dtype == TH_Float && isFloat8(dtypeOf(m1))) dtype = dtypeOf(m1);  // has no kernel of its own
  requireSameDtype(dtype, m1, m2);
  const int64_t size[] = {m1->size[0], m2->size[1]};
  product(dtype, r, beta, t, alpha, m1, m2, 2, size);
}

void baddbmm(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *b1,
             const THTensor *b2) {
  if (b1->ndim != 3) THError(TH_ERROR_RUNTIME, "batch1 must be a 3D tensor");
  if (b2->ndim != 3) THError(TH_ERROR_RUNTIME, "batch2 must be a 3D tensor");
  if (b1->size[0] != b2->size[0] || b1->size[2] != b2->size[1])
    THError(TH_ERROR_RUNTIME,
            "Expected size for first two dimensions of batch2 tensor to be: [%lld, %lld] but got: [%lld, %lld].",
            (long long)b1->size[0], (long long)b1->size[2], (long long)b2->size[0], (long long)b2->size[1]);
  requireSameDtype(dtype, b1, b2);
  const int64_t size[] = {b1->size[0], b1->size[1], b2->size[2]};
  product(dtype, r, beta, t, alpha, b1, b2, 3, size);
}

void addmv(THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m,
           const THTensor *v) {
  const bool ignored = t == r && isScalar(beta, 0);
  const int ndim = ignored ? 1 : t->ndim;
  const long long length = ignored ? (m->ndim ? m->size[0] : 1) : t->numel;
  if (m->ndim != 2 || v->ndim != 1 || ndim > 1)
    THError(TH_ERROR_RUNTIME, "vector + matrix @ vector expected, got %d, %d, %d", ndim, m->ndim, v->ndim);
  if (m->size[1] != v->size[0] || (length != m->size[0] && length != 1))
    THError(TH_ERROR_RUNTIME, "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)", length,
            (long long)m->size[0], (long long)m->size[1], (long long)v->size[0]);
  requireSameDtype(dtype, m, v);
  product(dtype, r, beta, t, alpha, m, v, 1, m->size);
}

void dot(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b) {
  if (a->ndim != 1 || b->ndim != 1)
    THError(TH_ERROR_RUNTIME, "1D tensors expected, but got %dD and %dD tensors", a->ndim, b->ndim);
  if (a->dtype != b->dtype)
    THError(TH_ERROR_RUNTIME, "dot : expected both vectors to have same dtype, but found %s and %s",
            TH_typeName(dtypeOf(a)), TH_typeName(dtypeOf(b)));
  requireDtype(a, dtype, "tensor");
  if (a->numel != b->numel)
    THError(TH_ERROR_RUNTIME,
            "inconsistent tensor size, expected tensor [%lld] and src [%lld] to have the same number of elements, "
            "but got %lld and %lld elements respectively",
            (long long)a->numel, (long long)b->numel, (long long)a->numel, (long long)b->numel);
  requireDtype(r, dtype, "result");
  requireSeparate(r, a, 0, nullptr);
  requireSeparate(r, b, 0, nullptr);
  if (!hasMemory(r)) return THTensor_resize(r, 0, nullptr);

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
  if (r->ndim) THTensor_resize(r, 0, nullptr);
  THTensor_copy(r, sum);
}

}  // namespace
}  // namespace th

#define PRODUCT_ARGUMENTS(m1, m2) \
  (THTensor * r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1, const THTensor *m2)

TH_DEFINE(dot, number_complex, (THTensor *r, const THTensor *a, const THTensor *b), th::dot(dtype, r, a, b))
TH_DEFINE(addmv, number_complex, PRODUCT_ARGUMENTS(m, v),
          th::addmv(dtype, r, th::factorFor<T>(r, beta), t, th::factorFor<T>(r, alpha), m, v))
TH_DEFINE(addmm, number_complex, PRODUCT_ARGUMENTS(m1, m2),
          th::addmm(dtype, r, th::factorFor<T>(r, beta), t, th::factorFor<T>(r, alpha), m1, m2))
TH_DEFINE(baddbmm, number_complex, PRODUCT_ARGUMENTS(b1, b2),
          th::baddbmm(dtype, r, th::factorFor<T>(r, beta), t, th::factorFor<T>(r, alpha), b1, b2))
