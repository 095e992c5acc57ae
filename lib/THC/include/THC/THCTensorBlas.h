/* Products of matrices and vectors: see TH/THTensorBlas.h. */
#ifndef THC_TENSOR_BLAS_H
#define THC_TENSOR_BLAS_H

#include <THC/THCGeneral.h>

#endif
