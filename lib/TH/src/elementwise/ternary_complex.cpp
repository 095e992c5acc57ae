// Functions of three complex operands.
#include <TH/THPrepare.h>
#include <TH/THTensorComplex.h>

#include <cmath>
#include "kit/kernel.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

template <class Op, class T>
void ternaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const T value = param ? *static_cast<const T *>(param) : T(1);
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<T *>(data[0] + i * strides[0]) = Op()(
        *reinterpret_cast<const T *>(data[1] + i * strides[1]), *reinterpret_cast<const T *>(data[2] + i * strides[2]),
        *reinterpret_cast<const T *>(data[3] + i * strides[3]), value);
}
template <template <class> class Op>
struct Ternary {
  template <THDtype d> constexpr Kernel operator()() const { return {ternaryLoop<Op<Element<d>>, Element<d>>, d, d}; }
};

template <class T> struct AddProduct {
  T operator()(T t, T a, T b, T value) const { return t + value * a * b; }
};
template <class T> struct AddQuotient {
  T operator()(T t, T a, T b, T value) const { return t + value * (a / b); }
};
// From the nearer end, so that the weights 0 and 1 give the ends themselves.
template <class T> struct Interpolate {
  T operator()(T a, T b, T weight, T) const {
    return std::hypot(weight.real(), weight.imag()) < 0.5 ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
  }
};
constexpr KernelTable addProduct = makeTable(ComplexDtypes{}, Ternary<AddProduct>{});
constexpr KernelTable addQuotient = makeTable(ComplexDtypes{}, Ternary<AddQuotient>{});
constexpr KernelTable interpolate = makeTable(ComplexDtypes{}, Ternary<Interpolate>{});

template <class T>
void scaled(const KernelTable &table, THDtype dtype, THTensor *r, const THTensor *t, THScalar value,
            const THTensor *src1, const THTensor *src2) {
  T number{};
  THPrepare_number(&number, dtype, r, value);
  pointwise(table, dtype, &number, r, {t, src1, src2});
}

template <class T>
void interpolated(THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b, THScalar weight) {
  T number{};
  THPrepare_number(&number, dtype, r, weight);
  pointwise(interpolate, dtype, nullptr, r,
            {a, b, Ref(THTensor_newWithScalar(dtype, scalar(THComplexDouble(number))))});
}

}  // namespace
}  // namespace th

using namespace th;

#define SCALED (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2)
TH_DEFINE(addcmul, complex, SCALED, scaled<T>(addProduct, dtype, r, t, value, src1, src2))
TH_DEFINE(addcdiv, complex, SCALED, scaled<T>(addQuotient, dtype, r, t, value, src1, src2))
TH_DEFINE(lerpTensor, complex, (THTensor *r, const THTensor *a, const THTensor *b, const THTensor *weight),
          pointwise(interpolate, dtype, nullptr, r, {a, b, weight}))
TH_DEFINE(lerp, complex, (THTensor *r, const THTensor *a, const THTensor *b, THScalar weight),
          interpolated<T>(dtype, r, a, b, weight))
