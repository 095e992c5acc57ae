// Steps of optimisers over lists: what torch.optim calls instead of an operator for each part of its rule.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <THPP/Tensor.h>

namespace thpp {

using TensorLists = std::vector<std::vector<Tensor>>;

struct OptimizerRule {
  const char *name;
  size_t options, counters;  // how many numbers a step takes, and lists of what is counted
};

// The rule of torch.optim with this name; nullptr: there is none.
THPP_API const OptimizerRule *find_optimizer_rule(const char *name);

// Makes a step. `lists`: the parameters, their gradients, and what else is kept of each, in the order in which THNN has it
// (THNN/Optimizer.h); an empty list stands for what is not there. `counters`: a tensor of one element on the host for each
// parameter, the number of steps first. `options`: as many as the rule takes. `fused`: only what is stored is rounded.
//
// false, with nothing changed, where no loop takes the tensors: complex, with gaps, of several shapes or dtypes, on a device
// without a kernel for this, or such as are to be recorded. Then the rule is to be gone through by operators.
THPP_API bool optimizer_step(const OptimizerRule &rule, const TensorLists &lists, const TensorLists &counters,
                             std::span<const double> options, bool fused);

}  // namespace thpp
