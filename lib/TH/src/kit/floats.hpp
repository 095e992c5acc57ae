// Functions of floats and doubles that are computed in vectors of double: floats.cpp.
#pragma once

#include <cmath>

#include "iterator.hpp"

namespace th {

enum class FloatFunction {
  power,
  logAddExp,
  logAddExp2,
  xLogY,
  fmod,
  remainder,
  floorDivide,
  angle,
  erfc,
  digamma,
  trigamma,
  lgamma,
  ndtr,
  ndtri
};
enum class PiecewiseFunction { erf, erfinv, tangent, hyperbolicTangent, erfOfDoubles };
enum class DoubleFunction { power, angle, hypotenuse, tangent };

// From float to float; right to 0.51 units in the last place.
const Kernel &kernelOfFloats(FloatFunction function);
// From float to float but for the last: piecewise.cpp. Right to 2 units in the last place, inverse error function without
// fused multiplication to 2.2.
const Kernel &kernelOfPieces(PiecewiseFunction function);
// The logarithm of the odds, of floats and doubles.
const KernelTable &logitKernels();
// From double to double; {} where there is none that is worth it.
const Kernel &kernelOfDoubles(DoubleFunction function);

// `table`, but with that kernel for float and the half types; for double.
inline KernelTable withFloats(KernelTable table, const Kernel &kernel) {
  table.of[TH_Half] = table.of[TH_BFloat16] = table.of[TH_Float] = kernel;
  return table;
}
inline KernelTable withFloats(KernelTable table, FloatFunction function) {
  return withFloats(table, kernelOfFloats(function));
}
inline KernelTable withDoubles(KernelTable table, DoubleFunction function) {
  if (const Kernel &kernel = kernelOfDoubles(function); kernel.loop) table.of[TH_Double] = kernel;
  return table;
}

// As Python's //: exact where a / b rounded could reach the next integer. (a - remainder) / b is an integer but for
// rounding.
template <class T>
constexpr T floorOfQuotient(T a, T b) {
  if (b == 0) return a / b;
  const T m = std::fmod(a, b);
  T q = (a - m) / b;
  if (m != 0 && (m < 0) != (b < 0)) q -= 1;
  if (q == 0) return std::copysign(T(0), a / b);
  const T down = std::floor(q);
  return q - down > T(0.5) ? down + 1 : down;
}

}  // namespace th
