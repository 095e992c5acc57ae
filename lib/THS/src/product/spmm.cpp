// Sparse times dense.
//
// Shares are runs of entries, cut by their number alone. A row that begins in a share is added up in the result; what a
// share has of a row that began before it, beside it, and is added in the order of shares. So a row with most of the
// entries is everybody's work, and the result is the same for any number of threads.
#include <algorithm>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"
#include "spmm_rows.hpp"

namespace ths {
namespace {

template <class C, class I>
void product(const Terms<C, I> &t, int64_t rows, C *r) {
  const int64_t n = t.entries, width = t.width;
  const I *const begin = t.begin;
  const AddRows<C, I> add = addRows<C, I>();
  if (!n) return add(t, 0, rows, 0, 0, r);
  const int64_t share = std::max<int64_t>(64, kGrain / width), shares = (n + share - 1) / share;
  Array<C> heads = array<C>(shares * width);
  std::vector<int64_t> headRow(size_t(shares), -1);
  Terms<C, I> head = t;
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
  const THSMembers &members = *THSTensor_members(sparse);
  const Ref held(contiguousAs(DtypeOf<C>::value, members.values));
  const auto multiply = [&](const auto *begin, const auto *column, const C *values) {
    if (width)
      product<C, std::remove_cvref_t<decltype(*begin)>>(
          {begin, column, values, elements<C>(x), width, int64_t(begin[rows]), scalarTo<C>(alpha), factor == C(0)},
          rows, to);
  };
  bool done = false;
  if constexpr (std::is_floating_point_v<C>) {
    // Indices of 32 bits are read as they are: to widen them would take longer than the product with a vector.
    if ((done = sparse->layout == TH_SPARSE_CSR && dtypeOf(members.plain) == TH_Int)) {
      THSTensor_checkBounds(sparse);
      const Ref begins(contiguous(members.indices)), columns(contiguous(members.plain));
      multiply(elements<int32_t>(begins), elements<int32_t>(columns), elements<C>(held));
    }
  }
  if (!done) {
    const Matrix m(sparse);
    const C *values = elements<C>(held);
    Array<C> ordered;
    if (m.order) {
      ordered = array<C>(m.entries());
      for (int64_t i = 0; i < m.entries(); i++) ordered[size_t(i)] = values[m.order[i]];
      values = ordered.get();
    }
    multiply(m.begin, m.column, values);
  }
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
