/* Pointwise kernels and ranges: see TH/THTensorMath.h, TH/THTensorComplex.h. */
#ifndef THC_TENSOR_MATH_H
#define THC_TENSOR_MATH_H

#include <THC/THCGeneral.h>

THC_FUNCTION(cadd, all_complex)
THC_FUNCTION(csub, number_complex)
THC_FUNCTION(cmul, all_complex)
THC_FUNCTION(cdiv, floating_complex)

#endif
