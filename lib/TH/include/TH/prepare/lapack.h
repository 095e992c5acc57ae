/* Factorisations and solvers: see THPrepare.h. Their tensors have their shapes already and lie as THTensorLapack.h says, so
 * there is nothing to resize. These check all of that, and are false where the tensors have no memory, true for an empty
 * batch. Of a plan only those fields are filled that the kernel has. */
#ifndef TH_PREPARE_LAPACK_H
#define TH_PREPARE_LAPACK_H

#include <TH/THTensor.h>

/* The matrices of a batch, stored by columns: element (i, j) of matrix k is element k * rows * columns + i + j * rows. */
typedef struct THMatrices {
  int rows, columns;
  int64_t count;
} THMatrices;

typedef struct THLapackPlan {
  THMatrices matrix[3]; /* of the arguments that are matrices, in their order; zeros for one that is NULL */
  int reflectors; /* orgqr, ormqr: elements of each vector of tau */
  char trans; /* getrs, trtrs, ormqr: 'N', 'T' or 'C' as LAPACK's routines take it, whose real ones may not know 'C' */
  char job; /* gesdd: 'N' without vectors, 'A' with all, 'S' with min(m, n) of each kind */
} THLapackPlan;

TH_API bool THPrepare_getrf(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *pivots,
                            const THTensor *info);
TH_API bool THPrepare_getrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *lu,
                            const THTensor *pivots, char trans);
TH_API bool THPrepare_getri(THLapackPlan *plan, THDtype dtype, const THTensor *lu, const THTensor *pivots,
                            const THTensor *info);
/* potrf and potri */
TH_API bool THPrepare_potrf(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *info);
TH_API bool THPrepare_potrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *factor);
TH_API bool THPrepare_pstrf(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *pivots,
                            const THTensor *rank);
TH_API bool THPrepare_trtrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *a, char trans,
                            bool left);
TH_API bool THPrepare_sytrf(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *pivots,
                            const THTensor *info);
/* Pivots are for run to judge. */
TH_API bool THPrepare_sytrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *ld,
                            const THTensor *pivots);
TH_API bool THPrepare_geqrf(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *tau);
TH_API bool THPrepare_orgqr(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *tau);
TH_API bool THPrepare_ormqr(THLapackPlan *plan, THDtype dtype, const THTensor *c, const THTensor *a,
                            const THTensor *tau, bool left, bool transpose);
TH_API bool THPrepare_qr(THLapackPlan *plan, THDtype dtype, const THTensor *q, const THTensor *r, const THTensor *a);
TH_API bool THPrepare_syev(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *w,
                           const THTensor *info);
TH_API bool THPrepare_geev(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *w, const THTensor *vr,
                           const THTensor *info);
/* gesdd and gesvd: `name`, for messages. The matrices are a, u, vt. */
TH_API bool THPrepare_gesdd(THLapackPlan *plan, const char *name, THDtype dtype, const THTensor *a, const THTensor *s,
                            const THTensor *u, const THTensor *vt, const THTensor *info);
TH_API bool THPrepare_gels(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *b, const THTensor *s,
                           const THTensor *rank, const THTensor *info, int driver);

/* r's matrices have a row for each of a's rows, and a column for each of b's. */
TH_API bool THPrepare_cdist(THDtype dtype, const THTensor *r, const THTensor *a, const THTensor *b);

#endif
