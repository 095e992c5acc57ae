/* Copies, fills. */
#ifndef THC_TENSOR_COPY_H
#define THC_TENSOR_COPY_H

#include <THC/THCGeneral.h>

THC_FOR_ALL(copy)
THC_FOR_ALL(fill)
THC_FOR_ALL(zero)

#endif
