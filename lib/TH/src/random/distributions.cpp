// Fills of continuous distributions and of the geometric one: each element is a function of its own
// words of the stream (random.hpp).
#include <TH/THPrepare.h>
#include <algorithm>
#include <type_traits>

#include "deviates.hpp"
#include "draw_each.hpp"
#include "kit/apart.hpp"
#include "kit/messages.hpp"
#include "mersenne_deviates.hpp"
#include "random.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Words that a number of dtype T is made of.
template <class T> constexpr int kWords = std::is_same_v<T, double> ? 2 : 1;

// tan of a uniform angle.
template <class T>
void cauchy(THTensor *self, THGenerator *generator, double median, double sigma) {
  if (!THPrepare_cauchy(DtypeOf<T>::value, self, median, sigma)) return;
  using R = Compute<T>;
  if (Mersenne *const twister = generator->twister)
    return fillInTurn<T>(self, *twister, [=](Mersenne &m) {
      return rounded<T>(std::fma(sigma, std::tan(M_PI * (m.fraction<double>() - 0.5)), median));
    });
  const R centre = R(median), scale = R(sigma);
  fill<T>(self, generator, kWords<T>, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
    alignas(64) R tangents[kChunkWords / kWords<T>];
    if constexpr (kWords<T> == 2)
      deviateLoops().tangent64(tangents, words, count);
    else
      deviateLoops().tangent32(tangents, words, count);
    for (int64_t i = 0; i < count; i++) out[i] = T(centre + scale * tangents[i]);
  });
}

template <class T>
void exponential(THTensor *self, THGenerator *generator, double lambda) {
  if (!THPrepare_exponential(DtypeOf<T>::value, self, lambda)) return;
  if (Mersenne *const twister = generator->twister)
    return fillInTurn<T>(self, *twister, [=](Mersenne &m) { return rounded<T>(exponentialInTurn(m, lambda)); });
  const double mean = 1 / lambda;
  fill<T>(self, generator, kWords<T>, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
    alignas(64) double times[kChunkWords / kWords<T>];
    (kWords<T> == 2 ? deviateLoops().exponential64 : deviateLoops().exponential32)(times, words, count);
    for (int64_t i = 0; i < count; i++) out[i] = rounded<T>(times[i] * mean);
  });
}

template <class T>
void logNormal(THTensor *self, THGenerator *generator, double mean, double std) {
  if (!THPrepare_logNormal(DtypeOf<T>::value, self, mean, std)) return;
  if (Mersenne *const twister = generator->twister)
    return fillInTurn<T>(self, *twister,
                         [=](Mersenne &m) { return rounded<T>(std::exp(std::fma(m.normal(), std, mean))); });
  fill<T>(self, generator, kWords<T>, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
    alignas(64) Compute<T> z[kChunkWords / kWords<T>];
    alignas(64) double x[kChunkWords / kWords<T>];
    standardNormal(z, words, count);
    for (int64_t i = 0; i < count; i++) x[i] = z[i] * std + mean;
    deviateLoops().exp(x, count);
    for (int64_t i = 0; i < count; i++) out[i] = rounded<T>(x[i]);
  });
}

// Trials up to the first success: an exponential deviate, rounded up. What T cannot hold is its greatest number.
template <class T>
void geometric(THTensor *self, THGenerator *generator, double p) {
  if (!THPrepare_geometric(DtypeOf<T>::value, self, p)) return;
  const T greatest = [] {
    if constexpr (std::is_integral_v<T>)
      return std::numeric_limits<T>::max();
    else
      return T(Compute<T>(kGreatest<T>));
  }();
  const auto held = [=](double trials) { return trials < kGreatest<T> ? convertTo<T>(trials) : greatest; };
  if (Mersenne *const twister = generator->twister) {
    const double failure = std::log1p(-p);
    return fillInTurn<T>(self, *twister,
                         [=](Mersenne &m) { return held(std::ceil(std::log(m.fraction<double>()) / failure)); });
  }
  const double mean = -1 / logOneMinus(p);
  fill<T>(self, generator, 2, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
    alignas(64) double times[kChunkWords / 2];
    deviateLoops().exponential64(times, words, count);
    for (int64_t i = 0; i < count; i++) out[i] = held(std::ceil(times[i] * mean));
  });
}

// The words of a double in [0, 1), compared with p.
template <class T>
void bernoulli(THTensor *self, THGenerator *generator, double p) {
  if (!THPrepare_bernoulli(DtypeOf<T>::value, self, p)) return;
  if (Mersenne *const twister = generator->twister)
    return fillInTurn<T>(self, *twister, [=](Mersenne &m) { return T(m.fraction<double>() < p ? 1 : 0); });
  const uint64_t below = uint64_t(std::ceil(p * 0x1p53));  // of 2^53 numbers that are equally likely
  fill<T>(self, generator, 2, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
    const T either[] = {T(0), T(1)};  // a branch would be guessed wrong
    for (int64_t i = 0; i < count; i++)
      out[i] = either[(words[2 * i] | uint64_t(words[2 * i + 1]) << 32) >> 11 < below];
  });
}

// ---- a distribution per element ------------------------------------------------------------------------

struct Reciprocals {
  double of[61] = {};
  constexpr Reciprocals() {
    for (int k = 1; k <= 60; k++) of[k] = 1.0 / k;
  }
};

// Below 10 the least k up to which the probabilities sum to a uniform number. From 10 on, Hörmann's transformed
// rejection PTRS ("The transformed rejection method for generating Poisson random variables", 1993). What depends on the
// rate alone is kept from one element to the next.
template <class T>
class Poisson {
 public:
  explicit Poisson(const T *rates) : rates_(rates) {}
  // Before elements first … last - 1, at most kDrawn.
  void prepare(int64_t first, int64_t last) {
    bool small = false;
    for (int64_t i = first; i < last; i++) {
      const double rate = rateOf(i);
      least_[i - first] = -std::min(rate, 10.0);
      small |= rate < 10;
    }
    if (small) deviateLoops().exp(least_, last - first);
    first_ = first;
  }
  double operator()(int64_t i, Draws &&draw) {
    const double rate = rateOf(i);
    if (rate == 0 || rate == kInfinity) return rate;
    if (rate < 10) {
      const double u = draw();
      double probability = least_[i - first_], sum = probability;
      int k = 0;
      for (; u > sum && k < kMost; sum += probability) k++, probability *= rate * over_.of[k];
      return k;
    }
    if (rate != rate_) {
      rate_ = rate, logRate_ = 0;
      b_ = 0.931 + 2.53 * std::sqrt(rate), a_ = -0.059 + 0.02483 * b_;
      quick_ = 0.9277 - 3.6224 / (b_ - 2);
    }
    for (;;) {
      const double u = draw() - 0.5, v = draw(), us = 0.5 - std::abs(u);
      const double x = (2 * a_ / us + b_) * u + rate + 0.43;
      if (x < 0) continue;
      const double k = x < 0x1p52 ? double(int64_t(x)) : x;
      if (us >= 0.07 && v <= quick_) return k;
      if (us < 0.013 && v > us) continue;
      if (logRate_ == 0) logRate_ = logSeries(rate), alpha_ = 1.1239 + 1.1328 / (b_ - 3.4);
      if (logSeries(v * alpha_ / (a_ / (us * us) + b_)) <= k * logRate_ - rate - logFactorial(k)) return k;
    }
  }

 private:
  double rateOf(int64_t i) const { return double(Compute<T>(rates_[i])); }
  static constexpr Reciprocals over_{};
  static constexpr int kMost = 60;  // sums of doubles do not grow any more
  const T *rates_;
  int64_t first_ = 0;
  alignas(64) double least_[kDrawn] = {};  // e^-rate, where that is below 10
  double rate_ = 0, a_ = 0, b_ = 0, quick_ = 0, logRate_ = 0, alpha_ = 0;
};

// n p < 10: waiting times between successes. From 10 on, Hörmann's BTRS ("The generation of binomial random
// variates", 1993). p <= 1/2.
double binomialOfHalf(double n, double p, Draws &draw) {
  if (n * p < 10) {
    const double mean = -1 / logOneMinus(p);
    double trials = 0;
    for (double k = 0;; k++) {
      trials += std::ceil(-logSeries(draw()) * mean);
      if (trials > n) return k;
    }
  }
  const double q = 1 - p, deviation = std::sqrt(n * p * q), r = p / q;
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double alpha = (2.83 + 5.1 / b) * deviation, m = std::floor((n + 1) * p);
  for (;;) {
    const double u = draw() - 0.5, v = draw(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + n * p + 0.5);
    if (us >= 0.07 && v <= 0.92 - 4.2 / b) return k;
    if (k < 0 || k > n) continue;
    const double bound = (m + 0.5) * logSeries((m + 1) / (r * (n - m + 1))) +
                         (n + 1) * logSeries((n - m + 1) / (n - k + 1)) +
                         (k + 0.5) * logSeries(r * (n - k + 1) / (k + 1)) + stirlingTail(m) + stirlingTail(n - m) -
                         stirlingTail(k) - stirlingTail(n - k);
    if (logSeries(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

double binomial(double n, double p, Draws &draw) {
  if (std::isnan(n) || std::isnan(p)) return n + p;
  if (n <= 0 || p <= 0) return 0;
  if (p >= 1) return n;
  return p <= 0.5 ? binomialOfHalf(n, p, draw) : n - binomialOfHalf(n, 1 - p, draw);
}

template <class T>
void poisson(THTensor *r, const THTensor *rate, THGenerator *generator) {
  THResult shape;
  THPrepare_poisson(&shape, DtypeOf<T>::value, r, rate);
  if (!hasMemory(r)) return resizeResults(&shape);
  const Ref rates = contiguousApart(r, DtypeOf<T>::value, rate);
  const T *const of = elements<T>(rates);
  for (int64_t i = 0; i < rate->numel; i++)
    if (!(Compute<T>(of[i]) >= 0)) THError(TH_ERROR_RUNTIME, TH_NEGATIVE_RATE, double(Compute<T>(of[i])));
  resizeResults(&shape);
  if (Mersenne *const twister = generator->twister)
    return drawEachInTurn<T>(
        r, *twister, [&](Mersenne &m, int64_t i) { return convertTo<T>(poissonInTurn(m, double(Compute<T>(of[i])))); });
  drawEach<T>(r, rates, generator, Poisson<T>(of));
}

template <class T>
void binomial(THTensor *r, const THTensor *count, const THTensor *prob, THGenerator *generator) {
  THResult shape;
  THPrepare_binomial(&shape, DtypeOf<T>::value, r, count, prob);
  if (!hasMemory(r)) return resizeResults(&shape);
  const Ref counts = contiguousApart(r, DtypeOf<T>::value, count), probs = contiguousApart(r, DtypeOf<T>::value, prob);
  const T *const n = elements<T>(counts), *const p = elements<T>(probs);
  resizeResults(&shape);
  if (Mersenne *const twister = generator->twister)
    return drawEachInTurn<T>(r, *twister, [&](Mersenne &m, int64_t i) { return binomialInTurn(m, n[i], p[i]); });
  drawEach<T>(r, counts, generator,
              [=](int64_t i, Draws &&draw) { return binomial(double(n[i]), double(p[i]), draw); });
}

}  // namespace
}  // namespace th

TH_DEFINE(cauchy, floating, (THTensor *self, THGenerator *generator, double median, double sigma),
          th::cauchy<T>(self, generator, median, sigma))
TH_DEFINE(exponential, floating, (THTensor *self, THGenerator *generator, double lambda),
          th::exponential<T>(self, generator, lambda))
TH_DEFINE(logNormal, floating, (THTensor *self, THGenerator *generator, double mean, double std),
          th::logNormal<T>(self, generator, mean, std))
TH_DEFINE(geometric, number, (THTensor *self, THGenerator *generator, double p), th::geometric<T>(self, generator, p))
TH_DEFINE(bernoulli, all, (THTensor *self, THGenerator *generator, double p), th::bernoulli<T>(self, generator, p))
TH_DEFINE(poisson, floating, (THTensor *r, const THTensor *rate, THGenerator *generator),
          th::poisson<T>(r, rate, generator))

void THFloatTensor_binomial(THTensor *r, const THTensor *count, const THTensor *prob, THGenerator *generator) {
  th::binomial<float>(r, count, prob, generator);
}
void THDoubleTensor_binomial(THTensor *r, const THTensor *count, const THTensor *prob, THGenerator *generator) {
  th::binomial<double>(r, count, prob, generator);
}
