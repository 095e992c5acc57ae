/* Special functions: see TH/THTensorSpecial.h. */
#ifndef THC_TENSOR_SPECIAL_H
#define THC_TENSOR_SPECIAL_H

#include <THC/THCGeneral.h>

THC_FUNCTION(addcmul, number_complex)
THC_FUNCTION(addcdiv, floating_complex)
THC_FUNCTION(lerp, floating_complex)
THC_FUNCTION(lerpTensor, floating_complex)

THC_FUNCTION(erfc, floating)
THC_FUNCTION(lgamma, floating)
THC_FUNCTION(exp2, floating)
THC_FUNCTION(asinh, floating)
THC_FUNCTION(acosh, floating)
THC_FUNCTION(atanh, floating)
THC_FUNCTION(signbit, all)
THC_FUNCTION(frexp, floating)

THC_FUNCTION(fmax, all)
THC_FUNCTION(fmin, all)

#endif
