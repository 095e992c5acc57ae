/* Products of matrices and vectors: see TH/THTensorBlas.h. */
#ifndef THC_TENSOR_BLAS_H
#define THC_TENSOR_BLAS_H

#include <THC/THCGeneral.h>

THC_FUNCTION(dot, number_complex)
THC_FUNCTION(addmv, number_complex)
THC_FUNCTION(addmm, number_complex)
THC_FUNCTION(baddbmm, number_complex)
THC_FUNCTION(addbmm, number_complex)
THC_FUNCTION(addr, all_complex)
THC_FUNCTION(cross, number_complex)

/* May products of float32 be computed with factors of 10 fractional bits, as the device's matrix units do it? Not at
 * first. Returns what it was. */
TH_API bool THC_setAllowTF32(bool allow);
TH_API bool THC_allowTF32(void);

#endif
