// Special functions of one operand, and what they are of: most by TH's formulas, in double for every dtype.
#include <THC/THCTensorSpecial.h>
#include "special/by_double.cuh"
#include "special/formulas.hpp"

BY_DOUBLE(erfinv, floating, Erfinv, th::formulas::erfinv(x))
BY_DOUBLE(digamma, floating, Digamma, th::formulas::digamma(x))
BY_DOUBLE(i0, floating, I0, th::formulas::besselI0(x, false))
BY_DOUBLE(i0e, floating, I0e, th::formulas::besselI0(x, true))
BY_DOUBLE(i1, floating, I1, th::formulas::besselI1(x, false))
BY_DOUBLE(i1e, floating, I1e, th::formulas::besselI1(x, true))
BY_DOUBLE(erfcx, floating, Erfcx, th::formulas::erfcx(x))
BY_DOUBLE(ndtr, floating, Ndtr, th::formulas::ndtr(x))
BY_DOUBLE(logNdtr, floating, LogNdtr, th::formulas::logNdtr(x))
BY_DOUBLE(ndtri, floating, Ndtri, th::formulas::ndtri(x))

namespace thc {
namespace {

struct Polygamma {
  int64_t n;
  __device__ double operator()(double x) const { return th::formulas::polygamma(n, x); }
};

struct Entropy {
  template <class C>
  __device__ C operator()(C x) const {
    return x == 0 ? C(0) : x > 0 || x != x ? -x * std::log(x) : -std::numeric_limits<C>::infinity();
  }
};

// The product is rounded before the sine, as in torch; so sinc(1) is what is left of pi's digits.
struct Sinc {
  template <class C>
  __device__ C operator()(C t) const {
    const C x = C(th::special::kPi) * t;
    return t == 0 ? C(1) : std::sin(x) / x;
  }
};

// x / (1 - x) in T step by step, also where that is a half type: as torch does it. Then its logarithm.
template <class T>
struct Logit {
  using C = Compute<T>;
  C low, high;
  bool limited;
  __device__ C operator()(C x) const {
    if (limited) x = x < low ? low : x > high ? high : x;
    return std::log(C(T(x / C(T(1 - x)))));
  }
};
template <class T>
void logit(THTensor *r, const THTensor *t, double eps) {
  using C = Compute<T>;
  Logit<T> op{};
  op.low = C(T(C(eps)));
  op.high = C(T(1 - op.low));
  op.limited = eps >= 0;
  pointwise<T>(op, r, t);
}

// 10^|decimals| in the type that is computed in.
template <class C>
struct Decimals {
  C power;
  int down;  // to decimals; else to tens, hundreds, …
  __device__ C operator()(C x) const { return down ? std::rint(x * power) / power : std::rint(x / power) * power; }
};
template <class T>
void roundDecimals(THTensor *r, const THTensor *t, int64_t decimals) {
  using C = Compute<T>;
  pointwise<T>(Decimals<C>{C(std::pow(10.0, std::fabs(double(decimals)))), decimals >= 0}, r, t);
}

template <class C>
struct Replace {
  C nan, high, low;
  __device__ C operator()(C x) const {
    constexpr C infinity = std::numeric_limits<C>::infinity();
    return x != x ? nan : x == infinity ? high : x == -infinity ? low : x;
  }
};
// Rounded to T first, which may make them infinite.
template <class T>
void replace(THTensor *r, const THTensor *t, double nan, double posinf, double neginf) {
  using C = Compute<T>;
  const auto number = [](double x) { return C(th::convertTo<T>(x)); };
  pointwise<T>(Replace<C>{number(nan), number(posinf), number(neginf)}, r, t);
}

}  // namespace
}  // namespace thc

THC_DEFINE(polygamma, floating, (THTensor *r, int64_t n, const THTensor *t),
           thc::pointwise<T, double>(thc::Polygamma{n}, r, t))
THC_DEFINE(entr, floating, UNARY, thc::pointwise<T>(thc::Entropy{}, r, t))
THC_DEFINE(sinc, floating, UNARY, thc::pointwise<T>(thc::Sinc{}, r, t))
THC_DEFINE(logit, floating, (THTensor *r, const THTensor *t, double eps), thc::logit<T>(r, t, eps))
THC_DEFINE(roundDecimals, floating, (THTensor *r, const THTensor *t, int64_t decimals),
           thc::roundDecimals<T>(r, t, decimals))
THC_DEFINE(nanToNum, floating, (THTensor *r, const THTensor *t, double nan, double posinf, double neginf),
           thc::replace<T>(r, t, nan, posinf, neginf))
