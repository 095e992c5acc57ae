// Division of integers that is computed in vectors of double: division_integer.cpp.
#pragma once

#include "kit/iterator.hpp"

namespace th {

// `table`, but with those kernels for integers. No divisor may be 0.
KernelTable withFloorOfIntegers(const KernelTable &table);
KernelTable withRemainderOfIntegers(const KernelTable &table);

}  // namespace th
