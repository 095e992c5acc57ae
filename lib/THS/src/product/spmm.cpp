// Sparse times dense.
//
// Shares are runs of entries, cut by their number alone. A row that begins in a share is added up in the result; what a share
// has of a row that began before it, beside it, and is added in the order of shares. So a row with most of the entries is
// everybody's work, and the result is the same for any number of threads.
#include <algorithm>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"

namespace ths {
namespace {

// r[at …] += alpha Σ value x[column][at …] of entries [first, last), for `tile` columns, added up in registers.
template <int tile, class C>
void addTile(const Matrix &m, const C *values, const C *x, int64_t width, C alpha, int64_t first, int64_t last,
             int64_t at, C *r) {
  constexpr int64_t kAhead = 16;  // entries whose lines are fetched meanwhile, of the next rows, too
  const int64_t fetched = std::min(m.entries() - kAhead, last);
  C sums[tile] = {};
  for (int64_t i = first; i < last; i++) {
    if (i < fetched) {
      const C *const next = x + m.column[m.entry(i + kAhead)] * width + at;
      for (int d = 0; d < tile; d += int(64 / sizeof(C))) __builtin_prefetch(next + d);
    }
    const int64_t entry = m.entry(i);
    const C factor = values[entry];
    const C *const line = x + m.column[entry] * width + at;
    for (int d = 0; d < tile; d++) sums[d] = C(sums[d] + C(factor * line[d]));
  }
  for (int d = 0; d < tile; d++) r[at + d] = C(r[at + d] + C(alpha * sums[d]));
}

// The same of all columns; the entries are of one row, whose result is r.
template <class C>
void addEntries(const Matrix &m, const C *values, const C *x, int64_t width, C alpha, int64_t first, int64_t last,
                C *r) {
  int64_t at = 0;
  for (; at + 32 <= width; at += 32) addTile<32>(m, values, x, width, alpha, first, last, at, r);
  for (; at + 8 <= width; at += 8) addTile<8>(m, values, x, width, alpha, first, last, at, r);
  for (; at < width; at++) addTile<1>(m, values, x, width, alpha, first, last, at, r);
}

template <class C>
void product(const Matrix &m, const C *values, const C *x, int64_t width, C alpha, C *r) {
  const int64_t n = m.entries();
  const int64_t share = std::max<int64_t>(64, kGrain / std::max<int64_t>(1, width));
  const int64_t shares = (n + share - 1) / share;
  Array<C> heads = array<C>(shares * width);
  std::vector<int64_t> headRow(size_t(shares), -1);
  parallelFor(shares, 1, [&](int64_t from, int64_t to) {
    for (int64_t s = from; s < to; s++) {
      const int64_t first = s * share, last = std::min(n, first + share);
      RowOf rowOf(m, first);
      for (int64_t i = first; i < last;) {
        const int64_t row = rowOf.at(i), end = std::min(last, m.begin[row + 1]);
        C *to_row = r + row * width;
        if (m.begin[row] < first) {
          headRow[size_t(s)] = row;
          to_row = heads.get() + s * width;
          std::fill_n(to_row, width, C(0));
        }
        addEntries(m, values, x, width, alpha, i, end, to_row);
        i = end;
      }
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
  const Ref values(contiguousAs(DtypeOf<C>::value, THSTensor_members(sparse)->values));
  const Ref x(contiguousAs(DtypeOf<C>::value, dense));
  const C factor = scalarTo<C>(beta);
  const int64_t size[] = {rows, width};
  Ref sum(THTensor_newWithSize(DtypeOf<C>::value, 2, size));
  C *const to = elements<C>(sum);
  if (factor == C(0)) {
    std::fill_n(to, rows * width, C(0));
  } else {
    const Ref wide(THTensor_newExpand(const_cast<THTensor *>(t), 2, size));
    const Ref start(contiguousAs(DtypeOf<C>::value, wide));
    const C *const from = elements<C>(start);
    parallelFor(rows * width, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) to[i] = C(factor * from[i]);
    });
  }
  if (width) product<C>(m, elements<C>(values), elements<C>(x), width, scalarTo<C>(alpha), to);
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
