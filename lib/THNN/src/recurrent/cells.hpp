// One step of recurrent units, n neighbours of one sample at a time, for the best SIMD target: cells.cpp.
#pragma once

#include <cstdint>

namespace thnn {

// Gate k of a unit is `gate` elements after gate k - 1, both in what is read and in what is written.
template <class C>
struct Cells {
  // gates i, f, g, o: sums before, activations after. c' to next, h' to h.
  void (*lstm)(int64_t n, C *gates, int64_t gate, const C *c, C *next, C *h);
  // From activations, c and c', and the gradients for h' and c': those for the sums and for c, which may be dnext.
  void (*lstmBackward)(int64_t n, const C *gates, C *dgates, int64_t gate, const C *c, const C *next, const C *dh,
                       const C *dnext, C *dc);
  // x and hidden: products r, z, n of the input and of h, to which the bias is added. To gates, which may be x: r, z, n;
  // to product: that of h for n, with its bias.
  void (*gru)(int64_t n, const C *x, const C *hidden, const C *bias, int64_t gate, const C *h, C *gates, C *product,
              C *next);
  // The gradients for both products, and what h has besides through z.
  void (*gruBackward)(int64_t n, const C *gates, const C *product, const C *h, const C *dnext, C *dx, C *dhidden,
                      int64_t gate, C *dh);
  // h' in place of the sums; and from h' and its gradient that of the sums
  void (*tanh)(int64_t n, C *h);
  void (*relu)(int64_t n, C *h);
  void (*tanhBackward)(int64_t n, const C *next, const C *dnext, C *dsum);
  void (*reluBackward)(int64_t n, const C *next, const C *dnext, C *dsum);
};

template <class C>
const Cells<C> &cells();

}  // namespace thnn
