// Sparse times dense.
//
// A row is cut where the CPU cuts it, at every so many entries of the matrix, and the parts are added in their order: a
// row with most of the entries is the work of many threads, and the sums are the CPU's. One thread has one element of
// one part.
#include <type_traits>

#include <THC/THCTensorCopy.h>
#include <THS/THSPrepare.h>

#include "kit/parallel.hpp"
#include "matrix.cuh"

namespace thcs {
namespace {

template <class T>
struct Product {
  using A = Arithmetic<T>;
  Rows m;
  const T *values, *x;
  int64_t width, share;
  A alpha;

  // start + alpha Σ value x[column][d] of entries [first, last), which are of one row; in the order and with the roundings of
  // the CPU, whose loops are others for vectors and for real floating-point numbers.
  __device__ A sum(A start, int64_t first, int64_t last, int64_t d) const {
    const bool apart = std::is_floating_point_v<A> || width == 1;
    A sum = apart ? A(0) : start;
    for (int64_t i = first; i < last; i++) {
      const int64_t entry = m.entry(i);
      const A value = valueAt(values + entry), element = valueAt(x + m.column[entry] * width + d);
      sum = A(sum + (apart ? A(value * element) : A(A(alpha * value) * element)));
    }
    return apart ? A(start + A(alpha * sum)) : sum;
  }
};

// What a share has of a row that began before it.
template <class T>
struct Heads {
  using A = Arithmetic<T>;
  Product<T> p;
  A *heads;
  __device__ void operator()(int64_t i) const {
    const int64_t s = i / p.width, first = s * p.share, row = p.m.rowAt(first), end = p.m.begin[row + 1];
    if (p.m.begin[row] == first) return;
    heads[i] = p.sum(A(0), first, end < first + p.share ? end : first + p.share, i - s * p.width);
  }
};

template <class T>
struct AddRow {
  using A = Arithmetic<T>;
  Product<T> p;
  const A *heads;
  Byte<T> *to;
  const T *start;  // NULL: zeros
  A beta;
  __device__ void operator()(int64_t i) const {
    const int64_t row = i / p.width, d = i - row * p.width, begin = p.m.begin[row], end = p.m.begin[row + 1];
    A sum = start ? A(beta * valueAt(start + i)) : A(0);
    if (begin < end) {
      int64_t s = begin / p.share + 1;
      sum = p.sum(sum, begin, end < s * p.share ? end : s * p.share, d);
      for (; s * p.share < end; s++) sum = A(sum + heads[s * p.width + d]);
    }
    to[i] = resultOf<T>(sum);
  }
};

template <class T>
void spaddmm(THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THSTensor *sparse,
             const THTensor *dense) {
  using A = Arithmetic<T>;
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THSMembers &members = *THSTensor_members(sparse);
  requireOneDevice({r, members.indices, members.values}, {t, dense});
  THSPrepare_product(sparse, dense);
  const OnDevice on(r);
  const A first = factorOf<T>(beta), factor = factorOf<T>(alpha);
  const int64_t width = dense->size[1], size[] = {sparse->size[0], width};
  const Matrix m(sparse, on);
  const Ref values = contiguousAs(dtype, members.values, r), x = contiguousAs(dtype, dense, r);
  Ref start;
  if (first != A(0)) {
    const Ref here = contiguousAs(dtype, t, r), wide(THTensor_newExpand(here, 2, size));
    start = contiguousAs(dtype, wide, r);
  }
  const Ref sum(THTensor_newWithSizeOn(r->storage->device, dtype, 2, size));
  if (width) {
    const int64_t share = th::kGrain / width < 64 ? 64 : th::kGrain / width;
    const Product<T> product{m.rows(), thc::elements<const T>(values), thc::elements<const T>(x), width, share, factor};
    const int64_t shares = (product.m.entries + share - 1) / share;
    const Workspace heads(size_t(shares * width) * sizeof(A), on.index);
    each(shares * width, on, Heads<T>{product, heads.as<A>()});
    each(sum->numel, on,
         AddRow<T>{product, heads.as<A>(), thc::elements<Byte<T>>(sum), start ? thc::elements<const T>(start) : nullptr,
                   first});
  }
  if (r->numel == 0 && r->dtype == dtype && THTensor_isContiguous(r)) {
    THTensor_set(r, sum);
  } else {
    THTensor_resize(r, 2, size);
    THCTensor_copy(r, sum);
  }
}

}  // namespace
}  // namespace thcs

THCS_DEFINE(spaddmm, number_complex,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THSTensor *sparse,
             const THTensor *dense),
            thcs::spaddmm<T>(r, beta, t, alpha, sparse, dense))
