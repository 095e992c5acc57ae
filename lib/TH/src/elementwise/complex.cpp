// Functions of complex numbers that are a few instructions.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/complex.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct Negate {
  T operator()(T a) const { return -a; }
};
template <class T> struct Conjugate {
  T operator()(T a) const { return {a.real(), -a.imag()}; }
};

// Infinite if a part is, even where the other one is NaN.
template <class T> struct Absolute;
template <> struct Absolute<THComplexFloat> {  // whose squares neither overflow nor vanish in double
  float operator()(THComplexFloat a) const {
    const double x = double(a.real()), y = double(a.imag());
    const float r = float(std::sqrt(x * x + y * y));
    return std::fabs(a.real()) == INFINITY || std::fabs(a.imag()) == INFINITY ? INFINITY : r;
  }
};
template <> struct Absolute<THComplexDouble> {  // by the larger part, so that neither do these
  double operator()(THComplexDouble a) const {
    const double x = std::fabs(a.real()), y = std::fabs(a.imag());
    const double large = x > y ? x : y, small = x > y ? y : x;
    const double ratio = small / (large == 0 ? 1 : large), r = large * std::sqrt(1 + ratio * ratio);
    return x == INFINITY || y == INFINITY ? INFINITY : r;
  }
};

// To the dtype of the parts.
template <template <class> class Op>
struct ToReal {
  template <THDtype d> constexpr Kernel operator()() const {
    return {unaryLoop<Op<Element<d>>, Element<realDtype(d)>, Element<d>>, d, realDtype(d)};
  }
};

constexpr KernelTable negate = makeTable(ComplexDtypes{}, Unary<Negate>{});
constexpr KernelTable conjugate = makeTable(ComplexDtypes{}, Unary<Conjugate>{});
constexpr KernelTable absolute = makeTable(ComplexDtypes{}, ToReal<Absolute>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorComplex.h>
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

// What moves more memory than it computes needs no vectors of its own: one loop, compiled once.
template <class Op, class R, class T>
void plainLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<R *>(data[0] + i * strides[0]) = Op()(*reinterpret_cast<const T *>(data[1] + i * strides[1]),
                                                            *reinterpret_cast<const T *>(data[2] + i * strides[2]));
}

template <class T> struct Equal {
  bool operator()(T a, T b) const { return a == b; }
};
template <class T> struct Unequal {
  bool operator()(T a, T b) const { return !(a == b); }
};
template <template <class> class Op>
struct Compare {
  template <THDtype d> constexpr Kernel operator()() const {
    return {plainLoop<Op<Element<d>>, bool, Element<d>>, d, TH_Bool};
  }
};
constexpr KernelTable equal = makeTable(ComplexDtypes{}, Compare<Equal>{});
constexpr KernelTable unequal = makeTable(ComplexDtypes{}, Compare<Unequal>{});

// Two real numbers to a complex one; by the dtype of the parts.
template <class T> struct Join {
  complex<T> operator()(T real, T imag) const { return {real, imag}; }
};
constexpr KernelTable join = [] {
  KernelTable table{};
  table.of[TH_Float] = {plainLoop<Join<float>, THComplexFloat, float>, TH_Float, TH_ComplexFloat};
  table.of[TH_Double] = {plainLoop<Join<double>, THComplexDouble, double>, TH_Double, TH_ComplexDouble};
  return table;
}();

template <class T> constexpr bool isSingle = std::is_same_v<T, THComplexFloat>;
Ref one() { return Ref(THTensor_newWithScalar(TH_ComplexDouble, scalar(1.0))); }

}  // namespace
}  // namespace th

using namespace th;

#define UNARY (THTensor *r, const THTensor *t)
#define BINARY (THTensor *r, const THTensor *a, const THTensor *b)
TH_DEFINE(neg, complex, UNARY, pointwise(TH_BEST_TARGET(negate), dtype, nullptr, r, {t}))
TH_DEFINE(conj, complex, UNARY, pointwise(TH_BEST_TARGET(conjugate), dtype, nullptr, r, {t}))
TH_DEFINE(abs, complex, UNARY, pointwise(TH_BEST_TARGET(absolute), dtype, nullptr, r, {t}))
TH_DEFINE(square, complex, UNARY, (isSingle<T> ? THComplexFloatTensor_cmul : THComplexDoubleTensor_cmul)(r, t, t))
TH_DEFINE(cinv, complex, UNARY, (isSingle<T> ? THComplexFloatTensor_cdiv : THComplexDoubleTensor_cdiv)(r, one(), t))
TH_DEFINE(eqTensor, complex, BINARY, pointwise(equal, dtype, nullptr, r, {a, b}))
TH_DEFINE(neTensor, complex, BINARY, pointwise(unequal, dtype, nullptr, r, {a, b}))
TH_DEFINE(fromParts, complex, (THTensor *r, const THTensor *real, const THTensor *imag),
          pointwise(join, realDtype(dtype), nullptr, r, {real, imag}))

#endif
