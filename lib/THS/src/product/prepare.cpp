// What products ask of sizes.
#include <THS/THSPrepare.h>

#include "../kit/sparse.hpp"

using namespace th;

void THSPrepare_product(const THTensor *a, const THTensor *b) {
  if (a->ndim != 2 || b->ndim != 2 || a->size[1] != b->size[0])
    THError(TH_ERROR_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%s and %s)", shapeString(a).c_str(),
            shapeString(b).c_str());
}

void THSPrepare_sampled(const THTensor *a, const THTensor *b, const THSTensor *pattern) {
  if (a->ndim != 2 || b->ndim != 2 || a->size[1] != b->size[0] || a->size[0] != pattern->size[0] ||
      b->size[1] != pattern->size[1])
    THError(TH_ERROR_RUNTIME, "a product of %s and %s has no elements at the places of a tensor of %s",
            shapeString(a).c_str(), shapeString(b).c_str(), shapeString(pattern).c_str());
}

void THSPrepare_trsm(const THTensor *b, const THSTensor *a) {
  if (a->ndim != 2 || a->size[0] != a->size[1] || b->ndim != 2 || b->size[0] != a->size[0])
    THError(TH_ERROR_RUNTIME, "a system of a matrix of size %s and a right side of size %s cannot be solved",
            shapeString(a).c_str(), shapeString(b).c_str());
}
