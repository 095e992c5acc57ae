/* Products of matrices and vectors: see THPrepare.h. */
#ifndef TH_PREPARE_PRODUCTS_H
#define TH_PREPARE_PRODUCTS_H

#include <TH/prepare/pointwise.h>
#include <TH/prepare/result.h>

/* result = beta t + alpha a b */
typedef struct THProductPlan {
  THScalar beta, alpha; /* as the dtype holds them: of half types float, of integers integers */
  bool usesT;           /* beta is not 0; else t's elements are not to be read */
  int64_t tStride[3];   /* of t, broadcast to the result, in elements; uninitialised unless usesT */
  /* r may share memory with any argument. Where it does, but for t with the very same elements, or has not its shape yet,
   * it is for run to write something else first. */
  THResult result;
} THProductPlan;

TH_API void THPrepare_addmm(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                            THScalar alpha, const THTensor *m1, const THTensor *m2);
TH_API void THPrepare_baddbmm(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                              THScalar alpha, const THTensor *b1, const THTensor *b2);
TH_API void THPrepare_addmv(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                            THScalar alpha, const THTensor *m, const THTensor *v);
/* As the product of b1's matrices side by side with b2's one below the other. */
TH_API void THPrepare_addbmm(THProductPlan *plan, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t,
                             THScalar alpha, const THTensor *b1, const THTensor *b2);
TH_API void THPrepare_dot(THResult *result, THDtype dtype, THTensor *r, const THTensor *a, const THTensor *b);

/* `factors`, 32 bytes aligned to 8, become beta and alpha in the dtype, unless r has no memory. The operands are r, t, v2
 * and v1, where beta is 0 without t. */
TH_API bool THPrepare_addr(THPointwisePlan *plan, void *factors, THDtype dtype, THTensor *r, THScalar beta,
                           const THTensor *t, THScalar alpha, const THTensor *v1, const THTensor *v2);
/* Returns the dimension along which the vectors lie in the result, not negative. a and b are broadcast to it. */
TH_API int THPrepare_cross(THResult *result, THTensor *r, const THTensor *a, const THTensor *b, int dim);
/* Returns what is to be summed up, a view that the caller frees. */
TH_API THTensor *THPrepare_trace(const THTensor *t);

#endif
