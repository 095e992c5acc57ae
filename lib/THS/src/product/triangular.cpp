// Systems with a triangular sparse matrix.
#include <algorithm>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"

namespace ths {
namespace {

// Each row needs those before it, and columns of the right side do not need each other.
template <class C>
void substitute(const Matrix &m, const C *values, C *x, int64_t width, int64_t first, int64_t last, bool upper,
                bool unit) {
  for (int64_t step = 0; step < m.rows; step++) {
    const int64_t row = upper ? m.rows - 1 - step : step;
    C *const to = x + row * width;
    C diagonal(0);
    for (int64_t i = m.begin[row]; i < m.begin[row + 1]; i++) {
      const int64_t entry = m.entry(i), column = m.column[i];
      if (column == row) diagonal = C(diagonal + values[entry]);
      if (column == row || (column > row) != upper) continue;
      const C factor = values[entry];
      const C *const from = x + column * width;
      for (int64_t d = first; d < last; d++) to[d] = C(to[d] - C(factor * from[d]));
    }
    if (unit) continue;
    for (int64_t d = first; d < last; d++) to[d] = C(to[d] / diagonal);
  }
}

template <class T>
void trsm(THTensor *r, const THTensor *b, const THSTensor *a, bool upper, bool unit) {
  using C = Compute<T>;
  THSPrepare_trsm(b, a);
  const Matrix m(a);
  const Ref values(contiguousAs(DtypeOf<C>::value, THSTensor_members(a)->values)),
      start(contiguousAs(DtypeOf<C>::value, b));
  const int64_t width = b->size[1];
  const Ref sum(THTensor_newWithSize(DtypeOf<C>::value, 2, b->size));
  C *const x = elements<C>(sum);
  std::copy_n(elements<C>(start), m.rows * width, x);
  const int64_t grain = std::max<int64_t>(16, kGrain / std::max<int64_t>(1, m.entries()));
  parallelFor(width, grain, [&](int64_t first, int64_t last) {
    substitute<C>(m, elements<C>(values), x, width, first, last, upper, unit);
  });
  THTensor_resize(r, 2, b->size);
  THTensor_copy(r, sum);
}

}  // namespace
}  // namespace ths

THS_DEFINE(trsm, lapack, (THTensor *r, const THTensor *b, const THSTensor *a, bool upper, bool unit),
           ths::trsm<T>(r, b, a, upper, unit))
