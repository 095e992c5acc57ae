#include "taps.h"

#include <algorithm>

#include "operators.h"

namespace thpp {

namespace {

using Sizes = std::vector<int64_t>;

// The elements of all taps; those that a row has not got are the one after the last, which is 0: what is left out must not
// be multiplied by 0, as it may be infinite.
struct Elements {
  Tensor index;
  bool short_rows;
  Elements(const Taps &taps, int64_t size, THDevice device)
      : short_rows(std::ranges::any_of(taps.index, [](int64_t i) { return i < 0; })) {
    std::vector<int64_t> list = taps.index;
    std::ranges::replace(list, int64_t(-1), size);
    index = listed_on(list, TH_Long, device);
  }
};

bool copies(const Taps &taps) {
  return taps.most == 1 && std::ranges::all_of(taps.weight, [](double w) { return w == 1; });
}

// Weights (rows, taps), in a shape that broadcasts with `dim` and the dimension after it.
Tensor weights_of(const Taps &taps, const Tensor &like, int dim, int ndim) {
  Sizes shape(size_t(ndim), 1);
  shape[size_t(dim)] = taps.rows, shape[size_t(dim + 1)] = taps.most;
  return thpp::view(thpp::to(listed_on(taps.weight, TH_Double, like.device()), like.dtype()), shape);
}

Sizes with(const Tensor &t, int dim, std::initializer_list<int64_t> sizes) {
  Sizes shape(t.sizes().begin(), t.sizes().begin() + dim);
  shape.insert(shape.end(), sizes);
  shape.insert(shape.end(), t.sizes().begin() + dim + 1, t.sizes().end());
  return shape;
}

}  // namespace

Tensor combined(const Tensor &self, int dim, const Taps &taps) {
  const Elements elements(taps, self.size(dim), self.device());
  const Tensor from = elements.short_rows
                          ? thpp::cat({self, thpp::zeros(with(self, dim, {1}), self.dtype(), self.device())}, dim)
                          : self;
  const Tensor found = thpp::index_select(from, dim, elements.index);
  if (copies(taps)) return found;
  const Tensor parts = thpp::reshape(found, with(found, dim, {taps.rows, taps.most}));
  return thpp::sum(parts * weights_of(taps, self, dim, parts.dim()), {dim + 1});
}

Tensor distributed(const Tensor &rows, int dim, const Taps &taps, int64_t size) {
  const Elements elements(taps, size, rows.device());
  Tensor parts = rows;
  if (!copies(taps)) {
    parts = thpp::unsqueeze(rows, dim + 1) * weights_of(taps, rows, dim, rows.dim() + 1);
    parts = thpp::reshape(parts, with(rows, dim, {taps.rows * taps.most}));
  }
  const Tensor sums = thpp::index_add(
      thpp::zeros(with(rows, dim, {size + elements.short_rows}), rows.dtype(), rows.device()), dim, elements.index,
      parts);
  return elements.short_rows ? thpp::narrow(sums, dim, 0, size) : sums;
}

}  // namespace thpp
