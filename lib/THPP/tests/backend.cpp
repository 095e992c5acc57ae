// Kernels of another backend, which a library brings when it is loaded (backend/backend.cpp), and the device without
// memory, which needs none.
#include <dlfcn.h>

#include "tensors.hpp"

namespace {

class Backend : public testing::Test {
 protected:
  void SetUp() override {
    library = dlopen(THPP_TEST_BACKEND, RTLD_NOW);
    ASSERT_TRUE(library) << dlerror();
    function<void()>("load_backend")();
  }
  void TearDown() override { function<void()>("unload_backend")(); }

  template <class F>
  F *function(const char *name) {
    return reinterpret_cast<F *>(dlsym(library, name));
  }
  int calls() { return function<int()>("calls_of_backend")(); }

  static Tensor there(IntList size, THDtype dtype = TH_Float, THDevice device = {TH_CUDA, 0}) {
    const Tensor t = Tensor::steal(THTensor_newWithSizeOn(device, dtype, int(size.size()), size.data()));
    if (device.kind == TH_CUDA)
      for (int64_t i = 0; i < t.numel(); ++i) static_cast<float *>(t.get()->storage->data)[i] = float(i);
    return t;
  }
  static V bytes(const Tensor &t) {
    const float *data = static_cast<float *>(t.get()->storage->data) + t.get()->offset;
    return {data, data + t.numel()};
  }

  void *library;
};

TEST_F(Backend, ItsKernelsAreCalled) {
  const int before = calls();
  const Tensor a = there({2, 3}), sum = add(a, a, 2.0);
  EXPECT_EQ(sum.device().kind, TH_CUDA);
  EXPECT_EQ(bytes(sum), (V{0, 3, 6, 9, 12, 15}));
  add_(a, wrapped_number(1.0));  // a number of the host's
  EXPECT_EQ(bytes(a), (V{1, 2, 3, 4, 5, 6}));
  zero_(select(a, 0, 1));  // a view needs no kernel
  EXPECT_EQ(bytes(a), (V{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(calls(), before + 3);
}

TEST_F(Backend, WhatItLacksIsRefusedByName) {
  const Tensor a = there({2});
  EXPECT_EQ(failure([&] { mul(a, a); }, TH_ERROR_NOT_IMPLEMENTED), "\"mul_cuda\" not implemented for 'Float'");
  const Tensor whole = there({2}, TH_Int);
  EXPECT_EQ(failure([&] { add(whole, whole); }, TH_ERROR_NOT_IMPLEMENTED), "\"add_cuda\" not implemented for 'Int'");
  EXPECT_NE(failure([&] { a.item(); }), "");
  EXPECT_EQ(bytes(a), (V{0, 1}));
}

TEST_F(Backend, TensorsOfACallAreOnOneDevice) {
  const Tensor a = there({2}), here = counted({2});
  const std::string both = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and ";
  EXPECT_EQ(failure([&] { add(a, here); }), both + "cpu!");
  EXPECT_EQ(failure([&] { add(here, a); }), both + "cpu!");
  EXPECT_EQ(failure([&] { add(a, there({2}, TH_Float, {TH_Meta, 0})); }), both + "meta!");
  EXPECT_EQ(values(here), (V{0, 1}));
}

TEST_F(Backend, OneThatNobodyRegisteredIsRefused) {
  const Tensor a = there({2});
  function<void()>("unload_backend")();
  EXPECT_EQ(failure([&] { add(a, a); }, TH_ERROR_NOT_IMPLEMENTED),
            "no loaded library has kernels for tensors on device 'cuda'");
}

TEST_F(Backend, WithoutMemoryThereIsAShape) {
  const Tensor a = there({2, 1}, TH_Int, {TH_Meta, 0}), b = there({3}, TH_Float, {TH_Meta, 0});
  const Tensor sum = add(a, b);
  EXPECT_EQ(shape(sum), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(sum.dtype(), TH_Float);
  EXPECT_EQ(sum.device().kind, TH_Meta);
  EXPECT_EQ(sum.get()->storage->data, nullptr);
  EXPECT_NE(failure([&] {
              add(a, there({5}, TH_Float, {TH_Meta, 0}));
              add(there({4}, TH_Float, {TH_Meta, 0}), b);
            }),
            "");
  // Where the CPU has no kernel of a dtype there is nothing to run, and so nothing to refuse.
  EXPECT_EQ(shape(matmul(there({2, 3}, TH_Bool, {TH_Meta, 0}), there({3, 4}, TH_Bool, {TH_Meta, 0}))),
            (std::vector<int64_t>{2, 4}));
}

}  // namespace
