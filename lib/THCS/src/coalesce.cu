// Coordinates in ascending order, each once; and the sum of two such tensors.
#include <algorithm>

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
  requireOneDevice({indices, values, members.indices, members.values}, {});
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

// ---- the union of two lists: for each entry of it which ones of both it is made of, -1 where there is none ----------
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
  int64_t *origins;
  const int64_t *a, *b, *before;  // new ones of b before each
  int64_t n;                      // of b
  __device__ void operator()(int64_t i) const { origins[2 * (i + before[countLess(b, n, a[i])])] = i; }
};
struct PlaceSecond {
  int64_t *origins;
  const int64_t *a, *b, *before;
  int64_t n;  // of a
  __device__ void operator()(int64_t j) const { origins[2 * (countLess(a, n, b[j]) + before[j]) + 1] = j; }
};

// Of ascending ones.
Ref originsOf(const Places &a, const Places &b, const THTensor *like, const OnDevice &on) {
  const Workspace memory(size_t(b.count() + 1) * sizeof(int64_t), on.index);
  int64_t *const before = memory.as<int64_t>();
  each(b.count(), on, IsNew{before, a.data(), b.data(), a.count()});
  sumsBefore(before, before, b.count(), on);
  const int64_t size[] = {a.count() + readBack(before + b.count(), on.stream, on.index), 2};
  Ref made(THTensor_newWithSizeOn(like->storage->device, TH_Long, 2, size));
  int64_t *const origins = thc::elements<int64_t>(made);
  if (size[0]) THC_CHECK(cudaMemsetAsync(origins, 0xff, 2 * size_t(size[0]) * sizeof(int64_t), on.stream));
  each(a.count(), on, PlaceFirst{origins, a.data(), b.data(), before, b.count()});
  each(b.count(), on, PlaceSecond{origins, a.data(), b.data(), before, a.count()});
  return made;
}

// Of those in any order: what comes next depends on all before, so that THS says it, of numbers of entries on the host.
Ref originsOf(const THSTensor *self, const THSTensor *other) {
  const int ndim = THSTensor_members(self)->sparse_dim;
  int64_t size[TH_MAX_DIM];
  std::copy_n(self->size, ndim, size);
  size[ndim] = 2;
  const auto numbered = [&](const THSTensor *t, int column) {
    const Ref indices = toHost(THSTensor_members(t)->indices);
    const int64_t n = indices->size[1], shape[] = {n, 2};
    const Ref numbers(THTensor_newWithSize(TH_Long, 2, shape));
    THTensor_zero(numbers);
    for (int64_t i = 0; i < n; i++) static_cast<int64_t *>(THTensor_data(numbers))[2 * i + column] = i + 1;
    return Ref(THSTensor_newWithTensorAndSize(indices, numbers, ndim + 1, size, false));
  };
  const Ref a = numbered(self, 0), b = numbered(other, 1), indices(THTensor_new(TH_Long)), found(THTensor_new(TH_Long));
  THSLongTensor_cadd(indices, found, a, {TH_KIND_int, {.i = 1}, 0}, b);
  for (int64_t i = 0; i < found->numel; i++) static_cast<int64_t *>(THTensor_data(found))[i]--;
  return toDevice(found, self->storage->device);
}

template <class T>
struct Union {
  using A = Arithmetic<T>;
  Byte<T> *to;
  const T *x, *y;
  const int64_t *origins;
  int64_t block;
  A factor;

  __device__ void operator()(int64_t at) const {
    const int64_t k = at / block, d = at - k * block, i = origins[2 * k], j = origins[2 * k + 1];
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
  const int64_t *a, *b, *origins;
  __device__ void operator()(int64_t k) const {
    const int64_t i = origins[2 * k], j = origins[2 * k + 1];
    place.write(i >= 0 ? a[i] : j >= 0 ? b[j] : 0, k);
  }
};

template <class T>
void cadd(THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THSMembers &mine = *THSTensor_members(self), &theirs = *THSTensor_members(other);
  requireOneDevice({indices, values, mine.indices, mine.values, theirs.indices, theirs.values}, {});
  const OnDevice on(values);
  const Arithmetic<T> factor = factorOf<T>(alpha);
  requireBounds(self);
  requireBounds(other);
  const Ref x = contiguousAs(dtype, mine.values, values), y = contiguousAs(dtype, theirs.values, values);
  const Places a(mine.indices, self->size, on), b(theirs.indices, self->size, on);
  const Ref origins = mine.coalesced && theirs.coalesced ? originsOf(a, b, values, on) : originsOf(self, other);
  const int64_t *const of = thc::elements<const int64_t>(origins), n = origins->size[0];
  const int ndim = mine.sparse_dim;
  const int64_t block = blockOf(x);
  shapeLike(values, n, x);
  shape(indices, {ndim, n});
  each(n * block, on,
       Union<T>{thc::elements<Byte<T>>(values), thc::elements<const T>(x), thc::elements<const T>(y), of, block,
                factor});
  each(n, on, WriteUnion{PlaceWriter(thc::elements<int64_t>(indices), n, ndim, self->size), a.data(), b.data(), of});
}

}  // namespace
}  // namespace thcs

THCS_DEFINE(coalesce, all_complex, (THTensor *indices, THTensor *values, const THSTensor *self),
            thcs::coalesce<T>(indices, values, self))
THCS_DEFINE(cadd, all_complex,
            (THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other),
            thcs::cadd<T>(indices, values, self, alpha, other))
