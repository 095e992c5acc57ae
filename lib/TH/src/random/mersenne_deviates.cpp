// Poisson's, the binomial and the gamma distribution with the words of a Mersenne Twister: PyTorch's comparisons in PyTorch's order, for
// a number that one of them accepts and another does not shifts all that come later.
#include "mersenne_deviates.hpp"

#include <math.h>
#include <limits>

namespace th {

double poissonInTurn(Mersenne &m, double rate) {
  if (rate == 0 || rate == std::numeric_limits<double>::infinity()) return rate;
  if (rate < 10) {
    const double least = std::exp(-rate);
    double product = m.fraction<double>();
    int64_t k = 0;
    for (; product > least; k++) product *= m.fraction<double>();
    return double(k);
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b, logRate = std::log(rate);
  const double alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = m.fraction<double>() - 0.5, v = m.fraction<double>(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    int sign;
    const double chance = std::log(v) + std::log(alpha) - std::log(a / (us * us) + b);
    if (chance <= -rate + k * logRate - lgamma_r(k + 1, &sign)) return k;
  }
}

namespace {

// What Stirling's formula leaves out of the logarithm of k!; in double the first ten as PyTorch has them.
double tail(double k) {
  constexpr double few[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                            0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                            0.00925546218271273, 0.00833056343336287};
  if (k < 10) return few[size_t(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Waiting times between successes.
template <class T>
T byWaiting(Mersenne &m, T count, T p) {
  const double failure = std::log1p(-p);
  double trials = 0;
  for (T k = 0;; k += 1) {
    trials += std::ceil(std::log(m.fraction<double>()) / failure);
    if (trials > count) return k;
  }
}

// Hörmann's BTRS.
template <class T>
T byRejection(Mersenne &m, T count, T p) {
  const double deviation = std::sqrt(count * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p, centre = count * p + 0.5;
  const double quick = 0.92 - 4.2 / b, odds = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1) * p);
  for (;;) {
    const double u = m.fraction<double>() - 0.5, v = m.fraction<double>(), us = 0.5 - std::abs(u);
    const T k = T(std::floor((2 * a / us + b) * u + centre));
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= quick) return k;
    const double bound = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + tail(mode) + tail(count - mode) -
                         tail(k) - tail(count - k);
    if (std::log(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

template <class T>
T ofHalf(Mersenne &m, T count, T p) {  // p <= 1/2
  return count * p >= 10 ? byRejection(m, count, p) : byWaiting(m, count, p);
}

}  // namespace

template <class T>
T binomialInTurn(Mersenne &m, T count, T p) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (!(count == count && p == p)) return std::numeric_limits<T>::quiet_NaN();
  return p <= T(0.5) ? ofHalf(m, count, p) : count - ofHalf(m, count, T(1.0 - p));
}
// PyTorch's constants are floats, in double computations, too.
template <class T>
double gammaInTurn(Mersenne &m, T shape) {
  double scale = 1;
  if (shape < 1) scale = std::pow(1 - m.fraction<double>(), double(1.0f / shape)), shape += 1;
  const double d = shape - 1.0f / 3.0f, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double z, root;
    do {
      z = m.normal();
      root = 1 + c * z;
    } while (root <= 0);
    const double v = root * root * root, u = 1 - m.fraction<double>(), z2 = z * z;
    if (u < 1 - double(0.0331f) * z2 * z2 || std::log(u) < 0.5 * z2 + d * (1 - v + std::log(v))) return scale * d * v;
  }
}
template double gammaInTurn(Mersenne &, float);
template double gammaInTurn(Mersenne &, double);

template float binomialInTurn(Mersenne &, float, float);
template double binomialInTurn(Mersenne &, double, double);

}  // namespace th
