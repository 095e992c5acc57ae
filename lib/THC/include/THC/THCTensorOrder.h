/* Scans, sorting, order statistics, sets: see TH/THTensorOrder.h, THTensorSort.h. */
#ifndef THC_TENSOR_ORDER_H
#define THC_TENSOR_ORDER_H

#include <THC/THCGeneral.h>

#endif
