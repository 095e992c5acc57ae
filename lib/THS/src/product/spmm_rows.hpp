// The inner loops of a sparse matrix times a dense one, and of sampled products.
#pragma once

#include <cstdint>

namespace ths {

// I: int64_t; of float and double also int32_t.
template <class C, class I>
struct Terms {
  const I *begin, *column;  // of the sparse matrix, by rows
  const C *values;                // in the order of columns
  const C *x;                     // the dense matrix
  int64_t width, entries;
  C alpha;
  bool fresh;  // the result counts as 0, whatever it holds
};

// r = (fresh ? 0 : r) + alpha Σ value x[column] for rows [firstRow, lastRow), r being the first of them; of their
// entries those in [first, last).
template <class C, class I>
using AddRows = void (*)(const Terms<C, I> &, int64_t firstRow, int64_t lastRow, int64_t first, int64_t last, C *r);
template <class C, class I>
AddRows<C, I> addRows();

// What sampled products read: rows of x, columns of y as lines.
template <class C>
struct Lines {
  const int64_t *begin, *column;
  const C *x, *y;
  int64_t inner, entries;
};
// r: of entries [first, last), the first of which is in `row`, the products of their lines. Of float and double.
template <class C>
using Dots = void (*)(const Lines<C> &, int64_t row, int64_t first, int64_t last, C *r);
template <class C>
Dots<C> dots();

}  // namespace ths
