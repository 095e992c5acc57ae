/* Moving elements by index and by mask: see TH/THTensorIndex.h. */
#ifndef THC_TENSOR_INDEX_H
#define THC_TENSOR_INDEX_H

#include <THC/THCGeneral.h>

#endif
