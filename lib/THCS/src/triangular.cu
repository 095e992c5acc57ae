// Systems with a triangular sparse matrix.
//
// A row needs those before it that it has entries of. Rows that need only what is there already are a level: they are
// solved at once. The host finds the levels. A large one is a launch, and small ones are solved one after the other by
// one block.
#include <algorithm>
#include <vector>

#include <THC/THCTensorCopy.h>
#include <THS/THSPrepare.h>

#include "matrix.cuh"

namespace thcs {
namespace {

constexpr int kLevelBlock = 512;  // elements of a level that one block solves

template <class T>
struct Substitution {
  using A = Arithmetic<T>;
  Rows m;
  const T *values;
  A *x;
  int64_t width;
  const int64_t *row;  // in the order of levels
  bool upper, unit;

  // Element i of the rows that stand from `first` on.
  __device__ void solve(int64_t first, int64_t i) const {
    const int64_t at = row[first + i / width], d = i % width;
    A sum = x[at * width + d], diagonal(0);
    for (int64_t k = m.begin[at]; k < m.begin[at + 1]; k++) {
      const int64_t entry = m.entry(k), column = m.column[entry];
      const A value = valueAt(values + entry);
      if (column == at) diagonal = A(diagonal + value);
      if (column == at || (column > at) != upper) continue;
      sum = A(sum - A(value * x[column * width + d]));
    }
    x[at * width + d] = unit ? sum : A(sum / diagonal);
  }
};
template <class T>
struct SolveLevel : Substitution<T> {
  int64_t first;
  __device__ void operator()(int64_t i) const { this->solve(first, i); }
};
// Levels [level, last) of one block, which sees what its threads have written before a barrier.
template <class T>
__global__ void __launch_bounds__(kLevelBlock)
    levelsKernel(Substitution<T> s, const int64_t *begin, int64_t level, int64_t last) {
  for (; level < last; level++) {
    const int64_t first = begin[level], n = (begin[level + 1] - first) * s.width;
    for (int64_t i = threadIdx.x; i < n; i += kLevelBlock) s.solve(first, i);
    __syncthreads();
  }
}

// Rows by levels: those of level l stand at [begin[l], begin[l + 1]).
struct Levels {
  std::vector<int64_t> begin, row;
};
template <class I>
Levels levelsOf(const I *begin, const I *column, int64_t rows, bool upper) {
  std::vector<int64_t> level(static_cast<size_t>(rows));
  int64_t levels = 0;
  for (int64_t step = 0; step < rows; step++) {
    const int64_t row = upper ? rows - 1 - step : step;
    int64_t own = 0;
    for (int64_t k = begin[row]; k < begin[row + 1]; k++)
      if (column[k] != row && (column[k] > row) == upper) own = std::max(own, level[size_t(column[k])] + 1);
    level[size_t(row)] = own;
    levels = std::max(levels, own + 1);
  }
  Levels result{std::vector<int64_t>(size_t(levels) + 1), std::vector<int64_t>(size_t(rows))};
  for (const int64_t own : level) result.begin[size_t(own) + 1]++;
  for (size_t l = 0; l < size_t(levels); l++) result.begin[l + 1] += result.begin[l];
  std::vector<int64_t> next(result.begin);
  for (int64_t row = 0; row < rows; row++) result.row[size_t(next[size_t(level[size_t(row)])]++)] = row;
  return result;
}
Levels levelsOf(const THSTensor *a, bool upper) {
  const THSMembers &members = *THSTensor_members(a);
  const Ref begins = toHost(members.indices), places = toHost(members.plain);
  const auto find = [&](auto index) {
    using I = decltype(index);
    return levelsOf(static_cast<const I *>(THTensor_data(begins)), static_cast<const I *>(THTensor_data(places)),
                    a->size[0], upper);
  };
  return begins->dtype == TH_Int ? find(int32_t()) : find(int64_t());
}

Ref onDevice(const std::vector<int64_t> &numbers, THDevice device) {
  const int64_t n = int64_t(numbers.size());
  const Ref here(THTensor_newWithSize(TH_Long, 1, &n));
  std::copy(numbers.begin(), numbers.end(), static_cast<int64_t *>(THTensor_data(here)));
  return toDevice(here, device);
}

template <class T>
void trsm(THTensor *r, const THTensor *b, const THSTensor *a, bool upper, bool unit) {
  using A = Arithmetic<T>;
  static_assert(std::is_same_v<A, T>);
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  const THSMembers &members = *THSTensor_members(a);
  requireOneDevice({r, members.indices, members.values}, {b});
  THSPrepare_trsm(b, a);
  const OnDevice on(r);
  const Matrix m(a, on);
  const Ref values = contiguousAs(dtype, members.values, r), start = contiguousAs(dtype, b, r);
  const Ref x(THTensor_newWithSizeOn(r->storage->device, dtype, 2, b->size));
  THCTensor_copy(x, start);
  const int64_t width = b->size[1];
  if (x->numel) {
    const Levels levels = levelsOf(a, upper);
    const Ref begin = onDevice(levels.begin, r->storage->device), row = onDevice(levels.row, r->storage->device);
    const Substitution<T> s{m.rows(), thc::elements<const T>(values),    thc::elements<T>(x),
                            width,    thc::elements<const int64_t>(row), upper,
                            unit};
    const auto sizeOf = [&](size_t l) { return (levels.begin[l + 1] - levels.begin[l]) * width; };
    const size_t count = levels.begin.size() - 1;
    for (size_t l = 0; l < count;) {
      size_t last = l;
      while (last < count && sizeOf(last) <= kLevelBlock) last++;
      if (last > l)
        launch(levelsKernel<T>, 1u, kLevelBlock, 0, on.stream, s, thc::elements<const int64_t>(begin), int64_t(l),
               int64_t(last));
      l = last;
      if (l == count) break;
      each(sizeOf(l), on, SolveLevel<T>{s, levels.begin[l]});
      l++;
    }
  }
  THTensor_resize(r, 2, b->size);
  THCTensor_copy(r, x);
}

}  // namespace
}  // namespace thcs

THCS_DEFINE(trsm, lapack, (THTensor *r, const THTensor *b, const THSTensor *a, bool upper, bool unit),
            thcs::trsm<T>(r, b, a, upper, unit))
