/* Steps of optimisers, each one pass over a parameter, its gradient and its state, which have one shape and one order of
 * elements in memory, without gaps. An element is rounded after each operation, as by the tensor operators that the step
 * stands for. `decay` times the parameter is added to the gradient g, whose sign maximize turns round first. */
#ifndef THNN_OPTIMIZER_H
#define THNN_OPTIMIZER_H

#include <THNN/THNNGeneral.h>

/* param *= shrink; average += rest1·(g - average); square = beta2·square + rest2·g²; then, with `largest` the greatest
 * square so far where it is given, param += factor·average / (sqrt(square) / root + eps). shrink 1 and decay 0: none. */
THNN_FUNCTION(Adam_step, float_double,
              (THNNState *state, THTensor *param, const THTensor *grad, THTensor *average, THTensor *square,
               THNullableTensor *largest, double shrink, double decay, double rest1, double beta2, double rest2,
               double root, double eps, double factor, bool maximize))

/* With `buffer`: buffer = momentum·buffer + rest·g, which takes g's place, or is added to it momentum times (nesterov).
 * param += factor·g. */
THNN_FUNCTION(SGD_step, float_double,
              (THNNState *state, THTensor *param, const THTensor *grad, THNullableTensor *buffer, double decay,
               double momentum, double rest, double factor, bool nesterov, bool maximize))

/* square = alpha·square + rest·g²; with `average` its square is taken off, average += rest·(g - average). The quotient
 * q = g / (sqrt(square) + eps); with `buffer`, buffer = momentum·buffer + q takes its place. param += factor·q. */
THNN_FUNCTION(RMSprop_step, float_double,
              (THNNState *state, THTensor *param, const THTensor *grad, THTensor *square, THNullableTensor *average,
               THNullableTensor *buffer, double decay, double alpha, double rest, double eps, double momentum,
               double factor, bool maximize))

/* sum += g²; param += factor·g / (sqrt(sum) + eps). */
THNN_FUNCTION(Adagrad_step, float_double,
              (THNNState *state, THTensor *param, const THTensor *grad, THTensor *sum, double decay, double eps,
               double factor, bool maximize))

/* ---- prepare halves ------------------------------------------------------------------------------ */

/* Whether a step can go over them in one pass: of one dtype, shape and order of elements, without gaps; NULL: not there. */
TH_API bool THNNPrepare_step(const THTensor *const *tensors, int n);

#endif
