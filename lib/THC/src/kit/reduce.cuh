// Reductions: the kernels that every one of them uses, and what an operation has to bring along:
//
//     struct Sum {
//       using In = float;     // elements are converted to it
//       using State = float;  // trivial; what some elements have become
//       static constexpr bool ordered = false;  // do the elements' numbers mean something?
//       static constexpr bool vectors = true;   // is it worth a kernel of its own that reads 16 bytes at once?
//       __device__ State identity() const;      // nothing yet
//       __device__ void take(State &s, float x, int64_t i) const;  // element number i; they ascend
//       __device__ void join(State &a, const State &b) const;      // in any order
//       __device__ float value(const State &s, int64_t count) const;  // the result
//       __device__ int64_t second(const State &s, int64_t count) const;  // the second one, if there may be one
//     };
#pragma once

#include "kit/convert.cuh"
#include "kit/launch.cuh"
#include "kit/reduce.hpp"

namespace thc {

// ---- reading ------------------------------------------------------------------------------------------
// An element of `dtype` through `via`, which is not `dtype` and does not hold all of its numbers.
template <class In>
__device__ [[gnu::noinline]] In readThrough(const void *p, THDtype dtype, THDtype via) {
  if constexpr (std::is_same_v<In, int32_t> || std::is_same_v<In, int64_t>) switch (via) {
      case TH_Byte: return In(readAs<uint8_t>(p, dtype));
      case TH_Char: return In(readAs<int8_t>(p, dtype));
      case TH_Short: return In(readAs<int16_t>(p, dtype));
      case TH_Int: return In(readAs<int32_t>(p, dtype));
      default: break;
    }
  if constexpr (std::is_floating_point_v<In>) {
    if (via == TH_Half) return In(float(th::half(readAs<float>(p, dtype))));
    if (via == TH_BFloat16) return In(float(th::bfloat16(readAs<float>(p, dtype))));
    if (via == TH_Float) return In(readAs<float>(p, dtype));
  }
  if constexpr (std::is_same_v<In, uint64_t>) {  // a truth
    if (via == TH_Float || th::isHalf(via)) return readThrough<float>(p, dtype, via) != 0;
    if (via != TH_Bool && !th::isFloating(via) && !th::isComplex(via)) return readThrough<int64_t>(p, dtype, via) != 0;
  }
  if constexpr (std::is_same_v<In, uint8_t> || std::is_same_v<In, uint64_t>)
    return In(readAs<bool>(p, dtype));
  else
    return readAs<In>(p, dtype);
}

// Elements of S, `width` at a time; S = void: of any dtype.
template <class S, int width>
struct Reader {
  struct alignas(width == 1 ? alignof(th::Stored<S>) : sizeof(S) * width) Read {
    th::Stored<S> of[width];
  };
  static __device__ __forceinline__ Read read(const ReduceLaunch &, const char *at) {
    return *reinterpret_cast<const Read *>(at);
  }
  template <class In>
  static __device__ __forceinline__ In element(const ReduceLaunch &, const Read &read, int k) {
    return readElement<In, S>(&read.of[k]);
  }
};
template <int width>
struct Reader<void, width> {
  static_assert(width == 1);
  using Read = const char *;
  static __device__ __forceinline__ Read read(const ReduceLaunch &, const char *at) { return at; }
  template <class In>
  static __device__ __forceinline__ In element(const ReduceLaunch &p, Read read, int) {
    return readThrough<In>(read, THDtype(p.dtype), THDtype(p.via));
  }
};

__device__ __forceinline__ void splitIndex(int64_t &index, int64_t size, int64_t &i) {
  if (index >> 32) {
    i = index % size;
    index /= size;
  } else {
    const auto rest = uint32_t(index) / uint32_t(size);
    i = size >> 32 ? index : int64_t(uint32_t(index) - rest * uint32_t(size));
    index = size >> 32 ? 0 : rest;
  }
}

__device__ __forceinline__ const char *elementAt(const ReduceLaunch &p, const char *data, int64_t index) {
  if (p.nReduced <= 1) return data + index * p.dim[0].in;  // of none there is one element
#pragma unroll 1
  for (int d = 0; d < p.nReduced; d++) {
    int64_t i;
    splitIndex(index, p.dim[d].size, i);
    data += i * p.dim[d].in;
  }
  return data;
}

// ---- writing ------------------------------------------------------------------------------------------
template <class R>
__device__ __forceinline__ void writeResult(char *at, uint8_t dtype, R value) {
  if (dtype == th::DtypeOf<R>::value)
    *reinterpret_cast<R *>(at) = value;
  else
    writeAs<R>(at, THDtype(dtype), value);
}

template <class Op>
__device__ void finishOutput(const Op &op, const ReduceLaunch &p, int64_t output, const typename Op::State &state) {
  int64_t offset[2] = {0, 0};
#pragma unroll 1
  for (int d = p.nReduced; d < p.nReduced + p.nKept; d++) {
    int64_t i;
    splitIndex(output, p.dim[d].size, i);
    offset[0] += i * p.dim[d].out[0];
    offset[1] += i * p.dim[d].out[1];
  }
  if (p.out[0]) writeResult(p.out[0] + offset[0], p.outDtype[0], op.value(state, p.count));
  if constexpr (requires { op.second(state, p.count); })
    if (p.out[1]) writeResult(p.out[1] + offset[1], p.outDtype[1], op.second(state, p.count));
}

// ---- kernels ------------------------------------------------------------------------------------------
// A block's threads are `lanes` of each of some outputs.
struct ReduceThread {
  int lane, output, next;  // of its outputs; how far away the next lane of the same output is
  __device__ explicit ReduceThread(const ReduceLaunch &p) {
    const int thread = int(threadIdx.x), outputs = kReduceThreads / p.lanes;
    lane = p.across ? thread / outputs : thread % p.lanes;
    output = p.across ? thread % outputs : thread / p.lanes;
    next = p.across ? outputs : 1;
  }
};

// shared[thread of lane 0] = what all lanes have.
template <class Op>
__device__ __forceinline__ void joinLanes(const Op &op, const ReduceLaunch &p, const ReduceThread &at,
                                          typename Op::State *shared) {
  for (int half = p.lanes / 2; half; half /= 2) {
    __syncthreads();
    if (at.lane < half) op.join(shared[threadIdx.x], shared[threadIdx.x + half * at.next]);
  }
}

template <class Op, class S, int width>
__global__ void __launch_bounds__(kReduceThreads) reduceKernel(Op op, ReduceLaunch p) {
  using State = typename Op::State;
  using In = typename Op::In;
  using Source = Reader<S, width>;
  constexpr int ahead = 4;  // reads that are under way at the same time, each with a state of its own
  THC_SHARED(State, shared, kReduceThreads);
  const ReduceThread at(p);
  const int64_t perBlock = kReduceThreads / p.lanes, tiles = (p.outputs + perBlock - 1) / perBlock;
  for (int64_t work = blockIdx.x; work < tiles * p.chunks; work += gridDim.x) {
    const int64_t tile = p.chunks == 1 ? work : work / p.chunks, chunk = p.chunks == 1 ? 0 : work % p.chunks;
    const int64_t output = tile * perBlock + at.output;
    State state[ahead];
#pragma unroll
    for (int j = 0; j < ahead; j++) state[j] = op.identity();
    if (output < p.outputs) {
      const char *data = p.data;
      int64_t index = output;
#pragma unroll 1
      for (int d = p.nReduced; d < p.nReduced + p.nKept; d++) {
        int64_t i;
        splitIndex(index, p.dim[d].size, i);
        data += i * p.dim[d].in;
      }
      const int64_t begin = chunk * p.chunk, end = begin + p.chunk < p.count ? begin + p.chunk : p.count;
      const int64_t vectorEnd = end / width * width, step = int64_t(p.lanes) * width;
      int64_t i = begin + at.lane * width;
      if constexpr (!std::is_void_v<S>)
        if (p.nReduced <= 1) {
          const int64_t stride = p.dim[0].in;
          for (; i + (ahead - 1) * step < vectorEnd; i += ahead * step) {
            typename Source::Read read[ahead];
#pragma unroll
            for (int j = 0; j < ahead; j++) read[j] = Source::read(p, data + (i + j * step) * stride);
#pragma unroll
            for (int j = 0; j < ahead; j++)
#pragma unroll
              for (int k = 0; k < width; k++)
                op.take(state[(j + k) % ahead], Source::template element<In>(p, read[j], k), i + j * step + k);
          }
        }
#pragma unroll 1
      for (; i < vectorEnd; i += step) {
        const typename Source::Read read = Source::read(p, elementAt(p, data, i));
#pragma unroll
        for (int k = 0; k < width; k++) op.take(state[k % ahead], Source::template element<In>(p, read, k), i + k);
      }
      if constexpr (width > 1)  // of one dimension: of several, the innermost has no such rest
        for (i = vectorEnd + at.lane; i < end; i += p.lanes)
          op.take(state[0], readElement<In, S>(data + i * int64_t(sizeof(S))), i);
    }
    op.join(state[0], state[1]);
    op.join(state[2], state[3]);
    op.join(state[0], state[2]);
    __syncthreads();  // the last output may still be read
    shared[threadIdx.x] = state[0];
    joinLanes(op, p, at, shared);
    if (at.lane || output >= p.outputs) continue;
    if (p.states)
      static_cast<State *>(p.states)[output * p.chunks + chunk] = shared[threadIdx.x];
    else
      finishOutput(op, p, output, shared[threadIdx.x]);
  }
}

template <class Op>
__global__ void __launch_bounds__(kReduceThreads) joinKernel(Op op, ReduceLaunch p) {
  using State = typename Op::State;
  THC_SHARED(State, shared, kReduceThreads);
  const ReduceThread at(p);
  const int64_t perBlock = kReduceThreads / p.lanes, tiles = (p.outputs + perBlock - 1) / perBlock;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int64_t output = tile * perBlock + at.output;
    State state = op.identity();
    if (output < p.outputs)
      for (int64_t chunk = at.lane; chunk < p.chunks; chunk += p.lanes)
        op.join(state, static_cast<const State *>(p.states)[output * p.chunks + chunk]);
    __syncthreads();
    shared[threadIdx.x] = state;
    joinLanes(op, p, at, shared);
    if (!at.lane && output < p.outputs) finishOutput(op, p, output, shared[threadIdx.x]);
  }
}

// ---- launches -----------------------------------------------------------------------------------------
template <class Op, class S, int width>
void reduceBy(const Op &op, Reduction &reduction) {
  ReduceLaunch &p = reduction.cut(width);
  const Workspace states(p.chunks > 1 ? size_t(p.outputs * p.chunks) * sizeof(typename Op::State) : 0,
                         reduction.device);
  p.states = states.data();
  launch(reduceKernel<Op, S, width>, reduction.blocks(), kReduceThreads, 0, reduction.stream, op, p);
  if (p.chunks == 1) return;
  reduction.cutChunks();
  launch(joinKernel<Op>, reduction.blocks(), kReduceThreads, 0, reduction.stream, op, p);
}

// Of elements S as they lie in memory.
template <class S, class Op>
void reduceStored(const Op &op, Reduction &reduction) {
  constexpr int width = sizeof(S) < 4 ? 4 : int(16 / sizeof(S));
  if constexpr (Op::vectors && width > 1)
    if (reduction.readsVectors(width)) return reduceBy<Op, S, width>(op, reduction);
  reduceBy<Op, S, 1>(op, reduction);
}

// Does `via` hold every number of `dtype`?
constexpr bool holds(THDtype via, THDtype dtype) {
  if (th::isFloating(via)) return via == dtype || (th::isFloating(dtype) && !th::isHalf(via) && dtype <= via);
  return via == dtype ||
         (!th::isComplex(via) && via != TH_Bool && dtype < via && dtype != TH_Char && dtype <= TH_Long) ||
         (dtype == TH_Char && via > TH_Char && via <= TH_Long);
}

// Of any dtype; there are kernels for those of S.
template <class... S, class Op>
void reduceAny(const Op &op, Reduction &reduction) {
  const auto stored = [&]<class From>(const From *) {
    if (reduction.dtype() != th::DtypeOf<From>::value || !holds(reduction.via(), reduction.dtype())) return false;
    reduceStored<From>(op, reduction);
    return true;
  };
  if (!(stored(static_cast<const S *>(nullptr)) || ...)) reduceBy<Op, void, 1>(op, reduction);
}

// All of it. `name`: of whom has no result for nothing.
template <class... S, class Op>
void reduce(const Op &op, THDtype via, const char *name, THTensor *r, THTensor *second, const THTensor *t,
            uint64_t dims, bool keepdim) {
  Reduction reduction(via, name, Op::ordered, r, second, t, dims, keepdim);
  if (reduction.runs()) reduceAny<S...>(op, reduction);
  reduction.finish();
}

}  // namespace thc
