// Functions of complex numbers that are a few instructions.
#include <THC/THCTensorMath.h>
#include "kit/pointwise.cuh"

namespace thc {
namespace {

// One kernel for what costs less than the memory.
struct Simple {
  enum Kind { negative, conjugate, square, inverse } kind;

  template <class C>
  __device__ C operator()(C a) const {
    switch (kind) {
      case negative: return -a;
      case conjugate: return {a.real(), -a.imag()};
      case square: return a * a;
      default: return C(1) / a;
    }
  }
};

// Infinite if a part is, even where the other one is NaN.
struct Absolute {
  __device__ float operator()(THComplexFloat a) const {  // whose squares neither overflow nor vanish in double
    if (std::isinf(a.real()) || std::isinf(a.imag())) return std::numeric_limits<float>::infinity();
    const double x = a.real(), y = a.imag();
    return float(std::sqrt(x * x + y * y));
  }
  __device__ double operator()(THComplexDouble a) const { return std::hypot(a.real(), a.imag()); }
};
struct Argument {
  template <class P>
  __device__ P operator()(th::complex<P> a) const {
    return std::atan2(a.imag(), a.real());
  }
};

// Two real numbers to a complex one.
struct Join {
  template <class P>
  __device__ th::complex<P> operator()(P real, P imag) const {
    return {real, imag};
  }
};

}  // namespace
}  // namespace thc

#define UNARY (THTensor *r, const THTensor *t)
#define SIMPLE(op, kind) THC_DEFINE(op, complex, UNARY, thc::pointwise<T>(thc::Simple{thc::Simple::kind}, r, t))
SIMPLE(neg, negative)
SIMPLE(conj, conjugate)
SIMPLE(square, square)
SIMPLE(cinv, inverse)
THC_DEFINE(abs, complex, UNARY, thc::pointwise<T>(thc::Absolute{}, r, t))
THC_DEFINE(arg, complex, UNARY, thc::pointwise<T>(thc::Argument{}, r, t))
THC_DEFINE(fromParts, complex, (THTensor *r, const THTensor *real, const THTensor *imag),
           thc::pointwise<T::value_type>(thc::Join{}, r, real, imag))
