// Versions: every call that writes into a tensor of its caller's counts one, whoever calls.
#include "tensors.hpp"

namespace {

TEST(Versions, EveryFormThatWritesCountsOne) {
  const Tensor a = counted({4}), b = add(a, a);
  EXPECT_EQ(a.version(), 0u);
  EXPECT_EQ(b.version(), 0u);
  add_(a, b);  // a generated body
  EXPECT_EQ(a.version(), 1u);
  Tensor out = b;
  add_out(out, a, a);
  EXPECT_EQ(b.version(), 1u);
  copy_(a, b, false);  // made of others
  EXPECT_EQ(a.version(), 2u);
  fill_(a, wrapped_number(1));
  zero_(a);
  EXPECT_EQ(a.version(), 4u);
  index_put_(a, {to(counted({1}), TH_Long)}, counted({1}), false);
  EXPECT_EQ(a.version(), 5u);
  angle_out(out, a);  // by a kernel into `out`
  EXPECT_EQ(out.version(), 2u);
}

TEST(Versions, WhatACallMakesBeginsAtNothing) {
  Tensor out;
  add_out(out, counted({2}), counted({2}));
  EXPECT_EQ(out.version(), 0u);
  EXPECT_EQ(zeros({3}).version(), 0u);
  EXPECT_EQ(index_fill(counted({3}), 0, to(counted({1}), TH_Long), wrapped_number(1)).version(), 0u);
  EXPECT_EQ(std::get<0>(sort(counted({3}))).version(), 0u);
}

TEST(Versions, AViewOrTheArgumentItselfKeepsItsCount) {
  const Tensor a = counted({4});
  add_(a, a);
  EXPECT_EQ(view(a, {2, 2}).version(), 1u);
  EXPECT_EQ(atleast_1d(a).version(), 1u);  // a itself
  EXPECT_EQ(flatten(a).version(), 1u);
  EXPECT_EQ(view_dtype(a, TH_Int).version(), 1u);
  add_(select(a, 0, 1), wrapped_number(1));
  EXPECT_EQ(a.version(), 2u);
}

TEST(Versions, SeveralResultsCountEach) {
  Tensor values = zeros({4}), indices = zeros({4}, TH_Long);
  sort_out(values, indices, counted({4}));
  EXPECT_EQ(values.version(), 1u);
  EXPECT_EQ(indices.version(), 1u);
}

TEST(Versions, WhatFailsHasWrittenNothing) {
  const Tensor a = counted({4});
  EXPECT_NE(failure([&] { add_(a, counted({3})); }), "");
  EXPECT_NE(failure([&] { copy_(a, counted({3}), false); }), "");
  EXPECT_EQ(a.version(), 0u);
}

TEST(Versions, AnotherShapeCountsOnce) {
  const Tensor a = counted({4});
  resize_(a, {4});
  EXPECT_EQ(a.version(), 0u);
  resize_(a, {5});
  EXPECT_EQ(a.version(), 1u);
  resize_as_(a, counted({2, 2}));
  EXPECT_EQ(a.version(), 2u);
  unsqueeze_(a, 0);
  EXPECT_EQ(a.version(), 3u);
}

}  // namespace
