// Lines with infinities and NaN. A fast transform multiplies them by sines and cosines that are 0, and adds infinities of
// both signs where the sum that defines it has only one: everything would become NaN. So they are taken out, and what
// each adds to each result is found by the signs of its sine and cosine.
#include "fft.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kit/tensor.hpp"

namespace th::fft {
namespace {

// A line with more of them goes through the arithmetic as it is: hardly a result would stay a number.
constexpr size_t kMost = 64;

// Signs of the cosine and the sine of 2 pi m / n, for m from 0 to n - 1; 0 where they are 0.
int cosineSign(int64_t m, int64_t n) {
  const int64_t quarter = 4 * m;
  return quarter == n || quarter == 3 * n ? 0 : quarter < n || quarter > 3 * n ? 1 : -1;
}
int sineSign(int64_t m, int64_t n) { return m == 0 || 2 * m == n ? 0 : 2 * m < n ? 1 : -1; }

struct Nonfinite {
  int64_t at;
  double re, im;  // 0 for a part that is finite
};

template <class T>
Ref transformLine(const Job &job, const T *in) {
  const bool realIn = job.kind == Kind::R2C, realOut = job.kind == Kind::C2R;
  const int inParts = realIn ? 1 : 2, outParts = realOut ? 1 : 2;
  const int64_t given = std::min(job.given, realOut ? job.n / 2 + 1 : job.n);
  const int64_t results = job.onesided ? job.n / 2 + 1 : job.n;
  const THDtype real = DtypeOf<T>::value, complex = sizeof(T) == 4 ? TH_ComplexFloat : TH_ComplexDouble;
  const Ref line(THTensor_newWithSize(realIn ? real : complex, 1, &given));
  Ref result(THTensor_newWithSize(realOut ? real : complex, 1, &results));
  T *const x = elements<T>(line);

  std::vector<Nonfinite> found;
  for (int64_t j = 0; j < given; j++) {
    Nonfinite now{j, 0, 0};
    for (int p = 0; p < inParts; p++) {
      const T value = x[inParts * j + p] = in[j * job.inStep + p];
      if (!std::isfinite(value)) (p ? now.im : now.re) = double(value) * job.scale;
    }
    // Nothing of these two is imaginary in the transform of real numbers.
    if (realOut && (j == 0 || 2 * j == job.n)) now.im = 0;
    if ((now.re != 0 || now.im != 0) && found.size() <= kMost) found.push_back(now);
  }
  if (found.size() <= kMost)
    for (int64_t j = 0; j < inParts * given; j++)
      if (!std::isfinite(x[j])) x[j] = 0;
  transform(job.kind, result, line, 0, job.n, job.forward, job.scale, job.onesided, real, true);

  T *const y = elements<T>(result);
  const int turn = job.forward ? -1 : 1;
  if (found.size() <= kMost)
    for (const Nonfinite &value : found)
      for (int64_t k = 0, m = 0; k < results; k++, m = (m + value.at) % job.n) {
        const int cosine = cosineSign(m, job.n), sine = turn * sineSign(m, job.n);
        T *const to = y + outParts * k;
        // Products with 0 are left out, not computed.
        const auto add = [](T &sum, double part, int sign) {
          if (sign && part != 0) sum += T(sign * part);
        };
        add(to[0], value.re, cosine), add(to[0], value.im, -sine);
        if (!realOut) add(to[1], value.re, sine), add(to[1], value.im, cosine);
      }
  return result;
}

template <class T>
void storeLine(const Job &job, const THTensor *result, T *out) {
  const int parts = job.kind == Kind::C2R ? 1 : 2;
  const T *const y = elements<T>(result);
  for (int64_t k = 0; k < result->numel; k++)
    for (int p = 0; p < parts; p++) out[k * job.outStep + p] = y[parts * k + p];
}

}  // namespace

Redone redo(const Job &job, int64_t in, int64_t out, bool twice) {
  return {out, twice ? transformLine(job, static_cast<const double *>(job.in) + in)
                     : transformLine(job, static_cast<const float *>(job.in) + in)};
}

void store(const Job &job, const Redone &line, bool twice) {
  if (twice)
    storeLine(job, line.result, static_cast<double *>(job.out) + line.out);
  else
    storeLine(job, line.result, static_cast<float *>(job.out) + line.out);
}

}  // namespace th::fft
