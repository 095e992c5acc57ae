// Convolutions between the planes that a table names.
#pragma once

#include "modules.hpp"

namespace thnn {

class Map {
 public:
  Map(THDtype dtype, bool transposed, const THTensor *table, int64_t inputs, int64_t outputs, Sizes stride);
  void updateOutput(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias) const;
  void updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                       const THTensor *weight) const;
  void accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                         double scale) const;

 private:
  Convolution convolution(const THTensor *weight, const char *name, int64_t (&shape)[4]) const;
  Ref filters(const THTensor *weight, const int64_t (&shape)[4]) const;

  THDtype dtype_;
  bool transposed_;
  int64_t inputs_, outputs_;
  Sizes stride_;
  Ref index_;  // of each row's filter, among those between all planes
};

}  // namespace thnn
