// Copies where source and result run along different dimensions: by small squares that are turned in registers.
#include "transpose.hpp"

#include <algorithm>
#include <cstring>

#include "kit/indexing.hpp"
#include "kit/parallel.hpp"

namespace th {
namespace {

// 16 bytes of elements; a square has as many rows as elements fit.
template <class T> struct Square {
  static constexpr int side = 16 / sizeof(T);
  typedef T Vector __attribute__((vector_size(16)));

  static void interleave(Vector a, Vector b, Vector &low, Vector &high) {
    if constexpr (side == 2) {
      low = __builtin_shufflevector(a, b, 0, 2);
      high = __builtin_shufflevector(a, b, 1, 3);
    } else if constexpr (side == 4) {
      low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    } else {
      low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
  }

  // to[i * toStride + j] = from[j * fromStride + i]. Rows are dealt into each other until columns come out.
  static void turn(T *to, int64_t toStride, const T *from, int64_t fromStride) {
    Vector rows[side], dealt[side];
    for (int j = 0; j < side; j++) std::memcpy(&rows[j], from + j * fromStride, 16);
    for (int step = 1; step < side; step *= 2) {
      for (int j = 0; j < side / 2; j++) interleave(rows[j], rows[j + side / 2], dealt[2 * j], dealt[2 * j + 1]);
      std::copy_n(dealt, side, rows);
    }
    for (int i = 0; i < side; i++) std::memcpy(to + i * toStride, &rows[i], 16);
  }
};

// The same for m (i) by n (j) elements.
template <class T>
void turnBlock(T *to, int64_t toStride, const T *from, int64_t fromStride, int64_t m, int64_t n) {
  constexpr int64_t side = Square<T>::side;
  const int64_t wholeM = m / side * side, wholeN = n / side * side;
  for (int64_t j = 0; j < wholeN; j += side)
    for (int64_t i = 0; i < wholeM; i += side)
      Square<T>::turn(to + i * toStride + j, toStride, from + j * fromStride + i, fromStride);
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = i < wholeM ? wholeN : 0; j < n; j++) to[i * toStride + j] = from[j * fromStride + i];
}

// Some lines of the cache for each: what is read and written once stays until its neighbours are.
constexpr int64_t kAcross = 32, kAlong = 64;

template <class T>
void copyTurned(THTensor *r, const THTensor *t, int across, int along) {
  Offsets to, from;
  for (int d = 0; d < r->ndim; d++)
    if (d != across && d != along) to.add(r->size[d], r->stride[d]), from.add(t->size[d], t->stride[d]);
  const int64_t m = r->size[across], n = r->size[along], strips = (m + kAcross - 1) / kAcross;
  const int64_t toStride = r->stride[across], fromStride = t->stride[along];
  parallelFor(to.count() * strips, std::max<int64_t>(1, kGrain / (kAcross * n)), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; s++) {
      const int64_t matrix = s / strips, i = s % strips * kAcross;
      T *const out = elements<T>(r) + to(matrix) + i * toStride;
      const T *const in = elements<T>(t) + from(matrix) + i;
      for (int64_t j = 0; j < n; j += kAlong)
        turnBlock(out + j, toStride, in + j * fromStride, fromStride, std::min(kAcross, m - i),
                  std::min(kAlong, n - j));
    }
  });
}

}  // namespace

bool copyTransposed(THTensor *r, const THTensor *t) {
  constexpr int64_t least = 16;
  if (r->numel < (1 << 14) || r->dtype != t->dtype || r->storage == t->storage || !isDense(r) ||
      !sameShape(t->ndim, t->size, r))
    return false;
  int across = -1, along = -1;  // the dimensions in which t and r step by one
  for (int d = 0; d < r->ndim; d++) {
    if (t->stride[d] == 1 && t->size[d] >= least) across = d;
    if (r->stride[d] == 1 && r->size[d] >= least) along = d;
  }
  if (across < 0 || along < 0 || across == along || t->stride[along] == 0) return false;
  switch (elementSize(dtypeOf(r))) {
    case 2: copyTurned<uint16_t>(r, t, across, along); return true;
    case 4: copyTurned<uint32_t>(r, t, across, along); return true;
    case 8: copyTurned<uint64_t>(r, t, across, along); return true;
    default: return false;
  }
}

}  // namespace th
