// Deviates that take as many numbers of a Mersenne Twister as they need, by the methods and in the order of PyTorch, with
// the functions of the C library.
#pragma once

#include <cmath>

#include "mersenne_fill.hpp"

namespace th {

inline double exponentialInTurn(Mersenne &m, double lambda) { return -1 / lambda * std::log1p(-m.fraction<double>()); }

// r[i] = draw(twister, i) for one element after the other, in the order of their indices.
template <class T, class Draw>
void drawEachInTurn(THTensor *r, Mersenne &twister, const Draw &draw) {
  ContiguousResult result(r);
  T *const out = result.data<T>();
  {
    const std::lock_guard lock(twister.mutex);
    for (int64_t i = 0; i < r->numel; i++) out[i] = draw(twister, i);
  }
  result.finish();
}

// Below 10 by products of uniform numbers, from there on by Hörmann's PTRS (distributions.cpp has the paper).
double poissonInTurn(Mersenne &m, double rate);

// In the precision of the parameters where they meet each other alone.
template <class T> T binomialInTurn(Mersenne &m, T count, T p);

// Marsaglia and Tsang's method (gamma.cpp has the paper) in double, the shape in T, whose rounding tells; shapes above 0.
template <class T> double gammaInTurn(Mersenne &m, T shape);

}  // namespace th
