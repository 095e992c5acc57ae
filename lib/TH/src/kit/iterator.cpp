#include "iterator.hpp"

#include <algorithm>
#include <cstdlib>
#include "convert.hpp"
#include "define.hpp"
#include "overlap.hpp"
#include "parallel.hpp"

namespace th {
namespace {

// ---- running a plan ---------------------------------------------------------------------------------

// A plan with what runs it.
struct Walk : Plan {
  Loop loop, narrow;  // narrow: if all operands are of the half type, or one number
  const void *param;
  char *data[kMaxOperands];
  bool converts;
  Conversion conversion[kMaxOperands];
};

// A run in a half type by the loop that converts on its own, where it lies as that wants it.
bool runNarrow(const Walk &w, char *const *data, const int64_t *strides, int64_t n) {
  if (!w.narrow || strides[0] != sizeof(half)) return false;
  for (int k = 1; k < w.n; k++)
    if (strides[k] != 0 && strides[k] != sizeof(half)) return false;
  alignas(8) char numbers[kMaxOperands][kWidest];
  char *at[kMaxOperands];
  for (int k = 0; k < w.n; k++) {
    at[k] = data[k];
    if (strides[k] || !w.conversion[k]) continue;
    fetch(w.conversion[k], numbers[k], data[k], 0, 1);
    at[k] = numbers[k];
  }
  w.narrow(at, strides, n, w.param);
  return true;
}

// A run of the innermost dimension whose operands are not all of the loop's dtypes goes by blocks
// on the stack.
void runConverted(const Walk &w, char *const *data, const int64_t *strides, int64_t n) {
  if (runNarrow(w, data, strides, n)) return;
  alignas(64) char block[kMaxOperands][kBlock * kWidest];
  char *at[kMaxOperands];
  int64_t step[kMaxOperands];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    for (int k = 0; k < w.n; k++) {
      const Conversion &c = w.conversion[k];
      at[k] = c ? block[k] : data[k] + i * strides[k];
      step[k] = c ? c.from : strides[k];
      if (!c || k == 0) continue;
      step[k] = strides[k] ? c.to : 0;
      if (strides[k])
        fetch(c, block[k], data[k] + i * strides[k], strides[k], m);
      else if (i == 0)  // a broadcast input is converted once
        fetch(c, block[k], data[k], 0, 1);
    }
    w.loop(at, step, m, w.param);
    if (w.conversion[0]) store(w.conversion[0], data[0] + i * strides[0], strides[0], block[0], m);
  }
}

// Elements [begin, end) of the walk, in its own order. Runs may be short, so what comes between them is too:
// `operands`, if it is not 0, is their number.
template <int operands>
void runRange(const Walk &w, int64_t begin, int64_t end) {
  const int n = operands ? operands : w.n;
  int64_t at[TH_MAX_DIM + 1];
  char *data[kMaxOperands];
  std::copy_n(w.data, n, data);
  int64_t rest = begin;
  for (int d = 0; d < w.ndim; d++) {
    at[d] = rest % w.shape[d];
    rest /= w.shape[d];
    for (int k = 0; k < n; k++) data[k] += at[d] * w.stride[d][k];
  }
  for (int64_t i = begin; i < end;) {
    const int64_t m = std::min(w.shape[0] - at[0], end - i);
    if (w.converts)
      runConverted(w, data, w.stride[0], m);
    else
      w.loop(data, w.stride[0], m, w.param);
    i += m;
    if (i >= end) break;
    // To the start of the next run. This one may have begun in the middle; it ended at the end.
    if (at[0]) {
      for (int k = 0; k < n; k++) data[k] -= at[0] * w.stride[0][k];
      at[0] = 0;
    }
    for (int d = 1; d < w.ndim; d++) {
      for (int k = 0; k < n; k++) data[k] += w.stride[d][k];
      if (++at[d] < w.shape[d]) [[likely]]
        break;
      for (int k = 0; k < n; k++) data[k] -= w.shape[d] * w.stride[d][k];
      at[d] = 0;
    }
  }
}

// Neighbouring dimensions become one where every operand's stride continues.
void coalesce(Plan &w) {
  int last = 0;
  for (int d = 1; d < w.ndim; d++) {
    bool joins = true;
    if (w.shape[last] != 1 && w.shape[d] != 1)
      for (int k = 0; k < w.n && joins; k++) joins = w.stride[d][k] == w.shape[last] * w.stride[last][k];
    if (joins) {
      if (w.shape[last] == 1) std::copy_n(w.stride[d], w.n, w.stride[last]);
      w.shape[last] *= w.shape[d];
    } else if (++last != d) {
      w.shape[last] = w.shape[d];
      std::copy_n(w.stride[d], w.n, w.stride[last]);
    }
  }
  w.ndim = last + 1;
  // A call per run costs as much as some ten elements: short runs in many rows are better walked
  // the other way round.
  if (w.ndim > 1 && w.shape[0] < 8 && w.shape[1] >= 4 * w.shape[0]) {
    std::swap(w.shape[0], w.shape[1]);
    std::swap_ranges(w.stride[0], w.stride[0] + w.n, w.stride[1]);
  }
}

constexpr int64_t kTile = 64;
constexpr int64_t kTileFrom = 1 << 20;  // elements: less fits into the caches as it is

// Is there an operand that runs along dimension 1 while the others run along dimension 0?
bool isTransposed(const Plan &w) {
  if (w.ndim < 2 || w.numel < kTileFrom || w.shape[0] < 2 * kTile || w.shape[1] < kTile) return false;
  for (int k = 0; k < w.n; k++)
    if (w.stride[1][k] != 0 && std::abs(w.stride[1][k]) < std::abs(w.stride[0][k])) return true;
  return false;
}

void runAll(const Walk &w) {
  const auto run = w.n == 2 ? runRange<2> : w.n == 3 ? runRange<3> : runRange<0>;
  parallelFor(w.numel, kGrain, [&](int64_t begin, int64_t end) { run(w, begin, end); });
}

// Each element of a column lies in a cache line of its own, and whole rows would evict the lines
// before their next elements are wanted. So: columns in strips of kTile, dimension 1 inside them.
void runTiled(Walk &w) {
  const int64_t rest = w.shape[0] % kTile, strips = w.shape[0] / kTile, others = w.numel / w.shape[0];
  if (rest) {
    Walk tail = w;
    tail.shape[0] = rest;
    tail.numel = rest * others;
    for (int k = 0; k < w.n; k++) tail.data[k] += strips * kTile * w.stride[0][k];
    runAll(tail);
  }
  for (int d = w.ndim++; d > 2; d--) {
    w.shape[d] = w.shape[d - 1];
    std::copy_n(w.stride[d - 1], w.n, w.stride[d]);
  }
  w.shape[0] = kTile;
  w.shape[2] = strips;
  for (int k = 0; k < w.n; k++) w.stride[2][k] = kTile * w.stride[0][k];
  w.numel = kTile * strips * others;
  runAll(w);
}

// Nothing lies between the tensor's elements and the loop: neither another dtype nor rounding by one.
bool isDirect(const Operand &o) { return o.tensor->dtype == o.dtype && o.via == o.dtype; }

// One run of the loop's own dtypes, or of single elements, which are converted first; these strides become 0.
bool runFlat(Loop loop, const void *param, const Operand *operands, int n, int64_t *strides, int64_t numel) {
  if (!isDirect(operands[0])) return false;
  char *data[kMaxOperands];
  alignas(8) char numbers[kMaxOperands][kWidest];
  for (int k = 0; k < n; k++) {
    const Operand &o = operands[k];
    data[k] = addressOf(o.tensor);
    if (isDirect(o)) continue;
    if (o.tensor->numel != 1) return false;
    fetch(conversion(dtypeOf(o.tensor), o.via, o.dtype), numbers[k], data[k], 0, 1);
    data[k] = numbers[k];
    strides[k] = 0;
  }
  if (numel <= kGrain) {
    loop(data, strides, numel, param);
    return true;
  }
  parallelFor(numel, kGrain, [&](int64_t begin, int64_t end) {
    char *part[kMaxOperands];
    for (int k = 0; k < n; k++) part[k] = data[k] + begin * strides[k];
    loop(part, strides, end - begin, param);
  });
  return true;
}

void run(Walk &w, Loop loop, const void *param, const Operand *operands, Loop narrow) {
  w.loop = loop;
  w.narrow = narrow;
  w.param = param;
  w.converts = false;
  for (int k = 0; k < w.n; k++) {
    const Operand &o = operands[k];
    const THDtype memory = dtypeOf(o.tensor);
    w.data[k] = addressOf(o.tensor);
    w.conversion[k] = k ? conversion(memory, o.via, o.dtype) : conversion(o.dtype, o.via, memory);
    w.converts |= bool(w.conversion[k]);
    const bool number = k && w.numel > 1 && o.tensor->numel == 1;  // its strides are 0
    if (!number && (!isHalf(memory) || memory != o.via)) w.narrow = nullptr;
  }
  if (isTransposed(w))
    runTiled(w);
  else
    runAll(w);
}

// ---- planning: the usual case -------------------------------------------------------------------------

bool sameStrides(const THTensor *a, const THTensor *b) {
  for (int d = 0; d < a->ndim; d++)
    if (a->stride[d] != b->stride[d] && a->size[d] != 1) return false;
  return true;
}

// Do strides of dimensions of size 1 (which mean nothing, but can be seen) follow from the others?
bool hasUsualStrides(const THTensor *t) {
  int64_t step = 1;
  for (int d = t->ndim - 1; d >= 0; d--) {
    if (t->stride[d] != step && (t->size[d] == 1 || t->size[d] == 0)) return false;
    step = TH_saturatedProduct(t->stride[d], t->size[d]);
  }
  return true;
}

// All of one shape and one dense layout, or single elements: one dimension, with these strides.
[[gnu::always_inline]] inline bool prepareFlat(int64_t *strides, const Operand *operands, int n, Result mode) {
  THTensor *r = const_cast<THTensor *>(operands[0].tensor);
  const THTensor *like = mode != Result::resized ? r : operands[1].tensor;
  if (mode == Result::resized)
    for (int k = 2; k < n; k++) {
      const THTensor *t = operands[k].tensor;
      if (t->ndim > like->ndim || (t->ndim == like->ndim && t->numel > like->numel)) like = t;
    }
  const bool contiguous = THTensor_isContiguous(like);
  if (!contiguous && !isDense(like)) return false;

  bool inPlace = false, broadcasts = false;
  for (int k = 1; k < n; k++) {
    const THTensor *t = operands[k].tensor;
    if (t == like || (sameShape(like->ndim, like->size, t) && sameStrides(like, t)))
      strides[k] = elementSize(dtypeOf(t));
    else if (t->numel == 1 && t->ndim <= like->ndim)
      strides[k] = 0, broadcasts = true;
    else
      return false;
    if (t == r)
      inPlace = true;
    else if (t->storage == r->storage)
      return false;  // may overlap
  }
  if (r != like) {
    if (sameShape(like->ndim, like->size, r)) {
      if (!sameStrides(like, r)) return false;
    } else {
      if (inPlace || mode != Result::resized || (broadcasts && !hasUsualStrides(like))) return false;
      requireDistinct(r);
      resizeTo(r, like->ndim, like->size, contiguous ? nullptr : like->stride);
    }
  }
  strides[0] = elementSize(dtypeOf(r));
  return true;
}

void planFlat(Plan &w, const int64_t *strides, int n, int64_t numel) {
  w.n = n;
  w.ndim = 1;
  w.shape[0] = w.numel = numel;
  std::copy_n(strides, n, w.stride[0]);
}

[[gnu::noinline]] void runConverting(Loop loop, const void *param, const Operand *operands, int n,
                                     const int64_t *strides, Loop narrow) {
  Walk w;
  planFlat(w, strides, n, operands[0].tensor->numel);
  run(w, loop, param, operands, narrow);
}

// All that a call on few elements takes, without a plan.
bool iterateFlat(Loop loop, const void *param, const Operand *operands, int n, Result mode, Loop narrow) {
  int64_t strides[kMaxOperands];
  if (!prepareFlat(strides, operands, n, mode)) return false;
  const THTensor *const r = operands[0].tensor;
  if (!r->numel || !hasMemory(r)) return true;
  if (!runFlat(loop, param, operands, n, strides, r->numel)) runConverting(loop, param, operands, n, strides, narrow);
  return true;
}

// ---- and all others -----------------------------------------------------------------------------------

bool prepareStrided(Plan &w, const Operand *operands, int n, Result mode) {
  auto *r = const_cast<THTensor *>(operands[0].tensor);

  // The shape.
  const THTensor *shaping[kMaxOperands];
  int count = 0;
  bool fixed = mode != Result::resized;
  if (fixed) shaping[count++] = r;
  for (int k = 1; k < n; k++) {
    shaping[count++] = operands[k].tensor;
    if (operands[k].tensor == r) fixed = true;
  }
  int64_t size[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(count, shaping, size);
  const bool resizes = !sameShape(ndim, size, r);
  if (resizes && fixed)
    THError(TH_ERROR_RUNTIME, "output with shape %s doesn't match the broadcast shape %s", shapeString(r).c_str(),
            shapeString(ndim, size).c_str());
  const int64_t numel = TH_numel(ndim, size);

  // Overlap. A result that will be resized becomes dense where its storage begins now.
  if (mode != Result::filled) requireDistinct(r);
  for (int k = 1; k < n; k++) {
    refusePartialOverlap(r, operands[k].tensor);
    if (resizes) refuseOverlapResized(r, numel, operands[k].tensor);
  }

  // Strides in elements over the common shape, 0 where an input is broadcast; and their order.
  int64_t stride[kMaxOperands][TH_MAX_DIM];
  const int64_t *strides[kMaxOperands];
  int tensors = 0;
  for (int k = resizes ? 1 : 0; k < n; k++) {
    const THTensor *t = operands[k].tensor;
    const int missing = ndim - t->ndim;
    for (int d = 0; d < ndim; d++)
      stride[k][d] = d < missing || (t->size[d - missing] == 1 && size[d] != 1) ? 0 : t->stride[d - missing];
    strides[tensors++] = stride[k];
  }
  int order[TH_MAX_DIM];
  strideOrder(ndim, size, tensors, strides, order);
  if (resizes) {
    bool contiguous = true;  // and none is broadcast
    for (int k = 1; k < n && contiguous; k++)
      contiguous = sameShape(ndim, size, operands[k].tensor) && THTensor_isContiguous(operands[k].tensor);
    if (contiguous)
      contiguousStrides(ndim, size, stride[0]);
    else
      denseStrides(ndim, size, order, stride[0]);
    resizeTo(r, ndim, size, stride[0]);
  }
  if (numel == 0 || !hasMemory(r)) return false;

  w.n = n;
  w.ndim = std::max(ndim, 1);
  w.numel = numel;
  w.shape[0] = 1;
  std::fill_n(w.stride[0], n, 0);
  for (int i = 0; i < ndim; i++) w.shape[i] = size[order[i]];
  for (int k = 0; k < n; k++) {
    const int64_t width = elementSize(dtypeOf(operands[k].tensor));
    for (int i = 0; i < ndim; i++) w.stride[i][k] = size[order[i]] == 1 ? 0 : stride[k][order[i]] * width;
  }
  coalesce(w);
  return true;
}

}  // namespace

bool prepare(Plan &w, const Operand *operands, int n, Result mode) {
  int64_t strides[kMaxOperands];
  if (!prepareFlat(strides, operands, n, mode)) return prepareStrided(w, operands, n, mode);
  const THTensor *const r = operands[0].tensor;
  planFlat(w, strides, n, r->numel);
  return r->numel && hasMemory(r);
}

void iterate(Loop loop, const void *param, const Operand *operands, int n, Result mode, Loop narrow) {
  uint8_t flags = 0;
  for (int k = 0; k < n; k++) flags |= operands[k].tensor->flags;
  if ((flags & TH_NON_CPU) && hasMemory(operands[0].tensor)) [[unlikely]]
    for (int k = 0; k < n; k++) requireMemory(operands[k].tensor);  // before the result gets another shape
  if (iterateFlat(loop, param, operands, n, mode, narrow)) return;
  Walk w;
  if (prepareStrided(w, operands, n, mode)) run(w, loop, param, operands, narrow);
}

void pointwise(const KernelTable &table, THDtype dtype, const void *param, THTensor *r,
               std::initializer_list<const THTensor *> inputs, Number number) {
  const Kernel &kernel = table.of[dtype];
  Operand operands[kMaxOperands];
  operands[0] = {r, kernel.out, kernel.in == kernel.out ? dtype : kernel.out};
  int n = 1;
  for (const THTensor *t : inputs) {
    const bool direct = number == Number::exact && isHalf(dtype) && t->numel == 1;
    operands[n++] = {t, kernel.in, direct ? kernel.in : dtype};
  }
  iterate(kernel.loop, param, operands, n, Result::resized, kernel.narrow);
}

}  // namespace th
