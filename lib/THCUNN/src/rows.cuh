// Kernels along one dimension: what a row amounts to first, then its elements. An operation has
//
//     struct SoftMax {
//       static constexpr bool binary = false;  // are there two inputs?
//       template <class C> struct State { … };  // trivial; what some elements have become
//       template <class C> static __device__ State<C> identity();
//       template <class C, int n> static __device__ void take(State<C> &s, const C (&x)[n], const C (&y)[n]);
//       template <class C> static __device__ void join(State<C> &a, const State<C> &b);  // in any order
//       template <class C> static __device__ void close(State<C> &s);  // all elements have been taken
//       template <class C> static __device__ C value(const State<C> &s, C x, C y);
//     };
//
// `lanes` threads share a row: those of short rows are some of a warp, and a block has many; the longest ones have a block
// each. How many there are follows from the rows' length, stride and alignment, not from how many rows there are.
#pragma once

#include <bit>

#include "kernel.cuh"
#include "kit/pointwise.cuh"

namespace thcunn {

constexpr int kMostLanes = 1024;

// The state of another thread of the warp: shuffle(word) gives each of its words.
template <class State, class Shuffle>
__device__ __forceinline__ State shuffled(const State &state, const Shuffle &shuffle) {
  struct Words {
    int of[sizeof(State) / sizeof(int)];
  };
  Words words = std::bit_cast<Words>(state);
#pragma unroll
  for (int &word : words.of) word = shuffle(word);
  return std::bit_cast<State>(words);
}

// A block's threads, `lanes` of each of some rows: neighbours where the elements of a row are neighbours; else neighbouring
// threads have neighbouring rows (across).
template <bool across>
struct RowThread {
  int perBlock, lane, own, lanes;  // rows of a block; of this thread: which lane, and of which row of the block
  __device__ explicit RowThread(int lanes) : lanes(lanes) {
    const int thread = int(threadIdx.x);
    perBlock = int(blockDim.x) / lanes;
    lane = across ? thread / perBlock : thread % lanes;
    own = across ? thread % perBlock : thread / lanes;
  }

  // What all lanes of a row have taken, in each of them. All threads of the block are here.
  template <class Op, class C>
  __device__ void joinAll(typename Op::template State<C> &state, typename Op::template State<C> *shared) const {
    using State = typename Op::template State<C>;
    const int thread = int(threadIdx.x);
    if constexpr (across) {
      if (lanes == 1) return;
      __syncthreads();  // what the last row left may still be read
      shared[thread] = state;
      for (int half = lanes / 2; half; half /= 2) {
        __syncthreads();
        if (lane < half) Op::join(shared[thread], shared[thread + half * perBlock]);
      }
      __syncthreads();
      state = shared[own];
    } else {
      const int width = lanes < kWarp ? lanes : kWarp;
      for (int half = width / 2; half; half /= 2) {
        const State other = shuffled(state,
                                     [=](int word) { return __shfl_down_sync(kFullWarp, word, unsigned(half)); });
        if (lane % kWarp < half) Op::join(state, other);
      }
      if (lanes > kWarp) {
        const int warp = thread / kWarp;
        __syncthreads();
        if (lane % kWarp == 0) shared[warp] = state;
        __syncthreads();
        if (lane == 0)
          for (int k = 1; k < lanes / kWarp; k++) Op::join(state, shared[warp + k]);
        __syncthreads();
        if (lane == 0) shared[warp] = state;
        __syncthreads();
        state = shared[own * (lanes / kWarp)];
      } else {
        const int first = thread % kWarp - lane;
        state = shuffled(state, [=](int word) { return __shfl_sync(kFullWarp, word, first); });
      }
    }
  }
};

// `width` elements at a time; rows.length is a multiple of that.
template <class Op, class T, int width, bool across>
__global__ void __launch_bounds__(kMostLanes) rowsKernel(T *r, const T *x, const T *y, THRows rows, int lanes) {
  using C = Compute<T>;
  using State = typename Op::template State<C>;
  using Read = Vector<T, width>;
  THC_SHARED(State, shared, across ? kBlock : kMostLanes / kWarp);
  const RowThread<across> at(lanes);
  const int64_t vectors = rows.length / width, stride = across ? rows.stride : 1;
  const auto convert = [](C(&to)[width], const Read &from) {
#pragma unroll
    for (int k = 0; k < width; k++) to[k] = readElement<C, T>(&from.of[k]);
  };
  for (int64_t first = int64_t(blockIdx.x) * at.perBlock; first < rows.count;
       first += int64_t(gridDim.x) * at.perBlock) {
    const int64_t row = first + at.own;
    const bool isRow = row < rows.count;
    const int64_t start = across ? row / stride * stride * rows.length + row % stride : row * rows.length;
    const Read *const a = reinterpret_cast<const Read *>(x + (isRow ? start : 0));
    const Read *const b = Op::binary ? reinterpret_cast<const Read *>(y + (isRow ? start : 0)) : nullptr;
    const int64_t end = isRow ? vectors : 0;
    State state = Op::template identity<C>();
#pragma unroll 4
    for (int64_t i = at.lane; i < end; i += lanes) {
      C u[width], v[width] = {};
      convert(u, a[i * stride]);
      if constexpr (Op::binary) convert(v, b[i * stride]);
      Op::take(state, u, v);
    }
    at.template joinAll<Op, C>(state, shared);
    Op::close(state);
    Read *const to = reinterpret_cast<Read *>(r + (isRow ? start : 0));
    for (int64_t i = at.lane; i < end; i += lanes) {
      C u[width], v[width] = {};
      convert(u, a[i * stride]);
      if constexpr (Op::binary) convert(v, b[i * stride]);
      Read result;
#pragma unroll
      for (int k = 0; k < width; k++) result.of[k] = th::convertTo<T>(Op::value(state, u[k], v[k]));
      to[i * stride] = result;
    }
  }
}

template <class Op, class T, int width, bool across>
void launchRows(T *r, const T *x, const T *y, const THRows &rows, int lanes, cudaStream_t stream) {
  const int block = lanes > kBlock ? lanes : kBlock;
  launch(rowsKernel<Op, T, width, across>, blocksFor(rows.count, block / lanes), block, 0, stream, r, x, y, rows,
         lanes);
}

// r, x and y are contiguous; y is NULL unless Op is binary. r may be x or y.
template <class Op, class T>
void alongRows(T *r, const T *x, const T *y, const THRows &rows, cudaStream_t stream) {
  constexpr int64_t kReads = 8;  // of a lane, before there are more lanes than a warp has
  const auto powerOf2 = [](int64_t n, int64_t most) { return int(std::bit_ceil(uint64_t(n < most ? n : most))); };
  const auto shared = [](int64_t n) { return (n + kReads - 1) / kReads; };
  if (!rows.count || !rows.length) return;
  if (rows.stride > 1) {
    const int side = powerOf2(rows.stride, kWarp);
    return launchRows<Op, T, 1, true>(r, x, y, rows, powerOf2(shared(rows.length), kBlock / side), stream);
  }
  const auto lanes = [&](int64_t reads) {
    return reads > kWarp * kReads ? powerOf2(shared(reads), kMostLanes) : powerOf2(reads, kWarp);
  };
  constexpr int width = int(kVectorBytes / sizeof(T));
  const uintptr_t all = reinterpret_cast<uintptr_t>(r) | reinterpret_cast<uintptr_t>(x) |
                        reinterpret_cast<uintptr_t>(y);
  if (rows.length % width == 0 && all % kVectorBytes == 0)
    launchRows<Op, T, width, false>(r, x, y, rows, lanes(rows.length / width), stream);
  else
    launchRows<Op, T, 1, false>(r, x, y, rows, lanes(rows.length), stream);
}

// The kernel of a plan of softmax's kind; y is NULL unless Op is binary.
template <class Op, class T>
void alongDim(const THRowsPlan &plan, const THTensor *x, const THTensor *y) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THTensor *const r = plan.result->tensor;
  const OnDevice on(r);
  const Ref a = contiguousAs(dtype, x, r), b = y ? contiguousAs(dtype, y, r) : Ref();
  Output output(plan.result, 1, {x, y}, true);
  alongRows<Op, T>(output.data<T>(), thc::elements<const T>(a), b ? thc::elements<const T>(b) : nullptr, plan.rows,
                   on.stream);
  output.finish();
}

template <class Op, class T>
void forward(const THTensor *input, THTensor *output, int64_t dim) {
  requireOneDevice({output}, {input});
  THRowsPlan plan;
  THNNPrepare_softMax(&plan, th::DtypeOf<T>::value, input, output, dim);
  alongDim<Op, T>(plan, input, nullptr);
}
template <class Op, class T>
void backward(const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim) {
  requireOneDevice({gradInput}, {gradOutput, output});
  THRowsPlan plan;
  THNNPrepare_softMaxGradient(&plan, th::DtypeOf<T>::value, gradOutput, gradInput, output, dim);
  alongDim<Op, T>(plan, gradOutput, output);
}

}  // namespace thcunn
