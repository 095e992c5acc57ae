// What activations share: element by element, and perhaps in place.
#pragma once

#include <initializer_list>

#include "kit/iterator.hpp"
#include "kit/module.hpp"
#include "kit/numbers.hpp"

namespace thnn {

void checkThreshold(THDtype dtype, const THTensor *input, const THTensor *output, bool inplace);
void checkThresholdGradient(THDtype dtype, const THTensor *input, const THTensor *gradOutput, const THTensor *gradInput,
                            bool inplace);

// What PReLU's gradient for its weight is made of: the sum of min(x, 0) g over a run; and those of the columns of a matrix
// of n rows, `stride` apart.
template <class C> struct SlopeLoops {
  C (*run)(const C *x, const C *g, int64_t n);
  void (*columns)(const C *x, const C *g, C *sums, int64_t n, int64_t width, int64_t stride);
};

template <class T>
void activate(const KernelTable &table, const THTensor *input, THTensor *output,
              std::initializer_list<double> numbers = {}) {
  checkOutput(DtypeOf<T>::value, input, output);
  const Numbers<T> parameters(numbers);
  pointwise(table, DtypeOf<T>::value, &parameters, output, {input});
}

// In place, the input is written, and output becomes another view of it.
template <class T>
void activate(const KernelTable &table, THTensor *input, THTensor *output, bool inplace,
              std::initializer_list<double> numbers) {
  if (!inplace) return activate<T>(table, input, output, numbers);
  checkThreshold(DtypeOf<T>::value, input, output, true);
  activate<T>(table, input, input, numbers);
  shareMemory(output, input);
}

// By the output, the kernel's second operand.
template <class T>
void activateBackwardByOutput(const KernelTable &table, const THTensor *gradOutput, THTensor *gradInput,
                              const THTensor *output, std::initializer_list<double> numbers = {}) {
  checkGradient(DtypeOf<T>::value, gradOutput, gradInput, output);
  const Numbers<T> parameters(numbers);
  pointwise(table, DtypeOf<T>::value, &parameters, gradInput, {gradOutput, output});
}

// By the input, or what the kernel has as its first operand.
template <class T>
void activateBackward(const KernelTable &table, const THTensor *known, const THTensor *gradOutput, THTensor *gradInput,
                      std::initializer_list<double> numbers = {}) {
  checkThresholdGradient(DtypeOf<T>::value, known, gradOutput, gradInput, false);
  const Numbers<T> parameters(numbers);
  pointwise(table, DtypeOf<T>::value, &parameters, gradInput, {known, gradOutput});
}

// In place, gradOutput is written, and gradInput becomes another view of it.
template <class T>
void activateBackward(const KernelTable &table, const THTensor *known, THTensor *gradOutput, THTensor *gradInput,
                      bool inplace, std::initializer_list<double> numbers) {
  if (!inplace) return activateBackward<T>(table, known, gradOutput, gradInput, numbers);
  checkThresholdGradient(DtypeOf<T>::value, known, gradOutput, gradInput, true);
  activateBackward<T>(table, known, gradOutput, gradOutput, numbers);
  shareMemory(gradInput, gradOutput);
}

}  // namespace thnn

// Definitions of a module's two functions that have the argument lists of most.
#define THNN_FORWARD(Name, table, parameters, ...)                                             \
  THNN_DEFINE(Name##_updateOutput, floating,                                                   \
              (THNNState *, const THTensor *input, THTensor *output THNN_UNPACK parameters),   \
              thnn::activate<T>(TH_BEST_TARGET(table), input, output, {__VA_ARGS__}))
#define THNN_FORWARD_INPLACE(Name, table, parameters, ...)                                     \
  THNN_DEFINE(Name##_updateOutput, floating,                                                   \
              (THNNState *, THTensor *input, THTensor *output THNN_UNPACK parameters, bool inplace), \
              thnn::activate<T>(TH_BEST_TARGET(table), input, output, inplace, {__VA_ARGS__}))
#define THNN_BACKWARD(Name, table, parameters, ...)                                            \
  THNN_DEFINE(Name##_updateGradInput, floating,                                                \
              (THNNState *, const THTensor *input, const THTensor *gradOutput,                 \
               THTensor *gradInput THNN_UNPACK parameters),                                    \
              thnn::activateBackward<T>(TH_BEST_TARGET(table), input, gradOutput, gradInput, {__VA_ARGS__}))
#define THNN_BACKWARD_INPLACE(Name, table, parameters, ...)                                    \
  THNN_DEFINE(Name##_updateGradInput, floating,                                                \
              (THNNState *, const THTensor *input, THTensor *gradOutput,                       \
               THTensor *gradInput THNN_UNPACK parameters, bool inplace),                      \
              thnn::activateBackward<T>(TH_BEST_TARGET(table), input, gradOutput, gradInput, inplace, {__VA_ARGS__}))
#define THNN_UNPACK(...) __VA_OPT__(, ) __VA_ARGS__
