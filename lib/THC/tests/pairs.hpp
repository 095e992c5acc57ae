// The same tensor on the host and on a device, for tests that compare a kernel with TH's of the same name bit by bit.
#pragma once

#include <cstring>
#include <utility>

#include "compare.hpp"

using Sizes = test::Shape;
using test::number;
inline THScalar number(int value) {
  THScalar s = {};
  s.kind = TH_KIND_int;
  s.value.i = value;
  return s;
}

// A test::Tensor that may be copied: another reference.
class Held : public test::Tensor {
 public:
  explicit Held(THTensor *t = nullptr) : Tensor(t) {}
  Held(const Held &other) : Tensor(retained(other)) {}
  Held(Held &&) noexcept = default;
  Held &operator=(Held other) noexcept {
    Tensor::operator=(std::move(other));
    return *this;
  }

 private:
  static THTensor *retained(THTensor *t) {
    if (t) THTensor_retain(t);
    return t;
  }
};

struct Pair {
  Held host, device;

  explicit Pair(const Held &tensor)
      : host(tensor), device(THTensor_newWithSizeOn({TH_CUDA, 0}, THDtype(tensor->dtype), tensor->ndim, tensor->size)) {
    THCTensor_copy(device, host);
  }
  Pair(const Held &onHost, const Held &onDevice) : host(onHost), device(onDevice) {}

  // An empty result.
  static Pair result(THDtype dtype) {
    const int64_t none = 0;
    return {Held(THTensor_new(dtype)), Held(THTensor_newWithSizeOn({TH_CUDA, 0}, dtype, 1, &none))};
  }
  // Numbers that fit any dtype, with fractions where it has them.
  static Pair random(THDtype dtype, const Sizes &size, uint64_t seed = 1) {
    THGenerator *const generator = THGenerator_new();
    THGenerator_manualSeed(generator, seed);
    const Held numbers(THTensor_newWithSize(TH_Double, int(size.size()), size.data()));
    THDoubleTensor_uniform(numbers, generator, 0, 5);
    THGenerator_free(generator);
    const Held tensor(THTensor_newWithSize(dtype, int(size.size()), size.data()));
    THTensor_copy(tensor, numbers);
    return Pair(tensor);
  }
  // Indices in [low, high).
  static Pair indices(const Sizes &size, int64_t low, int64_t high, THDtype dtype = TH_Long, uint64_t seed = 2) {
    THGenerator *const generator = THGenerator_new();
    THGenerator_manualSeed(generator, seed);
    const Held numbers(THTensor_newWithSize(TH_Long, int(size.size()), size.data()));
    THLongTensor_random(numbers, generator, low, high);
    THGenerator_free(generator);
    const Held tensor(THTensor_newWithSize(dtype, int(size.size()), size.data()));
    THTensor_copy(tensor, numbers);
    return Pair(tensor);
  }
  static Pair of(THDtype dtype, const Sizes &size, const std::vector<double> &values) {
    const int64_t n = int64_t(values.size());
    const Held numbers(THTensor_newWithSize(TH_Double, 1, &n));
    if (n) std::memcpy(THTensor_data(numbers), values.data(), values.size() * sizeof(double));
    const Held shaped(THTensor_newView(numbers, int(size.size()), size.data()));
    const Held tensor(THTensor_newWithSize(dtype, int(size.size()), size.data()));
    THTensor_copy(tensor, shaped);
    return Pair(tensor);
  }

  // The same view of both.
  template <class View>
  Pair view(const View &of) const {
    return {Held(of(static_cast<THTensor *>(host))), Held(of(static_cast<THTensor *>(device)))};
  }
  Pair transposed(int a, int b) const {
    return view([=](THTensor *t) { return THTensor_newTranspose(t, a, b); });
  }
  Pair narrowed(int dim, int64_t first, int64_t length) const {
    return view([=](THTensor *t) { return THTensor_newNarrow(t, dim, first, length); });
  }
  Pair every(int dim, int64_t step) const {
    return view([=](THTensor *t) { return THTensor_newSlice(t, dim, 0, t->size[dim], step); });
  }
  Pair expanded(const Sizes &size) const {
    return view([&](THTensor *t) { return THTensor_newExpand(t, int(size.size()), size.data()); });
  }
};

inline Held contiguousOf(const THTensor *t) {
  Held copy(THTensor_newWithSize(THDtype(t->dtype), t->ndim, t->size));
  THTensor_copy(copy, t);
  return copy;
}

// Shape, strides and bytes.
inline void expectSame(const Pair &pair, bool strides = true) {
  const THTensor *const host = pair.host, *const device = pair.device;
  ASSERT_EQ(device->dtype, host->dtype);
  ASSERT_EQ(Sizes(device->size, device->size + device->ndim), Sizes(host->size, host->size + host->ndim));
  if (strides && host->numel)
    EXPECT_EQ(Sizes(device->stride, device->stride + device->ndim), Sizes(host->stride, host->stride + host->ndim));
  const Held expected = contiguousOf(host);
  const test::Tensor got = test::toHost(device);
  const size_t size = size_t(TH_elementSize(THDtype(host->dtype)));
  const auto *const a = static_cast<const char *>(THTensor_data(got));
  const auto *const b = static_cast<const char *>(THTensor_data(expected));
  for (int64_t i = 0; i < host->numel; i++)
    ASSERT_EQ(std::memcmp(a + size_t(i) * size, b + size_t(i) * size, size), 0)
        << TH_dtypeName(THDtype(host->dtype)) << ", element " << i << " of " << host->numel;
}

// Within so many parts of the greatest element.
inline void expectNear(const Pair &pair, double tolerance) {
  const THTensor *const host = pair.host, *const device = pair.device;
  ASSERT_EQ(Sizes(device->size, device->size + device->ndim), Sizes(host->size, host->size + host->ndim));
  const bool complex = (host->dtype == TH_ComplexFloat || host->dtype == TH_ComplexDouble);
  const THDtype wide = complex ? TH_ComplexDouble : TH_Double;
  const auto widened = [&](const THTensor *t) {
    Held copy(THTensor_newWithSize(wide, t->ndim, t->size));
    THTensor_copy(copy, t);
    return copy;
  };
  const Held got = widened(test::toHost(device)), expected = widened(host);
  const auto *const a = static_cast<const double *>(THTensor_data(got));
  const auto *const b = static_cast<const double *>(THTensor_data(expected));
  const int64_t n = host->numel * (complex ? 2 : 1);
  double most = 0;
  for (int64_t i = 0; i < n; i++) most = std::max(most, std::abs(b[i]));
  for (int64_t i = 0; i < n; i++)
    ASSERT_NEAR(a[i], b[i], tolerance * most) << TH_dtypeName(THDtype(host->dtype)) << ", element " << i;
}

// One for each size of elements.
inline constexpr THDtype kBySize[] = {TH_Byte, TH_Half, TH_Float, TH_Double, TH_ComplexDouble};
