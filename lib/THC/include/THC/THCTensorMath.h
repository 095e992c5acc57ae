/* Pointwise kernels and ranges: see TH/THTensorMath.h, THTensorComplex.h. */
#ifndef THC_TENSOR_MATH_H
#define THC_TENSOR_MATH_H

#include <THC/THCGeneral.h>

THC_FUNCTION(cadd, all_complex)

#endif
