// Single elements of a dense product.
#include <algorithm>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"

namespace ths {
namespace {

template <class T>
void sampled(THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern) {
  using C = Compute<T>;
  THSPrepare_sampled(a, b, pattern);
  constexpr int64_t kAhead = 16;
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
                for (int64_t i = begin; i < end; i++) {
                  // Lines of columns stand anywhere.
                  if (i + kAhead < m.entries()) __builtin_prefetch(y + m.column[i + kAhead] * inner);
                  const C *const p = x + rowOf.at(i) * inner, *const q = y + m.column[i] * inner;
                  C sums[4] = {};
                  int64_t d = 0;
                  for (; d + 4 <= inner; d += 4)
                    for (int k = 0; k < 4; k++) sums[k] = C(sums[k] + C(p[d + k] * q[d + k]));
                  for (; d < inner; d++) sums[0] = C(sums[0] + C(p[d] * q[d]));
                  to[m.entry(i)] = T(C(C(sums[0] + sums[1]) + C(sums[2] + sums[3])));
                }
              });
}

}  // namespace
}  // namespace ths

THS_DEFINE(sampled, number_complex, (THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern),
           ths::sampled<T>(values, a, b, pattern))
