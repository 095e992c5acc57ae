// What indices must say: whether they are in bounds, and in order.
#include <algorithm>
#include <string>
#include <vector>

#include <THS/THSTensor.h>

#include "kit/tensor.hpp"

namespace th {
namespace {

void checkCoordinates(const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  const Ref indices(THTensor_newContiguous(members.indices));
  const int64_t n = indices->size[1];
  for (int d = 0; d < members.sparse_dim; d++) {
    const int64_t *const row = elements<int64_t>(indices) + d * n;
    for (int64_t i = 0; i < n; i++) {
      if (row[i] < 0) THError(TH_ERROR_RUNTIME, "found negative index %lld for dim %d", (long long)row[i], d);
      if (row[i] >= self->size[d])
        THError(TH_ERROR_RUNTIME, "size is inconsistent with indices: for dim %d, size is %lld but found index %lld", d,
                (long long)self->size[d], (long long)row[i]);
    }
  }
  if (!members.coalesced) return;
  const int64_t *const at = elements<int64_t>(indices);
  for (int64_t i = 1; i < n; i++) {
    int d = 0;
    while (d < members.sparse_dim && at[d * n + i - 1] == at[d * n + i]) d++;
    if (d == members.sparse_dim || at[d * n + i - 1] > at[d * n + i])
      THError(TH_ERROR_RUNTIME, "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor: entry %lld "
              "does not come after the one before it", (long long)i);
  }
}

template <class I>
void checkCompressed(const THSTensor *self, bool byRows) {
  const THSMembers &members = *THSTensor_members(self);
  const Ref compressed(THTensor_newContiguous(members.indices)), plain(THTensor_newContiguous(members.plain));
  const int batch = compressed->ndim - 1;
  const int64_t lines = compressed->size[batch] - 1, nnz = plain->size[batch];
  const bool blocked = self->layout == TH_SPARSE_BSR || self->layout == TH_SPARSE_BSC;
  const int across = batch + (byRows ? 1 : 0);
  const int64_t block = blocked ? members.values->size[batch + 1 + (byRows ? 1 : 0)] : 1;
  const int64_t width = self->size[across] / block, matrices = compressed->numel / (lines + 1);
  const char *const compressedName = byRows ? "crow_indices" : "ccol_indices";
  const char *const plainName = byRows ? "col_indices" : "row_indices";
  const auto fail = [&](const std::string &what) { THError(TH_ERROR_RUNTIME, "%s", what.c_str()); };
  for (int64_t m = 0; m < matrices; m++) {
    const I *const begin = elements<I>(compressed) + m * (lines + 1);
    const I *const place = elements<I>(plain) + m * nnz;
    if (begin[0] != 0) fail(std::string("`") + compressedName + "[..., 0] == 0` is not satisfied.");
    if (begin[lines] != nnz) fail(std::string("`") + compressedName + "[..., -1] == nnz` is not satisfied.");
    for (int64_t r = 0; r < lines; r++) {
      const int64_t count = int64_t(begin[r + 1]) - begin[r];
      if (count < 0 || count > width)
        fail("`0 <= " + std::string(compressedName) + "[..., 1:] - " + compressedName + "[..., :-1] <= " +
             (byRows ? "ncols" : "nrows") + "` is not satisfied.");
      for (int64_t i = begin[r]; i < begin[r + 1]; i++) {
        if (place[i] < 0 || place[i] >= width)
          fail("`0 <= " + std::string(plainName) + " < " + (byRows ? "ncols" : "nrows") + "` is not satisfied.");
        if (i > begin[r] && place[i - 1] >= place[i])
          fail("`" + std::string(plainName) + "[..., " + compressedName + "[..., i - 1]:" + compressedName +
               "[..., i]] for all i = 1, ..., " + (byRows ? "nrows" : "ncols") +
               " are sorted and distinct along the last dimension values` is not satisfied.");
      }
    }
  }
}

}  // namespace
}  // namespace th

using namespace th;

void THSTensor_checkInvariants(const THSTensor *self) {
  if (self->layout == TH_STRIDED) return;
  const THSMembers &members = *THSTensor_members(self);
  if (!hasMemory(members.values)) return;
  if (self->layout == TH_SPARSE_COO) return checkCoordinates(self);
  const bool byRows = self->layout == TH_SPARSE_CSR || self->layout == TH_SPARSE_BSR;
  if (dtypeOf(members.indices) == TH_Int)
    checkCompressed<int32_t>(self, byRows);
  else
    checkCompressed<int64_t>(self, byRows);
}
