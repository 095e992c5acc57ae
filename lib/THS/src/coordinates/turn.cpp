// The other order of a compressed matrix.
#include <algorithm>

#include <THS/THSTensorMath.h>

#include "../kit/sparse.hpp"

namespace ths {
namespace {

template <class T>
void turn(THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  const bool byRows = self->layout == TH_SPARSE_CSR, byColumns = self->layout == TH_SPARSE_CSC;
  if ((!byRows && !byColumns) || members.indices->ndim != 1)
    THError(TH_ERROR_RUNTIME, "a matrix of layout sparse_csr or sparse_csc is turned, got size %s of layout %s",
            shapeString(self).c_str(), TH_layoutName(THLayout(self->layout)));
  THSTensor_checkBounds(self);
  const Ref from(contiguous(members.values)), begins(contiguousAs(TH_Long, members.indices));
  const Ref places(contiguousAs(TH_Long, members.plain));
  const int64_t n = places->numel, lines = self->size[byRows ? 1 : 0], block = blockOf(from);
  const int64_t *const begin = elements<int64_t>(begins);
  shape(compressed, {lines + 1});
  shape(plain, {n});
  shapeLike(values, n, from);
  int64_t *const to = elements<int64_t>(plain);
  T *const r = elements<T>(values);
  const T *const x = elements<T>(from);
  int64_t line = 0;
  sortByRows(elements<int64_t>(places), n, lines, elements<int64_t>(compressed), [&](int64_t i, int64_t at) {
    while (begin[line + 1] <= i) line++;
    to[at] = line;
    copyBlock(r, at, x, i, block);
  });
}

}  // namespace
}  // namespace ths

THS_DEFINE(turn, all_complex, (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *self),
           ths::turn<T>(compressed, plain, values, self))
