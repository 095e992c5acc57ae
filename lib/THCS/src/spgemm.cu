// Sparse times sparse: all products of entries, put in order by their places and added up (Bell, Dalton and Olson,
// "Exposing Fine-Grained Parallelism in Algebraic Multigrid Methods", 2012). Rows are taken as many at once as have not
// too many products. Those of one place are added in the order in which the CPU meets them.
#include <vector>

#include <THC/THCTensorCopy.h>
#include <THS/THSPrepare.h>

#include "matrix.cuh"

namespace thcs {
namespace {

constexpr int64_t kProducts = int64_t(1) << 21;  // at once, or those of one row

// How many products the entry of a that stands at i has.
struct CountProducts {
  int64_t *counts;
  Rows a, b;
  __device__ void operator()(int64_t i) const {
    if (i == a.entries) {
      counts[i] = 0;
      return;
    }
    const int64_t row = a.column[a.entry(i)];
    counts[i] = b.begin[row + 1] - b.begin[row];
  }
};

// From one row on: how many rows have `most` products or fewer, or one row; and the products before them and behind.
struct Share {
  int64_t end, begin, products;
};
struct CutShare {
  Share *share;
  const int64_t *before;  // products before each entry
  const int64_t *begin;  // of a's rows
  int64_t first, rows, most;
  __device__ void operator()(int64_t) const {
    const int64_t start = before[begin[first]];
    int64_t low = first + 1, high = rows;  // the last end that fits
    while (low < high) {
      const int64_t middle = low + (high - low + 1) / 2;
      if (before[begin[middle]] - start <= most)
        low = middle;
      else
        high = middle - 1;
    }
    *share = {low, start, before[begin[low]] - start};
  }
};

template <class T>
struct Multiply {
  using A = Arithmetic<T>;
  int64_t *keys;
  A *products;
  Rows a, b;
  const T *x, *y;
  const int64_t *before;
  int64_t start, first;  // products before this share, and its first row
  __device__ void operator()(int64_t i) const {
    const int64_t at = countUpTo(before, a.entries + 1, start + i) - 1;
    const int64_t mine = a.entry(at), theirs = b.entry(b.begin[a.column[mine]] + (start + i - before[at]));
    keys[i] = (a.rowAt(at) - first) * b.columns + b.column[theirs];
    products[i] = A(valueAt(x + mine) * valueAt(y + theirs));
  }
};

template <class T>
struct AddProducts {
  using A = Arithmetic<T>;
  Byte<T> *to;
  int64_t *columns;
  const A *products;
  const int64_t *keys, *first, *order;
  int64_t width;
  __device__ void operator()(int64_t run) const {
    A sum(0);
    for (int64_t k = first[run]; k < first[run + 1]; k++) sum = A(sum + products[order[k]]);
    to[run] = resultOf<T>(sum);
    columns[run] = keys[first[run]] % width;
  }
};

// Where rows of a share begin among all results.
struct CountRows {
  int64_t *begins;
  const int64_t *keys, *first;
  int64_t runs, width, done;
  __device__ void operator()(int64_t row) const {
    int64_t low = 0, high = runs;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (keys[first[middle]] < row * width)
        low = middle + 1;
      else
        high = middle;
    }
    begins[row] = done + low;
  }
};

// Parts one behind the other.
void join(THTensor *r, const std::vector<Ref> &parts, int64_t n) {
  if (parts.size() == 1) {
    THTensor_set(r, parts[0]);
    return;
  }
  shape(r, {n});
  int64_t at = 0;
  for (const Ref &part : parts) {
    const Ref view(THTensor_newNarrow(r, 0, at, part->numel));
    THCTensor_copy(view, part);
    at += part->numel;
  }
}

template <class T>
void spgemm(THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b) {
  using A = Arithmetic<T>;
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THSMembers &mine = *THSTensor_members(a), &theirs = *THSTensor_members(b);
  requireOneDevice({compressed, plain, values, mine.indices, mine.values, theirs.indices, theirs.values}, {});
  THSPrepare_product(a, b);
  const int64_t size[] = {a->size[0], b->size[1]};
  TH_numel(2, size);  // places are numbered
  const OnDevice on(values);
  const Matrix left(a, on), right(b, on);
  const Rows m = left.rows(), n = right.rows();
  const Ref x = contiguousAs(dtype, mine.values, values), y = contiguousAs(dtype, theirs.values, values);
  const Workspace counts(size_t(m.entries + 1) * sizeof(int64_t), on.index), cut(sizeof(Share), on.index);
  int64_t *const before = counts.as<int64_t>();
  each(m.entries + 1, on, CountProducts{before, m, n});
  sumsBefore(before, before, m.entries, on);

  const Ref begins(
      THTensor_newWithSizeOn(values->storage->device, TH_Long, 1, std::initializer_list<int64_t>{m.rows + 1}.begin()));
  int64_t *const begin = thc::elements<int64_t>(begins);
  THC_CHECK(cudaMemsetAsync(begin, 0, sizeof(int64_t), on.stream));
  std::vector<Ref> columns, sums;
  int64_t done = 0;
  for (int64_t row = 0; row < m.rows;) {
    each(1, on, CutShare{cut.as<Share>(), before, m.begin, row, m.rows, kProducts});
    const Share share = readBack(cut.as<Share>(), on.stream, on.index);
    const int64_t products = share.products;
    const Workspace keys(size_t(products) * sizeof(int64_t), on.index), all(size_t(products) * sizeof(A), on.index);
    each(products, on,
         Multiply<T>{keys.as<int64_t>(), all.as<A>(), m, n, thc::elements<const T>(x), thc::elements<const T>(y),
                     before, share.begin, row});
    const Sorted sorted(keys.as<int64_t>(), products, (share.end - row) * n.columns, on);
    const Runs runs(sorted.keys(), products, on);
    const int64_t found = runs.count();
    columns.emplace_back(THTensor_newWithSizeOn(values->storage->device, TH_Long, 1, &found));
    sums.emplace_back(THTensor_newWithSizeOn(values->storage->device, dtype, 1, &found));
    each(found, on,
         AddProducts<T>{thc::elements<Byte<T>>(sums.back()), thc::elements<int64_t>(columns.back()), all.as<A>(),
                        sorted.keys(), runs.first(), sorted.order(), n.columns});
    each(share.end - row + 1, on, CountRows{begin + row, sorted.keys(), runs.first(), found, n.columns, done});
    done += found;
    row = share.end;
  }
  join(plain, columns, done);
  join(values, sums, done);
  THTensor_set(compressed, begins);
}

}  // namespace
}  // namespace thcs

THCS_DEFINE(spgemm, number_complex,
            (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b),
            thcs::spgemm<T>(compressed, plain, values, a, b))
