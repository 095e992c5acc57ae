// The prepare halves that other backends call: plans say which elements meet; nothing changes before all is judged. That
// they do as the CPU's kernels is prepare_cases.cpp's.
#include <functional>

#include "apart.hpp"

using namespace test;

namespace {

constexpr THDtype F = TH_Float, D = TH_Double, L = TH_Long, B = TH_Bool;

using Prepare = OnDevices;

// ---- plans ------------------------------------------------------------------------------------------------

// body(addresses of the operands' elements that meet), for each of the plan's elements
void walk(const THPointwisePlan &plan, const std::vector<THTensor *> &operands,
          const std::function<void(const std::vector<char *> &)> &body) {
  for (int64_t i = 0; i < plan.numel; i++) {
    std::vector<char *> at;
    for (const THTensor *t : operands) at.push_back(static_cast<char *>(THTensor_data(t)));
    int64_t rest = i;
    for (int d = 0; d < plan.ndim; rest /= plan.shape[d++])
      for (int k = 0; k < plan.n; k++) at[size_t(k)] += rest % plan.shape[d] * plan.stride[d][k];
    body(at);
  }
}

TEST_F(Prepare, PointwiseSaysWhichElementsMeet) {
  for (const Layout left : kLayouts)
    for (const Layout right : kLayouts) {
      const Tensor a = relayout(random(F, {3, 1, 5}, 1), left), b = relayout(random(F, {4, 5}, 2), right);
      const Tensor r(F), expected(F);
      THFloatTensor_cmul(expected, a, b);
      const THTensor *operands[] = {r, a, b};
      THPointwisePlan plan;
      ASSERT_TRUE(THPrepare_pointwise(&plan, 3, operands, TH_RESULT_RESIZED));
      EXPECT_EQ(stridesOf(r), stridesOf(expected));
      walk(plan, {r, a, b}, [](const std::vector<char *> &at) {
        *reinterpret_cast<float *>(at[0]) = *reinterpret_cast<float *>(at[1]) * *reinterpret_cast<float *>(at[2]);
      });
      expectSame(r, expected);
    }
}

TEST_F(Prepare, PointwiseJudgesItsOperands) {
  const Tensor t = random(F, {3}), empty(F, {0, 2});
  const THTensor *const one[] = {t}, *const none[] = {empty};
  THPointwisePlan plan;
  EXPECT_TRUE(THPrepare_pointwise(&plan, 1, one, TH_RESULT_FILLED));
  EXPECT_FALSE(THPrepare_pointwise(&plan, 1, none, TH_RESULT_FILLED));
  for (const int n : {0, 1, TH_MAX_OPERANDS + 1})
    expectRaises(TH_ERROR_RUNTIME, "2 to 5 operands here, got " + std::to_string(n),
                 [&] { THPrepare_pointwise(&plan, n, one, TH_RESULT_RESIZED); });
}

TEST_F(Prepare, CopiesOfATensorToItselfDoNotRun) {
  const Tensor t = random(F, {2, 3}), wide(D, {4, 2, 3});
  THPointwisePlan plan;
  EXPECT_FALSE(THPrepare_copy(&plan, t, t));
  EXPECT_FALSE(THPrepare_copy(&plan, t, Tensor(THTensor_newWithTensor(t))));
  EXPECT_TRUE(THPrepare_copy(&plan, wide, t));
  EXPECT_EQ(plan.numel, 24);
  EXPECT_TRUE(THPrepare_copy(&plan, t, on(TH_CUDA, t)));  // between devices
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor",
               [&] { THPrepare_copy(&plan, t, on(TH_Meta, t)); });
}

TEST_F(Prepare, ReductionsSayWhatBecomesWhat) {
  const THReduceKind kind = {{F, L}, nullptr, false};
  for (const Layout layout : kLayouts)
    for (const uint64_t dims : {uint64_t(1), uint64_t(2), uint64_t(5), TH_ALL_DIMS}) {
      const Tensor t = relayout(make(F, {3, 4, 5}, [](int64_t i) { return double(i % 7); }), layout);
      const Tensor expected(F), r(F);
      THFloatTensor_sum(expected, t, dims, true);
      THReducePlan plan;
      ASSERT_TRUE(THPrepare_reduce(&plan, &kind, r, nullptr, t, dims, true));
      EXPECT_EQ(plan.target[0], static_cast<THTensor *>(r));
      EXPECT_EQ(plan.own[0], nullptr);
      EXPECT_EQ(plan.outputs * plan.count, t->numel);
      for (int64_t i = 0; i < plan.outputs; i++) {
        char *in = static_cast<char *>(THTensor_data(t)), *out = static_cast<char *>(THTensor_data(r));
        int64_t rest = i;
        for (int d = 0; d < plan.nKept; rest /= plan.kept[d++].size) {
          in += rest % plan.kept[d].size * plan.kept[d].in;
          out += rest % plan.kept[d].size * plan.kept[d].out[0];
        }
        float sum = 0;
        for (int64_t j = 0; j < plan.count; j++) {
          const char *at = in;
          int64_t left = j;
          for (int d = 0; d < plan.nReduced; left /= plan.reduced[d++].size)
            at += left % plan.reduced[d].size * plan.reduced[d].in;
          sum += *reinterpret_cast<const float *>(at);
        }
        *reinterpret_cast<float *>(out) = sum;
      }
      expectSame(r, expected);
    }
}

TEST_F(Prepare, AReductionOwnsWhatOtherDtypesNeed) {
  const THReduceKind kind = {{F, L}, "amax", false};
  const Tensor t = on(TH_CUDA, random(F, {3, 4})), r = on(TH_CUDA, Tensor(D, {0}));
  THReducePlan plan;
  EXPECT_TRUE(THPrepare_reduce(&plan, &kind, r, nullptr, t, 1, false));
  ASSERT_NE(plan.own[0], nullptr);
  EXPECT_EQ(plan.own[0], plan.target[0]);
  EXPECT_EQ(plan.own[0]->device, TH_CUDA);
  EXPECT_EQ(shapeOf(plan.own[0]), (Shape{4}));
  EXPECT_EQ(r->numel, 0);  // until it is copied
  THTensor_free(plan.own[0]);
  expectRaises(TH_ERROR_INDEX, "amax(): Expected reduction dim 0 to have non-zero size.",
               [&] { THPrepare_reduce(&plan, &kind, r, nullptr, on(TH_CUDA, Tensor(F, {0, 2})), 1, false); });
}

TEST_F(Prepare, FactorsAreThoseOfTheDtype) {
  const Tensor m = random(TH_Int, {2, 2}), bias = random(TH_Int, {2});
  const Tensor r(TH_Int);
  THProductPlan plan;
  THPrepare_addmm(&plan, TH_Int, r, number(1.5), bias, number(0.5), m, m);
  EXPECT_TRUE(plan.usesT);
  EXPECT_EQ(plan.beta.value.i, 1);
  EXPECT_EQ(plan.alpha.value.i, 0);
  EXPECT_EQ(plan.tStride[0], 0);
  EXPECT_EQ(plan.tStride[1], 1);
  THPrepare_addmm(&plan, TH_Int, r, number(0.5), r, number(1), m, m);
  EXPECT_FALSE(plan.usesT);
  EXPECT_EQ(r->numel, 0);
}

TEST_F(Prepare, AlphaIsWhatIsAdded) {
  const Tensor r(F);
  alignas(8) char element[16];
  EXPECT_FALSE(THPrepare_alpha(element, F, r, number(1), true));
  ASSERT_TRUE(THPrepare_alpha(element, TH_Half, r, number(2), true));
  float alpha;
  std::memcpy(&alpha, element, sizeof alpha);
  EXPECT_EQ(alpha, -2);
  expectRaises(TH_ERROR_RUNTIME, "alpha must not be a floating point number",
               [&] { THPrepare_alpha(element, TH_Int, r, number(2), false); });
}

// ---- devices, and nothing changed -----------------------------------------------------------------------------

TEST_F(Prepare, ResultsGetTheirShapesTogetherOrNotAtAll) {
  const Tensor values(F, {0}), row(L, {1, 4}), t = random(F, {3, 4});
  const int64_t size[] = {3, 4};
  const Tensor indices(THTensor_newExpand(row, 2, size));
  THRowsPlan plan;
  THPrepare_sort(&plan, F, values, indices, t, 0);
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THResult_resize(plan.result, 2); });
  EXPECT_EQ(values->numel, 0);

  const Tensor fixed(L, {0});
  fixed->storage->resizable = false;
  THPrepare_sort(&plan, F, values, fixed, t, 0);
  expectRaises(TH_ERROR_RUNTIME, "not resizable", [&] { THResult_resize(plan.result, 2); });
  EXPECT_EQ(values->numel, 0);
}

TEST_F(Prepare, BothResultsOfAReductionAreJudgedFirst) {
  const Tensor t = random(F, {3, 4}), values(F, {5}), row(L, {1}), fixed(L, {0}), both(F, {4});
  const int64_t size[] = {3};
  const Tensor indices(THTensor_newExpand(row, 1, size));
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THFloatTensor_max(values, indices, t, 1, false); });
  EXPECT_EQ(values->numel, 5);
  fixed->storage->resizable = false;
  expectRaises(TH_ERROR_RUNTIME, "not resizable", [&] { THFloatTensor_max(values, fixed, t, 1, false); });
  EXPECT_EQ(values->numel, 5);
  const Tensor first(THTensor_newNarrow(both, 0, 0, 3)), last(THTensor_newNarrow(both, 0, 1, 3));
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THFloatTensor_max(first, last, t, 1, false); });
}

TEST_F(Prepare, FillingByItsOwnElements) {
  const Tensor t(L, {3}), there = on(TH_CUDA, t);
  THIndexDimPlan plan;
  for (THTensor *self : {static_cast<THTensor *>(t), static_cast<THTensor *>(there)})
    expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THPrepare_indexFill(&plan, self, 0, self); });
}

// Where the headers allow it, the CPU's kernels read what they would overwrite from a copy.
TEST_F(Prepare, ResultsMayBeInputs) {
  const auto same = [](const Shape &shape, const std::function<void(THTensor *r, THTensor *input)> &kernel) {
    const Tensor input = make(D, shape, [](int64_t i) { return double(i) / 8; }), r(D);
    kernel(r, input);
    kernel(input, input);
    expectSame(input, r);
  };
  const Tensor t = make(D, {40, 6}, [](int64_t i) { return double(i % 6); }), edges = of(D, {0, 2, 4, 5});
  const Tensor classes = make(L, {6}, [](int64_t i) { return double(i % 4); });
  same({5}, [&](THTensor *r, THTensor *q) { THDoubleTensor_quantile(r, t, q, TH_INTERPOLATE_LINEAR, false); });
  same({40, 6}, [&](THTensor *r, THTensor *weights) { THDoubleTensor_histogram(r, t, weights, edges, false, true); });
  same({9}, [&](THTensor *r, THTensor *bounds) { THDoubleTensor_histogram(r, t, t, bounds, false, true); });
  same({6}, [&](THTensor *r, THTensor *weights) { THLongTensor_bincount(r, classes, weights, 7); });
  const Tensor numbers = make(L, {6}, [](int64_t i) { return double(i % 4); }), r(L), each = random(D, {6});
  THLongTensor_bincount(r, classes, each, 40);
  THLongTensor_bincount(numbers, numbers, each, 40);
  expectSame(numbers, r);
}

TEST_F(Prepare, InputsMustBeWithinReach) {
  const Tensor here = random(F, {3}), there = on(TH_CUDA, here), nowhere = on(TH_Meta, here);
  THRowsPlan plan;
  const Tensor r(F), q = on(TH_CUDA, r);
  THPrepare_scan(&plan, q, there, 0);
  THPrepare_scan(&plan, q, here, 0);  // which the backend brings over
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'cuda' cannot be computed from a tensor on device 'meta'",
               [&] { THPrepare_scan(&plan, q, nowhere, 0); });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'cuda'", [&] { THPrepare_scan(&plan, r, there, 0); });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'meta'", [&] { THPrepare_scan(&plan, r, nowhere, 0); });
}

TEST_F(Prepare, KernelsOfTheCpuRefuseOtherDevicesBeforeTheyChangeAnything) {
  const Tensor t = on(TH_CUDA, random(F, {3, 4})), r = on(TH_CUDA, Tensor(F, {0})), l = on(TH_CUDA, Tensor(L, {0}));
  const THTensor *const two[] = {t, t};
  THGenerator *const generator = THGenerator_new();
  const std::function<void()> calls[] = {
      [&] { THFloatTensor_sum(r, t, 1, false); },
      [&] { THFloatTensor_cumsum(r, t, 0); },
      [&] { THFloatTensor_sort(r, l, t, 0, false, true); },
      [&] { THTensor_cat(r, 2, two, 0); },
      [&] { THTensor_tril(r, t, 0); },
      [&] { THFloatTensor_arange(r, number(0), number(3), number(1)); },
      [&] { THFloatTensor_randperm(r, generator, 5); },
      [&] { THFloatTensor_uniform(t, generator, 0, 1); },
      [&] { THTensor_indexSelect(r, t, 0, on(TH_CUDA, Tensor(L, {2}))); },
  };
  for (const auto &call : calls) {
    expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'cuda'", call);
    EXPECT_EQ(r->numel, 0);
    EXPECT_EQ(l->numel, 0);
  }
  EXPECT_EQ(THGenerator_offset(generator), 0u);
  THGenerator_free(generator);
}

}  // namespace
