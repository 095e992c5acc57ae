// Kernels of implicit.hpp.
#include <TH/THTensorSpecial.h>

#include "implicit.hpp"
#include "kit/kernel.hpp"

namespace th {
namespace {

// In double for every T, rounded once.
template <class T> struct GammaSlope {
  T operator()(T a, T x) const { return T(implicit::gammaSlope(double(a), double(x))); }
};
constexpr KernelTable gammaSlopes = makeTable(FloatingDtypes{}, PlainBinary<GammaSlope>{});

template <class T>
void dirichletLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  const auto at = [&](int operand, int64_t i) {
    return double(*reinterpret_cast<const T *>(data[operand] + i * strides[operand]));
  };
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<T *>(data[0] + i * strides[0]) = T(implicit::dirichletSlope(at(1, i), at(2, i), at(3, i)));
}
struct DirichletSlope {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = native(d);
    return {dirichletLoop<Element<c>>, c, c};
  }
};
constexpr KernelTable dirichletSlopes = makeTable(FloatingDtypes{}, DirichletSlope{});

}  // namespace
}  // namespace th

TH_DEFINE(standardGammaGrad, floating, (THTensor *r, const THTensor *a, const THTensor *x),
          th::pointwise(th::gammaSlopes, dtype, nullptr, r, {a, x}))
TH_DEFINE(dirichletGrad, floating, (THTensor *r, const THTensor *x, const THTensor *a, const THTensor *total),
          th::pointwise(th::dirichletSlopes, dtype, nullptr, r, {x, a, total}))
