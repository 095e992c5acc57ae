// Sparse times sparse: Gustavson, "Two Fast Algorithms for Sparse Matrices" (1978), with a hash table for the columns of a row.
#include <algorithm>
#include <bit>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"

namespace ths {
namespace {

// A set of columns, with a number for each, in the order of their first appearance. Of few columns each has a place of its own,
// else they are found by a hash table.
class Columns {
 public:
  explicit Columns(int64_t columns) : place_(columns <= kDirect ? size_t(columns) : 0, -1) {}

  // Empty, with room for n.
  void reset(int64_t n) {
    if (!place_.empty()) {
      for (const int64_t column : columns_) place_[size_t(column)] = -1;
    } else {
      const size_t size = std::bit_ceil(size_t(std::max<int64_t>(8, 2 * n)));
      for (const int64_t slot : used_) table_[size_t(slot)] = {-1, 0};
      used_.clear();
      if (table_.size() < size) table_.assign(size, {-1, 0});
      mask_ = table_.size() - 1;
    }
    columns_.clear();
  }
  int64_t number(int64_t column) {
    if (place_.empty()) return hashed(column);
    int32_t &place = place_[size_t(column)];
    if (place < 0) {
      place = int32_t(columns_.size());
      columns_.push_back(column);
    }
    return place;
  }
  const std::vector<int64_t> &list() const { return columns_; }

 private:
  struct Slot {
    int64_t column, number;
  };
  int64_t hashed(int64_t column) {
    size_t slot = (uint64_t(column) * 0x9e3779b97f4a7c15u >> 20) & mask_;
    while (table_[slot].column != column) {
      if (table_[slot].column < 0) {
        table_[slot] = {column, int64_t(columns_.size())};
        used_.push_back(int64_t(slot));
        columns_.push_back(column);
        break;
      }
      slot = (slot + 1) & mask_;
    }
    return table_[slot].number;
  }

  static constexpr int64_t kDirect = 1 << 20;  // 4 MB for each thread
  std::vector<int32_t> place_;
  std::vector<Slot> table_;
  std::vector<int64_t> used_, columns_;
  size_t mask_ = 0;
};

template <class T>
void spgemm(THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b) {
  using C = Compute<T>;
  THSPrepare_product(a, b);
  const Matrix m(a), n(b);
  const Ref mine(contiguousAs(DtypeOf<C>::value, THSTensor_members(a)->values));
  const Ref theirs(contiguousAs(DtypeOf<C>::value, THSTensor_members(b)->values));
  const C *const x = elements<C>(mine), *const y = elements<C>(theirs);
  // At most so many products fall into each row.
  const auto bound = [&](int64_t r) {
    int64_t sum = 0;
    for (int64_t i = m.begin[r]; i < m.begin[r + 1]; i++) {
      const int64_t c = m.column[m.entry(i)];
      sum += n.begin[c + 1] - n.begin[c];
    }
    return std::min(sum, n.columns);
  };
  // Calls body(columns' numbering, r) for each row, with its columns numbered.
  const auto eachRow = [&](const auto &body) {
    parallelFor(m.rows, 256, [&](int64_t begin, int64_t end) {
      Columns columns(n.columns);
      for (int64_t r = begin; r < end; r++) {
        columns.reset(bound(r));
        body(columns, r);
      }
    });
  };
  shape(compressed, {m.rows + 1});
  int64_t *const first = elements<int64_t>(compressed);
  first[0] = 0;
  eachRow([&](Columns &columns, int64_t r) {
    for (int64_t i = m.begin[r]; i < m.begin[r + 1]; i++) {
      const int64_t c = m.column[m.entry(i)];
      for (int64_t j = n.begin[c]; j < n.begin[c + 1]; j++) columns.number(n.column[n.entry(j)]);
    }
    first[r + 1] = int64_t(columns.list().size());
  });
  for (int64_t r = 0; r < m.rows; r++) first[r + 1] += first[r];
  shape(plain, {first[m.rows]});
  shape(values, {first[m.rows]});
  int64_t *const places = elements<int64_t>(plain);
  T *const to = elements<T>(values);
  parallelFor(m.rows, 256, [&](int64_t begin, int64_t end) {
    Columns columns(n.columns);
    std::vector<C> sums;
    std::vector<int64_t> sorted;
    for (int64_t r = begin; r < end; r++) {
      columns.reset(bound(r));
      sums.clear();
      for (int64_t i = m.begin[r]; i < m.begin[r + 1]; i++) {
        const int64_t entry = m.entry(i), c = m.column[entry];
        for (int64_t j = n.begin[c]; j < n.begin[c + 1]; j++) {
          const int64_t other = n.entry(j), k = columns.number(n.column[other]);
          if (k == int64_t(sums.size())) sums.push_back(C(0));
          sums[size_t(k)] = C(sums[size_t(k)] + C(x[entry] * y[other]));
        }
      }
      sorted = columns.list();
      std::sort(sorted.begin(), sorted.end());
      for (size_t k = 0; k < sorted.size(); k++) {
        places[first[r] + int64_t(k)] = sorted[k];
        to[first[r] + int64_t(k)] = T(sums[size_t(columns.number(sorted[k]))]);
      }
    }
  });
}

}  // namespace
}  // namespace ths

THS_DEFINE(spgemm, number_complex,
           (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b),
           ths::spgemm<T>(compressed, plain, values, a, b))
