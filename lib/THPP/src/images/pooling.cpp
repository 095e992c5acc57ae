// Pooling: sizes and checks as torch has them; pooling_composed.cpp has what stands in for the kernels.
#include <algorithm>
#include <string>
#include <THNN/Check.h>

#include "arguments.h"
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

using Sizes = std::vector<int64_t>;

const char *word_of(int n) { return n == 3 ? "three" : "two"; }

// One entry per dimension; `words`: how the message goes on.
Sizes entries(IntList given, int n, const char *op, const char *name, const char *words) {
  if (given.size() == 1) return Sizes(size_t(n), given[0]);
  if (given.size() != size_t(n))
    THError(TH_ERROR_RUNTIME, "%s%dd: %s must %s, or a tuple of %s ints", op, n, name, words, word_of(n));
  return {given.begin(), given.end()};
}

// Of functions over one dimension, which are those over two of one row.
void require_dims_1d(const char *name, const Tensor &self) {
  if (self.dim() != 2 && self.dim() != 3)
    THError(
        TH_ERROR_RUNTIME,
        "Expected 2 to 3 dimensions, but got %d-dimensional tensor for argument #1 'self' (while checking arguments "
        "for %s)",
        self.dim(), name);
}
Sizes one_row(const char *name, const char *argument, IntList given, int64_t of_row) {
  if (given.size() != 1)
    THError(TH_ERROR_RUNTIME, "%s() argument '%s' should contain one int (got %zu)", name, argument, given.size());
  return {of_row, given[0]};
}
Tensor as_rows(const Tensor &self) { return thpp::unsqueeze(self, -2); }
Tensor from_rows(const Tensor &self) { return thpp::squeeze(self, {-2}); }

void require_batch(const char *name, int n, const Tensor &self, const char *colon) {
  if (self.dim() != n + 1 && self.dim() != n + 2)
    THError(TH_ERROR_RUNTIME, "%s(): Expected %dD or %dD tensor, but got%s %s", name, n + 1, n + 2, colon,
            shape_text(self).c_str());
}

void throw_empty(const char *name, const Tensor &self, int first, const char *got, const char *end = "") {
  for (int d = first; d < self.dim(); ++d)
    if (!self.size(d))
      THError(TH_ERROR_RUNTIME,
              "%s(): Expected input to have non-zero size for non-batch dimensions, but %s%s with dimension %d being "
              "empty%s",
              name, got, shape_text(self).c_str(), d, end);
}

void max_pool(Tensor &result, Tensor &indices, int n, const Tensor &self, IntList kernel, IntList stride,
              IntList padding, IntList dilation, bool ceil_mode) {
  const Sizes size = entries(kernel, n, "max_pool", "kernel_size", "either be a single int");
  const Sizes steps = stride.empty() ? size
                                     : entries(stride, n, "max_pool", "stride", "either be omitted, a single int");
  const Sizes pad = entries(padding, n, "max_pool", "padding", "either be a single int");
  const Sizes spread = entries(dilation, n, "max_pool", "dilation", "be either a single int");
  if (self.dtype() == TH_Bool || is_complex(self.dtype()))
    throw_kernel(n == 3 ? "max_pool3d" : "max_pool2d", self.dtype());
  thpp::_max_pool_out(result, indices, self, size, steps, pad, spread, ceil_mode);
}

// Those of max_pool1d, in its order.
void check_max_pool1d(const Tensor &self, IntList kernel, IntList stride, IntList padding, IntList dilation,
                      bool ceil_mode) {
  const auto empty_after = [&](int first) {
    for (int d = first; d < self.dim(); ++d)
      if (!self.size(d)) return true;
    return false;
  };
  if ((self.dim() != 2 && self.dim() != 3) || empty_after(self.dim() - 2))
    THError(TH_ERROR_RUNTIME,
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:%s",
            shape_text(self).c_str());
  const auto one = [](IntList list, const char *name, const char *words) {
    if (list.size() != 1)
      THError(TH_ERROR_RUNTIME, "max_pool1d() %s must be %s of size 1 but got size %zu", name, words, list.size());
    return list[0];
  };
  const int64_t size = one(kernel, "kernel_size", "an int, list of ints or tuple of ints");
  const int64_t step = stride.empty() ? size : one(stride, "stride", "None, an int, list of ints, or tuple of ints");
  const int64_t pad = one(padding, "padding", "an int, list of ints, or tuple of ints");
  const int64_t spread = one(dilation, "dilation", "an int, list of ints, or tuple of ints");
  const auto positive = [](int64_t value, const char *name) {
    if (value <= 0)
      THError(TH_ERROR_RUNTIME, "max_pool1d() %s must be greater than zero, but got %lld", name, (long long)value);
  };
  positive(size, "kernel_size");
  positive(step, "stride");
  if (pad < 0) THError(TH_ERROR_RUNTIME, "max_pool1d() padding must be non-negative, but got %lld", (long long)pad);
  if (pad > size / 2)
    THError(TH_ERROR_RUNTIME,
            "max_pool1d() padding should be at most half of kernel size, but got padding=%lld and kernel_size=%lld",
            (long long)pad, (long long)size);
  positive(spread, "dilation");
  const int64_t rest = self.size(self.dim() - 1) + 2 * pad - spread * (size - 1) - 1 + (ceil_mode ? step - 1 : 0);
  if (rest < 0)
    THError(TH_ERROR_RUNTIME, "max_pool1d() Invalid computed output size: %lld",
            (long long)(-((-rest + step - 1) / step) + 1));
  if (!is_floating(self.dtype())) throw_kernel("max_pool1d_impl", self.dtype());
}

Tensor avg_pool(int n, const Tensor &self, IntList kernel, IntList stride, IntList padding, bool ceil_mode,
                bool count_include_pad, std::optional<int64_t> divisor) {
  const bool three = n == 3;
  const Sizes size = entries(kernel, n, "avg_pool", "kernel_size",
                             three ? "be a single int" : "either be a single int");
  const Sizes steps = stride.empty() ? size
                                     : entries(stride, n, "avg_pool", "stride",
                                               three ? "be omitted, a single int" : "either be omitted, a single int");
  const Sizes pad = entries(padding, n, "avg_pool", "padding", three ? "be a single int" : "either be a single int");
  if (divisor == 0) THError(TH_ERROR_RUNTIME, "divisor must be not zero");
  if (!three && self.dim() < 3) TH_wrapDim(-3, self.dim());
  if (!three && self.dim() > 4)
    THError(TH_ERROR_RUNTIME,
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:%s",
            shape_text(self).c_str());
  if (self.dtype() != TH_Long) require_floating(three ? "avg_pool3d_out_frame" : "avg_pool2d", self);
  return thpp::_avg_pool(self, size, steps, pad, ceil_mode, count_include_pad, divisor);
}

std::string listed(IntList list) {
  const std::string bracketed = text(list);
  return bracketed.substr(1, bracketed.size() - 2);
}

const char *adaptive_avg_name(int n) { return n == 3 ? "adaptive_avg_pool3d" : "adaptive_avg_pool2d"; }

void check_adaptive_avg(int n, IntList size) {
  if (size.size() != size_t(n)) THError(TH_ERROR_RUNTIME, "%s: output_size must be %d", adaptive_avg_name(n), n);
  if (std::ranges::any_of(size, [](int64_t s) { return s < 0; }))
    THError(TH_ERROR_RUNTIME, "%s: elements of output_size must be greater than or equal to 0 but received {%s}",
            adaptive_avg_name(n), listed(size).c_str());
}

Tensor adaptive_avg_kernel(int n, const Tensor &self, IntList given) {
  const Sizes size = each_of(given, size_t(n));
  check_adaptive_avg(n, size);
  const char *const name = adaptive_avg_name(n);
  require_batch(name, n, self, "");
  throw_empty(name, self, self.dim() - n, "input has sizes ");
  (n == 3 ? require_floating_kernel : require_floating)(name, self);
  return thpp::_adaptive_avg_pool(self, size);
}

// One window is the mean of all.
Tensor adaptive_avg(int n, const Tensor &self, IntList given) {
  const Sizes size = each_of(given, size_t(n));
  check_adaptive_avg(n, size);
  if (std::ranges::any_of(size, [](int64_t s) { return s != 1; }))
    return n == 3 ? thpp::_adaptive_avg_pool3d(self, size) : thpp::_adaptive_avg_pool2d(self, size);
  return n == 3 ? thpp::mean(self, {-1, -2, -3}, true) : thpp::mean(self, {-1, -2}, true);
}

void adaptive_max(Tensor &result, Tensor &indices, int n, const Tensor &self, IntList given) {
  const Sizes size = each_of(given, size_t(n));
  const char *const name = n == 3 ? "adaptive_max_pool3d" : "adaptive_max_pool2d";
  require_batch(name, n, self, ":");
  throw_empty(name, self, self.dim() - n, "input has sizes ");
  if (size.size() != size_t(n))
    THError(TH_ERROR_RUNTIME, "%s(): internal error: output_size.size() must be %d", name, n);
  Sizes shape(self.sizes().begin(), self.sizes().end() - n);
  shape.insert(shape.end(), size.begin(), size.end());
  TH_numel(int(shape.size()), shape.data());  // refuses negative sizes
  (n == 3 ? require_floating_kernel : require_floating)(name, self);
  thpp::_adaptive_max_pool_out(result, indices, self, size);
}

void fractional_max(Tensor &result, Tensor &indices, int n, const Tensor &self, IntList kernel, IntList size,
                    const Tensor &samples) {
  const char *const name = n == 3 ? "fractional_max_pool3d" : "fractional_max_pool2d";
  const auto require_entries = [&](IntList list, const char *argument) {
    if (list.size() != size_t(n))
      THError(TH_ERROR_RUNTIME, "%s: %s must either be a single Int or tuple of %sInts", name, argument,
              n == 3 ? "three " : "");
  };
  require_entries(kernel, "kernel_size");
  require_entries(size, "output_size");
  const std::string called = n == 3 ? std::string(name) + "_out" : name;
  require_batch(called.c_str(), n, self, ":");
  throw_empty(called.c_str(), self, self.dim() - n - 1, "got", ".");
  // Of three dimensions one window needs room to move, as in torch.
  static constexpr const char *words[] = {"time", "height", "width"};
  for (int d = 0; d < n; ++d) {
    const int64_t length = self.size(self.dim() - n + d), needed = size[size_t(d)] + kernel[size_t(d)] - 1;
    const char *const word = words[3 - n + d];
    if (needed > length - (n == 3))
      THError(TH_ERROR_RUNTIME, "%s(): pool %s %lld too large relative to input %s %lld", called.c_str(), word,
              (long long)kernel[size_t(d)], word, (long long)length);
  }
  if (samples.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME, "Expect _random_samples to have the same dtype as input");
  require_floating(name, self);
  thpp::_fractional_max_pool_out(result, indices, self, kernel, size, samples);
}

Tensor unpool(int n, const Tensor &self, const Tensor &indices, IntList size) {
  THNNCheck_maxima(indices.get());
  if (size.size() != size_t(n))
    THError(TH_ERROR_RUNTIME,
            "There should be exactly %s elements (%sheight, width) in output_size, but got %zu elements.", word_of(n),
            n == 3 ? "depth, " : "", size.size());
  if (self.dim() != n + 1 && self.dim() != n + 2)
    THError(TH_ERROR_RUNTIME,
            "Input to max_unpooling%dd should be a %dd or %dd Tensor, but got a tensor with %d dimensions.", n, n + 1,
            n + 2, self.dim());
  if (!std::ranges::equal(self.sizes(), indices.sizes()))
    THError(
        TH_ERROR_RUNTIME,
        "Expected shape of indices to be same as that of the input tensor (%s) but got indices tensor with shape: %s",
        shape_text(self).c_str(), shape_text(indices).c_str());
  const char *const kernel = n == 3 ? "max_unpooling3d_forward_out" : "max_unpooling2d_forward_out";
  throw_empty(kernel_for(self, kernel).c_str(), self, self.dim() == n + 2 ? 1 : 0, "got ", ".");
  require_floating(n == 3 ? "max_unpool3d" : "max_unpool2d", self);
  return thpp::_max_unpool(self, indices, size);
}

}  // namespace

// ---- max ---------------------------------------------------------------------------------------------------

Tensor body::max_pool1d(const Tensor &self, IntList kernel_size, IntList stride, IntList padding, IntList dilation,
                        bool ceil_mode) {
  check_max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode);
  return std::get<0>(thpp::max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

void body::max_pool1d_with_indices_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList kernel_size,
                                       IntList stride, IntList padding, IntList dilation, bool ceil_mode) {
  const char *const name = "max_pool1d";
  require_dims_1d(name, self);
  const Sizes size = one_row(name, "kernel_size", kernel_size, 1);
  const Sizes steps = stride.empty() ? size : one_row(name, "stride", stride, 1);
  const auto [values, indices] = thpp::nn_max_pool2d_with_indices(as_rows(self), size, steps,
                                                                  one_row(name, "padding", padding, 0),
                                                                  one_row(name, "dilation", dilation, 1), ceil_mode);
  write_out(result0, from_rows(values));
  write_out(result1, from_rows(indices));
}

Tensor body::max_pool2d(const Tensor &self, IntList kernel_size, IntList stride, IntList padding, IntList dilation,
                        bool ceil_mode) {
  return std::get<0>(thpp::nn_max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}
Tensor body::max_pool3d(const Tensor &self, IntList kernel_size, IntList stride, IntList padding, IntList dilation,
                        bool ceil_mode) {
  return std::get<0>(thpp::nn_max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

void body::nn_max_pool2d_with_indices_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList kernel_size,
                                          IntList stride, IntList padding, IntList dilation, bool ceil_mode) {
  max_pool(result0, result1, 2, self, kernel_size, stride, padding, dilation, ceil_mode);
}
void body::nn_max_pool3d_with_indices_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList kernel_size,
                                          IntList stride, IntList padding, IntList dilation, bool ceil_mode) {
  max_pool(result0, result1, 3, self, kernel_size, stride, padding, dilation, ceil_mode);
}

// ---- average -------------------------------------------------------------------------------------------------

Tensor body::avg_pool1d(const Tensor &self, IntList kernel_size, IntList stride, IntList padding, bool ceil_mode,
                        bool count_include_pad) {
  const char *const name = "avg_pool1d";
  require_dims_1d(name, self);
  const Sizes size = one_row(name, "kernel_size", kernel_size, 1);
  const Sizes steps = stride.empty() ? size : one_row(name, "stride", stride, 1);
  const Sizes pad = one_row(name, "padding", padding, 0);
  return from_rows(thpp::nn_avg_pool2d(as_rows(self), size, steps, pad, ceil_mode, count_include_pad, std::nullopt));
}

Tensor body::nn_avg_pool2d(const Tensor &self, IntList kernel_size, IntList stride, IntList padding, bool ceil_mode,
                           bool count_include_pad, std::optional<int64_t> divisor_override) {
  return avg_pool(2, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}
Tensor body::nn_avg_pool3d(const Tensor &self, IntList kernel_size, IntList stride, IntList padding, bool ceil_mode,
                           bool count_include_pad, std::optional<int64_t> divisor_override) {
  return avg_pool(3, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}

// ---- adaptive ------------------------------------------------------------------------------------------------

Tensor body::adaptive_avg_pool1d(const Tensor &self, IntList output_size) {
  require_dims_1d("adaptive_avg_pool1d", self);
  const Sizes size = one_row("adaptive_avg_pool1d", "output_size", output_size, 1);
  return from_rows(thpp::nn_adaptive_avg_pool2d(as_rows(self), size));
}
Tensor body::nn_adaptive_avg_pool2d(const Tensor &self, IntList output_size) {
  return adaptive_avg(2, self, output_size);
}
Tensor body::nn_adaptive_avg_pool3d(const Tensor &self, IntList output_size) {
  return adaptive_avg(3, self, output_size);
}
Tensor body::_adaptive_avg_pool2d(const Tensor &self, IntList output_size) {
  return adaptive_avg_kernel(2, self, output_size);
}
Tensor body::_adaptive_avg_pool3d(const Tensor &self, IntList output_size) {
  return adaptive_avg_kernel(3, self, output_size);
}
void body::adaptive_max_pool1d_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList output_size) {
  const char *const name = "adaptive_max_pool1d";
  require_dims_1d(name, self);
  const Sizes size = one_row(name, "output_size", output_size, 1);
  throw_empty(name, self, self.dim() - 1, "input has sizes ");
  const auto [values, indices] = thpp::nn_adaptive_max_pool2d(as_rows(self), size);
  write_out(result0, from_rows(values));
  write_out(result1, from_rows(indices));
}
void body::nn_adaptive_max_pool2d_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList output_size) {
  adaptive_max(result0, result1, 2, self, output_size);
}
void body::nn_adaptive_max_pool3d_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList output_size) {
  adaptive_max(result0, result1, 3, self, output_size);
}

// ---- fractional, and the inverse -----------------------------------------------------------------------------

void body::nn_fractional_max_pool2d_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList kernel_size,
                                        IntList output_size, const Tensor &random_samples) {
  fractional_max(result0, result1, 2, self, kernel_size, output_size, random_samples);
}
void body::nn_fractional_max_pool3d_out(Tensor &result0, Tensor &result1, const Tensor &self, IntList kernel_size,
                                        IntList output_size, const Tensor &random_samples) {
  fractional_max(result0, result1, 3, self, kernel_size, output_size, random_samples);
}

Tensor body::nn_max_unpool2d(const Tensor &self, const Tensor &indices, IntList output_size) {
  return unpool(2, self, indices, output_size);
}
Tensor body::nn_max_unpool3d(const Tensor &self, const Tensor &indices, IntList output_size, IntList stride,
                             IntList padding) {
  const auto require_entries = [](IntList list, const char *name) {
    if (list.size() != 3)
      THError(TH_ERROR_RUNTIME,
              "There should be exactly three elements (depth, height, width) in %s, but got: %zu elements.", name,
              list.size());
  };
  require_entries(stride, "stride");
  require_entries(padding, "padding");
  if (std::ranges::any_of(stride, [](int64_t s) { return s <= 0; }))
    THError(TH_ERROR_RUNTIME, "strides should be greater than zero, but got stride: %s", text(stride).c_str());
  return unpool(3, self, indices, output_size);
}

}  // namespace thpp
