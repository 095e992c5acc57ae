// Convolutions between the planes that a table names, as one with filters between all of which most are 0.
#include "map.hpp"

namespace thnn {

Map::Map(THDtype dtype, bool transposed, const THTensor *table, int64_t inputs, int64_t outputs, Sizes stride)
    : dtype_(dtype), transposed_(transposed), inputs_(inputs), outputs_(outputs), stride_(stride) {
  if (inputs < 0 || outputs < 0 || table->ndim != 2 || table->size[1] != 2)
    THError(TH_ERROR_RUNTIME,
            "connTable must be 2-dimensional, with a row (input plane, output plane) per filter, but its shape is %s",
            shapeString(table).c_str());
  const Ref planes(newLike(table, TH_Long, 2, table->size));
  THTensor_copy(planes, table);
  index_ = Ref(newLike(table, TH_Long, 1, table->size));
  for (int64_t k = 0; k < table->size[0]; k++) {
    const int64_t from = elements<int64_t>(planes)[2 * k], to = elements<int64_t>(planes)[2 * k + 1];
    if (from < 0 || from >= inputs || to < 0 || to >= outputs)
      THError(TH_ERROR_INDEX, "row %lld of connTable, (%lld, %lld), is none of %lld input and %lld output planes",
              (long long)k, (long long)from, (long long)to, (long long)inputs, (long long)outputs);
    elements<int64_t>(index_)[k] = transposed ? from * outputs + to : to * inputs + from;
  }
}

// As a convolution has it; `shape` becomes that of all filters.
Convolution Map::convolution(const THTensor *weight, const char *name, int64_t (&shape)[4]) const {
  if (weight->ndim != 3 || weight->size[0] != index_->numel)
    THError(TH_ERROR_RUNTIME, "Need %s of shape (%lld, kH, kW), one filter per row of connTable, but got %s", name,
            (long long)index_->numel, shapeString(weight).c_str());
  requireDtype(weight, dtype_, name);
  shape[0] = transposed_ ? inputs_ : outputs_;
  shape[1] = transposed_ ? outputs_ : inputs_;
  shape[2] = weight->size[1];
  shape[3] = weight->size[2];
  return {.dtype = dtype_, .n = 2, .kernel = {shape[2], shape[3]}, .stride = stride_, .transposed = transposed_};
}

Ref Map::filters(const THTensor *weight, const int64_t (&shape)[4]) const {
  Ref all(newLike(weight, dtype_, 4, shape));
  THTensor_zero(all);
  const int64_t rows[] = {shape[0] * shape[1], shape[2], shape[3]};
  THTensor_indexAdd(Ref(THTensor_newView(all, 3, rows)), 0, index_, weight);
  return all;
}

void Map::updateOutput(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias) const {
  int64_t shape[4];
  const Convolution c = convolution(weight, "weight", shape);
  c.updateOutput(input, output, filters(weight, shape), bias);
}

void Map::updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                          const THTensor *weight) const {
  int64_t shape[4];
  const Convolution c = convolution(weight, "weight", shape);
  c.updateGradInput(input, gradOutput, gradInput, filters(weight, shape));
}

void Map::accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                            double scale) const {
  int64_t shape[4];
  const Convolution c = convolution(gradWeight, "gradWeight", shape);
  const Ref all(newLike(gradWeight, dtype_, 4, shape)), own(newLike(gradWeight, dtype_));
  THTensor_zero(all);
  requireWritable(gradWeight, gradBias);
  c.accGradParameters(input, gradOutput, all, gradBias, scale);
  const int64_t rows[] = {shape[0] * shape[1], shape[2], shape[3]};
  THTensor_indexSelect(own, Ref(THTensor_newView(all, 3, rows)), 0, index_);
  accumulate(dtype_, gradWeight, own, 1);
}

}  // namespace thnn
