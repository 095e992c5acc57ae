/* Random numbers: see TH/THRandom.h. */
#ifndef THC_TENSOR_RANDOM_H
#define THC_TENSOR_RANDOM_H

#include <THC/THCGeneral.h>

/* For one seed and offset the numbers are the CPU's, bit by bit, on every device. poisson, binomial, multinomial and randperm
 * are computed on the host, and wait for the device where they have tensors as arguments. */
THC_FUNCTION(uniform, floating_complex)
THC_FUNCTION(normal, floating_complex)
THC_FUNCTION(random, all)
THC_FUNCTION(randperm, number)
THC_LIKE(THLongTensor_randomUpTo, THCudaLongTensor_randomUpTo)
THC_FUNCTION(cauchy, floating)
THC_FUNCTION(exponential, floating)
THC_FUNCTION(logNormal, floating)
THC_FUNCTION(geometric, number)
THC_FUNCTION(bernoulli, all)
THC_FUNCTION(poisson, floating)
THC_FUNCTION(binomial, float_double)
THC_FUNCTION(multinomial, floating)

#endif
