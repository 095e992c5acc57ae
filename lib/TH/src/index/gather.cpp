// gather and scatter: the index tensor says, for each of its positions, which place along `dim` the
// position is exchanged with; the other coordinates stay.
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <type_traits>

#include "kit/indexing.hpp"
#include "kit/messages.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

// The positions of an index tensor, split into the dimension `dim` and all others; of these the
// last is apart, to be an inner loop. "near" is what is walked in step with the index (gather's
// result, scatter's source), "far" is what the index points into.
struct Walk {
  struct Strides {
    int64_t index, near, far;
  };
  struct Dim {
    int64_t size;
    Strides step;
  };
  std::vector<Dim> outer;
  Dim run{1, {0, 0, 0}};
  int64_t outerCount = 1, length;
  Strides along;

  // A 0-dim tensor, which has no strides, can stand for a 1-dim one.
  Walk(const THTensor *index, const THTensor *near, const THTensor *far, int dim) {
    const auto stride = [](const THTensor *t, int d) { return t && t->ndim ? t->stride[d] : int64_t(0); };
    const auto steps = [&](int d) { return Strides{stride(index, d), stride(near, d), stride(far, d)}; };
    length = index->ndim ? index->size[dim] : 1;
    along = steps(dim);
    for (int d = 0; d < index->ndim; d++) {
      if (d == dim || index->size[d] == 1) continue;
      if (run.size != 1) {
        outer.push_back(run);
        outerCount *= run.size;
      }
      run = {index->size[d], steps(d)};
    }
  }

  Strides offset(int64_t i) const {
    Strides sum{0, 0, 0};
    for (size_t d = outer.size(); d-- > 0; i /= outer[d].size) {
      const int64_t k = i % outer[d].size;
      const Strides &step = outer[d].step;
      sum.index += k * step.index, sum.near += k * step.near, sum.far += k * step.far;
    }
    return sum;
  }

  // All positions along `dim`.
  template <class N, class U, class Op>
  void line(const int64_t *index, N *near, U *far, const Op &op) const {
    const int64_t n = length;  // in a register: `near` might alias this object
    const Strides step = along;
    if (step.index == 1 && step.near == 1 && step.far == 1) {
#pragma GCC unroll 4
      for (int64_t k = 0; k < n; k++) op(near[k], far[index[k]]);
    } else {
      for (int64_t k = 0; k < n; k++) op(near[k * step.near], far[index[k * step.index] * step.far]);
    }
  }

  // op(near element, far element) for all positions; those that meet at one far element in the
  // order of `dim`.
  template <class N, class U, class Op>
  void operator()(const int64_t *index, N *near, U *far, const Op &op) const {
    const bool alongInner = along.index <= run.step.index || run.size == 1;
    parallelFor(outerCount * run.size, std::max<int64_t>(1, kGrain / length), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end;) {
        const int64_t l0 = i % run.size, l1 = std::min(run.size, l0 + end - i);
        const Strides at = offset(i / run.size);
        if (alongInner) {
          for (int64_t l = l0; l < l1; l++)
            line(index + at.index + l * run.step.index, near + at.near + l * run.step.near,
                 far + at.far + l * run.step.far, op);
        } else {
          for (int64_t k = 0; k < length; k++) {
            const int64_t *const indexRow = index + at.index + k * along.index;
            N *const nearRow = near + at.near + k * along.near;
            U *const farRow = far + at.far;
            const Strides step = run.step;
            const int64_t jump = along.far;
            for (int64_t l = l0; l < l1; l++)
              op(nearRow[l * step.near], farRow[l * step.far + indexRow[l * step.index] * jump]);
          }
        }
        i += l1 - l0;
      }
    });
  }
};

// ---- checks ------------------------------------------------------------------------------------------

int dimsOf(const THTensor *t) { return std::max<int>(t->ndim, 1); }
// Raises if t has dimensions, and fewer.
int64_t sizeOf(const THTensor *t, int d) { return t->ndim ? t->size[TH_wrapDim(d, t->ndim)] : 1; }

void requireIndexDtype(const char *function, const THTensor *index) {
  if (dtypeOf(index) != TH_Long && dtypeOf(index) != TH_Int)
    THError(TH_ERROR_RUNTIME, "%s(): Expected dtype int32/int64 for index", function);
}

void requireSameDims(const THTensor *index, const THTensor *t, const char *what) {
  if (dimsOf(index) != dimsOf(t))
    THError(TH_ERROR_RUNTIME, "Index tensor must have the same number of dimensions as %s tensor", what);
}

// The first dimension (but `except`) in which index is larger than t; -1 if there is none.
int largerDim(const THTensor *index, const THTensor *t, int except) {
  for (int d = 0; d < dimsOf(index); d++)
    if (d != except && sizeOf(index, d) > sizeOf(t, d)) return d;
  return -1;
}

Ref checkedLongs(const THTensor *index, const THIndexDimPlan &plan, const THTensor *written) {
  // What has been checked here must not change when elements are written.
  Ref longs = THTensor_overlaps(written, index) ? Ref(THTensor_newClone(index)) : Ref(nullptr);
  longs = asLongs(longs ? static_cast<THTensor *>(longs) : index, index->ndim, index->size);
  const int64_t *numbers = elements<int64_t>(longs);
  const int64_t bad = findOutOfRange(numbers, longs->numel, 0, plan.length);
  if (bad >= 0)  // not TH_ERROR_INDEX: torch raises RuntimeError here
    THError(TH_ERROR_RUNTIME, TH_INDEX_OUTSIDE, (long long)numbers[bad], plan.dim, (long long)plan.length);
  return longs;
}

// What any scatter requires of its arguments; src NULL: one value. False if there is nothing to do.
bool checkScatter(int dim, const THTensor *self, const THTensor *index, const THTensor *src) {
  requireIndexDtype("scatter", index);
  if (src && src->dtype != self->dtype)
    THError(TH_ERROR_RUNTIME, "scatter(): Expected self.dtype to be equal to src.dtype");
  requireDistinct(self);
  refuseKnownOverlap(self, index);
  if (src) refuseKnownOverlap(self, src);
  if (index->numel == 0) return false;
  requireSameDims(index, self, "self");
  const bool larger = largerDim(index, self, dim) >= 0 || (src && largerDim(index, src, -1) >= 0);
  if (src) requireSameDims(index, src, "src");
  if (larger)
    THError(TH_ERROR_RUNTIME, "Expected index %s to be no larger than self %s apart from dimension %d%s%s",
            shapeString(index).c_str(), shapeString(self).c_str(), dim,
            src ? " and to be no larger size than src " : "", src ? shapeString(src).c_str() : "");
  return hasMemory(self);
}

void scatter(THTensor *self, int dim, const THTensor *index, const THTensor *src, const void *value) {
  THIndexDimPlan plan;
  if (!THPrepare_scatter(&plan, self, dim, index, src)) return;
  const Ref longs = checkedLongs(index, plan, self);
  const Walk walk(longs, src, self, plan.dim);
  withElementSize(dtypeOf(self), [&]<class U>(U) {
    const U *from = src ? elements<const U>(src) : static_cast<const U *>(value);
    walk(elements<int64_t>(longs), from, elements<U>(self), [](const U &near, U &far) { far = near; });
  });
}

// ---- with arithmetic -----------------------------------------------------------------------------------
// A bool in memory, where any byte may be.
struct Truth {
  uint8_t byte;
  Truth(bool truth) : byte(truth) {}
  operator bool() const { return byte != 0; }
};
template <class T> using Known = std::conditional_t<std::is_same_v<T, bool>, Truth, T>;

// Sums and products of integers wrap, so they are computed in unsigned types; of bools they are or and and.
template <class T>
using Wrapping = std::conditional_t<
    std::is_integral_v<Known<T>>, std::make_unsigned<std::conditional_t<std::is_integral_v<Known<T>>, Known<T>, char>>,
    std::type_identity<Known<T>>>::type;

struct Plus {
  template <class T> using LoopType = Wrapping<T>;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Truth>)
      return a || b;
    else
      return T(a + b);
  }
};
struct Times {
  template <class T> using LoopType = Wrapping<T>;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Truth>)
      return a && b;
    else if constexpr (std::is_integral_v<T>)
      return T(uint64_t(a) * uint64_t(b));
    else
      return a * b;
  }
};
struct Larger {
  template <class T> using LoopType = Known<T>;
  template <class T> static T of(T a, T b) { return b > a || b != b ? b : a; }
};
struct Smaller {
  template <class T> using LoopType = Known<T>;
  template <class T> static T of(T a, T b) { return b < a || b != b ? b : a; }
};

template <class Op, class T>
void combine(THTensor *self, int dim, const THTensor *longs, const THTensor *src) {
  using U = typename Op::template LoopType<T>;
  const Walk walk(longs, src, self, dim);
  walk(elements<int64_t>(longs), elements<const U>(src), elements<U>(self),
       [](const U &near, U &far) { far = Op::of(far, near); });
}

template <class Op, class T>
void scatterReduce(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  THIndexDimPlan plan;
  if (!THPrepare_scatterReduce(&plan, DtypeOf<T>::value, self, dim, index, src)) return;
  const Ref longs = checkedLongs(index, plan, self);
  if constexpr (isHalfType<T>) {
    const auto wide = [](const THTensor *t) {
      Ref copy(newLike(t, TH_Float, t->ndim, t->size));
      THTensor_copy(copy, t);
      return copy;
    };
    const Ref sum = wide(self);
    combine<Op, float>(sum, plan.dim, longs, wide(src));
    THTensor_copy(self, sum);
  } else {
    combine<Op, T>(self, plan.dim, longs, src);
  }
}

}  // namespace
}  // namespace th

using namespace th;

void THPrepare_gather(THIndexDimPlan *plan, THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  setDim(plan, t, dim);
  requireIndexDtype("gather", index);
  if (r->dtype != t->dtype)
    THError(TH_ERROR_RUNTIME, "Expected out tensor to have dtype %s, but got %s instead", TH_dtypeName(dtypeOf(t)),
            TH_dtypeName(dtypeOf(r)));
  requireSeparate(r, t, index->ndim, index->size);
  requireSeparate(r, index, index->ndim, index->size);
  if (index->numel) {
    requireSameDims(index, t, "input");
    const int larger = largerDim(index, t, plan->dim);
    if (larger >= 0)
      THError(TH_ERROR_RUNTIME,
              "Size does not match at dimension %d expected index %s to be no larger than self %s apart from "
              "dimension %d",
              larger, shapeString(index).c_str(), shapeString(t).c_str(), plan->dim);
  }
  setResult(plan->result, r, index);
}

bool THPrepare_scatter(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  setDim(plan, self, dim);
  return checkScatter(plan->dim, self, index, src);
}

bool THPrepare_scatterReduce(THIndexDimPlan *plan, THDtype dtype, THTensor *self, int dim, const THTensor *index,
                             const THTensor *src) {
  setDim(plan, self, dim);
  requireDtype(self, dtype);
  return checkScatter(plan->dim, self, index, src);
}

void THTensor_gather(THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  THIndexDimPlan plan;
  THPrepare_gather(&plan, r, t, dim, index);
  const bool runs = index->numel && hasMemory(r);
  const Ref longs = runs ? checkedLongs(index, plan, r) : Ref();
  resizeResults(&plan.result);
  if (!runs) return;
  ContiguousResult result(r);
  const Walk walk(longs, result.tensor(), t, plan.dim);
  withElementSize(dtypeOf(t), [&]<class U>(U) {
    walk(elements<int64_t>(longs), result.data<U>(), elements<const U>(t), [](U &near, const U &far) { near = far; });
  });
  result.finish();
}

void THTensor_scatter(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  scatter(self, dim, index, src, nullptr);
}

void THTensor_scatterFill(THTensor *self, int dim, const THTensor *index, THScalar value) {
  alignas(8) char element[kWidest];
  if (hasMemory(self)) scalarToBytes(dtypeOf(self), value, element);
  scatter(self, dim, index, nullptr, element);
}

#define TH_SCATTER(op, dtypes, Op)                                                                  \
  TH_DEFINE(op, dtypes, (THTensor * self, int dim, const THTensor *index, const THTensor *src),        \
            scatterReduce<Op, T>(self, dim, index, src))
TH_SCATTER(scatterAdd, all_complex, Plus)
TH_SCATTER(scatterProd, all_complex, Times)
TH_SCATTER(scatterAmax, all, Larger)
TH_SCATTER(scatterAmin, all, Smaller)
