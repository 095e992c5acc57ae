// THNN without oneDNN.
#ifndef THNN_ONEDNN

#include <THNN/OneDNN.h>

#include "onednn.hpp"

const char *THNN_oneDNNVersion(void) { return nullptr; }
bool THNN_setOneDNNVerbose(int) { return false; }
int64_t THNN_oneDNNCached(void) { return 0; }
int64_t THNN_oneDNNCapacity(void) { return 0; }

namespace thnn::onednn {

bool forward(const THNNConvolutionPlan &, const float *, const float *, const float *, float *) { return false; }
bool backwardInput(const THNNConvolutionPlan &, const float *, const float *, float *) { return false; }
bool backwardWeight(const THNNConvolutionPlan &, const float *, const float *, float *) { return false; }

}  // namespace thnn::onednn

#endif
