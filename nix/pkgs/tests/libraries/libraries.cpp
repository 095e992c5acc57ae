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

TEST(Libraries, OpenMP) { EXPECT_GE(omp_get_max_threads(), 1); }

TEST(Libraries, Zlib) { EXPECT_STREQ(zlibVersion(), ZLIB_VERSION); }

TEST(Libraries, Gmock) { EXPECT_THAT((std::vector{1, 2}), testing::ElementsAre(1, 2)); }
