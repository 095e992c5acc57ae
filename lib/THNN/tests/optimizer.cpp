// Steps of optimisers: lists of parameters against one after the other, what fused means, and what is refused.
#include <THNN/THNN.h>

#include "../../TH/tests/tensors.hpp"

using namespace test;

namespace {

// SGD: p += factor g
THNNStep descent(THTensor *param, THTensor *grad, double factor) { return {{param, grad}, {1, 0, 0, 0, factor, 0}}; }

TEST(Optimizer, ListsAreOneParameterAfterTheOther) {
  const int threads = TH_getNumThreads();
  for (const THDtype dtype : {TH_Float, TH_Double, TH_Half, TH_BFloat16})
    for (const int n : {1, 3}) {
      TH_setNumThreads(n);
      std::vector<Tensor> params, grads, expected;
      std::vector<THNNStep> steps;
      for (const int64_t size : {3, 0, 30000, 1, 20000, 517}) {
        params.push_back(random(dtype, {size}));
        grads.push_back(random(dtype, {size}, 2));
        expected.push_back(random(dtype, {size}));
        THNNStep one = descent(expected.back(), grads.back(), -0.1);
        THNNOptimizer_steps(nullptr, THNN_RULE_SGD, &one, 1, false);
        steps.push_back(descent(params.back(), grads.back(), -0.1));
      }
      THNNOptimizer_steps(nullptr, THNN_RULE_SGD, steps.data(), int64_t(steps.size()), false);
      for (size_t i = 0; i < params.size(); i++) EXPECT_EQ(values(params[i]), values(expected[i]));
    }
  TH_setNumThreads(threads);
}

TEST(Optimizer, FusedStepsRoundOnlyWhatTheyStore) {
  // In bfloat16 -0.1 is -0.10009765625: only 128 times that takes 12.8125 to 0.
  for (const bool fused : {false, true}) {
    const Tensor p = of(TH_BFloat16, {12.8125}), g = of(TH_BFloat16, {128});
    const THNNStep step = descent(p, g, -0.1);
    THNNOptimizer_steps(nullptr, THNN_RULE_SGD, &step, 1, fused);
    EXPECT_EQ(get(p, 0) == 0, !fused);
  }
}

TEST(Optimizer, RefusedBeforeAnythingIsWritten) {
  const Tensor p = random(TH_Float, {4}), g = random(TH_Float, {4}), q = random(TH_Float, {4});
  const std::vector<double> before = values(p);
  const Tensor longer = random(TH_Float, {5}), wider = random(TH_Double, {4});
  for (const Tensor *const bad : {&longer, &wider, &q}) {
    const THNNStep steps[] = {descent(p, g, 1), descent(q, *bad, 1)};
    EXPECT_THROW(THNNOptimizer_steps(nullptr, THNN_RULE_SGD, steps, 2, false), th::Exception);
    EXPECT_EQ(values(p), before);
  }
  const THNNStep stateless = descent(p, g, 1);
  EXPECT_THROW(THNNOptimizer_steps(nullptr, THNN_RULE_ADAM, &stateless, 1, false), th::Exception);
}

}  // namespace
