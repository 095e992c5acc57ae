// Variance and standard deviation, with the mean. Elements are taken in double one by one (Welford), and what threads have is
// joined as Chan, Golub and LeVeque do it.
#include <THC/THCTensorReduce.h>
#include "kit/define.cuh"
#include "kit/reduce.cuh"

namespace thc {
namespace {

template <class R>
struct Deviation {
  using In = double;
  struct State {
    double mean, square, count;  // square: the sum of squared distances
  };
  static constexpr bool ordered = false, vectors = true;
  double correction;
  bool root;

  __device__ State identity() const { return {0, 0, 0}; }
  __device__ void take(State &s, double x, int64_t) const {
    s.count += 1;
    const double distance = x - s.mean;
    s.mean += distance / s.count;
    s.square += distance * (x - s.mean);
  }
  __device__ void join(State &a, const State &b) const {
    const double n = a.count + b.count, part = n ? b.count / n : 0, distance = b.mean - a.mean;
    a.mean += distance * part;
    a.square += b.square + distance * distance * a.count * part;
    a.count = n;
  }
  __device__ R value(const State &s, int64_t count) const {
    const double freedom = double(count) - correction, variance = s.square / (freedom > 0 ? freedom : 0);
    return R(root ? sqrt(variance) : variance);
  }
  __device__ R second(const State &s, int64_t count) const { return R(count ? s.mean : NAN); }
};

template <class T>
void deviation(bool root, THTensor *r, THTensor *mean, const THTensor *t, uint64_t dims, bool keepdim,
               double correction) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  if constexpr (std::is_same_v<Compute<T>, float>)
    reduce<th::half, th::bfloat16, float>(Deviation<float>{correction, root}, dtype, nullptr, r, mean, t, dims,
                                          keepdim);
  else
    reduce<double>(Deviation<double>{correction, root}, dtype, nullptr, r, mean, t, dims, keepdim);
}

}  // namespace
}  // namespace thc

#define DEVIATION (THTensor *r, THTensor *mean, const THTensor *t, uint64_t dims, bool keepdim, double correction)
THC_DEFINE(var, floating, DEVIATION, thc::deviation<T>(false, r, mean, t, dims, keepdim, correction))
THC_DEFINE(std, floating, DEVIATION, thc::deviation<T>(true, r, mean, t, dims, keepdim, correction))
