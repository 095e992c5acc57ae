// Sliding blocks as columns and back, and elements in other places.
#include <THPP/NN.h>

#include "im2col.h"
#include "operators.h"

namespace thpp {

namespace {

void require_two(IntList list, const char *name) {
  if (list.size() != 2) THError(TH_ERROR_RUNTIME, "It is expected %s equals to 2, but got size %zu", name, list.size());
}

void check_lists(IntList kernel_size, IntList dilation, IntList padding, IntList stride) {
  require_two(kernel_size, "kernel_size");
  require_two(dilation, "dilation");
  require_two(padding, "padding");
  require_two(stride, "stride");
}

bool has_kernel(THDtype dtype) {
  const THKind kind = TH_kind(dtype);
  return kind == TH_KIND_float || kind == TH_KIND_complex;
}
void require_kernel(const char *name, THDtype dtype) {
  if (!has_kernel(dtype)) throw_kernel(name, dtype);
}

void require_three(const char *name, const Tensor &self) {
  if (self.dim() < 3)
    THError(TH_ERROR_RUNTIME, "%s expects input to have at least 3 dimensions, but got input with %d dimension(s)",
            name, self.dim());
}

// ---- by operators: blocks (batch, channels, rows, columns, kernel's rows, kernel's columns) ---------------------

Tensor composed_columns(const Tensor &self, const Steps &steps, IntList shape) {
  const Tensor batch = self.dim() == 3 ? thpp::unsqueeze(self, 0) : self;
  return thpp::reshape(thpp::permute(blocks(batch, steps), {0, 1, 4, 5, 2, 3}), shape);
}

Tensor composed_image(const Tensor &self, IntList size, const Steps &steps, IntList shape) {
  int64_t positions[2];
  for (size_t d = 0; d < 2; ++d)
    positions[d] = (size[d] + 2 * steps.padding[d] - steps.dilation[d] * (steps.kernel[d] - 1) - 1) / steps.stride[d] +
                   1;
  const int64_t batch = self.dim() == 3 ? self.size(0) : 1, channels = shape[shape.size() - 3];
  const Tensor parts = thpp::reshape(self,
                                     {batch, channels, steps.kernel[0], steps.kernel[1], positions[0], positions[1]});
  return thpp::view(from_blocks(thpp::permute(parts, {0, 1, 4, 5, 2, 3}), size, steps), shape);
}

// self's leading dimensions, without its last three, and three others.
std::vector<int64_t> with_last(const Tensor &self, int64_t channels, int64_t height, int64_t width) {
  std::vector<int64_t> size(self.sizes().begin(), self.sizes().end() - 3);
  size.insert(size.end(), {channels, height, width});
  return size;
}

int64_t batches(const Tensor &self, int n) {
  int64_t count = 1;
  for (int d = 0; d < n; ++d) count *= self.size(d);
  return count;
}

// self as `parts`, with its dimensions in another order, as a contiguous tensor of shape `size`.
Tensor reordered(const Tensor &self, IntList parts, IntList order, IntList size) {
  const Tensor moved = thpp::permute(thpp::reshape(self, parts), order);
  return thpp::view(thpp::clone(moved, MemoryFormat::Contiguous), size);
}

}  // namespace

Tensor body::nn_im2col(const Tensor &self, IntList kernel_size, IntList dilation, IntList padding, IntList stride) {
  check_lists(kernel_size, dilation, padding, stride);
  if (self.dim() < 3) TH_wrapDim(2, self.dim());
  if (self.dtype() == TH_Bool)
    return thpp::to(thpp::nn_im2col(thpp::to(self, TH_Float), kernel_size, dilation, padding, stride), TH_Bool);
  const Tensor result = without_elements(self);
  require_kernel("im2col_out_cpu", self.dtype());
  if (!has_nn_kernels(self)) {
    const Tensor shaped = on_meta(result);
    nn::Im2Col_updateOutput(on_meta(self), shaped, kernel_size[0], kernel_size[1], dilation[0], dilation[1], padding[0],
                            padding[1], stride[0], stride[1]);
    return composed_columns(self, {kernel_size, stride, padding, dilation}, shaped.sizes());
  }
  nn::Im2Col_updateOutput(self, result, kernel_size[0], kernel_size[1], dilation[0], dilation[1], padding[0],
                          padding[1], stride[0], stride[1]);
  return result;
}

Tensor body::nn_col2im(const Tensor &self, IntList output_size, IntList kernel_size, IntList dilation, IntList padding,
                       IntList stride) {
  require_two(output_size, "output_size");
  check_lists(kernel_size, dilation, padding, stride);
  if (self.dtype() == TH_Bool)
    return thpp::to(thpp::nn_col2im(thpp::to(self, TH_Float), output_size, kernel_size, dilation, padding, stride),
                    TH_Bool);
  const Tensor result = without_elements(self);
  require_kernel("col2im_out_cpu", self.dtype());
  if (!has_nn_kernels(self)) {
    const Tensor shaped = on_meta(result);
    nn::Col2Im_updateOutput(on_meta(self), shaped, output_size[0], output_size[1], kernel_size[0], kernel_size[1],
                            dilation[0], dilation[1], padding[0], padding[1], stride[0], stride[1]);
    return composed_image(self, output_size, {kernel_size, stride, padding, dilation}, shaped.sizes());
  }
  nn::Col2Im_updateOutput(self, result, output_size[0], output_size[1], kernel_size[0], kernel_size[1], dilation[0],
                          dilation[1], padding[0], padding[1], stride[0], stride[1]);
  return result;
}

Tensor body::pixel_shuffle(const Tensor &self, int64_t upscale_factor) {
  const int64_t r = upscale_factor;
  require_three("pixel_shuffle", self);
  if (r <= 0) THError(TH_ERROR_RUNTIME, "pixel_shuffle expects a positive upscale_factor, but got %lld", (long long)r);
  const int64_t channels = self.size(-3), square = TH_saturatedProduct(r, r);
  if (channels % square)
    THError(TH_ERROR_RUNTIME,
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            "but input.size(-3)=%lld is not divisible by %lld",
            (long long)channels, (long long)square);
  const int64_t height = self.size(-2), width = self.size(-1), left = channels / square;
  return reordered(self, {batches(self, self.dim() - 3), left, r, r, height, width}, {0, 1, 4, 2, 5, 3},
                   with_last(self, left, height * r, width * r));
}

Tensor body::pixel_unshuffle(const Tensor &self, int64_t downscale_factor) {
  const int64_t r = downscale_factor;
  require_three("pixel_unshuffle", self);
  if (r <= 0)
    THError(TH_ERROR_RUNTIME, "pixel_unshuffle expects a positive downscale_factor, but got %lld", (long long)r);
  for (int d = -2; d < 0; ++d)
    if (self.size(d) % r)
      THError(TH_ERROR_RUNTIME,
              "pixel_unshuffle expects %s to be divisible by downscale_factor, but input.size(%d)=%lld is not "
              "divisible by %lld",
              d == -2 ? "height" : "width", d, (long long)self.size(d), (long long)r);
  const int64_t channels = self.size(-3), height = self.size(-2) / r, width = self.size(-1) / r;
  return reordered(self, {batches(self, self.dim() - 3), channels, height, r, width, r}, {0, 1, 3, 5, 2, 4},
                   with_last(self, channels * r * r, height, width));
}

Tensor body::channel_shuffle(const Tensor &self, int64_t groups) {
  if (self.dim() < 3)
    THError(TH_ERROR_RUNTIME, "channel_shuffle expects input with > 2 dims, but got input with sizes %s",
            shape_text(self).c_str());
  if (groups <= 0)
    THError(TH_ERROR_RUNTIME, "Number of groups to divide channels in must be positive. Value of groups:%lld",
            (long long)groups);
  const int64_t channels = self.size(1);
  if (channels % groups)
    THError(TH_ERROR_RUNTIME, "Number of channels must be divisible by groups. Got %lld channels and %lld groups.",
            (long long)channels, (long long)groups);
  int64_t rest = 1;
  for (int d = 2; d < self.dim(); ++d) rest *= self.size(d);
  return reordered(self, {self.size(0), groups, channels / groups, rest}, {0, 2, 1, 3}, self.sizes());
}

}  // namespace thpp
