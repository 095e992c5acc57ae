// The forms of an operator, and what is done around its kernel. Values are tested from Python,
// against the real PyTorch (tests/golden).
#include "tensors.hpp"

namespace {

TEST(Operators, ThreeForms) {
  const Tensor a = counted({2, 3}), b = counted({3});
  EXPECT_EQ(numbers(add(a, b, 2)), (V{0, 3, 6, 3, 6, 9}));
  Tensor out = zeros({0});
  add_out(out, a, b);
  EXPECT_EQ(numbers(out), (V{0, 2, 4, 3, 5, 7}));
  EXPECT_TRUE(add_(a, b).is_same(a));
  EXPECT_EQ(numbers(a), numbers(out));
}

TEST(Operators, OfLayers) {
  const Tensor x = counted({2, 3}), bias = ones({2});
  const V expected{6, 15, 15, 51};
  EXPECT_EQ(numbers(nn_linear(x, x, bias)), expected);
  Tensor out = zeros({0});
  nn_linear_out(out, unsqueeze(x, 0), x, bias);
  EXPECT_EQ(numbers(out), expected);
  EXPECT_EQ(shape(out), (std::vector<int64_t>{1, 2, 2}));
  EXPECT_EQ(shape(bilinear(x, x, counted({4, 3, 3}), ones({4}))), (std::vector<int64_t>{2, 4}));
  EXPECT_TRUE(dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(alpha_dropout_(x, 0, true).is_same(x));
  EXPECT_EQ(numbers(triplet_margin_loss(x, x, x, 1, 2, 1e-6, false, 0)), (V{1, 1}));
  EXPECT_EQ(shape(triplet_margin_loss(x, x, x)), (std::vector<int64_t>{}));
}

TEST(Operators, ResultsAreConverted) {
  Tensor half = zeros({2}, TH_Half);
  add_out(half, ones({2}, TH_Float), ones({2}, TH_Int));
  EXPECT_EQ(numbers(half), (V{2, 2}));
  const Tensor byte = ones({2}, TH_Byte);
  add_(byte, ones({2}, TH_Long));
  EXPECT_EQ(byte.dtype(), TH_Byte);
  EXPECT_EQ(numbers(byte), (V{2, 2}));
}

TEST(Operators, ResultsOfAnotherKindAreRefused) {
  const Tensor integers = ones({2}, TH_Long);
  const char *text = "result type Float can't be cast to the desired output type Long";
  EXPECT_EQ(failure([&] { add_(integers, ones({2})); }), text);
  EXPECT_EQ(failure([&] { exp_(integers); }), text);
  Tensor out = integers;
  EXPECT_EQ(failure([&] { add_out(out, ones({2}), ones({2})); }), text);
  EXPECT_EQ(numbers(integers), (V{1, 1}));
  EXPECT_EQ(eq_(integers, ones({2})).dtype(), TH_Long);
}

TEST(Operators, MissingKernels) {
  EXPECT_EQ(failure([] { bitwise_and(ones({2}), ones({2})); }, TH_ERROR_NOT_IMPLEMENTED),
            "\"bitwise_and_cpu\" not implemented for 'Float'");
  EXPECT_NE(failure([] { bitwise_and(ones({2}), ones({3})); }, TH_ERROR_RUNTIME), "");
}

TEST(Operators, AlphaMustFit) {
  EXPECT_NE(failure([] { add(ones({2}, TH_Int), ones({2}, TH_Int), 0.5); }), "");
  EXPECT_NE(failure([] { sub(ones({2}, TH_Bool), ones({2}, TH_Bool)); }), "");
}

TEST(Operators, Reductions) {
  const Tensor a = counted({2, 3}, TH_Int);
  EXPECT_EQ(sum(a).dtype(), TH_Long);
  EXPECT_EQ(numbers(sum(a, {0})), (V{3, 5, 7}));
  EXPECT_EQ(shape(sum(a, {-1}, true)), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(sum(a, {}, false, TH_Half).dtype(), TH_Half);
  EXPECT_EQ(failure([&] { sum(a, {0, -2}); }), "dim 0 appears multiple times in the list of dims");
  failure([&] { sum(a, {2}); }, TH_ERROR_INDEX);
  const auto [largest, where] = max(a, 1);
  EXPECT_EQ(numbers(largest), (V{2, 5}));
  EXPECT_EQ(where.dtype(), TH_Long);
}

TEST(Operators, Views) {
  const Tensor a = counted({2, 3});
  fill_(select(transpose(a, 0, 1), 0, 1), wrapped_number(9));
  EXPECT_EQ(numbers(a), (V{0, 9, 2, 3, 9, 5}));
  EXPECT_EQ(movedim(zeros({2, 3, 4}), {0}, {-1}).sizes().back(), 2);
  EXPECT_EQ(split(a, 2, 1).size(), 2u);
  EXPECT_EQ(view_dtype(a, TH_Byte).size(1), 12);
  EXPECT_TRUE(to(a, TH_Float).is_same(a));
}

TEST(Operators, Indexing) {
  const Tensor a = counted({3, 4});
  const Tensor rows = to(counted({2}), TH_Long), mask = gt(counted({4}), wrapped_number(1.5));
  EXPECT_EQ(shape(index(a, {rows})), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(numbers(index(a, {Tensor(), mask})), (V{2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(failure([&] { index(counted({2}), {ones({3}, TH_Bool)}); }, TH_ERROR_INDEX),
            "The shape of the mask [3] at index 0 does not match the shape of the indexed tensor "
            "[2] at index 0");
  index_put_(a, {mask.defined() ? rows : Tensor()}, zeros({4}));
  EXPECT_EQ(numbers(sum(a)), (V{8 + 9 + 10 + 11}));
}

TEST(Operators, Products) {
  EXPECT_EQ(numbers(matmul(counted({2, 3}), counted({3}))), (V{5, 14}));
  EXPECT_EQ(shape(matmul(ones({4, 1, 2, 3}), ones({5, 3, 2}))), (std::vector<int64_t>{4, 5, 2, 2}));
  EXPECT_EQ(failure([] { mm(ones({2, 3}), ones({2, 3})); }), "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
  const Tensor a = zeros({4});
  EXPECT_NE(failure([&] { addmm_(a, ones({2, 3}), ones({3, 4})); }), "");
  EXPECT_EQ(shape(a), (std::vector<int64_t>{4}));
}

TEST(Operators, PowersOfNumbers) {
  EXPECT_EQ(failure([] { pow(ones({2}, TH_Int), -1); }), "Integers to negative integer powers are not allowed.");
  EXPECT_EQ(numbers(pow(counted({3}), 2.0)), (V{0, 1, 4}));
  EXPECT_EQ(numbers(pow(Scalar(2), counted({3}))), (V{1, 2, 4}));
  EXPECT_EQ(pow(ones({2}, TH_Bool), wrapped_number(true)).dtype(), TH_Bool);
}

TEST(Operators, Random) {
  const Tensor a = empty({1000}, TH_Byte);
  random_(a);
  EXPECT_GT(numbers(to(amax(a), TH_Int))[0], 200);
  EXPECT_EQ(failure([] { randint(3, 3, {2}); }), "random_ expects 'from' to be less than 'to', but got from=3 >= to=3");
}

TEST(NN, ChoosesTheKernelByDtype) {
  EXPECT_EQ(numbers(nn_leaky_relu(full({2}, -2.0, TH_Double), 0.25)), (V{-0.5, -0.5}));
  EXPECT_EQ(failure([] { nn_leaky_relu(ones({2}, TH_Int), 0.25); }, TH_ERROR_NOT_IMPLEMENTED),
            "\"leaky_relu_cpu\" not implemented for 'Int'");
}

}  // namespace
