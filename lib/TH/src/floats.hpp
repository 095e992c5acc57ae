// Functions of floats that are computed in vectors of double: floats.cpp.
#pragma once

#include "iterator.hpp"

namespace th {

enum class FloatFunction { power, logAddExp, logAddExp2, xLogY, fmod, remainder, erfc, erfinv };

// From float to float; right to 0.51 units in the last place.
const Kernel &kernelOfFloats(FloatFunction function);

// `table`, but with that kernel for float and the half types.
inline KernelTable withFloats(KernelTable table, FloatFunction function) {
  table.of[TH_Half] = table.of[TH_BFloat16] = table.of[TH_Float] = kernelOfFloats(function);
  return table;
}

}  // namespace th
