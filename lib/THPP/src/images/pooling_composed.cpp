// Pooling by operators: what stands in for the kernels.
#include "arguments.h"
#include "im2col.h"
#include "operators.h"

namespace thpp {

namespace {

using Sizes = std::vector<int64_t>;

// The size of dimension d of the last n.
int64_t size_of(const Tensor &t, size_t n, int d) { return t.size(t.dim() - int(n) + d); }

// self's sizes, with others for its last dimensions.
Sizes with_last(const Tensor &self, IntList sizes) {
  Sizes shape(self.sizes().begin(), self.sizes().end() - int64_t(sizes.size()));
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  return shape;
}

// self as planes of its last n dimensions.
Tensor as_planes(const Tensor &self, size_t n) {
  return thpp::reshape(self, {product(self.sizes().first(size_t(self.dim()) - n)), product(last_sizes(self, n))});
}

std::tuple<Tensor, Tensor> greatest_of(const Tensor &self, size_t n, const Tensor &places, IntList shape) {
  const auto [values, where] = greatest(as_planes(self, n), places);
  return {thpp::view(thpp::contiguous(values), shape), thpp::view(thpp::contiguous(where), shape)};
}

// taps_of(d): of the last n dimensions' d-th.
template <class TapsOf>
Tensor averaged(const Tensor &self, int n, double divisor, const TapsOf &taps_of) {
  Tensor made = in_float(self);
  for (int d = n - 1; d >= 0; --d) made = combined(made, self.dim() - n + d, taps_of(d));
  return thpp::to(divisor == 1 ? made : made / divisor, self.dtype());
}
template <class TapsOf>
Tensor averaged_gradient(const Tensor &grad, int n, IntList size, double divisor, const TapsOf &taps_of) {
  Tensor made = in_float(grad);
  for (int d = 0; d < n; ++d) made = distributed(made, grad.dim() - n + d, taps_of(d), size[size_t(d)]);
  return thpp::to(divisor == 1 ? made : made / divisor, grad.dtype());
}

}  // namespace

// ---- max ---------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> fallback::max_pool(const Tensor &self, IntList kernel, IntList stride, IntList padding,
                                              IntList dilation, bool ceil_mode) {
  const size_t n = kernel.size();
  // The kernel's own shape.
  const Tensor shaped = std::get<0>(thpp::_max_pool(on_meta(self), kernel, stride, padding, dilation, ceil_mode));
  std::vector<Tensor> windows;
  for (size_t d = 0; d < n; ++d)
    windows.push_back(windows_of(size_of(self, n, int(d)), size_of(shaped, n, int(d)), kernel[d], stride[d], padding[d],
                                 dilation[d], self.device()));
  return greatest_of(self, n, places_of(windows, last_sizes(self, n)), shaped.sizes());
}

Tensor fallback::max_pool_backward(const Tensor &grad_output, const Tensor &self, const Tensor &indices,
                                   int64_t dimensions) {
  const IntList size = last_sizes(self, size_t(dimensions));
  const Tensor from = as_planes(grad_output, size.size());
  const Tensor none = thpp::zeros({from.size(0), product(size)}, from.dtype(), from.device());
  return thpp::view(thpp::scatter_add(none, 1, as_planes(indices, size.size()), from), with_last(grad_output, size));
}

Tensor fallback::max_pool_picked(const Tensor &self, const Tensor &indices, int64_t dimensions) {
  const size_t n = size_t(dimensions);
  return thpp::view(thpp::gather(as_planes(self, n), 1, as_planes(indices, n)), indices.sizes());
}

std::tuple<Tensor, Tensor> fallback::adaptive_max_pool(const Tensor &self, IntList size) {
  const size_t n = size.size();
  const Sizes shape = with_last(self, size);
  if (!product(shape))
    return {thpp::zeros(shape, self.dtype(), self.device()), thpp::zeros(shape, TH_Long, self.device())};
  std::vector<Tensor> windows;
  for (size_t d = 0; d < n; ++d) windows.push_back(shares_of(size_of(self, n, int(d)), size[d], self.device()));
  return greatest_of(self, n, places_of(windows, last_sizes(self, n)), shape);
}

std::tuple<Tensor, Tensor> fallback::fractional_max_pool(const Tensor &self, IntList kernel, IntList size,
                                                         const Tensor &samples) {
  const size_t n = size.size();
  const int64_t batch = self.dim() == int(n) + 2 ? self.size(0) : 1;
  const Tensor random = thpp::narrow(in_float(samples), 0, 0, batch);
  return greatest_of(self, n, fractional_places(last_sizes(self, n), kernel, size, random), with_last(self, size));
}

Tensor fallback::max_unpool(const Tensor &self, const Tensor &indices, IntList size) {
  const Tensor from = as_planes(self, size.size());
  const Tensor none = thpp::zeros({from.size(0), product(size)}, self.dtype(), self.device());
  return thpp::view(thpp::scatter(none, 1, as_planes(indices, size.size()), from), with_last(self, size));
}

// ---- averages ----------------------------------------------------------------------------------------------

Tensor fallback::avg_pool(const Tensor &self, IntList kernel, IntList stride, IntList padding, bool ceil_mode,
                          bool count_include_pad, std::optional<int64_t> divisor) {
  const size_t n = kernel.size();
  // The kernel's own shape.
  const Tensor shaped = thpp::_avg_pool(on_meta(self), kernel, stride, padding, ceil_mode, count_include_pad, divisor);
  const AverageSteps how{kernel, stride, padding, count_include_pad, divisor};
  const bool integers = self.dtype() == TH_Long;
  const Tensor made = averaged(self, int(n), integers ? 1 : double(divisor.value_or(1)), [&](int d) {
    return how.taps(d, size_of(self, n, d), size_of(shaped, n, d), integers, self.device());
  });
  return integers ? how.divided(made, int(n), last_sizes(self, n)) : made;
}

Tensor fallback::avg_pool_backward(const Tensor &grad_output, const Tensor &self, IntList kernel, IntList stride,
                                   IntList padding, bool, bool count_include_pad, std::optional<int64_t> divisor) {
  const size_t n = kernel.size();
  const IntList size = last_sizes(self, n);
  const AverageSteps how{kernel, stride, padding, count_include_pad, divisor};
  return averaged_gradient(grad_output, int(n), size, double(divisor.value_or(1)), [&](int d) {
    return how.taps(d, size[size_t(d)], size_of(grad_output, n, d), false, grad_output.device());
  });
}

Tensor fallback::adaptive_avg_pool(const Tensor &self, IntList size) {
  return averaged(self, int(size.size()), 1, [&](int d) {
    return averages_of_shares(size_of(self, size.size(), d), size[size_t(d)], self.device());
  });
}

Tensor fallback::adaptive_avg_pool_backward(const Tensor &grad_output, const Tensor &self, int64_t dimensions) {
  const IntList size = last_sizes(self, size_t(dimensions));
  return averaged_gradient(grad_output, int(dimensions), size, 1, [&](int d) {
    return averages_of_shares(size[size_t(d)], size_of(grad_output, size.size(), d), grad_output.device());
  });
}

}  // namespace thpp
