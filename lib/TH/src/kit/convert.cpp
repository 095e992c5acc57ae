// Conversion of contiguous runs between real dtypes that have kernels; convert_complex.cpp and convert_stored.cpp have the
// others. The eight real types of the C language are
// converted directly; half types go to and from float, and by float to the rest.
#define TH_WIDE_TARGETS
#include "simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kit/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>
#include "convert.hpp"
#include "scalar.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class To, class From>
HWY_NOINLINE void convertRun(void *dst, const void *src, int64_t n) {
  auto *to = static_cast<To *>(dst);
  auto *from = static_cast<const Stored<From> *>(src);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) to[i] = convertTo<To>(From(from[i]));
}

// bool as the byte that it is: the compiler does not vectorise its own bool.
template <class From>
HWY_NOINLINE void testRun(void *dst, const void *src, int64_t n) {
  auto *to = static_cast<uint8_t *>(dst);
  auto *from = static_cast<const From *>(src);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) to[i] = uint8_t(from[i] != From(0));
}

// x86 has instructions for IEEE halves from AVX2 (F16C) on.
#if HWY_TARGET != HWY_STATIC_TARGET && HWY_ARCH_X86
template <>
HWY_NOINLINE void convertRun<float, half>(void *dst, const void *src, int64_t n) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  auto *to = static_cast<float *>(dst);
  auto *from = static_cast<const hwy::float16_t *>(src);
  int64_t i = 0;
  for (const int64_t step = int64_t(hn::Lanes(df)); i + step <= n; i += step)
    hn::StoreU(hn::PromoteTo(df, hn::LoadU(dh, from + i)), df, to + i);
  for (; i < n; i++) to[i] = static_cast<const half *>(src)[i];
}

template <>
HWY_NOINLINE void convertRun<half, float>(void *dst, const void *src, int64_t n) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  auto *to = static_cast<hwy::float16_t *>(dst);
  auto *from = static_cast<const float *>(src);
  int64_t i = 0;
  for (const int64_t step = int64_t(hn::Lanes(df)); i + step <= n; i += step)
    hn::StoreU(hn::DemoteTo(dh, hn::LoadU(df, from + i)), dh, to + i);
  for (; i < n; i++) static_cast<half *>(dst)[i] = half(from[i]);
}
#endif

// From a half type to anything but float, or the other way round.
template <class To, class From>
void convertByFloat(void *dst, const void *src, int64_t n) {
  float block[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = n - i < kBlock ? n - i : kBlock;
    convertRun<float, From>(block, static_cast<const From *>(src) + i, m);
    convertRun<To, float>(static_cast<To *>(dst) + i, block, m);
  }
}

template <class T>
void copyRun(void *dst, const void *src, int64_t n) {
  std::memcpy(dst, src, size_t(n) * sizeof(T));
}

template <class T>
constexpr bool isInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class To, class From>
constexpr Convert choose() {
  if constexpr (std::is_same_v<To, From>)
    return copyRun<To>;
  else if constexpr ((isHalfType<To> || isHalfType<From>) && !std::is_same_v<To, float> && !std::is_same_v<From, float>)
    return convertByFloat<To, From>;
  else if constexpr (std::is_same_v<To, bool>)
    return testRun<From>;
  else if constexpr (isInteger<To> && isInteger<From> && sizeof(To) <= sizeof(From))
    return convertRun<std::make_unsigned_t<To>, std::make_unsigned_t<From>>;  // the low bits, whatever the signs
  else
    return convertRun<To, From>;
}

template <class To>
constexpr void fillRow(Convert *row) {
#define ENTRY(Name, _) row[TH_##Name] = choose<To, Element<TH_##Name>>();
  TH_FOR_all(ENTRY, )
#undef ENTRY
}

constexpr ConvertTable makeTable() {
  ConvertTable table{};
#define ROW(Name, _) fillRow<Element<TH_##Name>>(table.to[TH_##Name]);
  TH_FOR_all(ROW, )
#undef ROW
  return table;
}

constexpr ConvertTable converts = makeTable();

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace th {

Convert converter(THDtype to, THDtype from) {
  static const auto &table = TH_BEST_TARGET(converts).to;
  const Convert real = table[to][from];
  if (real) [[likely]]
    return real;
  const Convert complex = complexConverter(to, from);
  return complex ? complex : storedConverter(to, from);
}

template <class T>
static void gatherRun(void *dst, const char *src, int64_t stride, int64_t n) {
  auto *to = static_cast<T *>(dst);
  for (int64_t i = 0; i < n; i++) to[i] = *reinterpret_cast<const T *>(src + i * stride);
}

template <class T>
static void scatterRun(char *dst, int64_t stride, const void *src, int64_t n) {
  auto *from = static_cast<const T *>(src);
  for (int64_t i = 0; i < n; i++) *reinterpret_cast<T *>(dst + i * stride) = from[i];
}

void gather(void *dst, const char *src, int64_t stride, int64_t n, size_t width) {
  static constexpr decltype(&gatherRun<char>) table[] = {gatherRun<uint8_t>, gatherRun<uint16_t>, gatherRun<uint32_t>,
                                                         gatherRun<uint64_t>, gatherRun<Wide>};
  table[__builtin_ctzll(width)](dst, src, stride, n);
}

void scatter(char *dst, int64_t stride, const void *src, int64_t n, size_t width) {
  static constexpr decltype(&scatterRun<char>) table[] = {scatterRun<uint8_t>, scatterRun<uint16_t>,
                                                          scatterRun<uint32_t>, scatterRun<uint64_t>, scatterRun<Wide>};
  table[__builtin_ctzll(width)](dst, stride, src, n);
}

// Integers of one width wrap alike, whatever their sign.
static bool sameBits(THDtype a, THDtype b) {
  return a == b || (dtypeTable[a].kind == TH_KIND_int && dtypeTable[a].kernels == dtypeTable[b].kernels);
}

Conversion conversion(THDtype from, THDtype via, THDtype to) {
  Conversion c{nullptr, nullptr, uint8_t(elementSize(from)), uint8_t(elementSize(to))};
  if (sameBits(from, to) && sameBits(via, to)) return c;
  const bool twice = via != from && via != to;  // also where from is to, for the rounding
  c.first = converter(twice ? via : to, from);
  if (twice) c.second = converter(to, via);
  return c;
}

void fetch(const Conversion &c, void *block, const char *memory, int64_t stride, int64_t n) {
  alignas(64) char gathered[kBlock * kWidest], between[kBlock * kWidest];
  const void *from = memory;
  if (n > 1 && stride != c.from) {
    gather(c.first ? gathered : block, memory, stride, n, c.from);
    from = gathered;
    if (!c.first) return;
  }
  if (!c.first)
    std::memcpy(block, from, size_t(n) * c.from);
  else if (!c.second)
    c.first(block, from, n);
  else {
    c.first(between, from, n);
    c.second(block, between, n);
  }
}

void store(const Conversion &c, char *memory, int64_t stride, const void *block, int64_t n) {
  alignas(64) char converted[kBlock * kWidest], between[kBlock * kWidest];
  const bool direct = stride == c.to || n == 1;
  if (c.first) {
    void *to = direct ? memory : converted;
    if (c.second) {
      c.first(between, block, n);
      c.second(to, between, n);
    } else {
      c.first(to, block, n);
    }
    block = converted;
  } else if (direct) {
    std::memcpy(memory, block, size_t(n) * c.to);
  }
  if (!direct) scatter(memory, stride, block, n, c.to);
}

}  // namespace th
#endif
