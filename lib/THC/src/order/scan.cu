// Running sums, products and extrema along a dimension. Long rows are cut into chunks: what each amounts to comes first, then
// with what each begins, then its elements. So the order in which numbers are joined follows from the shape alone.
#include <cmath>
#include <limits>
#include <THC/THCTensorOrder.h>
#include <TH/THPrepare.h>
#include "kit/define.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"

namespace thc {
namespace {

// Integers wrap around.
template <class T>
using Accumulator = std::conditional_t<
    th::isComplexType<T>, THComplexDouble,
    std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<th::isHalfType<T>, float, double>>>;

struct ScanLaunch {
  THRows rows;
  int64_t chunk, chunks;  // elements of one, how many in a row
};

constexpr int kPerThread = 8;  // neighbours that a thread takes at a time
constexpr int64_t kTile = kPerThread * kBlock;  // elements that a block takes at a time

// An operation has State, element(x, i), join(a, b) with b behind a, identity(), and write(i of memory, state).
// The rows' chunks; `states`: NULL where rows are not cut, else of each chunk: what it amounts to if `totals`, else what
// comes before it.
template <class Op>
__global__ void __launch_bounds__(kBlock) rowScanKernel(Op op, ScanLaunch p, typename Op::State *states, bool totals) {
  using State = typename Op::State;
  THC_SHARED(State, shared, kBlock);
  const int thread = int(threadIdx.x);
  const THRows &rows = p.rows;
  for (int64_t work = blockIdx.x; work < rows.count * p.chunks; work += gridDim.x) {
    const int64_t row = work / p.chunks, chunk = work - row * p.chunks;
    const int64_t start = row / rows.stride * rows.stride * rows.length + row % rows.stride;
    const int64_t begin = chunk * p.chunk, end = begin + p.chunk < rows.length ? begin + p.chunk : rows.length;
    State before = states && !totals ? states[work] : op.identity();
    for (int64_t tile = begin; tile < end; tile += kTile) {
      const int64_t first = tile + thread * kPerThread;
      State own[kPerThread], all = op.identity();
#pragma unroll
      for (int k = 0; k < kPerThread; k++) {
        if (first + k < end) all = op.join(all, op.element(start + (first + k) * rows.stride, first + k));
        own[k] = all;
      }
      __syncthreads();
      shared[thread] = all;
      const int64_t filled = (end - tile + kPerThread - 1) / kPerThread;
      const int active = filled < kBlock ? int(filled) : kBlock;  // threads that have elements
      for (int apart = 1; apart < active; apart *= 2) {
        __syncthreads();
        const State left = thread >= apart ? shared[thread - apart] : op.identity();
        __syncthreads();
        shared[thread] = op.join(left, shared[thread]);
      }
      __syncthreads();
      if (!totals) {
        const State left = thread ? op.join(before, shared[thread - 1]) : before;
#pragma unroll
        for (int k = 0; k < kPerThread; k++)
          if (first + k < end) op.write(start + (first + k) * rows.stride, op.join(left, own[k]));
      }
      before = op.join(before, shared[active - 1]);
    }
    if (totals && !thread) states[work] = before;
  }
}

// Of each row, what chunks amount to becomes what comes before them.
template <class Op>
__global__ void __launch_bounds__(kBlock) chunksKernel(Op op, ScanLaunch p, typename Op::State *states) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t row = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; row < p.rows.count; row += step) {
    typename Op::State before = op.identity();
    for (int64_t chunk = row * p.chunks; chunk < (row + 1) * p.chunks; chunk++) {
      const typename Op::State own = states[chunk];
      states[chunk] = before;
      before = op.join(before, own);
    }
  }
}

// A thread for each row: of short ones, and of many that lie side by side.
template <class Op>
__global__ void __launch_bounds__(kBlock) columnScanKernel(Op op, THRows rows) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t row = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; row < rows.count; row += step) {
    int64_t at = row / rows.stride * rows.stride * rows.length + row % rows.stride;
    typename Op::State state = op.identity();
    for (int64_t i = 0; i < rows.length; i++, at += rows.stride) {
      state = op.join(state, op.element(at, i));
      op.write(at, state);
    }
  }
}

template <class Op>
void scan(const Op &op, const THRows &rows, const OnDevice &on) {
  if (!rows.count) return;
  constexpr int64_t side = 32, few = 32;
  if (rows.length <= few || (rows.stride >= side && rows.count >= kTile))
    return launch(columnScanKernel<Op>, blocksFor(rows.count), kBlock, 0, on.stream, op, rows);
  ScanLaunch p{rows, rows.length, 1};
  constexpr int64_t blocks = 512;
  if (rows.count < blocks && rows.length > 2 * kTile) {
    const int64_t wanted = blocks / rows.count, tiles = (rows.length + kTile - 1) / kTile;
    p.chunk = (tiles + wanted - 1) / wanted * kTile;
    p.chunks = (rows.length + p.chunk - 1) / p.chunk;
  }
  using State = typename Op::State;
  const Workspace states(p.chunks > 1 ? size_t(rows.count * p.chunks) * sizeof(State) : 0, on.index);
  const unsigned grid = blocksFor(rows.count * p.chunks, 1);
  if (p.chunks > 1) {
    launch(rowScanKernel<Op>, grid, kBlock, 0, on.stream, op, p, states.as<State>(), true);
    launch(chunksKernel<Op>, blocksFor(rows.count), kBlock, 0, on.stream, op, p, states.as<State>());
  }
  launch(rowScanKernel<Op>, grid, kBlock, 0, on.stream, op, p, states.as<State>(), false);
}

// ---- operations -----------------------------------------------------------------------------------------
template <class T>
struct Running {
  using State = Accumulator<T>;
  const T *from;
  T *to;
  bool product;
  __device__ State identity() const { return State(product ? 1 : 0); }
  __device__ State element(int64_t at, int64_t) const { return th::convertTo<State>(from[at]); }
  __device__ State join(State a, State b) const { return product ? a * b : a + b; }
  __device__ void write(int64_t at, State s) const { to[at] = th::convertTo<T>(s); }
};

template <class T>
struct LogSumExp {
  using State = Accumulator<T>;
  const T *from;
  T *to;
  __device__ State identity() const {
    if constexpr (th::isComplexType<T>)
      return State(-std::numeric_limits<double>::infinity(), 0);
    else
      return -std::numeric_limits<State>::infinity();
  }
  __device__ State element(int64_t at, int64_t) const { return th::convertTo<State>(from[at]); }
  __device__ State join(State a, State b) const {
    if constexpr (th::isComplexType<T>) {
      const bool first = a.real() < b.real();  // a NaN goes on in either place
      const State low = first ? a : b, high = first ? b : a;
      if (isinf(low.real()) && low.real() < 0) return high;
      // high + log(1 + e^(low - high))
      const double size = exp(low.real() - high.real()), angle = low.imag() - high.imag();
      const double real = 1 + size * cos(angle), imag = size * sin(angle);
      return {high.real() + log(hypot(real, imag)), high.imag() + atan2(imag, real)};
    } else {
      if (a != a || b != b) return a != a ? a : b;
      const State low = a < b ? a : b, high = a < b ? b : a;
      return low == high && isinf(low) ? low : log1p(exp(low - high)) + high;
    }
  }
  __device__ void write(int64_t at, State s) const { to[at] = th::convertTo<T>(s); }
};

// With the number of the last element that was as great (small); the first NaN wins, then the last.
template <class T>
struct RunningExtremum {
  using C = Compute<T>;
  struct State {
    C value;
    int64_t index;  // -1: nothing yet
  };
  const th::Stored<T> *from;
  th::Stored<T> *to;
  int64_t *indices;
  bool greatest;
  __device__ State identity() const { return {C(0), -1}; }
  __device__ State element(int64_t at, int64_t i) const { return {readElement<C, T>(from + at), i}; }
  __device__ State join(State a, State b) const {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    const bool isNan = b.value != b.value;
    if (a.value != a.value) return isNan ? b : a;
    return isNan || !(greatest ? b.value < a.value : b.value > a.value) ? b : a;
  }
  __device__ void write(int64_t at, State s) const {
    to[at] = th::convertTo<th::Stored<T>>(s.value);
    indices[at] = s.index;
  }
};

template <class T, class MakeOp>
void accumulate(THTensor *r, const THTensor *t, int dim, const MakeOp &makeOp) {
  requireOneDevice({r}, {t});
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  THRowsPlan plan;
  THPrepare_scan(&plan, r, t, dim);
  const OnDevice on(r);
  const Ref input = contiguousAs(dtype, t, r);
  THResult_resize(plan.result, 1);
  Target target(dtype, r);
  scan(makeOp(thc::elements<const T>(input), target.data<T>()), plan.rows, on);
  target.finish();
}

template <class T>
void running(THTensor *r, const THTensor *t, int dim, bool product) {
  accumulate<T>(r, t, dim, [=](const T *from, T *to) { return Running<T>{from, to, product}; });
}
template <class T>
void logcumsumexp(THTensor *r, const THTensor *t, int dim) {
  accumulate<T>(r, t, dim, [](const T *from, T *to) { return LogSumExp<T>{from, to}; });
}

template <class T>
void extremum(THTensor *values, THTensor *indices, const THTensor *t, int dim, bool greatest) {
  requireOneDevice({values, indices}, {t});
  using S = th::Stored<T>;
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  THRowsPlan plan;
  THPrepare_scanExtremum(&plan, dtype, values, indices, t, dim);
  const OnDevice on(values);
  const Ref input = contiguousAs(dtype, t, values);
  THResult_resize(plan.result, 2);
  Target valueTarget(dtype, values), indexTarget(TH_Long, indices);
  scan(RunningExtremum<T>{thc::elements<const S>(input), valueTarget.data<S>(), indexTarget.data<int64_t>(), greatest},
       plan.rows, on);
  valueTarget.finish();
  indexTarget.finish();
}

}  // namespace
}  // namespace thc

#define SCAN (THTensor *r, const THTensor *t, int dim)
THC_DEFINE(cumsum, number_complex, SCAN, thc::running<T>(r, t, dim, false))
THC_DEFINE(cumprod, number_complex, SCAN, thc::running<T>(r, t, dim, true))
THC_DEFINE(logcumsumexp, floating_complex, SCAN, thc::logcumsumexp<T>(r, t, dim))
#define RUNNING (THTensor *values, THTensor *indices, const THTensor *t, int dim)
THC_DEFINE(cummax, all, RUNNING, thc::extremum<T>(values, indices, t, dim, true))
THC_DEFINE(cummin, all, RUNNING, thc::extremum<T>(values, indices, t, dim, false))
