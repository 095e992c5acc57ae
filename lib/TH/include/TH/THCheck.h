/* Judgements of arguments that a caller needs before it comes to a kernel: before a dtype without kernels is refused, a
 * result made, or an argument converted. The prepare halves (THPrepare.h) make the same ones by these very functions.
 * Each raises, or returns. They look at no element. */
#ifndef TH_CHECK_H
#define TH_CHECK_H

#include <TH/THTensor.h>

/* ---- factors and bounds ------------------------------------------------------------------------------- */
/* A factor of a computation in that dtype: `name` is beta or alpha. */
TH_API void THCheck_factor(THDtype dtype, const char *name, THScalar factor);
/* Integers are raised to no negative integers. */
TH_API void THCheck_exponent(THDtype dtype, THScalar exponent);
/* Of clamp: one may be NULL. */
TH_API void THCheck_bounds(const THTensor *low, const THTensor *high);

/* ---- products ----------------------------------------------------------------------------------------- */
TH_API void THCheck_addmm(const THTensor *m1, const THTensor *m2);
/* t: what is added, NULL for nothing. */
TH_API void THCheck_addmv(const THTensor *t, const THTensor *m, const THTensor *v);
TH_API void THCheck_baddbmm(const THTensor *b1, const THTensor *b2);
TH_API void THCheck_addbmm(const THTensor *b1, const THTensor *b2);
TH_API void THCheck_dot(const THTensor *a, const THTensor *b);
TH_API void THCheck_factorDtypes(const THTensor *m1, const THTensor *m2);
TH_API void THCheck_trace(const THTensor *t);

/* ---- reductions, order, counts ---------------------------------------------------------------------------- */
/* Of what has no value for no elements: the dimensions in `dims` have elements. */
TH_API void THCheck_notEmpty(const char *name, const THTensor *t, uint64_t dims);
TH_API void THCheck_kthvalue(const THTensor *t, int64_t k, int dim);
TH_API void THCheck_topk(const THTensor *t, int64_t k, int dim);
TH_API void THCheck_bins(int64_t bins);
/* The length of a Fourier transform. */
TH_API void THCheck_points(int64_t n);

/* ---- results made of no tensor ------------------------------------------------------------------------------ */
TH_API void THCheck_steps(int64_t steps);
TH_API void THCheck_eye(int64_t rows, int64_t columns);
TH_API void THCheck_uniform(double from, double to);
TH_API void THCheck_normal(double std);
TH_API void THCheck_random(int64_t from, int64_t to);
TH_API void THCheck_cauchy(double sigma);
TH_API void THCheck_exponential(double lambda);
TH_API void THCheck_logNormal(double std);
TH_API void THCheck_geometric(double p);

/* ---- tensors in tensors --------------------------------------------------------------------------------- */
TH_API void THCheck_cat(int n, const THTensor *const *tensors);
/* Of one shape but for that dimension. */
TH_API void THCheck_slices(const THTensor *self, const THTensor *source, int dim);

#endif
