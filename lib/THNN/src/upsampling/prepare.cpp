// What upsampling checks, and the shapes of its results.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <THNN/Check.h>
#include <THNN/Upsampling.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

// "(H: 5, W: 6)": a size, as messages have it.
struct Space {
  char text[128];
  Space(int n, const int64_t *size) {
    char *to = text;
    for (int i = 0; i < n; i++)
      to += snprintf(to, 32, "%s%c: %lld", i ? ", " : "(", "DHW"[3 - n + i], (long long)size[i]);
    snprintf(to, 4, ")");
  }
};

void require(THDtype dtype, const THTensor *r, const THTensor *t, const char *name) {
  requireDtype(t, dtype, name);
  requireMemory(r, t);
  requireDtype(r, dtype, "result");
}

// From t, which is (batch, channels, `from`…), to planes of `to`, which are r's.
void setPlan(THNNUpSamplingPlan &plan, THTensor *r, const THTensor *t, int n, const int64_t *to,
             int64_t (&fromSpace)[3], int64_t (&toSpace)[3]) {
  if (n < 1 || n > 3) THError(TH_ERROR_RUNTIME, "upsampling goes over 1 to 3 dimensions, got %d", n);
  if (plan.mode < THNN_NEAREST || plan.mode > THNN_LANCZOS_ANTIALIASED)
    THError(TH_ERROR_RUNTIME, "no mode of upsampling has the number %d", int(plan.mode));
  THNNCheck_images(n, t);
  const int64_t *const from = t->size + 2;
  const auto fits = [](int64_t s) { return s > 0 && s <= std::numeric_limits<int32_t>::max(); };
  if (!std::all_of(from, from + n, fits) || !std::all_of(to, to + n, fits))
    THError(TH_ERROR_RUNTIME, "Input and output sizes should be greater than 0, but got input %s%s output %s",
            Space(n, from).text, n == 1 ? " and" : "", Space(n, to).text);
  if (!t->size[1])
    THError(TH_ERROR_RUNTIME, "Non-empty %dD data tensor expected but got a tensor with sizes %s", n + 2,
            shapeString(t).c_str());
  int64_t size[5] = {t->size[0], t->size[1]};
  std::copy_n(to, n, size + 2);
  for (int d = 0; d < 3; d++) {
    const bool spans = d >= 3 - n;
    fromSpace[d] = spans ? from[d - 3 + n] : 1;
    toSpace[d] = spans ? to[d - 3 + n] : 1;
  }
  plan.planes = t->size[0] * t->size[1];
  setResult(plan.result, r, n + 2, size);
}

}  // namespace
}  // namespace thnn

using namespace thnn;

void THNNCheck_images(int n, const THTensor *images) {
  if (images->ndim != n + 2)
    THError(TH_ERROR_RUNTIME, "It is expected input_size equals to %d, but got size %d", n + 2, images->ndim);
}

bool THNNPrepare_UpSampling_updateOutput(THNNUpSamplingPlan *plan, THDtype dtype, const THTensor *input,
                                         THTensor *output, int n, const int64_t *size) {
  require(dtype, output, input, "input");
  setPlan(*plan, output, input, n, size, plan->input, plan->output);
  const bool nearest = plan->mode == THNN_NEAREST || plan->mode == THNN_NEAREST_EXACT;
  const bool floating = dtype == TH_Half || dtype == TH_BFloat16 || dtype == TH_Float || dtype == TH_Double;
  if (!floating && !nearest && !(dtype == TH_Byte && n == 2))
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"upsampling by weights\" not implemented for '%s'", TH_typeName(dtype));
  return hasMemory(output) && plan->planes;
}

bool THNNPrepare_UpSampling_updateGradInput(THNNUpSamplingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                            THTensor *gradInput, int n, const int64_t *size) {
  require(dtype, gradInput, gradOutput, "grad_output");
  setPlan(*plan, gradInput, gradOutput, n, size, plan->output, plan->input);
  return hasMemory(gradInput) && plan->planes;
}
