/* Reductions: see TH/THTensorReduce.h. */
#ifndef THC_TENSOR_REDUCE_H
#define THC_TENSOR_REDUCE_H

#include <THC/THCGeneral.h>

#endif
