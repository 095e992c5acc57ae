// Sliding blocks as columns and back, and elements in other places.
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

void require_three(const char *name, const Tensor &self) {
  if (self.dim() < 3)
    THError(TH_ERROR_RUNTIME, "%s expects input to have at least 3 dimensions, but got input with %d dimension(s)",
            name, self.dim());
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

// self as `parts`, with its dimensions in another order, as a tensor of shape `size` and of self's memory format.
Tensor reordered(const Tensor &self, IntList parts, IntList order, IntList size) {
  const Tensor moved = thpp::permute(thpp::reshape(self, parts), order);
  const Tensor made = thpp::view(thpp::clone(moved, MemoryFormat::Contiguous), size);
  return thpp::contiguous(made, self.suggest_memory_format());
}

}  // namespace

void check_im2col(THDtype, const Tensor &self, IntList kernel_size, IntList dilation, IntList padding, IntList stride) {
  check_lists(kernel_size, dilation, padding, stride);
  if (self.dim() < 3) TH_wrapDim(2, self.dim());
}

void check_col2im(THDtype, const Tensor &, IntList output_size, IntList kernel_size, IntList dilation, IntList padding,
                  IntList stride) {
  require_two(output_size, "output_size");
  check_lists(kernel_size, dilation, padding, stride);
}

// ---- by operators: blocks (batch, channels, rows, columns, kernel's rows, kernel's columns) ---------------------

Tensor fallback::im2col(const Tensor &self, IntList kernel_size, IntList dilation, IntList padding, IntList stride) {
  if (self.dtype() == TH_Bool)
    return thpp::to(thpp::nn_im2col(thpp::to(self, TH_Float), kernel_size, dilation, padding, stride), TH_Bool);
  const bool single = self.dim() == 3;
  const Tensor parts = blocks(single ? thpp::unsqueeze(self, 0) : self, {kernel_size, stride, padding, dilation});
  std::vector<int64_t> shape = {parts.size(0), parts.size(1) * product(kernel_size), parts.size(2) * parts.size(3)};
  if (single) shape.erase(shape.begin());
  return thpp::view(thpp::clone(thpp::permute(parts, {0, 1, 4, 5, 2, 3}), MemoryFormat::Contiguous), shape);
}

Tensor fallback::col2im(const Tensor &self, IntList output_size, IntList kernel_size, IntList dilation, IntList padding,
                        IntList stride) {
  if (self.dtype() == TH_Bool)
    return thpp::to(thpp::nn_col2im(thpp::to(self, TH_Float), output_size, kernel_size, dilation, padding, stride),
                    TH_Bool);
  int64_t positions[2];
  for (size_t d = 0; d < 2; ++d)
    positions[d] = (output_size[d] + 2 * padding[d] - dilation[d] * (kernel_size[d] - 1) - 1) / stride[d] + 1;
  const bool single = self.dim() == 2;
  const int64_t batch = single ? 1 : self.size(0), channels = self.size(-2) / product(kernel_size);
  const Tensor parts = thpp::reshape(self,
                                     {batch, channels, kernel_size[0], kernel_size[1], positions[0], positions[1]});
  const Tensor images = from_blocks(thpp::permute(parts, {0, 1, 4, 5, 2, 3}), output_size,
                                    {kernel_size, stride, padding, dilation});
  return single ? thpp::squeeze(images, {0}) : images;
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
