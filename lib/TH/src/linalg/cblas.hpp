// CBLAS by whoever's header. What it counts with, OpenBLAS's calls `blasint`, the reference's otherwise, and older ones
// have no name for it: it is what their functions take.
#pragma once

#include <cblas.h>

namespace th {

template <class Result, class First, class... Rest>
First firstArgumentOf(Result (*)(First, Rest...));

// The integers of BLAS and LAPACK: 32 bits, or 64.
using blasint = decltype(firstArgumentOf(cblas_sdot));

}  // namespace th
