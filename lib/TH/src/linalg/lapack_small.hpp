// LU, Cholesky and QR of a few rows and columns, where a call of LAPACK costs more than the work. They do what LAPACK's
// unblocked routines do, in the same order, and leave the same behind when they fail. Matrices are stored by columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kit/scalar.hpp"

namespace th {

constexpr int kFewRows = 8;

namespace small {

template <class T> T conjugate(T x) { return x; }
template <class R> complex<R> conjugate(complex<R> x) { return {x.real(), -x.imag()}; }
template <class T> T realPart(T x) { return x; }
template <class R> R realPart(complex<R> x) { return x.real(); }
template <class T> T extent(T x) { return std::abs(x); }  // what pivots are compared by
template <class R> R extent(complex<R> x) { return std::abs(x.real()) + std::abs(x.imag()); }

// The usual sizes, whose loops are worth unrolling, as constants of the compiler's.
template <class Body>
auto withOrder(int n, const Body &body) {
  switch (n) {
    case 2: return body(std::integral_constant<int, 2>());
    case 3: return body(std::integral_constant<int, 3>());
    case 4: return body(std::integral_constant<int, 4>());
    default: return body(n);
  }
}

// a (m, n) = P L U; 0, or the first k with a zero U[k, k], counted from 1
template <class T, class M, class N>
int factorLu(M m, N n, T *a, int *pivots) {
  int info = 0;
  for (int k = 0; k < std::min<int>(m, n); k++) {
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
  withOrder(n, [&](auto order) { invertRows(order, lu, pivots, y); });
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

// ---- QR, in double ----
template <class T> struct WideOf {
  using type = double;
};
template <class R> struct WideOf<complex<R>> {
  using type = complex<double>;
};
template <class T> using Wide = typename WideOf<T>::type;

// The sum of the squares of n numbers.
template <class W>
double squares(int n, const W *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += realPart(x[i] * conjugate(x[i]));
  return sum;
}

// Of x (n) the Householder reflector: with v = x but v[0] = 1, H' x = (I - tau v v')' x = (beta, 0, …). x[0] becomes
// beta, the rest v's; tau is returned.
template <class W>
W reflector(int n, W *x) {
  double rest = squares(n - 1, x + 1), own = squares(1, x), scale = 1;
  const auto inRange = [](double sum) { return sum > 1e-280 && sum < 1e280; };
  if (!inRange(rest) || !inRange(own)) {  // squares that are too large, or too small to be added
    double most = 0;
    for (int i = 0; i < n; i++) most = std::max<double>(most, extent(x[i]));
    if (most > 0 && most <= std::numeric_limits<double>::max()) scale = std::ldexp(1, -std::ilogb(most) / 2);
    for (int i = 0; i < n; i++) x[i] = x[i] * W(scale) * W(scale);
    rest = squares(n - 1, x + 1), own = squares(1, x);
  }
  const double real = realPart(x[0]);
  W tau(0);
  double beta = real;
  if (rest != 0 || own != real * real) {
    beta = -std::copysign(std::sqrt(own + rest), real);
    tau = (W(beta) - x[0]) / W(beta);
    const W over = W(1) / (x[0] - W(beta));
    for (int i = 1; i < n; i++) x[i] = x[i] * over;
  }
  x[0] = W(beta / scale / scale);
  return tau;
}

// x -= factor v (v' x), where v[0] stands for 1.
template <class W>
void reflect(int n, const W *v, W factor, W *x) {
  W along = x[0];
  for (int i = 1; i < n; i++) along = along + conjugate(v[i]) * x[i];
  along = along * factor;
  x[0] = x[0] - along;
  for (int i = 1; i < n; i++) x[i] = x[i] - along * v[i];
}

template <class T, class W>
void widen(W *to, const T *from, int n) {
  for (int i = 0; i < n; i++) to[i] = W(from[i]);
}

// a (m, n) becomes R and, below it, the reflectors whose product is Q.
template <class T>
void factorQr(int m, int n, T *a, T *tau) {
  Wide<T> w[kFewRows * kFewRows];
  widen(w, a, m * n);
  for (int k = 0; k < std::min(m, n); k++) {
    Wide<T> *const column = w + k * m + k;
    const Wide<T> factor = reflector(m - k, column);
    for (int j = k + 1; j < n; j++) reflect(m - k, column, conjugate(factor), w + j * m + k);
    tau[k] = T(factor);
  }
  widen(a, w, m * n);
}

// q (m, n): the first n columns of the product of the k reflectors that stand in it.
template <class T>
void formQ(int m, int n, int k, T *q, const T *tau) {
  Wide<T> w[kFewRows * kFewRows] = {};
  for (int j = 0; j < n; j++) w[j * m + j] = Wide<T>(1);
  for (int i = k; i-- > 0;) {
    Wide<T> v[kFewRows];
    widen(v, q + i * m + i, m - i);
    for (int j = i; j < n; j++) reflect(m - i, v, Wide<T>(tau[i]), w + j * m + i);
  }
  widen(q, w, m * n);
}

}  // namespace small
}  // namespace th
