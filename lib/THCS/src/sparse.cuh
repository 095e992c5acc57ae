// What kernels of THCS share besides THC's kit: exported names, arithmetic, loops over entries, what indices say.
#pragma once

#include <THC/THCTensorCopy.h>
#include <THCS/THCS.h>

#include "kit/define.cuh"
#include "kit/hostread.hpp"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"

// Defines what THCS_FUNCTION declares; in the last argument, T is the element type and `dtype` its THDtype:
//     THCS_DEFINE(coalesce, all_complex, (THTensor *indices, …), thcs::coalesce<T>(indices, …))
#define THCS_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(THCS_DEFINE_, op, args, __VA_ARGS__)
#define THCS_DEFINE_(Name, op, args, ...) THC_DEFINE_AS(THCS##Name##Tensor_##op, Name, op, args, __VA_ARGS__)

namespace thcs {

using namespace thc;

// An input of one element may be on the CPU; a member may not, and requireOneDevice takes it for a result.

// What elements of T are added up and multiplied in: the CPU's type, but for integers, whose sums wrap; a bool is a
// byte.
template <class T>
struct ArithmeticOf {
  using Type = Compute<T>;
};
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct ArithmeticOf<T> {
  using Type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};
template <class T>
using Arithmetic = typename ArithmeticOf<T>::Type;

template <class T>
__device__ __forceinline__ Arithmetic<T> valueAt(const T *p) {
  return readElement<Arithmetic<T>, T>(p);
}
template <class T>
__device__ __forceinline__ Byte<T> resultOf(Arithmetic<T> x) {
  return th::convertTo<Byte<T>>(x);
}
// The sum of two elements; of bools: or.
template <class T>
__device__ __forceinline__ Arithmetic<T> sumOf(Arithmetic<T> a, Arithmetic<T> b) {
  if constexpr (std::is_same_v<T, bool>)
    return a | b;
  else
    return Arithmetic<T>(a + b);
}
// A number of the host, as TH makes an element of it: raises where that cannot hold it.
template <class T>
Arithmetic<T> factorOf(THScalar number) {
  using C = th::Compute<T>;
  const Ref one(THTensor_newWithSize(th::DtypeOf<C>::value, 0, nullptr));
  THTensor_fill(one, number);
  return th::convertTo<Arithmetic<T>>(*static_cast<const Byte<C> *>(THTensor_data(one)));
}

// body(i) for each i of [0, n).
template <class Body>
__global__ void __launch_bounds__(kBlock) eachKernel(Body body, int64_t n) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) body(i);
}
template <class Body>
void each(int64_t n, const OnDevice &on, const Body &body) {
  if (n) launch(eachKernel<Body>, blocksFor(n), kBlock, 0, on.stream, body, n);
}

// How many of n ascending numbers are less than x, or not greater.
__device__ __forceinline__ int64_t countLess(const int64_t *numbers, int64_t n, int64_t x) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (numbers[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
__device__ __forceinline__ int64_t countUpTo(const int64_t *numbers, int64_t n, int64_t x) {
  return countLess(numbers, n, x + 1);
}

// A copy on the CPU: THS says of it what is wrong with it.
inline Ref toHost(const THTensor *t) {
  Ref copy(THTensor_newWithSize(THDtype(t->dtype), t->ndim, t->size));
  THCTensor_copy(copy, t);
  return copy;
}

// What is on the CPU, on a device.
inline Ref toDevice(const THTensor *t, THDevice device) {
  Ref copy(THTensor_newWithSizeOn(device, THDtype(t->dtype), t->ndim, t->size));
  THCTensor_copy(copy, t);
  return copy;
}

// What a kernel says to the host, which waits for it: whether anything was set.
class Flag {
 public:
  explicit Flag(const OnDevice &on) : on_(on), memory_(sizeof(unsigned), on.index) {
    THC_CHECK(cudaMemsetAsync(memory_.data(), 0, sizeof(unsigned), on.stream));
  }
  unsigned *address() const { return memory_.as<unsigned>(); }
  bool isSet() const { return readBack(address(), on_.stream, on_.index) != 0; }

 private:
  const OnDevice &on_;
  Workspace memory_;
};

// Raises, in THS's words, if an index would lead out of the tensor. Looks once at each version of the indices.
void requireBounds(const THSTensor *self);
// The same of places that are no tensor's, each time.
void requireBounds(const THTensor *indices, const int64_t *size);

// Places, which are in bounds, as one number each, in the order of places.
class Places {
 public:
  Places(const THTensor *indices, const int64_t *size, const OnDevice &on);
  int64_t count() const { return count_; }
  const int64_t *data() const { return one_ ? one_ : keys_.as<int64_t>(); }
  int64_t limit() const { return limit_; }  // all are less

 private:
  Ref held_;
  Workspace keys_;
  const int64_t *one_;  // of one dimension: the index itself
  int64_t count_, limit_;
};

// n numbers, none of them negative or `limit` or more, in ascending order, and where each stood; equal ones keep their
// order.
class Sorted {
 public:
  Sorted(const int64_t *keys, int64_t n, int64_t limit, const OnDevice &on);
  const int64_t *keys() const { return sorted_; }
  const int64_t *order() const { return order_.as<int64_t>(); }

 private:
  Workspace keys_, order_;
  const int64_t *sorted_;
};

// Runs of equal ones among n ascending numbers: run k begins at first()[k] and ends at first()[k + 1].
class Runs {
 public:
  Runs(const int64_t *keys, int64_t n, const OnDevice &on);
  int64_t count() const { return count_; }
  const int64_t *first() const { return first_.as<int64_t>(); }

 private:
  Workspace before_;
  int64_t count_;
  Workspace first_;
};

// to[i] = the sum of what comes before i among n + 1 numbers: at n stands the sum of all n. `from` may be `to`.
void sumsBefore(int64_t *to, const int64_t *from, int64_t n, const OnDevice &on);
// to[r] = how many of n ascending rows are less than r, for r in [0, rows].
void beginsOf(int64_t *to, int64_t rows, const int64_t *ascending, int64_t n, const OnDevice &on);

// How a place's number becomes its column in indices (ndim, n).
struct PlaceWriter {
  int64_t *indices;
  int64_t n;
  int ndim;
  int64_t size[TH_MAX_DIM];

  PlaceWriter(int64_t *indices, int64_t n, int ndim, const int64_t *sizes) : indices(indices), n(n), ndim(ndim) {
    for (int d = 0; d < ndim; d++) size[d] = sizes[d];
  }
  __device__ void write(int64_t key, int64_t i) const {
    for (int d = ndim - 1; d > 0; d--) {
      indices[d * n + i] = key % size[d];
      key /= size[d];
    }
    if (ndim) indices[i] = key;
  }
};

// The elements of values under one entry, and values' shape with another number of entries.
inline int64_t blockOf(const THTensor *values) {
  int64_t block = 1;
  for (int d = 1; d < values->ndim; d++) block *= values->size[d];
  return block;
}
inline void shapeLike(THTensor *r, int64_t entries, const THTensor *values) {
  int64_t size[TH_MAX_DIM] = {entries};
  for (int d = 1; d < values->ndim; d++) size[d] = values->size[d];
  THTensor_resize(r, values->ndim, size);
}
inline void shape(THTensor *r, std::initializer_list<int64_t> size) {
  THTensor_resize(r, int(size.size()), size.begin());
}

}  // namespace thcs
