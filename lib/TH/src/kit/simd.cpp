#include "simd.hpp"

#include <hwy/targets.h>

#include <cstdlib>
#include <string_view>

static int64_t findTargets() {
  const char *variable = std::getenv("TH_CPU_CAPABILITY");
  const std::string_view wish = variable ? variable : "";
  int64_t targets = hwy::SupportedTargets();
  if (wish == "default" || wish == "avx2") targets &= ~int64_t(HWY_AVX3);
  if (wish == "default") targets &= ~int64_t(HWY_AVX2);
  return targets;
}

const int64_t th::cpuTargets = findTargets();
