/* Scans, reductions, selections, runs. */
#ifndef HOST_CUDA_CUB_SCAN_H
#define HOST_CUDA_CUB_SCAN_H

#include "cub.h"

namespace hostcuda {

struct Larger {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Smaller {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

// A kernel of one thread that needs no room of its own.
template <class Body>
cudaError_t runPlain(void *storage, size_t &bytes, cudaStream_t stream, Body body) {
  return runAlgorithm(storage, bytes, stream, [=](Room &) { return body; });
}

template <class T, class In, class Operation, class Init>
T fold(In in, int64_t begin, int64_t end, Operation operation, Init init) {
  T sum = init;
  for (int64_t i = begin; i < end; i++) sum = operation(sum, in[i]);
  return sum;
}

}  // namespace hostcuda

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Operation, class Init, class N>
  static cudaError_t ExclusiveScan(void *storage, size_t &bytes, In in, Out out, Operation operation, Init init, N n,
                                   cudaStream_t stream = 0) {
    using T = hostcuda::ResultOf<Operation, Init, hostcuda::ValueOf<In>>;
    return hostcuda::runPlain(storage, bytes, stream, [=] {
      T sum = init;
      for (int64_t i = 0; i < int64_t(n); i++) {
        const T next = operation(sum, in[i]);  // before it is written over, where in is out
        out[i] = sum;
        sum = next;
      }
    });
  }
  template <class In, class Out, class Operation, class N>
  static cudaError_t InclusiveScan(void *storage, size_t &bytes, In in, Out out, Operation operation, N n,
                                   cudaStream_t stream = 0) {
    using T = hostcuda::ResultOf<Operation, hostcuda::ValueOf<In>>;
    return hostcuda::runPlain(storage, bytes, stream, [=] {
      if (n <= 0) return;
      T sum = in[0];
      out[0] = sum;
      for (int64_t i = 1; i < int64_t(n); i++) out[i] = sum = operation(sum, in[i]);
    });
  }
  template <class In, class Out, class N>
  static cudaError_t ExclusiveSum(void *storage, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return ExclusiveScan(storage, bytes, in, out, std::plus<>{}, hostcuda::ValueOf<In>{}, n, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t InclusiveSum(void *storage, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return InclusiveScan(storage, bytes, in, out, std::plus<>{}, n, stream);
  }
};

struct DeviceReduce {
  template <class In, class Out, class Operation, class Init, class N>
  static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, N n, Operation operation, Init init,
                            cudaStream_t stream = 0) {
    using T = hostcuda::ResultOf<Operation, Init, hostcuda::ValueOf<In>>;
    return hostcuda::runPlain(storage, bytes, stream,
                              [=] { *out = hostcuda::fold<T>(in, 0, int64_t(n), operation, init); });
  }
  template <class In, class Out, class N>
  static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, std::plus<>{}, hostcuda::WrittenOf<Out, hostcuda::ValueOf<In>>{}, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, hostcuda::Larger{}, std::numeric_limits<hostcuda::ValueOf<In>>::lowest(),
                  stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, hostcuda::Smaller{}, std::numeric_limits<hostcuda::ValueOf<In>>::max(),
                  stream);
  }
  // Of each run of equal keys: the key, and its values' reduction.
  template <class Keys, class Unique, class Values, class Sums, class Count, class Operation, class N>
  static cudaError_t ReduceByKey(void *storage, size_t &bytes, Keys keys, Unique unique, Values values, Sums sums,
                                 Count runs, Operation operation, N n, cudaStream_t stream = 0) {
    using T = hostcuda::ResultOf<Operation, hostcuda::ValueOf<Values>>;
    return hostcuda::runPlain(storage, bytes, stream, [=] {
      int64_t run = 0;
      for (int64_t i = 0; i < int64_t(n); run++) {
        const hostcuda::ValueOf<Keys> key = keys[i];
        T sum = values[i];
        for (i++; i < int64_t(n) && keys[i] == key; i++) sum = operation(sum, values[i]);
        unique[run] = key;
        sums[run] = sum;
      }
      *runs = hostcuda::ValueOf<Count>(run);
    });
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Operation, class Init>
  static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, int64_t segments, Begin begin, End end,
                            Operation operation, Init init, cudaStream_t stream = 0) {
    using T = hostcuda::ResultOf<Operation, Init, hostcuda::ValueOf<In>>;
    return hostcuda::runPlain(storage, bytes, stream, [=] {
      for (int64_t s = 0; s < segments; s++)
        out[s] = hostcuda::fold<T>(in, int64_t(begin[s]), int64_t(end[s]), operation, init);
    });
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, int64_t segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begin, end, std::plus<>{},
                  hostcuda::WrittenOf<Out, hostcuda::ValueOf<In>>{}, stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, int64_t segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begin, end, hostcuda::Larger{},
                  std::numeric_limits<hostcuda::ValueOf<In>>::lowest(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, int64_t segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begin, end, hostcuda::Smaller{},
                  std::numeric_limits<hostcuda::ValueOf<In>>::max(), stream);
  }
};

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class N>
  static cudaError_t Flagged(void *storage, size_t &bytes, In in, Flags flags, Out out, Count count, N n,
                             cudaStream_t stream = 0) {
    return choose(storage, bytes, in, out, count, int64_t(n), [=](int64_t i) { return bool(flags[i]); }, stream);
  }
  template <class In, class Out, class Count, class N, class Predicate>
  static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Count count, N n, Predicate predicate,
                        cudaStream_t stream = 0) {
    return choose(
        storage, bytes, in, out, count, int64_t(n), [=](int64_t i) { return bool(predicate(in[i])); }, stream);
  }
  template <class In, class Out, class Count, class N>
  static cudaError_t Unique(void *storage, size_t &bytes, In in, Out out, Count count, N n, cudaStream_t stream = 0) {
    return choose(
        storage, bytes, in, out, count, int64_t(n), [=](int64_t i) { return i == 0 || !(in[i] == in[i - 1]); }, stream);
  }

 private:
  template <class In, class Out, class Count, class Chosen>
  static cudaError_t choose(void *storage, size_t &bytes, In in, Out out, Count count, int64_t n, Chosen chosen,
                            cudaStream_t stream) {
    return hostcuda::runPlain(storage, bytes, stream, [=] {
      int64_t found = 0;
      for (int64_t i = 0; i < n; i++)
        if (chosen(i)) out[found++] = in[i];
      *count = hostcuda::ValueOf<Count>(found);
    });
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Counts, class Count, class N>
  static cudaError_t Encode(void *storage, size_t &bytes, In in, Unique unique, Counts counts, Count runs, N n,
                            cudaStream_t stream = 0) {
    return hostcuda::runPlain(storage, bytes, stream, [=] {
      int64_t run = 0;
      for (int64_t i = 0; i < int64_t(n); run++) {
        const int64_t first = i;
        const hostcuda::ValueOf<In> key = in[i];
        for (i++; i < int64_t(n) && in[i] == key; i++) {
        }
        unique[run] = key;
        counts[run] = hostcuda::ValueOf<Counts>(i - first);
      }
      *runs = hostcuda::ValueOf<Count>(run);
    });
  }
};

}  // namespace cub

#endif
