/* What is done with signals besides transforms: see TH/THTensorFft.h. */
#ifndef THC_TENSOR_FFT_H
#define THC_TENSOR_FFT_H

#include <THC/THCGeneral.h>

THC_FUNCTION(overlapAdd, lapack)

#endif
