// Products of matrices and vectors on the CPU.
#include <TH/THPrepare.h>
#include <TH/THTensorBlas.h>
#include <TH/THTensorComplex.h>

#include <type_traits>

#include "gemm.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "product.hpp"

namespace th {
namespace {

Ref retained(const THTensor *t) {
  THTensor_retain(const_cast<THTensor *>(t));
  return Ref(const_cast<THTensor *>(t));
}

// A copy without gaps. Columns that lie together stay so: whether a factor had to be copied changes no sum.
Ref copied(const THTensor *t, THDtype dtype) {
  const int d = t->ndim;
  const bool byColumns = d > 1 && t->stride[d - 2] > 0 && t->stride[d - 2] < t->stride[d - 1];
  const auto turned = [d](const THTensor *u) {
    return Ref(THTensor_newTranspose(const_cast<THTensor *>(u), d - 2, d - 1));
  };
  const Ref from = byColumns ? turned(t) : retained(t);
  Ref copy(THTensor_newWithSize(dtype, d, from->size));
  THTensor_copy(copy, from);
  return byColumns ? turned(copy) : std::move(copy);
}

template <class T>
void multiplyInto(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
  const auto factor = [](THScalar s) { return scalarTo<typename Product<T>::Factor>(s); };
  Product<T> p{matrixOf<T>(out), matrixOf<const T>(a), matrixOf<const T>(b), factor(alpha), factor(beta)};
  if (out->ndim == 3) {
    p.batch = out->size[0];
    p.cStep = out->stride[0], p.aStep = a->stride[0], p.bStep = b->stride[0];
  }
  multiply(p);
}

struct Blas {
  static constexpr THDtype dtypeFor(THDtype dtype) {
    return isHalf(dtype) || isFloat8(dtype)                            ? TH_Float
           : dtype == TH_Byte || dtype == TH_Char || dtype == TH_Short ? TH_Int
                                                                       : dtype;
  }
  static Ref ready(const THTensor *t, THDtype dtype, const THTensor *) {
    return dtypeOf(t) == dtype && takes(t) ? retained(t) : copied(t, dtype);
  }
  // A matrix of one row or column with gaps would be one that lies the other way round, whose sums may round otherwise.
  static bool takes(const THTensor *t) {
    const int d = t->ndim;
    const bool isVector = d > 1 && (t->size[d - 2] == 1 || t->size[d - 1] == 1);
    return isVector ? THTensor_isContiguous(t) : isBlasReady(t);
  }
  static void copy(THTensor *to, const THTensor *from) { THTensor_copy(to, from); }
  static void multiply(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
    for (const THTensor *x : {static_cast<const THTensor *>(out), a, b}) requireMemory(x);
    switch (dtypeOf(a)) {
      case TH_Float: return multiplyInto<float>(out, beta, alpha, a, b);
      case TH_Double: return multiplyInto<double>(out, beta, alpha, a, b);
      case TH_ComplexFloat: return multiplyInto<THComplexFloat>(out, beta, alpha, a, b);
      case TH_ComplexDouble: return multiplyInto<THComplexDouble>(out, beta, alpha, a, b);
      case TH_Int: return multiplyInto<int32_t>(out, beta, alpha, a, b);
      default: return multiplyInto<int64_t>(out, beta, alpha, a, b);
    }
  }
};

// Products in half and bfloat16 as they are.
struct HalfBlas : Blas {
  static constexpr THDtype dtypeFor(THDtype dtype) { return dtype; }
  static void multiply(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
    for (const THTensor *x : {static_cast<const THTensor *>(out), a, b}) requireMemory(x);
    if (dtypeOf(a) == TH_Half)
      multiplyInto<THHalf>(out, beta, alpha, a, b);
    else
      multiplyInto<THBFloat16>(out, beta, alpha, a, b);
  }
};

// Matrices in the last two dimensions of r, a and b.
bool isForHalf(const THProductPlan &plan, const THTensor *r, const THTensor *a, const THTensor *b) {
  const THDtype dtype = dtypeOf(r);
  if (!isHalf(dtype) || dtypeOf(a) != dtype || dtypeOf(b) != dtype) return false;
  const int d = a->ndim;
  return hasHalfProduct(dtype, d == 3 ? a->size[0] : 1, a->size[d - 2], b->size[d - 1], a->size[d - 1],
                        scalarTo<float>(plan.alpha), scalarTo<float>(plan.beta));
}

// addmm and baddbmm
void addProduct(decltype(THPrepare_addmm) prepare, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                THScalar alpha, const THTensor *a, const THTensor *b) {
  THProductPlan plan;
  prepare(&plan, dtype, r, beta, t, alpha, a, b);
  if (!hasMemory(r)) return THResult_resize(&plan.result, 1);
  if (isForHalf(plan, r, a, b))
    product<HalfBlas>(plan, t, a, b);
  else
    product<Blas>(plan, t, a, b);
}

void dot(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b) {
  THResult result;
  THPrepare_dot(&result, dtype, r, a, b);
  if (!hasMemory(r)) return resizeResults(&result);

  const THDtype compute = Blas::dtypeFor(dtype);
  const auto ready = [&](const THTensor *t) {
    return dtypeOf(t) == compute && (t->numel <= 1 || t->stride[0]) ? retained(t) : copied(t, compute);
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
TH_DEFINE(addmv, number_complex, PRODUCT_ARGUMENTS(m, v),
          th::prepared<th::Blas>(THPrepare_addmv, dtype, r, beta, t, alpha, m, v))
TH_DEFINE(addmm, number_complex, PRODUCT_ARGUMENTS(m1, m2),
          th::addProduct(THPrepare_addmm, th::addmmDtype(dtype, m1), r, beta, t, alpha, m1, m2))
TH_DEFINE(baddbmm, number_complex, PRODUCT_ARGUMENTS(b1, b2),
          th::addProduct(THPrepare_baddbmm, dtype, r, beta, t, alpha, b1, b2))
TH_DEFINE(addbmm, number_complex, PRODUCT_ARGUMENTS(b1, b2), th::addbmm<th::Blas>(dtype, r, beta, t, alpha, b1, b2))
