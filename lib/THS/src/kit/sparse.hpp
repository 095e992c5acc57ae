// What families of THS share.
#pragma once

#include <memory>
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

template <class T> using Array = std::unique_ptr<T[]>;
template <class T>
Array<T> array(int64_t n) {  // uninitialised
  return std::make_unique_for_overwrite<T[]>(size_t(n));
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

// Writes the place of a key into column i of contiguous indices (ndim, n).
inline void writePlace(int64_t key, int ndim, const int64_t *size, int64_t *indices, int64_t n, int64_t i) {
  for (int d = ndim - 1; d > 0; d--) {
    indices[d * n + i] = key % size[d];
    key /= size[d];
  }
  if (ndim) indices[i] = key;
}

// The elements of values under one entry.
inline int64_t blockOf(const THTensor *values) {
  int64_t block = 1;
  for (int d = 1; d < values->ndim; d++) block *= values->size[d];
  return block;
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

// The permutation that puts n keys, none of them negative or `limit` or more, in ascending order; equal ones keep theirs.
Array<int64_t> sortedOrder(const int64_t *keys, int64_t n, int64_t limit);

// Where each of n rows begins, and the entries of each in their order, of rows in any order: a counting sort.
struct ByRows {
  Array<int64_t> begin, entry;
};
ByRows byRows(const int64_t *rows, int64_t entries, int64_t n);

}  // namespace ths
