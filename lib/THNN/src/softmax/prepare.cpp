// What softmax checks, and the shapes of its results.
#include <THNN/THNN.h>

#include "kit/module.hpp"
#include "kit/sortkeys.hpp"

using namespace thnn;

static void setRows(THRowsPlan *plan, THTensor *r, const THTensor *input, int64_t dim) {
  plan->dim = TH_wrapDim(dim, input->ndim);
  plan->rows = Rows(input, plan->dim);
  setResult(plan->result[0], r, input);
}

void THNNPrepare_softMax(THRowsPlan *plan, THDtype dtype, const THTensor *input, THTensor *output, int64_t dim) {
  checkOutput(dtype, input, output);
  setRows(plan, output, input, dim);
}

void THNNPrepare_softMaxGradient(THRowsPlan *plan, THDtype dtype, const THTensor *gradOutput, THTensor *gradInput,
                                 const THTensor *output, int64_t dim) {
  checkGradient(dtype, gradOutput, gradInput, output);
  setRows(plan, gradInput, gradOutput, dim);
}
