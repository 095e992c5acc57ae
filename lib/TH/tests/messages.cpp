// Error texts and kinds: those of torch 2.13, taken down from it.
#include "tensors.hpp"

using namespace test;

namespace {

THScalar integer(int64_t i) {
  THScalar s;
  s.kind = TH_KIND_int;
  s.value.i = i;
  return s;
}
Tensor zeros(Shape shape, THDtype dtype = TH_Float) {
  Tensor t(dtype, shape);
  THTensor_zero(t);
  return t;
}
THTensor *view(const THTensor *t, Shape s) {
  return THTensor_newView(const_cast<THTensor *>(t), int(s.size()), s.data());
}
THTensor *expand(const THTensor *t, Shape s) {
  return THTensor_newExpand(const_cast<THTensor *>(t), int(s.size()), s.data());
}
THTensor *permute(const THTensor *t, Shape s) {
  return THTensor_newPermute(const_cast<THTensor *>(t), int(s.size()), s.data());
}
THTensor *strided(const THTensor *t, Shape size, Shape stride, int64_t offset) {
  return THTensor_newAsStrided(const_cast<THTensor *>(t), int(size.size()), size.data(), stride.data(), offset);
}

struct Case {
  THErrorKind kind;
  const char *text;
  std::function<void()> run;
};

TEST(Messages, AreThoseOfTorch) {
  const Tensor m = zeros({3, 4}), v = zeros({3}), s = zeros({}), five = zeros({5}), six = zeros({6}), w = zeros({2, 3});
  const Tensor l = zeros({2}, TH_Long), r(TH_Float);
  const int64_t huge = int64_t(1) << 62;
  const Case cases[] = {
      {TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got 5)",
       [&] { TH_wrapDim(5, 2); }},
      {TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-1, 0], but got -2)",
       [&] { TH_wrapDim(-2, 0); }},
      {TH_ERROR_INDEX, "select(): index 5 out of range for tensor of size [3, 4] at dimension 0",
       [&] { THTensor_newSelect(m, 0, 5); }},
      {TH_ERROR_INDEX, "select() cannot be applied to a 0-dim tensor.", [&] { THTensor_newSelect(s, 0, 0); }},
      {TH_ERROR_RUNTIME, "start (2) + length (5) exceeds dimension size (3).", [&] { THTensor_newNarrow(m, 0, 2, 5); }},
      {TH_ERROR_INDEX, "start out of range (expected to be in range of [-3, 3], but got -5)",
       [&] { THTensor_newNarrow(m, 0, -5, 1); }},
      {TH_ERROR_RUNTIME, "narrow(): length must be non-negative.", [&] { THTensor_newNarrow(m, 0, 1, -1); }},
      {TH_ERROR_RUNTIME, "narrow() cannot be applied to a 0-dim tensor.", [&] { THTensor_newNarrow(s, 0, 0, 1); }},
      {TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
       [&] { THTensor_newTranspose(m, 0, 2); }},
      {TH_ERROR_RUNTIME,
       "number of dimensions in the tensor input does not match the length of the desired ordering of dimensions",
       [&] { permute(m, {0}); }},
      {TH_ERROR_RUNTIME, "permute(): duplicate dims are not allowed.", [&] { permute(m, {0, 0}); }},
      {TH_ERROR_RUNTIME, "maximum size for tensor at dimension 0 is 5 but size is 6",
       [&] { THTensor_newUnfold(five, 0, 6, 1); }},
      {TH_ERROR_RUNTIME, "size is -1 but must be >= 0", [&] { THTensor_newUnfold(five, 0, -1, 1); }},
      {TH_ERROR_RUNTIME, "step is 0 but must be > 0", [&] { THTensor_newUnfold(five, 0, 2, 0); }},
      {TH_ERROR_RUNTIME,
       "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [2, 4].  Tensor sizes: [3]",
       [&] { expand(v, {2, 4}); }},
      {TH_ERROR_RUNTIME,
       "expand(torch.FloatTensor{[3, 4]}, size=[3]): the number of sizes provided (1) must be greater or equal to the number of dimensions in the tensor (2)",
       [&] { expand(m, {3}); }},
      {TH_ERROR_RUNTIME, "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0",
       [&] { expand(v, {-1, 3}); }},
      {TH_ERROR_RUNTIME, "shape '[2, 4]' is invalid for input of size 6", [&] { view(six, {2, 4}); }},
      {TH_ERROR_RUNTIME, "shape '[-1, 4]' is invalid for input of size 6", [&] { view(six, {-1, 4}); }},
      {TH_ERROR_RUNTIME, "only one dimension can be inferred", [&] { view(six, {-1, -1}); }},
      {TH_ERROR_RUNTIME, "invalid shape dimension -2 at index 0 of shape [-2, 3]", [&] { view(six, {-2, 3}); }},
      {TH_ERROR_RUNTIME,
       "cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified dimension size -1 can be any value and is ambiguous",
       [&] { view(zeros({0}), {-1, 0}); }},
      {TH_ERROR_RUNTIME,
       "view size is not compatible with input tensor's size and stride: elements of one new dimension are not at equal distances. .reshape(...) makes a copy where it must.",
       [&] { view(Tensor(THTensor_newTranspose(w, 0, 1)), {6}); }},
      {TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-3, 2], but got 3)",
       [&] { THTensor_newUnsqueeze1d(w, 3); }},
      {TH_ERROR_RUNTIME, "diagonal dimensions cannot be identical 0, 0", [&] { THTensor_newDiagonal(w, 0, 0, 0); }},
      {TH_ERROR_RUNTIME,
       "setStorage: sizes [4], strides [1], storage offset 0, and itemsize 4 requiring a storage size of 16 are out of bounds for storage of size 12",
       [&] { strided(v, {4}, {1}, 0); }},
      {TH_ERROR_RUNTIME, "as_strided: Negative strides are not supported at the moment, got strides: [-1]",
       [&] { strided(v, {2}, {-1}, 0); }},
      {TH_ERROR_RUNTIME, "Tensor: invalid storage offset -1", [&] { strided(v, {2}, {1}, -1); }},
      {TH_ERROR_RUNTIME, "Storage size calculation overflowed with sizes=[4611686018427387904, 8]",
       [&] { strided(v, {huge, 8}, {1, 1}, 0); }},
      {TH_ERROR_RUNTIME, "Trying to create tensor with negative dimension -3: [2, -3]",
       [&] { Tensor(TH_Float, {2, -3}); }},
      {TH_ERROR_RUNTIME, "Storage size calculation overflowed with sizes=[4611686018427387904]",
       [&] { Tensor(TH_Float, {huge}); }},
      {TH_ERROR_RUNTIME, "Storage size calculation overflowed with sizes=[4611686018427387904, 4]",
       [&] { Tensor(TH_Float, {huge, 4}); }},
      {TH_ERROR_RUNTIME,
       "DefaultCPUAllocator: can't allocate memory: you tried to allocate 140737488355328 bytes. Error code 12 (Cannot allocate memory)",
       [&] { Tensor(TH_Float, {int64_t(1) << 45}); }},
      {TH_ERROR_RUNTIME, "a Tensor with 3 elements cannot be converted to Scalar", [&] { THTensor_item(v); }},
      {TH_ERROR_RUNTIME, "Could not set tensor of type c10::Half to a tensor of type float",
       [&] { THTensor_set(v, zeros({2}, TH_Half)); }},
      {TH_ERROR_RUNTIME, "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
       [&] { THTensor_copy(v, l); }},
      {TH_ERROR_RUNTIME, "output with shape [3] doesn't match the broadcast shape [2, 3]",
       [&] { THTensor_copy(v, w); }},
      {TH_ERROR_RUNTIME, "masked_fill_ only supports boolean masks, but got mask with dtype long",
       [&] { THTensor_maskedFill(v, l, integer(1)); }},
      {TH_ERROR_RUNTIME, "ZeroDivisionError", [&] { THLongTensor_cdivFloor(l, l, l); }},
      {TH_ERROR_RUNTIME, "ZeroDivisionError",
       [&] { THByteTensor_cremainder(r, v, Tensor(THTensor_newWithScalar(TH_Long, integer(256)))); }},
      {TH_ERROR_RUNTIME, "Integers to negative integer powers are not allowed.",
       [&] {
         Tensor e(THTensor_newWithScalar(TH_Long, integer(-1)));
         e->flags = TH_WRAPPED_NUMBER;
         THLongTensor_cpow(l, l, e);
       }},
      {TH_ERROR_RUNTIME, "For integral input tensors, argument alpha must not be a floating point number.",
       [&] { THLongTensor_cadd(l, l, number(1.5), l); }},
      {TH_ERROR_RUNTIME, "Boolean alpha only supported for Boolean results.",
       [&] { THFloatTensor_cadd(v, v, THScalar{TH_KIND_bool, {1}, 0}, v); }},
      {TH_ERROR_RUNTIME, "value cannot be converted to type uint8_t without overflow",
       [&] { THByteTensor_cadd(r, v, integer(300), v); }},
      {TH_ERROR_RUNTIME, "step must be nonzero", [&] { THFloatTensor_arange(r, integer(0), integer(5), integer(0)); }},
      {TH_ERROR_RUNTIME, "upper bound and lower bound inconsistent with step sign",
       [&] { THLongTensor_arange(l, integer(0), integer(5), integer(-1)); }},
      {TH_ERROR_RUNTIME, "unsupported range: 0 -> inf",
       [&] { THFloatTensor_arange(r, integer(0), number(INFINITY), integer(1)); }},
      {TH_ERROR_RUNTIME, "unsupported range: 0 -> nan",
       [&] { THFloatTensor_arange(r, integer(0), number(NAN), integer(1)); }},
      {TH_ERROR_RUNTIME, "invalid size, possible overflow?",
       [&] { THFloatTensor_arange(r, integer(0), number(1e20), integer(1)); }},
      {TH_ERROR_RUNTIME, "number of steps must be non-negative",
       [&] { THFloatTensor_linspace(r, integer(0), integer(1), -1); }},
      {TH_ERROR_RUNTIME, "n must be greater or equal to 0, got -1", [&] { THFloatTensor_eye(r, -1, 2); }},
      {TH_ERROR_RUNTIME, "m must be greater or equal to 0, got -1", [&] { THFloatTensor_eye(r, 2, -1); }},
  };
  for (const Case &c : cases) expectRaises(c.kind, c.text, c.run);
  EXPECT_EQ(shapeOf(r), Shape{0});  // none of them has touched anything
  EXPECT_EQ(values(v), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(m->storage->refcount, 1);
}

}  // namespace
