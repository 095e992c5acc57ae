// Where the elements of a tensor lie in memory, and zeros with a tensor's elements in some of their places.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include <THPP/Guard.h>

#include "operators.h"

namespace torch::autograd {

inline std::vector<int64_t> list(IntList values) { return {values.begin(), values.end()}; }

inline int64_t product(IntList sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
}

// Zeros of this shape with `grad` in the view that view(zeros) gives. Where it is recorded, embed(zeros, grad) does it,
// which is one node; else the copy of the zeros is saved.
template <class View, class Embed>
Tensor embedded(const Tensor &grad, IntList sizes, const View &view, const Embed &embed) {
  const Tensor zeros = thpp::new_zeros(grad, sizes);
  if (thpp::grad_mode()) return embed(zeros, grad);
  thpp::copy_(view(zeros), grad);
  return zeros;
}

// A tensor's place in memory, from its first element on.
struct Layout {
  std::vector<int64_t> size, stride;
  int64_t offset;

  Layout(IntList size, IntList stride, int64_t offset) : size(list(size)), stride(list(stride)), offset(offset) {}
  bool empty() const { return product(size) == 0; }
  int64_t last() const {  // element of a tensor that is not empty
    int64_t at = offset;
    for (size_t d = 0; d < size.size(); ++d) at += (size[d] - 1) * stride[d];
    return at;
  }
  // Whether two of its elements may lie at one place. Certain if it says no.
  bool may_overlap() const {
    std::vector<size_t> order;
    for (size_t d = 0; d < size.size(); ++d)
      if (size[d] != 1) order.push_back(d);
    std::ranges::sort(order, {}, [&](size_t d) { return stride[d]; });
    int64_t extent = 0;  // of the dimensions before
    for (const size_t d : order) {
      if (stride[d] <= extent) return true;
      extent += (size[d] - 1) * stride[d];
    }
    return false;
  }
  Tensor of(const Tensor &memory, int64_t base) const { return thpp::as_strided(memory, size, stride, offset - base); }
};

// A tensor for memory with the elements of `values` where they lie, added where several lie at one place.
inline Tensor scattered(const Tensor &values, const Layout &layout, int64_t base, int64_t length) {
  const Tensor memory = thpp::new_zeros(values, {length});
  if (layout.empty()) return memory;
  if (!thpp::grad_mode() && !layout.may_overlap()) {
    thpp::copy_(layout.of(memory, base), values);
    return memory;
  }
  const Tensor places = layout.of(thpp::arange(length, TH_Long, values.device()), base);
  return thpp::index_add_(memory, 0, thpp::reshape(places, {-1}), thpp::reshape(values, {-1}));
}

}  // namespace torch::autograd
