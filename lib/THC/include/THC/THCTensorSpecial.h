/* Special functions: see TH/THTensorSpecial.h. */
#ifndef THC_TENSOR_SPECIAL_H
#define THC_TENSOR_SPECIAL_H

#include <THC/THCGeneral.h>

#endif
