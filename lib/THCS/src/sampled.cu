// Single elements of a dense product.
#include <type_traits>

#include <THS/THSPrepare.h>

#include "sparse.cuh"

namespace thcs {
namespace {

// Where the row of an entry is known by its place, and where by where rows begin.
struct EntryPlaces {
  const int64_t *row, *column;
  const int64_t *begin;  // of compressed rows; else NULL
  int64_t rows;
  __device__ int64_t rowOf(int64_t i) const { return begin ? countUpTo(begin, rows + 1, i) - 1 : row[i]; }
};

// As many sums in turn as the CPU has: of real floating-point numbers those of 32 bytes.
template <class T>
struct Sample {
  using A = Arithmetic<T>;
  Byte<T> *to;
  const T *x, *y;  // lines of `inner` elements
  int64_t inner;
  EntryPlaces places;

  __device__ void operator()(int64_t i) const {
    const T *const p = x + places.rowOf(i) * inner, *const q = y + places.column[i] * inner;
    constexpr int kSums = std::is_floating_point_v<A> ? 32 / int(sizeof(A)) : 1;
    A sums[kSums] = {};
    int64_t d = 0;
    for (; d + kSums <= inner; d += kSums)
#pragma unroll
      for (int k = 0; k < kSums; k++) sums[k] = A(sums[k] + A(valueAt(p + d + k) * valueAt(q + d + k)));
    for (; d < inner; d++) sums[0] = A(sums[0] + A(valueAt(p + d) * valueAt(q + d)));
    for (int half = kSums / 2; half; half /= 2)
#pragma unroll
      for (int k = 0; k < half; k++) sums[k] = A(sums[k] + sums[k + half]);
    to[i] = resultOf<T>(sums[0]);
  }
};

template <class T>
void sampled(THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THSMembers &members = *THSTensor_members(pattern);
  requireOneDevice({values, members.indices}, {a, b});
  THSPrepare_sampled(a, b, pattern);
  const OnDevice on(values);
  requireBounds(pattern);
  const bool byRows = pattern->layout == TH_SPARSE_CSR;
  const Ref indices = contiguousAs(TH_Long, members.indices),
            plain = byRows ? contiguousAs(TH_Long, members.plain) : Ref();
  const int64_t n = byRows ? plain->numel : indices->size[1];
  const int64_t *const first = thc::elements<const int64_t>(indices);
  const Ref turned(THTensor_newTranspose(const_cast<THTensor *>(b), 0, 1)),
      rows = contiguousAs(dtype, a, values), columns = contiguousAs(dtype, turned, values);
  shape(values, {n});
  each(n, on,
       Sample<T>{thc::elements<Byte<T>>(values),
                 thc::elements<const T>(rows),
                 thc::elements<const T>(columns),
                 a->size[1],
                 {first, byRows ? thc::elements<const int64_t>(plain) : first + n, byRows ? first : nullptr,
                  pattern->size[0]}});
}

}  // namespace
}  // namespace thcs

THCS_DEFINE(sampled, number_complex, (THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern),
            thcs::sampled<T>(values, a, b, pattern))
