// Functions of one operand that cost more than the memory they touch, with and without a parameter.
#include <cmath>
#include <TH/THTensorMath.h>
#include <TH/THTensorSpecial.h>
#include "kit/floats.hpp"
#include "kit/kernel.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "kit/special.hpp"

namespace th {
namespace {

// In double for every T, rounded once.
#define TH_BY_DOUBLE(Name, expression)                    \
  template <class T> struct Name {                        \
    T operator()(T t) const {                             \
      const double x = t;                                 \
      return T(expression);                               \
    }                                                     \
  };                                                      \
  constexpr KernelTable k##Name = makeTable(FloatingDtypes{}, PlainUnary<Name>{});
TH_BY_DOUBLE(Erfc, std::erfc(x))
TH_BY_DOUBLE(Erfinv, special::erfinv(x))
TH_BY_DOUBLE(Lgamma, special::lgamma(x))
TH_BY_DOUBLE(Digamma, special::digamma(x))
TH_BY_DOUBLE(I0, special::besselI0(x, false))
TH_BY_DOUBLE(I0e, special::besselI0(x, true))
TH_BY_DOUBLE(I1, special::besselI1(x, false))
TH_BY_DOUBLE(I1e, special::besselI1(x, true))
TH_BY_DOUBLE(Entropy, x == 0 ? 0 : x > 0 || x != x ? -x * std::log(x) : -special::kInfinity)
TH_BY_DOUBLE(Erfcx, special::erfcx(x))
TH_BY_DOUBLE(Ndtr, special::ndtr(x))
TH_BY_DOUBLE(LogNdtr, special::logNdtr(x))
TH_BY_DOUBLE(Ndtri, special::ndtri(x))
#undef TH_BY_DOUBLE

// The product is rounded to T before the sine, as in torch; so sinc(1) is what is left of pi's digits.
template <class T> struct Sinc {
  T operator()(T t) const {
    const T x = T(special::kPi) * t;
    return t == 0 ? T(1) : std::sin(x) / x;
  }
};
constexpr KernelTable kSinc = makeTable(FloatingDtypes{}, PlainUnary<Sinc>{});

// ---- with a parameter: `param` points to the functor -----------------------------------------------
template <class Op, class T>
void parameterLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const Op op = *static_cast<const Op *>(param);
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<T *>(data[0] + i * strides[0]) = op(*reinterpret_cast<const T *>(data[1] + i * strides[1]));
}

// The functor's T is what the loop computes in: Compute<T>.
template <template <class> class Op, class T>
void withParameter(const Op<Compute<T>> &op, THTensor *r, const THTensor *t) {
  constexpr THDtype dtype = DtypeOf<T>::value, c = native(dtype);
  KernelTable table{};
  table.of[dtype] = {parameterLoop<Op<Compute<T>>, Compute<T>>, c, c};
  pointwise(table, dtype, &op, r, {t});
}

template <class T> struct Polygamma {
  int64_t n;
  T operator()(T x) const { return T(special::polygamma(n, x)); }
};
// x / (1 - x) in T step by step, also where that is a half type: as torch does it. Then its logarithm.
template <class T> struct Odds {
  T low, high;
  bool limited;
  T operator()(T x) const {
    if (limited) x = x < low ? low : x > high ? high : x;
    return T(x / T(1 - x));
  }
};
template <class T, class Log>
void logit(THTensor *r, const THTensor *t, double eps, Log log) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  if (!isHalf(dtype) && !(eps >= 0)) return pointwise(logitKernels(), dtype, nullptr, r, {t});
  const Odds<T> op{T(eps), T(1 - T(eps)), eps >= 0};
  KernelTable table{};
  table.of[dtype] = {parameterLoop<Odds<T>, T>, dtype, dtype};
  pointwise(table, dtype, &op, r, {t});
  log(r, r);
}

}  // namespace
}  // namespace th

using namespace th;

#define UNARY (THTensor *r, const THTensor *t)
#define SPECIAL(op, Name) TH_DEFINE(op, floating, UNARY, pointwise(k##Name, dtype, nullptr, r, {t}))
#define WITH_FLOATS(op, Name, ...)                                                               \
  TH_DEFINE(op, floating, UNARY, {                                                               \
    static const KernelTable table = withFloats(k##Name, __VA_ARGS__);                           \
    pointwise(table, dtype, nullptr, r, {t});                                                    \
  })
#define BY_FLOATS(op, Name) WITH_FLOATS(op, Name, FloatFunction::op)
BY_FLOATS(erfc, Erfc)
WITH_FLOATS(erfinv, Erfinv, kernelOfPieces(PiecewiseFunction::erfinv))
BY_FLOATS(lgamma, Lgamma)
BY_FLOATS(digamma, Digamma)
SPECIAL(sinc, Sinc)
SPECIAL(i0, I0)
SPECIAL(i0e, I0e)
SPECIAL(i1, I1)
SPECIAL(i1e, I1e)
SPECIAL(entr, Entropy)
SPECIAL(erfcx, Erfcx)
BY_FLOATS(ndtr, Ndtr)
SPECIAL(logNdtr, LogNdtr)
BY_FLOATS(ndtri, Ndtri)
TH_DEFINE(polygamma, floating, (THTensor *r, int64_t n, const THTensor *t), {
  if (n == 1 && dtype != TH_Double) {
    static const KernelTable table = withFloats({}, FloatFunction::trigamma);
    return pointwise(table, dtype, nullptr, r, {t});
  }
  withParameter<Polygamma, T>({n}, r, t);
})
#define LOGIT(Name, ...) \
  void TH##Name##Tensor_logit(THTensor *r, const THTensor *t, double eps) { \
    logit<Element<TH_##Name>>(r, t, eps, TH##Name##Tensor_log); \
  }
TH_FOR_floating(LOGIT, )
