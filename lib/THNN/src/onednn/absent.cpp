// THNN without oneDNN.
#ifndef THNN_ONEDNN

#include <THNN/OneDNN.h>

#include "onednn.hpp"

const char *THNNOneDNN_version(void) { return nullptr; }
bool THNNOneDNN_setVerbose(int) { return false; }
int64_t THNNOneDNN_cached(void) { return 0; }
int64_t THNNOneDNN_capacity(void) { return 0; }

namespace thnn::onednn {

bool forward(const THNNConvolutionPlan &, const float *, const float *, const float *, float *, Layout) {
  return false;
}
bool backwardInput(const THNNConvolutionPlan &, const float *, const float *, float *, Layout) { return false; }
bool backwardWeight(const THNNConvolutionPlan &, const float *, const float *, float *, Layout) { return false; }

}  // namespace thnn::onednn

#endif
