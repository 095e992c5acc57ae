// Continuing tensors beyond their ends.
#include "results.h"

#include <algorithm>
#include <cstring>

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

namespace {

// Which element of n stands at place i, counted from the first one.
int64_t reflected(int64_t i, int64_t n) { return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i; }
int64_t replicated(int64_t i, int64_t n) { return std::clamp<int64_t>(i, 0, n - 1); }
int64_t wrapped(int64_t i, int64_t n) { return i < 0 ? i + n : i >= n ? i - n : i; }

}  // namespace

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
  if (padded > 3 || self.dim() < padded + 1 || self.dim() > padded + 2)
    THError(TH_ERROR_NOT_IMPLEMENTED, "Padding size %zu is not supported for %dD input tensor.", pad.size(),
            self.dim());
  for (int d = self.dim() - padded - 1; d < self.dim(); ++d)
    if (!self.size(d) && !circular)
      THError(TH_ERROR_RUNTIME,
              "Expected %dD or %dD (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
              "input, but got: %s",
              padded + 1, padded + 2, shape_text(self).c_str());
  for (int i = 0; i < padded; ++i) {
    const int d = self.dim() - 1 - i;
    const int64_t left = pad[2 * i], right = pad[2 * i + 1], n = self.size(d);
    if (reflect && (left >= n || right >= n))
      THError(TH_ERROR_RUNTIME,
              "Argument #%d: Padding size should be less than the corresponding input dimension, but got: padding "
              "(%lld, %lld) at dimension %d of input %s",
              4 + 2 * i, (long long)left, (long long)right, d, shape_text(self).c_str());
    if (circular && (left > n || right > n))
      THError(TH_ERROR_RUNTIME, "Padding value causes wrapping around more than once.");
    if (__int128(n) + left + right < 1)
      THError(TH_ERROR_RUNTIME, "input (size %lld) with padding (%lld, %lld) is too small", (long long)n,
              (long long)left, (long long)right);
  }
  const auto place = reflect ? reflected : circular ? wrapped : replicated;
  Tensor result = self;
  for (int i = 0; i < padded; ++i) {
    const int d = self.dim() - 1 - i;
    const int64_t left = pad[2 * i], right = pad[2 * i + 1], n = self.size(d);
    const auto picked = [&](int64_t from, int64_t to) {
      const int64_t count = TH_saturatedSum(to, TH_saturatedProduct(from, -1));
      const Tensor index = Tensor::steal(THTensor_newWithSize(TH_Long, 1, &count));
      for (int64_t k = 0; k < count; ++k) index.data<int64_t>()[k] = place(from + k, n);
      return thpp::index_select(result, d, thpp::to(index, TH_Long, false, self.device()));
    };
    const int64_t first = TH_saturatedProduct(left, -1), last = TH_saturatedSum(n, right);
    if (left < 0 || right < 0) {
      result = picked(first, last);
    } else {
      const Tensor parts[] = {picked(first, 0), result, picked(n, last)};
      result = thpp::cat(parts, d);
    }
  }
  return result.is_same(self) ? thpp::clone(self) : result;
}

}  // namespace thpp
