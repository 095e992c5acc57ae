#include <cblas.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <omp.h>
#include <zlib.h>

#include <oneapi/dnnl/dnnl.hpp>

TEST(Libraries, Highway) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  EXPECT_EQ(hn::GetLane(hn::Add(hn::Set(d, 40.0f), hn::Set(d, 2.0f))), 42.0f);
  EXPECT_NE(hwy::SupportedTargets(), 0);
}

TEST(Libraries, OneDNN) {
  EXPECT_EQ(dnnl_version()->cpu_runtime, static_cast<unsigned>(DNNL_RUNTIME_OMP));
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  EXPECT_EQ(engine.get_kind(), dnnl::engine::kind::cpu);
}

TEST(Libraries, OpenBLAS) {
  const float x[] = {1, 2, 3};
  EXPECT_EQ(cblas_sdot(3, x, 1, x, 1), 14.0f);
  EXPECT_EQ(openblas_get_parallel(), OPENBLAS_OPENMP);
}

extern "C" void dgesv_(const blasint *n, const blasint *nrhs, double *a, const blasint *lda, blasint *pivots, double *b,
                       const blasint *ldb, blasint *info);

// Header and library agree on how long an integer is: a library of 32 bits would leave halves of these as they are.
TEST(Libraries, OpenBLASIntegers) {
  EXPECT_EQ(sizeof(blasint), BLAS_INTEGER_BYTES);
  double a[] = {0, 2, 4, 0}, b[] = {12, 6};
  const blasint one = 1, two = 2;
  blasint pivots[] = {-1, -1}, info = -1;
  dgesv_(&two, &one, a, &two, pivots, b, &two, &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(pivots[0], 2);
  EXPECT_EQ(pivots[1], 2);
  EXPECT_EQ(b[0], 3);
  EXPECT_EQ(b[1], 3);
}

TEST(Libraries, OpenMP) { EXPECT_GE(omp_get_max_threads(), 1); }

TEST(Libraries, Zlib) { EXPECT_STREQ(zlibVersion(), ZLIB_VERSION); }

TEST(Libraries, Gmock) { EXPECT_THAT((std::vector{1, 2}), testing::ElementsAre(1, 2)); }
