// What attention checks, and the shapes of its results.
#include <algorithm>
#include <THNN/Attention.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

void requireFour(const THTensor *t, const char *name) {
  if (t->ndim != 4)
    THError(TH_ERROR_RUNTIME, "attention: %s must have 4 dimensions, but its shape is %s", name,
            shapeString(t).c_str());
}

void requireShape(const THTensor *t, const char *name, int ndim, const int64_t *size) {
  if (!sameShape(ndim, size, t))
    THError(TH_ERROR_RUNTIME, "attention: %s must have shape %s, but it has %s", name, shapeString(ndim, size).c_str(),
            shapeString(t).c_str());
}

void setMask(THNNAttentionPlan &plan, const THTensor *mask) {
  const int64_t full[4] = {plan.batch, plan.heads, plan.queries, plan.keys};
  std::fill_n(plan.maskStride, 4, 0);
  if (!mask) return;
  bool fits = mask->ndim <= 4;
  for (int d = 4 - mask->ndim, i = 0; fits && i < mask->ndim; d++, i++) {
    fits = mask->size[i] == full[d] || mask->size[i] == 1;
    plan.maskStride[d] = mask->size[i] == 1 ? 0 : mask->stride[i];
  }
  if (!fits)
    THError(TH_ERROR_RUNTIME, "attention: a mask of shape %s does not broadcast to %s", shapeString(mask).c_str(),
            shapeString(4, full).c_str());
  if (dtypeOf(mask) != TH_Bool && (!isFloating(dtypeOf(mask)) || isStored(dtypeOf(mask))))
    THError(TH_ERROR_RUNTIME, "attention: the mask must be bool or floating, but it is %s", TH_typeName(dtypeOf(mask)));
}

// Checks that both directions share; r is the first result.
void setShapes(THNNAttentionPlan &plan, THDtype dtype, const THTensor *r, const THTensor *query, const THTensor *key,
               const THTensor *value, const THTensor *mask) {
  for (const Named &input : {Named{query, "query"}, Named{key, "key"}, Named{value, "value"}}) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(r, input.tensor);
    requireFour(input.tensor, input.name);
  }
  if (mask) requireMemory(r, mask);
  plan.batch = query->size[0], plan.heads = query->size[1], plan.queries = query->size[2], plan.width = query->size[3];
  plan.keyHeads = key->size[1], plan.keys = key->size[2], plan.valueWidth = value->size[3];
  const int64_t keys[4] = {plan.batch, plan.keyHeads, plan.keys, plan.width};
  const int64_t values[4] = {plan.batch, plan.keyHeads, plan.keys, plan.valueWidth};
  requireShape(key, "key", 4, keys);
  requireShape(value, "value", 4, values);
  if (plan.heads && (!plan.keyHeads || plan.heads % plan.keyHeads))
    THError(TH_ERROR_RUNTIME, "attention: %lld heads of key and value do not divide %lld of query",
            (long long)plan.keyHeads, (long long)plan.heads);
  setMask(plan, mask);
}

// Of statistics, which half types may have in float.
void requireStatistics(const THTensor *t, THDtype dtype) {
  if (dtypeOf(t) != TH_Float || dtype == TH_Double) requireDtype(t, dtype, "logsumexp");
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_ScaledDotProductAttention_updateOutput(THNNAttentionPlan *plan, THDtype dtype, const THTensor *query,
                                                        const THTensor *key, const THTensor *value, THTensor *output,
                                                        THTensor *logsumexp, const THTensor *mask) {
  setShapes(*plan, dtype, output, query, key, value, mask);
  requireDtype(output, dtype, "output");
  requireStatistics(logsumexp, dtype);
  const int64_t size[4] = {plan->batch, plan->heads, plan->queries, plan->valueWidth};
  requireSeparate(output, logsumexp, 4, size);
  requireSeparate(logsumexp, output, 3, size);
  setResult(plan->result[0], output, 4, size);
  setResult(plan->result[1], logsumexp, 3, size);
  return hasMemory(output);
}

bool THNNPrepare_ScaledDotProductAttention_updateGradInput(THNNAttentionPlan *plan, THDtype dtype,
                                                           const THTensor *query, const THTensor *key,
                                                           const THTensor *value, const THTensor *gradOutput,
                                                           THTensor *gradQuery, THTensor *gradKey, THTensor *gradValue,
                                                           const THTensor *output, const THTensor *logsumexp,
                                                           const THTensor *mask) {
  setShapes(*plan, dtype, gradQuery, query, key, value, mask);
  const int64_t size[4] = {plan->batch, plan->heads, plan->queries, plan->valueWidth};
  for (const Named &input : {Named{gradOutput, "grad_output"}, Named{output, "output"}}) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(gradQuery, input.tensor);
    requireShape(input.tensor, input.name, 4, size);
  }
  requireMemory(gradQuery, logsumexp);
  requireStatistics(logsumexp, dtype);
  requireShape(logsumexp, "logsumexp", 3, size);
  THTensor *const results[] = {gradQuery, gradKey, gradValue};
  const THTensor *const inputs[] = {query, key, value};
  const char *const names[] = {"gradQuery", "gradKey", "gradValue"};
  for (int i = 0; i < 3; i++) {
    requireDtype(results[i], dtype, names[i]);
    for (int other = 0; other < 3; other++)
      if (other != i) requireSeparate(results[i], results[other], 4, inputs[i]->size);
    setResult(plan->result[i], results[i], inputs[i]);
  }
  return hasMemory(gradQuery);
}
