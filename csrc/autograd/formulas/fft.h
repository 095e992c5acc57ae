// Gradients of Fourier transforms: the same transforms in the other direction.
#pragma once

#include <optional>

#include "linalg_norms.h"

namespace torch::autograd {

// Of complex numbers to complex ones, real ones to the first half of their transform, such a half to real numbers. The
// input had these sizes, and the other arguments are those of fft_fftn, fft_rfftn and fft_irfftn; not `forward`: of
// fft_ifftn, fft_ihfftn, or `forward`: of fft_hfftn.
Tensor fft_c2c_backward(const Tensor &grad, IntList sizes, IntList s, IntList dim, const char *norm, bool forward);
Tensor fft_r2c_backward(const Tensor &grad, IntList sizes, IntList s, IntList dim, const char *norm, bool forward);
Tensor fft_c2r_backward(const Tensor &grad, IntList sizes, IntList s, IntList dim, const char *norm, bool forward);
// In one dimension, over `n` elements: fft_fft, fft_rfft, fft_irfft and so on.
Tensor fft_c2c_backward(const Tensor &grad, IntList sizes, int64_t dim, const char *norm, bool forward);
Tensor fft_r2c_backward(const Tensor &grad, IntList sizes, std::optional<int64_t> n, int64_t dim, const char *norm,
                        bool forward);
Tensor fft_c2r_backward(const Tensor &grad, IntList sizes, int64_t dim, const char *norm, bool forward);
// Of _fft_c2c and _fft_c2r, whose results are multiplied by `scale`.
Tensor dft_c2c_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t n, bool forward, double scale);
Tensor dft_c2r_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t n, bool forward, double scale);

}  // namespace torch::autograd
