/* Results whose shapes are known, and which do not have them yet: see THPrepare.h. */
#ifndef TH_PREPARE_RESULT_H
#define TH_PREPARE_RESULT_H

#include <TH/THTensor.h>

typedef struct THResult {
  THTensor *tensor; /* NULL: this result was not asked for */
  bool strided;     /* if it has another shape now it gets these strides, else contiguous ones */
  int ndim;
  int64_t size[TH_MAX_DIM];
  int64_t stride[TH_MAX_DIM]; /* uninitialised unless strided */
} THResult;

/* Gives n results of one plan their shapes. One that has its shape already stays as it lies, which may be with any
 * strides but those of an expanded tensor; if there is such, raises and leaves all as they were. */
TH_API void THResult_resize(const THResult *results, int n);

#endif
