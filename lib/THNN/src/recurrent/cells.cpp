// The loops of recurrent units. LSTM: Hochreiter, Schmidhuber 1997, with the forget gates of Gers, Schmidhuber, Cummins
// 1999; GRU: Cho et al. 2014, with the reset gate after the product, as cuDNN has it.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "recurrent/cells.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include "cells.hpp"
#include "kit/exponential-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class C>
void lstm(int64_t n, C *gates, int64_t gate, const C *c, C *next, C *h) {
  C *const i = gates, *const f = i + gate, *const g = f + gate, *const o = g + gate;
#pragma GCC ivdep
  for (int64_t k = 0; k < n; k++) {
    i[k] = sigmoidOf(i[k]);
    f[k] = sigmoidOf(f[k]);
    g[k] = tanhOf(g[k]);
    o[k] = sigmoidOf(o[k]);
    next[k] = f[k] * c[k] + i[k] * g[k];
    h[k] = o[k] * tanhOf(next[k]);
  }
}

template <class C>
void lstmBackward(int64_t n, const C *gates, C *dgates, int64_t gate, const C *c, const C *next, const C *dh,
                  const C *dnext, C *dc) {
  const C *const i = gates, *const f = i + gate, *const g = f + gate, *const o = g + gate;
  C *const di = dgates, *const df = di + gate, *const dg = df + gate, *const dout = dg + gate;
#pragma GCC ivdep
  for (int64_t k = 0; k < n; k++) {
    const C t = tanhOf(next[k]), d = dnext[k] + dh[k] * o[k] * (1 - t * t);
    di[k] = d * g[k] * i[k] * (1 - i[k]);
    df[k] = d * c[k] * f[k] * (1 - f[k]);
    dg[k] = d * i[k] * (1 - g[k] * g[k]);
    dout[k] = dh[k] * t * o[k] * (1 - o[k]);
    dc[k] = d * f[k];
  }
}

template <class C>
void gru(int64_t n, const C *x, const C *hidden, const C *bias, int64_t gate, const C *h, C *gates, C *product,
         C *next) {
  C *const r = gates, *const z = r + gate, *const m = z + gate;
#pragma GCC ivdep
  for (int64_t k = 0; k < n; k++) {
    r[k] = sigmoidOf(x[k] + (hidden[k] + bias[k]));
    z[k] = sigmoidOf(x[gate + k] + (hidden[gate + k] + bias[gate + k]));
    product[k] = hidden[2 * gate + k] + bias[2 * gate + k];
    m[k] = tanhOf(x[2 * gate + k] + r[k] * product[k]);
    next[k] = m[k] + z[k] * (h[k] - m[k]);
  }
}

template <class C>
void gruBackward(int64_t n, const C *gates, const C *product, const C *h, const C *dnext, C *dx, C *dhidden,
                 int64_t gate, C *dh) {
  const C *const r = gates, *const z = r + gate, *const m = z + gate;
#pragma GCC ivdep
  for (int64_t k = 0; k < n; k++) {
    const C d = dnext[k], dm = d * (1 - z[k]) * (1 - m[k] * m[k]);
    const C dr = dm * product[k] * r[k] * (1 - r[k]), dz = d * (h[k] - m[k]) * z[k] * (1 - z[k]);
    dx[k] = dhidden[k] = dr;
    dx[gate + k] = dhidden[gate + k] = dz;
    dx[2 * gate + k] = dm;
    dhidden[2 * gate + k] = dm * r[k];
    dh[k] = d * z[k];
  }
}

template <class C>
void tanh(int64_t n, C *h) {
  for (int64_t k = 0; k < n; k++) h[k] = tanhOf(h[k]);
}
template <class C>
void relu(int64_t n, C *h) {
  for (int64_t k = 0; k < n; k++) h[k] = h[k] <= 0 ? C(0) : h[k];  // NaN, which compares false, is kept
}
template <class C>
void tanhBackward(int64_t n, const C *next, const C *dnext, C *dsum) {
#pragma GCC ivdep
  for (int64_t k = 0; k < n; k++) dsum[k] = dnext[k] * (1 - next[k] * next[k]);
}
template <class C>
void reluBackward(int64_t n, const C *next, const C *dnext, C *dsum) {
#pragma GCC ivdep
  for (int64_t k = 0; k < n; k++) dsum[k] = next[k] <= 0 ? C(0) : dnext[k];
}

template <class C>
constexpr thnn::Cells<C> cellsOf = {lstm<C>, lstmBackward<C>, gru<C>,          gruBackward<C>,
                                    tanh<C>, relu<C>,         tanhBackward<C>, reluBackward<C>};
constexpr thnn::Cells<float> cellsOfFloat = cellsOf<float>;
constexpr thnn::Cells<double> cellsOfDouble = cellsOf<double>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

template <>
const Cells<float> &cells() {
  return TH_BEST_TARGET(cellsOfFloat);
}
template <>
const Cells<double> &cells() {
  return TH_BEST_TARGET(cellsOfDouble);
}

}  // namespace thnn
#endif
