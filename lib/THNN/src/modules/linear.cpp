// The dense linear map, by the product of matrices.
#include "modules.hpp"

namespace thnn {
namespace {

// t (size) or (batch, size) as rows.
Ref rowsOf(const THTensor *t, const char *name) {
  if (t->ndim != 1 && t->ndim != 2)
    THError(TH_ERROR_RUNTIME, "%s must be a vector or a matrix, but its shape is %s", name, shapeString(t).c_str());
  THTensor *const self = const_cast<THTensor *>(t);
  return Ref(t->ndim == 2 ? THTensor_newWithTensor(self) : THTensor_newUnsqueeze1d(self, 0));
}

Ref transposed(const THTensor *t) { return Ref(THTensor_newTranspose(const_cast<THTensor *>(t), 0, 1)); }

void checkWeight(THDtype dtype, const THTensor *weight, const char *name, const THTensor *x) {
  requireDtype(weight, dtype, name);
  requireDtype(x, dtype, "input");
  if (weight->ndim != 2 || weight->size[1] != x->size[1])
    THError(TH_ERROR_RUNTIME, "Need %s of shape (outputs, %lld), but got %s", name, (long long)x->size[1],
            shapeString(weight).c_str());
}

// r = a b + t, or a b where t is NULL, of rows; one row becomes a vector where `single`.
void product(THDtype dtype, THTensor *r, const THTensor *t, const THTensor *a, const THTensor *b, bool single) {
  requireDtype(r, dtype, "result");
  const Ref own(single ? newLike(r, dtype) : THTensor_newWithTensor(r));
  THTensor *const to = single ? static_cast<THTensor *>(own) : r;
  addMatricesOf(dtype)(to, scalar(t ? 1.0 : 0.0), t ? t : to, scalar(1.0), a, b);
  if (single) assign(r, Ref(THTensor_newSelect(own, 0, 0)));
}

void output(THDtype dtype, const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias) {
  const Ref x = rowsOf(input, "input");
  checkWeight(dtype, weight, "weight", x);
  Ref rows;
  if (bias) {
    requireDtype(bias, dtype, "bias");
    requireShape(bias, "bias", {weight->size[0]});
    const int64_t size[] = {x->size[0], weight->size[0]};
    rows = Ref(THTensor_newExpand(const_cast<THTensor *>(bias), 2, size));
  }
  product(dtype, output, rows, x, transposed(weight), input->ndim == 1);
}

void gradInput(THDtype dtype, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               const THTensor *weight) {
  const Ref x = rowsOf(input, "input"), gy = rowsOf(gradOutput, "gradOutput");
  checkWeight(dtype, weight, "weight", x);
  requireBatch(input, gradOutput);
  requireDtype(gradOutput, dtype, "gradOutput");
  requireShape(gy, "gradOutput", {x->size[0], weight->size[0]});
  product(dtype, gradInput, nullptr, gy, weight, input->ndim == 1);
}

void gradients(THDtype dtype, const THTensor *input, const THTensor *gradOutput, const THTensor *bias,
               THTensor *gradWeight, THTensor *gradBias, double scale) {
  const Ref x = rowsOf(input, "input"), gy = rowsOf(gradOutput, "gradOutput");
  checkWeight(dtype, gradWeight, "gradWeight", x);
  requireBatch(input, gradOutput);
  requireDtype(gradOutput, dtype, "gradOutput");
  requireShape(gy, "gradOutput", {x->size[0], gradWeight->size[0]});
  if (bias && !gradBias) THError(TH_ERROR_RUNTIME, "a bias has a gradient: gradBias must be a tensor");
  if (bias) {
    requireDtype(gradBias, dtype, "gradBias");
    requireShape(gradBias, "gradBias", {gradWeight->size[0]});
  }
  requireWritable(gradWeight, bias ? gradBias : nullptr);
  const Ref sums = bias ? sumsOf(dtype, gy, 1) : Ref();
  addMatricesOf(dtype)(gradWeight, scalar(1.0), gradWeight, scalar(scale), transposed(gy), x);
  if (bias) accumulate(dtype, gradBias, sums, scale);
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(Linear_updateOutput, floating, THNN_WEIGHTED_OUTPUT(THNN_BUFFER(addBuffer)),
            thnn::output(dtype, input, output, weight, bias))
THNN_DEFINE(Linear_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
             const THTensor *weight),
            thnn::gradInput(dtype, input, gradOutput, gradInput, weight))
THNN_DEFINE(Linear_accGradParameters, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, const THNullableTensor *gradInput,
             const THTensor *weight, const THNullableTensor *bias, THTensor *gradWeight, THNullableTensor *gradBias,
             THNN_BUFFER(addBuffer), double scale),
            thnn::gradients(dtype, input, gradOutput, bias, gradWeight, gradBias, scale))
