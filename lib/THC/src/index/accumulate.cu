// Arithmetic where elements meet at one place: scatter and index_put with it.
//
// Places are sorted, and one thread takes all that meet at one of them, in the order in which the CPU takes them: so floating-point
// sums are the same on every run, and the CPU's. What it costs is a place at which very many meet.
#include <THC/THCTensorIndex.h>
#include <TH/THPrepare.h>

#include "index/sorted.cuh"
#include "kit/convert.cuh"
#include "kit/define.cuh"
#include "kit/functors.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/walk.cuh"

namespace thc {
namespace {

// What T is computed in here: sums and products of integers wrap, so theirs are unsigned; a bool is a byte.
template <class T>
struct AccumulatedAs {
  using Type = Compute<T>;
};
#define THC_UNSIGNED(T)         \
  template <>                   \
  struct AccumulatedAs<int##T> { \
    using Type = uint##T;       \
  };
THC_UNSIGNED(8_t)
THC_UNSIGNED(16_t)
THC_UNSIGNED(32_t)
THC_UNSIGNED(64_t)
#undef THC_UNSIGNED

struct Larger {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return b > a || b != b ? b : a;
  }
};
struct Smaller {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return b < a || b != b ? b : a;
  }
};

// Walks over what every place has: operands are self and the value, of which consecutive positions are valueStep bytes
// apart. `rounds`: a half type is rounded after each step.
template <class Op, class T>
__global__ void __launch_bounds__(kBlock)
    accumulateKernel(Op op, Walk<2> walk, Sorted sorted, int64_t valueStep, bool rounds) {
  using C = std::conditional_t<std::is_same_v<T, bool>, uint8_t, Compute<T>>;
  const int64_t n = sorted.n * walk.count, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < n; k += step) {
    int64_t i = walk.count == 1 ? k : k / walk.count;
    const uint64_t place = sorted.place(i);
    if (place == sorted.skipped || (i && sorted.place(i - 1) == place)) continue;
    char *at[2];
    walk.addresses(uint32_t(k - i * walk.count), at);
    auto *const target = reinterpret_cast<th::Stored<T> *>(at[0]) + place;
    C sum = readElement<C, T>(target);
    do {
      sum = op(sum, readElement<C, T>(at[1] + sorted.position(i) * valueStep));
      if constexpr (th::isSmallFloat<T>)
        if (rounds) sum = C(th::convertTo<T>(sum));
    } while (++i < sorted.n && sorted.place(i) == place);
    *target = th::convertTo<th::Stored<T>>(sum);
  }
}

struct Accumulation {
  THTensor *self;
  const THTensor *places, *values;
  const THIndexPlan &box;
  bool rounds;
};

template <class T, class Op>
void accumulate(const Op &op, const Accumulation &a) {
  const OnDevice on(a.self);
  constexpr int64_t bytes = sizeof(T);
  // Of the values, which are contiguous or one, the box's dimensions but those of the indices.
  const bool one = a.values->numel == 1;
  int64_t size[TH_MAX_DIM], stride[2][TH_MAX_DIM], step = bytes, valueStep = 0;
  int ndim = 0;
  for (int d = a.box.ndim; d-- > 0;) {
    if (d == a.box.last - 1 && !one) valueStep = step;
    if (d < a.box.first || d >= a.box.last) {
      size[ndim] = a.box.size[d];
      stride[0][ndim] = a.box.stride[d] * bytes;
      stride[1][ndim++] = one ? 0 : step;
    }
    step *= a.box.size[d];
  }
  const int64_t *const strides[] = {stride[0], stride[1]};
  char *const data[] = {dataOf(a.self, on), dataOf(a.values, on)};
  const SortedPlaces order(a.places, a.self, on.stream);
  forWalks<2>(boxPlan(2, ndim, size, strides), data, [&](const Walk<2> &walk) {
    launch(accumulateKernel<Op, T>, blocksFor(order.sorted().n * walk.count), kBlock, 0, on.stream, op, walk,
           order.sorted(), valueStep, a.rounds);
  });
}

template <class T>
void add(const Accumulation &a) {
  accumulate<typename AccumulatedAs<T>::Type>(Plus<false>(), a);
}

template <class Op, class T>
void scatterReduce(const Op &op, THDtype dtype, THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  requireOneDevice({self}, {index, src});
  THIndexDimPlan plan;
  if (!THPrepare_scatterReduce(&plan, dtype, self, dim, index, src)) return;
  noteOperator("scatter");
  const Ref longs = operandFor(TH_Long, index, self), values = operandFor(dtype, src, self);
  Ref from(THTensor_newWithTensor(values));
  for (int d = 0; d < longs->ndim && from->ndim; d++) from = Ref(THTensor_newNarrow(from, d, 0, longs->size[d]));
  const Ref dense = contiguousAs(dtype, from), places = placesAlong(self, longs, plan);
  THIndexPlan box = {};
  box.ndim = box.last = longs->ndim;
  for (int d = 0; d < longs->ndim; d++) box.size[d] = longs->size[d];
  accumulate<T>(op, {self, places, dense, box, false});
}

template <class T>
using Unsigned = std::conditional_t<std::is_integral_v<T>, typename AccumulatedAs<T>::Type, T>;

template <class T>
void scatterAdd(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  constexpr bool bits = std::is_same_v<T, bool>;
  using U = std::conditional_t<bits, bool, Unsigned<T>>;
  scatterReduce<Plus<bits>, U>({}, th::DtypeOf<T>::value, self, dim, index, src);
}
template <class T>
void scatterProd(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  constexpr bool bits = std::is_same_v<T, bool>;
  using U = std::conditional_t<bits, bool, Unsigned<T>>;
  scatterReduce<Times<bits>, U>({}, th::DtypeOf<T>::value, self, dim, index, src);
}

}  // namespace

void addAtPlaces(THTensor *self, const THTensor *places, const THIndexPlan &box, const THTensor *values) {
  const Accumulation a{self, places, values, box, true};
  switch (th::dtypeOf(self)) {
    case TH_Bool: return accumulate<bool>(Plus<true>(), a);
    case TH_Byte:
    case TH_Char: return add<uint8_t>(a);
    case TH_Short: return add<uint16_t>(a);
    case TH_Int: return add<uint32_t>(a);
    case TH_Long: return add<uint64_t>(a);
    case TH_Half: return accumulate<th::half>(Plus<false>(), a);
    case TH_BFloat16: return accumulate<th::bfloat16>(Plus<false>(), a);
    case TH_Float: return add<float>(a);
    case TH_Double: return add<double>(a);
    case TH_ComplexFloat: return add<THComplexFloat>(a);
    case TH_ComplexDouble: return add<THComplexDouble>(a);
    case TH_ComplexHalf: return add<THComplexHalf>(a);
    case TH_Float8_e4m3fn: return accumulate<THFloat8_e4m3fn>(Plus<false>(), a);
    case TH_Float8_e5m2: return accumulate<THFloat8_e5m2>(Plus<false>(), a);
    case TH_Float8_e4m3fnuz: return accumulate<THFloat8_e4m3fnuz>(Plus<false>(), a);
    case TH_Float8_e5m2fnuz: return accumulate<THFloat8_e5m2fnuz>(Plus<false>(), a);
    default:
      THError(TH_ERROR_NOT_IMPLEMENTED, "\"index_put\" not implemented for '%s'", TH_typeName(th::dtypeOf(self)));
  }
}

}  // namespace thc

#define SCATTER_ARGUMENTS (THTensor * self, int dim, const THTensor *index, const THTensor *src)
THC_DEFINE(scatterAdd, all_complex, SCATTER_ARGUMENTS, thc::scatterAdd<T>(self, dim, index, src))
THC_DEFINE(scatterProd, all_complex, SCATTER_ARGUMENTS, thc::scatterProd<T>(self, dim, index, src))
THC_DEFINE(scatterAmax, all, SCATTER_ARGUMENTS, thc::scatterReduce<thc::Larger, T>({}, dtype, self, dim, index, src))
THC_DEFINE(scatterAmin, all, SCATTER_ARGUMENTS, thc::scatterReduce<thc::Smaller, T>({}, dtype, self, dim, index, src))
