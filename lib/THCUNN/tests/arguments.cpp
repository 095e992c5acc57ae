// Bad arguments, bad targets, operands elsewhere, results that share memory with inputs.
#include "both.hpp"

using namespace test;

namespace {

constexpr int64_t kIgnored = -100;

struct Raised {
  int kind = -1;
  std::string text;
};
template <class F> Raised raisedBy(const F &f) try {
  f();
  return {};
} catch (const th::Exception &error) {
  return {error.kind(), error.what()};
}

// Every check is THNN's: an error is the same, word by word, and leaves results as they were.
TEST(Arguments, ErrorsAreThoseOfTheCpu) {
  using Call = std::function<void(const Place &, THTensor *y, THTensor *total)>;
  const auto z = [](const Place &at, const Shape &shape, THDtype dtype = TH_Float) { return at(random(dtype, shape)); };
  const auto zeros = [](const Place &at, const Shape &shape) {
    return at(make(TH_Long, shape, [](int64_t) { return 0; }));
  };
  const auto nllOf = [](const Place &at, const Tensor &x, const Tensor &t, THTensor *y, THTensor *total,
                        const THTensor *w = nullptr) {
    at.function(nll, TH_Float)(nullptr, x, t, y, true, w, total, kIgnored, true);
  };
  const auto nllBack = [&](const Place &at, const Shape &g, bool reduce, THTensor *y, THTensor *total) {
    at.function(nllBackward, TH_Float)(nullptr, z(at, {2, 3}), zeros(at, {2}), z(at, g), y, true, nullptr, total,
                                       kIgnored, reduce);
  };
  const std::pair<const char *, Call> calls[] = {
      {"1D or 2D", [&](auto &at, auto *y, auto *n) { nllOf(at, z(at, {2, 3, 4}), zeros(at, {2}), y, n); }},
      {"multi-target", [&](auto &at, auto *y, auto *n) { nllOf(at, z(at, {2, 3}), zeros(at, {2, 3}), y, n); }},
      {"size mismatch", [&](auto &at, auto *y, auto *n) { nllOf(at, z(at, {2, 3}), zeros(at, {1}), y, n); }},
      {"weight tensor",
       [&](auto &at, auto *y, auto *n) { nllOf(at, z(at, {2, 3}), zeros(at, {2}), y, n, z(at, {4})); }},
      {"targets must be of dtype int64",
       [&](auto &at, auto *y, auto *n) { nllOf(at, z(at, {2, 3}), z(at, {2}, TH_Int), y, n); }},
      {"single memory", [&](auto &at, auto *y, auto *) { nllOf(at, z(at, {2, 3}), zeros(at, {2}), y, y); }},
      {"single element", [&](auto &at, auto *y, auto *n) { nllBack(at, {2}, true, y, n); }},
      {"per sample", [&](auto &at, auto *y, auto *n) { nllBack(at, {}, false, y, n); }},
      {"same shape", [&](auto &at, auto *y,
                         auto *) { at.function(mse, TH_Float)(nullptr, z(at, {2, 3}), z(at, {4}), y, true, true); }},
      {"single element",
       [&](auto &at, auto *y, auto *) {
         at.function(mseBackward, TH_Float)(nullptr, z(at, {2}), z(at, {2}), z(at, {2}), y, true, true);
       }},
      {"out of range", [&](auto &at, auto *y, auto *) { at.function(softMax, TH_Float)(nullptr, z(at, {2}), y, 3); }},
      {"same shape", [&](auto &at, auto *y,
                         auto *) { at.function(logSoftMaxBackward, TH_Float)(nullptr, z(at, {2}), y, z(at, {3}), 0); }},
      {"dtype Double, but got Float",
       [&](auto &at, auto *y, auto *) { at.function(sigmoid, TH_Double)(nullptr, z(at, {2}), y); }},
      {"more than one element",
       [&](auto &at, auto *y, auto *) {
         at.function(tanhBackward, TH_Float)(nullptr, z(at, {3}), Tensor(THTensor_newExpand(y, 1, Shape{3}.data())),
                                             z(at, {3}));
       }},
      {"more than one element",
       [&](auto &at, auto *y, auto *) {
         at.function(softMax, TH_Float)(nullptr, z(at, {3}), Tensor(THTensor_newExpand(y, 1, Shape{3}.data())), 0);
       }},
  };
  for (const auto &[part, call] : calls) {
    SCOPED_TRACE(part);
    Raised raised[2];
    for (const Place &at : {kHost, kThere}) {
      const Tensor y = at(of(TH_Float, {7})), total = at(of(TH_Float, {8}));
      raised[at.onDevice] = raisedBy([&] { call(at, y, total); });
      EXPECT_EQ(valuesOf(y), std::vector<double>{7});
      EXPECT_EQ(valuesOf(total), std::vector<double>{8});
    }
    EXPECT_NE(raised[0].text.find(part), std::string::npos) << raised[0].text;
    EXPECT_EQ(raised[1].kind, raised[0].kind);
    EXPECT_EQ(raised[1].text, raised[0].text);
  }
}

TEST(Arguments, BadTargetsAreReported) {
  for (const int64_t bad : {int64_t(3), int64_t(-1), int64_t(1) << 40}) {
    const Tensor x = onDevice(random(TH_Float, {4, 3})), target = onDevice(of(TH_Long, {1, double(bad), kIgnored, 2})),
                 y = newOnDevice(TH_Float), total = newOnDevice(TH_Float), one = onDevice(of(TH_Float, {1})),
                 r = newOnDevice(TH_Float);
    const std::string text = "Target " + std::to_string(bad) + " is out of bounds.";
    for (const bool reduce : {false, true}) {
      nll.cuda[TH_Float](nullptr, x, target, y, true, nullptr, total, kIgnored, reduce);
      expectRaises(TH_ERROR_INDEX, text.c_str(), [] { THC_synchronize(0); });
    }
    nllBackward.cuda[TH_Float](nullptr, x, target, one, r, false, nullptr, one, kIgnored, true);
    expectRaises(TH_ERROR_INDEX, text.c_str(), [] { THC_synchronize(0); });
    // It is left out; the others are there, and nothing was written elsewhere.
    EXPECT_EQ(valuesOf(r), (std::vector<double>{0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1}));
    THC_synchronize(0);
  }
  // No classes: there is none to choose.
  const Tensor none = onDevice(Tensor(TH_Float, {2, 0})), y = newOnDevice(TH_Float), total = newOnDevice(TH_Float);
  nll.cuda[TH_Float](nullptr, none, onDevice(of(TH_Long, {0, kIgnored})), y, true, nullptr, total, kIgnored, true);
  expectRaises(TH_ERROR_INDEX, "Target 0 is out of bounds.", [] { THC_synchronize(0); });
}

TEST(Arguments, NumbersMayBeOnTheHost) {
  const Tensor x = random(TH_Float, {3, 4}), target = random(TH_Float, {3, 4}, 2),
               g = make(TH_Float, {}, [](int64_t) { return 2.5; }), classes = of(TH_Long, {1, 0, 3});
  Tensor want(TH_Float), got = newOnDevice(TH_Float);
  THNN_FloatMSECriterion_updateGradInput(nullptr, x, target, g, want, true, true);
  THNN_CudaMSECriterion_updateGradInput(nullptr, onDevice(x), onDevice(target), g, got, true, true);
  expectClose(want, got, 1e-6);
  THNN_FloatClassNLLCriterion_updateGradInput(nullptr, x, classes, g, want, true, nullptr, g, kIgnored, true);
  THNN_CudaClassNLLCriterion_updateGradInput(nullptr, onDevice(x), onDevice(classes), g, got, true, nullptr, g,
                                             kIgnored, true);
  expectClose(want, got, 1e-6);
}

TEST(Arguments, OneDevice) {
  const Tensor host = random(TH_Float, {3, 4}), x = onDevice(host), classes = of(TH_Long, {1, 0, 3}),
               y = onDevice(of(TH_Float, {7})), total = onDevice(of(TH_Float, {8}));
  const std::pair<const char *, std::function<void()>> calls[] = {
      {"cuda:0 and cpu", [&] { THNN_CudaSoftMax_updateOutput(nullptr, host, y, 1); }},
      {"cuda:0 and cpu", [&] { THNN_CudaSoftMax_updateGradInput(nullptr, x, y, host, 1); }},
      {"cuda:0 and cpu",
       [&] { THNN_CudaClassNLLCriterion_updateOutput(nullptr, x, classes, y, true, nullptr, total, kIgnored, true); }},
      {"cuda:0 and cpu", [&] { THNN_CudaMSECriterion_updateOutput(nullptr, x, host, y, true, true); }},
  };
  for (const auto &[text, call] : calls) expectRaises(TH_ERROR_RUNTIME, text, call);
  if (THC_deviceCount() > 1) {
    const int64_t size[] = {3, 4};
    const Tensor other(THTensor_newWithSizeOn({TH_CUDA, 1}, TH_Float, 2, size));
    THCTensor_copy(other, host);
    expectRaises(TH_ERROR_RUNTIME, "cuda:0 and cuda:1",
                 [&] { THNN_CudaLogSoftMax_updateGradInput(nullptr, x, y, other, 1); });
    // On the other one, whichever is current.
    const Tensor want(TH_Float), got(THTensor_newWithSizeOn({TH_CUDA, 1}, TH_Float, 0, nullptr));
    THNN_FloatSoftMax_updateOutput(nullptr, host, want, 1);
    THNN_CudaSoftMax_updateOutput(nullptr, other, got, 1);
    expectClose(want, got, 1e-6);
  }
  EXPECT_EQ(valuesOf(y), std::vector<double>{7});
  EXPECT_EQ(valuesOf(total), std::vector<double>{8});
}

// Results over the memory of inputs, elsewhere in it or of another shape: as on the CPU.
TEST(Arguments, ResultsMayShareMemory) {
  const auto narrow = [](const Tensor &t, int64_t first, int64_t length) {
    return Tensor(THTensor_newNarrow(t, 0, first, length));
  };
  const auto matrix = [](const Tensor &t, int64_t rows, int64_t columns) {
    return Tensor(THTensor_newView(t, 2, Shape{rows, columns}.data()));
  };
  for (const int64_t shift : {0, 1, 5, 12}) {
    SCOPED_TRACE(shift);
    compareBoth(1e-6, [&](const Place &at) {
      Tensor all = at(random(TH_Float, {24}));
      const Tensor x = matrix(narrow(all, 0, 12), 3, 4), y = matrix(narrow(all, shift, 12), 3, 4);
      at.function(softMax, TH_Float)(nullptr, x, y, 1);
      return results(std::move(all));
    });
    compareBoth(1e-6, [&](const Place &at) {  // a result that loses its shape
      Tensor all = at(random(TH_Float, {24}));
      const Tensor x = matrix(narrow(all, 0, 12), 3, 4), g = matrix(narrow(all, 12, 12), 3, 4);
      Tensor r = narrow(all, shift, 3);
      at.function(logSoftMaxBackward, TH_Float)(nullptr, g, r, x, 0);
      return results(std::move(r));
    });
    compareBoth(1e-6, [&](const Place &at) {
      Tensor all = at(random(TH_Float, {24}));
      const Tensor x = matrix(narrow(all, 0, 12), 3, 4), target = at(of(TH_Long, {1, 0, 3})),
                   total = at.empty(TH_Float);
      Tensor y = narrow(all, shift, 3), g = at(of(TH_Float, {2, 3, 4}));
      at.function(nll, TH_Float)(nullptr, x, target, y, true, nullptr, total, kIgnored, false);
      at.function(nllBackward, TH_Float)(nullptr, x, target, narrow(all, 3, 3), matrix(narrow(all, shift, 12), 3, 4),
                                         false, nullptr, total, kIgnored, false);
      return results(std::move(all));
    });
    compareBoth(1e-6, [&](const Place &at) {  // the number that is multiplied with lies in the result
      Tensor all = at(random(TH_Float, {24}));
      const Tensor x = at(random(TH_Float, {3, 4}, 5)), target = at(random(TH_Float, {3, 4}, 6));
      at.function(mseBackward, TH_Float)(nullptr, x, target, narrow(all, shift, 1), matrix(narrow(all, 0, 12), 3, 4),
                                         true, true);
      return results(std::move(all));
    });
    compareBoth(1e-6, [&](const Place &at) {
      Tensor all = at(random(TH_Float, {24}));
      const Tensor x = narrow(all, 0, 12), target = narrow(all, 12, 12);
      Tensor y = narrow(all, shift, 1);
      at.function(mse, TH_Float)(nullptr, x, target, y, true, true);
      return results(std::move(y));
    });
  }
  compareBoth(1e-6, [&](const Place &at) {  // which grows over it
    Tensor g = at(make(TH_Float, {}, [](int64_t) { return 1.5; }));
    const Tensor x = at(random(TH_Float, {3, 4}, 5)), target = at(random(TH_Float, {3, 4}, 6));
    at.function(mseBackward, TH_Float)(nullptr, x, target, g, g, true, true);
    return results(std::move(g));
  });
}

}  // namespace
