#include "kit/reduce.hpp"

#include <TH/THCheck.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include "kit/convert.hpp"
#include "kit/overlap.hpp"
#include "kit/parallel.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

constexpr int64_t kRows = 32;       // rows of a block where sequences lie side by side
constexpr int64_t kColumns = 512;   // sequences taken side by side
constexpr int64_t kFetched = 4;     // rows that are converted at once
constexpr int64_t kDirect = 2048;   // elements of a block that need no conversion
constexpr int64_t kShort = 256;     // sequences of one block taken one after the other, at most
constexpr int kMaxState = 24;

using Dim = THReduceDim;

// A plan with what runs it.
struct Work : ReducePlan {
  const Reduction *reduction;
  Conversion conversion;
  const char *data;
  char *out[2];
  const Dim *inner;        // along which sequences are taken together: kept[0] or none
  int64_t width;           // how many, at most
  bool sideBySide;         // row by row of them, or sequence by sequence
  int64_t block;           // elements of a sequence
  int64_t chunk;           // the same for a thread's task: block times a power of two
};

// Joins states as a binary counter carries.
class Counter {
 public:
  // For at most so many blocks and w states.
  Counter(const Reduction &r, int64_t blocks, int64_t w) : r_(r) {
    width(w);
    const int64_t need = (std::bit_width(uint64_t(blocks)) + 1) * bytes_;
    if (need > int64_t(sizeof own_)) large_ = std::make_unique<char[]>(size_t(need));
    levels_ = large_ ? large_.get() : own_;
  }
  // From now on it is w states that are joined. Each level is aligned for any type.
  void width(int64_t w) {
    w_ = w;
    bytes_ = (w * r_.state + 15) / 16 * 16;
  }
  int64_t bytes() const { return bytes_; }
  // Where the next state is to be written; then push it.
  char *next() { return levels_ + states_ * bytes_; }
  void push() {
    // The states that are there stand for the bits of count_, the highest first.
    char *top = next();
    for (int64_t c = count_; c & 1; c >>= 1, top -= bytes_, states_--) r_.join(top - bytes_, top, w_);
    count_++;
    states_++;
  }
  const char *result() {
    if (count_ == 0) r_.start(levels_, w_);
    for (int64_t k = states_ - 1; k > 0; k--) r_.join(levels_ + (k - 1) * bytes_, levels_ + k * bytes_, w_);
    count_ = states_ = 0;
    return levels_;
  }

 private:
  const Reduction &r_;
  int64_t w_, bytes_;
  int64_t count_ = 0, states_ = 0;
  char *levels_;
  std::unique_ptr<char[]> large_;
  alignas(16) char own_[66 * ((kMaxState + 15) / 16 * 16)];
};

// Input offset of element `index` of a walk over dims.
int64_t offsetOf(const Dim *dims, int n, int64_t index) {
  int64_t offset = 0;
  for (int d = 0; d < n && index; d++) {
    offset += index % dims[d].size * dims[d].in;
    index /= dims[d].size;
  }
  return offset;
}

// Pieces of elements [begin, end) of the sequence in which the stride is constant.
template <class Piece>
void forPieces(const Work &p, int64_t begin, int64_t end, const Piece &piece) {
  if (p.nReduced <= 1) return piece(p.nReduced ? begin * p.reduced[0].in : 0, begin, end - begin);
  while (begin < end) {
    const int64_t at = begin % p.reduced[0].size, n = std::min(end - begin, p.reduced[0].size - at);
    piece(offsetOf(p.reduced, p.nReduced, begin), begin, n);
    begin += n;
  }
}

// A block of one sequence; or of w that need no conversion.
void reduceBlock(const Work &p, const char *data, int64_t w, int64_t begin, int64_t end, void *states) {
  const Reduction &r = *p.reduction;
  const int64_t stride = p.nReduced ? p.reduced[0].in : 0;
  if (p.nReduced <= 1 && !p.conversion && (stride == p.conversion.from || end - begin <= 1))
    return r.run(states, data + begin * stride, p.inner->in, w, end - begin, begin);
  alignas(64) char x[kBlock * kWidest];
  forPieces(p, begin, end, [&](int64_t offset, int64_t first, int64_t n) {
    fetch(p.conversion, x + (first - begin) * p.conversion.to, data + offset, stride, n);
  });
  r.run(states, x, 0, 1, end - begin, begin);
}

// A block of w sequences side by side.
void reduceRows(const Work &p, const char *data, int64_t w, int64_t begin, int64_t end, void *states) {
  const Reduction &r = *p.reduction;
  const int64_t rowStride = p.nReduced ? p.reduced[0].in : 0;
  const bool direct = !p.conversion && p.kept[0].in == p.conversion.from;
  r.start(states, w);
  forPieces(p, begin, end, [&](int64_t offset, int64_t first, int64_t n) {
    if (direct) return r.rows(states, data + offset, rowStride, n, w, first);
    alignas(64) char x[kFetched * kColumns * kWidest];
    for (int64_t i = 0; i < n; i += kFetched) {
      const int64_t rows = std::min(n - i, kFetched), bytes = w * p.conversion.to;
      for (int64_t k = 0; k < rows; k++)
        fetch(p.conversion, x + k * bytes, data + offset + (i + k) * rowStride, p.kept[0].in, w);
      r.rows(states, x, bytes, rows, w, first + i);
    }
  });
}

// Elements [begin, end) of w sequences. begin is a multiple of the chunk.
const char *reduceChunk(const Work &p, Counter &counter, const char *data, int64_t w, int64_t begin, int64_t end) {
  counter.width(w);
  for (int64_t b = begin; b < end; b += p.block) {
    const int64_t e = std::min(end, b + p.block);
    if (p.sideBySide)
      reduceRows(p, data, w, b, e, counter.next());
    else
      reduceBlock(p, data, w, b, e, counter.next());
    counter.push();
  }
  return counter.result();
}

// A group of results is one, or some neighbours along kept[0].
void run(const Work &p) {
  const Dim *const inner = p.inner, *const outer = inner == p.kept ? p.kept + 1 : p.kept;
  const int nOuter = inner == p.kept ? p.nKept - 1 : p.nKept;
  const int64_t width = p.width;
  const int64_t tiles = (inner->size + width - 1) / width, groups = p.outputs / inner->size * tiles;
  const int64_t chunks = std::max<int64_t>(1, (p.count + p.chunk - 1) / p.chunk),
                blocks = (p.count + p.block - 1) / p.block;
  const int64_t perTask = std::min(p.count, p.chunk) * width;
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, perTask));

  struct Group {
    int64_t w;
    const char *data;
    char *out[2];
  };
  auto group = [&](int64_t g) {
    // Divisions that can be left out are: before a short sequence they would cost more than it.
    int64_t row = tiles == 1 ? g : g / tiles, in = 0, out[2] = {0, 0};
    auto step = [&](const Dim &dim, int64_t i) {
      in += i * dim.in;
      out[0] += i * dim.out[0];
      out[1] += i * dim.out[1];
    };
    const int64_t column = tiles == 1 ? 0 : g % tiles * width;
    step(*inner, column);
    for (int d = 0; d < nOuter; d++) {
      const int64_t rest = d + 1 < nOuter ? row / outer[d].size : 0;
      step(outer[d], row - rest * outer[d].size);
      row = rest;
    }
    return Group{std::min(width, inner->size - column),
                 p.data + in,
                 {p.out[0] ? p.out[0] + out[0] : nullptr, p.out[1] ? p.out[1] + out[1] : nullptr}};
  };
  auto finish = [&](const Group &g, const char *states) {
    p.reduction->finish(g.out, inner->out, states, g.w, p.count, p.reduction->param);
  };

  // A chunk's state is a node of the tree, and joining the chunks goes on where the counter inside
  // of them stopped: both ways give the same bits.
  const int threads = TH_getNumThreads();
  if (chunks == 1 || threads == 1 || groups >= 4 * threads) {
    parallelFor(groups, grain, [&](int64_t begin, int64_t end) {
      Counter counter(*p.reduction, blocks, width);
      for (int64_t g = begin; g < end; g++) {
        const Group at = group(g);
        finish(at, reduceChunk(p, counter, at.data, at.w, 0, p.count));
      }
    });
    return;
  }
  // Few long sequences: their chunks are the tasks.
  Counter counter(*p.reduction, chunks, width);
  const int64_t bytes = counter.bytes();
  const auto states = std::make_unique<char[]>(size_t(groups * chunks * bytes));
  parallelFor(groups * chunks, grain, [&](int64_t begin, int64_t end) {
    Counter inside(*p.reduction, p.chunk / p.block, width);
    for (int64_t i = begin; i < end; i++) {
      const Group at = group(i / chunks);
      const int64_t first = i % chunks * p.chunk;
      const char *state = reduceChunk(p, inside, at.data, at.w, first, std::min(p.count, first + p.chunk));
      std::memcpy(states.get() + i * bytes, state, size_t(at.w * p.reduction->state));
    }
  });
  for (int64_t g = 0; g < groups; g++) {
    const Group at = group(g);
    counter.width(at.w);
    for (int64_t c = 0; c < chunks; c++) {
      std::memcpy(counter.next(), states.get() + (g * chunks + c) * bytes, size_t(at.w * p.reduction->state));
      counter.push();
    }
    finish(at, counter.result());
  }
}

// Innermost (smallest stride) first, and neighbours fused where all strides continue.
int arrange(Dim *dims, int n, bool sort) {
  if (sort)
    for (int i = 1; i < n; i++)
      for (int j = i; j > 0 && dims[j].in < dims[j - 1].in; j--) std::swap(dims[j], dims[j - 1]);
  int last = 0;
  for (int d = 1; d < n; d++) {
    Dim &a = dims[last], &b = dims[d];
    if (b.in == a.in * a.size && b.out[0] == a.out[0] * a.size && b.out[1] == a.out[1] * a.size)
      a.size = TH_saturatedProduct(a.size, b.size);
    else
      dims[++last] = b;
  }
  return n ? last + 1 : 0;
}

// Where r is written: itself, if it is what the reduction writes, else an intermediate one.
THTensor *targetFor(THTensor *r, THDtype dtype, const THTensor *t, int ndim, const int64_t *size, THTensor *&own) {
  const bool direct = r->dtype == dtype && r->storage != t->storage, fits = sameShape(ndim, size, r);
  if (direct && fits && THTensor_isContiguous(r)) return r;
  if (fits) requireDistinct(r);
  if (!direct || fits) return own = newLike(r, dtype, ndim, size);
  resizeTo(r, ndim, size, nullptr);
  return r;
}

// How the work is cut into blocks and tasks.
void cut(Work &p) {
  // Side by side where memory lies so, or where sequences are too short for a run of their own.
  const int64_t columns = p.nKept ? p.kept[0].size : 1;
  const bool across = p.nKept && (!p.nReduced || p.kept[0].in < p.reduced[0].in);
  p.sideBySide = p.nKept && (across ? columns >= 8 || p.count < 8 : p.count < 8 && columns >= 8);
  const bool direct = !p.conversion && p.nReduced == 1 && p.reduced[0].in == p.conversion.from;
  p.block = p.sideBySide ? kRows : direct ? kDirect : kBlock;
  // A sequence of one block costs little more than the calls around it, so some are taken together: a small task's.
  const bool together = direct && p.nKept && p.count <= p.block;
  static constexpr Dim alone{1, 0, {0, 0}};
  p.inner = p.sideBySide || together ? p.kept : &alone;
  p.width = std::min(p.inner->size,
                     p.sideBySide ? kColumns : std::clamp<int64_t>(kGrain / std::max<int64_t>(p.count, 1), 1, kShort));
  p.chunk = p.block;
  while (p.chunk * p.width < kGrain) p.chunk *= 2;
}

[[gnu::always_inline]] inline bool prepareAny(THReducePlan &p, const Reduction &reduction, THTensor *values,
                                              THTensor *second, const THTensor *t, uint64_t dims, bool keepdim) {
  int64_t size[TH_MAX_DIM], stride[TH_MAX_DIM];
  int ndim = 0;
  p.outputs = p.count = 1;
  for (int d = 0; d < t->ndim; d++) {
    const bool kept = !(dims >> d & 1);
    int64_t &product = kept ? p.outputs : p.count;
    product = TH_saturatedProduct(product, t->size[d]);
    if (kept || keepdim) size[ndim++] = kept ? t->size[d] : 1;
  }
  const THDtype dtypes[] = {reduction.out, reduction.second};
  THTensor *const results[] = {values, second};
  if (values && second) {  // both are judged before the first one changes
    requireSeparate(values, second);
    if (sameShape(ndim, size, second))
      requireDistinct(second);
    else
      makeRoom(second, ndim, size);
  }
  bool runs = p.outputs;
  for (int k = 0; k < 2; k++) {
    p.target[k] = results[k] ? targetFor(results[k], dtypes[k], t, ndim, size, p.own[k]) : nullptr;
    runs = runs && (!results[k] || hasMemory(results[k]));
  }
  if (!runs) return false;

  contiguousStrides(ndim, size, stride);
  const int64_t width = elementSize(dtypeOf(t)), widths[] = {elementSize(dtypes[0]), elementSize(dtypes[1])};
  p.nKept = p.nReduced = 0;
  for (int d = t->ndim - 1, e = ndim - 1; d >= 0; d--) {  // the innermost first
    const bool kept = !(dims >> d & 1);
    // Of one element or none, the stride may be anything.
    Dim dim{t->size[d], t->size[d] == 1 || !t->numel ? 0 : t->stride[d] * width, {0, 0}};
    if (kept) {
      dim.out[0] = stride[e] * widths[0];
      dim.out[1] = stride[e] * widths[1];
    }
    if (kept || keepdim) e--;
    if (dim.size != 1) (kept ? p.kept[p.nKept++] : p.reduced[p.nReduced++]) = dim;
  }
  p.nKept = arrange(p.kept, p.nKept, true);
  p.nReduced = arrange(p.reduced, p.nReduced, !reduction.hasIndex);
  return true;
}

}  // namespace

bool prepare(ReducePlan &p, const Reduction &reduction, THTensor *values, THTensor *second, const THTensor *t,
             uint64_t dims, bool keepdim) {
  return prepareAny(p, reduction, values, second, t, dims, keepdim);
}

}  // namespace th

using namespace th;

bool THPrepare_reduce(THReducePlan *plan, const THReduceKind *kind, THTensor *r, THTensor *second, const THTensor *t,
                      uint64_t dims, bool keepdim) {
  if (kind->name) checkNotEmpty(kind->name, t, dims);
  if (r) requireMemory(r, t);
  if (second) requireMemory(second, t);
  Reduction reduction{};
  reduction.out = kind->dtype[0], reduction.second = kind->dtype[1], reduction.hasIndex = kind->ordered;
  plan->own[0] = plan->own[1] = nullptr;
  try {
    return prepareAny(*plan, reduction, r, second, t, dims, keepdim);
  } catch (...) {  // there was no memory for the second: the first has no other owner
    THTensor_free(std::exchange(plan->own[0], nullptr));
    throw;
  }
}

namespace th {

void finish(const ReducePlan &p, THTensor *values, THTensor *second) {
  THTensor *const results[] = {values, second};
  for (int k = 0; k < 2; k++) {
    if (!p.own[k]) continue;
    const THTensor *const own = p.own[k];
    if (!sameShape(own->ndim, own->size, results[k])) resizeTo(results[k], own->ndim, own->size, nullptr);
    THTensor_copy(results[k], own);
  }
}

void reduce(const Reduction &reduction, THDtype dtype, THTensor *values, THTensor *second, const THTensor *t,
            uint64_t dims, bool keepdim) {
  for (const THTensor *r : {values, second})  // before the result gets another shape
    if (r && runsHere(r)) requireMemory(t);
  Work p;
  if (prepareAny(p, reduction, values, second, t, dims, keepdim)) {
    p.reduction = &reduction;
    p.conversion = conversion(dtypeOf(t), dtype, reduction.in);
    p.data = dataOf(t);
    for (int k = 0; k < 2; k++) p.out[k] = p.target[k] ? dataOf(p.target[k]) : nullptr;
    cut(p);
    run(p);
  }
  if (p.own[0] || p.own[1]) finish(p, values, second);
}

void checkNotEmpty(const char *name, const THTensor *t, uint64_t dims) {
  if (t->numel) return;
  if (dims == TH_ALL_DIMS)
    THError(TH_ERROR_RUNTIME, "%s(): Expected reduction dim to be specified for input.numel() == 0.", name);
  for (int d = 0; d < t->ndim; d++)
    if ((dims >> d & 1) && t->size[d] == 0)
      THError(TH_ERROR_INDEX, "%s(): Expected reduction dim %d to have non-zero size.", name, d);
}

}  // namespace th

void THCheck_notEmpty(const char *name, const THTensor *t, uint64_t dims) { th::checkNotEmpty(name, t, dims); }
