// What padding checks, and the shapes of its results.
#include <algorithm>
#include <cstdio>
#include <THNN/Padding.h>

#include "kit/images.hpp"

namespace thnn {
namespace {

void require(THDtype dtype, const THTensor *r, const THTensor *t, const char *name) {
  requireDtype(t, dtype, name);
  requireMemory(r, t);
  requireDtype(r, dtype, "result");
}

int dimensionsOf(int mode, int npadding) {
  if (mode != THNN_PAD_REFLECTION && mode != THNN_PAD_REPLICATION)
    THError(TH_ERROR_RUNTIME, "no mode of padding has the number %d", mode);
  if (npadding < 2 || npadding > 6 || npadding % 2)
    THError(TH_ERROR_RUNTIME, "padding must have two entries for each of 1 to 3 dimensions, got %d", npadding);
  return npadding / 2;
}

// "H: 5, W: 6": sizes of `n` dimensions, as messages have them.
struct Sizes {
  char text[128];
  Sizes(int n, const int64_t *size, const char *separator) {
    char *to = text;
    for (int i = 0; i < n; i++)
      to += snprintf(to, 36, "%s%c: %lld",
                     !i           ? ""
                     : n - i == 2 ? " "
                                  : separator,
                     "DHW"[3 - n + i],
                     (long long)size[i]);  // "D: 4 H: 5, W: 6", as torch has it
  }
};

void requireDims(const THTensor *t, int n) {
  bool fits = t->ndim == n + 1 || t->ndim == n + 2;
  for (int d = t->ndim - n - 1; fits && d < t->ndim; d++) fits = t->size[d] > 0;
  if (!fits)
    THError(TH_ERROR_RUNTIME,
            "Expected %dD or %dD (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
            "input, but got: %s",
            n + 1, n + 2, shapeString(t).c_str());
}

// From planes of `size`, which are t's or will be the result's, whose leading dimensions t has.
void setPlan(THNNPaddingPlan &plan, const THTensor *t, int n, const int64_t *size, const int64_t *padding) {
  std::fill_n(plan.input, 3, 1);
  std::fill_n(plan.output, 3, 1);
  std::fill_n(plan.before, 3, 0);
  int64_t shape[5], output[3];
  std::copy_n(t->size, t->ndim - n, shape);
  std::copy_n(size, n, shape + t->ndim - n);
  for (int i = n - 1; i >= 0; i--) {
    const int64_t before = padding[2 * (n - 1 - i)], after = padding[2 * (n - 1 - i) + 1];
    if (plan.mode == THNN_PAD_REFLECTION && (before >= size[i] || after >= size[i]))
      THError(TH_ERROR_RUNTIME,
              "Argument #%d: Padding size should be less than the corresponding input dimension, but got: padding "
              "(%lld, %lld) at dimension %d of input %s",
              4 + 2 * (n - 1 - i), (long long)before, (long long)after, t->ndim - n + i,
              shapeString(t->ndim, shape).c_str());
    output[i] = TH_saturatedSum(TH_saturatedSum(size[i], before), after);
    plan.input[3 - n + i] = size[i];
    plan.output[3 - n + i] = output[i];
    plan.before[3 - n + i] = before;
  }
  if (std::any_of(output, output + n, [](int64_t o) { return o < 1; }))
    THError(TH_ERROR_RUNTIME, "input (%s%s) is too small. Calculated output %s", Sizes(n, size, ", ").text,
            n == 2 && plan.mode == THNN_PAD_REPLICATION ? " " : "", Sizes(n, output, " ").text);
  plan.planes = 1;
  for (int d = 0; d < t->ndim - n; d++) plan.planes *= t->size[d];
}

void setResultOf(THNNPaddingPlan &plan, THTensor *r, const THTensor *t, const int64_t (&space)[3], int n) {
  int64_t size[5];
  std::copy_n(t->size, t->ndim - n, size);
  std::copy_n(space + 3 - n, n, size + t->ndim - n);
  setResult(plan.result, r, t->ndim, size);
  if (n > 1 && (n == 2 || plan.mode == THNN_PAD_REPLICATION) && areChannelsLast(t, n)) setChannelsLast(plan.result);
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_Padding_updateOutput(THNNPaddingPlan *plan, THDtype dtype, const THTensor *input, THTensor *output,
                                      int mode, int npadding, const int64_t *padding) {
  const int n = dimensionsOf(mode, npadding);
  require(dtype, output, input, "input");
  requireDims(input, n);
  plan->mode = THNNPaddingMode(mode);
  setPlan(*plan, input, n, input->size + input->ndim - n, padding);
  setResultOf(*plan, output, input, plan->output, n);
  return hasMemory(output) && plan->planes;
}

bool THNNPrepare_Padding_updateGradInput(THNNPaddingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                         THTensor *gradInput, int mode, int nsize, const int64_t *size, int npadding,
                                         const int64_t *padding) {
  const int n = dimensionsOf(mode, npadding);
  if (nsize != n) THError(TH_ERROR_RUNTIME, "size must have %d entries, got %d", n, nsize);
  require(dtype, gradInput, gradOutput, "grad_output");
  requireDims(gradOutput, n);
  if (std::any_of(size, size + n, [](int64_t s) { return s < 1; }))
    THError(TH_ERROR_RUNTIME, "elements of size must be greater than 0");
  plan->mode = THNNPaddingMode(mode);
  setPlan(*plan, gradOutput, n, size, padding);
  if (!std::equal(plan->output + 3 - n, plan->output + 3, gradOutput->size + gradOutput->ndim - n))
    THError(TH_ERROR_RUNTIME, "the output of this padding has planes of (%s), but grad_output has shape %s",
            Sizes(n, plan->output + 3 - n, ", ").text, shapeString(gradOutput).c_str());
  setResultOf(*plan, gradInput, gradOutput, plan->input, n);
  return hasMemory(gradInput) && plan->planes;
}
