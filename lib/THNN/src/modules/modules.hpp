// The general functions with the arguments of modules: which dimensions are meant, and in which order they come.
#pragma once

#include <array>
#include <THNN/THNN.h>

#include "kit/module.hpp"

// Arguments that a module's functions take and that the general ones do not need.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// Defines name(dtype): the function of that dtype.
#define THNN_BY_DTYPE(name, before, after)                                               \
  inline auto name(THDtype dtype)->decltype(&before##Float##after) {                     \
    switch (dtype) {                                                                     \
      TH_FOR_floating(THNN_BY_DTYPE_, before, after) default : refuseDtype(dtype); \
    }                                                                                    \
  }
#define THNN_BY_DTYPE_(Name, before, after) \
  case TH_##Name:                           \
    return before##Name##after;

namespace thnn {

[[noreturn]] void refuseDtype(THDtype dtype);

THNN_BY_DTYPE(addOf, TH, Tensor_cadd)
THNN_BY_DTYPE(multiplyOf, TH, Tensor_cmul)
THNN_BY_DTYPE(sumOf, TH, Tensor_sum)
THNN_BY_DTYPE(addMatricesOf, TH, Tensor_addmm)

// Sizes of depth, height and width; of fewer dimensions the first ones.
using Sizes = std::array<int64_t, 3>;
inline Sizes line(int64_t W) { return {W}; }
inline Sizes plane(int64_t W, int64_t H) { return {H, W}; }
inline Sizes space(int64_t T, int64_t W, int64_t H) { return {T, H, W}; }
inline constexpr Sizes kOnes{1, 1, 1}, kZeros{0, 0, 0};

// Where a sample has its channels.
enum class Channels { first, last };

// A view of samples with their channels first; raises unless t is a sample or a batch of n dimensions.
Ref channelsFirst(const THTensor *t, int n, Channels channels, const char *name);

// The same as a batch, of one sample where t is one.
Ref batchOf(const THTensor *t, int n, Channels channels, const char *name);

// Gives r the shape and the elements of t.
void assign(THTensor *r, const THTensor *t);

// target += scale * t, which have one shape.
void accumulate(THDtype dtype, THTensor *target, const THTensor *t, double scale);

// t's sums over all its dimensions but that of channels. Results are added to when all sums are there, as they may share
// memory with what is summed.
Ref sumsOf(THDtype dtype, const THTensor *t, int channels);

// Raises unless both gradients can be written: gradBias, which may be NULL, apart from gradWeight.
void requireWritable(const THTensor *gradWeight, const THTensor *gradBias);

// Raises unless t has this shape.
void requireShape(const THTensor *t, const char *name, int ndim, const int64_t *size);
inline void requireShape(const THTensor *t, const char *name, std::initializer_list<int64_t> size) {
  requireShape(t, name, int(size.size()), size.begin());
}

// Raises unless one is a batch where the other is.
void requireBatch(const THTensor *input, const THTensor *gradOutput);

// Fills r, of samples like those of input over n dimensions: fill(a batch with channels first).
template <class Fill>
void deliver(THDtype dtype, THTensor *r, const THTensor *input, int n, Channels channels, const Fill &fill) {
  const bool single = input->ndim == n + 1;
  if (!single && channels == Channels::first) return fill(r);
  requireDtype(r, dtype, "result");
  const Ref batch(newLike(r, dtype));
  fill(static_cast<THTensor *>(batch));
  const Ref samples = channelsFirst(batch, n, channels, "result");  // which a second exchange undoes
  assign(r, single ? Ref(THTensor_newSelect(samples, 0, 0)) : Ref(THTensor_newWithTensor(samples)));
}

// How filters lie in the weight of a module.
enum class Filters {
  general,    // (outputs, channels, kernel…), transposed (channels, outputs, kernel…); or of two dimensions
  frames,     // (outputs, kW channels), the channels of one frame side by side
  multiplier, // (multiplier, channels, kernel…): each channel has a few of its own
  rows,       // (channels, 1, kW) or (channels, kW): each channel has one
};

// A convolution over n dimensions, as modules have it.
struct Convolution {
  THDtype dtype;
  int n;
  Sizes kernel, stride = kOnes, padding = kZeros, dilation = kOnes, adjustment = kZeros;
  bool transposed = false;
  Filters filters = Filters::general;
  Channels channels = Channels::first;

  void updateOutput(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias) const;
  void updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                       const THTensor *weight) const;
  void accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                         double scale) const;

  // Of filters as the general functions take them: (outputs, channels, kernel…).
  void forward(const THTensor *x, THTensor *output, const THTensor *filters, const THTensor *bias,
               int64_t groups) const;
  void backward(const THTensor *x, const THTensor *gy, THTensor *gradInput, const THTensor *filters,
                int64_t groups) const;
  // Of filters of this shape.
  Ref gradient(const THTensor *x, const THTensor *gy, const THTensor *filters, int64_t groups) const;

 private:
  Ref viewed(THTensor *weight, const char *name) const;
  int64_t groupsOf(const THTensor *view) const;
  Ref filtersOf(THTensor *view) const;
  void checkGradient(const THTensor *x, const THTensor *gy, const THTensor *filters, int64_t groups) const;
  void sizeOfOutput(const THTensor *x, const THTensor *filters, int64_t (&size)[5]) const;
};

// A pooling by windows of one size, as modules have it.
struct Pooling {
  THDtype dtype;
  int n;
  Sizes kernel, stride, padding = kZeros, dilation = kOnes;
  bool ceilMode = false, paddingCounts = true;
  int64_t divisor = 0;
  Channels channels = Channels::first;

  void max(const THTensor *input, THTensor *output, THTensor *indices) const;
  void maxGradient(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                   const THTensor *indices) const;
  void average(const THTensor *input, THTensor *output) const;
  void averageGradient(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput) const;

  // Raises unless gy has the shape of x's output.
  void checkGradient(const THTensor *x, const THTensor *gy, bool average) const;

 private:
  THNNPoolingSteps steps() const;
};

// The sums over windows (an average whose divisor is 1), times weight, plus bias.
struct SubSampling {
  Pooling sums;

  void updateOutput(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias) const;
  void updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                       const THTensor *weight) const;
  void accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                         double scale) const;
};

// Of poolings that know their windows by output's size.
void adaptiveMax(THDtype dtype, const THTensor *input, THTensor *output, THTensor *indices, Sizes size);
void adaptiveAverage(THDtype dtype, const THTensor *input, THTensor *output, Sizes size);
void adaptiveAverageGradient(THDtype dtype, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput);
void fractionalMax(THDtype dtype, int n, const THTensor *input, THTensor *output, Sizes size, Sizes kernel,
                   THTensor *indices, const THTensor *samples);
// Whatever gave the indices; gradOutput's planes have `size`, but for adaptive pooling, which does not say: NULL.
void maxGradient(THDtype dtype, int n, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                 const THTensor *indices, const Sizes *size);
void unpool(THDtype dtype, int n, const THTensor *input, THTensor *output, const THTensor *indices, Sizes size);
void unpoolGradient(THDtype dtype, int n, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                    const THTensor *indices, Sizes size);

}  // namespace thnn

// Defines what THNN_WEIGHTED declares, of a struct like Convolution: `forward` is the object that each function makes of
// its arguments.
#define THNN_DEFINE_WEIGHTED(Module, forward, backward, gradients, ...)                                  \
  THNN_DEFINE(Module##_updateOutput, floating, THNN_WEIGHTED_OUTPUT forward,                                \
              (__VA_ARGS__).updateOutput(input, output, weight, bias))                                      \
  THNN_DEFINE(Module##_updateGradInput, floating, THNN_WEIGHTED_GRAD_INPUT backward,                        \
              (__VA_ARGS__).updateGradInput(input, gradOutput, gradInput, weight))                          \
  THNN_DEFINE(Module##_accGradParameters, floating, THNN_WEIGHTED_GRADIENTS gradients,                      \
              (__VA_ARGS__).accGradParameters(input, gradOutput, gradWeight, gradBias, scale))

// The same of what THNN_WEIGHTED_BUFFERS and THNN_WEIGHTED_COLUMNS declare; `numbers` in parentheses.
#define THNN_NUMBERS(...) __VA_ARGS__
#define THNN_DEFINE_BUFFERS(Module, first, second, numbers, ...)                           \
  THNN_DEFINE_WEIGHTED(Module, (THNN_BUFFERS(first, second), THNN_NUMBERS numbers),       \
                       (THNN_BUFFERS(first, second), THNN_NUMBERS numbers),               \
                       (THNN_BUFFERS(first, second), THNN_NUMBERS numbers), __VA_ARGS__)
#define THNN_DEFINE_COLUMNS(Module, numbers, ...)                                                   \
  THNN_DEFINE_WEIGHTED(Module, (THNN_BUFFERS(columns, ones), THNN_NUMBERS numbers),                 \
                       (THNN_BUFFER(columns), THNN_NUMBERS numbers),                                \
                       (THNN_BUFFERS(columns, ones), THNN_NUMBERS numbers), __VA_ARGS__)
