/* Results that are made of no tensor: ranges and random numbers. See THPrepare.h. */
#ifndef TH_PREPARE_FILL_H
#define TH_PREPARE_FILL_H

#include <TH/prepare/result.h>

/* ---- ranges ----------------------------------------------------------------------------------------
 * A result that has as many elements already keeps its shape, in the order of its indices, however it lies unless
 * it is expanded: there is nothing to resize then (result.tensor is NULL). */
typedef struct THRangePlan {
  int64_t n; /* elements */
  /* Those of the three that the kernel takes, as it computes with them: integers of kind int, others float; linspace's of
   * its dtype's kind. */
  THScalar start, step, end;
  THResult result;
} THRangePlan;

TH_API void THPrepare_arange(THRangePlan *plan, THDtype dtype, THTensor *r, THScalar start, THScalar end,
                             THScalar step);
TH_API void THPrepare_range(THRangePlan *plan, THDtype dtype, THTensor *r, THScalar start, THScalar end, THScalar step);
TH_API void THPrepare_linspace(THRangePlan *plan, THDtype dtype, THTensor *r, THScalar start, THScalar end,
                               int64_t steps);
TH_API void THPrepare_logspace(THRangePlan *plan, THTensor *r, THScalar start, THScalar end, int64_t steps);
/* The result is none where r has its shape already, which may then be an expanded one. */
TH_API void THPrepare_eye(THResult *result, THTensor *r, int64_t rows, int64_t columns);

/* ---- random numbers --------------------------------------------------------------------------------
 * Those that fill self keep its shape. */
TH_API bool THPrepare_uniform(THDtype dtype, THTensor *self, double from, double to);
TH_API bool THPrepare_normal(THDtype dtype, THTensor *self, double mean, double std);
TH_API bool THPrepare_random(THDtype dtype, THTensor *self, int64_t from, int64_t to);
TH_API bool THPrepare_randomUpTo(THTensor *self, int64_t from, int64_t last);
TH_API bool THPrepare_randomNonNegative(THTensor *self);
TH_API bool THPrepare_cauchy(THDtype dtype, THTensor *self, double median, double sigma);
TH_API bool THPrepare_exponential(THDtype dtype, THTensor *self, double lambda);
TH_API bool THPrepare_logNormal(THDtype dtype, THTensor *self, double mean, double std);
TH_API bool THPrepare_geometric(THDtype dtype, THTensor *self, double p);
TH_API bool THPrepare_bernoulli(THDtype dtype, THTensor *self, double p);

/* Rates, probabilities and weights are for run to judge; r may share memory with those of poisson and binomial. */
TH_API void THPrepare_randperm(THResult *result, THDtype dtype, THTensor *r, int64_t n);
TH_API void THPrepare_poisson(THResult *result, THDtype dtype, THTensor *r, const THTensor *rate);
TH_API void THPrepare_binomial(THResult *result, THDtype dtype, THTensor *r, const THTensor *count,
                               const THTensor *prob);
TH_API void THPrepare_multinomial(THResult *result, THDtype dtype, THTensor *r, const THTensor *weights, int64_t n,
                                  bool replacement);

#endif
