// Every prepare half of THNN beside the CPU's functions that it belongs to.
#include <THNN/THNN.h>

#include "../../TH/tests/apart.hpp"

using namespace test;

namespace {

constexpr THDtype F = TH_Float, D = TH_Double, L = TH_Long;
constexpr int64_t kIgnored = -100;
const Spec kNew = {F, {0}}, kMatrix = {F, {3, 4}}, kTurned = {F, {3, 4}, Layout::reversed}, kNumber = {F, {}};
const Spec kClasses = {L, {3}}, kWeights = {F, {4}};

void mse(THTensor *const *x, bool reduce) {
  THPointwisePlan plan;
  THResult loss;
  THNNPrepare_MSECriterion_updateOutput(&plan, &loss, F, x[1], x[2], x[0], reduce);
  resize(loss);
}
// clang-format off: tables
// x: output, total_weight, input, target, weights
#define NLL(weights, reduce)                                                                              \
  PREPARED(THNNPrepare_ClassNLLCriterion_updateOutput, F, x[2], x[3], x[0], weights, x[1], reduce),       \
      CALL(THNN_FloatClassNLLCriterion_updateOutput(nullptr, x[2], x[3], x[0], true, weights, x[1], kIgnored, reduce))
// x: gradInput, input, target, gradOutput, total_weight
#define NLL_GRADIENT(reduce)                                                                                        \
  PREPARED(THNNPrepare_ClassNLLCriterion_updateGradInput, F, x[1], x[2], x[3], x[0], nullptr, x[4], reduce),        \
      CALL(THNN_FloatClassNLLCriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, nullptr, x[4], kIgnored, \
                                                       reduce))

// x: …, of planes of 4 by 5, by windows of 2 by 3
constexpr int64_t kPlane[] = {4, 5}, kWindow[] = {2, 3}, kStep[] = {2, 2}, kPadding[] = {1, 1}, kOnes[] = {1, 1}, kNo[] = {0, 0};
const Spec kPlanes = {F, {3, 4, 5}, Layout::reversed}, kPooled = {F, {3, 3, 3}}, kPlaces = {L, {3, 3, 3}}, kNewPlaces = {L, {0}};
#define STEPS(kernel, stride, padding)                                                                    \
  const THNNPoolingSteps steps = {2, kernel, stride, padding, kOnes, false, true, 0}
#define LISTS(kernel, stride, padding) 2, kernel, 2, stride, 2, padding
#define MAX_POOLING(kernel, stride, padding)                                                              \
  CALL(STEPS(kernel, stride, padding); prepared(THNNPrepare_MaxPooling_updateOutput, F, x[2], x[0], x[1], &steps)), \
      CALL(THNN_FloatMaxPooling_updateOutput(nullptr, x[2], x[0], x[1], LISTS(kernel, stride, padding), 2, kOnes, false))
#define MAX_GRADIENT                                                                                     \
  PREPARED(THNNPrepare_MaxPooling_updateGradInput, F, x[1], x[0], x[2], 2, kPlane),                       \
      CALL(THNN_FloatMaxPooling_updateGradInput(nullptr, x[1], x[0], x[2], 2, kPlane))
#define AVERAGE_POOLING(kernel, stride, padding)                                                          \
  CALL(STEPS(kernel, stride, padding); prepared(THNNPrepare_AveragePooling_updateOutput, F, x[1], x[0], &steps)), \
      CALL(THNN_FloatAveragePooling_updateOutput(nullptr, x[1], x[0], LISTS(kernel, stride, padding), false, true, 0))
#define AVERAGE_GRADIENT(padding)                                                                         \
  CALL(STEPS(kWindow, kStep, padding); prepared(THNNPrepare_AveragePooling_updateGradInput, F, x[1], x[0], kPlane, &steps)), \
      CALL(THNN_FloatAveragePooling_updateGradInput(nullptr, x[1], x[0], 2, kPlane, LISTS(kWindow, kStep, padding),   \
                                                    false, true, 0))
#define UNPOOLING                                                                                        \
  PREPARED(THNNPrepare_MaxUnpooling_updateOutput, F, x[1], x[0], x[2], 2, kPlane),                        \
      CALL(THNN_FloatMaxUnpooling_updateOutput(nullptr, x[1], x[0], x[2], 2, kPlane))
#define FRACTIONAL(kernel)                                                                               \
  PREPARED(THNNPrepare_FractionalMaxPooling_updateOutput, F, x[2], x[0], x[1], 2, kernel, kStep, x[3]),   \
      CALL(THNN_FloatFractionalMaxPooling_updateOutput(nullptr, x[2], x[0], x[1], 2, kernel, 2, kStep, x[3]))

// x: output and logsumexp, or the three gradients, then query, key, value, (gradOutput, output, logsumexp,) mask
const Spec kQueries = {F, {2, 4, 3, 5}, Layout::reversed}, kKeys = {F, {2, 2, 6, 5}}, kAttended = {F, {2, 4, 3, 5}}, kSums = {F, {2, 4, 3}};
const Spec kSeen = {TH_Bool, {3, 6}};
#define ATTENTION(mask)                                                                                  \
  PREPARED(THNNPrepare_ScaledDotProductAttention_updateOutput, F, x[2], x[3], x[4], x[0], x[1], mask),    \
      CALL(THNN_FloatScaledDotProductAttention_updateOutput(nullptr, x[2], x[3], x[4], x[0], x[1], mask, false, 1))
#define ATTENTION_GRADIENT                                                                               \
  PREPARED(THNNPrepare_ScaledDotProductAttention_updateGradInput, F, x[3], x[4], x[5], x[6], x[0], x[1], x[2], x[7], x[8], \
           nullptr),                                                                                      \
      CALL(THNN_FloatScaledDotProductAttention_updateGradInput(nullptr, x[3], x[4], x[5], x[6], x[0], x[1], x[2], x[7],    \
                                                               x[8], nullptr, true, 1))

// x: …, of planes of 4 by 5 to 8 by 3, places, paddings and blocks
constexpr int64_t kImage[] = {8, 3}, kAround[] = {1, 2, 0, 1}, kFar[] = {9, 0, 0, 0};
const Spec kImages = {F, {2, 3, 4, 5}, Layout::reversed}, kLarge = {F, {2, 3, 8, 3}}, kAt = {F, {2, 8, 3, 2}};
const Spec kPadded = {F, {3, 5, 8}}, kColumns = {F, {2, 12, 12}};
#define UPSAMPLING(size)                                                                                  \
  CALL(THNNUpSamplingPlan plan{}; plan.mode = THNN_LINEAR;                                                \
       THNNPrepare_UpSampling_updateOutput(&plan, F, x[1], x[0], 2, size); resize(plan.result)), \
      CALL(THNN_FloatUpSampling_updateOutput(nullptr, x[1], x[0], THNN_LINEAR, false, 2, size, 0, 0, 0))
#define UPSAMPLING_GRADIENT                                                                               \
  CALL(THNNUpSamplingPlan plan{}; plan.mode = THNN_LINEAR;                                                \
       THNNPrepare_UpSampling_updateGradInput(&plan, F, x[1], x[0], 2, kPlane); resize(plan.result)), \
      CALL(THNN_FloatUpSampling_updateGradInput(nullptr, x[1], x[0], THNN_LINEAR, false, 2, kPlane, 0, 0, 0))
#define SAMPLING                                                                                         \
  CALL(THNNGridPlan plan{};                                                                              \
       THNNPrepare_GridSampler_updateOutput(&plan, F, x[1], x[2], x[0]); resize(plan.result)), \
      CALL(THNN_FloatGridSampler_updateOutput(nullptr, x[1], x[2], x[0], 0, 0, false))
#define SAMPLING_INPUT                                                                                   \
  CALL(THNNGridPlan plan{};                                                                              \
       THNNPrepare_GridSampler_updateGradInput(&plan, F, x[1], x[0], x[2], 2, kPlane); resize(plan.result)), \
      CALL(THNN_FloatGridSampler_updateGradInput(nullptr, x[1], x[0], x[2], 2, kPlane, 0, 0, false))
#define SAMPLING_GRID                                                                                    \
  CALL(THNNGridPlan plan{};                                                                              \
       THNNPrepare_GridSampler_updateGradGrid(&plan, F, x[1], x[2], x[3], x[0]); resize(plan.result)), \
      CALL(THNN_FloatGridSampler_updateGradGrid(nullptr, x[1], x[2], x[3], x[0], 0, 0, false))
#define PADDING(list)                                                                                    \
  PREPARED(THNNPrepare_Padding_updateOutput, F, x[1], x[0], THNN_PAD_REFLECTION, 4, list),                \
      CALL(THNN_FloatPadding_updateOutput(nullptr, x[1], x[0], THNN_PAD_REFLECTION, 4, list))
#define PADDING_GRADIENT                                                                                 \
  PREPARED(THNNPrepare_Padding_updateGradInput, F, x[1], x[0], THNN_PAD_REPLICATION, 2, kPlane, 4, kAround), \
      CALL(THNN_FloatPadding_updateGradInput(nullptr, x[1], x[0], THNN_PAD_REPLICATION, 2, kPlane, 4, kAround))
#define UNFOLDING(kernel)                                                                                \
  CALL(THNNUnfoldingPlan plan = {0, 0, {}, {}, {kernel, 2}, {1, 1}, {0, 0}, {1, 1}, {}};                  \
       THNNPrepare_Im2Col_updateOutput(&plan, F, x[1], x[0]); resize(plan.result)),                       \
      CALL(THNN_FloatIm2Col_updateOutput(nullptr, x[1], x[0], kernel, 2, 1, 1, 0, 0, 1, 1))
#define FOLDING                                                                                          \
  CALL(THNNUnfoldingPlan plan = {0, 0, {4, 5}, {}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {}};                   \
       THNNPrepare_Col2Im_updateOutput(&plan, F, x[1], x[0]); resize(plan.result)),                       \
      CALL(THNN_FloatCol2Im_updateOutput(nullptr, x[1], x[0], 4, 5, 2, 2, 1, 1, 0, 0, 1, 1))

const PrepareCase kCases[] = {
    {"ScaledDotProductAttention", {kNew, kNew}, {kQueries, kKeys, kKeys}, ATTENTION(nullptr)},
    {"ScaledDotProductAttention, mask", {kNew, kNew}, {kQueries, kKeys, kKeys, kSeen}, ATTENTION(x[5])},
    {"ScaledDotProductAttention, mask's shape", {kNew, kNew}, {kQueries, kKeys, kKeys, {F, {3, 5}}}, ATTENTION(x[5]), "does not broadcast to [2, 4, 3, 6]"},
    {"ScaledDotProductAttention, mask's dtype", {kNew, kNew}, {kQueries, kKeys, kKeys, {L, {3, 6}}}, ATTENTION(x[5]), "must be bool or floating", false},
    {"ScaledDotProductAttention, dims", {kNew, kNew}, {kMatrix, kKeys, kKeys}, ATTENTION(nullptr), "must have 4 dimensions"},
    {"ScaledDotProductAttention, width", {kNew, kNew}, {kQueries, {F, {2, 2, 6, 4}}, kKeys}, ATTENTION(nullptr), "key must have shape [2, 2, 6, 5]"},
    {"ScaledDotProductAttention, value", {kNew, kNew}, {kQueries, kKeys, {F, {2, 2, 5, 5}}}, ATTENTION(nullptr), "value must have shape [2, 2, 6, 5]"},
    {"ScaledDotProductAttention, heads", {kNew, kNew}, {kQueries, {F, {2, 3, 6, 5}}, {F, {2, 3, 6, 5}}}, ATTENTION(nullptr), "3 heads of key and value do not divide 4"},
    {"ScaledDotProductAttention, dtype", {kNew, {D, {0}}}, {kQueries, kKeys, kKeys}, ATTENTION(nullptr), "logsumexp must have dtype Float", false},
    {"ScaledDotProductAttention's gradient", {kNew, kNew, kNew}, {kQueries, kKeys, kKeys, kQueries, kAttended, kSums}, ATTENTION_GRADIENT},
    {"ScaledDotProductAttention's gradient, shape", {kNew, kNew, kNew}, {kQueries, kKeys, kKeys, kKeys, kAttended, kSums}, ATTENTION_GRADIENT, "grad_output must have shape [2, 4, 3, 5]"},
    {"ScaledDotProductAttention's gradient, sums", {kNew, kNew, kNew}, {kQueries, kKeys, kKeys, kQueries, kAttended, kClasses}, ATTENTION_GRADIENT, "logsumexp must have", false},
    {"UpSampling", {kNew}, {kImages}, UPSAMPLING(kImage)},
    {"UpSampling, size", {kNew}, {kImages}, UPSAMPLING(kNo), "greater than 0, but got input (H: 4, W: 5) output (H: 0, W: 0)"},
    {"UpSampling, dims", {kNew}, {kMatrix}, UPSAMPLING(kImage), "input_size equals to 4, but got size 2"},
    {"UpSampling's gradient", {kNew}, {kLarge}, UPSAMPLING_GRADIENT},
    {"GridSampler", {kNew}, {kImages, kAt}, SAMPLING},
    {"GridSampler, grid", {kNew}, {kImages, kLarge}, SAMPLING, "size 2 in last dimension"},
    {"GridSampler, batch", {kNew}, {kImages, {F, {1, 8, 3, 2}}}, SAMPLING, "same batch size"},
    {"GridSampler's gradient for input", {kNew}, {kLarge, kAt}, SAMPLING_INPUT},
    {"GridSampler's gradient for input, shape", {kNew}, {kImages, kAt}, SAMPLING_INPUT, "the samples have shape"},
    {"GridSampler's gradient for grid", {kNew}, {kImages, kAt, kLarge}, SAMPLING_GRID},
    {"Padding", {kNew}, {kPlanes}, PADDING(kAround)},
    {"Padding, far", {kNew}, {kPlanes}, PADDING(kFar), "less than the corresponding input dimension"},
    {"Padding, dims", {kNew}, {kMatrix}, PADDING(kAround), "Expected 3D or 4D"},
    {"Padding's gradient", {kNew}, {kPadded}, PADDING_GRADIENT},
    {"Padding's gradient, shape", {kNew}, {kPlanes}, PADDING_GRADIENT, "but grad_output has shape"},
    {"Im2Col", {kNew}, {kImages}, UNFOLDING(2)},
    {"Im2Col, kernel", {kNew}, {kImages}, UNFOLDING(0), "greater than zero, but got kernel_height: 0"},
    {"Im2Col, blocks", {kNew}, {kImages}, UNFOLDING(7), "sliding blocks as (-2, 4)"},
    {"Col2Im", {kNew}, {kColumns}, FOLDING},
    {"Col2Im, blocks", {kNew}, {{F, {2, 12, 11}}}, FOLDING, "3 * 4 = 12"},
    {"Sigmoid", {kNew}, {kTurned}, PREPARED(THNNPrepare_activation, F, x[1], x[0]),
     CALL(THNN_FloatSigmoid_updateOutput(nullptr, x[1], x[0]))},
    {"Tanh, dtype", {{D, {0}}}, {kMatrix}, PREPARED(THNNPrepare_activation, F, x[1], x[0]),
     CALL(THNN_FloatTanh_updateOutput(nullptr, x[1], x[0])), "output must have dtype Float", false},
    {"Tanh's gradient", {kNew}, {kTurned, kMatrix}, PREPARED(THNNPrepare_activationGradient, F, x[1], x[0], x[2]),
     CALL(THNN_FloatTanh_updateGradInput(nullptr, x[1], x[0], x[2]))},
    {"Sigmoid's gradient, shapes", {kNew}, {kMatrix, {F, {3, 3}}},
     PREPARED(THNNPrepare_activationGradient, F, x[1], x[0], x[2]),
     CALL(THNN_FloatSigmoid_updateGradInput(nullptr, x[1], x[0], x[2])), "must have the same shape"},
    {"Threshold", {kNew}, {kTurned}, PREPARED(THNNPrepare_Threshold_updateOutput, F, x[1], x[0], false),
     CALL(THNN_FloatThreshold_updateOutput(nullptr, x[1], x[0], 0, 0, false))},
    {"Threshold in place", {kNew, kTurned}, {}, PREPARED(THNNPrepare_Threshold_updateOutput, F, x[1], x[0], true),
     CALL(THNN_FloatThreshold_updateOutput(nullptr, x[1], x[0], 0, 0, true))},
    {"Threshold's gradient", {kNew}, {kTurned, kMatrix},
     PREPARED(THNNPrepare_Threshold_updateGradInput, F, x[1], x[2], x[0], false),
     CALL(THNN_FloatThreshold_updateGradInput(nullptr, x[1], x[2], x[0], 0, 0, false))},
    {"Threshold's gradient in place", {kNew, kMatrix}, {kTurned},
     PREPARED(THNNPrepare_Threshold_updateGradInput, F, x[2], x[1], x[0], true),
     CALL(THNN_FloatThreshold_updateGradInput(nullptr, x[2], x[1], x[0], 0, 0, true))},
    {"GatedLinear", {kNew}, {kTurned}, PREPARED(THNNPrepare_GatedLinear_updateOutput, F, x[1], x[0], 1),
     CALL(THNN_FloatGatedLinear_updateOutput(nullptr, x[1], x[0], 1))},
    {"GatedLinear, odd", {kNew}, {kTurned}, PREPARED(THNNPrepare_GatedLinear_updateOutput, F, x[1], x[0], 0),
     CALL(THNN_FloatGatedLinear_updateOutput(nullptr, x[1], x[0], 0)), "Halving dimension must be even"},
    {"GatedLinear's gradient", {kNew}, {kTurned, {F, {3, 2}}},
     PREPARED(THNNPrepare_GatedLinear_updateGradInput, F, x[1], x[2], x[0], -1),
     CALL(THNN_FloatGatedLinear_updateGradInput(nullptr, x[1], x[2], x[0], -1))},
    {"GatedLinear's gradient, shape", {kNew}, {kTurned, kMatrix},
     PREPARED(THNNPrepare_GatedLinear_updateGradInput, F, x[1], x[2], x[0], -1),
     CALL(THNN_FloatGatedLinear_updateGradInput(nullptr, x[1], x[2], x[0], -1)), "gradOutput must have the shape"},
    {"MultiMarginCriterion, each", {kNew}, {kTurned, kClasses, kWeights},
     PREPARED(THNNPrepare_MultiMarginCriterion_updateOutput, F, x[1], x[2], x[0], 2, x[3], false),
     CALL(THNN_FloatMultiMarginCriterion_updateOutput(nullptr, x[1], x[2], x[0], true, 2, x[3], 1, false))},
    {"MultiMarginCriterion, weights", {kNew}, {kTurned, kClasses, {F, {3}}},
     PREPARED(THNNPrepare_MultiMarginCriterion_updateOutput, F, x[1], x[2], x[0], 2, x[3], false),
     CALL(THNN_FloatMultiMarginCriterion_updateOutput(nullptr, x[1], x[2], x[0], true, 2, x[3], 1, false)),
     "inconsistent weight size"},
    {"MultiMarginCriterion's gradient", {kNew}, {kTurned, kClasses, kNumber},
     PREPARED(THNNPrepare_MultiMarginCriterion_updateGradInput, F, x[1], x[2], x[3], x[0], 1, nullptr, true),
     CALL(THNN_FloatMultiMarginCriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, 1, nullptr, 1, true))},
    {"MultiLabelMarginCriterion", {kNew}, {kTurned, {L, {3, 4}}},
     PREPARED(THNNPrepare_MultiLabelMarginCriterion_updateOutput, F, x[1], x[2], x[0], true),
     CALL(THNN_FloatMultiLabelMarginCriterion_updateOutput(nullptr, x[1], x[2], x[0], true, true))},
    {"MultiLabelMarginCriterion, target", {kNew}, {kTurned, kClasses},
     PREPARED(THNNPrepare_MultiLabelMarginCriterion_updateOutput, F, x[1], x[2], x[0], true),
     CALL(THNN_FloatMultiLabelMarginCriterion_updateOutput(nullptr, x[1], x[2], x[0], true, true)),
     "inconsistent target size"},
    {"MultiLabelMarginCriterion's gradient, each", {kNew}, {kTurned, {L, {3, 4}}, {F, {3}}},
     PREPARED(THNNPrepare_MultiLabelMarginCriterion_updateGradInput, F, x[1], x[2], x[3], x[0], false),
     CALL(THNN_FloatMultiLabelMarginCriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, false))},
    {"SpatialClassNLLCriterion, each", {kNew, kNew}, {{F, {3, 4, 2}}, {L, {3, 2}}},
     PREPARED(THNNPrepare_SpatialClassNLLCriterion_updateOutput, F, x[2], x[3], x[0], nullptr, x[1], false),
     CALL(THNN_FloatSpatialClassNLLCriterion_updateOutput(nullptr, x[2], x[3], x[0], true, nullptr, x[1], kIgnored, false))},
    {"SpatialClassNLLCriterion, target", {kNew, kNew}, {{F, {3, 4, 2}}, kClasses},
     PREPARED(THNNPrepare_SpatialClassNLLCriterion_updateOutput, F, x[2], x[3], x[0], nullptr, x[1], false),
     CALL(THNN_FloatSpatialClassNLLCriterion_updateOutput(nullptr, x[2], x[3], x[0], true, nullptr, x[1], kIgnored, false)),
     "size mismatch"},
    {"SpatialClassNLLCriterion's gradient", {kNew}, {{F, {3, 4, 2}}, {L, {3, 2}}, kNumber, kNumber},
     PREPARED(THNNPrepare_SpatialClassNLLCriterion_updateGradInput, F, x[1], x[2], x[3], x[0], nullptr, x[4], true),
     CALL(THNN_FloatSpatialClassNLLCriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, nullptr, x[4],
                                                             kIgnored, true))},
    {"SoftMax", {kNew}, {kTurned}, PREPARED(THNNPrepare_softMax, F, x[1], x[0], -2),
     CALL(THNN_FloatSoftMax_updateOutput(nullptr, x[1], x[0], -2))},
    {"LogSoftMax, dim", {kNew}, {kMatrix}, PREPARED(THNNPrepare_softMax, F, x[1], x[0], 2),
     CALL(THNN_FloatLogSoftMax_updateOutput(nullptr, x[1], x[0], 2)), "Dimension out of range"},
    {"LogSoftMax's gradient", {kNew}, {kTurned, kMatrix},
     PREPARED(THNNPrepare_softMaxGradient, F, x[1], x[0], x[2], 1),
     CALL(THNN_FloatLogSoftMax_updateGradInput(nullptr, x[1], x[0], x[2], 1))},
    {"MSECriterion, each", {kNew}, {kTurned, kMatrix}, CALL(mse(x, false)),
     CALL(THNN_FloatMSECriterion_updateOutput(nullptr, x[1], x[2], x[0], true, false))},
    {"MSECriterion", {kNew}, {kTurned, kMatrix}, CALL(mse(x, true)),
     CALL(THNN_FloatMSECriterion_updateOutput(nullptr, x[1], x[2], x[0], true, true))},
    {"MSECriterion, shapes", {kNew}, {kMatrix, kWeights}, CALL(mse(x, true)),
     CALL(THNN_FloatMSECriterion_updateOutput(nullptr, x[1], x[2], x[0], true, true)),
     "input and target must have the same shape"},
    {"MSECriterion's gradient, each", {kNew}, {kTurned, kMatrix, kMatrix},
     PREPARED(THNNPrepare_MSECriterion_updateGradInput, F, x[1], x[2], x[3], x[0], false),
     CALL(THNN_FloatMSECriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, false))},
    {"MSECriterion's gradient", {kNew}, {kTurned, kMatrix, kNumber},
     PREPARED(THNNPrepare_MSECriterion_updateGradInput, F, x[1], x[2], x[3], x[0], true),
     CALL(THNN_FloatMSECriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, true))},
    {"MSECriterion's gradient, number", {kNew}, {kTurned, kMatrix, kMatrix},
     PREPARED(THNNPrepare_MSECriterion_updateGradInput, F, x[1], x[2], x[3], x[0], true),
     CALL(THNN_FloatMSECriterion_updateGradInput(nullptr, x[1], x[2], x[3], x[0], true, true)),
     "Expected a single element grad_output"},
    {"ClassNLLCriterion, each", {kNew, kNew}, {kTurned, kClasses, kWeights}, NLL(x[4], false)},
    {"ClassNLLCriterion", {kNew, kNew}, {kTurned, kClasses}, NLL(nullptr, true)},
    {"ClassNLLCriterion, target", {kNew, kNew}, {kTurned, {L, {4}}}, NLL(nullptr, true), "size mismatch"},
    {"ClassNLLCriterion, weights", {kNew, kNew}, {kTurned, kClasses, {F, {3}}}, NLL(x[4], true), "for all 4 classes"},
    {"ClassNLLCriterion, total", {kNew, {D, {0}}}, {kTurned, kClasses}, NLL(nullptr, true),
     "total_weight must have dtype Float", false},
    {"ClassNLLCriterion's gradient, each", {kNew}, {kTurned, kClasses, {F, {3}}, kNumber}, NLL_GRADIENT(false)},
    {"ClassNLLCriterion's gradient", {kNew}, {kTurned, kClasses, kNumber, kNumber}, NLL_GRADIENT(true)},
    {"ClassNLLCriterion's gradient, number", {kNew}, {kTurned, kClasses, {F, {3}}, kNumber}, NLL_GRADIENT(true),
     "Expected a single element grad_output"},
    {"ClassNLLCriterion's gradient, shape", {kNew}, {kTurned, kClasses, {F, {4}}, kNumber}, NLL_GRADIENT(false),
     "one element per sample"},
    {"MaxPooling", {kNew, kNewPlaces}, {kPlanes}, MAX_POOLING(kWindow, kStep, kPadding)},
    {"MaxPooling, dims", {kNew, kNewPlaces}, {kMatrix}, MAX_POOLING(kWindow, kStep, kPadding), "non-empty 3D or 4D"},
    {"MaxPooling, empty", {kNew, kNewPlaces}, {{F, {2, 0, 4}}}, MAX_POOLING(kWindow, kStep, kPadding), "optional 0 dim batch"},
    {"MaxPooling, stride", {kNew, kNewPlaces}, {kPlanes}, MAX_POOLING(kWindow, kNo, kPadding), "stride should not be zero"},
    {"MaxPooling, padding", {kNew, kNewPlaces}, {kPlanes}, MAX_POOLING(kOnes, kStep, kPadding), "pad should be at most half"},
    {"MaxPooling, kernel", {kNew, kNewPlaces}, {kPlanes}, MAX_POOLING(kNo, kStep, kNo), "greater than zero, but got kH: 0 kW: 0"},
    {"MaxPooling, size", {kNew, kNewPlaces}, {{F, {3, 1, 5}}}, MAX_POOLING(kWindow, kStep, kNo), "(3x1x5). Calculated output size: (3x0x2)"},
    {"MaxPooling, indices", {kNew, {F, {0}}}, {kPlanes}, MAX_POOLING(kWindow, kStep, kPadding), "must have dtype Long", false},
    {"MaxPooling's gradient", {kNew}, {kPooled, kPlaces}, MAX_GRADIENT},
    {"MaxPooling's gradient, shapes", {kNew}, {kPooled, {L, {3, 3, 2}}}, MAX_GRADIENT, "Expected shape of indices"},
    {"MaxPooling's gradient, indices", {kNew}, {kPooled, kPooled}, MAX_GRADIENT, "should be type int64", false},
    {"AveragePooling", {kNew}, {kPlanes}, AVERAGE_POOLING(kWindow, kStep, kPadding)},
    {"AveragePooling, padding", {kNew}, {kPlanes}, AVERAGE_POOLING(kOnes, kStep, kPadding), "pad should be at most half"},
    {"AveragePooling's gradient", {kNew}, {kPooled}, AVERAGE_GRADIENT(kPadding)},
    {"AveragePooling's gradient, shape", {kNew}, {kPooled}, AVERAGE_GRADIENT(kNo), "grad_output has shape [3, 3, 3]"},
    {"AdaptiveMaxPooling", {kNew, kNewPlaces}, {kPlanes},
     PREPARED(THNNPrepare_adaptivePooling, F, x[2], x[0], x[1], 2, kWindow),
     CALL(THNN_FloatAdaptiveMaxPooling_updateOutput(nullptr, x[2], x[0], x[1], 2, kWindow))},
    {"AdaptiveAveragePooling", {kNew}, {kPlanes}, PREPARED(THNNPrepare_adaptivePooling, F, x[1], x[0], nullptr, 2, kWindow),
     CALL(THNN_FloatAdaptiveAveragePooling_updateOutput(nullptr, x[1], x[0], 2, kWindow))},
    {"AdaptiveAveragePooling, empty", {kNew}, {{F, {2, 0, 4}}},
     PREPARED(THNNPrepare_adaptivePooling, F, x[1], x[0], nullptr, 2, kWindow),
     CALL(THNN_FloatAdaptiveAveragePooling_updateOutput(nullptr, x[1], x[0], 2, kWindow)), "with dimension 1 being empty"},
    {"AdaptiveAveragePooling's gradient", {kNew}, {kPooled},
     PREPARED(THNNPrepare_AdaptiveAveragePooling_updateGradInput, F, x[1], x[0], 2, kPlane),
     CALL(THNN_FloatAdaptiveAveragePooling_updateGradInput(nullptr, x[1], x[0], 2, kPlane))},
    {"FractionalMaxPooling", {kNew, kNewPlaces}, {kPlanes, {F, {1, 3, 2}}}, FRACTIONAL(kWindow)},
    {"FractionalMaxPooling, samples", {kNew, kNewPlaces}, {kPlanes, {F, {1, 3, 3}}}, FRACTIONAL(kWindow), "equals to 2; got 3."},
    {"FractionalMaxPooling, kernel", {kNew, kNewPlaces}, {kPlanes, {F, {1, 3, 2}}}, FRACTIONAL(kPlane), "too large relative to input"},
    {"MaxUnpooling", {kNew}, {kPooled, kPlaces}, UNPOOLING},
    {"MaxUnpooling, shapes", {kNew}, {kPooled, {L, {3, 3, 2}}}, UNPOOLING, "Expected shape of indices"},
    {"MaxUnpooling's gradient", {kNew}, {kPlanes, kPlaces},
     PREPARED(THNNPrepare_MaxUnpooling_updateGradInput, F, x[1], x[0], x[2], 2),
     CALL(THNN_FloatMaxUnpooling_updateGradInput(nullptr, x[1], x[0], x[2], 2))},
};
// clang-format on

class PrepareCases : public OnDevices, public ::testing::WithParamInterface<PrepareCase> {};

TEST_P(PrepareCases, DoAsTheFunctions) { expectSameAsKernel(GetParam()); }
INSTANTIATE_TEST_SUITE_P(THNN, PrepareCases, ::testing::ValuesIn(kCases));

// Both results of a call are judged before one changes.
TEST_F(OnDevices, TheLossIsNotWrittenWithoutItsWeight) {
  const Tensor x = make(kMatrix), target = make(kClasses), output(F, {3}), total(F, {0});
  for (int64_t i = 0; i < 3; i++) set(output, i, 7);
  total->storage->resizable = false;
  for (const bool reduce : {false, true}) {
    expectRaises(TH_ERROR_RUNTIME, "not resizable", [&] {
      THNN_FloatClassNLLCriterion_updateOutput(nullptr, x, target, output, true, nullptr, total, kIgnored, reduce);
    });
    EXPECT_EQ(values(output), (std::vector<double>{7, 7, 7}));
  }
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] {
    const Tensor both(THTensor_newNarrow(output, 0, 0, 1));
    THNN_FloatClassNLLCriterion_updateOutput(nullptr, x, target, output, true, nullptr, both, kIgnored, true);
  });
  // Nor do they share memory that one of them grows into, or that one of them only gets.
  const Tensor none(THTensor_newNarrow(output, 0, 0, 0)), empty(F, {0});
  for (const auto &[loss, weight] : {std::pair<THTensor *, THTensor *>{none, output}, {empty, empty}})
    for (const bool reduce : {false, true})
      expectRaises(TH_ERROR_RUNTIME, "single memory location", [&, loss = loss, weight = weight] {
        THNN_FloatClassNLLCriterion_updateOutput(nullptr, x, target, loss, true, nullptr, weight, kIgnored, reduce);
      });
  EXPECT_EQ(values(output), (std::vector<double>{7, 7, 7}));
}

// One result on a device without memory, the other not; an output that an input is to become.
TEST_F(OnDevices, ResultsOfOneCallAreOnOneDevice) {
  const Tensor x = make(kMatrix), target = make(kClasses), here(F, {0}), there = on(TH_Meta, here);
  const std::vector<double> before = values(x);
  for (const auto &[loss, weight] : {std::pair<THTensor *, THTensor *>{here, there}, {there, here}})
    expectRaises(TH_ERROR_NOT_IMPLEMENTED, "meta", [&, loss = loss, weight = weight] {
      THNN_FloatClassNLLCriterion_updateOutput(nullptr, x, target, loss, true, nullptr, weight, kIgnored, true);
    });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "meta",
               [&] { THNN_FloatThreshold_updateOutput(nullptr, x, there, 100, 0, true); });
  EXPECT_EQ(values(x), before);
}

}  // namespace
