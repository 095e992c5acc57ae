#include "repeating.h"

#include <algorithm>

#include "operators.h"

namespace torch::autograd {

Tensor repeat_backward(const Tensor &grad, IntList sizes, IntList repeats) {
  if (!grad.numel()) return thpp::new_zeros(grad, sizes);
  // Each dimension of grad is a pair, (repeat, size); the repeats are added up.
  const size_t front = repeats.size() - sizes.size();
  std::vector<int64_t> pairs, added;
  for (size_t d = 0; d < repeats.size(); ++d) {
    if (repeats[d] != 1) {
      added.push_back(int64_t(pairs.size()));
      pairs.push_back(repeats[d]);
    }
    if (d >= front) pairs.push_back(sizes[d - front]);
  }
  if (added.empty()) return thpp::reshape(grad, sizes);
  return thpp::sum(thpp::reshape(grad, pairs), added);
}

Tensor roll_backward(const Tensor &grad, IntList shifts, IntList dims) {
  std::vector<int64_t> back;
  for (const int64_t shift : shifts) back.push_back(-shift);
  return thpp::roll(grad, back, dims);
}

Tensor diag_backward(const Tensor &grad, IntList sizes, int64_t diagonal) {
  return sizes.size() == 1 ? thpp::diagonal(grad, diagonal) : diagonal_backward(grad, sizes, diagonal, 0, 1);
}

Tensor trace_backward(const Tensor &grad, IntList sizes) {
  return diagonal_backward(thpp::expand(grad, {std::min(sizes[0], sizes[1])}), sizes, 0, 0, 1);
}

}  // namespace torch::autograd
