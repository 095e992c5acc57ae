// Products with a matrix that many steps share: packed once, in panels of columns, of which a tile of rows holds the sums in
// registers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "kit/computed.hpp"

namespace thnn {

// c (rows, n) = a (rows, k) times n columns that lie packed from the start of a panel on; with `add` it is added to c.
// Each element is one sum in the order of k: results do not depend on how rows and columns are shared out.
template <class C>
struct Products {
  int64_t panel;  // columns
  void (*run)(int64_t rows, int64_t n, int64_t k, const C *a, int64_t lda, const C *packed, bool add, C *c,
              int64_t ldc);
};
template <class C>
const Products<C> &products();

// A matrix of k rows and n columns, element (i, j) at data[i * row + j * column], one of which is 1, that others are
// multiplied with: as panels if that will be done often (the last one is filled up with zeros), else by BLAS.
template <class C>
class Matrix {
 public:
  Matrix(int64_t k, int64_t n, const C *data, int64_t row, int64_t column, bool often)
      : k_(k), row_(row), column_(column), data_(data) {
    if (!often) return;
    const int64_t panel = products<C>().panel;
    panels_ = memory<C>((n + panel - 1) / panel * panel * k);
    C *to = panels_.get();
    for (int64_t first = 0; first < n; first += panel)
      for (int64_t i = 0; i < k; i++, to += panel) {
        const C *const from = data + i * row + first * column;
        const int64_t width = std::min(n - first, panel);
        for (int64_t j = 0; j < width; j++) to[j] = from[j * column];
        std::fill(to + width, to + panel, C(0));
      }
  }
  // c = a times the columns from `first`, which begins a panel, to `end`; or added to c.
  void multiply(int64_t rows, const C *a, int64_t lda, int64_t first, int64_t end, bool add, C *c, int64_t ldc) const {
    if (!rows) return;
    if (panels_) return products<C>().run(rows, end - first, k_, a, lda, panels_.get() + first * k_, add, c, ldc);
    const bool turned = row_ == 1;
    gemm(turned ? 't' : 'n', 'n', end - first, rows, k_, data_ + first * column_, turned ? column_ : row_, a, lda,
         C(add ? 1 : 0), c, ldc);
  }

 private:
  int64_t k_, row_, column_;
  const C *data_;
  std::unique_ptr<C[]> panels_;
};

}  // namespace thnn
