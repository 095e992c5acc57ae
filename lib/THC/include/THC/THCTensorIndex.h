/* Moving elements by index and by mask: see TH/THTensorIndex.h. */
#ifndef THC_TENSOR_INDEX_H
#define THC_TENSOR_INDEX_H

#include <THC/THCGeneral.h>

THC_FOR_ALL(indexSelect)
THC_FOR_ALL(gather)
THC_FOR_ALL(scatter)
THC_FOR_ALL(scatterFill)
THC_FUNCTION(scatterAdd, all_complex)
THC_FUNCTION(scatterProd, all_complex)
THC_FUNCTION(scatterAmax, all)
THC_FUNCTION(scatterAmin, all)
THC_FOR_ALL(index)
THC_FOR_ALL(indexPut)
THC_FOR_ALL(indexCopy)
THC_FOR_ALL(indexAdd)
THC_FOR_ALL(indexFill)
THC_FOR_ALL(nonzero)
THC_FOR_ALL(maskedSelect)
THC_FOR_ALL(maskedCopy)
THC_FOR_ALL(tril)
THC_FOR_ALL(triu)
THC_FOR_ALL(diag)
THC_FOR_ALL(cat)
THC_FOR_ALL(flip)

#endif
