// What families of THS share.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <THS/THSTensor.h>

#include "kit/define.hpp"
#include "kit/parallel.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

// One line defines what THS_FUNCTION declares, as TH_DEFINE does.
#define THS_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(THS_DEFINE_, op, args, __VA_ARGS__)
#define THS_DEFINE_(Name, op, args, ...)                      \
  void THS##Name##Tensor_##op args {                          \
    [[maybe_unused]] constexpr THDtype dtype = TH_##Name;     \
    using T [[maybe_unused]] = th::Element<TH_##Name>;        \
    __VA_ARGS__;                                              \
  }

namespace ths {

using namespace th;

// Memory of TH's, of which large pieces have large pages: of ten million entries the first touch of pages of 4 KiB
// takes longer than to sort them.
struct Freed {
  size_t bytes = 0;
  void operator()(void *block) const { TH_free(block, bytes); }
};
template <class T> using Array = std::unique_ptr<T[], Freed>;
template <class T>
Array<T> array(int64_t n) {  // uninitialised
  const size_t bytes = std::max<size_t>(1, size_t(n) * sizeof(T));
  return Array<T>(static_cast<T *>(TH_alloc(bytes)), Freed{bytes});
}
template <class T>
Array<T> zeros(int64_t n) {
  Array<T> result = array<T>(n);
  std::fill_n(result.get(), n, T(0));
  return result;
}

// Contiguous, on the CPU.
inline Ref contiguous(const THTensor *t) {
  requireMemory(t);
  return Ref(THTensor_newContiguous(const_cast<THTensor *>(t)));
}
inline Ref contiguousAs(THDtype dtype, const THTensor *t) {
  requireMemory(t);
  if (dtypeOf(t) == dtype) return contiguous(t);
  Ref made(THTensor_newWithSize(dtype, t->ndim, t->size));
  THTensor_copy(made, t);
  return made;
}

// Places as one number each, in the order of places. Raises if one is out of bounds.
class Places {
 public:
  Places(const THTensor *indices, const int64_t *size);
  int64_t count() const { return count_; }
  const int64_t *data() const { return keys_ ? keys_.get() : one_; }
  int64_t operator[](int64_t i) const { return data()[i]; }
  int64_t limit() const { return limit_; }  // all are less

 private:
  Ref held_;
  Array<int64_t> keys_;
  const int64_t *one_ = nullptr;  // of one dimension: the index itself
  int64_t count_, limit_;
};

// Writes places of keys into contiguous indices (ndim, n). Of a key that differs from the one before in the last
// dimension only, as most do that are in order, nothing is divided.
class PlaceWriter {
 public:
  PlaceWriter(int ndim, const int64_t *size, int64_t *indices, int64_t n)
      : ndim_(ndim), size_(size), indices_(indices), n_(n), width_(ndim ? uint64_t(size[ndim - 1]) : 0) {}
  void write(int64_t key, int64_t i) {
    if (!ndim_) return;
    if (uint64_t(key - base_) >= width_) {
      int64_t rest = base_ = key;
      for (int d = ndim_ - 1; d > 0; d--) {
        outer_[d] = rest % size_[d];
        rest /= size_[d];
      }
      outer_[0] = rest;
      base_ -= outer_[ndim_ - 1];
    }
    for (int d = 0; d < ndim_ - 1; d++) indices_[d * n_ + i] = outer_[d];
    indices_[(ndim_ - 1) * n_ + i] = key - base_;
  }

 private:
  const int ndim_;
  const int64_t *const size_;
  int64_t *const indices_;
  const int64_t n_;
  const uint64_t width_;
  int64_t base_ = 0, outer_[TH_MAX_DIM] = {};
};

// The elements of values under one entry.
inline int64_t blockOf(const THTensor *values) {
  int64_t block = 1;
  for (int d = 1; d < values->ndim; d++) block *= values->size[d];
  return block;
}

template <class T>
inline void copyBlock(T *to, int64_t at, const T *from, int64_t i, int64_t block) {
  if (block == 1)
    to[at] = from[i];
  else
    std::copy_n(from + i * block, block, to + at * block);
}

// Gives a result this shape; it is contiguous then.
inline void shape(THTensor *r, std::initializer_list<int64_t> size) {
  THTensor_resize(r, int(size.size()), size.begin());
}
void shapeLike(THTensor *r, int64_t entries, const THTensor *values);  // values' shape, with that many entries

// How two elements are added: bools by or, half types in float.
template <class T>
inline void addTo(Compute<T> &sum, T more) {
  if constexpr (std::is_same_v<T, bool>)
    sum = sum || more;
  else
    sum = Compute<T>(sum + Compute<T>(more));
}

// n keys, none of them negative or `limit` or more, in ascending order, and where each stood; equal ones keep their
// order.
struct Sorted {
  Array<int64_t> keys, order;
};
Sorted sorted(const int64_t *keys, int64_t n, int64_t limit);

// A counting sort by rows, which are less than n: begin (n + 1) says where those of each row go, and move(i, to) is
// called for each entry i, in their order.
template <class Move>
void sortByRows(const int64_t *rows, int64_t entries, int64_t n, int64_t *begin, const Move &move) {
  std::fill_n(begin, n + 1, 0);
  for (int64_t i = 0; i < entries; i++) begin[rows[i]]++;
  int64_t sum = 0;
  for (int64_t r = 0; r <= n; r++) sum += std::exchange(begin[r], sum);
  for (int64_t i = 0; i < entries; i++) move(i, begin[rows[i]]++);
  for (int64_t r = n; r > 0; r--) begin[r] = begin[r - 1];
  begin[0] = 0;
}
// Where each of n rows begins, and the entries of each in their order, of rows in any order.
struct ByRows {
  Array<int64_t> begin, entry;
};
ByRows byRows(const int64_t *rows, int64_t entries, int64_t n);

}  // namespace ths
