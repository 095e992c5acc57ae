// Kernels of another backend, which a library brings when it is loaded (backend/backend.cpp), and the device without
// memory, which needs none.
#include <dlfcn.h>

#include <algorithm>
#include <array>

#include <THPP/Backend.h>
#include <THPP/Optimizer.h>
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

  template <class T = float>
  T *address(const Tensor &t) {
    return static_cast<T *>(function<void *(const THTensor *)>("address_of")(t.get())) + t.get()->offset;
  }
  Tensor there(IntList size, THDtype dtype = TH_Float, THDevice device = {TH_CUDA, 0}) {
    const Tensor t = Tensor::steal(THTensor_newWithSizeOn(device, dtype, int(size.size()), size.data()));
    if (device.kind == TH_CUDA && dtype == TH_Float)
      for (int64_t i = 0; i < t.numel(); ++i) address(t)[i] = float(i);
    return t;
  }
  V bytes(const Tensor &t) { return {address(t), address(t) + t.numel()}; }

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

TEST_F(Backend, StepsOfOptimisersAreItsOwn) {
  const OptimizerRule *const sgd = find_optimizer_rule("sgd");
  ASSERT_TRUE(sgd && sgd->options == 6 && sgd->counters == 0);
  const std::vector<double> options{0.5, 0, 0, 0, 0, 0};
  const Tensor p = there({3}), g = there({3}), q = there({1}), h = add(there({1}), wrapped_number(2.0));
  const auto step = [&](const TensorLists &lists) { return optimizer_step(*sgd, lists, {}, options, false); };
  const int before = calls();
  EXPECT_FALSE(step({{p, q}, {g, h}, {}}));  // would have to be recorded
  set_grad_mode(false);
  EXPECT_FALSE(step({{p, q}, {g, counted({1})}, {}}));  // two devices
  const Tensor nowhere = there({3}, TH_Float, {TH_Meta, 0});
  EXPECT_FALSE(step({{nowhere}, {there({3}, TH_Float, {TH_Meta, 0})}, {}}));  // no kernel
  EXPECT_EQ(calls(), before);
  EXPECT_TRUE(step({{p, q}, {g, h}, {}}));
  set_grad_mode(true);
  EXPECT_EQ(calls(), before + 1);
  EXPECT_EQ(bytes(p), (V{0, 0.5, 1}));
  EXPECT_EQ(bytes(q), (V{-1}));
  EXPECT_EQ(find_optimizer_rule("adamant"), nullptr);
}

TEST_F(Backend, TheHostLooksAtCopies) {
  const Tensor repeats = there({3}, TH_Long);
  std::ranges::copy(std::array{2, 0, 1}, address<int64_t>(repeats));
  const Tensor index = repeat_interleave(repeats);
  EXPECT_EQ(index.device().kind, TH_CUDA);
  const int64_t *at = address<int64_t>(index);
  EXPECT_EQ(std::vector<int64_t>(at, at + index.numel()), (std::vector<int64_t>{0, 0, 2}));
}

TEST_F(Backend, CopiesGoThroughIt) {
  const Tensor a = there({2, 2});
  EXPECT_EQ(select(select(a, 0, 1), 0, 0).item().to_double(), 2);
  const Tensor copy = clone(a);
  EXPECT_EQ(copy.device().kind, TH_CUDA);
  EXPECT_EQ(bytes(copy), (V{0, 1, 2, 3}));
  const Tensor here = to(a, TH_Float, false, THDevice{});
  EXPECT_EQ(numbers(here), (V{0, 1, 2, 3}));
  const auto waited = [this] { return function<bool()>("waited_for_copy")(); };
  EXPECT_TRUE(waited());
  copy_(here, a, true);
  EXPECT_FALSE(waited());
  copy_(here, here, true);  // nothing to wait for
  copy_(here, a, false);
  EXPECT_TRUE(waited());
  EXPECT_EQ(find_backend(TH_CUDA, TH_STRIDED)->current_device, nullptr);
  EXPECT_EQ(find_backend(TH_CPU, TH_STRIDED), nullptr);
}

TEST_F(Backend, WhatItLacksIsRefusedByName) {
  const Tensor a = there({2});
  EXPECT_EQ(failure([&] { mul(a, a); }, TH_ERROR_NOT_IMPLEMENTED), "\"mul_cuda\" not implemented for 'Float'");
  const Tensor whole = there({2}, TH_Int);
  EXPECT_EQ(failure([&] { add(whole, whole); }, TH_ERROR_NOT_IMPLEMENTED), "\"add_cuda\" not implemented for 'Int'");
  // What serves every dtype has no loop to fall back to.
  EXPECT_EQ(failure([&] { flip(a, {0}); }, TH_ERROR_NOT_IMPLEMENTED), "\"flip_cuda\" not implemented for 'Float'");
  EXPECT_EQ(failure([&] { tril(there({2, 2})); }, TH_ERROR_NOT_IMPLEMENTED),
            "\"tril_cuda\" not implemented for 'Float'");
  EXPECT_EQ(bytes(a), (V{0, 1}));
}

TEST_F(Backend, TensorsOfACallAreOnOneDevice) {
  const Tensor a = there({2}), here = counted({2});
  const std::string both = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and ";
  EXPECT_EQ(failure([&] { add(a, here); }), both + "cpu!");
  EXPECT_EQ(failure([&] { add(here, a); }), both + "cpu!");
  EXPECT_EQ(failure([&] { add(a, there({2}, TH_Float, {TH_Meta, 0})); }), both + "meta!");
  EXPECT_EQ(numbers(here), (V{0, 1}));
}

TEST_F(Backend, GeneratorsAreOfOneDevice) {
  THGenerator *const first = THGenerator_newOn({TH_CUDA, 0}), *const second = THGenerator_newOn({TH_CUDA, 1});
  const Tensor here = counted({2}), nowhere = there({2}, TH_Float, {TH_Meta, 0});
  Tensor out = here;
  EXPECT_EQ(failure([&] { uniform_(here, 0, 1, first); }),
            "Expected a 'cpu' device type for generator but found 'cuda'");
  EXPECT_EQ(failure([&] { rand_out(out, IntList(), first); }),
            "Expected a 'cpu' device type for generator but found 'cuda'");
  EXPECT_EQ(numbers(here), (V{0, 1}));
  EXPECT_EQ(THGenerator_offset(first), 0u);
  // Where nothing is drawn there is nothing to refuse.
  EXPECT_EQ(shape(uniform_(nowhere, 0, 1, second)), (std::vector<int64_t>{2}));
  EXPECT_EQ(THGenerator_offset(second), 0u);
  THGenerator_free(first);
  THGenerator_free(second);
}

TEST_F(Backend, OneThatNobodyRegisteredIsRefused) {
  const Tensor a = there({2});
  function<void()>("unload_backend")();
  EXPECT_EQ(failure([&] { add(a, a); }, TH_ERROR_NOT_IMPLEMENTED),
            "no loaded library has kernels for tensors on device 'cuda'");
}

// Of a layout that TH itself does not know, as a library of its own would make them.
Tensor of_layout(int layout, IntList size, THDevice device = {}) {
  const Tensor t = Tensor::steal(THTensor_newWithSizeOn(device, TH_Float, int(size.size()), size.data()));
  t.get()->layout = uint8_t(layout) & 15;
  t.get()->flags |= TH_NON_CPU;
  return t;
}

TEST_F(Backend, TheLayoutChoosesTheTable) {
  const auto calls_of_layout = [this] { return function<int()>("calls_of_layout")(); };
  const int before = calls(), there_before = calls_of_layout();
  for (const THDevice device : {THDevice{TH_CPU, 0}, THDevice{TH_CUDA, 0}}) {
    const Tensor a = of_layout(1, {2}, device);
    add(a, a);
    zero_(a);
    EXPECT_NE(failure([&] { mul(a, a); }, TH_ERROR_NOT_IMPLEMENTED), "");
  }
  EXPECT_EQ(calls_of_layout(), there_before + 4);
  EXPECT_EQ(calls(), before);  // those of strided tensors on the same device
  // Strided tensors among them do not decide, wherever they stand.
  add(there({2}), of_layout(1, {2}, {TH_CUDA, 0}));
  add(counted({2}), of_layout(1, {2}));
  EXPECT_EQ(calls_of_layout(), there_before + 6);
  EXPECT_EQ(failure([&] { add(counted({2}), of_layout(2, {2})); }, TH_ERROR_NOT_IMPLEMENTED),
            "no loaded library has kernels for tensors of this layout on device 'cpu'");
  EXPECT_EQ(numbers(add(counted({2}), counted({2}))), (V{0, 2}));
  EXPECT_NE(failure([] { register_backend(TH_CPU, TH_STRIDED, nullptr); }), "");
  EXPECT_EQ(failure([] { register_backend(TH_CUDA, TH_NUM_LAYOUTS, nullptr); }),
            "register_backend: there is no device 2 with layout " + std::to_string(int(TH_NUM_LAYOUTS)));
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
