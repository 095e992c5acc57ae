// Products of matrices and vectors on CUDA.
#include <THC/THCTensorBlas.h>

#include "kit/cuda.hpp"
#include "kit/failure.cuh"
#include "kit/operands.hpp"
#include "linalg/gemm.hpp"
#include "linalg/product.hpp"

namespace thc {
namespace {

using th::dtypeOf;
using th::matrixOf;

// Zeros instead of a factor whose inner dimension is empty, with one of size 1.
Ref zerosFor(const THTensor *factor, int inner) {
  int64_t size[3];
  for (int d = 0; d < factor->ndim; d++) size[d] = d == inner ? 1 : factor->size[d];
  Ref zeros(th::newLike(factor, dtypeOf(factor), factor->ndim, size));
  THCTensor_zero(zeros);
  return zeros;
}

void multiplyInto(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
  Product p{dtypeOf(a), matrixOf<void>(out), matrixOf<const void>(a), matrixOf<const void>(b), alpha, beta};
  if (out->ndim == 3) {
    p.batch = out->size[0];
    p.cStep = out->stride[0], p.aStep = a->stride[0], p.bStep = b->stride[0];
  }
  const DeviceGuard guard(out);
  if (p.dtype == TH_Int || p.dtype == TH_Long)
    multiplyIntegers(p, currentStream(deviceOf(out)));
  else
    multiplyByBlas(p, deviceOf(out));
}

// cuBLAS takes complex numbers whole, so that memory of others which is aligned as their parts are must be copied.
bool isAligned(const THTensor *t) {
  return reinterpret_cast<uintptr_t>(th::addressOf(t)) % uintptr_t(th::elementSize(dtypeOf(t))) == 0;
}

struct Blas {
  static constexpr THDtype dtypeFor(THDtype dtype) {
    return th::isFloat8(dtype) ? TH_Float : dtype == TH_Byte || dtype == TH_Char || dtype == TH_Short ? TH_Int : dtype;
  }
  static Ref ready(const THTensor *t, THDtype dtype, const THTensor *r) {
    Ref own(THTensor_newWithTensor(const_cast<THTensor *>(t)));
    if (dtypeOf(t) != dtype || t->device != TH_CUDA || !th::isBlasReady(t)) own = contiguousAs(dtype, t, r);
    return isAligned(own) ? std::move(own) : Ref(THTensor_newClone(own));
  }
  static bool takes(const THTensor *r) { return th::isBlasReady(r) && isAligned(r) && !THTensor_overlapsItself(r); }
  static void copy(THTensor *to, const THTensor *from) { THCTensor_copy(to, from); }
  static void multiply(THTensor *out, THScalar beta, THScalar alpha, const THTensor *a, const THTensor *b) {
    if (a->size[a->ndim - 1])
      multiplyInto(out, beta, alpha, a, b);
    else
      multiplyInto(out, beta, alpha, zerosFor(a, a->ndim - 1), zerosFor(b, a->ndim - 2));
  }
};

}  // namespace
}  // namespace thc

// No THC_DEFINE here: nothing of a dtype is needed but its number.
#define PRODUCT_ARGUMENTS(m1, m2) \
  (THTensor * r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1, const THTensor *m2)
#define THC_PRODUCT(Name, op, dtype, m1, m2)                                                  \
  void THC_TENSOR(Name, op) PRODUCT_ARGUMENTS(m1, m2) {                                       \
    const thc::Operator named(#op);                                                           \
    thc::requireOneDevice({r}, {t, m1, m2});                                                  \
    th::prepared<thc::Blas>(THPrepare_##op, dtype, r, beta, t, alpha, m1, m2);                \
  }
#define THC_ADDMV(Name, _) THC_PRODUCT(Name, addmv, TH_##Name, m, v)
#define THC_ADDMM(Name, _) THC_PRODUCT(Name, addmm, th::addmmDtype(TH_##Name, m1), m1, m2)
#define THC_BADDBMM(Name, _) THC_PRODUCT(Name, baddbmm, TH_##Name, b1, b2)
#define THC_ADDBMM(Name, _)                                                   \
  void THC_TENSOR(Name, addbmm) PRODUCT_ARGUMENTS(b1, b2) {                   \
    const thc::Operator named("addbmm");                                      \
    thc::requireOneDevice({r}, {t, b1, b2});                                  \
    th::addbmm<thc::Blas>(TH_##Name, r, beta, t, alpha, b1, b2);              \
  }
TH_FOR_number_complex(THC_ADDMV, ) TH_FOR_number_complex(THC_ADDMM, ) TH_FOR_number_complex(THC_BADDBMM, )
    TH_FOR_number_complex(THC_ADDBMM, )
