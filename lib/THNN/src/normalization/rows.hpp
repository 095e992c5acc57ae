// Gradients of rows that have statistics of their own, and of the weights that all rows have in common.
#pragma once

#include "elements.hpp"

namespace thnn {

// Gradients of weight and bias are sums over rows: of kLines of them in C, beyond that in double, shared out among at
// most kShares shares.
constexpr int64_t kShares = 16;

// Rows of T, with all else in C.
template <class C, class T>
struct Lines {
  const T *x, *g;
  T *gx;
  RowsBackward<C> rows;  // with no such pointers

  void run(C *gWeight, C *gBias, int64_t from, int64_t to) const {
    const int64_t n = rows.n, stride = rows.stride;
    inBlocks<!std::is_same_v<C, T>>(from, to, n, [&](int64_t begin, int64_t end) {
      const int64_t lines = end - begin;
      const Read<C, T> input(x + begin * stride, n, lines, stride), grad(g + begin * stride, n, lines, stride);
      RowsBackward<C> r = rows;
      r.x = input.data();
      r.g = grad.data();
      r.stride = input.stride();
      if (r.mean) r.mean += begin * r.statistics;
      r.std += begin * r.statistics;
      r.gWeight = gWeight;
      r.gBias = gBias;
      if constexpr (std::is_same_v<C, T>) {
        r.gx = gx ? gx + begin * stride : nullptr;
        loopOf<C>().rowsBackward(r, 0, lines);
      } else {
        r.gx = gx ? const_cast<C *>(grad.data()) : nullptr;  // a row is read before it is written
        loopOf<C>().rowsBackward(r, 0, lines);
        for (int64_t k = 0; gx && k < lines; k++)
          converter(DtypeOf<T>::value, DtypeOf<C>::value)(gx + (begin + k) * stride, grad.data() + k * n, n);
      }
    });
  }
};

template <class C, class T>
void rowsGradient(const Lines<C, T> &lines, int64_t count, C *gWeight, C *gBias) {
  const int64_t n = lines.rows.n;
  if (!gWeight && !gBias)
    return parallelFor(count, grainOf(n), [&](int64_t begin, int64_t end) { lines.run(nullptr, nullptr, begin, end); });
  C *const to[2] = {gWeight, gBias};
  if (count <= kLines) {
    for (C *r : to)
      if (r) std::fill_n(r, n, C(0));
    return lines.run(gWeight, gBias, 0, count);
  }
  const int64_t share = ((count + kShares - 1) / kShares + kLines - 1) / kLines * kLines;
  const int64_t shares = (count + share - 1) / share;
  const auto sums = memory<double>(shares * 2 * n);
  parallelFor(shares, grainOf(share * n), [&](int64_t begin, int64_t end) {
    const auto own = memory<C>(2 * n);
    for (int64_t t = begin; t < end; t++) {
      double *const sum = sums.get() + t * 2 * n;
      std::fill_n(sum, 2 * n, 0.0);
      for (int64_t row = t * share, stop = std::min(count, row + share); row < stop; row += kLines) {
        std::fill_n(own.get(), 2 * n, C(0));
        lines.run(gWeight ? own.get() : nullptr, gBias ? own.get() + n : nullptr, row, std::min(stop, row + kLines));
        for (int64_t i = 0; i < 2 * n; i++) sum[i] += double(own[size_t(i)]);
      }
    }
  });
  parallelFor(n, grainOf(2 * shares), [&](int64_t begin, int64_t end) {
    for (int k = 0; k < 2; k++) {
      if (!to[k]) continue;
      double *const total = sums.get() + k * n;
      for (int64_t t = 1; t < shares; t++)
        for (int64_t i = begin; i < end; i++) total[i] += total[t * 2 * n + i];
      for (int64_t i = begin; i < end; i++) to[k][i] = C(total[i]);
    }
  });
}

}  // namespace thnn
