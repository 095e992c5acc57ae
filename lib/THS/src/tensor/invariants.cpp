// What indices must say: whether they are in bounds, and in order.
#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <THS/THSTensor.h>

#include "../kit/sparse.hpp"

namespace th {
namespace {

void checkCoordinates(const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  const ths::Places places(members.indices, self->size);
  if (!members.coalesced) return;
  for (int64_t i = 1; i < places.count(); i++)
    if (places[i - 1] >= places[i])
      THError(TH_ERROR_RUNTIME,
              "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor: entry %lld "
              "does not come after the one before it",
              (long long)i);
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
      if (count < 0 || count > width || begin[r + 1] > nnz)  // beyond nnz: it descends later
        fail("`0 <= " + std::string(compressedName) + "[..., 1:] - " + compressedName +
             "[..., :-1] <= " + (byRows ? "ncols" : "nrows") + "` is not satisfied.");
    }
    // Now no row ends behind the last entry.
    for (int64_t r = 0; r < lines; r++)
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

// Whether all of n numbers are in [0, limit): neither they nor what is left to the last one that fits have a sign. Without a
// comparison, so that it is as fast as memory on any processor.
template <class I>
bool allBelow(const I *at, int64_t n, int64_t limit) {
  using U = std::make_unsigned_t<I>;
  const U last = U(std::min<int64_t>(limit - 1, std::numeric_limits<I>::max()));
  std::atomic<bool> fits{true};
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    U signs = 0;
    for (int64_t i = begin; i < end; i++) signs |= U(at[i]) | U(last - U(at[i]));
    if (I(signs) < 0) fits = false;
  });
  return fits;
}

template <class I>
bool areBounded(const THTensor *begins, const THTensor *places, int64_t width) {
  const Ref compressed(ths::contiguous(begins)), plain(ths::contiguous(places));
  const int64_t lines = begins->size[begins->ndim - 1] - 1, nnz = places->size[places->ndim - 1];
  const int64_t matrices = lines >= 0 ? begins->numel / (lines + 1) : 0;
  bool fits = true;
  for (int64_t m = 0; m < matrices && fits; m++) {
    const I *const begin = elements<I>(compressed) + m * (lines + 1);
    fits = begin[0] == 0 && begin[lines] == nnz && std::is_sorted(begin, begin + lines + 1);
  }
  return fits && allBelow(elements<I>(plain), plain->numel, width);
}

std::atomic<bool> checking{false};

}  // namespace
}  // namespace th

using namespace th;

void THSTensor_checkBounds(const THSTensor *self) {
  if (self->layout == TH_STRIDED) return;
  THSMembers &members = *THSTensor_members(self);
  if (!isHere(members.values)) return;
  const uint32_t versions[] = {THTensor_version(members.indices), members.plain ? THTensor_version(members.plain) : 0};
  if (members.bounded && std::equal(versions, versions + 2, members.bounded_versions)) return;
  bool fits = true;
  if (self->layout == TH_SPARSE_COO) {
    const Ref indices(ths::contiguous(members.indices));
    const int64_t n = indices->size[1];
    for (int d = 0; d < members.sparse_dim; d++) {
      fits = fits && allBelow(elements<int64_t>(indices) + d * n, n, self->size[d]);
    }
  } else {
    const bool byRows = self->layout == TH_SPARSE_CSR || self->layout == TH_SPARSE_BSR;
    const bool blocked = self->layout == TH_SPARSE_BSR || self->layout == TH_SPARSE_BSC;
    const int batch = members.indices->ndim - 1, across = batch + (byRows ? 1 : 0);
    const int64_t width = self->size[across] / (blocked ? members.values->size[batch + 1 + (byRows ? 1 : 0)] : 1);
    fits = dtypeOf(members.plain) == TH_Int ? areBounded<int32_t>(members.indices, members.plain, width)
                                            : areBounded<int64_t>(members.indices, members.plain, width);
  }
  if (!fits) {
    THSTensor_checkInvariants(self);  // says what is wrong
    THError(TH_ERROR_RUNTIME, "indices of a sparse tensor of size %s are out of bounds", shapeString(self).c_str());
  }
  std::copy_n(versions, 2, members.bounded_versions);
  members.bounded = true;
}

void THSTensor_setChecking(bool on) { checking = on; }
bool THSTensor_isChecking(void) { return checking.load(std::memory_order_relaxed); }

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
