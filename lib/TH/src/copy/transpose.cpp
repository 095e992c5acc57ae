// Copies where source and result run along different dimensions: by small squares that are turned in registers.
#include "transpose.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "kit/indexing.hpp"
#include "kit/parallel.hpp"
#include "kit/vectors.hpp"

namespace th {
namespace {

// 16 bytes of elements; a square has as many rows as elements fit.
template <class T> struct Square {
  static constexpr int side = 16 / sizeof(T);
  using Vector = VectorOf<T, 16>;

  static void interleave(Vector a, Vector b, Vector &low, Vector &high) {
    if constexpr (side == 2) {
      low = __builtin_shufflevector(a, b, 0, 2);
      high = __builtin_shufflevector(a, b, 1, 3);
    } else if constexpr (side == 4) {
      low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    } else if constexpr (side == 8) {
      low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    } else {
      low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      high = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
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

// A tile goes by a block of the stack, which lies in the first cache: rows of the source are read, and rows of the
// result are written, whole lines at a time. Turned straight into the result, a power of two between its rows
// would put a tile's lines into the same few sets of the cache, and each would leave it half written.
template <class T> constexpr int64_t kTile = sizeof(T) < 4 ? 64 : 32;

// A result that the second cache cannot hold is written past the caches, where a row of a tile is whole lines: a line
// that is overwritten as a whole need not be read before.
constexpr int64_t kPastCaches = int64_t(4) << 20;  // bytes

template <class T>
void writeRow(T *to, const T *row, int64_t n, [[maybe_unused]] bool pastCaches) {
#ifdef __SSE2__
  if (pastCaches && n == kTile<T> && reinterpret_cast<uintptr_t>(to) % 64 == 0) {
    for (int64_t i = 0; i < n; i += 16 / int64_t(sizeof(T)))
      _mm_stream_si128(reinterpret_cast<__m128i *>(to + i), *reinterpret_cast<const __m128i *>(row + i));
    return;
  }
#endif
  if (n == kTile<T>)
    std::memcpy(to, row, kTile<T> * sizeof(T));
  else
    std::memcpy(to, row, size_t(n) * sizeof(T));
}

// One matrix: `m` rows of `n` in the result, `n` of `m` in the source.
struct Turn {
  int64_t m, n, toStride, fromStride;
};

// Rows of n elements, `stride` apart, are about to be read or, `forWriting`, written. They lie in pages of their own,
// where the processor does not look ahead: each line would be waited for.
template <bool forWriting, class T>
void prefetchRows(const T *first, int64_t stride, int64_t rows, int64_t n) {
  constexpr int64_t line = 64 / sizeof(T);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < n + line - 1; j += line)
      __builtin_prefetch(first + i * stride + std::min(j, n - 1), forWriting);
}

template <class T>
void turnStrip(T *to, const T *from, const Turn &turn, int64_t rows, bool pastCaches) {
  constexpr int64_t tile = kTile<T>, line = tile + 16 / sizeof(T);
  alignas(64) T block[tile * line];
  for (int64_t j = 0; j < turn.n; j += tile) {
    const int64_t n = std::min(tile, turn.n - j);
    if (const int64_t next = std::min(tile, turn.n - j - n))
      prefetchRows<false>(from + (j + n) * turn.fromStride, turn.fromStride, next, rows);
    if (!pastCaches) prefetchRows<true>(to + j, turn.toStride, rows, n);
    turnBlock(block, line, from + j * turn.fromStride, turn.fromStride, rows, n);
    for (int64_t i = 0; i < rows; i++) writeRow(to + i * turn.toStride + j, block + i * line, n, pastCaches);
  }
}

template <class T>
void copyTurned(THTensor *r, const THTensor *t, const Offsets &to, const Offsets &from, const Turn &turn) {
  constexpr int64_t tile = kTile<T>;
  const int64_t strips = (turn.m + tile - 1) / tile;
  const bool pastCaches = r->numel * int64_t(sizeof(T)) >= kPastCaches;
  parallelFor(to.count() * strips, std::max<int64_t>(1, kGrain / (tile * turn.n)), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; s++) {
      const int64_t matrix = s / strips, i = s % strips * tile;
      turnStrip(elements<T>(r) + to(matrix) + i * turn.toStride, elements<T>(t) + from(matrix) + i, turn,
                std::min(tile, turn.m - i), pastCaches);
    }
#ifdef __SSE2__
    if (pastCaches) _mm_sfence();
#endif
  });
}

// Dimensions of both tensors, those that one stride reaches through in both taken together.
struct Shape {
  int ndim = 0;
  int64_t size[TH_MAX_DIM], to[TH_MAX_DIM], from[TH_MAX_DIM];

  Shape(const THTensor *r, const THTensor *t) {
    int order[TH_MAX_DIM];
    strideOrder(r->ndim, r->size, 1, &r->stride, order);
    for (int i = r->ndim - 1; i >= 0; i--) {  // from the outermost
      const int d = order[i];
      if (r->size[d] == 1) continue;
      const int last = ndim - 1;
      if (ndim && to[last] == r->size[d] * r->stride[d] && from[last] == r->size[d] * t->stride[d]) {
        size[last] *= r->size[d];
      } else {
        size[ndim++] = r->size[d];
      }
      to[ndim - 1] = r->stride[d];
      from[ndim - 1] = t->stride[d];
    }
  }
};

}  // namespace

bool copyTransposed(THTensor *r, const THTensor *t) {
  constexpr int64_t least = 16;
  if (r->numel < (1 << 12) || r->dtype != t->dtype || r->storage == t->storage || !isDense(r) || !hasMemory(r) ||
      !sameShape(t->ndim, t->size, r))
    return false;
  const Shape shape(r, t);
  int across = -1, along = -1;  // the dimensions in which t and r step by one
  for (int d = 0; d < shape.ndim; d++) {
    if (shape.from[d] == 1 && shape.size[d] >= least) across = d;
    if (shape.to[d] == 1 && shape.size[d] >= least) along = d;
  }
  if (across < 0 || along < 0 || across == along || shape.from[along] == 0) return false;
  Offsets to, from;
  for (int d = 0; d < shape.ndim; d++)
    if (d != across && d != along) to.add(shape.size[d], shape.to[d]), from.add(shape.size[d], shape.from[d]);
  const Turn turn{shape.size[across], shape.size[along], shape.to[across], shape.from[along]};
  switch (elementSize(dtypeOf(r))) {
    case 1: copyTurned<uint8_t>(r, t, to, from, turn); return true;
    case 2: copyTurned<uint16_t>(r, t, to, from, turn); return true;
    case 4: copyTurned<uint32_t>(r, t, to, from, turn); return true;
    case 8: copyTurned<uint64_t>(r, t, to, from, turn); return true;
    default: return false;
  }
}

}  // namespace th
