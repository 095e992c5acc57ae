// Powers with an exponent that has a shorter way.
#pragma once

#include <type_traits>

#include "kit/iterator.hpp"

namespace th {

// The kernel of t -> t^exponent for 2, 3, 0.5, -0.5, -1, -2 in floating dtypes; else NULL.
const KernelTable *powerKernel(double exponent);

// Of integers, by squaring, modulo 2^width. A negative exponent gives 1 / t^|e| rounded to zero: something else
// than 0 for 1 and -1 only. (As torch, 0 to a negative power is 0.)
template <class T>
constexpr T powerOfIntegers(T t, T e) {
  using U = std::make_unsigned_t<T>;
  if (e < 0) return t == 1 ? 1 : t == -1 ? (e & 1 ? -1 : 1) : 0;
  U base = U(t), result = 1;
  for (; e; e >>= 1, base *= base)
    if (e & 1) result *= base;
  return T(result);
}

}  // namespace th
