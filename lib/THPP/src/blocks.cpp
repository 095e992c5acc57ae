#include "blocks.h"

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
    if (steps.dilation[d] > 1)
      view = thpp::slice(view, int64_t(2 + n + d), 0, span_of(steps, d), steps.dilation[d]);
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

Windows windows_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
  Windows made{count, kernel, {}};
  for (int64_t o = 0; o < count; ++o) {
    const int64_t begin = o * stride - padding;
    const int64_t first = begin < 0 ? begin + (-begin + dilation - 1) / dilation * dilation : begin;
    for (int64_t k = 0; k < kernel; ++k) {
      const int64_t at = begin + k * dilation;
      made.elements.push_back(at >= 0 && at < size ? at : first);
    }
  }
  return made;
}

namespace {

// Window o of n is [o size / n, (o + 1) size / n), rounded outwards.
std::pair<int64_t, int64_t> share_of(int64_t o, int64_t n, int64_t size) {
  return {o * size / n, ((o + 1) * size + n - 1) / n};
}

int64_t largest_share(int64_t size, int64_t count) {
  int64_t most = 0;
  for (int64_t o = 0; o < count; ++o) {
    const auto [first, last] = share_of(o, count, size);
    most = std::max(most, last - first);
  }
  return most;
}

}  // namespace

Windows shares_of(int64_t size, int64_t count) {
  Windows made{count, largest_share(size, count), {}};
  for (int64_t o = 0; o < count; ++o) {
    const auto [first, last] = share_of(o, count, size);
    for (int64_t k = 0; k < made.most; ++k) made.elements.push_back(first + k < last ? first + k : first);
  }
  return made;
}

Tensor places_of(const std::vector<Windows> &windows, IntList size, THDevice device) {
  const size_t n = windows.size();
  Tensor sum;
  int64_t step = 1, count = 1, most = 1;
  for (size_t d = n; d-- > 0; step *= size[d]) {
    Sizes shape(2 * n, 1), places = windows[d].elements;
    shape[d] = windows[d].count, shape[n + d] = windows[d].most;
    count *= windows[d].count, most *= windows[d].most;
    for (int64_t &place : places) place *= step;
    const Tensor part = thpp::view(listed_on(places, TH_Long, device), shape);
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

Taps averages_of(int64_t size, int64_t count, int64_t kernel, int64_t stride, int64_t padding, bool counts_padding,
                 bool whole) {
  Taps taps(count, kernel);
  for (int64_t o = 0; o < count; ++o) {
    const int64_t begin = o * stride - padding, end = std::min(begin + kernel, size + padding);
    const int64_t first = std::max<int64_t>(begin, 0), last = std::min(end, size);
    const int64_t counted = counts_padding ? end - begin : last - first;
    const double share = whole ? 1 : 1 / double(std::max<int64_t>(counted, 1));
    for (int64_t i = first; i < last; ++i) taps.set(o, i - first, i, share);
  }
  return taps;
}

Taps averages_of_shares(int64_t size, int64_t count) {
  Taps taps(count, largest_share(size, count));
  for (int64_t o = 0; o < count; ++o) {
    const auto [first, last] = share_of(o, count, size);
    for (int64_t i = first; i < last; ++i) taps.set(o, i - first, i, 1 / double(last - first));
  }
  return taps;
}

}  // namespace thpp
