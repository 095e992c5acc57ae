// Every prepare half beside the CPU's kernel that it belongs to: results get the same shapes, strides and dtypes, or
// the same error is raised and nothing changes; on a device that nobody can reach as on the CPU.
#include "apart.hpp"

using namespace test;

namespace {

constexpr THDtype F = TH_Float, D = TH_Double, H = TH_Half, L = TH_Long, I = TH_Int, B = TH_Bool, Y = TH_Byte,
                  C = TH_ComplexFloat;
constexpr Layout kTurned = Layout::reversed, kGapped = Layout::gapped;
const Spec kNew = {F, {0}}, kMatrix = {F, {3, 4}}, kTurnedMatrix = {F, {3, 4}, kTurned}, kNewIndices = {L, {0}};
const Spec kSquare = {F, {3, 3}, kTurned}, kSides = {F, {3, 2}, kTurned}, kPivots = {I, {3}}, kInfo = {I, {}};

void pointwise(THTensor *const *x, int n, THResultShape shape = TH_RESULT_RESIZED) {
  THPointwisePlan plan;
  THPrepare_pointwise(&plan, n, std::vector<const THTensor *>(x, x + n).data(), shape);
}
struct Element {
  alignas(8) char bytes[32];
  operator void *() { return bytes; }
};
void reduced(THReduceKind kind, THTensor *r, THTensor *second, const THTensor *t, uint64_t dims, bool keepdim) {
  THReducePlan plan;
  THPrepare_reduce(&plan, &kind, r, second, t, dims, keepdim);
  for (int k = 0; k < 2; k++)
    if (plan.own[k]) {
      THTensor *const result = k ? second : r;
      if (shapeOf(result) != shapeOf(plan.own[k])) THTensor_resizeAs(result, plan.own[k]);
      THTensor_free(plan.own[k]);
    }
}
// A number as Python gave it.
Tensor wrapped(double x) {
  Tensor number(L, {});
  set(number, 0, x);
  number->flags |= TH_WRAPPED_NUMBER;
  return number;
}
constexpr THGenerator *kNoGenerator = nullptr;
THGenerator *generator() { return THGenerator_default(); }

// clang-format off: tables
const PrepareCase kPointwise[] = {
    {"cmul", {kNew}, {{F, {3, 1, 5}, kTurned}, {F, {4, 5}}}, CALL(pointwise(x, 3)),
     CALL(THFloatTensor_cmul(x[0], x[1], x[2]))},
    {"cmul, shapes", {kNew}, {kMatrix, {F, {3}}}, CALL(pointwise(x, 3)), CALL(THFloatTensor_cmul(x[0], x[1], x[2])),
     "must match the size"},
    {"where", {kNew}, {{B, {3, 1}}, kTurnedMatrix, {F, {}}}, CALL(pointwise(x, 4)),
     CALL(THTensor_where(x[0], x[1], x[2], x[3]))},
    {"copy", {kMatrix}, {{F, {4}}}, PREPARED(THPrepare_copy, x[0], x[1]), CALL(THTensor_copy(x[0], x[1]))},
    {"copy, shapes", {kMatrix}, {{F, {3}}}, PREPARED(THPrepare_copy, x[0], x[1]), CALL(THTensor_copy(x[0], x[1])),
     "must match the size"},
    {"fill", {kTurnedMatrix}, {}, CALL(Element e; prepared(THPrepare_fill, e, x[0], number(3))),
     CALL(THTensor_fill(x[0], number(3)))},
    {"fill, number", {{I, {3}}}, {}, CALL(Element e; prepared(THPrepare_fill, e, x[0], number(1e30))),
     CALL(THTensor_fill(x[0], number(1e30))), "without overflow", false},
    {"maskedFill", {kTurnedMatrix}, {{B, {4}}},
     CALL(Element e; prepared(THPrepare_maskedFill, e, x[0], x[1], number(1))),
     CALL(THTensor_maskedFill(x[0], x[1], number(1)))},
    {"maskedFill, mask", {kTurnedMatrix}, {{Y, {4}}},
     CALL(Element e; prepared(THPrepare_maskedFill, e, x[0], x[1], number(1))),
     CALL(THTensor_maskedFill(x[0], x[1], number(1))), "only supports boolean masks"},
    {"cadd", {kNew}, {kTurnedMatrix, {F, {4}}},
     CALL(Element e; THPrepare_alpha(e, F, x[0], number(2), false); pointwise(x, 3)),
     CALL(THFloatTensor_cadd(x[0], x[1], number(2), x[2]))},
    {"csub, alpha", {{I, {0}}}, {{I, {3}}, {I, {3}}},
     CALL(Element e; THPrepare_alpha(e, I, x[0], number(2), true); pointwise(x, 3)),
     CALL(THIntTensor_csub(x[0], x[1], number(2), x[2])), "alpha must not be a floating point number"},
    {"clamp", {kNew}, {{F, {3, 1}}, {F, {4}}, {F, {}}}, PREPARED(THPrepare_clamp, x[0], x[1], x[2], x[3]),
     CALL(THFloatTensor_clamp(x[0], x[1], x[2], x[3]))},
    {"clamp from above", {kNew}, {{F, {3, 1}}, {F, {4}}}, PREPARED(THPrepare_clamp, x[0], x[1], nullptr, x[2]),
     CALL(THFloatTensor_clamp(x[0], x[1], nullptr, x[2]))},
    {"clamp, shapes", {kNew}, {kMatrix, {F, {3}}}, PREPARED(THPrepare_clamp, x[0], x[1], x[2], nullptr),
     CALL(THFloatTensor_clamp(x[0], x[1], x[2], nullptr)), "must match the size"},
    {"clamp, bounds", {kNew}, {kMatrix}, PREPARED(THPrepare_clamp, x[0], x[1], nullptr, nullptr),
     CALL(THFloatTensor_clamp(x[0], x[1], nullptr, nullptr)), "must not be None"},
    {"addcmul", {kNew}, {kMatrix, kTurnedMatrix, {F, {4}}},
     CALL(Element e; THPrepare_number(e, F, x[0], number(2)); pointwise(x, 4)),
     CALL(THFloatTensor_addcmul(x[0], x[1], number(2), x[2], x[3]))},
    {"addcmul, number", {{Y, {0}}}, {{Y, {3}}, {Y, {3}}, {Y, {3}}},
     CALL(Element e; THPrepare_number(e, Y, x[0], number(300)); pointwise(x, 4)),
     CALL(THByteTensor_addcmul(x[0], x[1], number(300), x[2], x[3])), "type uint8_t without overflow", false},
    {"addcdiv", {{C, {0}}}, {{C, {3, 4}}, {C, {3, 1}}, {C, {4}}},
     CALL(Element e; THPrepare_number(e, C, x[0], number(2)); pointwise(x, 4)),
     CALL(THComplexFloatTensor_addcdiv(x[0], x[1], number(2), x[2], x[3]))},
    {"addcdiv of halves, number", {{H, {0}}}, {{H, {3}}, {H, {3}}, {H, {3}}},
     CALL(Element e; THPrepare_number(e, H, x[0], number(1e40)); pointwise(x, 4)),
     CALL(THHalfTensor_addcdiv(x[0], x[1], number(1e40), x[2], x[3])), "type float without overflow", false},
    {"lerp", {kNew}, {kTurnedMatrix, {F, {4}}},
     CALL(Element e; THPrepare_number(e, F, x[0], number(0.5)); pointwise(x, 3)),
     CALL(THFloatTensor_lerp(x[0], x[1], x[2], number(0.5)))},
    {"lerp of complex, number", {{C, {0}}}, {{C, {3}}, {C, {3}}},
     CALL(Element e; THPrepare_number(e, C, x[0], number(1e40)); pointwise(x, 3)),
     CALL(THComplexFloatTensor_lerp(x[0], x[1], x[2], number(1e40))), "without overflow", false},
    {"cpow", {kNew}, {kTurnedMatrix}, CALL(THScalar e; THPrepare_exponent(&e, F, wrapped(-1)); pointwise(x, 2)),
     CALL(THFloatTensor_cpow(x[0], x[1], wrapped(-1)))},
    {"cpow of integers", {{I, {0}}}, {{I, {3}}},
     CALL(THScalar e; THPrepare_exponent(&e, I, wrapped(-1)); pointwise(x, 2)),
     CALL(THIntTensor_cpow(x[0], x[1], wrapped(-1))), "Integers to negative integer powers"},
    {"isin", {{B, {0}}}, {kTurnedMatrix, {F, {5}}}, PREPARED(THPrepare_isin, F, x[0], x[1], x[2]),
     CALL(THFloatTensor_isin(x[0], x[1], x[2], false))},
    {"isin, dtype", {{B, {0}}}, {kMatrix, {D, {5}}}, PREPARED(THPrepare_isin, F, x[0], x[1], x[2]),
     CALL(THFloatTensor_isin(x[0], x[1], x[2], false)), "must have dtype Float", false},
    {"addr", {kNew}, {kTurnedMatrix, {F, {3}}, {F, {4}}},
     CALL(Element e; prepared(THPrepare_addr, e, F, x[0], number(1), x[1], number(1), x[2], x[3])),
     CALL(THFloatTensor_addr(x[0], number(1), x[1], number(1), x[2], x[3]))},
    {"addr, vectors", {kNew}, {kTurnedMatrix, {F, {3}}, {F, {4, 1}}},
     CALL(Element e; prepared(THPrepare_addr, e, F, x[0], number(1), x[1], number(1), x[2], x[3])),
     CALL(THFloatTensor_addr(x[0], number(1), x[1], number(1), x[2], x[3])), "Expected 1-D argument vec2"},
    {"flip", {kMatrix}, {kTurnedMatrix}, CALL(int64_t first; prepared(THPrepare_flip, &first, x[0], x[1], 3u)),
     CALL(THTensor_flip(x[0], x[1], 3))},
};

const PrepareCase kReductions[] = {
    {"sum", {kNew}, {{F, {2, 3, 4}, kTurned}}, CALL(reduced({{F, L}, nullptr, false}, x[0], nullptr, x[1], 2, true)),
     CALL(THFloatTensor_sum(x[0], x[1], 2, true))},
    {"sum to another dtype", {{D, {0}}}, {kTurnedMatrix},
     CALL(reduced({{F, L}, nullptr, false}, x[0], nullptr, x[1], 1, false)),
     CALL(THFloatTensor_sum(x[0], x[1], 1, false))},
    {"amax of nothing", {kNew}, {{F, {0, 4}}}, CALL(reduced({{F, L}, "amax", false}, x[0], nullptr, x[1], 1, false)),
     CALL(THFloatTensor_amax(x[0], x[1], 1, false)), "Expected reduction dim 0 to have non-zero size"},
    {"max", {kNew, kNewIndices}, {kMatrix},
     CALL(reduced({{F, L}, nullptr, true}, x[0], x[1], x[2], THPrepare_extremum("max", x[2], 1, false), false)),
     CALL(THFloatTensor_max(x[0], x[1], x[2], 1, false))},
    {"argmax of nothing", {kNewIndices}, {{F, {0}}},
     CALL(reduced({{F, L}, nullptr, true}, nullptr, x[0], x[1], THPrepare_extremum("argmax", x[1], 0, true), false)),
     CALL(THFloatTensor_argmax(x[0], x[1], 0, false, true)), "argmax()"},
    {"norm of nothing", {kNew}, {{F, {0}}},
     CALL(THPrepare_norm(x[1], INFINITY, 1); reduced({{F, L}, nullptr, false}, x[0], nullptr, x[1], 1, false)),
     CALL(THFloatTensor_norm(x[0], x[1], INFINITY, 1, false)), "cannot compute the inf norm"},
    {"trace", {}, {{F, {3}}}, CALL(THTensor_free(THPrepare_trace(x[0]))),
     CALL(THFloatTensor_trace(Tensor(F), x[0])), "trace: expected a matrix"},
};

const PrepareCase kRows[] = {
    {"cumsum", {kNew}, {kTurnedMatrix}, PREPARED(THPrepare_scan, x[0], x[1], 1),
     CALL(THFloatTensor_cumsum(x[0], x[1], 1))},
    {"cumsum to another dtype", {{D, {0}}}, {kMatrix}, PREPARED(THPrepare_scan, x[0], x[1], 1),
     CALL(THFloatTensor_cumsum(x[0], x[1], 1))},
    {"cumsum, dim", {kNew}, {kMatrix}, PREPARED(THPrepare_scan, x[0], x[1], 2),
     CALL(THFloatTensor_cumsum(x[0], x[1], 2)), "Dimension out of range"},
    {"cummax", {kNew, kNewIndices}, {kTurnedMatrix}, PREPARED(THPrepare_scanExtremum, F, x[0], x[1], x[2], 1),
     CALL(THFloatTensor_cummax(x[0], x[1], x[2], 1))},
    {"sort", {kNew, kNewIndices}, {kTurnedMatrix}, PREPARED(THPrepare_sort, F, x[0], x[1], x[2], 0),
     CALL(THFloatTensor_sort(x[0], x[1], x[2], 0, false, true))},
    {"sort, dtype", {{D, {0}}, kNewIndices}, {kMatrix}, PREPARED(THPrepare_sort, F, x[0], x[1], x[2], 0),
     CALL(THFloatTensor_sort(x[0], x[1], x[2], 0, false, true)), "values must have dtype Float", false},
    {"topk", {kNew, kNewIndices}, {kTurnedMatrix}, PREPARED(THPrepare_topk, F, x[0], x[1], x[2], 2, 1),
     CALL(THFloatTensor_topk(x[0], x[1], x[2], 2, 1, true, true))},
    {"topk, k", {kNew, kNewIndices}, {kMatrix}, PREPARED(THPrepare_topk, F, x[0], x[1], x[2], 9, 1),
     CALL(THFloatTensor_topk(x[0], x[1], x[2], 9, 1, true, true)), "selected index k out of range"},
    {"kthvalue", {kNew, kNewIndices}, {kMatrix}, PREPARED(THPrepare_kthvalue, F, x[0], x[1], x[2], 2, 1, false),
     CALL(THFloatTensor_kthvalue(x[0], x[1], x[2], 2, 1, false))},
    {"median", {kNew, kNewIndices}, {kMatrix},
     PREPARED(THPrepare_orderStatistic, "median", F, x[0], x[1], x[2], 1, true),
     CALL(THFloatTensor_median(x[0], x[1], x[2], 1, true))},
    {"mode of nothing", {kNew, kNewIndices}, {{F, {0, 4}}},
     PREPARED(THPrepare_orderStatistic, "mode", F, x[0], x[1], x[2], 0, true),
     CALL(THFloatTensor_mode(x[0], x[1], x[2], 0, true)), "mode(): Expected reduction dim 0"},
    {"quantile", {kNew}, {kMatrix, {F, {2}}}, PREPARED(THPrepare_quantile, F, x[0], x[1], x[2]),
     CALL(THFloatTensor_quantile(x[0], x[1], x[2], TH_INTERPOLATE_LINEAR, false))},
    {"searchsorted", {kNewIndices}, {{F, {5}}, kTurnedMatrix},
     PREPARED(THPrepare_searchsorted, x[0], x[1], x[2], nullptr),
     CALL(THFloatTensor_searchsorted(x[0], x[1], x[2], nullptr, true))},
    {"histc", {kNew}, {kTurnedMatrix}, PREPARED(THPrepare_histc, F, x[0], x[1], 5, 0, 0),
     CALL(THFloatTensor_histc(x[0], x[1], 5, 0, 0))},
    {"histc, bins", {kNew}, {{F, {5}}}, PREPARED(THPrepare_histc, F, x[0], x[1], 0, 0, 1),
     CALL(THFloatTensor_histc(x[0], x[1], 0, 0, 1)), "bins must be > 0"},
    {"histogram", {kNew}, {kMatrix, {F, {3, 4}}, {F, {4}}}, PREPARED(THPrepare_histogram, x[0], x[1], x[2], x[3]),
     CALL(THFloatTensor_histogram(x[0], x[1], x[2], x[3], false, true))},
    {"bincount", {kNewIndices}, {{L, {5}}},
     CALL(THPrepare_bincount(L, x[0], x[1], nullptr, 0);
          prepared(THPrepare_bincountResult, x[0], x[1], nullptr, 1)),
     CALL(THLongTensor_bincount(x[0], x[1], nullptr, 0)), "", false},
    {"bincount, weights", {kNewIndices}, {{L, {5}}, {F, {4}}}, CALL(THPrepare_bincount(L, x[0], x[1], x[2], 0)),
     CALL(THLongTensor_bincount(x[0], x[1], x[2], 0)), "same length as input", false},
};

const PrepareCase kIndexing[] = {
    {"gather", {kNew}, {kTurnedMatrix, {L, {3, 2}}}, PREPARED(THPrepare_gather, x[0], x[1], 1, x[2]),
     CALL(THTensor_gather(x[0], x[1], 1, x[2]))},
    {"gather, shape", {kNew}, {kMatrix, {L, {4, 2}}}, PREPARED(THPrepare_gather, x[0], x[1], 1, x[2]),
     CALL(THTensor_gather(x[0], x[1], 1, x[2])), "Size does not match at dimension 0"},
    {"scatter", {kTurnedMatrix}, {{L, {3, 2}}, kMatrix}, PREPARED(THPrepare_scatter, x[0], 1, x[1], x[2]),
     CALL(THTensor_scatter(x[0], 1, x[1], x[2]))},
    {"scatter, src", {kMatrix}, {{L, {3, 2}}, {F, {3, 1}}}, PREPARED(THPrepare_scatter, x[0], 1, x[1], x[2]),
     CALL(THTensor_scatter(x[0], 1, x[1], x[2])), "no larger size than src"},
    {"scatterAdd", {{H, {3, 4}}}, {{L, {3, 2}}, {H, {3, 4}}},
     PREPARED(THPrepare_scatterReduce, H, x[0], 1, x[1], x[2]), CALL(THHalfTensor_scatterAdd(x[0], 1, x[1], x[2]))},
    {"index", {kNew}, {{F, {3, 4, 5}}, {L, {2, 2}}, {L, {2}}},
     CALL(const THTensor *const at[] = {nullptr, x[2], x[3]}; prepared(THPrepare_index, x[0], x[1], 3, at)),
     CALL(const THTensor *const at[] = {nullptr, x[2], x[3]}; THTensor_index(x[0], x[1], 3, at))},
    {"index, turned", {kNew}, {{F, {3, 4, 5}, kTurned}, {L, {2, 3}, kTurned}, {L, {3}}},
     CALL(const THTensor *const at[] = {x[2], nullptr, x[3]}; prepared(THPrepare_index, x[0], x[1], 3, at)),
     CALL(const THTensor *const at[] = {x[2], nullptr, x[3]}; THTensor_index(x[0], x[1], 3, at))},
    {"index, shapes", {kNew}, {{F, {3, 4, 5}}, {L, {2, 2}}, {L, {3}}},
     CALL(const THTensor *const at[] = {nullptr, x[2], x[3]}; prepared(THPrepare_index, x[0], x[1], 3, at)),
     CALL(const THTensor *const at[] = {nullptr, x[2], x[3]}; THTensor_index(x[0], x[1], 3, at)),
     "could not be broadcast together"},
    {"indexPut", {kMatrix}, {{L, {2}}, {F, {1, 4}}},
     CALL(const THTensor *const at[] = {x[1]}; prepared(THPrepare_indexPut, x[0], 1, at, x[2])),
     CALL(const THTensor *const at[] = {x[1]}; THTensor_indexPut(x[0], 1, at, x[2], false))},
    {"indexPut, value", {kMatrix}, {{L, {2}}, kMatrix},
     CALL(const THTensor *const at[] = {x[1]}; prepared(THPrepare_indexPut, x[0], 1, at, x[2])),
     CALL(const THTensor *const at[] = {x[1]}; THTensor_indexPut(x[0], 1, at, x[2], false)),
     "cannot be broadcast to indexing result"},
    {"indexSelect", {kNew}, {kTurnedMatrix, {L, {5}}}, PREPARED(THPrepare_indexSelect, x[0], x[1], 1, x[2]),
     CALL(THTensor_indexSelect(x[0], x[1], 1, x[2]))},
    {"indexSelect, index", {kNew}, {kMatrix, {L, {5, 1}}}, PREPARED(THPrepare_indexSelect, x[0], x[1], 1, x[2]),
     CALL(THTensor_indexSelect(x[0], x[1], 1, x[2])), "index_select()"},
    {"indexAdd", {kTurnedMatrix}, {{L, {2}}, {F, {3, 2}}}, PREPARED(THPrepare_indexAdd, x[0], 1, x[1], x[2]),
     CALL(THTensor_indexAdd(x[0], 1, x[1], x[2]))},
    {"indexAdd, slices", {kMatrix}, {{L, {2}}, {F, {2, 5}}}, PREPARED(THPrepare_indexAdd, x[0], 0, x[1], x[2]),
     CALL(THTensor_indexAdd(x[0], 0, x[1], x[2])), "source tensor shape must match"},
    {"indexCopy", {kTurnedMatrix}, {{L, {2}}, {F, {3, 2}}}, PREPARED(THPrepare_indexCopy, x[0], 1, x[1], x[2]),
     CALL(THTensor_indexCopy(x[0], 1, x[1], x[2]))},
    {"indexFill", {kTurnedMatrix}, {{L, {2}}}, PREPARED(THPrepare_indexFill, x[0], 1, x[1]),
     CALL(THTensor_indexFill(x[0], 1, x[1], number(1)))},
    {"nonzero", {kNewIndices}, {kTurnedMatrix},
     CALL(THPrepare_nonzero(x[0], x[1]); prepared(THPrepare_nonzeroResult, x[0], x[1], 12)),
     CALL(THTensor_nonzero(x[0], x[1])), "", false},
    {"maskedSelect", {kNew}, {kTurnedMatrix, {B, {4}}},
     CALL(int64_t size[TH_MAX_DIM]; THPrepare_maskedSelect(x[0], x[1], x[2], size);
          prepared(THPrepare_maskedSelectResult, x[0], x[1], x[2], 12)),
     CALL(THTensor_maskedSelect(x[0], x[1], x[2])), "", false},
    {"maskedCopy", {kTurnedMatrix}, {{B, {4}}, kMatrix}, CALL(THTensor_free(THPrepare_maskedCopy(x[0], x[1], x[2]))),
     CALL(THTensor_maskedCopy(x[0], x[1], x[2]))},
    {"maskedCopy, shape", {kMatrix}, {{B, {3}}, {F, {9}}},
     CALL(THTensor_free(THPrepare_maskedCopy(x[0], x[1], x[2]))), CALL(THTensor_maskedCopy(x[0], x[1], x[2])),
     "expand"},
    {"tril", {kNew}, {kTurnedMatrix}, PREPARED(THPrepare_triangle, x[0], x[1], true),
     CALL(THTensor_tril(x[0], x[1], 1))},
    {"triu, dims", {kNew}, {{F, {3}}}, PREPARED(THPrepare_triangle, x[0], x[1], false),
     CALL(THTensor_triu(x[0], x[1], 1)), "at least 2 dimensions"},
    {"diag", {kNew}, {kTurnedMatrix}, PREPARED(THPrepare_diag, x[0], x[1], -1), CALL(THTensor_diag(x[0], x[1], -1))},
    {"cat", {kNew}, {kMatrix, {F, {3, 1}}, {F, {0}}},
     CALL(prepared(THPrepare_cat, x[0], 3, x + 1, -1)),
     CALL(THTensor_cat(x[0], 3, x + 1, -1))},
    {"cat, sizes", {kNew}, {kMatrix, {F, {2, 1}}},
     CALL(prepared(THPrepare_cat, x[0], 2, x + 1, 1)),
     CALL(THTensor_cat(x[0], 2, x + 1, 1)), "Sizes of tensors must match"},
};

#define PRODUCT(op, ...)                                                              \
  CALL(prepared(THPrepare_##op, F, x[0], number(1), x[1], number(1), x[2], x[3])), \
      CALL(THFloatTensor_##op(x[0], number(1), x[1], number(1), x[2], x[3]))
const PrepareCase kProducts[] = {
    {"addmm", {kNew}, {{F, {2}}, kTurnedMatrix, {F, {4, 2}}}, PRODUCT(addmm)},
    {"addmm, shapes", {kNew}, {{F, {2}}, kMatrix, {F, {3, 2}}}, PRODUCT(addmm), "shapes cannot be multiplied"},
    {"addmm, dtypes", {kNew}, {{F, {2}}, kMatrix, {D, {4, 2}}}, PRODUCT(addmm), "to have the same dtype"},
    {"baddbmm", {kNew}, {{F, {}}, {F, {2, 3, 4}}, {F, {2, 4, 5}}}, PRODUCT(baddbmm)},
    {"baddbmm, bias", {kNew}, {{F, {7}}, {F, {2, 3, 4}}, {F, {2, 4, 5}}}, PRODUCT(baddbmm), "expand"},
    {"addbmm", {kNew}, {{F, {5}}, {F, {2, 3, 4}, kTurned}, {F, {2, 4, 5}}}, PRODUCT(addbmm)},
    {"addbmm, batches", {kNew}, {{F, {5}}, {F, {2, 3, 4}}, {F, {3, 4, 5}}}, PRODUCT(addbmm), "same number of batches"},
    {"addbmm, sizes", {kNew}, {{F, {5}}, {F, {2, 3, 4}}, {F, {2, 3, 5}}}, PRODUCT(addbmm), "Incompatible matrix sizes"},
    {"addbmm, dtypes", {kNew}, {{F, {5}}, {D, {2, 3, 4}}, {D, {2, 4, 5}}}, PRODUCT(addbmm), "dtype Float", false},
    {"addbmm, result", {{D, {0}}}, {{F, {5}}, {F, {2, 3, 4}}, {F, {2, 4, 5}}}, PRODUCT(addbmm), "Expected out tensor"},
    {"addmv", {kNew}, {{F, {3}}, kTurnedMatrix, {F, {4}}}, PRODUCT(addmv)},
    {"addmv, sizes", {kNew}, {{F, {2}}, kMatrix, {F, {4}}}, PRODUCT(addmv), "size mismatch"},
    {"dot", {kNew}, {{F, {4}}, {F, {4}, kGapped}}, PREPARED(THPrepare_dot, F, x[0], x[1], x[2]),
     CALL(THFloatTensor_dot(x[0], x[1], x[2]))},
    {"cross", {kNew}, {{F, {2, 3}}, {F, {3}}}, PREPARED(THPrepare_cross, x[0], x[1], x[2], -1),
     CALL(THFloatTensor_cross(x[0], x[1], x[2], -1))},
    {"cdist", {{F, {3, 2}}}, {kMatrix, {F, {2, 4}}}, CALL(THPrepare_cdist(F, x[0], x[1], x[2])),
     CALL(THFloatTensor_cdist(x[0], x[1], x[2], 2))},
    {"cdist, shapes", {{F, {3, 3}}}, {kMatrix, {F, {2, 4}}}, CALL(THPrepare_cdist(F, x[0], x[1], x[2])),
     CALL(THFloatTensor_cdist(x[0], x[1], x[2], 2)), "cdist: shapes do not fit"},
    {"fft", {{C, {0}}}, {{F, {3, 8}}}, PREPARED(THPrepare_fft, C, F, x[0], x[1], 1, 8, true),
     CALL(THComplexFloatTensor_fftR2C(x[0], x[1], 1, 8, true, 1, true))},
    {"fft, n", {{C, {0}}}, {{C, {3, 8}}}, PREPARED(THPrepare_fft, C, C, x[0], x[1], 1, 0, false),
     CALL(THComplexFloatTensor_fftC2C(x[0], x[1], 1, 0, true, 1)), "Invalid number of data points"},
    {"overlapAdd", {kNew}, {{F, {2, 3, 4}}}, PREPARED(THPrepare_overlapAdd, F, x[0], x[1], 2),
     CALL(THFloatTensor_overlapAdd(x[0], x[1], 2))},
};

const PrepareCase kFills[] = {
    {"arange", {kNew}, {}, PREPARED(THPrepare_arange, F, x[0], number(0), number(4.5), number(1)),
     CALL(THFloatTensor_arange(x[0], number(0), number(4.5), number(1)))},
    {"arange, step", {kNew}, {}, PREPARED(THPrepare_arange, F, x[0], number(0), number(4), number(0)),
     CALL(THFloatTensor_arange(x[0], number(0), number(4), number(0))), "step must be nonzero"},
    {"arange, as many", {{F, {2, 2}}}, {}, PREPARED(THPrepare_arange, F, x[0], number(0), number(4), number(1)),
     CALL(THFloatTensor_arange(x[0], number(0), number(4), number(1)))},
    {"range", {kNew}, {}, PREPARED(THPrepare_range, F, x[0], number(0), number(4), number(1)),
     CALL(THFloatTensor_range(x[0], number(0), number(4), number(1)))},
    {"linspace", {kNew}, {}, PREPARED(THPrepare_linspace, F, x[0], number(0), number(4), 5),
     CALL(THFloatTensor_linspace(x[0], number(0), number(4), 5))},
    {"logspace, steps", {kNew}, {}, PREPARED(THPrepare_logspace, x[0], number(0), number(4), -1),
     CALL(THFloatTensor_logspace(x[0], number(0), number(4), -1, 10)), "number of steps must be non-negative"},
    {"eye", {kNew}, {}, PREPARED(THPrepare_eye, x[0], 3, 4), CALL(THFloatTensor_eye(x[0], 3, 4))},
    {"uniform", {kTurnedMatrix}, {}, CALL(THPrepare_uniform(F, x[0], 0, 1)),
     CALL(THFloatTensor_uniform(x[0], generator(), 0, 1))},
    {"uniform, ends", {kMatrix}, {}, CALL(THPrepare_uniform(F, x[0], 1, 0)),
     CALL(THFloatTensor_uniform(x[0], kNoGenerator, 1, 0)), "uniform_"},
    {"normal, std", {kMatrix}, {}, CALL(THPrepare_normal(F, x[0], 0, -1)),
     CALL(THFloatTensor_normal(x[0], kNoGenerator, 0, -1)), "std"},
    {"random, ends", {{Y, {3}}}, {}, CALL(THPrepare_random(Y, x[0], 0, 257)),
     CALL(THByteTensor_random(x[0], kNoGenerator, 0, 257)), "out of bounds for"},
    {"cauchy, sigma", {kMatrix}, {}, CALL(THPrepare_cauchy(F, x[0], 0, -1)),
     CALL(THFloatTensor_cauchy(x[0], kNoGenerator, 0, -1)), "sigma"},
    {"exponential, lambda", {kMatrix}, {}, CALL(THPrepare_exponential(F, x[0], -1)),
     CALL(THFloatTensor_exponential(x[0], kNoGenerator, -1)), "lambd"},
    {"logNormal, std", {kMatrix}, {}, CALL(THPrepare_logNormal(F, x[0], 0, -1)),
     CALL(THFloatTensor_logNormal(x[0], kNoGenerator, 0, -1)), "std"},
    {"geometric, p", {kMatrix}, {}, CALL(THPrepare_geometric(F, x[0], 2)),
     CALL(THFloatTensor_geometric(x[0], kNoGenerator, 2)), "p to be in (0, 1)"},
    {"bernoulli, p", {kMatrix}, {}, CALL(THPrepare_bernoulli(F, x[0], 2)),
     CALL(THFloatTensor_bernoulli(x[0], kNoGenerator, 2)), "p to be in [0, 1]"},
    {"randperm", {kNewIndices}, {}, PREPARED(THPrepare_randperm, L, x[0], 7),
     CALL(THLongTensor_randperm(x[0], generator(), 7))},
    {"poisson", {kNew}, {kTurnedMatrix}, PREPARED(THPrepare_poisson, F, x[0], x[1]),
     CALL(THFloatTensor_poisson(x[0], x[1], generator()))},
    {"binomial", {kNew}, {kTurnedMatrix, kMatrix}, PREPARED(THPrepare_binomial, F, x[0], x[1], x[2]),
     CALL(THFloatTensor_binomial(x[0], x[1], x[2], generator()))},
    {"multinomial", {kNewIndices}, {kTurnedMatrix}, PREPARED(THPrepare_multinomial, F, x[0], x[1], 2, false),
     CALL(THFloatTensor_multinomial(x[0], x[1], 2, false, generator()))},
    {"multinomial, n", {kNewIndices}, {kMatrix}, PREPARED(THPrepare_multinomial, F, x[0], x[1], 5, false),
     CALL(THFloatTensor_multinomial(x[0], x[1], 5, false, kNoGenerator)), "cannot sample"},
};

// Matrices by columns, and what goes with them. Where something does not fit, the rest does.
const Spec kTau = {F, {3}}, kWide = {F, {3, 4}, kTurned}, kFlat = {F, {3, 3}};
#define LAPACK(op, ...) PREPARED(THPrepare_##op, F, __VA_ARGS__)
const PrepareCase kLapack[] = {
    {"getrf", {}, {kWide, kPivots, kInfo}, LAPACK(getrf, x[0], x[1], x[2]),
     CALL(THFloatTensor_getrf(x[0], x[1], x[2]))},
    {"getrf, strides", {}, {kFlat, kPivots, kInfo}, LAPACK(getrf, x[0], x[1], x[2]),
     CALL(THFloatTensor_getrf(x[0], x[1], x[2])), "must be stored by columns"},
    {"getrf, dims", {}, {kTau, kPivots, kInfo}, LAPACK(getrf, x[0], x[1], x[2]),
     CALL(THFloatTensor_getrf(x[0], x[1], x[2])), "a batch of matrices was expected"},
    {"getrf, pivots", {}, {kSquare, {I, {2}}, kInfo}, LAPACK(getrf, x[0], x[1], x[2]),
     CALL(THFloatTensor_getrf(x[0], x[1], x[2])), "contiguous vectors of length 3"},
    {"getrs", {}, {kSides, kSquare, kPivots}, LAPACK(getrs, x[0], x[1], x[2], 'C'),
     CALL(THFloatTensor_getrs(x[0], x[1], x[2], 'C'))},
    {"getrs, trans", {}, {kSides, kSquare, kPivots}, LAPACK(getrs, x[0], x[1], x[2], 'X'),
     CALL(THFloatTensor_getrs(x[0], x[1], x[2], 'X')), "getrs: shapes do not fit"},
    {"gesv, shapes", {}, {{F, {2, 2}, kTurned}, kSquare, kPivots, kInfo}, LAPACK(getrs, x[0], x[1], x[2], 'N'),
     CALL(THFloatTensor_gesv(x[0], x[1], x[2], x[3])), "getrs: shapes do not fit"},
    {"getri", {}, {kSquare, kPivots, kInfo}, LAPACK(getri, x[0], x[1], x[2]),
     CALL(THFloatTensor_getri(x[0], x[1], x[2]))},
    {"getri, shape", {}, {kWide, kPivots, kInfo}, LAPACK(getri, x[0], x[1], x[2]),
     CALL(THFloatTensor_getri(x[0], x[1], x[2])), "getri: shapes do not fit"},
    {"potrf, info", {}, {kSquare, kPivots}, LAPACK(potrf, x[0], x[1]), CALL(THFloatTensor_potrf(x[0], x[1], true)),
     "1 contiguous vectors of length 1"},
    {"potri, shape", {}, {kWide, kInfo}, LAPACK(potrf, x[0], x[1]), CALL(THFloatTensor_potri(x[0], x[1], true)),
     "potrf: shapes do not fit"},
    {"potrs, batches", {}, {{F, {3, 2}, kTurned}, {F, {1, 3, 3}}}, LAPACK(potrs, x[0], x[1]),
     CALL(THFloatTensor_potrs(x[0], x[1], true)), "stored by columns"},
    {"potrs, shapes", {}, {{F, {2, 3}, kTurned}, kSquare}, LAPACK(potrs, x[0], x[1]),
     CALL(THFloatTensor_potrs(x[0], x[1], true)), "potrs: shapes do not fit"},
    {"pstrf, pivots", {}, {kSquare, kInfo, kInfo}, LAPACK(pstrf, x[0], x[1], x[2]),
     CALL(THFloatTensor_pstrf(x[0], x[1], x[2], true, -1)), "vectors of length 3"},
    {"trtrs, side", {}, {kSides, kSquare}, LAPACK(trtrs, x[0], x[1], 'N', false),
     CALL(THFloatTensor_trtrs(x[0], x[1], true, 'N', false, false)), "trtrs: shapes do not fit"},
    {"sytrf, shape", {}, {kWide, kPivots, kInfo}, LAPACK(sytrf, x[0], x[1], x[2]),
     CALL(THFloatTensor_sytrf(x[0], x[1], x[2], true, false)), "sytrf: shapes do not fit"},
    {"sytrs, dtype", {}, {kSides, kSquare, kTau}, LAPACK(sytrs, x[0], x[1], x[2]),
     CALL(THFloatTensor_sytrs(x[0], x[1], x[2], true, false)), "must have dtype Int", false},
    {"geqrf, tau", {}, {kWide, {F, {4}}}, LAPACK(geqrf, x[0], x[1]), CALL(THFloatTensor_geqrf(x[0], x[1])),
     "vectors of length 3"},
    {"orgqr", {}, {kSquare, {F, {2}}}, LAPACK(orgqr, x[0], x[1]), CALL(THFloatTensor_orgqr(x[0], x[1]))},
    {"orgqr, tau", {}, {kSquare, {F, {4}}}, LAPACK(orgqr, x[0], x[1]), CALL(THFloatTensor_orgqr(x[0], x[1])),
     "orgqr: shapes do not fit"},
    {"ormqr, side", {}, {kSides, kSquare, kTau}, LAPACK(ormqr, x[0], x[1], x[2], false, true),
     CALL(THFloatTensor_ormqr(x[0], x[1], x[2], false, true)), "ormqr: shapes do not fit"},
    {"qr", {}, {kSquare, kWide, kWide}, LAPACK(qr, x[0], x[1], x[2]), CALL(THFloatTensor_qr(x[0], x[1], x[2]))},
    {"qr, r", {}, {kSquare, kSquare, kWide}, LAPACK(qr, x[0], x[1], x[2]), CALL(THFloatTensor_qr(x[0], x[1], x[2])),
     "qr: shapes do not fit"},
    {"syev, values", {}, {kSquare, {D, {3}}, kInfo}, LAPACK(syev, x[0], x[1], x[2]),
     CALL(THFloatTensor_syev(x[0], x[1], x[2], true, true)), "must have dtype Float", false},
    {"geev", {}, {kSquare, {C, {3}}, {C, {3, 3}, kTurned}, kInfo}, LAPACK(geev, x[0], x[1], x[2], x[3]),
     CALL(THFloatTensor_geev(x[0], x[1], x[2], x[3]))},
    {"geev, vectors", {}, {kSquare, {C, {3}}, {C, {2, 2}, kTurned}, kInfo}, LAPACK(geev, x[0], x[1], x[2], x[3]),
     CALL(THFloatTensor_geev(x[0], x[1], x[2], x[3])), "geev: shapes do not fit"},
    {"gesdd", {}, {kWide, kTau, kSquare, {F, {4, 4}, kTurned}, kInfo},
     PREPARED(THPrepare_gesdd, "gesdd", F, x[0], x[1], x[2], x[3], x[4]),
     CALL(THFloatTensor_gesdd(x[0], x[1], x[2], x[3], x[4]))},
    {"gesvd, vectors", {}, {kWide, kTau, kSquare, kInfo},
     PREPARED(THPrepare_gesdd, "gesvd", F, x[0], x[1], x[2], nullptr, x[3]),
     CALL(THFloatTensor_gesvd(x[0], x[1], x[2], nullptr, x[3])), "gesvd: shapes do not fit"},
    {"gels", {}, {kSquare, {F, {3, 1}}, kInfo}, LAPACK(gels, x[0], x[1], nullptr, nullptr, x[2], 0),
     CALL(THFloatTensor_gels(x[0], x[1], nullptr, nullptr, x[2], 0, 0))},
    {"gels, rank", {}, {kSquare, {F, {3, 1}}, kInfo}, LAPACK(gels, x[0], x[1], nullptr, nullptr, x[2], 1),
     CALL(THFloatTensor_gels(x[0], x[1], nullptr, nullptr, x[2], 1, 0)), "gels: shapes do not fit"},
};
// clang-format on

class PrepareCases : public OnDevices, public ::testing::WithParamInterface<PrepareCase> {};

TEST_P(PrepareCases, DoAsTheKernels) { expectSameAsKernel(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Pointwise, PrepareCases, ::testing::ValuesIn(kPointwise));
INSTANTIATE_TEST_SUITE_P(Reductions, PrepareCases, ::testing::ValuesIn(kReductions));
INSTANTIATE_TEST_SUITE_P(Rows, PrepareCases, ::testing::ValuesIn(kRows));
INSTANTIATE_TEST_SUITE_P(Indexing, PrepareCases, ::testing::ValuesIn(kIndexing));
INSTANTIATE_TEST_SUITE_P(Products, PrepareCases, ::testing::ValuesIn(kProducts));
INSTANTIATE_TEST_SUITE_P(Fills, PrepareCases, ::testing::ValuesIn(kFills));
INSTANTIATE_TEST_SUITE_P(Lapack, PrepareCases, ::testing::ValuesIn(kLapack));

}  // namespace
