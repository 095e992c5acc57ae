#include "taps.h"

#include <algorithm>

#include "operators.h"

namespace thpp {

namespace {

using Sizes = std::vector<int64_t>;

// Sizes of t, with others in the place of dimension `dim`.
Sizes with(const Tensor &t, int dim, std::initializer_list<int64_t> sizes) {
  Sizes shape(t.sizes().begin(), t.sizes().begin() + dim);
  shape.insert(shape.end(), sizes);
  shape.insert(shape.end(), t.sizes().begin() + dim + 1, t.sizes().end());
  return shape;
}

// Weights, in a shape that broadcasts with `dim` and the dimension after it.
Tensor weights_of(const Taps &taps, THDtype dtype, int dim, int ndim) {
  Sizes shape(size_t(ndim), 1);
  shape[size_t(dim)] = taps.index.size(0), shape[size_t(dim + 1)] = taps.index.size(1);
  return thpp::view(thpp::to(taps.weight, dtype), shape);
}

}  // namespace

Taps taps_of(const std::vector<int64_t> &index, const std::vector<double> &weight, int64_t rows, int64_t elements,
             THDevice device) {
  const int64_t most = rows ? int64_t(index.size()) / rows : 1;
  std::vector<int64_t> list = index;
  std::ranges::replace(list, int64_t(-1), elements);
  Taps taps{thpp::view(listed_on(list, TH_Long, device), {rows, most}), {}};
  if (most != 1 || std::ranges::any_of(weight, [](double w) { return w != 1; }))
    taps.weight = thpp::view(listed_on(weight, TH_Double, device), {rows, most});
  return taps;
}

// One more element, which is 0, stands for taps that a row has not got: what is left out must not be multiplied by 0, as it
// may be infinite.
Tensor combined(const Tensor &self, int dim, const Taps &taps) {
  const Tensor flat = thpp::reshape(taps.index, {-1});
  if (!taps.weight.defined()) return thpp::index_select(self, dim, flat);
  const Tensor none = thpp::zeros(with(self, dim, {1}), self.dtype(), self.device());
  const Tensor found = thpp::index_select(thpp::cat({self, none}, dim), dim, flat);
  const Tensor parts = thpp::reshape(found, with(found, dim, {taps.index.size(0), taps.index.size(1)}));
  return thpp::sum(parts * weights_of(taps, self.dtype(), dim, parts.dim()), {dim + 1});
}

Tensor distributed(const Tensor &rows, int dim, const Taps &taps, int64_t size) {
  Tensor parts = rows;
  if (taps.weight.defined()) {
    parts = thpp::unsqueeze(rows, dim + 1) * weights_of(taps, rows.dtype(), dim, rows.dim() + 1);
    parts = thpp::reshape(parts, with(rows, dim, {taps.index.numel()}));
  }
  const Tensor none = thpp::zeros(with(rows, dim, {size + 1}), rows.dtype(), rows.device());
  return thpp::narrow(thpp::index_add(none, dim, thpp::reshape(taps.index, {-1}), parts), dim, 0, size);
}

}  // namespace thpp
