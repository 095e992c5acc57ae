/* Kernels that go element by element: see THPrepare.h. */
#ifndef TH_PREPARE_POINTWISE_H
#define TH_PREPARE_POINTWISE_H

#include <TH/THTensor.h>

#define TH_MAX_OPERANDS 5

/* Which elements of the operands meet, and in what order they are best walked: dimensions are ordered by the operands'
 * strides, and neighbours are one where all strides continue. Strides are in bytes of the tensors' own dtypes; an input
 * that is broadcast has stride 0. Addresses are those of element 0 of each tensor. */
typedef struct THPointwisePlan {
  int n;    /* operands; 0 is the result */
  int ndim; /* at least 1; dimension 0 is the innermost */
  int64_t numel;
  int64_t shape[TH_MAX_DIM + 1]; /* one more, for whoever cuts a dimension in two */
  int64_t stride[TH_MAX_DIM + 1][TH_MAX_OPERANDS];
} THPointwisePlan;

typedef enum THResultShape {
  TH_RESULT_RESIZED, /* unless the result is an input too, it becomes of the broadcast shape */
  TH_RESULT_FIXED,   /* the result's shape stands, and inputs are broadcast to it */
  TH_RESULT_FILLED   /* fixed, and it may overlap itself, because every element gets the same value */
} THResultShape;

/* All that the kernels of THTensorMath.h, THTensorComplex.h and THTensorSpecial.h need. Those declared below have functions
 * of their own, and numbers.h what numbers among the arguments need. operands[0] is written, the others are
 * read; of any dtypes. Gives the result its shape and, where it changes, strides in the order of the inputs'. */
TH_API bool THPrepare_pointwise(THPointwisePlan *plan, int n, const THTensor *const *operands, THResultShape shape);

/* False also if src is self. Between devices, too: who calls it knows both. */
TH_API bool THPrepare_copy(THPointwisePlan *plan, THTensor *self, const THTensor *src);

/* `element`, of 16 bytes aligned to 8, becomes the value in self's dtype, unless self has no memory; raises if that
 * cannot hold it. */
TH_API bool THPrepare_fill(THPointwisePlan *plan, void *element, THTensor *self, THScalar value);
TH_API bool THPrepare_maskedFill(THPointwisePlan *plan, void *element, THTensor *self, const THTensor *mask,
                                 THScalar value);

/* cadd and, with `minus`, csub: judges alpha. False: it is 1; else `element`, of 16 bytes aligned to 8, becomes alpha, or
 * -alpha, in the dtype (of half types in float), unless r has no memory. */
TH_API bool THPrepare_alpha(void *element, THDtype dtype, const THTensor *r, THScalar alpha, bool minus);

/* The operands are r, t, and those of low and high that are not NULL. */
TH_API bool THPrepare_clamp(THPointwisePlan *plan, THTensor *r, const THTensor *t, const THTensor *low,
                            const THTensor *high);

#endif
