// Run-time dispatch by Highway, for files of inner loops. Such a file includes itself once per
// target; its shape is
//
//     #include "simd.hpp"
//     #undef HWY_TARGET_INCLUDE
//     #define HWY_TARGET_INCLUDE "elementwise/arithmetic.cpp"
//     #include <hwy/foreach_target.h>
//     #include "loops-inl.hpp"
//     HWY_BEFORE_NAMESPACE();
//     namespace th::HWY_NAMESPACE { constexpr KernelTable add = …; }
//     HWY_AFTER_NAMESPACE();
//     #if HWY_ONCE
//     the exported functions, which use TH_BEST_TARGET(add)
//     #endif
//
// Plain loops are vectorised by the compiler, for the target that Highway's pragmas name: they need
// Highway's macros only, which cost a fifth of the compile time of <hwy/highway.h>.
#pragma once

#include <hwy/base.h>
#include <hwy/detect_targets.h>

#include <cstdint>

// Each target compiles every loop again, so there are few: what every machine of the architecture
// has, AVX2, and for files that define TH_WIDE_TARGETS (arithmetic enough per byte) AVX-512.
#undef HWY_DISABLED_TARGETS
#define TH_X86_TARGETS_BETWEEN (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#if defined(HWY_AVX3_ZEN4)  // Highway 1.1 and later
#define TH_X86_TARGETS_NEWER (HWY_AVX3_ZEN4 | HWY_AVX3_SPR)
#else
#define TH_X86_TARGETS_NEWER 0
#endif
#if defined(TH_WIDE_TARGETS)
#define HWY_DISABLED_TARGETS (TH_X86_TARGETS_BETWEEN | TH_X86_TARGETS_NEWER)
#else
#define HWY_DISABLED_TARGETS (TH_X86_TARGETS_BETWEEN | TH_X86_TARGETS_NEWER | HWY_AVX3)
#endif

namespace th {

// The targets that this CPU has, less those that the environment variable TH_CPU_CAPABILITY
// (default, avx2, avx512) rules out.
extern const int64_t cpuTargets;

}  // namespace th

// After all targets: the best one's `name`. HWY_NAMESPACE is the baseline then.
#if HWY_TARGETS & HWY_AVX2
#define TH_IF_AVX2(name) (th::cpuTargets & HWY_AVX2) ? th::N_AVX2::name :
#else
#define TH_IF_AVX2(name)
#endif
#if HWY_TARGETS & HWY_AVX3
#define TH_IF_AVX3(name) (th::cpuTargets & HWY_AVX3) ? th::N_AVX3::name :
#else
#define TH_IF_AVX3(name)
#endif
#define TH_BEST_TARGET(name) (TH_IF_AVX3(name) TH_IF_AVX2(name) th::HWY_NAMESPACE::name)
