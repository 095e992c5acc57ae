/* Reductions: see THPrepare.h. */
#ifndef TH_PREPARE_REDUCE_H
#define TH_PREPARE_REDUCE_H

#include <TH/THTensor.h>

/* Which elements become which result. Dimensions are ordered from the innermost, and neighbours are one where strides
 * continue. */
typedef struct THReduceDim {
  int64_t size, in, out[2]; /* strides in bytes: of the input, of the targets */
} THReduceDim;
typedef struct THReducePlan {
  int nKept, nReduced;
  THReduceDim kept[TH_MAX_DIM], reduced[TH_MAX_DIM];
  int64_t outputs, count; /* elements of the result; elements that each is made of */
  /* Where results are written, contiguous and of the dtypes that the reduction gives: the results themselves, NULL where
   * one was not asked for, or own[k], a tensor made for this plan. That one belongs to whoever holds the plan, who copies
   * it to the result, of the same shape then, and frees it. */
  THTensor *target[2];
  THTensor *own[2];
} THReducePlan;

typedef struct THReduceKind {
  THDtype dtype[2]; /* that the reduction gives: of values, and of the second result, as indices are */
  const char *name; /* not NULL: there is no result for nothing, and this is who says so: "amax" */
  bool ordered; /* the order of what is reduced means something, as to indices of extrema */
} THReduceKind;

/* r and second are the results; either may be NULL. dims as in THTensorReduce.h. False also leaves own[k] to the caller:
 * a result may have other strides. */
TH_API bool THPrepare_reduce(THReducePlan *plan, const THReduceKind *kind, THTensor *r, THTensor *second,
                             const THTensor *t, uint64_t dims, bool keepdim);

/* What some kernels ask of their input first. max, min, argmax, argmin (`name`): that there is something to choose from;
 * returns the dimensions to reduce, all of them if `flat`. norm: elements, where p has no answer for none. */
TH_API uint64_t THPrepare_extremum(const char *name, const THTensor *t, int dim, bool flat);
TH_API void THPrepare_norm(const THTensor *t, double p, uint64_t dims);

#endif
