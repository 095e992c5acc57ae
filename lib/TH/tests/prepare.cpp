// The prepare halves that other backends call: plans say which elements meet, results get the CPU's shapes on any
// device, and errors read the same there.
#include <functional>

#include "tensors.hpp"

using namespace test;

namespace {

constexpr THDtype F = TH_Float, D = TH_Double, L = TH_Long, B = TH_Bool;

// Memory of a device that nobody here can reach: the host's, under other addresses.
constexpr uintptr_t kApart = uintptr_t(1) << 62;
void *apart(void *data) { return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(data) ^ kApart); }
void *allocate(void *, THDevice, size_t nbytes) { return apart(TH_alloc(nbytes)); }
void release(void *, THDevice, void *data, size_t nbytes) { TH_free(apart(data), nbytes); }
void keep(void *, THDevice, void *, const void *, size_t) {}
constexpr THAllocator kAllocator = {allocate, release, keep, nullptr};

// A tensor of the same geometry on a device.
Tensor on(THDeviceKind kind, const THTensor *t) {
  THStorage *storage = THStorage_newOn({int8_t(kind), 0}, t->storage->nbytes);
  Tensor r(THTensor_newWithStorage(THDtype(t->dtype), storage, t->offset, t->ndim, t->size, t->stride));
  THStorage_free(storage);
  return r;
}

class Prepare : public ::testing::Test {
 protected:
  void SetUp() override { TH_setAllocator(TH_CUDA, &kAllocator); }
  void TearDown() override { TH_setAllocator(TH_CUDA, nullptr); }
};

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

// ---- the same on every device -------------------------------------------------------------------------------

// What a prepare and THResult_resize make of these tensors on a device: shapes and strides of results, or the error.
struct Outcome {
  std::vector<Shape> shapes;
  std::string error;
  bool operator==(const Outcome &) const = default;
};
struct Case {
  const char *name;
  std::vector<std::pair<THDtype, Shape>> tensors;  // the first `results` are written
  size_t results;
  std::function<void(THTensor *const *x)> call;
  bool refusedOnMeta = true;  // what is wrong with dtypes is not: a row of meta serves them all
};
void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

template <class Plan, class Call>
void resized(Call call) {
  Plan plan;
  call(&plan);
  if constexpr (std::is_same_v<Plan, THRowsPlan>)
    THResult_resize(plan.result, plan.result[1].tensor ? 2 : 1);
  else if constexpr (std::is_same_v<Plan, THResult>)
    THResult_resize(&plan, 1);
  else
    THResult_resize(&plan.result, 1);
}

// Each as it should be, and refused.
const Case kCases[] = {
    {"scan",
     {{F, {0}}, {F, {3, 4}}},
     1,
     [](auto x) {
       resized<THRowsPlan>([=](auto p) { p->result[1].tensor = nullptr, THPrepare_scan(p, x[0], x[1], 1); });
     }},
    {"scan, dim",
     {{F, {0}}, {F, {3, 4}}},
     1,
     [](auto x) {
       resized<THRowsPlan>([=](auto p) { p->result[1].tensor = nullptr, THPrepare_scan(p, x[0], x[1], 2); });
     }},
    {"sort",
     {{F, {0}}, {L, {0}}, {F, {3, 4}}},
     2,
     [](auto x) { resized<THRowsPlan>([=](auto p) { THPrepare_sort(p, F, x[0], x[1], x[2], 0); }); }},
    {"sort, dtype",
     {{D, {0}}, {L, {0}}, {F, {3, 4}}},
     2,
     [](auto x) { resized<THRowsPlan>([=](auto p) { THPrepare_sort(p, F, x[0], x[1], x[2], 0); }); },
     false},
    {"topk",
     {{F, {0}}, {L, {0}}, {F, {3, 4}}},
     2,
     [](auto x) { resized<THRowsPlan>([=](auto p) { THPrepare_topk(p, F, x[0], x[1], x[2], 2, 1); }); }},
    {"topk, k",
     {{F, {0}}, {L, {0}}, {F, {3, 4}}},
     2,
     [](auto x) { resized<THRowsPlan>([=](auto p) { THPrepare_topk(p, F, x[0], x[1], x[2], 9, 1); }); }},
    {"median",
     {{F, {0}}, {L, {0}}, {F, {3, 4}}},
     2,
     [](auto x) {
       resized<THRowsPlan>([=](auto p) { THPrepare_orderStatistic(p, "median", F, x[0], x[1], x[2], 1, true); });
     }},
    {"gather",
     {{F, {0}}, {F, {3, 4}}, {L, {3, 2}}},
     1,
     [](auto x) { resized<THIndexDimPlan>([=](auto p) { THPrepare_gather(p, x[0], x[1], 1, x[2]); }); }},
    {"gather, shape",
     {{F, {0}}, {F, {3, 4}}, {L, {4, 2}}},
     1,
     [](auto x) { resized<THIndexDimPlan>([=](auto p) { THPrepare_gather(p, x[0], x[1], 1, x[2]); }); }},
    {"scatter, src",
     {{F, {3, 4}}, {L, {3, 2}}, {F, {3, 1}}},
     1,
     [](auto x) {
       THIndexDimPlan plan;
       THPrepare_scatter(&plan, x[0], 1, x[1], x[2]);
     }},
    {"index",
     {{F, {0}}, {F, {3, 4, 5}}, {L, {2, 2}}, {L, {2}}},
     1,
     [](auto x) {
       const THTensor *const indices[] = {nullptr, x[2], x[3]};
       resized<THIndexPlan>([&](auto p) { THPrepare_index(p, x[0], x[1], 3, indices); });
     }},
    {"index, shapes",
     {{F, {0}}, {F, {3, 4, 5}}, {L, {2, 2}}, {L, {3}}},
     1,
     [](auto x) {
       const THTensor *const indices[] = {nullptr, x[2], x[3]};
       resized<THIndexPlan>([&](auto p) { THPrepare_index(p, x[0], x[1], 3, indices); });
     }},
    {"indexPut, value",
     {{F, {3, 4}}, {L, {2}}, {F, {3, 4}}},
     1,
     [](auto x) {
       const THTensor *const indices[] = {x[1]};
       THIndexPlan plan;
       THPrepare_indexPut(&plan, x[0], 1, indices, x[2]);
     }},
    {"indexSelect",
     {{F, {0}}, {F, {3, 4}}, {L, {5}}},
     1,
     [](auto x) { resized<THIndexPlan>([=](auto p) { THPrepare_indexSelect(p, x[0], x[1], 1, x[2]); }); }},
    {"indexAdd, slices",
     {{F, {3, 4}}, {L, {2}}, {F, {2, 5}}},
     1,
     [](auto x) {
       THIndexDimPlan plan;
       THPrepare_indexAdd(&plan, x[0], 0, x[1], x[2]);
     }},
    {"maskedCopy, shape",
     {{F, {3, 4}}, {B, {3}}, {F, {9}}},
     1,
     [](auto x) { THTensor_free(THPrepare_maskedCopy(x[0], x[1], x[2])); }},
    {"cat",
     {{F, {0}}, {F, {3, 4}}, {F, {3, 1}}, {F, {0}}},
     1,
     [](auto x) { resized<THCatPlan>([=](auto p) { THPrepare_cat(p, x[0], 3, x + 1, -1); }); }},
    {"cat, sizes",
     {{F, {0}}, {F, {3, 4}}, {F, {2, 1}}},
     1,
     [](auto x) { resized<THCatPlan>([=](auto p) { THPrepare_cat(p, x[0], 2, x + 1, 1); }); }},
    {"diag",
     {{F, {0}}, {F, {3}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_diag(p, x[0], x[1], -1); }); }},
    {"triangle",
     {{F, {0}}, {F, {3}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_triangle(p, x[0], x[1], true); }); }},
    {"addmm",
     {{F, {0}}, {F, {2}}, {F, {3, 4}}, {F, {4, 2}}},
     1,
     [](auto x) {
       resized<THProductPlan>([=](auto p) { THPrepare_addmm(p, F, x[0], number(1), x[1], number(1), x[2], x[3]); });
     }},
    {"addmm, shapes",
     {{F, {0}}, {F, {2}}, {F, {3, 4}}, {F, {3, 2}}},
     1,
     [](auto x) {
       resized<THProductPlan>([=](auto p) { THPrepare_addmm(p, F, x[0], number(1), x[1], number(1), x[2], x[3]); });
     }},
    {"baddbmm, bias",
     {{F, {0}}, {F, {7}}, {F, {2, 3, 4}}, {F, {2, 4, 5}}},
     1,
     [](auto x) {
       resized<THProductPlan>([=](auto p) { THPrepare_baddbmm(p, F, x[0], number(1), x[1], number(1), x[2], x[3]); });
     }},
    {"addmv, sizes",
     {{F, {0}}, {F, {2}}, {F, {3, 4}}, {F, {4}}},
     1,
     [](auto x) {
       resized<THProductPlan>([=](auto p) { THPrepare_addmv(p, F, x[0], number(1), x[1], number(1), x[2], x[3]); });
     }},
    {"cross",
     {{F, {0}}, {F, {2, 3}}, {F, {3}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_cross(p, x[0], x[1], x[2], -1); }); }},
    {"arange",
     {{F, {0}}},
     1,
     [](auto x) {
       resized<THRangePlan>([=](auto p) { THPrepare_arange(p, F, x[0], number(0), number(4.5), number(1)); });
     }},
    {"arange, step",
     {{F, {0}}},
     1,
     [](auto x) {
       resized<THRangePlan>([=](auto p) { THPrepare_arange(p, F, x[0], number(0), number(4), number(0)); });
     }},
    {"arange, as many",
     {{F, {2, 2}}},
     1,
     [](auto x) {
       resized<THRangePlan>([=](auto p) { THPrepare_arange(p, F, x[0], number(0), number(4), number(1)); });
     }},
    {"uniform", {{F, {3}}}, 1, [](auto x) { THPrepare_uniform(F, x[0], 1, 0); }},
    {"random", {{TH_Byte, {3}}}, 1, [](auto x) { THPrepare_random(TH_Byte, x[0], 0, 257); }},
    {"multinomial",
     {{L, {0}}, {F, {3, 4}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_multinomial(p, F, x[0], x[1], 2, false); }); }},
    {"multinomial, n",
     {{L, {0}}, {F, {3, 4}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_multinomial(p, F, x[0], x[1], 5, false); }); }},
    {"searchsorted",
     {{L, {0}}, {F, {5}}, {F, {3, 4}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_searchsorted(p, x[0], x[1], x[2], nullptr); }); }},
    {"fft",
     {{TH_ComplexFloat, {0}}, {F, {3, 8}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_fft(p, TH_ComplexFloat, F, x[0], x[1], 1, 8, true); }); }},
    {"fft, n",
     {{TH_ComplexFloat, {0}}, {F, {3, 8}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_fft(p, TH_ComplexFloat, F, x[0], x[1], 1, 0, true); }); }},
    {"clamp",
     {{F, {0}}, {F, {3, 1}}, {F, {4}}},
     1,
     [](auto x) {
       THPointwisePlan plan;
       THPrepare_clamp(&plan, x[0], x[1], nullptr, x[2]);
     }},
    {"clamp, bounds",
     {{F, {0}}, {F, {3, 4}}},
     1,
     [](auto x) {
       THPointwisePlan plan;
       THPrepare_clamp(&plan, x[0], x[1], nullptr, nullptr);
     }},
    {"histc, bins",
     {{F, {0}}, {F, {5}}},
     1,
     [](auto x) { resized<THResult>([=](auto p) { THPrepare_histc(p, F, x[0], x[1], 0, 0, 1); }); }},
};

class PrepareCases : public Prepare, public ::testing::WithParamInterface<Case> {
 protected:
  static Outcome outcome(THDeviceKind device) {
    std::vector<Tensor> tensors;
    std::vector<THTensor *> x;
    for (const auto &[dtype, shape] : GetParam().tensors) {
      tensors.push_back(on(device, Tensor(dtype, shape)));
      x.push_back(tensors.back());
    }
    Outcome found;
    try {
      GetParam().call(x.data());
    } catch (const th::Exception &e) {
      found.error = e.what();
    }
    for (size_t k = 0; k < x.size(); k++) {
      found.shapes.push_back(shapeOf(x[k]));
      found.shapes.push_back(stridesOf(x[k]));
      // An error changes nothing, and success no input.
      if (k >= GetParam().results || !found.error.empty()) {
        EXPECT_EQ(shapeOf(x[k]), GetParam().tensors[k].second);
      }
    }
    return found;
  }
};

TEST_P(PrepareCases, AreTheSameOnEveryDevice) {
  const Outcome here = outcome(TH_CPU), there = outcome(TH_CUDA), nowhere = outcome(TH_Meta);
  EXPECT_EQ(here.error, there.error);
  EXPECT_EQ(here.shapes, there.shapes);
  if (here.error.empty() || GetParam().refusedOnMeta) {
    EXPECT_EQ(here.error, nowhere.error);
    EXPECT_EQ(here.shapes, nowhere.shapes);
  } else {
    EXPECT_EQ(nowhere.error, "");
  }
}
INSTANTIATE_TEST_SUITE_P(Kernels, PrepareCases, ::testing::ValuesIn(kCases));

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
