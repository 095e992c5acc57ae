// The meta device: every function checks its arguments and gives its results their shapes and strides, as on the CPU,
// and computes nothing.
#include <algorithm>
#include <string>

#include "tensors.hpp"

using namespace test;

namespace {

struct Spec {
  THDtype dtype;
  Shape shape;
  Layout layout = Layout::contiguous;
};

// Indices are 0, and rows of pivots 1, where every shape here has something.
Tensor make(const Spec &spec) {
  const Tensor t = spec.dtype == TH_Long  ? test::make(spec.dtype, spec.shape, [](int64_t) { return 0; })
                   : spec.dtype == TH_Int ? test::make(spec.dtype, spec.shape, [](int64_t) { return 1; })
                                          : test::make(spec.dtype, spec.shape, [](int64_t i) { return noise(i); });
  return relayout(t, spec.layout);
}

using Call = void (*)(THTensor *const *x);

struct Case {
  const char *name;
  std::vector<THDtype> results;  // that get their shape from the call; they come first
  int written;                   // of the others, which keep theirs
  std::vector<Spec> others;
  Call call;
};
void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

constexpr THDtype F = TH_Float, D = TH_Double, L = TH_Long, I = TH_Int, B = TH_Bool, C = TH_ComplexFloat;
constexpr Layout kReversed = Layout::reversed, kGapped = Layout::gapped, kOffset = Layout::offset;
const Spec kMatrix = {F, {3, 4}}, kTurned = {F, {3, 4}, kReversed}, kSquare = {F, {3, 3}, kReversed};

const Case kCases[] = {
    // the iterator
    {"cadd", {F}, 0, {kMatrix, kMatrix}, [](auto x) { THFloatTensor_cadd(x[0], x[1], number(2), x[2]); }},
    {"cadd, turned", {F}, 0, {kTurned, kTurned}, [](auto x) { THFloatTensor_cadd(x[0], x[1], number(1), x[2]); }},
    {"cadd, broadcast",
     {F},
     0,
     {{F, {5, 1, 4}, kReversed}, {F, {3, 1}}},
     [](auto x) { THFloatTensor_cadd(x[0], x[1], number(1), x[2]); }},
    {"cadd, numbers", {F}, 0, {{F, {}}, {F, {}}}, [](auto x) { THFloatTensor_cadd(x[0], x[1], number(1), x[2]); }},
    {"cadd, nothing", {F}, 0, {{F, {3, 0}}, {F, {1}}}, [](auto x) { THFloatTensor_cadd(x[0], x[1], number(1), x[2]); }},
    {"cadd, other dtypes",
     {D},
     0,
     {kTurned, {I, {3, 4}, kGapped}},
     [](auto x) { THFloatTensor_cadd(x[0], x[1], number(1), x[2]); }},
    {"cdivFloor", {I}, 0, {{I, {3, 4}}, {I, {4}}}, [](auto x) { THIntTensor_cdivFloor(x[0], x[1], x[2]); }},
    {"cpow", {F}, 0, {kTurned, {F, {}}}, [](auto x) { THFloatTensor_cpow(x[0], x[1], x[2]); }},
    {"ltTensor", {B}, 0, {kTurned, {F, {}}}, [](auto x) { THFloatTensor_ltTensor(x[0], x[1], x[2]); }},
    {"exp", {F}, 0, {{F, {2, 3, 4}, kReversed}}, [](auto x) { THFloatTensor_exp(x[0], x[1]); }},
    {"exp in place", {}, 1, {{F, {3, 4}, kGapped}}, [](auto x) { THFloatTensor_exp(x[0], x[0]); }},
    {"frexp", {F, I}, 0, {kTurned}, [](auto x) { THFloatTensor_frexp(x[0], x[1], x[2]); }},
    {"where", {F}, 0, {{B, {3, 1}}, kTurned, {F, {}}}, [](auto x) { THTensor_where(x[0], x[1], x[2], x[3]); }},
    {"addcmul",
     {F},
     0,
     {kMatrix, kTurned, {F, {4}}},
     [](auto x) { THFloatTensor_addcmul(x[0], x[1], number(2), x[2], x[3]); }},
    {"clamp", {F}, 0, {kTurned, {F, {}}}, [](auto x) { THFloatTensor_clamp(x[0], x[1], x[2], nullptr); }},
    {"maskedFill", {}, 1, {kTurned, {B, {4}}}, [](auto x) { THTensor_maskedFill(x[0], x[1], number(1)); }},
    {"isin", {B}, 0, {kTurned, {F, {5}}}, [](auto x) { THFloatTensor_isin(x[0], x[1], x[2], false); }},
    {"fromParts", {C}, 0, {kTurned, kMatrix}, [](auto x) { THComplexFloatTensor_fromParts(x[0], x[1], x[2]); }},
    // reductions
    {"sum", {F}, 0, {{F, {2, 3, 4}, kReversed}}, [](auto x) { THFloatTensor_sum(x[0], x[1], 2, false); }},
    {"sum, kept", {D}, 0, {{F, {2, 3, 4}}}, [](auto x) { THFloatTensor_sum(x[0], x[1], 5, true); }},
    {"mean of all", {F}, 0, {{F, {0, 3}}}, [](auto x) { THFloatTensor_mean(x[0], x[1], TH_ALL_DIMS, false); }},
    {"var", {F, F}, 0, {kMatrix}, [](auto x) { THFloatTensor_var(x[0], x[1], x[2], 1, false, 1); }},
    {"max", {F, L}, 0, {kMatrix}, [](auto x) { THFloatTensor_max(x[0], x[1], x[2], 1, true); }},
    {"argmax", {L}, 0, {kMatrix}, [](auto x) { THFloatTensor_argmax(x[0], x[1], 0, false, false); }},
    {"norm", {F}, 0, {kMatrix}, [](auto x) { THFloatTensor_norm(x[0], x[1], 3, 1, true); }},
    {"dist", {F}, 0, {kMatrix, kTurned}, [](auto x) { THFloatTensor_dist(x[0], x[1], x[2], 2); }},
    {"renorm", {F}, 0, {kTurned}, [](auto x) { THFloatTensor_renorm(x[0], x[1], 2, 0, 1); }},
    {"cumsum", {F}, 0, {kTurned}, [](auto x) { THFloatTensor_cumsum(x[0], x[1], 0); }},
    {"cumsum to another dtype", {D}, 0, {kTurned}, [](auto x) { THFloatTensor_cumsum(x[0], x[1], 0); }},
    {"cummax", {F, L}, 0, {kTurned}, [](auto x) { THFloatTensor_cummax(x[0], x[1], x[2], 1); }},
    // order
    {"sort", {F, L}, 0, {kTurned}, [](auto x) { THFloatTensor_sort(x[0], x[1], x[2], 0, false, true); }},
    {"sort of bools", {B, L}, 0, {{B, {5}}}, [](auto x) { THBoolTensor_sort(x[0], x[1], x[2], 0, true, true); }},
    {"topk", {F, L}, 0, {kTurned}, [](auto x) { THFloatTensor_topk(x[0], x[1], x[2], 2, 1, true, true); }},
    {"kthvalue", {F, L}, 0, {kTurned}, [](auto x) { THFloatTensor_kthvalue(x[0], x[1], x[2], 2, 1, false); }},
    {"median", {F, L}, 0, {{F, {}}}, [](auto x) { THFloatTensor_median(x[0], x[1], x[2], 0, false); }},
    {"mode", {F, L}, 0, {kMatrix}, [](auto x) { THFloatTensor_mode(x[0], x[1], x[2], 0, true); }},
    {"quantile",
     {F},
     0,
     {kMatrix, {F, {2}}},
     [](auto x) { THFloatTensor_quantile(x[0], x[1], x[2], TH_INTERPOLATE_LINEAR, false); }},
    {"searchsorted",
     {L},
     0,
     {{F, {4}}, kTurned},
     [](auto x) { THFloatTensor_searchsorted(x[0], x[1], x[2], nullptr, true); }},
    {"histc", {F}, 0, {kMatrix}, [](auto x) { THFloatTensor_histc(x[0], x[1], 5, 0, 0); }},
    {"histogram",
     {F},
     0,
     {kMatrix, {F, {3, 4}}, {F, {4}}},
     [](auto x) { THFloatTensor_histogram(x[0], x[1], x[2], x[3], false, true); }},
    // indices
    {"index",
     {F},
     0,
     {{F, {3, 4, 5}}, {L, {2, 1}}, {L, {6}}},
     [](auto x) {
       const THTensor *const indices[] = {x[2], nullptr, x[3]};
       THTensor_index(x[0], x[1], 3, indices);
     }},
    {"indexPut",
     {},
     1,
     {{F, {3, 4}}, {L, {2}}, {F, {1, 4}}},
     [](auto x) { THTensor_indexPut(x[0], 1, x + 1, x[2], true); }},
    {"indexSelect", {F}, 0, {kTurned, {L, {5}}}, [](auto x) { THTensor_indexSelect(x[0], x[1], 1, x[2]); }},
    {"indexAdd", {}, 1, {kTurned, {L, {2}}, {F, {3, 2}}}, [](auto x) { THTensor_indexAdd(x[0], 1, x[1], x[2]); }},
    {"indexCopy", {}, 1, {kTurned, {L, {2}}, {F, {3, 2}}}, [](auto x) { THTensor_indexCopy(x[0], 1, x[1], x[2]); }},
    {"indexFill", {}, 1, {kTurned, {L, {2}}}, [](auto x) { THTensor_indexFill(x[0], 1, x[1], number(1)); }},
    {"gather", {F}, 0, {kTurned, {L, {3, 2}}}, [](auto x) { THTensor_gather(x[0], x[1], 1, x[2]); }},
    {"scatter", {}, 1, {kTurned, {L, {3, 2}}, kMatrix}, [](auto x) { THTensor_scatter(x[0], 1, x[1], x[2]); }},
    {"scatterFill", {}, 1, {kTurned, {L, {3, 2}}}, [](auto x) { THTensor_scatterFill(x[0], 1, x[1], number(1)); }},
    {"scatterAdd",
     {},
     1,
     {{TH_Half, {3, 4}}, {L, {3, 2}}, {TH_Half, {3, 4}}},
     [](auto x) { THHalfTensor_scatterAdd(x[0], 1, x[1], x[2]); }},
    {"maskedCopy", {}, 1, {kTurned, {B, {4}}, {F, {3, 4}}}, [](auto x) { THTensor_maskedCopy(x[0], x[1], x[2]); }},
    {"tril", {F}, 0, {kTurned}, [](auto x) { THTensor_tril(x[0], x[1], 1); }},
    {"diag to a matrix", {F}, 0, {{F, {3}}}, [](auto x) { THTensor_diag(x[0], x[1], 1); }},
    {"diag of a matrix", {F}, 0, {kTurned}, [](auto x) { THTensor_diag(x[0], x[1], -1); }},
    {"cat", {F}, 0, {{F, {2, 3}}, {F, {0}}, {F, {2, 4}, kReversed}}, [](auto x) { THTensor_cat(x[0], 3, x + 1, 1); }},
    {"flip", {}, 1, {kMatrix, kTurned}, [](auto x) { THTensor_flip(x[0], x[1], 3); }},
    // products
    {"dot", {F}, 0, {{F, {4}}, {F, {4}}}, [](auto x) { THFloatTensor_dot(x[0], x[1], x[2]); }},
    {"addmv",
     {F},
     0,
     {{F, {3}}, kTurned, {F, {4}}},
     [](auto x) { THFloatTensor_addmv(x[0], number(1), x[1], number(1), x[2], x[3]); }},
    {"addmm",
     {F},
     0,
     {{F, {3}}, kTurned, {F, {4, 3}}},
     [](auto x) { THFloatTensor_addmm(x[0], number(1), x[1], number(1), x[2], x[3]); }},
    {"addmm in place",
     {},
     1,
     {kSquare, kTurned, {F, {4, 3}}},
     [](auto x) { THFloatTensor_addmm(x[0], number(1), x[0], number(1), x[1], x[2]); }},
    {"addmm of bytes",
     {TH_Byte},
     0,
     {{TH_Byte, {2, 3}}, {TH_Byte, {3, 2}}},
     [](auto x) { THByteTensor_addmm(x[0], number(0), x[0], number(1), x[1], x[2]); }},
    {"baddbmm",
     {F},
     0,
     {{F, {}}, {F, {2, 3, 4}}, {F, {2, 4, 5}}},
     [](auto x) { THFloatTensor_baddbmm(x[0], number(1), x[1], number(1), x[2], x[3]); }},
    {"addbmm",
     {F},
     0,
     {{F, {5}}, {F, {2, 3, 4}}, {F, {2, 4, 5}}},
     [](auto x) { THFloatTensor_addbmm(x[0], number(1), x[1], number(1), x[2], x[3]); }},
    {"addr",
     {F},
     0,
     {kTurned, {F, {3}}, {F, {4}}},
     [](auto x) { THFloatTensor_addr(x[0], number(1), x[1], number(1), x[2], x[3]); }},
    {"cross", {F}, 0, {{F, {2, 3}}, {F, {3}}}, [](auto x) { THFloatTensor_cross(x[0], x[1], x[2], 1); }},
    {"trace", {F}, 0, {kTurned}, [](auto x) { THFloatTensor_trace(x[0], x[1]); }},
    {"cdist", {}, 1, {{F, {3, 2}}, {F, {3, 4}}, {F, {2, 4}}}, [](auto x) { THFloatTensor_cdist(x[0], x[1], x[2], 2); }},
    // LAPACK
    {"getrf", {}, 3, {kSquare, {I, {3}}, {I, {}}}, [](auto x) { THFloatTensor_getrf(x[0], x[1], x[2]); }},
    {"getrs",
     {},
     1,
     {{F, {3, 2}, kReversed}, kSquare, {I, {3}}},
     [](auto x) { THFloatTensor_getrs(x[0], x[1], x[2], 'N'); }},
    {"getri", {}, 1, {kSquare, {I, {3}}, {I, {}}}, [](auto x) { THFloatTensor_getri(x[0], x[1], x[2]); }},
    {"potrf", {}, 2, {kSquare, {I, {}}}, [](auto x) { THFloatTensor_potrf(x[0], x[1], true); }},
    {"potrs", {}, 1, {{F, {3, 2}, kReversed}, kSquare}, [](auto x) { THFloatTensor_potrs(x[0], x[1], true); }},
    {"pstrf", {}, 3, {kSquare, {I, {3}}, {I, {}}}, [](auto x) { THFloatTensor_pstrf(x[0], x[1], x[2], true, -1); }},
    {"trtrs",
     {},
     1,
     {{F, {3, 2}, kReversed}, kSquare},
     [](auto x) { THFloatTensor_trtrs(x[0], x[1], true, 'N', false, true); }},
    {"sytrf", {}, 3, {kSquare, {I, {3}}, {I, {}}}, [](auto x) { THFloatTensor_sytrf(x[0], x[1], x[2], true, false); }},
    {"sytrs",
     {},
     1,
     {{F, {3, 2}, kReversed}, kSquare, {I, {3}}},
     [](auto x) { THFloatTensor_sytrs(x[0], x[1], x[2], true, false); }},
    {"geqrf", {}, 2, {kSquare, {F, {3}}}, [](auto x) { THFloatTensor_geqrf(x[0], x[1]); }},
    {"orgqr", {}, 1, {kSquare, {F, {3}}}, [](auto x) { THFloatTensor_orgqr(x[0], x[1]); }},
    {"ormqr",
     {},
     1,
     {{F, {3, 2}, kReversed}, kSquare, {F, {3}}},
     [](auto x) { THFloatTensor_ormqr(x[0], x[1], x[2], true, false); }},
    {"qr", {}, 3, {kSquare, kSquare, kSquare}, [](auto x) { THFloatTensor_qr(x[0], x[1], x[2]); }},
    {"syev", {}, 3, {kSquare, {F, {3}}, {I, {}}}, [](auto x) { THFloatTensor_syev(x[0], x[1], x[2], true, true); }},
    {"geev",
     {},
     4,
     {kSquare, {C, {3}}, {C, {3, 3}, kReversed}, {I, {}}},
     [](auto x) { THFloatTensor_geev(x[0], x[1], x[2], x[3]); }},
    {"gesdd",
     {},
     5,
     {kSquare, {F, {3}}, kSquare, kSquare, {I, {}}},
     [](auto x) { THFloatTensor_gesdd(x[0], x[1], x[2], x[3], x[4]); }},
    {"gels",
     {},
     3,
     {kSquare, {F, {3, 1}}, {I, {}}},
     [](auto x) { THFloatTensor_gels(x[0], x[1], nullptr, nullptr, x[2], 0, 0); }},
    // transforms
    {"fftC2C",
     {C},
     0,
     {{C, {3, 4}, kReversed}},
     [](auto x) { THComplexFloatTensor_fftC2C(x[0], x[1], 0, 5, true, 1); }},
    {"fftR2C", {C}, 0, {kTurned}, [](auto x) { THComplexFloatTensor_fftR2C(x[0], x[1], 1, 4, true, 1, true); }},
    {"fftC2R", {F}, 0, {{C, {3, 4}}}, [](auto x) { THComplexFloatTensor_fftC2R(x[0], x[1], 1, 6, false, 1); }},
    {"overlapAdd", {F}, 0, {{F, {2, 3, 4}}}, [](auto x) { THFloatTensor_overlapAdd(x[0], x[1], 2); }},
    // copies and fills
    {"copy", {}, 1, {kTurned, {F, {4}}}, [](auto x) { THTensor_copy(x[0], x[1]); }},
    {"copy to another dtype", {}, 1, {{D, {3, 4}, kGapped}, kTurned}, [](auto x) { THTensor_copy(x[0], x[1]); }},
    {"copy, turned", {}, 1, {{F, {80, 80}}, {F, {80, 80}, kReversed}}, [](auto x) { THTensor_copy(x[0], x[1]); }},
    {"fill", {}, 1, {kTurned}, [](auto x) { THTensor_fill(x[0], number(3)); }},
    {"zero", {}, 1, {{F, {3, 4}, kGapped}}, [](auto x) { THTensor_zero(x[0]); }},
    {"arange", {F}, 0, {}, [](auto x) { THFloatTensor_arange(x[0], number(0), number(12), number(1)); }},
    {"arange to another dtype",
     {I},
     0,
     {},
     [](auto x) { THFloatTensor_arange(x[0], number(0), number(5), number(1)); }},
    {"linspace", {F}, 0, {}, [](auto x) { THFloatTensor_linspace(x[0], number(0), number(12), 5); }},
    {"eye", {F}, 0, {}, [](auto x) { THFloatTensor_eye(x[0], 3, 4); }},
    // random numbers
    {"uniform", {}, 1, {kTurned}, [](auto x) { THFloatTensor_uniform(x[0], THGenerator_default(), 0, 1); }},
    {"random", {}, 1, {{L, {3}}}, [](auto x) { THLongTensor_random(x[0], THGenerator_default(), 0, 9); }},
    {"normal, complex",
     {},
     1,
     {{C, {3, 4}, kOffset}},
     [](auto x) { THComplexFloatTensor_normal(x[0], THGenerator_default(), 0, 1); }},
    {"randperm", {L}, 0, {}, [](auto x) { THLongTensor_randperm(x[0], THGenerator_default(), 7); }},
    {"poisson", {F}, 0, {kTurned}, [](auto x) { THFloatTensor_poisson(x[0], x[1], THGenerator_default()); }},
    {"binomial",
     {F},
     0,
     {kTurned, kMatrix},
     [](auto x) { THFloatTensor_binomial(x[0], x[1], x[2], THGenerator_default()); }},
    {"multinomial",
     {L},
     0,
     {kTurned},
     [](auto x) { THFloatTensor_multinomial(x[0], x[1], 6, true, THGenerator_default()); }},
};

class Meta : public testing::TestWithParam<Case> {
 protected:
  // The call's tensors on the CPU, with results as they are given.
  std::vector<Tensor> arguments(std::vector<Tensor> results) const {
    for (const Spec &spec : GetParam().others) results.push_back(make(spec));
    return results;
  }
  std::vector<Tensor> arguments() const {
    std::vector<Tensor> results;
    for (THDtype dtype : GetParam().results) results.emplace_back(dtype);
    return arguments(std::move(results));
  }
  static std::vector<Tensor> allOnMeta(const std::vector<Tensor> &x) {
    std::vector<Tensor> m;
    for (const Tensor &t : x) m.push_back(onMeta(t));
    return m;
  }
  void call(const std::vector<Tensor> &x) const { GetParam().call(pointers(x).data()); }
  size_t written() const { return GetParam().results.size() + size_t(GetParam().written); }

  // The same call on both devices ends alike.
  void compare(const std::vector<Tensor> &x) const {
    const std::vector<Tensor> m = allOnMeta(x);
    call(x);
    call(m);
    for (size_t k = 0; k < x.size(); k++) {
      SCOPED_TRACE(k);
      EXPECT_EQ(m[k]->device, TH_Meta);
      EXPECT_EQ(m[k]->dtype, x[k]->dtype);
      EXPECT_EQ(shapeOf(m[k]), shapeOf(x[k]));
      EXPECT_EQ(stridesOf(m[k]), stridesOf(x[k]));
      EXPECT_EQ(m[k]->offset, x[k]->offset);
      EXPECT_EQ(m[k]->numel, x[k]->numel);
      EXPECT_EQ(m[k]->storage->nbytes, x[k]->storage->nbytes);
    }
  }

 private:
  static std::vector<THTensor *> pointers(const std::vector<Tensor> &x) { return {x.begin(), x.end()}; }
};

TEST_P(Meta, ResultsAreLaidOutAsOnTheCpu) {
  const size_t results = GetParam().results.size();
  std::vector<Tensor> x = arguments();
  compare(x);
  if (!results) return;
  std::vector<Shape> shapes;
  for (size_t k = 0; k < results; k++) shapes.push_back(shapeOf(x[k]));
  const auto again = [&](const char *what, auto result) {
    SCOPED_TRACE(what);
    std::vector<Tensor> given;
    for (size_t k = 0; k < results; k++) given.push_back(result(GetParam().results[k], shapes[k]));
    compare(arguments(std::move(given)));
  };
  for (Layout layout : kLayouts)
    again("of the right shape", [=](THDtype dtype, const Shape &shape) { return make({dtype, shape, layout}); });
  again("too small", [](THDtype dtype, const Shape &) { return make({dtype, {1}}); });
  again("too large", [](THDtype dtype, const Shape &) { return make({dtype, {7, 9, 2}, kReversed}); });
}

TEST_P(Meta, InputsOfAResultOnTheCpuNeedMemory) {
  for (size_t k = written(); k < arguments().size(); k++) {
    SCOPED_TRACE(k);
    std::vector<Tensor> x = arguments(), before;
    for (const Tensor &t : x) before.emplace_back(THTensor_newClone(t));
    x[k] = onMeta(x[k]);
    const bool copies = std::string(GetParam().name).starts_with("copy");
    expectRaises(TH_ERROR_NOT_IMPLEMENTED, copies ? "Cannot copy out of meta tensor; no data!" : "device 'meta'",
                 [&] { call(x); });
    for (size_t i = 0; i < x.size(); i++)
      if (i != k) expectSame(x[i], before[i]);
  }
}

TEST_P(Meta, GeneratorsStayAsTheyAre) {
  const uint64_t offset = THGenerator_offset(THGenerator_default());
  call(allOnMeta(arguments()));
  EXPECT_EQ(THGenerator_offset(THGenerator_default()), offset);
}

INSTANTIATE_TEST_SUITE_P(Families, Meta, testing::ValuesIn(kCases), [](const auto &info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  return name;
});

// ---- errors ---------------------------------------------------------------------------------------------
TEST(MetaErrors, ShapesAreJudgedBeforeAnythingChanges) {
  const Tensor r = newOnMeta(F, {2}), a = newOnMeta(F, {3, 4}), b = newOnMeta(F, {3, 3}), v = newOnMeta(F, {5});
  const auto refused = [&](THErrorKind kind, const char *text, auto call) {
    expectRaises(kind, text, call);
    EXPECT_EQ(shapeOf(r), (Shape{2}));
  };
  refused(TH_ERROR_RUNTIME, "must match the size", [&] { THFloatTensor_cmul(r, a, v); });
  const Tensor one = newOnMeta(F, {1});
  refused(TH_ERROR_RUNTIME, "doesn't match the broadcast shape", [&] { THFloatTensor_cmul(one, one, a); });
  EXPECT_EQ(shapeOf(one), (Shape{1}));
  refused(TH_ERROR_RUNTIME, "must match the size", [&] { THTensor_copy(r, v); });
  refused(TH_ERROR_RUNTIME, "shapes cannot be multiplied",
          [&] { THFloatTensor_addmm(r, number(0), r, number(1), a, b); });
  refused(TH_ERROR_INDEX, "Dimension out of range", [&] { THFloatTensor_cumsum(r, a, 2); });
  refused(TH_ERROR_RUNTIME, "selected index k out of range",
          [&] { THFloatTensor_topk(r, Tensor(newOnMeta(L, {0})), a, 5, 1, true, true); });
  refused(TH_ERROR_INDEX, "non-zero size", [&] { THFloatTensor_amax(r, Tensor(newOnMeta(F, {0})), 1, false); });
  refused(TH_ERROR_INDEX, "too many indices", [&] {
    const Tensor i = newOnMeta(L, {1});
    const THTensor *const indices[] = {i, i, i};
    THTensor_index(r, a, 3, indices);
  });
  refused(TH_ERROR_RUNTIME, "Invalid number of data points",
          [&] { THComplexFloatTensor_fftR2C(r, a, 0, 0, true, 1, true); });
}

TEST(MetaErrors, OverlapIsRefused) {
  const Tensor t = newOnMeta(F, {1, 4}), a = newOnMeta(F, {3, 4});
  const int64_t wide[] = {3, 4};
  const Tensor expanded(THTensor_newExpand(t, 2, wide));
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THFloatTensor_exp(expanded, a); });
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THFloatTensor_uniform(expanded, nullptr, 0, 1); });
  expectRaises(TH_ERROR_RUNTIME, "single memory location",
               [&] { THFloatTensor_cumsum(a, Tensor(THTensor_newNarrow(a, 0, 0, 2)), 0); });
  THTensor_fill(expanded, number(1));  // every element gets the same value
}

// ---- what only elements could tell ------------------------------------------------------------------------
TEST(MetaErrors, ResultsThatDependOnElementsAreRefusedByName) {
  const Tensor t = newOnMeta(F, {3}), i = newOnMeta(L, {3}), mask = newOnMeta(B, {3}), here = make({F, {3}});
  for (const bool onCpu : {false, true}) {
    const Tensor r = onCpu ? Tensor(L, {2}) : newOnMeta(L, {2}), f = onCpu ? Tensor(F, {2}) : newOnMeta(F, {2});
    const auto refused = [&](const char *name, auto call) {
      expectRaises(TH_ERROR_NOT_IMPLEMENTED,
                   "aten::" + std::string(name) + ": attempted to run this operator with Meta tensors", call);
      EXPECT_EQ(shapeOf(r), (Shape{2}));
      EXPECT_EQ(shapeOf(f), (Shape{2}));
    };
    refused("nonzero", [&] { THTensor_nonzero(r, t); });
    refused("masked_select", [&] { THTensor_maskedSelect(f, here, mask); });
    refused("bincount", [&] { THLongTensor_bincount(r, i, nullptr, 0); });
    refused("_unique2", [&] { THFloatTensor_unique(f, nullptr, nullptr, t, true); });
    refused("unique_consecutive", [&] { THFloatTensor_unique(f, nullptr, nullptr, t, false); });
    refused("unique_dim", [&] { THFloatTensor_uniqueSlices(f, nullptr, nullptr, t, true); });
    refused("equal", [&] { THTensor_equal(here, t); });
  }
}

TEST(MetaErrors, ElementsCannotBeRead) {
  const Tensor one = newOnMeta(F, {1}), two = newOnMeta(F, {2}), here = make({F, {2}});
  expectRaises(TH_ERROR_RUNTIME, "Tensor.item() cannot be called on meta tensors", [&] { THTensor_item(one); });
  expectRaises(TH_ERROR_RUNTIME, "a Tensor with 2 elements cannot be converted to Scalar", [&] { THTensor_item(two); });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'meta'", [&] { THTensor_data(one); });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'meta'", [&] { THTensor_get1d(one, 0); });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'meta'", [&] { THFloatTensor_sumall(two); });
  expectRaises(TH_ERROR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!", [&] { THTensor_copy(here, two); });
  const Tensor copy(THTensor_newClone(two)), turned(THTensor_newTranspose(newOnMeta(F, {2, 3}), 0, 1));
  EXPECT_EQ(copy->device, TH_Meta);
  EXPECT_EQ(stridesOf(Tensor(THTensor_newContiguous(turned))), (Shape{2, 1}));
}

// ---- what is not judged -----------------------------------------------------------------------------------
TEST(MetaErrors, ValuesAreNotLookedAt) {
  const Tensor t = newOnMeta(F, {3, 4}), r = newOnMeta(F, {0}), far = of(L, {99}), zero = of(I, {0});
  const THTensor *const indices[] = {far};
  THTensor_index(r, t, 1, indices);
  EXPECT_EQ(shapeOf(r), (Shape{1, 4}));
  THTensor_indexSelect(r, t, 1, far);
  EXPECT_EQ(shapeOf(r), (Shape{3, 1}));
  THIntTensor_cdivTrunc(Tensor(newOnMeta(I, {0})), Tensor(newOnMeta(I, {2})), zero);
  THTensor_fill(Tensor(newOnMeta(TH_Byte, {2})), number(1e9));
  THByteTensor_linspace(Tensor(newOnMeta(TH_Byte, {2})), number(0), number(1000), 5);
}

// A row of a kernel that exists prepares for dtypes that have none.
TEST(MetaErrors, DtypesOfKernelsDoNotMatter) {
  const Tensor a = newOnMeta(B, {2, 3}), b = newOnMeta(B, {3, 2}), r = newOnMeta(B, {0});
  THFloatTensor_addmm(r, number(0), r, number(1), a, b);
  EXPECT_EQ(shapeOf(r), (Shape{2, 2}));
  const Tensor z = newOnMeta(C, {4}), values = newOnMeta(C, {0}), places = newOnMeta(L, {0});
  THFloatTensor_sort(values, places, z, 0, false, true);
  EXPECT_EQ(shapeOf(values), (Shape{4}));
  EXPECT_EQ(shapeOf(places), (Shape{4}));
  THFloatTensor_uniform(z, nullptr, 0, 1);
}

}  // namespace
