// Norms, and sums that pass NaN over: sums and extrema of something that is made of the elements.
#include <cmath>
#include <limits>
#include <THC/THCTensorMath.h>
#include <THC/THCTensorReduce.h>
#include "kit/define.cuh"
#include "kit/operands.hpp"
#include "kit/pointwise.cuh"
#include "reduce/extremum.cuh"

namespace thc {
namespace {

enum class Summand { number, nonzero, absolute, square };  // number: 0 where it is NaN

template <class C>
struct SumOf {
  using In = C;
  using State = C;
  static constexpr bool ordered = false, vectors = true;
  Summand what;
  __device__ State identity() const { return 0; }
  __device__ void take(State &s, C x, int64_t) const {
    s += what == Summand::square     ? x * x
         : what == Summand::absolute ? fabs(x)
         : what == Summand::nonzero  ? C(x != 0)
         : x == x                    ? x
                                     : C(0);
  }
  __device__ void join(State &a, const State &b) const { a += b; }
  __device__ C value(const State &s, int64_t) const { return what == Summand::square ? sqrt(s) : s; }
};

template <class C>
struct PowerSum {
  using In = C;
  using State = C;
  static constexpr bool ordered = false, vectors = false;
  C exponent, root;
  __device__ State identity() const { return 0; }
  __device__ void take(State &s, C x, int64_t) const { s += pow(fabs(x), exponent); }
  __device__ void join(State &a, const State &b) const { a += b; }
  __device__ C value(const State &s, int64_t) const { return pow(s, root); }
};

template <class T>
void norm(THTensor *r, const THTensor *t, double p, uint64_t dims, bool keepdim) {
  using C = Compute<T>;
  THPrepare_norm(t, p, dims);
  const auto sum = [&](Summand what) { reduceReal<SumOf, T>(nullptr, r, nullptr, t, dims, keepdim, what); };
  if (p == 2) return sum(Summand::square);
  if (p == 1) return sum(Summand::absolute);
  if (p == 0) return sum(Summand::nonzero);
  if (std::isinf(p)) return reduceReal<Extremum, T>(nullptr, r, nullptr, t, dims, keepdim, p > 0, true);
  reduceReal<PowerSum, T>(nullptr, r, nullptr, t, dims, keepdim, C(p), C(1 / p));
}

template <class C>
struct FactorTo {
  C greatest;
  __device__ C operator()(C norm) const { return norm > greatest ? greatest / (norm + C(1e-7)) : C(1); }
};

using Difference = void (*)(THTensor *, const THTensor *, THScalar, const THTensor *);

template <class T>
void dist(THTensor *r, const THTensor *a, const THTensor *b, double p, Difference subtract) {
  const int64_t none = 0;
  const Ref difference(THTensor_newWithSizeOn(r->storage->device, th::DtypeOf<T>::value, 1, &none));
  subtract(difference, a, th::scalar(int64_t(1)), b);
  norm<T>(r, difference, p, TH_ALL_DIMS, false);
}

template <class T>
void renorm(THTensor *r, const THTensor *t, double p, int dim, double maxnorm,
            void (*multiply)(THTensor *, const THTensor *, const THTensor *)) {
  using C = Compute<T>;
  dim = TH_wrapDim(dim, t->ndim);
  const int64_t none = 0;
  const Ref factors(THTensor_newWithSizeOn(r->storage->device, th::DtypeOf<C>::value, 1, &none));
  const uint64_t all = t->ndim == 64 ? TH_ALL_DIMS : (uint64_t(1) << t->ndim) - 1;
  norm<T>(factors, t, p, all & ~(uint64_t(1) << dim), true);
  THTensor *const f = factors;
  pointwise<C>(FactorTo<C>{C(maxnorm)}, f, f);
  multiply(r, t, factors);
}

}  // namespace
}  // namespace thc

THC_DEFINE(nansum, floating, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim),
           thc::reduceReal<thc::SumOf, T>(nullptr, r, nullptr, t, dims, keepdim, thc::Summand::number))
THC_DEFINE(norm, floating, (THTensor *r, const THTensor *t, double p, uint64_t dims, bool keepdim),
           thc::norm<T>(r, t, p, dims, keepdim))
#define THC_PUT_TOGETHER(Name, ...)                                                                               \
  void THC_TENSOR(Name, dist)(THTensor *r, const THTensor *a, const THTensor *b, double p) {                      \
    const thc::Operator named("dist");                                                                            \
    thc::dist<th::Element<TH_##Name>>(r, a, b, p, THC_TENSOR(Name, csub));                                        \
  }                                                                                                               \
  void THC_TENSOR(Name, renorm)(THTensor *r, const THTensor *t, double p, int dim, double maxnorm) {              \
    const thc::Operator named("renorm");                                                                          \
    thc::renorm<th::Element<TH_##Name>>(r, t, p, dim, maxnorm, THC_TENSOR(Name, cmul));                           \
  }
TH_FOR_floating(THC_PUT_TOGETHER, )
