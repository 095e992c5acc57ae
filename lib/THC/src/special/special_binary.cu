// Further functions of two operands.
#include <THC/THCTensorSpecial.h>
#include "kit/pointwise.cuh"
#include "special/binary.hpp"
#include "special/formulas.hpp"

namespace thc {
namespace {

struct Hypotenuse {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return std::hypot(a, b);
  }
};
struct CopySign {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return std::copysign(a, b);
  }
};

// The next number of T towards b.
template <class T>
struct Next {
  template <class C>
  __device__ C operator()(C a, C b) const {
    if constexpr (th::isHalfType<T>)
      return C(th::formulas::nextHalf(T(a), T(b)));
    else
      return std::nextafter(a, b);
  }
};

struct Step {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return a == 0 ? b : C(a > 0);
  }
};

struct GreatestDivisor {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return th::formulas::greatestDivisor(a, b);
  }
};
struct LeastMultiple {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return th::formulas::leastMultiple(a, b);
  }
};

// |a - b| <= atol + |rtol b|, in T; equal infinities are close, others are not.
template <class C>
struct Close {
  C rtol, atol;
  int64_t nan;
  __device__ bool operator()(C a, C b) const {
    const C error = std::fabs(a - b);
    return a == b || (error < std::numeric_limits<C>::infinity() && error <= atol + std::fabs(rtol * b)) ||
           (nan && a != a && b != b);
  }
};

}  // namespace
}  // namespace thc

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
THC_DEFINE(hypot, floating, BINARY, thc::pointwise<T>(thc::Hypotenuse{}, r, t, src))
THC_DEFINE(copysign, floating, BINARY, thc::pointwise<T>(thc::CopySign{}, r, t, src))
THC_DEFINE(nextafter, floating, BINARY, thc::pointwise<T>(thc::Next<T>{}, r, t, src))
THC_DEFINE(heaviside, all, BINARY, thc::pointwise<T>(thc::Step{}, r, t, src))
THC_DEFINE(gcd, integral, BINARY, thc::pointwise<T>(thc::GreatestDivisor{}, r, t, src))
THC_DEFINE(lcm, integral, BINARY, thc::pointwise<T>(thc::LeastMultiple{}, r, t, src))
THC_DEFINE(isclose, float_double,
           (THTensor *r, const THTensor *t, const THTensor *src, double rtol, double atol, bool nan),
           thc::pointwise<T>(thc::Close<T>{T(rtol), T(atol), nan}, r, t, src))

// The kernel's name, the functor's, and an expression of x and y, which are doubles.
#define BY_DOUBLE(op, Name, expression)                                           \
  namespace thc {                                                                 \
  namespace {                                                                     \
  struct Name {                                                                   \
    __device__ double operator()(double x, double y) const { return expression; } \
  };                                                                              \
  }                                                                               \
  }                                                                               \
  THC_DEFINE(op, floating, BINARY, thc::pointwise<T, double>(thc::Name{}, r, t, src))

BY_DOUBLE(ldexp, ScaleByPower, th::formulas::scaleByPower(x, y))
BY_DOUBLE(xlogy, XLogY, y != y ? y : x == 0 ? 0 : x * std::log(y))
BY_DOUBLE(xlog1py, XLog1PY, y != y ? y : x == 0 ? 0 : x * std::log1p(y))
BY_DOUBLE(logaddexp, LogAddExp, th::formulas::logAddExp(x, y))
BY_DOUBLE(logaddexp2, LogAddExp2, th::formulas::logAddExp2(x, y))
BY_DOUBLE(zeta, Zeta, th::formulas::zeta(x, y))
