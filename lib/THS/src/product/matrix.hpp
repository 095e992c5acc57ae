// A sparse matrix by rows, whatever layout it has: what products read.
#pragma once

#include "../kit/sparse.hpp"

namespace ths {

// Entries of row r are those in [begin[r], begin[r + 1]); int64 and contiguous. Values stay where they are, which is at
// entry(i).
class Matrix {
 public:
  explicit Matrix(const THSTensor *t) : rows(t->size[0]), columns(t->size[1]) {
    THSTensor_checkBounds(t);
    const THSMembers &members = *THSTensor_members(t);
    if (t->layout == TH_SPARSE_CSR) {
      begins_ = contiguousAs(TH_Long, members.indices);
      places_ = contiguousAs(TH_Long, members.plain);
      begin = elements<int64_t>(begins_);
      column = elements<int64_t>(places_);
    } else {
      places_ = contiguous(members.indices);
      const int64_t *const at = elements<int64_t>(places_), n = places_->size[1];
      column = at + n;
      if (std::is_sorted(at, at + n)) {
        by_.begin = array<int64_t>(rows + 1);
        int64_t row = 0;
        for (int64_t i = 0; i < n; i++)
          while (row <= at[i]) by_.begin[size_t(row++)] = i;
        while (row <= rows) by_.begin[size_t(row++)] = n;
        begin = by_.begin.get();
        return;
      }
      by_ = byRows(at, n, rows);
      begin = by_.begin.get();
      order = by_.entry.get();
      columns_ = array<int64_t>(n);
      for (int64_t i = 0; i < n; i++) columns_[size_t(i)] = column[order[i]];
      column = columns_.get();
    }
  }
  int64_t entries() const { return begin[rows]; }
  int64_t entry(int64_t i) const { return order ? order[i] : i; }

  const int64_t rows, columns;
  const int64_t *begin, *column;
  const int64_t *order = nullptr;  // nullptr: entries stand by rows

 private:
  Ref begins_, places_;
  Array<int64_t> columns_;
  ByRows by_;
};

// The row of each entry i, found from that of the one before.
class RowOf {
 public:
  RowOf(const Matrix &m, int64_t i) : m_(m) { row_ = std::upper_bound(m.begin, m.begin + m.rows + 1, i) - m.begin - 1; }
  int64_t at(int64_t i) {
    while (m_.begin[row_ + 1] <= i) row_++;
    return row_;
  }

 private:
  const Matrix &m_;
  int64_t row_;
};

}  // namespace ths
