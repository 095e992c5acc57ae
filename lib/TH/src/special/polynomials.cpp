// Orthogonal polynomials: kernels.
#include <TH/THTensorSpecial.h>

#include "kit/kernel.hpp"
#include "polynomials.hpp"

namespace th {
namespace {

#define TH_POLYNOMIAL(name, expression)                                                                 \
  template <class T> struct Of_##name {                                                                 \
    T operator()(T t, T degree) const {                                                                 \
      const double x = t, n = degree;                                                                   \
      return T(expression);                                                                             \
    }                                                                                                   \
  };                                                                                                    \
  constexpr KernelTable k_##name = makeTable(Dtypes<TH_Float, TH_Double>{}, PlainBinary<Of_##name>{});
TH_POLYNOMIALS(TH_POLYNOMIAL)

}  // namespace
}  // namespace th

#define TH_DEFINE_POLYNOMIAL(name, expression)                                       \
  TH_DEFINE(name, float_double, (THTensor *r, const THTensor *t, const THTensor *degree),  \
            th::pointwise(th::k_##name, dtype, nullptr, r, {t, degree}))
TH_POLYNOMIALS(TH_DEFINE_POLYNOMIAL)
