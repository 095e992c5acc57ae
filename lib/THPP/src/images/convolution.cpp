// Convolutions of any kind, from THNN's three kernels.
#include <algorithm>
#include <string>
#include <THNN/Check.h>

#include "im2col.h"
#include "operators.h"

namespace thpp {

namespace {

// One entry per dimension.
std::vector<int64_t> entries(IntList given, int n, const char *name) {
  if (given.size() == 1) return std::vector<int64_t>(size_t(n), given[0]);
  if (given.size() != size_t(n))
    THError(TH_ERROR_RUNTIME,
            "expected %s to be a single integer value or a list of %d values to match the convolution dimensions, but "
            "got %s=%s",
            name, n, name, text(given).c_str());
  return {given.begin(), given.end()};
}

// In torch's order of complaints.
void check_types(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  const auto require = [&](const Tensor &t, const char *name) {
    if (t.defined() && t.dtype() != input.dtype())
      THError(TH_ERROR_RUNTIME, "Input type (%s) and %s type (%s) should be the same", TH_dtypeName(input.dtype()),
              name, TH_dtypeName(t.dtype()));
  };
  require(weight, "weight");
  require(bias, "bias");
}

// With a batch; `batched` says whether it had one.
Tensor as_batch(const Tensor &input, int n, const char *name, bool &batched) {
  batched = input.dim() == n + 2;
  if (!batched && input.dim() != n + 1)
    THError(TH_ERROR_RUNTIME, "Expected %dD (unbatched) or %dD (batched) input to %s, but got input of size: %s", n + 1,
            n + 2, name, shape_text(input).c_str());
  return batched ? input : thpp::unsqueeze(input, 0);
}

Tensor convolved(int n, const char *name, const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride,
                 IntList padding, IntList dilation, bool transposed, IntList output_padding, int64_t groups) {
  bool batched;
  const Tensor batch = as_batch(input, n, name, batched);
  const Tensor result = thpp::convolution(batch, weight, bias, entries(stride, n, "stride"),
                                          entries(padding, n, "padding"), entries(dilation, n, "dilation"), transposed,
                                          entries(output_padding, n, "output_padding"), groups);
  return batched ? result : thpp::squeeze(result, {0});
}

// With padding by name.
Tensor convolved(int n, const char *name, const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride,
                 const char *padding, IntList dilation, int64_t groups) {
  const std::string word = padding;
  const int64_t none = 0;
  if (word == "valid")
    return convolved(n, name, input, weight, bias, stride, {&none, 1}, dilation, false, {&none, 1}, groups);
  if (word != "same")
    THError(TH_ERROR_RUNTIME, "Invalid padding string: '%s'. It is 'valid' or 'same', or a number per dimension",
            padding);
  const std::vector<int64_t> strides = entries(stride, n, "stride"), dilations = entries(dilation, n, "dilation");
  if (std::ranges::any_of(strides, [](int64_t step) { return step != 1; }))
    THError(TH_ERROR_RUNTIME, "padding='same' is not supported for strided convolutions");
  if (weight.dim() != n + 2)
    THError(TH_ERROR_RUNTIME, "expected weight to have %d dimensions, but got %s", n + 2, shape_text(weight).c_str());
  std::vector<int64_t> symmetric_padding, extra_padding(size_t(2 * n));
  bool uneven = false;
  for (int d = 0; d < n; ++d) {
    const int64_t all = dilations[size_t(d)] * (weight.size(d + 2) - 1);
    symmetric_padding.push_back(all / 2);
    // At the end of the dimension; constant_pad_nd begins with the last one.
    extra_padding[size_t(2 * (n - 1 - d) + 1)] = all % 2;
    uneven = uneven || all % 2;
  }
  const Tensor padded = uneven ? thpp::constant_pad_nd(input, extra_padding, 0) : input;
  return convolved(n, name, padded, weight, bias, stride, symmetric_padding, dilation, false, {&none, 1}, groups);
}

// ---- by operators: products of matrices, whose columns are blocks of the input -------------------------------

int64_t product(const Tensor &t, int first) {
  int64_t n = 1;
  for (int d = first; d < t.dim(); ++d) n *= t.size(d);
  return n;
}

IntList kernel_of(const Tensor &weight) { return IntList(weight.sizes().data() + 2, weight.sizes().size() - 2); }

// The size of a convolution's result in each dimension.
void append_positions(std::vector<int64_t> &shape, const Tensor &input, const Steps &steps) {
  for (size_t d = 0; d < steps.kernel.size(); ++d) {
    const int64_t reach = steps.dilation[d] * (steps.kernel[d] - 1) + 1;
    shape.push_back((input.size(int(d) + 2) + 2 * steps.padding[d] - reach) / steps.stride[d] + 1);
  }
}

// weight (groups, channels of the output, channels of the input and kernel)
Tensor as_matrices(const Tensor &weight, int64_t groups) {
  return thpp::reshape(weight, {groups, weight.size(0) / groups, product(weight, 1)});
}

Tensor with_bias(const Tensor &result, const Tensor &bias) {
  if (!bias.defined()) return result;
  std::vector<int64_t> places(size_t(result.dim()), 1);
  places[1] = -1;
  thpp::add_(result, thpp::view(bias, places));
  return result;
}

// Blocks as matrices of all samples: (groups, channels and kernel, samples and positions).
Tensor as_columns(const Tensor &blocks, int n, int64_t groups) {
  std::vector<int64_t> order = {1};
  int64_t rows = blocks.size(1), columns = blocks.size(0);
  for (int d = 0; d < n; ++d) order.push_back(2 + n + d), rows *= blocks.size(2 + n + d);
  order.push_back(0);
  for (int d = 0; d < n; ++d) order.push_back(2 + d), columns *= blocks.size(2 + d);
  return thpp::reshape(thpp::permute(blocks, order), {groups, rows / groups, columns});
}

// (batch, channels, positions…) likewise: (groups, channels, samples and positions).
Tensor samples_as_columns(const Tensor &t, int64_t groups) {
  return thpp::reshape(thpp::transpose(t, 0, 1), {groups, t.size(1) / groups, t.size(0) * product(t, 2)});
}

}  // namespace

// What stands for a tensor where a kernel is to check shapes alone, whatever the dtype.
static Tensor shape_of(const Tensor &t) {
  if (!t.defined()) return t;
  return thpp::empty(t.sizes(), is_floating(t.dtype()) ? t.dtype() : TH_Float, MemoryFormat::Contiguous,
                     THDevice{TH_Meta, 0});
}

Tensor body::convolution(const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride, IntList padding,
                         IntList dilation, bool transposed, IntList output_padding, int64_t groups) {
  check_types(input, weight, bias);
  const bool integers = TH_kind(input.dtype()) == TH_KIND_int;
  if (integers && !transposed)  // shapes are judged by the kernel, which computes in floats
    thpp::_convolution_forward(shape_of(input), shape_of(weight), shape_of(bias), stride, padding, dilation, groups);
  if (!transposed) return thpp::_convolution_forward(input, weight, bias, stride, padding, dilation, groups);
  const int n = int(stride.size());
  if (input.dim() != n + 2 || weight.dim() != n + 2)
    THError(TH_ERROR_RUNTIME, "expected input and weight to have %d dimensions, but got %s and %s", n + 2,
            shape_text(input).c_str(), shape_text(weight).c_str());
  THNNCheck_transposedChannels(input.get(), weight.get());
  std::vector<int64_t> size;
  for (int d = 0; d < n; ++d) {
    const size_t i = size_t(d);
    const int64_t more = output_padding.empty() ? 0 : output_padding[i];
    if (more < 0 || more >= std::max(stride[i], dilation[i]))
      THError(TH_ERROR_RUNTIME,
              "output padding must be smaller than either stride or dilation, but got output_padding: %s, stride: %s, "
              "dilation: %s",
              text(output_padding).c_str(), text(stride).c_str(), text(dilation).c_str());
    size.push_back((input.size(d + 2) - 1) * stride[i] - 2 * padding[i] + dilation[i] * (weight.size(d + 2) - 1) +
                   more + 1);
    if (size.back() < 1)
      THError(TH_ERROR_RUNTIME,
              "Given input size per channel: %s. Calculated output size per channel: %lld in dimension "
              "%d. Output size is too small",
              shape_text(input).c_str(), (long long)size.back(), d);
  }
  if (integers)
    thpp::_convolution_transposed(shape_of(input), shape_of(weight), size, stride, padding, dilation, groups);
  return with_bias(thpp::_convolution_transposed(input, weight, size, stride, padding, dilation, groups), bias);
}

Tensor fallback::convolution_forward(const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride,
                                     IntList padding, IntList dilation, int64_t groups) {
  const Steps steps{kernel_of(weight), stride, padding, dilation};
  const Tensor columns = as_columns(blocks(input, steps), int(stride.size()), groups);
  std::vector<int64_t> turned = {weight.size(0), input.size(0)};
  append_positions(turned, input, steps);
  const Tensor made = thpp::view(thpp::bmm(as_matrices(weight, groups), columns), turned);
  return with_bias(thpp::contiguous(thpp::transpose(made, 0, 1)), bias);
}

Tensor fallback::convolution_transposed(const Tensor &input, const Tensor &weight, IntList size, IntList stride,
                                        IntList padding, IntList dilation, int64_t groups) {
  const int n = int(size.size());
  const Steps steps{kernel_of(weight), stride, padding, dilation};
  const Tensor columns = thpp::bmm(thpp::transpose(as_matrices(weight, groups), 1, 2),
                                   samples_as_columns(input, groups));
  std::vector<int64_t> parts = {weight.size(1) * groups}, order = {n + 1, 0};
  parts.insert(parts.end(), steps.kernel.begin(), steps.kernel.end());
  parts.push_back(input.size(0));
  parts.insert(parts.end(), input.sizes().begin() + 2, input.sizes().end());
  for (int d = 0; d < n; ++d) order.push_back(n + 2 + d);
  for (int d = 0; d < n; ++d) order.push_back(1 + d);
  return from_blocks(thpp::permute(thpp::view(columns, parts), order), size, steps);
}

Tensor fallback::convolution_weight(const Tensor &input, const Tensor &grad_output, IntList kernel, IntList stride,
                                    IntList padding, IntList dilation, int64_t groups) {
  const int n = int(kernel.size());
  Tensor parts = blocks(input, {kernel, stride, padding, dilation});
  for (int d = 2; d < n + 2; ++d) parts = thpp::narrow(parts, d, 0, grad_output.size(d));
  const Tensor columns = as_columns(parts, n, groups);
  std::vector<int64_t> shape = {grad_output.size(1), input.size(1) / groups};
  shape.insert(shape.end(), kernel.begin(), kernel.end());
  return thpp::view(thpp::bmm(samples_as_columns(grad_output, groups), thpp::transpose(columns, 1, 2)), shape);
}

#define CONVOLUTIONS(n)                                                                                               \
  Tensor body::conv##n##d(const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride,             \
                          IntList padding, IntList dilation, int64_t groups) {                                       \
    return convolved(n, "conv" #n "d", input, weight, bias, stride, padding, dilation, false, {0}, groups);          \
  }                                                                                                                   \
  Tensor body::conv##n##d_named(const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride,       \
                                const char *padding, IntList dilation, int64_t groups) {                             \
    return convolved(n, "conv" #n "d", input, weight, bias, stride, padding, dilation, groups);                      \
  }                                                                                                                   \
  Tensor body::conv_transpose##n##d(const Tensor &input, const Tensor &weight, const Tensor &bias, IntList stride,   \
                                    IntList padding, IntList output_padding, int64_t groups, IntList dilation) {     \
    return convolved(n, "conv_transpose" #n "d", input, weight, bias, stride, padding, dilation, true,               \
                     output_padding, groups);                                                                        \
  }
CONVOLUTIONS(1)
CONVOLUTIONS(2)
CONVOLUTIONS(3)
#undef CONVOLUTIONS

// result[t] = bias + Σ_k input[t + k - pad] @ weight[k]: the steps that a step of the kernel meets are one after another in
// memory, so that each is one product of matrices, added to the result's rows.
Tensor body::conv_tbc(const Tensor &self, const Tensor &weight, const Tensor &bias, int64_t pad) {
  if (self.dim() != 3)
    THError(TH_ERROR_RUNTIME, "Input must have 3 dims: time, batch, in_channel, but got %s", shape_text(self).c_str());
  if (weight.dim() != 3)
    THError(TH_ERROR_RUNTIME, "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels, but got %s",
            shape_text(weight).c_str());
  if (bias.dim() != 1) THError(TH_ERROR_RUNTIME, "Bias must be 1-D, but got %s", shape_text(bias).c_str());
  const int64_t batch = self.size(1), channels = weight.size(1), outputs = weight.size(2), kernel = weight.size(0);
  if (self.size(2) != channels)
    THError(TH_ERROR_RUNTIME, "Input dim 2 (input channels) is not == dim 1 in the weight tensor: %s and %s",
            shape_text(self).c_str(), shape_text(weight).c_str());
  if (bias.size(0) != outputs)
    THError(TH_ERROR_RUNTIME,
            "Bias size must equal dim 2 in the weight tensor (output channels), but got %lld and %lld",
            (long long)bias.size(0), (long long)outputs);
  for (const Tensor &other : {weight, bias})
    if (other.dtype() != self.dtype())
      THError(TH_ERROR_RUNTIME, "self and mat2 must have the same dtype, but got %s and %s", TH_typeName(self.dtype()),
              TH_typeName(other.dtype()));
  const int64_t time = self.size(0) + 2 * pad - kernel + 1;
  if (time < 0)
    THError(TH_ERROR_RUNTIME, "Trying to create tensor with negative dimension %lld: [%lld, %lld, %lld]",
            (long long)time, (long long)time, (long long)batch, (long long)outputs);
  const Tensor result = thpp::empty({time, batch, outputs}, self.dtype(), MemoryFormat::Contiguous, self.device());
  thpp::copy_(result, bias);
  for (int64_t k = 0; k < kernel; ++k) {
    const int64_t first = std::max<int64_t>(0, pad - k);
    const int64_t count = std::min(time, self.size(0) + pad - k) - first;
    if (count <= 0) continue;
    const Tensor rows = thpp::reshape(thpp::narrow(self, 0, first + k - pad, count), {count * batch, channels});
    thpp::addmm_(thpp::view(thpp::narrow(result, 0, first, count), {count * batch, outputs}), rows,
                 thpp::select(weight, 0, k));
  }
  return result;
}

}  // namespace thpp
