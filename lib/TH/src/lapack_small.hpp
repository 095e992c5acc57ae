// LU and Cholesky of a few rows and columns, where a call of LAPACK costs more than the work. They do what LAPACK's
// unblocked routines do, in the same order, and leave the same behind when they fail. Matrices are stored by columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "scalar.hpp"

namespace th {

constexpr int kFewRows = 8;

namespace small {

template <class T> T conjugate(T x) { return x; }
template <class R> complex<R> conjugate(complex<R> x) { return {x.real(), -x.imag()}; }
template <class T> T realPart(T x) { return x; }
template <class R> R realPart(complex<R> x) { return x.real(); }
template <class T> T extent(T x) { return std::abs(x); }  // what pivots are compared by
template <class R> R extent(complex<R> x) { return std::abs(x.real()) + std::abs(x.imag()); }

// a (m, n) = P L U; 0, or the first k with a zero U[k, k], counted from 1
template <class T>
int factorLu(int m, int n, T *a, int *pivots) {
  int info = 0;
  for (int k = 0; k < std::min(m, n); k++) {
    T *const column = a + k * m;
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (extent(column[i]) > extent(column[best])) best = i;
    pivots[k] = best + 1;
    const T pivot = column[best];
    if (pivot == T(0)) {
      if (!info) info = k + 1;
      continue;
    }
    if (best != k)
      for (int j = 0; j < n; j++) std::swap(a[k + j * m], a[best + j * m]);
    for (int i = k + 1; i < m; i++) column[i] = column[i] / pivot;
    for (int j = k + 1; j < n; j++) {
      T *const to = a + j * m;
      const T x = to[k];
      for (int i = k + 1; i < m; i++) to[i] = to[i] - column[i] * x;
    }
  }
  return info;
}

// each column of b (n, nrhs) becomes x of A x = b
template <class T>
void solveLu(int n, int nrhs, const T *lu, const int *pivots, T *b) {
  for (T *x = b; x != b + nrhs * n; x += n) {
    for (int k = 0; k < n; k++) std::swap(x[k], x[pivots[k] - 1]);
    for (int k = 0; k < n; k++)
      for (int i = k + 1; i < n; i++) x[i] = x[i] - lu[i + k * n] * x[k];
    for (int k = n; k-- > 0;) {
      x[k] = x[k] / lu[k + k * n];
      for (int i = 0; i < k; i++) x[i] = x[i] - lu[i + k * n] * x[k];
    }
  }
}

// The same for the columns of the identity, all at once: y holds them by rows. n may be a constant of the compiler's.
template <class T, class N>
void invertRows(N n, T *lu, const int *pivots, T *y) {
  const auto subtract = [&](int i, int k) {
    const T x = lu[i + k * n];
    for (int j = 0; j < n; j++) y[i * n + j] = y[i * n + j] - x * y[k * n + j];
  };
  for (int k = 0; k < n * n; k++) y[k] = T(k % (n + 1) == 0);
  for (int k = 0; k < n; k++) std::swap_ranges(y + k * n, y + k * n + n, y + (pivots[k] - 1) * n);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) subtract(i, k);
  for (int k = n; k-- > 0;) {
    for (int j = 0; j < n; j++) y[k * n + j] = y[k * n + j] / lu[k + k * n];
    for (int i = 0; i < k; i++) subtract(i, k);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) lu[i + j * n] = y[i * n + j];
}

// lu (n, n) becomes the inverse; y has room for n * n. Not 0, and nothing done, as of factorLu.
template <class T>
int invertLu(int n, T *lu, const int *pivots, T *y) {
  for (int k = 0; k < n; k++)
    if (lu[k + k * n] == T(0)) return k + 1;
  switch (n) {  // the usual ones, whose loops are worth unrolling
    case 2: invertRows(std::integral_constant<int, 2>(), lu, pivots, y); break;
    case 3: invertRows(std::integral_constant<int, 3>(), lu, pivots, y); break;
    case 4: invertRows(std::integral_constant<int, 4>(), lu, pivots, y); break;
    default: invertRows(n, lu, pivots, y);
  }
  return 0;
}

// a (n, n) = L L', in one triangle; 0, or the order of the minor that is not positive
template <class T>
int factorCholesky(int n, T *a, bool upper) {
  // Of the upper triangle the transpose is factorised, which is as positive.
  const int down = upper ? n : 1, right = upper ? 1 : n;
  const auto at = [&](int i, int j) -> T & { return a[i * down + j * right]; };
  for (int j = 0; j < n; j++) {
    auto d = realPart(at(j, j));
    for (int k = 0; k < j; k++) d -= realPart(at(j, k) * conjugate(at(j, k)));
    if (!(d > 0)) {
      at(j, j) = T(d);
      return j + 1;
    }
    d = std::sqrt(d);
    at(j, j) = T(d);
    for (int i = j + 1; i < n; i++) {
      T x = at(i, j);
      for (int k = 0; k < j; k++) x = x - at(i, k) * conjugate(at(j, k));
      at(i, j) = x / T(d);
    }
  }
  return 0;
}

}  // namespace small
}  // namespace th
