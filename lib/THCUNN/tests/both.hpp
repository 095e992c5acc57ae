// The same calls on the CPU and on a device.
#pragma once

#include <THCUNN/THCUNN.h>

#include "../../THC/tests/compare.hpp"

namespace test {

// A function of THNN and of THCUNN, by dtype: NN_PAIR(SoftMax_updateOutput)[TH_Half].
template <class F>
struct NNPair {
  F cpu[TH_NUM_DTYPES] = {}, cuda[TH_NUM_DTYPES] = {};
};
#define NN_ENTRY(Name, op) pair.cpu[TH_##Name] = THNN_##Name##op, pair.cuda[TH_##Name] = THCUNN_NAME(Name, op);
#define NN_PAIR(op)                       \
  [] {                                    \
    NNPair<decltype(&THNN_Float##op)> pair; \
    TH_FOR_floating(NN_ENTRY, op)         \
    return pair;                          \
  }()

inline const auto sigmoid = NN_PAIR(Sigmoid_updateOutput);
inline const auto sigmoidBackward = NN_PAIR(Sigmoid_updateGradInput);
inline const auto tanhForward = NN_PAIR(Tanh_updateOutput);
inline const auto tanhBackward = NN_PAIR(Tanh_updateGradInput);
inline const auto threshold = NN_PAIR(Threshold_updateOutput);
inline const auto thresholdBackward = NN_PAIR(Threshold_updateGradInput);
inline const auto softMax = NN_PAIR(SoftMax_updateOutput);
inline const auto softMaxBackward = NN_PAIR(SoftMax_updateGradInput);
inline const auto logSoftMax = NN_PAIR(LogSoftMax_updateOutput);
inline const auto logSoftMaxBackward = NN_PAIR(LogSoftMax_updateGradInput);
inline const auto nll = NN_PAIR(ClassNLLCriterion_updateOutput);
inline const auto nllBackward = NN_PAIR(ClassNLLCriterion_updateGradInput);
inline const auto mse = NN_PAIR(MSECriterion_updateOutput);
inline const auto mseBackward = NN_PAIR(MSECriterion_updateGradInput);

// Where a call is made: its tensors go there, and what it calls is looked up there.
struct Place {
  bool onDevice;
  Tensor operator()(Tensor t) const { return onDevice ? test::onDevice(t) : std::move(t); }
  Tensor empty(THDtype dtype) const { return (*this)(Tensor(dtype, {0})); }
  template <class F>
  F function(const NNPair<F> &pair, THDtype dtype) const {
    return onDevice ? pair.cuda[dtype] : pair.cpu[dtype];
  }
};
constexpr Place kHost{false}, kThere{true};

using Results = std::vector<Tensor>;
inline Results results(Tensor a) {
  Results list;
  list.push_back(std::move(a));
  return list;
}
inline Results results(Tensor a, Tensor b) {
  Results list = results(std::move(a));
  list.push_back(std::move(b));
  return list;
}

// Calls `run(place)` in both places and compares what comes of it.
template <class Run>
void compareBoth(double error, const Run &run) {
  const Results want = run(kHost), got = run(kThere);
  ASSERT_EQ(want.size(), got.size());
  for (size_t k = 0; k < want.size(); k++) expectClose(want[k], got[k], error);
}

inline double errorOf(THDtype dtype) { return dtype == TH_Double ? 1e-14 : 3e-6; }

// Values of an element that may be anywhere.
inline std::vector<double> valuesOf(const THTensor *t) { return t->device == TH_CPU ? values(t) : values(toHost(t)); }

}  // namespace test
