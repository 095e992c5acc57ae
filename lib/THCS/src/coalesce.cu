// Coordinates in ascending order, each once; and the sum of two such tensors.
#include "sparse.cuh"

namespace thcs {
namespace {

// Entries of one place are added up by one thread for each element, in their order.
template <class T>
struct AddRun {
  Byte<T> *to;
  const T *from;
  int64_t block;
  const int64_t *first, *order;

  __device__ void operator()(int64_t i) const {
    const int64_t run = i / block, at = i - run * block, begin = first[run], end = first[run + 1];
    const Byte<T> *const bits = reinterpret_cast<const Byte<T> *>(from);
    if (end - begin == 1) {
      to[i] = bits[order[begin] * block + at];
      return;
    }
    Arithmetic<T> sum = valueAt(from + order[begin] * block + at);
    for (int64_t k = begin + 1; k < end; k++) sum = sumOf<T>(sum, valueAt(from + order[k] * block + at));
    to[i] = resultOf<T>(sum);
  }
};

struct WritePlace {
  PlaceWriter place;
  const int64_t *keys, *first;
  __device__ void operator()(int64_t run) const { place.write(keys[first[run]], run); }
};

template <class T>
void coalesce(THTensor *indices, THTensor *values, const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  requireOneDevice({indices, values}, {members.indices, members.values});
  const OnDevice on(values);
  requireBounds(self);
  const Ref from = contiguousAs(th::DtypeOf<T>::value, members.values, values);
  const Places places(members.indices, self->size, on);
  const Sorted sorted(places.data(), places.count(), places.limit(), on);
  const Runs runs(sorted.keys(), places.count(), on);
  const int ndim = members.sparse_dim;
  const int64_t block = blockOf(from);
  shapeLike(values, runs.count(), from);
  shape(indices, {ndim, runs.count()});
  each(runs.count() * block, on,
       AddRun<T>{thc::elements<Byte<T>>(values), thc::elements<const T>(from), block, runs.first(), sorted.order()});
  each(runs.count(), on,
       WritePlace{PlaceWriter(thc::elements<int64_t>(indices), runs.count(), ndim, self->size), sorted.keys(),
                  runs.first()});
}

// ---- the union of two ascending lists: where each entry of it comes from, -1 where it is not ------------------------
struct IsNew {  // of b, whether a has not that place
  int64_t *fresh;
  const int64_t *a, *b;
  int64_t n;
  __device__ void operator()(int64_t j) const {
    const int64_t at = countLess(a, n, b[j]);
    fresh[j] = at == n || a[at] != b[j];
  }
};
struct PlaceFirst {
  int64_t *from;
  const int64_t *a, *b, *before;  // new ones of b before each
  int64_t n;                      // of b
  __device__ void operator()(int64_t i) const { from[i + before[countLess(b, n, a[i])]] = i; }
};
struct PlaceSecond {
  int64_t *from;
  const int64_t *a, *b, *before;
  int64_t n;  // of a
  __device__ void operator()(int64_t j) const { from[countLess(a, n, b[j]) + before[j]] = j; }
};

template <class T>
struct Union {
  using A = Arithmetic<T>;
  Byte<T> *to;
  const T *x, *y;
  const int64_t *ofX, *ofY;
  int64_t block;
  A factor;

  __device__ void operator()(int64_t at) const {
    const int64_t k = at / block, d = at - k * block, i = ofX[k], j = ofY[k];
    if constexpr (std::is_same_v<T, bool>) {
      to[at] = (i >= 0 && valueAt(x + i * block + d)) || (j >= 0 && factor && valueAt(y + j * block + d));
    } else {
      const A first = i < 0 ? A(0) : valueAt(x + i * block + d);
      const A second = j < 0 ? A(0) : A(factor * valueAt(y + j * block + d));
      to[at] = resultOf<T>(i < 0 ? second : j < 0 ? first : A(first + second));
    }
  }
};
struct WriteUnion {
  PlaceWriter place;
  const int64_t *a, *b, *ofA, *ofB;
  __device__ void operator()(int64_t k) const { place.write(ofA[k] >= 0 ? a[ofA[k]] : ofB[k] >= 0 ? b[ofB[k]] : 0, k); }
};

template <class T>
void cadd(THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THSMembers &mine = *THSTensor_members(self), &theirs = *THSTensor_members(other);
  requireOneDevice({indices, values}, {mine.indices, mine.values, theirs.indices, theirs.values});
  const OnDevice on(values);
  const Arithmetic<T> factor = factorOf<T>(alpha);
  requireBounds(self);
  requireBounds(other);
  const Ref x = contiguousAs(dtype, mine.values, values), y = contiguousAs(dtype, theirs.values, values);
  const Places a(mine.indices, self->size, on), b(theirs.indices, self->size, on);
  const Workspace memory(size_t(b.count() + 1) * sizeof(int64_t), on.index);
  int64_t *const before = memory.as<int64_t>();
  each(b.count(), on, IsNew{before, a.data(), b.data(), a.count()});
  sumsBefore(before, before, b.count(), on);
  const int64_t n = a.count() + readBack(before + b.count(), on.stream, on.index);
  const Workspace origins(2 * size_t(n) * sizeof(int64_t), on.index);
  int64_t *const ofA = origins.as<int64_t>(), *const ofB = ofA + n;
  if (n) THC_CHECK(cudaMemsetAsync(ofA, 0xff, 2 * size_t(n) * sizeof(int64_t), on.stream));
  each(a.count(), on, PlaceFirst{ofA, a.data(), b.data(), before, b.count()});
  each(b.count(), on, PlaceSecond{ofB, a.data(), b.data(), before, a.count()});
  const int ndim = mine.sparse_dim;
  const int64_t block = blockOf(x);
  shapeLike(values, n, x);
  shape(indices, {ndim, n});
  each(n * block, on,
       Union<T>{thc::elements<Byte<T>>(values), thc::elements<const T>(x), thc::elements<const T>(y), ofA, ofB, block,
                factor});
  each(n, on,
       WriteUnion{PlaceWriter(thc::elements<int64_t>(indices), n, ndim, self->size), a.data(), b.data(), ofA, ofB});
}

}  // namespace
}  // namespace thcs

THCS_DEFINE(coalesce, all_complex, (THTensor *indices, THTensor *values, const THSTensor *self),
            thcs::coalesce<T>(indices, values, self))
THCS_DEFINE(cadd, all_complex,
            (THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other),
            thcs::cadd<T>(indices, values, self, alpha, other))
