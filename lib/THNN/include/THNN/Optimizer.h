/* Steps of optimisers: one loop over many parameters, each with its gradient and its state, which have one dtype, one shape
 * and one order of elements in memory, without gaps. Half types too; they compute in float.
 *
 * An element is rounded to the dtype after each operation, as by the tensor operators that the step stands for, unless the
 * step is `fused`: then only what is stored is rounded.
 *
 * The first two numbers of every rule are `sign`, which the gradient is multiplied by (-1: the objective is maximised), and
 * `decay`; decay times the parameter p is added to make g. Where there is a number shrink, p is multiplied by it then. Below
 * is what each rule computes of p, g, its state and its further numbers. A tensor in brackets may be missing: then what it is
 * for is left out. x += w (y - x) is computed from the nearer end, as by lerp. */
#ifndef THNN_OPTIMIZER_H
#define THNN_OPTIMIZER_H

#include <THNN/THNNGeneral.h>

typedef enum THNNRule {
  /* state average, square, [largest]; numbers shrink, rest1, beta2, rest2, root, eps, factor.
   * average += rest1 (g - average); square = beta2 square + rest2 g²; largest = max(largest, square) is used in its place;
   * p += factor average / (sqrt(square) / root + eps) */
  THNN_RULE_ADAM,
  /* state [buffer]; numbers momentum, rest, factor, nesterov.
   * buffer = momentum buffer + rest g takes g's place, or (nesterov) is added to it momentum times; p += factor g */
  THNN_RULE_SGD,
  /* state square, [average], [buffer]; numbers alpha, rest, eps, momentum, factor.
   * square = alpha square + rest g²; average += rest (g - average), whose square is taken off; q = g / (sqrt(square) + eps),
   * or buffer = momentum buffer + q; p += factor q */
  THNN_RULE_RMSPROP,
  /* state sum; numbers eps, factor. sum += g²; p += factor g / (sqrt(sum) + eps) */
  THNN_RULE_ADAGRAD,
  /* state square, delta; numbers rho, rest, eps, factor. square = rho square + rest g²;
   * d = sqrt(delta + eps) / sqrt(square + eps) g; delta = rho delta + rest d²; p += factor d */
  THNN_RULE_ADADELTA,
  /* state average, largest; numbers rest1, beta2, eps, factor. average += rest1 (g - average);
   * largest = max(beta2 largest, |g| + eps); p += factor average / largest */
  THNN_RULE_ADAMAX,
  /* state average, square; numbers shrink, rest1, beta2, rest2, correction, eps, along, ahead. average, square as of Adam;
   * d = sqrt(square / correction) + eps; p += along g / d; p += ahead average / d */
  THNN_RULE_NADAM,
  /* state average, square; numbers shrink, rest1, beta2, rest2, correction, rate, adaptive, root, eps, rectified. average,
   * square as of Adam; u = rate average / correction; where adaptive, u *= root / (sqrt(square) + eps) rectified; p -= u */
  THNN_RULE_RADAM,
  /* state mean; numbers shrink, rate, weight. p = shrink p - rate g; mean += weight (p - mean), or p itself for weight 1 */
  THNN_RULE_ASGD,
  /* state previous, size; numbers minus, plus, least, most. Where g previous is under 0: size *= minus, g = 0; where it is
   * over 0: size *= plus. size is brought into [least, most]; p -= sign(g) size; previous = g */
  THNN_RULE_RPROP,
  THNN_NUM_RULES
} THNNRule;

enum { THNN_STEP_TENSORS = 5, THNN_STEP_NUMBERS = 12 };

/* One parameter's step. tensors: the parameter, its gradient, its state (NULL: not there); numbers: sign, decay, and the
 * rule's. */
typedef struct THNNStep {
  THTensor *tensors[THNN_STEP_TENSORS];
  double numbers[THNN_STEP_NUMBERS];
} THNNStep;

/* Makes n steps by one rule, as if one after the other, and counts the writes as versions. Raises, before anything is
 * written, for tensors that differ, that are not there but needed or that share memory within a step. */
TH_API void THNNOptimizer_steps(THNNState *state, THNNRule rule, const THNNStep *steps, int64_t n, bool fused);

/* ---- prepare halves ------------------------------------------------------------------------------ */

/* Whether a step can go over them in one pass: of one dtype, shape and order of elements, without gaps; NULL: not there. */
TH_API bool THNNPrepare_step(const THTensor *const *tensors, int n);

#endif
