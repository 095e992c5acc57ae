// Largest and smallest elements with their places.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extrema/places.cpp"
#include <hwy/foreach_target.h>
#include "extrema-inl.hpp"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// w states are w indices (-1: nothing yet), then w values.
template <class T>
struct Places {
  int64_t *index;
  T *value;
  Places(void *states, int64_t w)
      : index(static_cast<int64_t *>(states)), value(reinterpret_cast<T *>(static_cast<int64_t *>(states) + w)) {}
  Places(const void *states, int64_t w) : Places(const_cast<void *>(states), w) {}
  static constexpr int64_t bytes = 8 + sizeof(T);
};

template <template <class> class Op, class T>
void startPlaces(void *states, int64_t w) {
  const Places<T> s(states, w);
  for (int64_t j = 0; j < w; j++) s.index[j] = -1, s.value[j] = Op<T>::identity;
}

template <class T> HWY_INLINE bool isEqual(T a, T b) { return a == b; }

// The first element that is `value`, which is among them.
template <class T>
int64_t findPlace(const T *x, int64_t n, T value) {
  using V = Register<T>;
  constexpr int64_t step = 4 * sizeof(V) / sizeof(T);
  int64_t i = 0;
  if (!isEqual(value, value)) {
    while (i < n && isEqual(x[i], x[i])) i++;
    return i;
  }
  for (; i + step <= n; i += step) {
    auto *v = reinterpret_cast<const V *>(x + i);
    const auto hits = (v[0] == value) | (v[1] == value) | (v[2] == value) | (v[3] == value);
    uint64_t words[sizeof hits / 8], any = 0;
    std::memcpy(words, &hits, sizeof words);
    for (const uint64_t word : words) any |= word;
    if (any) break;
  }
  while (i < n && !(x[i] == value)) i++;
  return i;
}

// First the value, by vectors; then where it stands.
template <template <class> class Op, class T>
void runPlaces(void *states, const void *data, int64_t stride, int64_t w, int64_t n, int64_t first) {
  const Places<T> s(states, w);
  for (int64_t j = 0; j < w; j++) {
    auto *x = rowOf<T>(data, stride, j);
    const int64_t at = findPlace(x, n, reduceRun<Op>(x, n));
    s.value[j] = x[at];
    s.index[j] = first + at;
  }
}

template <template <class> class Op, class T>
void takePlaces(const Places<T> &s, const T *value, const int64_t *index, int64_t w) {
#pragma GCC ivdep
  for (int64_t j = 0; j < w; j++) {
    const bool b = (s.index[j] < 0) | Op<T>::beats(value[j], s.value[j]);
    s.value[j] = b ? value[j] : s.value[j];
    s.index[j] = b ? index[j] : s.index[j];
  }
}

// Inside of a block, row numbers are as wide as the elements, so that both fit the same vectors.
template <class T> struct Row {
  using Type = std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
};

// best[j] and at[j] = the best of themselves and elements j of rows first, first + 1, …
template <template <class> class Op, class T, class R, class... Rows>
HWY_INLINE void takeRowPlaces(T *best, R *at, int64_t n, R first, Rows... row) {
  // SSE2 compares no 64-bit integers. Highway before 1.0.4 has no such target.
#ifdef HWY_SSE2
  constexpr bool plain = HWY_TARGET == HWY_SSE2 && std::is_same_v<T, int64_t>;
#else
  constexpr bool plain = false;
#endif
  using V = std::conditional_t<plain, T, Register<T>>;
  using P = std::conditional_t<plain, R, Register<R>>;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    V value = *reinterpret_cast<V *>(best + j);
    P place = *reinterpret_cast<P *>(at + j);
    P k = P{} + first;
    ((Op<T>::better(value, place, *reinterpret_cast<const V *>(row + j), k), k += 1), ...);
    *reinterpret_cast<V *>(best + j) = value;
    *reinterpret_cast<P *>(at + j) = place;
  }
  for (; j < n; j++) {
    R k = first;
    (Op<T>::better(best[j], at[j], row[j], k++), ...);
  }
}

template <template <class> class Op, class T>
void rowPlaces(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t first) {
  using R = typename Row<T>::Type;
  constexpr int64_t tile = 512;
  const Places<T> s(states, w);
  for (int64_t from = 0; from < w; from += tile) {
    const int64_t n = std::min(tile, w - from);
    auto *top = static_cast<const T *>(x) + from;
    alignas(32) T best[tile];
    alignas(32) R at[tile];
    int64_t index[tile];
    std::copy_n(top, n, best);
    std::fill_n(at, n, R(0));
    forRows<T>(top, stride, rows, [&](int64_t i, auto... row) { takeRowPlaces<Op>(best, at, n, R(i), row...); });
    for (int64_t j = 0; j < n; j++) index[j] = first + at[j];
    Places<T> part = s;
    part.index += from;
    part.value += from;
    takePlaces<Op, T>(part, best, index, n);
  }
}

template <template <class> class Op, class T>
void joinPlaces(void *a, const void *b, int64_t w) {
  const Places<T> later(b, w);
  takePlaces<Op, T>(Places<T>(a, w), later.value, later.index, w);
}

template <class T>
void finishPlaces(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t, double) {
  const Places<T> s(states, w);
  for (int64_t j = 0; j < w; j++) {
    if (out[0]) *reinterpret_cast<T *>(out[0] + j * strides[0]) = s.value[j];
    *reinterpret_cast<int64_t *>(out[1] + j * strides[1]) = s.index[j];
  }
}

template <template <class> class Op, class T, THDtype dtype>
constexpr Reduction withPlace() {
  return {dtype,
          dtype,
          true,
          Places<T>::bytes,
          startPlaces<Op, T>,
          runPlaces<Op, T>,
          rowPlaces<Op, T>,
          joinPlaces<Op, T>,
          finishPlaces<T>};
}

template <template <class> class Op>
constexpr ReductionTable placeTable() {
  ReductionTable table = floatingTable(withPlace<Op, float, TH_Float>(), withPlace<Op, double, TH_Double>());
  table.of[TH_Bool] = withPlace<Op, uint8_t, TH_Bool>();
  for (const THDtype dtype : {TH_Byte, TH_Char, TH_Short, TH_Int}) table.of[dtype] = withPlace<Op, int32_t, TH_Int>();
  table.of[TH_Long] = withPlace<Op, int64_t, TH_Long>();
  return table;
}
constexpr ReductionTable maxPlace = placeTable<Max>();
constexpr ReductionTable minPlace = placeTable<Min>();

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THPrepare.h>
#include "kit/tensor.hpp"

using namespace th;

uint64_t THPrepare_extremum(const char *name, const THTensor *t, int dim, bool flat) {
  if (flat && !t->numel)
    THError(TH_ERROR_INDEX, "%s(): Expected reduction dim to be specified for input.numel() == 0.", name);
  if (flat) return TH_ALL_DIMS;
  const uint64_t dims = uint64_t(1) << TH_wrapDim(dim, t->ndim);
  checkNotEmpty(name, t, dims);
  return dims;
}

static void alongDim(const char *name, const ReductionTable &table, THDtype dtype, THTensor *values, THTensor *indices,
                     const THTensor *t, int dim, bool keepdim) {
  const uint64_t dims = THPrepare_extremum(name, t, dim, false);
  reduce(table.of[dtype], dtype, values, indices, t, dims, keepdim);
}

static void place(const char *name, const ReductionTable &table, THDtype dtype, THTensor *indices, const THTensor *t,
                  int dim, bool keepdim, bool flat) {
  const uint64_t dims = THPrepare_extremum(name, t, dim, flat);
  reduce(table.of[dtype], dtype, nullptr, indices, t, dims, keepdim);
}

#define ALONG_DIM (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim)
TH_DEFINE(max, all, ALONG_DIM, alongDim("max", TH_BEST_TARGET(maxPlace), dtype, values, indices, t, dim, keepdim))
TH_DEFINE(min, all, ALONG_DIM, alongDim("min", TH_BEST_TARGET(minPlace), dtype, values, indices, t, dim, keepdim))

#define PLACE (THTensor *indices, const THTensor *t, int dim, bool keepdim, bool flat)
TH_DEFINE(argmax, all, PLACE, place("argmax", TH_BEST_TARGET(maxPlace), dtype, indices, t, dim, keepdim, flat))
TH_DEFINE(argmin, all, PLACE, place("argmin", TH_BEST_TARGET(minPlace), dtype, indices, t, dim, keepdim, flat))

#endif
