// Single elements of a dense product.
#include <algorithm>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"
#include "spmm_rows.hpp"

namespace ths {
namespace {

template <class C>
void multiply(const Lines<C> &t, int64_t row, int64_t first, int64_t last, C *r) {
  if constexpr (std::is_floating_point_v<C>) return dots<C>()(t, row, first, last, r);
  for (int64_t i = first; i < last; i++) {
    while (t.begin[row + 1] <= i) row++;
    const C *const p = t.x + row * t.inner, *const q = t.y + t.column[i] * t.inner;
    C sum(0);
    for (int64_t d = 0; d < t.inner; d++) sum = C(sum + C(p[d] * q[d]));
    r[i - first] = sum;
  }
}

template <class T>
void sampled(THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern) {
  using C = Compute<T>;
  THSPrepare_sampled(a, b, pattern);
  constexpr int64_t kAtOnce = 128;
  const int64_t inner = a->size[1];
  const Matrix m(pattern);
  const Ref rows(contiguousAs(DtypeOf<C>::value, a));
  // Columns of b in lines.
  const Ref turned(THTensor_newTranspose(const_cast<THTensor *>(b), 0, 1)),
      columns(contiguousAs(DtypeOf<C>::value, turned));
  const C *const x = elements<C>(rows), *const y = elements<C>(columns);
  shape(values, {m.entries()});
  T *const to = elements<T>(values);
  parallelFor(m.entries(), std::max<int64_t>(16, kGrain / std::max<int64_t>(1, inner)),
              [&](int64_t begin, int64_t end) {
                RowOf rowOf(m, begin);
                C found[kAtOnce];
                for (int64_t first = begin; first < end; first += kAtOnce) {
                  const int64_t last = std::min(end, first + kAtOnce);
                  multiply<C>({m.begin, m.column, x, y, inner, m.entries()}, rowOf.at(first), first, last, found);
                  for (int64_t i = first; i < last; i++) to[m.entry(i)] = T(found[i - first]);
                }
              });
}

}  // namespace
}  // namespace ths

THS_DEFINE(sampled, number_complex, (THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern),
           ths::sampled<T>(values, a, b, pattern))
