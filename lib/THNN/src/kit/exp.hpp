// e^x in loops that the compiler vectorises for whichever target they are compiled.
#pragma once

#include <bit>
#include <iterator>
#include <limits>

#include "kit/exponential.hpp"

namespace thnn {

// exp(x) for x <= 0, NaN included, to about one unit in the last place: as kit/exponential.hpp has it; what would be
// subnormal is 0. The same bits everywhere. Always inline: a function of its own would be compiled for the baseline alone.
template <class C, class Format = th::ExpFormat<C>>
[[gnu::always_inline]] inline C expOf(C x) {
  using Int = typename Format::Int;
  const C sum = x * C(1.4426950408889634) + th::kRounder<C>;
  const C n = sum - th::kRounder<C>;
  const C r = (x - n * Format::high) - n * Format::low;
  constexpr int last = std::size(Format::terms) - 1;
  C p = Format::terms[last];
#pragma GCC unroll 16
  for (int i = last - 1; i >= 0; i--) p = p * r + Format::terms[i];
  const Int exponent = std::bit_cast<Int>(sum) - std::bit_cast<Int>(th::kRounder<C>);
  const C y = p * std::bit_cast<C>(Int((exponent + std::numeric_limits<C>::max_exponent - 1) << Format::mantissa));
  return x < Format::lowest ? C(0) : y;
}

}  // namespace thnn
