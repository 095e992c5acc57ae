// Kernels of a device beside those of the CPU: the same data goes to both.
#pragma once

#include <algorithm>
#include <limits>
#include <THC/THC.h>

#include "../../TH/tests/tensors.hpp"

namespace test {

constexpr THDevice kDevice{TH_CUDA, 0};

// Tests that run in a process of their own (support.hpp: runApart) say themselves when.
struct Loaded : ::testing::Environment {
  void SetUp() override {
    if (!GTEST_FLAG_GET(also_run_disabled_tests)) THC_init();
  }
};
inline const auto *const kLoaded = ::testing::AddGlobalTestEnvironment(new Loaded);

// A kernel of one dtype: TH's and THC's.
template <class F>
struct Kernel {
  THDtype dtype;
  F cpu, cuda;
};
// PAIRS(number, sum): a list of Kernel. Its type is that of any of them.
#define TEST_PAIR(Name, op) {TH_##Name, TH##Name##Tensor_##op, THC_TENSOR(Name, op)},
#define PAIRS(dtypes, op) (std::vector<Kernel<TEST_TYPE_##dtypes(op)>>{TH_FOR_##dtypes(TEST_PAIR, op)})
#define TEST_TYPE_number_complex TEST_TYPE_number
#define TEST_TYPE_all_complex TEST_TYPE_all
#define TEST_TYPE_floating_complex TEST_TYPE_floating

// Of the same geometry. What overlaps itself is expanded from what does not.
inline Tensor onDevice(const THTensor *t) {
  Shape shape = shapeOf(t);
  bool expanded = false;
  for (int d = 0; d < t->ndim; d++)
    if (t->stride[d] == 0 && t->size[d] > 1) shape[size_t(d)] = 1, expanded = true;
  if (expanded) {
    Tensor one(const_cast<THTensor *>(t));
    THTensor_retain(one);
    for (int d = 0; d < t->ndim; d++) one = Tensor(THTensor_newNarrow(one, d, 0, shape[size_t(d)]));
    return Tensor(THTensor_newExpand(onDevice(one), t->ndim, t->size));
  }
  THStorage *storage = THStorage_newOn(kDevice, t->storage->nbytes);
  Tensor r(THTensor_newWithStorage(THDtype(t->dtype), storage, t->offset, t->ndim, t->size, t->stride));
  THStorage_free(storage);
  THCTensor_copy(r, t);
  return r;
}
inline Tensor newOnDevice(THDtype dtype) {
  const int64_t none = 0;
  return Tensor(THTensor_newWithSizeOn(kDevice, dtype, 1, &none));
}
inline Tensor toHost(const THTensor *t) {
  Tensor r(THDtype(t->dtype), shapeOf(t));
  THCTensor_copy(r, t);
  return r;
}

inline double epsilon(THDtype dtype) { return std::ldexp(1.0, 1 - TH_digits(dtype)); }

// `error`: of a number of size 1, on top of what rounding to the result's dtype makes. NaN is NaN.
inline void expectClose(const THTensor *want, const THTensor *deviceResult, double error) {
  const Tensor got = toHost(deviceResult);
  ASSERT_EQ(shapeOf(got), shapeOf(want));
  ASSERT_EQ(got->dtype, want->dtype);
  const auto dtype = THDtype(want->dtype);
  const bool exact = TH_kind(dtype) < TH_KIND_float;
  for (int64_t i = 0; i < want->numel; i++) {
    const double a = get(want, i), b = get(got, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double allowed = exact || !error ? 0 : error + 2 * epsilon(dtype) * std::fabs(a);
    ASSERT_LE(std::fabs(a - b), allowed) << "element " << i << ": " << a << " on the CPU, " << b << " on the device";
  }
}
inline void expectEqual(const THTensor *want, const THTensor *deviceResult) { expectClose(want, deviceResult, 0); }

// Some elements become NaN.
inline Tensor withNan(Tensor t, int64_t every = 5) {
  if (TH_kind(THDtype(t->dtype)) == TH_KIND_float)
    for (int64_t i = 2; i < t->numel; i += every) set(t, i, NAN);
  return t;
}

}  // namespace test
