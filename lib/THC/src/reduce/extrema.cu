// Largest and smallest elements, with and without their places.
#include <THC/THCTensorReduce.h>
#include "kit/define.cuh"
#include "reduce/extremum.cuh"

namespace thc {
namespace {

// With the number of the first extreme element; the first NaN wins.
template <class C>
struct Place {
  using In = C;
  struct State {
    C value;
    int64_t index;  // -1: nothing yet
  };
  static constexpr bool ordered = true, vectors = true;
  bool greatest;

  __device__ State identity() const { return {C(0), -1}; }
  __device__ void take(State &s, C x, int64_t i) const {
    if (s.index < 0 || beats(x, s.value, greatest)) s = {x, i};
  }
  __device__ void join(State &a, const State &b) const {
    if (b.index < 0) return;
    if (a.index < 0 || beats(b.value, a.value, greatest) || (b.index < a.index && !beats(a.value, b.value, greatest)))
      a = b;
  }
  __device__ C value(const State &s, int64_t) const { return s.value; }
  __device__ int64_t second(const State &s, int64_t) const { return s.index; }
};

template <class T>
void extremum(const char *name, bool greatest, THTensor *r, const THTensor *t, uint64_t dims, bool keepdim) {
  reduceReal<Extremum, T>(name, r, nullptr, t, dims, keepdim, greatest, false);
}

template <class T>
void alongDim(const char *name, bool greatest, THTensor *values, THTensor *indices, const THTensor *t, int dim,
              bool keepdim) {
  const uint64_t dims = THPrepare_extremum(name, t, dim, false);
  reduceReal<Place, T>(nullptr, values, indices, t, dims, keepdim, greatest);
}

template <class T>
void place(const char *name, bool greatest, THTensor *indices, const THTensor *t, int dim, bool keepdim, bool flat) {
  const uint64_t dims = THPrepare_extremum(name, t, dim, flat);
  reduceReal<Place, T>(nullptr, nullptr, indices, t, dims, keepdim, greatest);
}

}  // namespace
}  // namespace thc

#define REDUCTION (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim)
THC_DEFINE(amax, all, REDUCTION, thc::extremum<T>("amax", true, r, t, dims, keepdim))
THC_DEFINE(amin, all, REDUCTION, thc::extremum<T>("amin", false, r, t, dims, keepdim))

#define ALONG_DIM (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim)
THC_DEFINE(max, all, ALONG_DIM, thc::alongDim<T>("max", true, values, indices, t, dim, keepdim))
THC_DEFINE(min, all, ALONG_DIM, thc::alongDim<T>("min", false, values, indices, t, dim, keepdim))

#define PLACE (THTensor *indices, const THTensor *t, int dim, bool keepdim, bool flat)
THC_DEFINE(argmax, all, PLACE, thc::place<T>("argmax", true, indices, t, dim, keepdim, flat))
THC_DEFINE(argmin, all, PLACE, thc::place<T>("argmin", false, indices, t, dim, keepdim, flat))
