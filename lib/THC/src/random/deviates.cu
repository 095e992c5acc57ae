// Continuous distributions and the geometric one. Their functions are series (random/boxmuller.hpp and random/series.hpp of TH), whose
// steps are not fused: the numbers are the CPU's, bit by bit.
#include <TH/THPrepare.h>

#include <limits>

#include "random/series.hpp"
#include "random/fill.cuh"

namespace thc {
namespace {

// Standard normal numbers of a block: 4, of double 2.
template <class R>
__device__ void standardNormal(R *z, const th::PhiloxBlock &words) {
  if constexpr (sizeof(R) == 8) {
    th::boxMuller<double>(int64_t(wideWord(words, 0) >> 11), int64_t(wideWord(words, 1) >> 11), z[0], z[1]);
  } else {
    for (int i = 0; i < 4; i += 2)
      th::boxMuller<float>(int32_t(words[size_t(i)] >> 8), int32_t(words[size_t(i + 1)] >> 8), z[i], z[i + 1]);
  }
}

// Exponential deviates of mean 1.
template <int wordsPerElement>
__device__ double exponentialAt(const th::PhiloxBlock &words, int i) {
  if constexpr (wordsPerElement == 2)
    return th::exponentialOf(words[size_t(2 * i)], words[size_t(2 * i + 1)]);
  else
    return th::exponentialOf(words[size_t(i)]);
}

// A double as T: a half type's number by way of float.
template <class T>
__device__ T rounded(double x) {
  return T(Compute<T>(x));
}

template <class T>
struct Normal {
  Compute<T> center, scale;
  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t) const {
    Compute<T> z[4 / kWords<T>];
    standardNormal(z, words);
    for (int i = 0; i < 4 / kWords<T>; i++) out[i] = T(z[i] * scale + center);
  }
};

template <class T>
struct LogNormal {
  double mean, std;
  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t) const {
    Compute<T> z[4 / kWords<T>];
    standardNormal(z, words);
    for (int i = 0; i < 4 / kWords<T>; i++) out[i] = rounded<T>(th::expSeries(z[i] * std + mean));
  }
};

// tan of a uniform angle
template <class T>
struct Cauchy {
  Compute<T> centre, scale;
  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t) const {
    for (int i = 0; i < 4 / kWords<T>; i++) {
      Compute<T> c, s;
      if constexpr (kWords<T> == 2)
        th::turn<double, true>(int64_t(wideWord(words, i) >> 11), c, s);
      else
        th::turn<float, true>(int32_t(words[size_t(i)] >> 8), c, s);
      out[i] = T(centre + scale * (s / c));
    }
  }
};

template <class T>
struct Exponential {
  double mean;
  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t) const {
    for (int i = 0; i < 4 / kWords<T>; i++) out[i] = rounded<T>(exponentialAt<kWords<T>>(words, i) * mean);
  }
};

// Trials up to the first success: an exponential deviate, rounded up. What T cannot hold is its greatest number.
template <class T>
struct Geometric {
  double mean, limit;
  T greatest;
  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t) const {
    for (int i = 0; i < 2; i++) {
      const double trials = ceil(exponentialAt<2>(words, i) * mean);
      out[i] = trials < limit ? th::convertTo<T>(trials) : greatest;
    }
  }
};

template <class T>
void normal(THTensor *self, THGenerator *generator, double mean, double std) {
  using R = Compute<T>;
  if (THPrepare_normal(th::DtypeOf<T>::value, self, mean, std))
    fill<T, kWords<T>>(self, generator, Normal<T>{R(mean), R(std)});
}
template <class T>
void logNormal(THTensor *self, THGenerator *generator, double mean, double std) {
  if (THPrepare_logNormal(th::DtypeOf<T>::value, self, mean, std))
    fill<T, kWords<T>>(self, generator, LogNormal<T>{mean, std});
}
template <class T>
void cauchy(THTensor *self, THGenerator *generator, double median, double sigma) {
  using R = Compute<T>;
  if (THPrepare_cauchy(th::DtypeOf<T>::value, self, median, sigma))
    fill<T, kWords<T>>(self, generator, Cauchy<T>{R(median), R(sigma)});
}
template <class T>
void exponential(THTensor *self, THGenerator *generator, double lambda) {
  if (THPrepare_exponential(th::DtypeOf<T>::value, self, lambda))
    fill<T, kWords<T>>(self, generator, Exponential<T>{1 / lambda});
}
template <class T>
void geometric(THTensor *self, THGenerator *generator, double p) {
  if (!THPrepare_geometric(th::DtypeOf<T>::value, self, p)) return;
  T greatest;
  if constexpr (std::is_integral_v<T>)
    greatest = std::numeric_limits<T>::max();
  else
    greatest = T(Compute<T>(th::kGreatest<T>));
  fill<T, 2>(self, generator, Geometric<T>{-1 / th::logOneMinus(p), th::kGreatest<T>, greatest});
}

}  // namespace
}  // namespace thc

#define RANDOM_ARGUMENTS(...) (THTensor * self, THGenerator * generator, __VA_ARGS__)
THC_DEFINE(normal, floating, RANDOM_ARGUMENTS(double mean, double std), thc::normal<T>(self, generator, mean, std))
THC_DEFINE(cauchy, floating, RANDOM_ARGUMENTS(double median, double sigma),
           thc::cauchy<T>(self, generator, median, sigma))
THC_DEFINE(exponential, floating, RANDOM_ARGUMENTS(double lambda), thc::exponential<T>(self, generator, lambda))
THC_DEFINE(logNormal, floating, RANDOM_ARGUMENTS(double mean, double std),
           thc::logNormal<T>(self, generator, mean, std))
THC_DEFINE(geometric, number, RANDOM_ARGUMENTS(double p), thc::geometric<T>(self, generator, p))
