// SoftMax and LogSoftMax along any dimension, backward. x: gradOutput, y: output.
#include "rows.cuh"

namespace thcunn {
namespace {

struct Sum {
  static constexpr bool binary = true;
  template <class C>
  struct State {
    C sum;
  };
  template <class C>
  static __device__ State<C> identity() {
    return {C(0)};
  }
  template <class C>
  static __device__ void join(State<C> &a, const State<C> &b) {
    a.sum += b.sum;
  }
  template <class C>
  static __device__ void close(State<C> &) {}
};

// (x - Σ x y) y
struct SoftMaxGradient : Sum {
  template <class C, int n>
  static __device__ void take(State<C> &s, const C (&x)[n], const C (&y)[n]) {
#pragma unroll
    for (int k = 0; k < n; k++) s.sum += x[k] * y[k];
  }
  template <class C>
  static __device__ C value(const State<C> &s, C x, C y) {
    return (x - s.sum) * y;
  }
};

// x - e^y Σ x
struct LogSoftMaxGradient : Sum {
  template <class C, int n>
  static __device__ void take(State<C> &s, const C (&x)[n], const C (&)[n]) {
#pragma unroll
    for (int k = 0; k < n; k++) s.sum += x[k];
  }
  template <class C>
  static __device__ C value(const State<C> &s, C x, C y) {
    return x - std::exp(y) * s.sum;
  }
};

}  // namespace
}  // namespace thcunn

#define BACKWARD (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim)
THCUNN_DEFINE(SoftMax_updateGradInput, floating, BACKWARD,
              thcunn::backward<thcunn::SoftMaxGradient, T>(gradOutput, gradInput, output, dim))
THCUNN_DEFINE(LogSoftMax_updateGradInput, floating, BACKWARD,
              thcunn::backward<thcunn::LogSoftMaxGradient, T>(gradOutput, gradInput, output, dim))
