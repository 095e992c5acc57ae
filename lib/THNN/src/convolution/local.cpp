// Convolutions with weights of their own at each position: there, a product of a matrix with the images' patches. Work is
// shared out by positions, so each sum is one thread's.
#include <memory>
#include <THNN/THNN.h>

#include "kit/computed.hpp"
#include "unfolding.hpp"

namespace thnn {
namespace {

// What a call is about: `rows` of a patch, `outputs` and `positions`.
struct Local {
  THNNUnfoldingPlan plan;
  int batched;
  int64_t rows, outputs, positions;
};

void require(THDtype dtype, const THTensor *t, const char *name) {
  requireDtype(t, dtype, name);
  requireMemory(t, t);
}

void requireShape(const THTensor *t, const char *name, int64_t numel, bool fits) {
  if (!fits || t->numel != numel)
    THError(TH_ERROR_RUNTIME,
            "SpatialConvolutionLocal: %s must have %lld elements, in the order of the header, but its "
            "shape is %s",
            name, (long long)numel, shapeString(t).c_str());
}

// `weight`: or what has its shape.
Local localOf(THDtype dtype, const THTensor *input, const THTensor *weight, const THNNUnfoldingPlan &given,
              int64_t height, int64_t width) {
  require(dtype, input, "input");
  require(dtype, weight, "weight");
  if (input->ndim != 3 && input->ndim != 4)
    THError(TH_ERROR_RUNTIME, "3D or 4D (batch mode) tensor expected for input, but got: %s",
            shapeString(input).c_str());
  if (weight->ndim != 3 && weight->ndim != 6)
    THError(TH_ERROR_RUNTIME, "3D or 6D tensor expected for weight, but got: %s", shapeString(weight).c_str());
  const int batched = input->ndim - 3;
  Local local{checkedPlan(given, input->size[batched], height, width, nullptr, "SpatialConvolutionLocal"), batched,
              input->size[batched] * given.kernel[0] * given.kernel[1], weight->size[weight->ndim == 6 ? 2 : 1],
              height * width};
  local.plan.batch = batched ? input->size[0] : 1;
  if (input->size[batched + 1] != given.image[0] || input->size[batched + 2] != given.image[1])
    THError(TH_ERROR_RUNTIME, "SpatialConvolutionLocal: images of %lld by %lld expected, but input has shape %s",
            (long long)given.image[0], (long long)given.image[1], shapeString(input).c_str());
  requireShape(weight, "weight", local.positions * local.outputs * local.rows, true);
  return local;
}

void requireOutput(const Local &local, const THTensor *t, const char *name) {
  requireShape(t, name, local.plan.batch * local.outputs * local.positions, t->ndim == 3 + local.batched);
}

// A result that no other tensor of the call shares memory with.
void requireApart(const THTensor *r, std::initializer_list<const THTensor *> others) {
  for (const THTensor *other : others)
    if (r->storage == other->storage)
      THError(TH_ERROR_RUNTIME, "SpatialConvolutionLocal: results may not share memory with other arguments");
}

// (batch, rows, positions), or without a batch.
template <class T>
struct Columns {
  Columns(const Local &local, THTensor *t)
      : size{local.plan.batch, local.rows, local.positions}, result(t, 2 + local.batched, size + 1 - local.batched),
        data(result.template data<T>()) {}
  int64_t size[3];
  ContiguousResult result;
  T *data;
};

// t (batch, n, positions) at one position, as a matrix of n by batch; put() is the way back.
template <class T>
void take(const T *t, int64_t batch, int64_t n, int64_t positions, int64_t at, T *matrix) {
  for (int64_t i = 0; i < batch * n; i++) matrix[i] = t[i * positions + at];
}
template <class T>
void put(const T *matrix, int64_t batch, int64_t n, int64_t positions, int64_t at, T *t) {
  for (int64_t i = 0; i < batch * n; i++) t[i * positions + at] = matrix[i];
}

// work(position, memory for patches, memory for outputs)
template <class T, class Work>
void forPositions(const Local &local, const Work &work) {
  const int64_t patches = local.plan.batch * local.rows, outputs = local.plan.batch * local.outputs;
  const int64_t cost = std::max<int64_t>(1, patches * local.outputs);
  parallelFor(local.positions, std::max<int64_t>(1, kGrain / cost), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<T[]> memory(new T[size_t(patches + outputs)]);
    for (int64_t p = begin; p < end; p++) work(p, memory.get(), memory.get() + patches);
  });
}

template <class T>
void updateOutput(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
                  THTensor *finput, const THNNUnfoldingPlan &given, int64_t height, int64_t width) {
  const Local local = localOf(DtypeOf<T>::value, input, weight, given, height, width);
  require(DtypeOf<T>::value, bias, "bias");
  requireShape(bias, "bias", local.outputs * local.positions, true);
  for (const THTensor *r : {output, finput}) require(DtypeOf<T>::value, r, "a result");
  requireApart(output, {input, weight, bias, finput});
  requireApart(finput, {input, weight, bias});
  const Elements<T> x(input), w(weight), b(bias);
  const int64_t shape[] = {local.plan.batch, local.outputs, height, width};
  Columns<T> columns(local, finput);
  ContiguousResult result(output, 3 + local.batched, shape + 1 - local.batched);
  unfold(local.plan, x.data(), columns.data);
  T *const y = result.data<T>();
  const int64_t batch = local.plan.batch, rows = local.rows, n = local.outputs, positions = local.positions;
  forPositions<T>(local, [&](int64_t p, T *patches, T *outputs) {
    take(columns.data, batch, rows, positions, p, patches);
    for (int64_t i = 0; i < batch * n; i++) outputs[i] = b.data()[i % n * positions + p];
    gemm('t', 'n', n, batch, rows, w.data() + p * n * rows, rows, patches, rows, T(1), outputs, n);
    put(outputs, batch, n, positions, p, y);
  });
  columns.result.finish();
  result.finish();
}

template <class T>
void updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, const THTensor *weight,
                     THTensor *fgradInput, const THNNUnfoldingPlan &given, int64_t height, int64_t width) {
  const Local local = localOf(DtypeOf<T>::value, input, weight, given, height, width);
  require(DtypeOf<T>::value, gradOutput, "gradOutput");
  requireOutput(local, gradOutput, "gradOutput");
  for (const THTensor *r : {gradInput, fgradInput}) require(DtypeOf<T>::value, r, "a result");
  requireApart(gradInput, {gradOutput, weight, fgradInput});
  requireApart(fgradInput, {input, gradOutput, weight});
  const Elements<T> gy(gradOutput), w(weight);
  Columns<T> columns(local, fgradInput);
  ContiguousResult result(gradInput, input->ndim, input->size);
  const int64_t batch = local.plan.batch, rows = local.rows, n = local.outputs, positions = local.positions;
  forPositions<T>(local, [&](int64_t p, T *patches, T *outputs) {
    take(gy.data(), batch, n, positions, p, outputs);
    gemm('n', 'n', rows, batch, n, w.data() + p * n * rows, rows, outputs, n, T(0), patches, rows);
    put(patches, batch, rows, positions, p, columns.data);
  });
  accumulate(local.plan, columns.data, result.data<T>(), true);
  columns.result.finish();
  result.finish();
}

template <class T>
void accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                       THTensor *finput, const THNNUnfoldingPlan &given, int64_t height, int64_t width, T scale) {
  const Local local = localOf(DtypeOf<T>::value, input, gradWeight, given, height, width);
  require(DtypeOf<T>::value, gradOutput, "gradOutput");
  require(DtypeOf<T>::value, gradBias, "gradBias");
  require(DtypeOf<T>::value, finput, "finput");
  requireOutput(local, gradOutput, "gradOutput");
  requireShape(gradBias, "gradBias", local.outputs * local.positions, true);
  requireApart(gradWeight, {input, gradOutput, gradBias, finput});
  requireApart(gradBias, {input, gradOutput, finput});
  requireApart(finput, {input, gradOutput});
  const Elements<T> x(input), gy(gradOutput);
  Columns<T> columns(local, finput);
  ContiguousResult weights(gradWeight), biases(gradBias);
  unfold(local.plan, x.data(), columns.data);
  T *const gw = weights.data<T>(), *const gb = biases.data<T>();
  const int64_t batch = local.plan.batch, rows = local.rows, n = local.outputs, positions = local.positions;
  forPositions<T>(local, [&](int64_t p, T *patches, T *outputs) {
    take(columns.data, batch, rows, positions, p, patches);
    take(gy.data(), batch, n, positions, p, outputs);
    gemm('n', 't', rows, n, batch, patches, rows, outputs, n, T(1), gw + p * n * rows, rows, scale);
    for (int64_t i = 0; i < batch * n; i++) gb[i % n * positions + p] += scale * outputs[i];
  });
  columns.result.finish();
  weights.finish();
  biases.finish();
}

}  // namespace
}  // namespace thnn

#define LOCAL_PLAN thnn::planOf(kH, kW, 1, 1, padH, padW, dH, dW, inputHeight, inputWidth), outputHeight, outputWidth

THNN_DEFINE(SpatialConvolutionLocal_updateOutput, float_double,
            (THNNState *, const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
             THTensor *finput, THTensor *, int64_t kW, int64_t kH, int64_t dW, int64_t dH, int64_t padW, int64_t padH,
             int64_t inputWidth, int64_t inputHeight, int64_t outputWidth, int64_t outputHeight),
            thnn::updateOutput<T>(input, output, weight, bias, finput, LOCAL_PLAN))
THNN_DEFINE(SpatialConvolutionLocal_updateGradInput, float_double,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
             const THTensor *weight, THTensor *, THTensor *fgradInput, int64_t kW, int64_t kH, int64_t dW, int64_t dH,
             int64_t padW, int64_t padH, int64_t inputWidth, int64_t inputHeight, int64_t outputWidth,
             int64_t outputHeight),
            thnn::updateGradInput<T>(input, gradOutput, gradInput, weight, fgradInput, LOCAL_PLAN))
THNN_DEFINE(SpatialConvolutionLocal_accGradParameters, float_double,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
             THTensor *finput, THTensor *, int64_t kW, int64_t kH, int64_t dW, int64_t dH, int64_t padW, int64_t padH,
             int64_t inputWidth, int64_t inputHeight, int64_t outputWidth, int64_t outputHeight, double scale),
            thnn::accGradParameters<T>(input, gradOutput, gradWeight, gradBias, finput, LOCAL_PLAN, T(scale)))
