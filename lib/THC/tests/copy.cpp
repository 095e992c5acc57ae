// Copies, conversions and fills, and pointwise kernels at the limits of their vectors, beside those of the CPU.
#include "compare.hpp"

using namespace test;

namespace {

// One of each width.
constexpr THDtype kWidths[] = {TH_Char, TH_Half, TH_Float, TH_Double, TH_ComplexDouble};

Tensor permuted(const THTensor *t, const Shape &order) {
  return Tensor(THTensor_newPermute(const_cast<THTensor *>(t), t->ndim, order.data()));
}
Tensor narrowed(const THTensor *t, int dim, int64_t start, int64_t length) {
  return Tensor(THTensor_newNarrow(const_cast<THTensor *>(t), dim, start, length));
}
Tensor contiguousOnDevice(const THTensor *t) {
  Tensor r(THTensor_newWithSizeOn(kDevice, THDtype(t->dtype), t->ndim, t->size));
  THCTensor_copy(r, t);
  return r;
}

TEST(Copy, TurnsDimensionsAround) {
  const std::pair<Shape, Shape> cases[] = {{{64, 64}, {1, 0}},        {{33, 70}, {1, 0}},
                                           {{16, 16}, {1, 0}},        {{15, 40}, {1, 0}},
                                           {{3, 40, 50}, {0, 2, 1}},  {{40, 3, 50}, {2, 1, 0}},
                                           {{40, 50, 3}, {1, 2, 0}},  {{2, 35, 2, 34}, {2, 3, 0, 1}},
                                           {{20, 31, 33}, {2, 0, 1}}, {{2, 17, 3, 2, 65}, {3, 4, 2, 0, 1}}};
  for (const THDtype dtype : kWidths)
    for (const auto &[shape, order] : cases) {
      SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << ::testing::PrintToString(shape)
                                        << ::testing::PrintToString(order));
      const Tensor t = random(dtype, shape), device = onDevice(t), turned = permuted(t, order);
      expectEqual(turned, contiguousOnDevice(permuted(device, order)));
      // Into a result that is turned around, and has gaps
      Tensor wide = onDevice(relayout(turned, Layout::gapped));
      THCTensor_copy(wide, permuted(device, order));
      expectEqual(turned, wide);
    }
}

TEST(Copy, RowsOfAnyWidthAndStart) {
  for (const THDtype dtype : kWidths)
    for (const int64_t start : {0, 1, 2, 4, 8})
      for (const int64_t length : {1, 2, 3, 4, 8, 15, 16, 32}) {
        SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << " " << start << " + " << length);
        const Tensor t = random(dtype, {5, 48}), device = onDevice(t), part = narrowed(t, 1, start, length);
        expectEqual(part, contiguousOnDevice(narrowed(device, 1, start, length)));
        const Tensor own = random(dtype, {5, length}, 2);
        THTensor_copy(part, own);
        THCTensor_copy(narrowed(device, 1, start, length), onDevice(own));
        expectEqual(t, device);  // what is beside it stays
      }
}

TEST(Copy, ConvertsEveryPair) {
  for (const THDtype from : kKernelDtypes)
    for (const THDtype to : kKernelDtypes) {
      SCOPED_TRACE(::testing::Message() << TH_dtypeName(from) << " to " << TH_dtypeName(to));
      const Tensor t = random(from, {1030}), device = onDevice(t);
      for (const int64_t start : {0, 1, 2, 4})
        for (const int64_t length : {1, 3, 4, 5, 1026}) {
          const Tensor want(to, {1030}), got = onDevice(want);
          THTensor_zero(want);
          THCTensor_zero(got);
          // Both of them misaligned, then the result alone
          THTensor_copy(narrowed(want, 0, start, length), narrowed(t, 0, start, length));
          THCTensor_copy(narrowed(got, 0, start, length), narrowed(device, 0, start, length));
          expectEqual(want, got);
          THTensor_copy(narrowed(want, 0, start, length), narrowed(t, 0, 0, length));
          THCTensor_copy(narrowed(got, 0, start, length), narrowed(device, 0, 0, length));
          expectEqual(want, got);
        }
    }
}

TEST(Copy, Fills) {
  for (const THDtype dtype : kWidths) {
    const int64_t much = (int64_t(1) << 20) /
                         int64_t(TH_elementSize(dtype));  // as in copy.cu: with a launch for the rest
    for (const int64_t start : {0, 1, 2})
      for (const int64_t length : {int64_t(1), int64_t(3), int64_t(16), int64_t(17), much, much + 3}) {
        SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << " " << start << " + " << length);
        const Tensor want(dtype, {length + 4}), got = onDevice(want);
        THTensor_zero(want);
        THCTensor_zero(got);
        THTensor_fill(narrowed(want, 0, start, length), number(3));
        THCTensor_fill(narrowed(got, 0, start, length), number(3));
        const Tensor host = toHost(got);
        ASSERT_EQ(std::memcmp(THTensor_data(want), THTensor_data(host), want->storage->nbytes), 0);
      }
    const Tensor grid(dtype, {6, 20}), device = onDevice(grid);
    THTensor_zero(grid);
    THCTensor_zero(device);
    THTensor_fill(narrowed(grid, 1, 2, 16), number(3));
    THCTensor_fill(narrowed(device, 1, 2, 16), number(3));
    expectEqual(grid, device);
  }
}

// Steps of vectors: whole, in parts, misaligned, repeated along the innermost dimension or the others.
TEST(Copy, PointwiseAtTheLimitsOfVectors) {
  for (const auto &kernel : PAIRS(all, cmul)) {
    const THDtype dtype = kernel.dtype;
    const auto compare = [&](const THTensor *a, const THTensor *b, const THTensor *deviceA, const THTensor *deviceB) {
      const Tensor want(dtype), got = newOnDevice(dtype);
      kernel.cpu(want, a, b);
      kernel.cuda(got, deviceA, deviceB);
      expectEqual(want, got);
    };
    const Tensor t = random(dtype, {300}), u = random(dtype, {300}, 2), deviceT = onDevice(t), deviceU = onDevice(u);
    for (const int64_t start : {0, 1, 3})
      for (const int64_t length : {1, 2, 7, 15, 16, 17, 31, 290}) {
        SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << " " << start << " + " << length);
        compare(narrowed(t, 0, start, length), narrowed(u, 0, 0, length), narrowed(deviceT, 0, start, length),
                narrowed(deviceU, 0, 0, length));
        // In place where no vector begins; the neighbours stay.
        const Tensor own = random(dtype, {300}, 3), device = onDevice(own);
        kernel.cpu(narrowed(own, 0, start, length), narrowed(own, 0, start, length), narrowed(u, 0, 0, length));
        kernel.cuda(narrowed(device, 0, start, length), narrowed(device, 0, start, length),
                    narrowed(deviceU, 0, 0, length));
        expectEqual(own, device);
      }
    for (const int64_t columns : {1, 4, 15, 16, 32, 48}) {
      SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << " columns " << columns);
      const Tensor grid = random(dtype, {7, columns}), row = random(dtype, {columns}, 2),
                   column = random(dtype, {7, 1}, 3), cube = random(dtype, {3, 7, columns}, 4);
      const Tensor deviceGrid = onDevice(grid), deviceRow = onDevice(row), deviceColumn = onDevice(column),
                   deviceCube = onDevice(cube);
      compare(grid, row, deviceGrid, deviceRow);
      compare(column, grid, deviceColumn, deviceGrid);
      compare(column, row, deviceColumn, deviceRow);
      compare(cube, column, deviceCube, deviceColumn);
      const Tensor number = random(dtype, {});
      compare(cube, number, deviceCube, number);
      compare(cube, number, deviceCube, onDevice(number));
    }
  }
}

}  // namespace
