// Powers with an exponent that has a shorter way.
#pragma once

#include "kit/iterator.hpp"

namespace th {

// The kernel of t -> t^exponent for 2, 3, 0.5, -0.5, -1, -2 in floating dtypes; else NULL.
const KernelTable *powerKernel(double exponent);

}  // namespace th
