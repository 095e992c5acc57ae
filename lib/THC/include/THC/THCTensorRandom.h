/* Random numbers: see TH/THRandom.h. */
#ifndef THC_TENSOR_RANDOM_H
#define THC_TENSOR_RANDOM_H

#include <THC/THCGeneral.h>

#endif
