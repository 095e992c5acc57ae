// CUB's algorithms and CUDA's mathematical functions.
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common.cuh"

namespace {

class Algorithms : public Cuda {
 protected:
  // Calls `algorithm(storage, bytes)` twice, as CUB wants it, and once with too little.
  template <class F>
  void run(F algorithm) {
    size_t bytes = 0;
    OK(algorithm(nullptr, bytes));
    ASSERT_GT(bytes, 0u);
    void *storage;
    OK(cudaMalloc(&storage, bytes));
    size_t less = bytes - 1;
    EXPECT_EQ(algorithm(storage, less), cudaErrorInvalidValue);
    cudaGetLastError();
    OK(algorithm(storage, bytes));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(storage));
  }
};

TEST_F(Algorithms, RadixSortOfPairs) {
  const std::vector<float> keys{3, -1, INFINITY, -0.0f, 0.0f, -INFINITY, 3, 1e-40f};
  std::vector<int> values(8);
  std::iota(values.begin(), values.end(), 0);
  float *k = onDevice(keys), *sortedK = onDevice(keys);
  int *v = onDevice(values), *sortedV = onDevice(values);
  run([=](void *storage, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, k, sortedK, v, sortedV, 8);
  });
  EXPECT_EQ(fromDevice(sortedV, 8), (std::vector<int>{5, 1, 3, 4, 7, 0, 6, 2}));
  EXPECT_EQ(fromDevice(sortedK, 8)[0], -INFINITY);
  run([=](void *storage, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, k, sortedK, v, sortedV, 8);
  });
  EXPECT_EQ(fromDevice(sortedV, 8), (std::vector<int>{2, 0, 6, 7, 3, 4, 1, 5}));
}

TEST_F(Algorithms, RadixSortOfSomeBits) {
  const std::vector<int64_t> keys{0x13, 0x02, 0x11, 0x01};
  int64_t *k = onDevice(keys), *sorted = onDevice(keys);
  run([=](void *storage, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(storage, bytes, k, sorted, 4, 0, 4); });
  EXPECT_EQ(fromDevice(sorted, 4), (std::vector<int64_t>{0x11, 0x01, 0x02, 0x13}));
}

TEST_F(Algorithms, SegmentedSort) {
  int *k = onDevice(std::vector<int>{3, 1, 2, 9, 7, 8}), *sorted = onDevice(std::vector<int>(6));
  const int *offsets = onDevice(std::vector<int>{0, 3, 3, 6});
  run([=](void *storage, size_t &bytes) {
    return cub::DeviceSegmentedSort::StableSortKeys(storage, bytes, k, sorted, 6, 3, offsets, offsets + 1);
  });
  EXPECT_EQ(fromDevice(sorted, 6), (std::vector<int>{1, 2, 3, 7, 8, 9}));
}

TEST_F(Algorithms, MergeSort) {
  std::vector<int> keys(1000), values(1000);
  for (int i = 0; i < 1000; i++) keys[size_t(i)] = i * 7919 % 97, values[size_t(i)] = i;
  int *k = onDevice(keys), *v = onDevice(values);
  run([=](void *storage, size_t &bytes) {
    return cub::DeviceMergeSort::StableSortPairs(storage, bytes, k, v, 1000,
                                                 [] __host__ __device__(int a, int b) { return a > b; });
  });
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[size_t(a)] > keys[size_t(b)]; });
  EXPECT_EQ(fromDevice(v, 1000), values);
}

TEST_F(Algorithms, Scans) {
  int *p = onDevice(std::vector<int>{3, 1, 2}), *q = onDevice(std::vector<int>(3));
  run([=](void *storage, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(storage, bytes, p, q, 3); });
  EXPECT_EQ(fromDevice(q, 3), (std::vector<int>{0, 3, 4}));
  OK(cudaMemcpy(p, fromDevice(p, 3).data(), 12, cudaMemcpyHostToDevice));
  run([=](void *storage, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(storage, bytes, q, q, 3); });  // in place
  EXPECT_EQ(fromDevice(q, 3), (std::vector<int>{0, 0, 3}));
  run([=](void *storage, size_t &bytes) { return cub::DeviceScan::InclusiveSum(storage, bytes, p, q, 3); });
  EXPECT_EQ(fromDevice(q, 3), (std::vector<int>{3, 4, 6}));
}

TEST_F(Algorithms, SelectionsAndRuns) {
  int *p = onDevice(std::vector<int>{5, 5, 5, 2, 2, 7}), *q = onDevice(std::vector<int>(6)), *n = onDevice(std::vector<int>(1)),
      *counts = onDevice(std::vector<int>(6));
  auto odd = thrust::make_transform_iterator(thrust::counting_iterator<int>(0),
                                             [] __host__ __device__(int i) { return i % 2; });
  run([=](void *storage, size_t &bytes) { return cub::DeviceSelect::Flagged(storage, bytes, p, odd, q, n, 6); });
  EXPECT_EQ(fromDevice(n, 1)[0], 3);
  EXPECT_EQ(fromDevice(q, 3), (std::vector<int>{5, 2, 7}));
  run([=](void *storage, size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, p, q, counts, n, 6);
  });
  EXPECT_EQ(fromDevice(q, 3), (std::vector<int>{5, 2, 7}));
  EXPECT_EQ(fromDevice(counts, 3), (std::vector<int>{3, 2, 1}));
  run([=](void *storage, size_t &bytes) { return cub::DeviceSelect::Unique(storage, bytes, p, q, n, 6); });
  EXPECT_EQ(fromDevice(n, 1)[0], 3);
}

TEST_F(Algorithms, Reductions) {
  int *p = onDevice(std::vector<int>{3, -1, 2}), *q = onDevice(std::vector<int>(1));
  run([=](void *storage, size_t &bytes) { return cub::DeviceReduce::Sum(storage, bytes, p, q, 3); });
  EXPECT_EQ(fromDevice(q, 1)[0], 4);
  run([=](void *storage, size_t &bytes) { return cub::DeviceReduce::Max(storage, bytes, p, q, 3); });
  EXPECT_EQ(fromDevice(q, 1)[0], 3);
}

#ifdef HOST_CUDA
TEST_F(Algorithms, AreCheckedAsKernelsAre) {
  int *p = onDevice(std::vector<int>(3)), *q = onDevice(std::vector<int>(1));
  char *storage = onDevice(std::vector<char>(100));
  size_t bytes = 100;
  OK(cub::DeviceReduce::Sum(storage, bytes, p, q, 4));
  expectStop(cudaErrorIllegalAddress, "0 bytes past an allocation of 12");
}
#endif

__global__ void functions(double *to, double x) {
  to[0] = rsqrt(x);
  to[1] = sinpi(x);
  to[2] = cospi(x);
  to[3] = normcdf(x);
  to[4] = normcdfinv(x);
  to[5] = erfinv(x);
  to[6] = erfcinv(x);
  to[7] = erfcx(x * 100);
  to[8] = cyl_bessel_i0(x);
  to[9] = cyl_bessel_i1(x);
  to[10] = rcbrt(x);
  to[11] = erfcinv(x * 1e-30);
}

TEST_F(Algorithms, MathematicalFunctions) {
  double *p = onDevice(std::vector<double>(12));
  OK(launch(functions, 1, 1, 0, nullptr, p, 0.3));
  const auto got = fromDevice(p, 12);
  // Computed with 30 digits.
  const double want[] = {1.8257418583505537115, 0.80901699437494742410, 0.58778525229247312917,
                         0.61791142218895267293, -0.52440051270804066696, 0.27246271472675434815,
                         0.73286907795921685222, 0.018795888861416752,    1.0226268793515969,
                         0.15169384000359287,    1.4938015821857215,      8.0852974898};
  for (int i = 0; i < 11; i++) EXPECT_NEAR(got[size_t(i)], want[i], 4e-15 * std::fabs(want[i])) << i;
  EXPECT_NEAR(std::erfc(got[11]) / 0.3e-30, 1, 1e-12);
}

__global__ void integers(unsigned *to) {
  to[0] = unsigned(__popc(0xf0f0u));
  to[1] = unsigned(__clz(1));
  to[2] = unsigned(__ffs(8));
  to[3] = __brev(1u);
  to[4] = __umulhi(0x80000000u, 6u);
  to[5] = unsigned(__umul64hi(1ull << 63, 10));
  to[6] = unsigned(__clzll(1ll << 40));
  to[7] = __float_as_uint(1.0f);
  to[8] = __byte_perm(0x33221100u, 0x77665544u, 0x7410u);
  to[9] = __funnelshift_l(0x80000000u, 1u, 1);
  to[10] = unsigned(__float2int_rz(-1e20f));
  to[11] = unsigned(__float2int_rn(2.5f));
}

TEST_F(Algorithms, Intrinsics) {
  unsigned *p = onDevice(std::vector<unsigned>(12));
  OK(launch(integers, 1, 1, 0, nullptr, p));
  EXPECT_EQ(fromDevice(p, 12), (std::vector<unsigned>{8, 31, 4, 0x80000000u, 3, 5, 23, 0x3f800000u, 0x77441100u, 3,
                                                      0x80000000u, 2}));
}

}  // namespace
