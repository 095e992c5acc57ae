// Transforms of one dimension, for torch.fft and the short-time transforms. dims are not negative.
#pragma once

#include "results.h"

#include <THPP/Functions.h>

namespace thpp {

// With `in_place` into self itself, if the length is its size.
Tensor fft_c2c(const Tensor &self, int dim, int64_t n, bool forward, double scale, bool in_place = false);
Tensor fft_r2c(const Tensor &self, int dim, int64_t n, bool forward, double scale, bool onesided);
Tensor fft_c2r(const Tensor &self, int dim, int64_t n, bool forward, double scale);

}  // namespace thpp
