// Sums, differences, products, quotients.
#include <THC/THCTensorMath.h>
#include "kit/functors.cuh"
#include "kit/pointwise.cuh"

namespace thc {
namespace {

template <class C, bool bits>
struct AddScaled {
  C alpha;
  __device__ C operator()(C a, C b) const {
    if constexpr (bits)
      return C(a | (alpha & b));
    else
      return C(a + alpha * b);
  }
};
struct Subtract {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return C(a - b);
  }
};
struct Divide {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return a / b;
  }
};

template <class T>
void add(THTensor *r, const THTensor *t, THScalar alpha, const THTensor *src, bool minus) {
  constexpr bool bits = std::is_same_v<T, bool>;
  alignas(8) char element[th::kWidest];
  if (THPrepare_alpha(element, th::DtypeOf<T>::value, r, alpha, minus))
    return pointwise<T>(Number::exact, AddScaled<Compute<T>, bits>{*reinterpret_cast<Compute<T> *>(element)}, r, t,
                        src);
  if constexpr (!bits)
    if (minus) return pointwise<T>(Number::exact, Subtract{}, r, t, src);
  pointwise<T>(Number::exact, Plus<bits>{}, r, t, src);
}

template <class T>
void multiply(THTensor *r, const THTensor *t, const THTensor *src) {
  pointwise<T>(Number::exact, Times<std::is_same_v<T, bool>>{}, r, t, src);
}

}  // namespace
}  // namespace thc

THC_DEFINE(cadd, all_complex, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src),
           thc::add<T>(r, t, value, src, false))
THC_DEFINE(csub, number_complex, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src),
           thc::add<T>(r, t, value, src, true))
THC_DEFINE(cmul, all_complex, (THTensor *r, const THTensor *t, const THTensor *src), thc::multiply<T>(r, t, src))
THC_DEFINE(cdiv, floating_complex, (THTensor *r, const THTensor *t, const THTensor *src),
           thc::pointwise<T>(thc::Number::exact, thc::Divide{}, r, t, src))
