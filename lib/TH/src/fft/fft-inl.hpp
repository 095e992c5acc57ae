// Transforms of one line, or of as many lines as a vector has lanes: pocketfft's passes, and what pocketfft does
// one number at a time or with more code. Included once per target (simd.hpp).
//
// All are forward transforms without a scale of their own: exchanging the parts of the numbers before and after
// makes a backward one.
#if defined(TH_FFT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HWY_TARGET_TOGGLE
#undef TH_FFT_INL
#else
#define TH_FFT_INL
#endif

// All that pocketfft includes: what its templates share with other files must not be made for a target.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include "fft.hpp"
#include "kit/vectors.hpp"

#define POCKETFFT_NO_MULTITHREADING
#define POCKETFFT_CACHE_SIZE 0
#pragma GCC diagnostic ignored "-Wpsabi"

HWY_BEFORE_NAMESPACE();
// A namespace of its own for every target.
#undef POCKETFFT_HDRONLY_H
#define pocketfft HWY_CONCAT(pocketfft_, HWY_NAMESPACE)
// Its buffers are ours, whichever way it asks for them.
#define aligned_alloc(alignment, size) th::fft::allocate(size)
#define malloc(size) th::fft::allocate(size)
#define free(block) th::fft::release(block)
#include <pocketfft_hdronly.h>
#undef aligned_alloc
#undef malloc
#undef free
namespace th::HWY_NAMESPACE::passes {
using namespace pocketfft::detail;
}
#undef pocketfft

namespace th::HWY_NAMESPACE {
namespace {

template <class T> using Complex = passes::cmplx<T>;
template <class T> using Array = passes::arr<T>;

// Vectors are of 32 bytes for all targets, which so give the same numbers.
template <class T> using Vector = VectorOf<T, 32>;
template <class T> constexpr int kLanes = kLanesOf<T, Vector<T>>;

// ---- vectors ------------------------------------------------------------------------------------
// The even and the odd elements of a, b; and back.
template <class T, class V, int... i>
inline void unzip(V &even, V &odd, V a, V b, std::integer_sequence<int, i...>) {
  even = __builtin_shufflevector(a, b, 2 * i...);
  odd = __builtin_shufflevector(a, b, 2 * i + 1 ...);
}
template <class T, class V, int... i>
inline void zip(V &a, V &b, V even, V odd, std::integer_sequence<int, i...>) {
  constexpr int n = sizeof...(i);
  a = __builtin_shufflevector(even, odd, (i / 2 + i % 2 * n)...);
  b = __builtin_shufflevector(even, odd, (n / 2 + i / 2 + i % 2 * n)...);
}
// Exchanges the blocks of d x d elements off the diagonal of 2d x 2d ones, in all pairs of rows d apart.
template <int d, class V, int... i>
HWY_INLINE void exchange(V *x, std::integer_sequence<int, i...>) {
  constexpr int n = sizeof...(i);
  for (int row = 0; row < n; row++) {
    if (row & d) continue;
    const V a = x[row], b = x[row + d];
    x[row] = __builtin_shufflevector(a, b, (i & d ? n + i - d : i)...);
    x[row + d] = __builtin_shufflevector(a, b, (i & d ? n + i : i + d)...);
  }
}
template <class T, class V>
HWY_INLINE void transpose(V *x) {
  constexpr auto lanes = std::make_integer_sequence<int, kLanes<T>>();
  if constexpr (kLanes<T> > 4) exchange<4>(x, lanes);
  exchange<2>(x, lanes);
  exchange<1>(x, lanes);
}

// memcpy of n complex numbers. With a size that the compiler does not know it is a slow instruction or a call.
template <class T>
HWY_INLINE void copyNumbers(void *to, const void *from, int n) {
  if (n == kLanes<T>)
    std::memcpy(to, from, kLanes<T> * 2 * sizeof(T));
  else
    std::memcpy(to, from, size_t(n) * 2 * sizeof(T));
}

// n complex numbers that follow each other in memory as vectors of parts, and back; missing ones are 0.
template <class T>
HWY_INLINE Complex<Vector<T>> load(const T *p, int n) {
  using V = Vector<T>;
  V ab[2] = {};
  copyNumbers<T>(ab, p, n);
  Complex<V> z;
  unzip<T>(z.r, z.i, ab[0], ab[1], std::make_integer_sequence<int, kLanes<T>>());
  return z;
}
template <class T>
HWY_INLINE void save(T *p, const Complex<Vector<T>> &z, int n) {
  Vector<T> ab[2];
  zip<T>(ab[0], ab[1], z.r, z.i, std::make_integer_sequence<int, kLanes<T>>());
  copyNumbers<T>(p, ab, n);
}

template <class V, int... i>
inline V reverse(V a, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, a, (int(sizeof...(i)) - 1 - i)...);
}
template <class T>
inline Complex<Vector<T>> reverse(const Complex<Vector<T>> &z) {
  constexpr auto lanes = std::make_integer_sequence<int, kLanes<T>>();
  return {reverse(z.r, lanes), reverse(z.i, lanes)};
}

// The transform of x[0], x[1], … (n of them); result k stands where the bits of k are reversed.
template <int n, class T, class V>
inline void butterfly(Complex<V> *x) {
  if constexpr (n > 1) {
    constexpr T half = T(0.70710678118654752440);
    for (int i = 0; i < n / 2; i++) {
      const Complex<V> a = x[i], b = x[i + n / 2], d = a - b;
      x[i] = a + b;
      const int eighth = i * (8 / n);  // times exp(-2 pi i eighth / 8)
      x[i + n / 2] = eighth == 0   ? d
                     : eighth == 1 ? Complex<V>((d.r + d.i) * half, (d.i - d.r) * half)
                     : eighth == 2 ? Complex<V>(d.i, -d.r)
                                   : Complex<V>((d.i - d.r) * half, -((d.r + d.i) * half));
    }
    butterfly<n / 2, T>(x);
    butterfly<n / 2, T>(x + n / 2);
  }
}
template <int n>
constexpr int reversed(int k) {
  int r = 0;
  for (int bit = 1; bit < n; bit *= 2) r = r * 2 + (k & bit ? 1 : 0);
  return r;
}

// ---- transforms of a length ---------------------------------------------------------------------
// E is T or a vector of T: one line or lines side by side. pocketfft's passes are for lines side by side only; one
// line becomes several shorter ones, or a convolution that does. What neither suits goes with idle lanes.
template <class T, class E>
class Transform {
  using V = Vector<T>;
  static constexpr int L = kLanes<T>;
  static constexpr bool kSingle = std::is_same_v<T, E>;

 public:
  explicit Transform(size_t n) : n_(n) {
    if (kSingle ? !splits(n) : prefersConvolution(n))
      convolve();
    else if constexpr (kSingle)
      split();
    else
      passes_ = std::make_unique<passes::cfftp<T>>(n);
  }

  void run(Complex<E> *c, T scale) const {
    if (inner_)
      runConvolution(c, scale);
    else if constexpr (kSingle)
      runSplit(c, reinterpret_cast<const T *>(c), false, false, scale);
    else
      passes_->exec(c, scale, true);
  }

  // One line from `from` to c; the parts of the numbers are exchanged before, and after. They may be the same memory.
  void run(Complex<T> *c, const T *from, bool before, bool after, T scale) const
    requires kSingle
  {
    if (!inner_) return runSplit(c, from, before, after, scale);
    for (size_t j = 0; j < n_; j++) c[j].Set(from[2 * j + before], from[2 * j + !before]);
    runConvolution(c, scale);
    for (size_t j = 0; after && j < n_; j++) std::swap(c[j].r, c[j].i);
  }

  // Whether one line of this length is better alone than with idle lanes, which take more memory.
  static bool suitsOne(size_t n) { return splits(n) || n > 8192 || prefersConvolution(n); }

 private:
  static HWY_INLINE Complex<V> exchanged(const Complex<V> &z, bool really) { return really ? Complex<V>(z.i, z.r) : z; }
  static bool splits(size_t n) { return n % L == 0 && n >= size_t(L * L); }
  static bool prefersConvolution(size_t n) {
    using passes::util;
    const size_t factor = n < 50 ? 1 : util::largest_prime_factor(n);
    if (factor <= n / factor) return false;
    return 3 * util::cost_guess(padded(n)) < util::cost_guess(n);
  }
  static size_t padded(size_t n) { return std::max<size_t>(L, passes::util::good_size_cmplx((2 * n - 2 + L) / L)) * L; }

  // Lane l of a vector transforms elements l, l + L, …; then L results at a time become one.
  void split() {
    const size_t m = n_ / L;
    lanes_ = std::make_unique<Transform<T, V>>(m);
    factors_.resize(n_);
    const passes::sincos_2pibyn<T> roots(n_);
    T *f = reinterpret_cast<T *>(factors_.data());
    for (size_t k = 0; k < m; k++)
      for (int l = 0; l < L; l++) {
        const Complex<T> w = roots[k * l];
        f[2 * L * k + l] = w.r;
        f[2 * L * k + L + l] = -w.i;
      }
  }
  void runSplit(Complex<E> *c, const T *from, bool before, bool after, T scale) const {
    const size_t m = n_ / L;
    T *p = reinterpret_cast<T *>(c);
    Array<Complex<V>> y(m);
    for (size_t k = 0; k < m; k++) y[k] = exchanged(load(from + 2 * L * k, L), before);
    lanes_->run(y.data(), 1);
    const auto *factors = reinterpret_cast<const Complex<V> *>(factors_.data());
    for (size_t k = 0; k < m; k += L) {
      const int count = int(std::min<size_t>(L, m - k));
      V r[L], i[L];
      for (int l = 0; l < L; l++) {
        const size_t from = k + (l < count ? l : 0);
        const Complex<V> z = y[from] * factors[from];
        r[l] = z.r, i[l] = z.i;
      }
      transpose<T>(r), transpose<T>(i);
      Complex<V> x[L];
      for (int l = 0; l < L; l++) x[l].Set(r[l], i[l]);
      butterfly<L, T>(x);
      for (int l = 0; l < L; l++) save(p + 2 * (m * l + k), exchanged(x[reversed<L>(l)] * scale, after), count);
    }
  }

  // Bluestein: jk = (j² + k² - (k - j)²) / 2 makes the sum a convolution with a chirp, b[j] = exp(pi i j² / n),
  // which a transform of any greater length computes.
  void convolve() {
    const size_t m = padded(n_);
    inner_ = std::make_unique<Transform<T, E>>(m);
    chirp_.resize(n_), spectrum_.resize(m);
    const passes::sincos_2pibyn<T> roots(2 * n_);
    size_t square = 0;  // j², less multiples of 2n
    for (size_t j = 0; j < n_; j++) {
      chirp_[j] = roots[square];
      square += 2 * j + 1;
      if (square >= 2 * n_) square -= 2 * n_;
    }
    for (size_t j = 0; j < m; j++) spectrum_[j].Set(0, 0);
    const T scale = T(1) / T(m);
    spectrum_[0] = chirp_[0] * scale;
    for (size_t j = 1; j < n_; j++) spectrum_[j] = spectrum_[m - j] = chirp_[j] * scale;
    Transform<T, T>(m).run(spectrum_.data(), 1);
  }
  void runConvolution(Complex<E> *c, T scale) const {
    const size_t m = spectrum_.size();
    Array<Complex<E>> a(m);
    for (size_t j = 0; j < n_; j++) a[j] = c[j].template special_mul<true>(chirp_[j]);
    for (size_t j = n_; j < m; j++) a[j].Set(E{}, E{});
    inner_->run(a.data(), 1);
    for (size_t j = 0; j < m; j++) {  // exchanged: a backward transform
      const Complex<E> z = a[j] * spectrum_[j];
      a[j].Set(z.i, z.r);
    }
    inner_->run(a.data(), 1);
    for (size_t j = 0; j < n_; j++) c[j] = Complex<E>(a[j].i, a[j].r).template special_mul<true>(chirp_[j]) * scale;
  }

  size_t n_;
  std::unique_ptr<passes::cfftp<T>> passes_;
  std::unique_ptr<Transform<T, V>> lanes_;
  std::unique_ptr<Transform<T, E>> inner_;
  Array<Complex<T>> factors_;
  Array<Complex<T>> chirp_, spectrum_;
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
