/* Kernels that move elements by index, by mask or by position: see THPrepare.h. What index tensors say is for the run half
 * to judge, before results get their shapes. */
#ifndef TH_PREPARE_INDEX_H
#define TH_PREPARE_INDEX_H

#include <TH/prepare/pointwise.h>
#include <TH/prepare/result.h>

/* ---- an index tensor for one dimension ----------------------------------------------------------- */
typedef struct THIndexDimPlan {
  int dim; /* that indices point into, not negative */
  int64_t length; /* its size: indices are less; 1 for a 0-dim tensor */
  THResult result;
} THIndexDimPlan;

TH_API void THPrepare_gather(THIndexDimPlan *plan, THTensor *r, const THTensor *t, int dim, const THTensor *index);
/* These write into self: there is no result to resize. src NULL: one value (THTensor_newWithScalar makes it of self's
 * dtype). */
TH_API bool THPrepare_scatter(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index,
                              const THTensor *src);
/* scatterAdd, scatterProd, scatterAmax, scatterAmin */
TH_API bool THPrepare_scatterReduce(THIndexDimPlan *plan, THDtype dtype, THTensor *self, int dim, const THTensor *index,
                                    const THTensor *src);
/* Slices; as with indexPut, false on TH_Meta only: where self has no elements, indices are judged all the same. indexFill counts negative
 * indices from the end. */
TH_API bool THPrepare_indexAdd(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index,
                               const THTensor *src);
TH_API bool THPrepare_indexCopy(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index,
                                const THTensor *src);
TH_API bool THPrepare_indexFill(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index);

/* ---- index tensors for some dimensions ------------------------------------------------------------
 * The elements that they choose form a box: dimensions in front of the indices', the indices' broadcast shape, dimensions
 * behind. Its sizes are the shape of what is read, or of what the value is broadcast to. */
typedef struct THIndexPlan {
  int ndim;
  int first, last; /* the indices' dimensions: [first, last) */
  int64_t size[TH_MAX_DIM];
  int64_t stride[TH_MAX_DIM]; /* of the indexed tensor, in elements; 0 for the indices' dimensions */
  int64_t count; /* product of the indices' dimensions */
  int order[TH_MAX_DIM]; /* where result.strided: the box's dimensions as the result lies, the innermost first */
  THResult result;
} THIndexPlan;

TH_API void THPrepare_index(THIndexPlan *plan, THTensor *r, const THTensor *t, int n, const THTensor *const *indices);
TH_API bool THPrepare_indexPut(THIndexPlan *plan, THTensor *self, int n, const THTensor *const *indices,
                               const THTensor *value);
/* One vector of indices: the box has it as dimension dim, or, of a 0-dim tensor, no dimension and count 1. */
TH_API void THPrepare_indexSelect(THIndexPlan *plan, THTensor *r, const THTensor *t, int dim, const THTensor *index);

/* ---- masks, and what is not zero -------------------------------------------------------------------
 * How many there are is known by the elements alone. The first function raises on TH_Meta and judges the arguments; the
 * second, called with the count, judges what shares memory. */
TH_API void THPrepare_nonzero(const THTensor *r, const THTensor *t);
TH_API void THPrepare_nonzeroResult(THResult *result, THTensor *r, const THTensor *t, int64_t count);
/* Returns ndim of the shape to which t and the mask are broadcast. */
TH_API int THPrepare_maskedSelect(const THTensor *r, const THTensor *t, const THTensor *mask, int64_t size[TH_MAX_DIM]);
TH_API void THPrepare_maskedSelectResult(THResult *result, THTensor *r, const THTensor *t, const THTensor *mask,
                                         int64_t count);
/* Returns the mask in self's shape, a view that the caller frees. That src has enough elements is for run to say. */
TH_API THTensor *THPrepare_maskedCopy(THTensor *self, const THTensor *mask, const THTensor *src);

/* ---- by position ------------------------------------------------------------------------------------ */
/* tril and triu. The result is none where r has its shape already, which may then be an expanded one. */
TH_API void THPrepare_triangle(THResult *result, THTensor *r, const THTensor *t, bool lower);
TH_API void THPrepare_diag(THResult *result, THTensor *r, const THTensor *t, int64_t k);

typedef struct THCatPlan {
  int dim; /* not negative; tensors without elements are to be passed over */
  THResult result;
} THCatPlan;
TH_API void THPrepare_cat(THCatPlan *plan, THTensor *r, int n, const THTensor *const *tensors, int dim);

/* t is walked with negative strides, from element `first` on, counted from its element 0. */
TH_API bool THPrepare_flip(THPointwisePlan *plan, int64_t *first, THTensor *r, const THTensor *t, uint64_t dims);

#endif
