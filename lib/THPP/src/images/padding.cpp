// Continuing tensors beyond their ends.
#include "results.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <THNN/Padding.h>

#include "bodies.h"

namespace thpp {

Tensor body::constant_pad_nd(const Tensor &self, IntList pad, const Scalar &value) {
  if (pad.size() % 2) THError(TH_ERROR_RUNTIME, "Length of pad must be even but instead it equals %zu", pad.size());
  if (int64_t(pad.size()) > 2 * self.dim())
    THError(TH_ERROR_RUNTIME,
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is %zu while "
            "the input has %d dimensions.",
            pad.size(), self.dim());
  std::vector<int64_t> size = list(self.sizes());
  Tensor inside = self;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const int d = self.dim() - 1 - int(i);
    size[d] = int64_t(std::min<__int128>(__int128(size[d]) + pad[2 * i] + pad[2 * i + 1], INT64_MAX));
    if (size[d] < 0)
      THError(
          TH_ERROR_RUNTIME,
          "The input size %lld, plus negative padding %lld and %lld resulted in a negative output size in dimension %d",
          (long long)self.size(d), (long long)pad[2 * i], (long long)pad[2 * i + 1], d);
  }
  const bool grows = std::ranges::any_of(pad, [](int64_t n) { return n > 0; });
  const Tensor result = grows ? thpp::empty(size, self.dtype(), self.suggest_memory_format(), self.device()) : Tensor();
  if (grows) thpp::_fill_(result, value);
  Tensor middle = result;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const int d = self.dim() - 1 - int(i);
    const int64_t left = pad[2 * i], right = pad[2 * i + 1];
    const int64_t skip = std::max<int64_t>(-left, 0), start = std::max<int64_t>(left, 0);
    const int64_t count = self.size(d) - skip - std::max<int64_t>(-right, 0);
    if (grows && count <= 0) return result;
    inside = thpp::narrow(inside, d, skip, count);
    if (grows) middle = thpp::narrow(middle, d, start, count);
  }
  if (!grows) return thpp::clone(inside);
  thpp::copy_(middle, inside, false);
  return result;
}

void check_pad_planes(THDtype t, const Tensor &, int64_t mode, int64_t dimensions, IntList padding) {
  const bool reflects = mode == THNN_PAD_REFLECTION;
  const int n = int(dimensions);
  if (padding.size() != size_t(2 * n)) {
    if (reflects) THError(TH_ERROR_RUNTIME, "padding size is expected to be %d, but got: %zu", 2 * n, padding.size());
    THError(TH_ERROR_RUNTIME, "padding size is expected to be %d", 2 * n);
  }
  if (t == TH_Bool)
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"%s_pad%dd\" not implemented for '%s'", reflects ? "reflection" : "replication",
            n, TH_typeName(t));
}

namespace {

// Which element of a dimension of n lies at each of its places and of those that are added.
Tensor sources(int64_t mode, int64_t n, int64_t before, int64_t after, THDevice device) {
  const Tensor at = thpp::arange(Scalar(-before), Scalar(n + after), Scalar(1), std::optional(TH_Long), device);
  const Tensor last = wrapped_number(n - 1);
  if (mode == THNN_PAD_REPLICATION) return thpp::clamp(at, wrapped_number(int64_t(0)), last);
  return thpp::sub(last, thpp::abs(thpp::sub(last, thpp::abs(at))));
}

}  // namespace

// Looked up dimension by dimension.
Tensor fallback::pad_planes(const Tensor &self, int64_t mode, int64_t dimensions, IntList padding) {
  Tensor made = self;
  for (size_t i = 0; i < size_t(dimensions); ++i) {
    const int d = self.dim() - 1 - int(i);
    made = thpp::index_select(made, d, sources(mode, self.size(d), padding[2 * i], padding[2 * i + 1], self.device()));
  }
  return made;
}

Tensor fallback::pad_planes_backward(const Tensor &grad_output, const Tensor &self, int64_t mode, IntList padding) {
  Tensor made = grad_output;
  for (size_t i = 0; i < padding.size() / 2; ++i) {
    const int d = self.dim() - 1 - int(i);
    std::vector<int64_t> size = list(made.sizes());
    size[d] = self.size(d);
    made = thpp::index_add(thpp::zeros(size, made.dtype(), made.device()), d,
                           sources(mode, size[d], padding[2 * i], padding[2 * i + 1], made.device()), made);
  }
  return made;
}

// What lies beyond an end is copied from within the result, dimension by dimension, so that corners come by themselves.
Tensor body::nn__pad_circular(const Tensor &self, IntList pad) {
  const int padded = int(pad.size() / 2), first = self.dim() - padded;
  if (pad.size() % 2 || (first != 1 && first != 2))
    THError(TH_ERROR_RUNTIME,
            "Invalid padding size, expected 1 or 2 non-padded dimensions, which would be equivalent to padding of "
            "length %d or %d respectively but got %zu",
            2 * (self.dim() - 1), 2 * (self.dim() - 2), pad.size());
  std::vector<int64_t> size = list(self.sizes());
  for (int i = 0; i < padded; ++i) {
    const int d = self.dim() - 1 - i;
    const int64_t left = pad[2 * i], right = pad[2 * i + 1], n = self.size(d);
    if (left > n || right > n) THError(TH_ERROR_RUNTIME, "Padding value causes wrapping around more than once.");
    size[d] = TH_saturatedSum(TH_saturatedSum(n, left), right);
    const int64_t ring = TH_saturatedSum(TH_saturatedSum(n, std::min<int64_t>(left, 0)), std::min<int64_t>(right, 0));
    if (size[d] < 0 || (ring < 1 && size[d]))
      THError(TH_ERROR_RUNTIME, "Negative padding value is resulting in an empty dimension");
  }
  const Tensor result = thpp::empty(size, self.dtype(), self.suggest_memory_format(), self.device());
  const auto beyond = [&](int i) { return std::pair(pad[2 * size_t(i)], pad[2 * size_t(i) + 1]); };
  Tensor inside = self, middle = result;
  for (int i = 0; i < padded; ++i) {
    const int d = self.dim() - 1 - i;
    const auto [left, right] = beyond(i);
    const int64_t skip = std::max<int64_t>(-left, 0);
    const int64_t count = std::max<int64_t>(self.size(d) - skip - std::max<int64_t>(-right, 0), 0);
    inside = thpp::narrow(inside, d, skip, count);
    middle = thpp::narrow(middle, d, std::max<int64_t>(left, 0), count);
  }
  thpp::copy_(middle, inside, false);
  for (int i = 0; i < padded; ++i) {
    const int d = self.dim() - 1 - i;
    const auto [left, right] = beyond(i);
    const int64_t before = std::max<int64_t>(left, 0), after = std::max<int64_t>(right, 0), n = result.size(d);
    // The ring is what of the dimension is left: where it is shorter than the padding, it goes round again.
    const int64_t ring = n - before - after;
    for (int64_t done = 0; done < before; done += ring) {
      const int64_t count = std::min(ring, before - done);
      thpp::copy_(thpp::narrow(result, d, before - done - count, count),
                  thpp::narrow(result, d, before + ring - count, count), false);
    }
    for (int64_t done = 0; done < after; done += ring) {
      const int64_t count = std::min(ring, after - done);
      thpp::copy_(thpp::narrow(result, d, before + ring + done, count), thpp::narrow(result, d, before, count), false);
    }
  }
  return result;
}

Tensor body::_pad(const Tensor &self, IntList pad, const char *mode, std::optional<Scalar> value) {
  if (pad.size() % 2) THError(TH_ERROR_RUNTIME, "Padding length must be divisible by 2");
  if (int64_t(pad.size()) > 2 * self.dim())
    THError(TH_ERROR_RUNTIME,
            "Padding length should be less than or equal to two times the input dimension but got "
            "padding length %zu and input of dimension %d",
            pad.size(), self.dim());
  if (!std::strcmp(mode, "constant")) return thpp::constant_pad_nd(self, pad, value.value_or(Scalar(0)));
  if (value && value->to_complex() != THComplexDouble(0))
    THError(TH_ERROR_RUNTIME, "Padding mode \"%s\" doesn't take in value argument", mode);
  const bool reflect = !std::strcmp(mode, "reflect"), circular = !std::strcmp(mode, "circular");
  if (!reflect && !circular && std::strcmp(mode, "replicate"))
    THError(TH_ERROR_NOT_IMPLEMENTED, "Unrecognised padding mode %s", mode);
  const int padded = int(pad.size() / 2);
  if (padded < 1 || padded > 3 || self.dim() < padded + 1 || self.dim() > padded + 2)
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "Padding size %zu is not supported for %dD input tensor.\nSupported combinations for non-constant "
            "padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D input: padding size = "
            "4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
            pad.size(), self.dim());
  if (circular) return thpp::nn__pad_circular(self, pad);
  if (reflect)
    return padded == 1   ? thpp::nn_reflection_pad1d(self, pad)
           : padded == 2 ? thpp::nn_reflection_pad2d(self, pad)
                         : thpp::nn_reflection_pad3d(self, pad);
  return padded == 1   ? thpp::nn_replication_pad1d(self, pad)
         : padded == 2 ? thpp::nn_replication_pad2d(self, pad)
                       : thpp::nn_replication_pad3d(self, pad);
}

}  // namespace thpp
