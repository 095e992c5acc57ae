// Functions with the names and arguments of the field's modules (THNN/modules): the general ones, bit by bit; the prepare
// halves of those that compute something of their own; errors that come before the first write. What they compute is
// compared with PyTorch's answers in tests/nn/test_thnn_legacy.py.
#include <THNN/THNN.h>

#include "../../TH/tests/apart.hpp"
#include "families.hpp"

using namespace test;

namespace {

constexpr THDtype F = TH_Float, L = TH_Long;

const auto convolution = NN_FAMILY(floating, Convolution_updateOutput);
const auto convolutionInput = NN_FAMILY(floating, Convolution_updateGradInput);
const auto convolutionWeight = NN_FAMILY(floating, Convolution_updateGradWeight);
const auto named = NN_FAMILY(floating, SpatialConvolutionMM_updateOutput);
const auto namedInput = NN_FAMILY(floating, SpatialConvolutionMM_updateGradInput);
const auto namedParameters = NN_FAMILY(floating, SpatialConvolutionMM_accGradParameters);

constexpr int64_t kStride[] = {2, 1}, kPadding[] = {1, 0}, kOnes[] = {1, 1}, kSize[] = {6, 5}, kKernel[] = {3, 2};

// The same bits, and the order of width and height is the field's.
TEST(NamedModules, AreTheGeneralFunctions) {
  for (THDtype d : kFloatingDtypes) {
    SCOPED_TRACE(TH_dtypeName(d));
    const Tensor x = random(d, {2, 3, 6, 5}), w = random(d, {4, 3, 3, 2}, 2), b = random(d, {4}, 3);
    const Tensor gy = random(d, {2, 4, 3, 4}, 4), y(d), expected(d);
    convolution[d](nullptr, x, expected, w, b, 2, kStride, 2, kPadding, 2, kOnes, 1);
    named[d](nullptr, x, y, w, b, nullptr, nullptr, 2, 3, 1, 2, 0, 1);
    EXPECT_EQ(shapeOf(y), shapeOf(expected));
    EXPECT_EQ(values(y), values(expected));

    convolutionInput[d](nullptr, gy, expected, w, 2, kSize, 2, kStride, 2, kPadding, 2, kOnes, 1);
    namedInput[d](nullptr, x, gy, y, w, nullptr, nullptr, 2, 3, 1, 2, 0, 1);
    EXPECT_EQ(values(y), values(expected));

    const Tensor gw = make(d, {4, 18}, [](int64_t) { return 0; }), gb = make(d, {4}, [](int64_t) { return 1; });
    convolutionWeight[d](nullptr, x, gy, expected, 2, kKernel, 2, kStride, 2, kPadding, 2, kOnes, 1);
    namedParameters[d](nullptr, x, gy, gw, gb, nullptr, nullptr, 2, 3, 1, 2, 0, 1, 1);
    EXPECT_EQ(values(gw), values(expected));
    namedParameters[d](nullptr, x, gy, gw, nullptr, nullptr, nullptr, 2, 3, 1, 2, 0, 1, -1);
    for (double v : values(gw)) EXPECT_EQ(v, 0);
    EXPECT_NE(get(gb, 0), 1);
  }
}

TEST(NamedModules, ChangeNothingWhereTheyRaise) {
  const Tensor x = random(F, {2, 3, 6, 5}), gy = random(F, {2, 4, 3, 4}, 4),
               one = make(F, {1}, [](int64_t) { return 7; });
  const Tensor gw = make(F, {4, 18}, [](int64_t) { return 7; }), gb = make(F, {4}, [](int64_t) { return 7; });
  const int64_t wide[] = {4, 18}, four[] = {4};
  const Tensor everywhere(THTensor_newExpand(one, 2, wide)), part(THTensor_newNarrow(gw, 0, 0, 1));
  const Tensor within(THTensor_newNarrow(Tensor(THTensor_newSelect(part, 0, 0)), 0, 0, 4));
  const Tensor spread(THTensor_newExpand(one, 1, four));
  const auto parameters = [&](THTensor *weight, THTensor *bias) {
    namedParameters[F](nullptr, x, gy, weight, bias, nullptr, nullptr, 2, 3, 1, 2, 0, 1, 1);
  };
  EXPECT_THROW(parameters(everywhere, gb), th::Exception);
  EXPECT_THROW(parameters(gw, spread), th::Exception);
  EXPECT_THROW(parameters(gw, within), th::Exception);
  for (const THTensor *t : {static_cast<THTensor *>(gw), static_cast<THTensor *>(gb), static_cast<THTensor *>(one)})
    for (double v : values(t)) EXPECT_EQ(v, 7);
}

// ---- prepare halves; entries here are 0 where nothing says otherwise, and name nothing then -------------------------

const Spec kNew = {F, {0}}, kWeight = {F, {3, 6}, Layout::reversed}, kBias = {F, {3}}, kCoo = {F, {0, 3}},
           kLegacy = {F, {2, 0, 2}}, kRows = {F, {2, 3}}, kTable = {F, {6, 3}}, kWide = {F, {6, 7}, Layout::gapped},
           kKeys = {L, {2}}, kValues = {F, {2}}, kNoKeys = {L, {0}}, kNoValues = {F, {0}};

// clang-format off: tables
// x: output, input, weight, bias
#define SPARSE_OUTPUT(Name, legacy)                                                                     \
  PREPARED(THNNPrepare_SparseLinear_updateOutput, F, x[1], x[0], x[2], x[3], legacy),                    \
      CALL(THNN_FloatSparseLinear_##Name(nullptr, x[1], x[0], x[2], x[3]))
// x: gradWeight, gradBias, input, gradOutput, weight, bias
#define SPARSE_GRADIENTS(Name, legacy)                                                                  \
  PREPARED(THNNPrepare_SparseLinear_accGradParameters, F, x[2], x[3], x[0], x[1], x[4], x[5], legacy),   \
      CALL(THNN_FloatSparseLinear_##Name(nullptr, x[2], x[3], x[0], x[1], x[4], x[5], 1, 1))
// x: weight, bias, gradWeight, gradBias, lastInput
#define SPARSE_UPDATE(Name, legacy)                                                                     \
  PREPARED(THNNPrepare_SparseLinear_parameters, F, x[0], x[1], x[2], x[3], x[4], legacy),                \
      CALL(THNN_FloatSparseLinear_##Name(nullptr, x[0], x[1], x[2], x[3], x[4], 1))
// x: gradWeight, gradBias, lastInput
#define SPARSE_ZERO(Name, legacy)                                                                       \
  PREPARED(THNNPrepare_SparseLinear_parameters, F, x[0], x[1], nullptr, nullptr, x[2], legacy),          \
      CALL(THNN_FloatSparseLinear_##Name(nullptr, x[0], x[1], x[2]))
// x: output, normalizedValues, weight, keys, values, sizes, cumSumSizes, bias
#define INDEX_OUTPUT                                                                                    \
  PREPARED(THNNPrepare_IndexLinear_updateOutput, F, x[3], x[4], x[5], x[6], x[0], x[2], x[7], x[1]),     \
      CALL(THNN_FloatIndexLinear_updateOutput(nullptr, x[3], 0, x[4], x[5], x[6], x[0], x[2], x[7], x[1], true))
// x: gradWeight, gradBias, keys, values, sizes, cumSumSizes, gradOutput, weight, bias
#define INDEX_GRADIENTS                                                                                 \
  PREPARED(THNNPrepare_IndexLinear_gradients, F, x[2], x[3], x[4], x[5], x[6], x[0], x[1], x[7], x[8]),  \
      CALL(THNN_FloatIndexLinear_accGradParameters(nullptr, x[2], 0, x[3], x[4], x[5], x[6], x[0], x[1], x[7], x[8], nullptr, 0, 1))
// x: weight, bias, gradWeight, gradBias, runningKeys
#define INDEX_UPDATE                                                                                    \
  PREPARED(THNNPrepare_IndexLinear_updateParameters, F, x[2], x[3], x[0], x[1], x[4]),                   \
      CALL(THNN_FloatIndexLinear_updateParameters(nullptr, x[2], x[3], x[0], x[1], x[4], x[4], 0, 1, 1))

const PrepareCase kCases[] = {
    {"SparseLinear", {kRows}, {kCoo, kWeight, kBias}, SPARSE_OUTPUT(updateOutput, false)},
    {"SparseLinear, output", {{F, {2, 4}}}, {kCoo, kWeight, kBias}, SPARSE_OUTPUT(updateOutput, false), "how many samples"},
    {"SparseLinear, input", {kRows}, {kLegacy, kWeight, kBias}, SPARSE_OUTPUT(updateOutput, false), "coo format, nnz x 3"},
    {"SparseLinear, bias", {kRows}, {kCoo, kWeight, {F, {2}}}, SPARSE_OUTPUT(updateOutput, false), "Need bias of shape [3]"},
    {"SparseLinear, weight", {kRows}, {kCoo, {F, {3}}, kBias}, SPARSE_OUTPUT(updateOutput, false), "weight must have 2 dimensions"},
    {"SparseLinear, legacy", {kNew}, {kLegacy, kWeight, kBias}, SPARSE_OUTPUT(legacyUpdateOutput, true)},
    {"SparseLinear, legacy, one", {kNew}, {{F, {0, 2}}, kWeight, kBias}, SPARSE_OUTPUT(legacyUpdateOutput, true)},
    {"SparseLinear, legacy, input", {kNew}, {kCoo, kWeight, kBias}, SPARSE_OUTPUT(legacyUpdateOutput, true), "legacy format"},
    {"SparseLinear's gradients", {kWeight, kBias}, {kCoo, kRows, kWeight, kBias}, SPARSE_GRADIENTS(accGradParameters, false)},
    {"SparseLinear's gradients, legacy", {kWeight, kBias}, {kLegacy, kRows, kWeight, kBias}, SPARSE_GRADIENTS(legacyAccGradParameters, true)},
    {"SparseLinear's gradients, batch", {kWeight, kBias}, {kLegacy, {F, {3, 3}}, kWeight, kBias},
     SPARSE_GRADIENTS(legacyAccGradParameters, true), "Need gradOutput of shape [2, 3]"},
    {"SparseLinear's gradients, shape", {{F, {3, 5}}, kBias}, {kCoo, kRows, kWeight, kBias}, SPARSE_GRADIENTS(accGradParameters, false), "Need gradWeight"},
    {"SparseLinear's update", {kWeight, kBias}, {kWeight, kBias, kCoo}, SPARSE_UPDATE(updateParameters, false)},
    {"SparseLinear's update, legacy", {kWeight, kBias}, {kWeight, kBias, kLegacy}, SPARSE_UPDATE(legacyUpdateParameters, true)},
    {"SparseLinear's update, shape", {kWeight, kBias}, {kWeight, kRows, kCoo}, SPARSE_UPDATE(updateParameters, false), "Need gradBias"},
    {"SparseLinear's zeros", {kWeight, kBias}, {kCoo}, SPARSE_ZERO(zeroGradParameters, false)},
    {"SparseLinear's zeros, legacy", {kWeight, kBias}, {kLegacy}, SPARSE_ZERO(legacyZeroGradParameters, true)},
    {"SparseLinear's zeros, input", {kWeight, kBias}, {kRows, }, SPARSE_ZERO(legacyZeroGradParameters, true), "lastInput must be in legacy format"},
    {"IndexLinear", {kNew, kNew, kTable}, {kNoKeys, kNoValues, kKeys, kKeys, kBias}, INDEX_OUTPUT},
    {"IndexLinear, normalised", {kNew, kNew, kWide}, {kNoKeys, kNoValues, kKeys, kKeys, kBias}, INDEX_OUTPUT},
    {"IndexLinear, weight", {kNew, kNew, {F, {6, 4}}}, {kNoKeys, kNoValues, kKeys, kKeys, kBias}, INDEX_OUTPUT, "inputs x (4 + outputs)"},
    {"IndexLinear, values", {kNew, kNew, kTable}, {kNoKeys, kValues, kKeys, kKeys, kBias}, INDEX_OUTPUT, "Need values of shape [0]"},
    {"IndexLinear's gradients", {kNew, kBias}, {kNoKeys, kNoValues, kKeys, kKeys, kRows, kTable, kBias}, INDEX_GRADIENTS},
    {"IndexLinear's gradients, normalised", {kNew, kBias}, {kNoKeys, kNoValues, kKeys, kKeys, kRows, kWide, kBias}, INDEX_GRADIENTS},
    {"IndexLinear's gradients, gradOutput", {kNew, kBias}, {kNoKeys, kNoValues, kKeys, kKeys, kTable, kTable, kBias}, INDEX_GRADIENTS,
     "Need gradOutput of shape [2, 3]"},
    {"IndexLinear's gradients, gradBias", {kNew, {F, {2}}}, {kNoKeys, kNoValues, kKeys, kKeys, kRows, kTable, kBias}, INDEX_GRADIENTS, "Need gradBias"},
    {"IndexLinear's update", {kTable, kBias}, {kRows, kBias, kKeys}, INDEX_UPDATE},
    {"IndexLinear's update, shape", {kWide, kBias}, {kRows, kBias, kKeys}, INDEX_UPDATE, "Need gradWeight of shape [2, 6]"},
};
// clang-format on

class NamedCases : public OnDevices, public ::testing::WithParamInterface<PrepareCase> {};

TEST_P(NamedCases, PrepareAsTheFunctions) { expectSameAsKernel(GetParam()); }
INSTANTIATE_TEST_SUITE_P(THNN, NamedCases, ::testing::ValuesIn(kCases));

}  // namespace
