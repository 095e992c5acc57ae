// Functions of three operands, and interpolation with one weight.
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include <TH/THPrepare.h>
#include "kit/operands.hpp"
#include "kit/pointwise.cuh"

namespace thc {
namespace {

template <class C>
struct AddProduct {
  C value;
  __device__ C operator()(C a, C b, C c) const { return C(a + value * b * c); }
};
template <class C>
struct AddQuotient {
  C value;
  __device__ C operator()(C a, C b, C c) const { return a + value * (b / c); }
};

// From the nearer end, so that the weights 0 and 1 give the ends themselves.
struct Interpolate {
  template <class C>
  __device__ C operator()(C a, C b, C weight) const {
    return magnitude(weight) < 0.5f ? a + weight * (b - a) : b - (b - a) * (C(1) - weight);
  }

 private:
  template <class C>
  static __device__ C magnitude(C weight) {
    return std::fabs(weight);
  }
  template <class P>
  static __device__ P magnitude(th::complex<P> weight) {
    return std::hypot(weight.real(), weight.imag());
  }
};

template <class T, template <class> class Op>
void scaled(THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2) {
  Op<Compute<T>> op{};
  THPrepare_number(&op.value, th::DtypeOf<T>::value, r, value);
  pointwise<T>(op, r, t, src1, src2);
}

// The weight is an operand like others, in the dtype that is computed in.
template <class T>
void interpolate(THTensor *r, const THTensor *a, const THTensor *b, THScalar weight) {
  Compute<T> number{};
  THPrepare_number(&number, th::DtypeOf<T>::value, r, weight);
  const Ref operand(THTensor_newWithSize(th::DtypeOf<Compute<T>>::value, 0, nullptr));
  std::memcpy(THTensor_data(operand), &number, sizeof number);
  pointwise<T>(Number::exact, Interpolate{}, r, a, b, static_cast<const THTensor *>(operand));
}

}  // namespace
}  // namespace thc

#define SCALED (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2)
THC_DEFINE(addcmul, number_complex, SCALED, thc::scaled<T, thc::AddProduct>(r, t, value, src1, src2))
THC_DEFINE(addcdiv, floating_complex, SCALED, thc::scaled<T, thc::AddQuotient>(r, t, value, src1, src2))
THC_DEFINE(lerp, floating_complex, (THTensor *r, const THTensor *a, const THTensor *b, THScalar weight),
           thc::interpolate<T>(r, a, b, weight))
THC_DEFINE(lerpTensor, floating_complex, (THTensor *r, const THTensor *a, const THTensor *b, const THTensor *weight),
           thc::pointwise<T>(thc::Interpolate{}, r, a, b, weight))
