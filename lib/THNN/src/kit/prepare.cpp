// What functions of all families check.
#include "module.hpp"

namespace thnn {

void check(THDtype dtype, const Named &result, std::initializer_list<Named> inputs) {
  const Named &first = *inputs.begin();
  for (const Named &input : inputs) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(result.tensor, input.tensor);
    if (!THTensor_isSameSizeAs(first.tensor, input.tensor))
      THError(TH_ERROR_RUNTIME, "%s and %s must have the same shape, but got %s and %s", first.name, input.name,
              shapeString(first.tensor).c_str(), shapeString(input.tensor).c_str());
  }
  requireDtype(result.tensor, dtype, result.name);
}

void checkOutput(THDtype dtype, const THTensor *input, const THTensor *output) {
  check(dtype, {output, "output"}, {{input, "input"}});
}
void checkGradient(THDtype dtype, const THTensor *gradOutput, const THTensor *gradInput, const THTensor *output) {
  check(dtype, {gradInput, "gradInput"}, {{gradOutput, "gradOutput"}, {output, "output"}});
}

}  // namespace thnn
