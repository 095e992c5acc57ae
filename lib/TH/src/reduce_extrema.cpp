// Largest and smallest elements, with and without their places; any and all, which are the largest
// and the smallest truth value.
#include "simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce_extrema.cpp"
#include <hwy/foreach_target.h>
#include "reduce-inl.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> constexpr T lowest = std::numeric_limits<T>::lowest();
template <> constexpr float lowest<float> = -std::numeric_limits<float>::infinity();
template <> constexpr double lowest<double> = -std::numeric_limits<double>::infinity();
template <class T> constexpr T highest = std::numeric_limits<T>::max();
template <> constexpr float highest<float> = std::numeric_limits<float>::infinity();
template <> constexpr double highest<double> = std::numeric_limits<double>::infinity();

// a where it is NaN or wins; b also if it is NaN, because no comparison with NaN holds.
template <class T> struct Max {
  static constexpr T identity = lowest<T>;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = ((a != a) | (a >= b)) ? a : b; }
};
template <class T> struct Min {
  static constexpr T identity = highest<T>;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = ((a != a) | (a <= b)) ? a : b; }
};

template <template <class> class Op>
constexpr ReductionTable table() {
  constexpr Reduction single = makeReduction<Op, float, TH_Float>();
  return {{makeReduction<Op, uint8_t, TH_Bool>(), makeReduction<Op, uint8_t, TH_Byte>(),
           makeReduction<Op, int8_t, TH_Char>(), makeReduction<Op, int16_t, TH_Short>(),
           makeReduction<Op, int32_t, TH_Int>(), makeReduction<Op, int64_t, TH_Long>(), single, single, single,
           makeReduction<Op, double, TH_Double>()}};
}
constexpr ReductionTable max = table<Max>();
constexpr ReductionTable min = table<Min>();

void finishTruth(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t) {
  for (int64_t j = 0; j < w; j++) out[0][j * strides[0]] = static_cast<const uint8_t *>(states)[j] != 0;
}
constexpr Reduction any = makeReduction<Max, uint8_t, TH_Bool>(finishTruth);
constexpr Reduction all = makeReduction<Min, uint8_t, TH_Bool>(finishTruth);  // of nothing: 255

// ---- with places ----------------------------------------------------------------------------------

template <class T>
struct Place {
  T value;
  int64_t index;  // -1: nothing yet
};

// Is b, which comes later, to be taken instead of a? The first of equals stays, and the first NaN.
template <template <class> class Op, class T>
HWY_INLINE bool beats(const T &b, const T &a) {
  T c = a;
  Op<T>::take(c, b);
  return a == a && !(c == a);
}

template <template <class> class Op, class T>
void startPlaces(void *states, int64_t w) {
  for (int64_t j = 0; j < w; j++) static_cast<Place<T> *>(states)[j] = {Op<T>::identity, -1};
}

// First the value, by vectors; then where it stands.
template <template <class> class Op, class T>
void runPlace(void *state, const void *data, int64_t n, int64_t first) {
  auto *x = static_cast<const T *>(data);
  const T value = reduceRun<Op>(x, n);
  int64_t i = 0;
  if (value != value)
    while (x[i] == x[i]) i++;
  else
    while (!(x[i] == value)) i++;
  *static_cast<Place<T> *>(state) = {x[i], first + i};
}

template <template <class> class Op, class T>
void rowPlaces(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t first) {
  auto *s = static_cast<Place<T> *>(states);
  for (int64_t i = 0; i < rows; i++) {
    auto *row = reinterpret_cast<const T *>(static_cast<const char *>(x) + i * stride);
    for (int64_t j = 0; j < w; j++)
      if (s[j].index < 0 || beats<Op>(row[j], s[j].value)) s[j] = {row[j], first + i};
  }
}

template <template <class> class Op, class T>
void joinPlaces(void *a, const void *b, int64_t w) {
  auto *s = static_cast<Place<T> *>(a);
  auto *later = static_cast<const Place<T> *>(b);
  for (int64_t j = 0; j < w; j++)
    if (beats<Op>(later[j].value, s[j].value)) s[j] = later[j];
}

template <class T>
void finishPlaces(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t) {
  auto *s = static_cast<const Place<T> *>(states);
  for (int64_t j = 0; j < w; j++) {
    if (out[0]) *reinterpret_cast<T *>(out[0] + j * strides[0]) = s[j].value;
    *reinterpret_cast<int64_t *>(out[1] + j * strides[1]) = s[j].index;
  }
}

template <template <class> class Op, class T, THDtype dtype>
constexpr Reduction withPlace() {
  return {dtype,
          dtype,
          true,
          sizeof(Place<T>),
          startPlaces<Op, T>,
          runPlace<Op, T>,
          rowPlaces<Op, T>,
          joinPlaces<Op, T>,
          finishPlaces<T>};
}

template <template <class> class Op>
constexpr ReductionTable placeTable() {
  constexpr Reduction single = withPlace<Op, float, TH_Float>(), narrow = withPlace<Op, int32_t, TH_Int>();
  return {{withPlace<Op, uint8_t, TH_Bool>(), narrow, narrow, narrow, narrow, withPlace<Op, int64_t, TH_Long>(), single,
           single, single, withPlace<Op, double, TH_Double>()}};
}
constexpr ReductionTable maxPlace = placeTable<Max>();
constexpr ReductionTable minPlace = placeTable<Min>();

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorComplex.h>
#include <TH/THTensorMath.h>
#include "tensor.hpp"

using namespace th;

static void extremum(const char *name, const ReductionTable &table, THDtype dtype, THTensor *r, const THTensor *t,
                     uint64_t dims, bool keepdim) {
  checkNotEmpty(name, t, dims);
  reduce(table.of[dtype], dtype, r, nullptr, t, dims, keepdim);
}

// Any dtype is tested for not being zero as the computation's dtype.
static void truth(const Reduction &reduction, THDtype dtype, THTensor *r, const THTensor *t, uint64_t dims,
                  bool keepdim) {
  reduce(reduction, dtype, r, nullptr, t, dims, keepdim);
}

static void alongDim(const char *name, const ReductionTable &table, THDtype dtype, THTensor *values, THTensor *indices,
                     const THTensor *t, int dim, bool keepdim) {
  const uint64_t dims = uint64_t(1) << TH_wrapDim(dim, t->ndim);
  checkNotEmpty(name, t, dims);
  reduce(table.of[dtype], dtype, values, indices, t, dims, keepdim);
}

static void place(const char *name, const ReductionTable &table, THDtype dtype, THTensor *indices, const THTensor *t,
                  int dim, bool keepdim, bool flat) {
  if (!flat) return alongDim(name, table, dtype, nullptr, indices, t, dim, keepdim);
  if (!t->numel) THError(TH_ERROR_INDEX, "%s(): Expected reduction dim to be specified for input.numel() == 0.", name);
  reduce(table.of[dtype], dtype, nullptr, indices, t, TH_ALL_DIMS, keepdim);
}

bool th::allTrue(THDtype dtype, const THTensor *t) {
  Ref flag(THTensor_new(TH_Bool));
  truth(TH_BEST_TARGET(all), dtype, flag, t, TH_ALL_DIMS, false);
  return THTensor_item(flag).value.i;
}

#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
TH_DEFINE(amax, all, REDUCTION, extremum("amax", TH_BEST_TARGET(max), dtype, r, t, dims, keepdim))
TH_DEFINE(amin, all, REDUCTION, extremum("amin", TH_BEST_TARGET(min), dtype, r, t, dims, keepdim))
TH_DEFINE(any, all_complex, REDUCTION, truth(TH_BEST_TARGET(any), dtype, r, t, dims, keepdim))
TH_DEFINE(all, all_complex, REDUCTION, truth(TH_BEST_TARGET(all), dtype, r, t, dims, keepdim))

#define ALONG_DIM (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim)
TH_DEFINE(max, all, ALONG_DIM, alongDim("max", TH_BEST_TARGET(maxPlace), dtype, values, indices, t, dim, keepdim))
TH_DEFINE(min, all, ALONG_DIM, alongDim("min", TH_BEST_TARGET(minPlace), dtype, values, indices, t, dim, keepdim))

#define PLACE (THTensor *indices, const THTensor *t, int dim, bool keepdim, bool flat)
TH_DEFINE(argmax, all, PLACE, place("argmax", TH_BEST_TARGET(maxPlace), dtype, indices, t, dim, keepdim, flat))
TH_DEFINE(argmin, all, PLACE, place("argmin", TH_BEST_TARGET(minPlace), dtype, indices, t, dim, keepdim, flat))

bool THTensor_equal(const THTensor *a, const THTensor *b) {
  if (a->dtype != b->dtype)
    THError(TH_ERROR_RUNTIME, "Expected object of type %s but got type %s", TH_dtypeName(dtypeOf(a)),
            TH_dtypeName(dtypeOf(b)));
  if (!THTensor_isSameSizeAs(a, b)) return false;
  static constexpr void (*equal[])(THTensor *, const THTensor *, const THTensor *) = {
#define ROW(Name, type, kind, name, alias) TH##Name##Tensor_eqTensor,
      TH_DTYPES(ROW)
#undef ROW
  };
  Ref same(THTensor_new(TH_Bool));
  equal[a->dtype](same, a, b);
  return allTrue(TH_Bool, same);
}

#endif
