// What indices must say: whether they are in bounds, and in order. A kernel finds out whether they do; what is wrong
// with them is said by THS, of a copy on the host.
#include "sparse.cuh"

#include <algorithm>

namespace thcs {
namespace {

struct OutOfBounds {
  const int64_t *indices;
  int64_t n;
  int64_t size[TH_MAX_DIM];
  unsigned *found;

  OutOfBounds(const THTensor *t, const int64_t *sizes, unsigned *found)
      : indices(thc::elements<const int64_t>(t)), n(t->size[1]), found(found) {
    std::copy_n(sizes, t->size[0], size);
  }
  __device__ void operator()(int64_t i) const {
    const int64_t at = indices[i];
    if (at < 0 || at >= size[i / n]) *found = 1;
  }
};

struct NotAscending {
  const int64_t *keys;
  unsigned *found;
  __device__ void operator()(int64_t i) const {
    if (keys[i] >= keys[i + 1]) *found = 1;
  }
};

// A compressed tensor's indices, of all matrices of a batch.
template <class I>
struct Lines {
  const I *begins, *places;
  int64_t matrices, lines, nnz, width;
  unsigned *found;
};
template <class I>
struct BadBegin : Lines<I> {
  __device__ void operator()(int64_t i) const {
    const int64_t line = i % (this->lines + 1), begin = this->begins[i];
    const bool fits = line == this->lines ? begin == this->nnz : begin <= this->begins[i + 1];
    if (!fits || (line == 0 && begin != 0)) *this->found = 1;
  }
};
template <class I>
struct BadPlace : Lines<I> {
  __device__ void operator()(int64_t i) const {
    if (this->places[i] < 0 || this->places[i] >= this->width) *this->found = 1;
  }
};
// Of lines that are in bounds.
template <class I>
struct BadLine : Lines<I> {
  __device__ void operator()(int64_t i) const {
    const int64_t matrix = i / this->lines;
    const I *const begin = this->begins + matrix * (this->lines + 1) + i % this->lines;
    const I *const place = this->places + matrix * this->nnz;
    for (int64_t at = begin[0] + 1; at < begin[1]; at++)
      if (place[at - 1] >= place[at]) *this->found = 1;
  }
};

template <class I>
bool isCompressedBad(const THSTensor *self, bool strict, const OnDevice &on) {
  const THSMembers &members = *THSTensor_members(self);
  const Ref begins = contiguousAs(th::DtypeOf<I>::value, members.indices),
            places = contiguousAs(th::DtypeOf<I>::value, members.plain);
  const bool byRows = self->layout == TH_SPARSE_CSR || self->layout == TH_SPARSE_BSR;
  const bool blocked = self->layout == TH_SPARSE_BSR || self->layout == TH_SPARSE_BSC;
  const int batch = begins->ndim - 1, across = batch + (byRows ? 1 : 0);
  const int64_t block = blocked ? members.values->size[batch + 1 + (byRows ? 1 : 0)] : 1;
  const int64_t count = begins->size[batch] - 1;
  const Flag flag(on);
  const Lines<I> lines{thc::elements<const I>(begins),
                       thc::elements<const I>(places),
                       begins->numel / (count + 1),
                       count,
                       places->size[batch],
                       self->size[across] / block,
                       flag.address()};
  each(begins->numel, on, BadBegin<I>{lines});
  each(places->numel, on, BadPlace<I>{lines});
  if (flag.isSet() || !strict) return flag.isSet();
  each(lines.matrices * lines.lines, on, BadLine<I>{lines});
  return flag.isSet();
}

bool isBad(const THTensor *indices, const int64_t *size, bool ascending) {
  const OnDevice on(indices);
  const Ref dense = contiguousAs(TH_Long, indices);
  const Flag flag(on);
  each(dense->numel, on, OutOfBounds(dense, size, flag.address()));
  if (flag.isSet() || !ascending || dense->size[1] < 2) return flag.isSet();
  const Places places(dense, size, on);
  each(places.count() - 1, on, NotAscending{places.data(), flag.address()});
  return flag.isSet();
}

// `strict`: what is in bounds must be in order, too.
bool isBad(const THSTensor *self, bool strict) {
  const THSMembers &members = *THSTensor_members(self);
  if (self->layout == TH_SPARSE_COO) return isBad(members.indices, self->size, strict && members.coalesced);
  const OnDevice on(members.indices);
  return members.indices->dtype == TH_Int ? isCompressedBad<int32_t>(self, strict, on)
                                          : isCompressedBad<int64_t>(self, strict, on);
}

// Raises what THS says of these indices.
void sayWhatIsWrong(const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  const Ref indices = toHost(members.indices), plain = members.plain ? toHost(members.plain) : Ref(),
            values(THTensor_newWithSize(THDtype(self->dtype), members.values->ndim, members.values->size));
  const Ref copy(plain ? THSTensor_newCompressed(THLayout(self->layout), indices, plain, values, self->ndim, self->size)
                       : THSTensor_newWithTensorAndSize(indices, values, self->ndim, self->size, members.coalesced));
  THSTensor_checkInvariants(copy);
}

[[noreturn]] void refuse(const int64_t *size, int ndim) {
  THError(TH_ERROR_RUNTIME, "indices of a sparse tensor of size %s are out of bounds",
          th::shapeString(ndim, size).c_str());
}

}  // namespace

void requireBounds(const THSTensor *self) {
  THSMembers &members = *THSTensor_members(self);
  const uint32_t versions[] = {THTensor_version(members.indices), members.plain ? THTensor_version(members.plain) : 0};
  if (members.bounded && std::equal(versions, versions + 2, members.bounded_versions)) return;
  if (isBad(self, false)) {
    sayWhatIsWrong(self);
    refuse(self->size, self->ndim);
  }
  std::copy_n(versions, 2, members.bounded_versions);
  members.bounded = true;
}

void requireBounds(const THTensor *indices, const int64_t *size) {
  if (!isBad(indices, size, false)) return;
  const Ref copy = toHost(indices);
  const Ref values(THTensor_newWithSize(TH_Byte, 1, indices->size + 1));
  const int ndim = int(indices->size[0]);
  const Ref asked(THSTensor_newWithTensorAndSize(copy, values, ndim, size, false));
  THSTensor_checkInvariants(asked);
  refuse(size, ndim);
}

}  // namespace thcs

void THCSTensor_checkInvariants(const THSTensor *self) {
  const thc::Operator named("check_invariants");
  if (self->layout != TH_STRIDED && thcs::isBad(self, true)) thcs::sayWhatIsWrong(self);
}
