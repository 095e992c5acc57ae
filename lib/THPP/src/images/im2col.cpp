#include "im2col.h"

#include <algorithm>

#include "operators.h"

namespace thpp {

namespace {

using Sizes = std::vector<int64_t>;

int64_t span_of(const Steps &steps, size_t d) { return steps.dilation[d] * (steps.kernel[d] - 1) + 1; }

}  // namespace

Tensor blocks(const Tensor &self, const Steps &steps) {
  const size_t n = steps.kernel.size();
  Sizes around;
  for (size_t d = n; d-- > 0;) around.insert(around.end(), 2, steps.padding[d]);
  Tensor view = std::ranges::any_of(around, [](int64_t p) { return p != 0; }) ? thpp::constant_pad_nd(self, around)
                                                                              : self;
  for (size_t d = 0; d < n; ++d) view = thpp::unfold(view, int64_t(d) + 2, span_of(steps, d), steps.stride[d]);
  for (size_t d = 0; d < n; ++d)
    if (steps.dilation[d] > 1) view = thpp::slice(view, int64_t(2 + n + d), 0, span_of(steps, d), steps.dilation[d]);
  return view;
}

Tensor from_blocks(const Tensor &parts, IntList size, const Steps &steps) {
  const size_t n = steps.kernel.size();
  Sizes shape = {parts.size(0), parts.size(1)};
  int64_t offsets = 1;
  for (size_t d = 0; d < n; ++d) {
    shape.push_back(size[d] + 2 * steps.padding[d]);
    offsets *= steps.kernel[d];
  }
  const Tensor sums = thpp::zeros(shape, parts.dtype(), parts.device());
  for (int64_t offset = 0; offset < offsets; ++offset) {
    Tensor to = sums, from = parts;
    int64_t rest = offset;
    for (size_t d = n; d-- > 0; rest /= steps.kernel[d]) {
      const int64_t k = rest % steps.kernel[d], first = k * steps.dilation[d], positions = parts.size(int(d) + 2);
      to = thpp::slice(to, int64_t(d) + 2, first, first + (positions - 1) * steps.stride[d] + 1, steps.stride[d]);
      from = thpp::select(from, int64_t(2 + n + d), k);  // the last dimension each time
    }
    thpp::add_(to, from);
  }
  Tensor result = sums;
  for (size_t d = 0; d < n; ++d) result = thpp::narrow(result, int64_t(d) + 2, steps.padding[d], size[d]);
  return thpp::contiguous(result);
}

namespace {

Tensor whole(int64_t n) { return wrapped_number(n); }
Tensor numbers(int64_t n, THDevice device) {
  return thpp::arange(Scalar(n), std::optional(TH_Long), std::optional(device));
}
Tensor times(const Tensor &t, int64_t by) { return t * whole(by); }
Tensor floor_divided(const Tensor &t, int64_t by) { return thpp::floor_divide(t, whole(by)); }

// Windows [first, last), (count, 1) each.
struct Bounds {
  Tensor first, last;
};
Bounds bounds_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, THDevice device) {
  const Tensor begin = thpp::unsqueeze(times(numbers(count, device), stride), 1) - whole(padding);
  return {thpp::clamp_min(begin, whole(0)), thpp::clamp_max(begin + whole(kernel), whole(size))};
}
Bounds bounds_of_shares(int64_t size, int64_t count, THDevice device) {
  const Tensor o = thpp::unsqueeze(numbers(count, device), 1);
  return {floor_divided(times(o, size), count), floor_divided(times(o + whole(1), size) + whole(count - 1), count)};
}
int64_t largest_share(int64_t size, int64_t count) {
  int64_t most = 0;
  for (int64_t o = 0; o < count; ++o) most = std::max(most, ((o + 1) * size + count - 1) / count - o * size / count);
  return most;
}

// The `most` elements from the first on; `otherwise` those that are not before the last.
Tensor elements_of(const Bounds &bounds, int64_t most, const Tensor &otherwise) {
  const Tensor at = bounds.first + numbers(most, bounds.first.device());
  return thpp::where(thpp::lt(at, bounds.last), at, otherwise);
}

}  // namespace

Tensor windows_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation,
                  THDevice device) {
  const Tensor begin = thpp::unsqueeze(times(numbers(count, device), stride), 1) - whole(padding);
  const Tensor before = floor_divided(thpp::clamp_min(-begin, whole(0)) + whole(dilation - 1), dilation);
  const Tensor at = begin + times(numbers(kernel, device), dilation);
  const Tensor inside = thpp::logical_and(thpp::ge(at, whole(0)), thpp::lt(at, whole(size)));
  return thpp::where(inside, at, begin + times(before, dilation));
}

Tensor shares_of(int64_t size, int64_t count, THDevice device) {
  const Bounds bounds = bounds_of_shares(size, count, device);
  return elements_of(bounds, largest_share(size, count), bounds.first);
}

Tensor fractional_places(IntList space, IntList kernel, IntList size, const Tensor &samples) {
  const int n = int(size.size());
  const int64_t planes = samples.size(0) * samples.size(1);
  const auto count = [&](int64_t to) { return thpp::arange(Scalar(to), std::optional(TH_Long), samples.device()); };
  Tensor places;
  int64_t step = 1;
  for (int d = n - 1; d >= 0; step *= space[size_t(d)], --d) {
    const int64_t out = size[size_t(d)], width = kernel[size_t(d)], last = space[size_t(d)] - width;
    Sizes windows(size_t(2 * n + 1), 1), elements = windows;
    windows[0] = planes, windows[size_t(d + 1)] = out, elements[size_t(n + d + 1)] = width;
    const Tensor sample = thpp::reshape(thpp::select(samples, 2, n == 3 ? d : n - 1 - d), {planes, 1});
    // A quotient of numbers of the samples' dtype.
    const double length = samples.dtype() == TH_Double ? double(last) / double(out - 1)
                                                       : double(float(last) / float(out - 1));
    const double each = out > 1 ? length : 0;
    const Tensor order = thpp::to(count(out), samples.dtype());
    Tensor start = thpp::to((order + sample) * each, TH_Long) - thpp::to(sample * each, TH_Long);
    start = thpp::masked_fill(start, thpp::eq(count(out), wrapped_number(out - 1)), wrapped_number(last));
    start = thpp::clamp(start, wrapped_number(int64_t(0)), wrapped_number(last));
    const Tensor at = (thpp::reshape(start, windows) + thpp::view(count(width), elements)) * wrapped_number(step);
    places = places.defined() ? places + at : at;
  }
  return thpp::reshape(places, {planes, product(size), product(kernel)});
}

Tensor places_of(const std::vector<Tensor> &windows, IntList size) {
  const size_t n = windows.size();
  Tensor sum;
  int64_t step = 1, count = 1, most = 1;
  for (size_t d = n; d-- > 0; step *= size[d]) {
    Sizes shape(2 * n, 1);
    shape[d] = windows[d].size(0), shape[n + d] = windows[d].size(1);
    count *= windows[d].size(0), most *= windows[d].size(1);
    const Tensor part = thpp::view(thpp::contiguous(times(windows[d], step)), shape);
    sum = sum.defined() ? sum + part : part;
  }
  return thpp::reshape(sum, {count, most});
}

std::pair<Tensor, Tensor> greatest(const Tensor &planes, const Tensor &places) {
  const int64_t n = planes.size(0), count = places.size(-2), most = places.size(-1);
  const bool own = places.dim() == 3;
  const Tensor all = own ? places : thpp::expand(places, {n, count, most});
  const Tensor found = own ? thpp::gather(planes, 1, thpp::reshape(places, {n, count * most}))
                           : thpp::index_select(planes, 1, thpp::reshape(places, {-1}));
  const auto [values, which] = thpp::max(thpp::reshape(found, {n, count, most}), 2, true);
  return {thpp::squeeze(values, {2}), thpp::squeeze(thpp::gather(all, 2, which), {2})};
}

namespace {

// How many elements of a dimension each window has, at least 1; counts_padding: with what lies around them.
Tensor counts_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, bool counts_padding,
                 THDevice device) {
  const Bounds bounds = bounds_of(size, count, kernel, stride, padding, device);
  if (!counts_padding) return thpp::clamp_min(bounds.last - bounds.first, whole(1));
  const Tensor begin = thpp::unsqueeze(times(numbers(count, device), stride), 1) - whole(padding);
  return thpp::clamp_min(thpp::clamp_max(begin + whole(kernel), whole(size + padding)) - begin, whole(1));
}

// Sums of windows, divided by such numbers, or by those that broadcast with them.
Taps averages_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, const Tensor &counts) {
  const Tensor index = elements_of(bounds_of(size, count, kernel, stride, padding, counts.device()), kernel,
                                   whole(size));
  return {index, thpp::expand(1 / thpp::to(counts, TH_Double), index.sizes())};
}

}  // namespace

Tensor AverageSteps::counts(int d, int64_t size, int64_t count, THDevice device) const {
  const size_t i = size_t(d);
  return counts_of(size, count, kernel[i], stride[i], padding[i], counts_padding, device);
}

Taps AverageSteps::taps(int d, int64_t size, int64_t count, bool sums, THDevice device) const {
  const size_t i = size_t(d);
  return averages_of(size, count, kernel[i], stride[i], padding[i],
                     sums || divisor ? thpp::ones({1, 1}, TH_Long, device) : counts(d, size, count, device));
}

Tensor AverageSteps::divided(const Tensor &sums, int n, IntList size) const {
  if (divisor) return thpp::div(sums, wrapped_number(*divisor), "trunc");
  Tensor made = thpp::ones({}, TH_Long, sums.device());
  for (int d = 0; d < n; ++d) {
    Sizes shape(size_t(n), 1);
    shape[size_t(d)] = sums.size(sums.dim() - n + d);
    made = made * thpp::view(counts(d, size[size_t(d)], shape[size_t(d)], sums.device()), shape);
  }
  return thpp::div(sums, made, "trunc");
}

Taps averages_of_shares(int64_t size, int64_t count, THDevice device) {
  const Bounds bounds = bounds_of_shares(size, count, device);
  const Tensor index = elements_of(bounds, largest_share(size, count), whole(size));
  return {index, thpp::expand(1 / thpp::to(bounds.last - bounds.first, TH_Double), index.sizes())};
}

}  // namespace thpp
