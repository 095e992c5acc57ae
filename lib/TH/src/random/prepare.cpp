// Random numbers: what is checked before the generator is used.
#include <TH/THCheck.h>
#include <TH/THPrepare.h>

#include <cmath>
#include <cstdint>

#include "random.hpp"

using namespace th;

namespace {

// Can the dtype hold x, by the range of its finite numbers?
bool fits(THDtype dtype, int64_t x) {
  const DtypeRow &row = dtypeTable[dtype];
  if (isFloating(dtype)) return std::fabs(double(x)) <= row.greatest;
  const bool isSigned = row.digits + 1 == 8 * row.size;
  if (x < 0) return isSigned && x >= -1 - int64_t(~uint64_t(0) >> (64 - row.digits));
  return uint64_t(x) <= ~uint64_t(0) >> (64 - row.digits);
}

// self is filled where it lies.
bool prepareFill(THDtype dtype, const THTensor *self) {
  requireDtype(self, dtype);
  requireDistinct(self);
  return hasMemory(self) && self->numel;
}

// The dtype must hold 0 … n - 1 exactly (bfloat16 is exempt, as in torch).
void checkPermutation(THDtype dtype, int64_t n) {
  const int digits = dtypeTable[dtype].digits;
  const int64_t most = digits >= 63 ? INT64_MAX : (int64_t(1) << digits) + isFloating(dtype);
  if (n <= most || dtype == TH_BFloat16) return;
  if (!isFloating(dtype))
    THError(TH_ERROR_RUNTIME, "value cannot be converted to type %s without overflow", dtypeTable[dtype].names.written);
  if (dtype == TH_Half) THError(TH_ERROR_RUNTIME, "n cannot be greater than 2049 for Half type.");
  THError(TH_ERROR_RUNTIME, "n cannot be greater than 2^%d+1 for %s type.", digits, TH_typeName(dtype));
}

}  // namespace

void THCheck_uniform(double from, double to) {
  if (!(from <= to))
    THError(TH_ERROR_RUNTIME, "uniform_ expects to return a [from, to) range, but found from=%g > to=%g", from, to);
}

void THCheck_normal(double std) {
  if (!(std >= 0)) THError(TH_ERROR_RUNTIME, "normal expects std >= 0.0, but found std %g", std);
}

void THCheck_random(int64_t from, int64_t to) {
  if (from >= to)
    THError(TH_ERROR_RUNTIME, "random_ expects 'from' to be less than 'to', but got from=%lld >= to=%lld",
            (long long)from, (long long)to);
}

void THCheck_cauchy(double sigma) {
  if (!(sigma > 0)) THError(TH_ERROR_RUNTIME, "cauchy_ expects sigma > 0.0, but found sigma=%g", sigma);
}

void THCheck_exponential(double lambda) {
  if (!(lambda > 0)) THError(TH_ERROR_RUNTIME, "exponential_ expects lambda > 0.0, but found lambda=%g", lambda);
}

void THCheck_logNormal(double std) {
  if (!(std > 0)) THError(TH_ERROR_RUNTIME, "log_normal_ expects std > 0.0, but found std=%g", std);
}

void THCheck_geometric(double p) {
  if (!(p > 0 && p < 1)) THError(TH_ERROR_RUNTIME, "geometric_ expects p to be in (0, 1), but got p=%g", p);
}

bool THPrepare_uniform(THDtype dtype, THTensor *self, double from, double to) {
  const double largest = dtypeTable[dtype].greatest;
  if (!(std::fabs(from) <= largest)) THError(TH_ERROR_RUNTIME, "from is out of bounds for %s", cppName(dtype));
  if (!(std::fabs(to) <= largest)) THError(TH_ERROR_RUNTIME, "to is out of bounds for %s", cppName(dtype));
  THCheck_uniform(from, to);
  if (!(to - from <= largest))
    THError(TH_ERROR_RUNTIME,
            "uniform_ expects to-from <= std::numeric_limits<%s>::max(), but found to=%g and "
            "from=%g which result in to-from to exceed the limit",
            TH_typeName(dtype), to, from);
  return prepareFill(dtype, self);
}

bool THPrepare_normal(THDtype dtype, THTensor *self, double, double std) {
  THCheck_normal(std);
  return prepareFill(dtype, self);
}

bool THPrepare_random(THDtype dtype, THTensor *self, int64_t from, int64_t to) {
  THCheck_random(from, to);
  if (!fits(dtype, from)) THError(TH_ERROR_RUNTIME, "from is out of bounds for %s", cppName(dtype));
  if (!fits(dtype, to - 1)) THError(TH_ERROR_RUNTIME, "to - 1 is out of bounds for %s", cppName(dtype));
  return prepareFill(dtype, self);
}

bool THPrepare_randomUpTo(THTensor *self, int64_t from, int64_t last) {
  if (from > last)
    THError(TH_ERROR_RUNTIME, "random_ expects 'from' to be at most 'last', but got from=%lld > last=%lld",
            (long long)from, (long long)last);
  return prepareFill(TH_Long, self);
}

bool THPrepare_randomNonNegative(THTensor *self) { return prepareFill(TH_Int, self); }

bool THPrepare_cauchy(THDtype dtype, THTensor *self, double, double sigma) {
  THCheck_cauchy(sigma);
  return prepareFill(dtype, self);
}

bool THPrepare_exponential(THDtype dtype, THTensor *self, double lambda) {
  THCheck_exponential(lambda);
  return prepareFill(dtype, self);
}

bool THPrepare_logNormal(THDtype dtype, THTensor *self, double, double std) {
  THCheck_logNormal(std);
  return prepareFill(dtype, self);
}

bool THPrepare_geometric(THDtype dtype, THTensor *self, double p) {
  THCheck_geometric(p);
  return prepareFill(dtype, self);
}

bool THPrepare_bernoulli(THDtype dtype, THTensor *self, double p) {
  if (!(p >= 0 && p <= 1)) THError(TH_ERROR_RUNTIME, "bernoulli_ expects p to be in [0, 1], but got p=%g", p);
  return prepareFill(dtype, self);
}

void THPrepare_randperm(THResult *result, THDtype dtype, THTensor *r, int64_t n) {
  requireDtype(r, dtype);
  checkPermutation(dtypeOf(r), n);
  setResult(*result, r, 1, &n);
}

void THPrepare_poisson(THResult *result, THDtype dtype, THTensor *r, const THTensor *rate) {
  requireDtype(r, dtype);
  requireDtype(rate, dtype, "rate");
  requireMemory(r, rate);
  setResult(*result, r, rate);
}

void THPrepare_binomial(THResult *result, THDtype dtype, THTensor *r, const THTensor *count, const THTensor *prob) {
  requireDtype(r, dtype);
  requireDtype(count, dtype, "count");
  requireDtype(prob, dtype, "prob");
  if (!sameShape(count->ndim, count->size, prob))
    THError(TH_ERROR_RUNTIME, "count and prob must have one shape, got %s and %s", shapeString(count).c_str(),
            shapeString(prob).c_str());
  requireMemory(r, count);
  requireMemory(r, prob);
  setResult(*result, r, count);
}

void THPrepare_multinomial(THResult *result, THDtype dtype, THTensor *r, const THTensor *weights, int64_t n,
                           bool replacement) {
  requireDtype(r, TH_Long, "result");
  requireDtype(weights, dtype, "weights");
  if (weights->ndim < 1 || weights->ndim > 2) THError(TH_ERROR_RUNTIME, "prob_dist must be 1 or 2 dim");
  const int64_t categories = weights->size[weights->ndim - 1], rows = weights->ndim == 2 ? weights->size[0] : 1;
  if (n <= 0) THError(TH_ERROR_RUNTIME, "cannot sample n_sample <= 0 samples, got %lld", (long long)n);
  if (!replacement && n > categories)
    THError(TH_ERROR_RUNTIME,
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement, got %lld and %lld", (long long)n,
            (long long)categories);
  requireMemory(r, weights);
  const int64_t size[] = {rows, n};
  setResult(*result, r, weights->ndim, weights->ndim == 2 ? size : size + 1);
}
