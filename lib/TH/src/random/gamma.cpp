// Deviates of the gamma and the Dirichlet distribution.
#include <TH/THPrepare.h>

#include <vector>

#include "draw_each.hpp"
#include "kit/apart.hpp"
#include "mersenne_deviates.hpp"

namespace th {
namespace {

// A gamma deviate as a product: it may be less than any double.
struct GammaDeviate {
  double value, logFactor;
};

// The angle has 32 bits, so that two numbers and a uniform one (uniformOf) are one block of the stream.
double normalOf(Draws &draw) {
  const double radius = std::sqrt(-2 * logSeries(draw()));
  double c, s;
  turn<double>(int64_t(draw.word()) << 21 | 1 << 20, c, s);
  return radius * c;
}
double uniformOf(Draws &draw) { return (double(draw.word()) + 0.5) * 0x1p-32; }

// Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). Shapes below 1 by that of one more, times
// u^(1/shape).
GammaDeviate gammaOf(double shape, Draws &draw) {
  if (std::isinf(shape)) return {shape, 0};
  const double power = shape < 1 ? 1 / shape : 0;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double z = normalOf(draw), root = 1 + c * z;
    if (root <= 0) continue;
    const double v = root * root * root, u = uniformOf(draw), z2 = z * z;
    if (u < 1 - 0.0331 * z2 * z2 || logSeries(u) < 0.5 * z2 + d * (1 - v + logSeries(v)))
      return {d * v, power == 0 ? 0 : power * logSeries(draw())};
  }
}

template <class T>
T smallGammaInTurn(Mersenne &m, T shape) {
  const Compute<T> a = shape;
  if (!(a >= 0)) return convertTo<T>(std::numeric_limits<double>::quiet_NaN());
  const double x = a == 0 ? 0 : std::isinf(a) ? double(a) : gammaInTurn(m, a);
  return convertTo<T>(std::max(kSmallest<T>, x));
}

template <class T>
void standardGamma(THTensor *r, const THTensor *shape, THGenerator *generator) {
  THResult size;
  THPrepare_poisson(&size, DtypeOf<T>::value, r, shape);  // one number for each, as there
  if (!hasMemory(r)) return resizeResults(&size);
  const Ref shapes = contiguousApart(r, DtypeOf<T>::value, shape);
  const T *const of = elements<T>(shapes);
  resizeResults(&size);
  if (Mersenne *const twister = generator->twister)
    return drawEachInTurn<T>(r, *twister, [&](Mersenne &m, int64_t i) { return smallGammaInTurn<T>(m, of[i]); });
  drawEach<T>(r, shapes, generator, [=](int64_t i, Draws &&draw) {
    const double a = double(Compute<T>(of[i]));
    if (!(a >= 0)) return std::numeric_limits<double>::quiet_NaN();
    if (a == 0) return kSmallest<T>;
    const GammaDeviate x = gammaOf(a, draw);
    return std::max(kSmallest<T>, x.logFactor == 0 ? x.value : x.value * expSeries(x.logFactor));
  });
}

constexpr double kTiny = 0x1p-900;  // sums below it are of numbers that have lost digits

struct Coordinate {
  GammaDeviate drawn;
  double part;  // of the sum of all
};

// Of small concentrations all deviates may be less than any double: e^(logarithm - the largest one).
double partsByLogarithms(Coordinate *row, int64_t n) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t i = 0; i < n; i++) {
    GammaDeviate &x = row[i].drawn;
    x.logFactor = x.value > 0 ? x.logFactor + logSeries(x.value) : -std::numeric_limits<double>::infinity();
    largest = std::max(largest, x.logFactor);
  }
  for (int64_t i = 0; i < n; i++) sum += row[i].part = expSeries(row[i].drawn.logFactor - largest);
  return sum;
}

// Gamma deviates over their sum.
template <class T>
void dirichletRow(T *out, const T *concentration, int64_t n, uint64_t seed, uint64_t block, Coordinate *row) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    const double a = double(Compute<T>(concentration[i]));
    const PhiloxBlock words = philoxBlock(seed, block + uint64_t(i));
    Draws draw(seed, block + uint64_t(i), words.data());
    const GammaDeviate x = a > 0 ? gammaOf(a, draw)
                                 : GammaDeviate{a == 0 ? 0 : std::numeric_limits<double>::quiet_NaN(), 0};
    row[i] = {x, x.logFactor == 0 ? x.value : x.value * expSeries(x.logFactor)};
    sum += row[i].part;
  }
  if (sum < kTiny) sum = partsByLogarithms(row, n);
  for (int64_t i = 0; i < n; i++)
    out[i] = convertTo<T>(std::isnan(sum) ? sum : std::max(kSmallest<T>, row[i].part / sum));
}

// All deviates first, in double, then each row over its sum.
template <class T>
void dirichletInTurn(T *out, const T *concentration, int64_t rows, int64_t n, Mersenne &twister) {
  std::vector<double> deviates(size_t(rows * n));
  {
    const std::lock_guard lock(twister.mutex);
    for (size_t i = 0; i < deviates.size(); i++)
      deviates[i] = smallGammaInTurn<double>(twister, double(Compute<T>(concentration[i])));
  }
  const T most = largestBelow(convertTo<T>(1.0), convertTo<T>(0.0));
  for (int64_t row = 0; row < rows; row++) {
    double sum = 0;
    for (int64_t i = row * n; i < (row + 1) * n; i++) sum += deviates[size_t(i)];
    for (int64_t i = row * n; i < (row + 1) * n; i++) {
      const double x = deviates[size_t(i)] / sum;
      out[i] = std::isnan(x) ? convertTo<T>(x)
                             : convertTo<T>(std::min(double(Compute<T>(most)), std::max(kSmallest<T>, x)));
    }
  }
}

template <class T>
void dirichlet(THTensor *r, const THTensor *concentration, THGenerator *generator) {
  THResult size;
  THPrepare_poisson(&size, DtypeOf<T>::value, r, concentration);
  if (!hasMemory(r)) return resizeResults(&size);
  const Ref concentrations = contiguousApart(r, DtypeOf<T>::value, concentration);
  resizeResults(&size);
  const int64_t n = concentration->ndim ? concentration->size[concentration->ndim - 1] : 1;
  if (concentration->numel == 0) return;
  ContiguousResult result(r);
  T *const out = result.data<T>();
  const T *const of = elements<T>(concentrations);
  if (Mersenne *const twister = generator->twister) {
    dirichletInTurn(out, of, concentration->numel / n, n, *twister);
    return result.finish();
  }
  const uint64_t seed = generator->seed, offset = takeBlocks(generator, uint64_t(concentration->numel));
  parallelFor(concentration->numel / n, std::max<int64_t>(1, 512 / n), [&](int64_t begin, int64_t end) {
    std::vector<Coordinate> coordinates(size_t(n), Coordinate{});
    for (int64_t row = begin; row < end; row++)
      dirichletRow(out + row * n, of + row * n, n, seed, offset + uint64_t(row * n), coordinates.data());
  });
  result.finish();
}

}  // namespace
}  // namespace th

TH_DEFINE(standardGamma, floating, (THTensor *r, const THTensor *shape, THGenerator *generator),
          th::standardGamma<T>(r, shape, generator))
TH_DEFINE(dirichlet, floating, (THTensor *r, const THTensor *concentration, THGenerator *generator),
          th::dirichlet<T>(r, concentration, generator))
