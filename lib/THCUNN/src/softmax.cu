// SoftMax and LogSoftMax along any dimension, forward. The largest element is subtracted first, so that no exponential
// overflows.
#include <limits>

#include "rows.cuh"

namespace thcunn {
namespace {

// The largest element, and the sum of e^(x - largest), which is brought along when a larger one comes.
struct Exponentials {
  static constexpr bool binary = false;
  template <class C>
  struct State {
    C largest, sum;
  };
  template <class C>
  static __device__ State<C> identity() {
    return {-std::numeric_limits<C>::infinity(), C(0)};
  }
  // e^(x - largest); of no elements, and where all have been -inf, that is nothing.
  template <class C>
  static __device__ C share(C x, C largest) {
    return x == -std::numeric_limits<C>::infinity() ? C(0) : std::exp(x - largest);
  }
  template <class C, int n>
  static __device__ void take(State<C> &s, const C (&x)[n], const C (&)[n]) {
    C largest = s.largest;
#pragma unroll
    for (int k = 0; k < n; k++) largest = x[k] > largest ? x[k] : largest;
    if (largest > s.largest) {
      s.sum *= share(s.largest, largest);
      s.largest = largest;
    }
#pragma unroll
    for (int k = 0; k < n; k++) s.sum += share(x[k], largest);
  }
  // The one with the larger element is not scaled, so what it has of infinities and NaN stays.
  template <class C>
  static __device__ void join(State<C> &a, const State<C> &b) {
    const State<C> small = a.largest < b.largest ? a : b, large = a.largest < b.largest ? b : a;
    const C scale = small.largest == large.largest ? C(1) : share(small.largest, large.largest);
    a = {large.largest, large.sum + small.sum * scale};
  }
};

struct SoftMax : Exponentials {
  template <class C>
  static __device__ void close(State<C> &s) {
    s.sum = 1 / s.sum;
  }
  template <class C>
  static __device__ C value(const State<C> &s, C x, C) {
    return std::exp(x - s.largest) * s.sum;
  }
};

struct LogSoftMax : Exponentials {
  template <class C>
  static __device__ void close(State<C> &s) {
    s.sum = std::log(s.sum);
  }
  template <class C>
  static __device__ C value(const State<C> &s, C x, C) {
    return x - s.largest - s.sum;
  }
};

}  // namespace
}  // namespace thcunn

#define FORWARD (THNNState *, const THTensor *input, THTensor *output, int64_t dim)
THCUNN_DEFINE(SoftMax_updateOutput, floating, FORWARD, thcunn::forward<thcunn::SoftMax, T>(input, output, dim))
THCUNN_DEFINE(LogSoftMax_updateOutput, floating, FORWARD, thcunn::forward<thcunn::LogSoftMax, T>(input, output, dim))
