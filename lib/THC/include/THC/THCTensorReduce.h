/* Reductions: see TH/THTensorReduce.h. */
#ifndef THC_TENSOR_REDUCE_H
#define THC_TENSOR_REDUCE_H

#include <THC/THCGeneral.h>

THC_FUNCTION(sum, number_complex)
THC_FUNCTION(prod, number_complex)
THC_FUNCTION(mean, floating_complex)
THC_FUNCTION(nansum, floating)
THC_FUNCTION(var, floating)
THC_FUNCTION(std, floating)
THC_FUNCTION(norm, floating)
THC_FUNCTION(dist, floating)
THC_FUNCTION(renorm, floating)
THC_FUNCTION(amax, all)
THC_FUNCTION(amin, all)
THC_FUNCTION(any, all_complex)
THC_FUNCTION(all, all_complex)

THC_FUNCTION(max, all)
THC_FUNCTION(min, all)
THC_FUNCTION(argmax, all)
THC_FUNCTION(argmin, all)

THC_FOR_ALL(equal)

#endif
