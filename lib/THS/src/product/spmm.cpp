// Sparse times dense.
//
// Shares are runs of entries, cut by their number alone. A row that begins in a share is added up in the result; what a share
// has of a row that began before it, beside it, and is added in the order of shares. So a row with most of the entries is
// everybody's work, and the result is the same for any number of threads.
#include <algorithm>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"
#include "spmm_rows.hpp"

namespace ths {
namespace {

template <class C>
void product(const Terms<C> &t, int64_t rows, C *r) {
  const int64_t n = t.entries, width = t.width, *const begin = t.begin;
  const AddRows<C> add = addRows<C>();
  if (!n) return add(t, 0, rows, 0, 0, r);
  const int64_t share = std::max<int64_t>(64, kGrain / width), shares = (n + share - 1) / share;
  Array<C> heads = array<C>(shares * width);
  std::vector<int64_t> headRow(size_t(shares), -1);
  Terms<C> head = t;
  head.fresh = true;
  parallelFor(shares, 1, [&](int64_t from, int64_t to) {
    for (int64_t s = from; s < to; s++) {
      const int64_t first = s * share, last = std::min(n, first + share);
      const int64_t row = std::lower_bound(begin, begin + rows, first) - begin;
      // Rows that begin here, empty ones, too.
      const int64_t end = last == n ? rows : std::lower_bound(begin + row, begin + rows, last) - begin;
      if (first < begin[row]) {
        headRow[size_t(s)] = row - 1;
        add(head, row - 1, row, first, last, heads.get() + s * width);
      }
      add(t, row, end, first, last, r + row * width);
    }
  });
  for (int64_t s = 0; s < shares; s++)
    if (headRow[size_t(s)] >= 0)
      for (int64_t d = 0; d < width; d++) {
        C &sum = r[headRow[size_t(s)] * width + d];
        sum = C(sum + heads[size_t(s * width + d)]);
      }
}

template <class T>
void spaddmm(THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THSTensor *sparse,
             const THTensor *dense) {
  using C = Compute<T>;
  THSPrepare_product(sparse, dense);
  const int64_t rows = sparse->size[0], width = dense->size[1];
  const Matrix m(sparse);
  const Ref held(contiguousAs(DtypeOf<C>::value, THSTensor_members(sparse)->values));
  const C *values = elements<C>(held);
  Array<C> ordered;
  if (m.order) {
    ordered = array<C>(m.entries());
    for (int64_t i = 0; i < m.entries(); i++) ordered[size_t(i)] = values[m.order[i]];
    values = ordered.get();
  }
  const Ref x(contiguousAs(DtypeOf<C>::value, dense));
  const C factor = scalarTo<C>(beta);
  const int64_t size[] = {rows, width};
  Ref sum(THTensor_newWithSize(DtypeOf<C>::value, 2, size));
  C *const to = elements<C>(sum);
  if (factor != C(0)) {
    const Ref wide(THTensor_newExpand(const_cast<THTensor *>(t), 2, size));
    const Ref start(contiguousAs(DtypeOf<C>::value, wide));
    const C *const from = elements<C>(start);
    parallelFor(rows * width, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) to[i] = C(factor * from[i]);
    });
  }
  if (width)
    product<C>({m.begin, m.column, values, elements<C>(x), width, m.entries(), scalarTo<C>(alpha), factor == C(0)},
               rows, to);
  if (dtypeOf(r) == dtypeOf(sum) && r->numel == 0 && THTensor_isContiguous(r)) {
    THTensor_set(r, sum);
  } else {
    THTensor_resize(r, 2, size);
    THTensor_copy(r, sum);
  }
}

}  // namespace
}  // namespace ths

THS_DEFINE(spaddmm, number_complex,
           (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THSTensor *sparse,
            const THTensor *dense),
           ths::spaddmm<T>(r, beta, t, alpha, sparse, dense))
