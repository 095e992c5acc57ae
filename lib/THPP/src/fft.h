// Transforms of one dimension, for torch.fft and the short-time transforms. dims are not negative.
#pragma once

#include "results.h"

#include <THPP/Functions.h>

namespace thpp {

// A new tensor; see THTensorFft.h. Of complex numbers _fft_c2c and _fft_c2r do the same.
Tensor fft_r2c(const Tensor &self, int dim, int64_t n, bool forward, double scale, bool onesided);

}  // namespace thpp
