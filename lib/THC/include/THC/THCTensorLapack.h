/* Of TH/THTensorLapack.h what needs no factorisation. */
#ifndef THC_TENSOR_LAPACK_H
#define THC_TENSOR_LAPACK_H

#include <THC/THCGeneral.h>

THC_FUNCTION(cdist, float_double)

#endif
