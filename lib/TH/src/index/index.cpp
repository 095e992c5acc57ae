// Advanced indexing. Whatever the indices look like, the elements they choose form a box of
//     outer x chosen x inner
// where "chosen" counts through the broadcast indices and the others through dimensions taken whole.
// A chosen position is one number: its offset in the tensor.
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "add_runs.hpp"
#include "kit/indexing.hpp"
#include "kit/messages.hpp"
#include "kit/overlap.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

// A plan with what the CPU walks by.
struct Box {
  const THIndexPlan &plan;
  Offsets outer, inner;  // of the indexed tensor
  int64_t count;         // of the chosen positions
  const int64_t *chosen;

  Box(const Box &) = delete;  // `chosen` may point into it

  explicit Box(const THIndexPlan &p) : plan(p), count(p.count) {
    for (int d = 0; d < p.first; d++) outer.add(p.size[d], p.stride[d]);
    for (int d = p.last; d < p.ndim; d++) inner.add(p.size[d], p.stride[d]);
  }
  int64_t numel() const { return outer.count() * count * inner.count(); }
  // Memory for the chosen positions.
  int64_t *reserve() {
    if (count > kFew) many_ = Ref(THTensor_newWithSize(TH_Long, 1, &count));
    int64_t *const memory = count > kFew ? elements<int64_t>(many_) : few_;
    chosen = memory;
    return memory;
  }
  // The positions are these numbers themselves.
  void share(Ref numbers) {
    many_ = std::move(numbers);
    chosen = elements<int64_t>(many_);
  }

 private:
  static constexpr int64_t kFew = 16;
  int64_t few_[kFew];
  Ref many_;
};

// Adds the indices' steps along dimension d of t to the n offsets; the first index begins them.
void choose(int64_t *chosen, int64_t n, const THTensor *t, int d, const int64_t *index, bool begins) {
  const int64_t length = t->size[d], stride = t->stride[d];
  const int64_t bad = findOutOfRange(index, n, -length, length);
  if (bad >= 0) THError(TH_ERROR_INDEX, TH_INDEX_OUTSIDE, (long long)index[bad], d, (long long)length);
  const auto step = [=](int64_t j) { return (index[j] + (index[j] < 0 ? length : 0)) * stride; };
  if (begins)
    for (int64_t j = 0; j < n; j++) chosen[j] = step(j);
  else
    for (int64_t j = 0; j < n; j++) chosen[j] += step(j);
}

// Finds the chosen positions. Indices that choose nothing are not looked at. `written`: what changes while they are used.
void locate(Box &box, const THTensor *written, const THTensor *t, int n, const THTensor *const *indices) {
  const THIndexPlan &p = box.plan;
  const bool single = std::count(indices, indices + n, nullptr) == n - 1;
  int64_t *chosen = nullptr;
  if (box.numel())
    for (int k = 0; k < n; k++) {
      if (!indices[k]) continue;
      Ref longs = asLongs(indices[k], p.last - p.first, p.size + p.first);
      const int64_t *const index = elements<int64_t>(longs);
      if (single && t->stride[k] == 1 && longs->storage != written->storage &&
          findOutOfRange(index, box.count, 0, t->size[k]) < 0)
        return box.share(std::move(longs));
      const bool begins = !chosen;
      if (begins) chosen = box.reserve();
      choose(chosen, box.count, t, k, index, begins);
    }
  if (!chosen) std::fill_n(box.reserve(), box.count, 0);
}

// ---- reading -------------------------------------------------------------------------------------------

template <class U>
void pick(U *out, const U *t, Box &box) {
  const Offsets::Dim run = box.inner.takeInner();
  const int64_t chosen = box.count, inner = box.inner.count();
  const int64_t *const place = box.chosen;
  if (run.size == 1 && inner == 1) {
    parallelFor(box.outer.count() * chosen, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end;) {
        const U *from = t + box.outer(i / chosen);
        const int64_t j0 = i % chosen, j1 = std::min(chosen, j0 + end - i);
#pragma GCC unroll 8
        for (int64_t j = j0; j < j1; j++) out[i + j - j0] = from[place[j]];
        i += j1 - j0;
      }
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(1, kGrain / run.size);
  parallelFor(box.outer.count() * chosen * inner, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row++) {
      const int64_t i = row / inner;
      const U *from = t + box.outer(i / chosen) + place[i % chosen] + box.inner(row % inner);
      U *to = out + row * run.size;
      if (run.stride == 1)
        std::memcpy(to, from, size_t(run.size) * sizeof(U));
      else
        for (int64_t l = 0; l < run.size; l++) to[l] = from[l * run.stride];
    }
  });
}

// r has its shape.
void take(THTensor *r, const THTensor *t, Box &box) {
  ContiguousResult result(r);
  if (box.numel()) withElementSize(dtypeOf(t), [&]<class U>(U) { pick(result.data<U>(), elements<const U>(t), box); });
  result.finish();
}

// Turns the box round so that it is taken in the order in which a new result lies; false if it cannot be, because
// something lies between the indices' dimensions.
bool turn(Box &box) {
  const THIndexPlan &p = box.plan;
  Offsets outer, inner;
  int next = p.first;  // among the indices' dimensions
  const auto skip = [&] {
    while (next < p.last && p.size[next] == 1) next++;
  };
  skip();
  const int begin = next;
  for (int i = p.ndim; i-- > 0;) {
    const int d = p.order[i];
    if (p.size[d] == 1) continue;
    if (d < p.first || d >= p.last) {
      if (next != begin && next < p.last) return false;
      (next < p.last ? outer : inner).add(p.size[d], p.stride[d]);
    } else if (d == next) {
      next++;
      skip();
    } else {
      return false;
    }
  }
  box.outer = std::move(outer), box.inner = std::move(inner);
  return true;
}

// ---- writing -------------------------------------------------------------------------------------------

// op(element, value) for all elements of the box, those that stand at one place in the order of the
// indices: threads share out the outer and inner dimensions, never the chosen. run(elements, values, n): the same for
// n contiguous ones.
template <class U, class Op, class Run>
void put(U *t, Box &box, const U *values, bool oneValue, const Op &op, const Run &run) {
  const Offsets::Dim line = box.inner.takeInner();
  const int64_t chosen = box.count, inner = box.inner.count(), rows = inner * line.size;
  const int64_t *const place = box.chosen;
  const int64_t step = oneValue ? 0 : 1;
  parallelFor(box.outer.count() * rows, std::max<int64_t>(1, kGrain / chosen), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end;) {
      const int64_t o = i / rows, k = i % rows / line.size, l0 = i % line.size, l1 = std::min(line.size, l0 + end - i);
      U *const base = t + box.outer(o) + box.inner(k);
      const U *value = values + step * (o * chosen * rows + k * line.size);
      if (rows == 1 && step == 1) {
        for (int64_t j = 0; j < chosen; j++) op(base[place[j]], value[j]);
      } else if (rows == 1) {
        for (int64_t j = 0; j < chosen; j++) op(base[place[j]], *value);
      } else {
        for (int64_t j = 0; j < chosen; j++, value += step * rows) {
          U *const to = base + place[j];
          if (line.stride == 1 && step == 1) {
            run(to + l0, value + l0, l1 - l0);
          } else {
            for (int64_t l = l0; l < l1; l++) op(to[l * line.stride], value[l * step]);
          }
        }
      }
      i += l1 - l0;
    }
  });
}

template <class T>
void add(THTensor *self, Box &box, const THTensor *value) {
  const auto op = [](T &x, T y) {
    if constexpr (std::is_same_v<T, bool>)
      x = x || y;
    else if constexpr (std::is_same_v<T, uint64_t>)
      x += y;
    else
      x = T(x + y);
  };
  const auto run = [&](T *x, const T *y, int64_t n) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      std::get<AddRun<T>>(addRuns())(x, y, n);
    else
      for (int64_t i = 0; i < n; i++) op(x[i], y[i]);
  };
  put(elements<T>(self), box, elements<const T>(value), value->numel == 1, op, run);
}

void addByDtype(THTensor *self, Box &box, const THTensor *value) {
  switch (dtypeOf(self)) {  // sums of integers wrap, so a sign makes no difference
    case TH_Bool: return add<bool>(self, box, value);
    case TH_Byte:
    case TH_Char: return add<uint8_t>(self, box, value);
    case TH_UInt16:
    case TH_Short: return add<uint16_t>(self, box, value);
    case TH_UInt32:
    case TH_Int: return add<uint32_t>(self, box, value);
    case TH_UInt64:
    case TH_Long: return add<uint64_t>(self, box, value);
    case TH_Half: return add<half>(self, box, value);
    case TH_BFloat16: return add<bfloat16>(self, box, value);
    case TH_Float: return add<float>(self, box, value);
    case TH_Double: return add<double>(self, box, value);
    case TH_ComplexFloat: return add<THComplexFloat>(self, box, value);
    case TH_ComplexDouble: return add<THComplexDouble>(self, box, value);
    case TH_ComplexHalf: return add<THComplexHalf>(self, box, value);
    case TH_Float8_e4m3fn: return add<THFloat8_e4m3fn>(self, box, value);
    case TH_Float8_e5m2: return add<THFloat8_e5m2>(self, box, value);
    case TH_Float8_e4m3fnuz: return add<THFloat8_e4m3fnuz>(self, box, value);
    case TH_Float8_e5m2fnuz: return add<THFloat8_e5m2fnuz>(self, box, value);
    default: THError(TH_ERROR_NOT_IMPLEMENTED, "\"index_put\" not implemented for '%s'", TH_typeName(dtypeOf(self)));
  }
}

}  // namespace
}  // namespace th

using namespace th;

void THTensor_index(THTensor *r, const THTensor *t, int n, const THTensor *const *indices) {
  THIndexPlan plan;
  THPrepare_index(&plan, r, t, n, indices);
  if (!hasMemory(r)) return resizeResults(&plan.result);
  Box box(plan);
  locate(box, r, t, n, indices);
  resizeResults(&plan.result);
  if (!plan.result.strided || !turn(box)) return take(r, t, box);
  if (box.numel()) withElementSize(dtypeOf(t), [&]<class U>(U) { pick(elements<U>(r), elements<const U>(t), box); });
}

void THTensor_indexPut(THTensor *self, int n, const THTensor *const *indices, const THTensor *value, bool accumulate) {
  THIndexPlan plan;
  if (!THPrepare_indexPut(&plan, self, n, indices, value)) return;
  Box box(plan);
  locate(box, self, self, n, indices);
  if (!box.numel()) return;
  Ref values(THTensor_newWithTensor(const_cast<THTensor *>(value)));
  if (value->numel != 1) {
    values = Ref(THTensor_newExpand(values, plan.ndim, plan.size));
    values = Ref(THTensor_newContiguous(values));
  }
  if (accumulate) return addByDtype(self, box, values);
  withElementSize(dtypeOf(self), [&]<class U>(U) {
    put(
        elements<U>(self), box, elements<const U>(values), values->numel == 1, [](U &x, U y) { x = y; },
        [](U *to, const U *from, int64_t count) { std::copy_n(from, count, to); });
  });
}

void THTensor_indexSelect(THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  THIndexPlan plan;
  THPrepare_indexSelect(&plan, r, t, dim, index);
  if (!hasMemory(r)) return resizeResults(&plan.result);
  const int64_t length = t->ndim ? t->size[plan.first] : 1, stride = t->ndim ? t->stride[plan.first] : 0;
  Ref longs = asLongs(index, index->ndim, index->size);
  const int64_t *from = elements<int64_t>(longs);
  if (findOutOfRange(from, index->numel, 0, length) >= 0) THError(TH_ERROR_INDEX, TH_ROW_OUTSIDE);
  Box box(plan);
  if (stride == 1 && longs->storage != r->storage) {
    box.share(std::move(longs));
  } else {
    int64_t *const chosen = box.reserve();
    for (int64_t j = 0; j < index->numel; j++) chosen[j] = from[j] * stride;
  }
  resizeResults(&plan.result);
  take(r, t, box);
}
