// Conversion between complex dtypes and all others: the parts are converted as real numbers are.
#include <algorithm>
#include <cstring>
#include "convert.hpp"
#include "scalar.hpp"

namespace th {
namespace {

// Complex numbers lie in memory as pairs of their parts.
template <class To, class From>
void convertParts(void *dst, const void *src, int64_t n) {
  if constexpr (std::is_same_v<To, From>) {
    std::memcpy(dst, src, size_t(n) * sizeof(To));
  } else {
    auto *to = static_cast<typename To::value_type *>(dst);
    auto *from = static_cast<const typename From::value_type *>(src);
    for (int64_t i = 0; i < 2 * n; i++) to[i] = typename To::value_type(from[i]);
  }
}

template <class From>
void test(void *dst, const void *src, int64_t n) {
  auto *to = static_cast<bool *>(dst);
  auto *from = static_cast<const From *>(src);
  for (int64_t i = 0; i < n; i++) to[i] = convertTo<bool>(from[i]);
}

// The real parts, by blocks where they are to become something else.
template <class To, class From>
void toReal(void *dst, const void *src, int64_t n) {
  using Part = typename From::value_type;
  auto *from = static_cast<const Part *>(src);
  Part block[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    To *const to = static_cast<To *>(dst) + i;
    Part *const parts = std::is_same_v<To, Part> ? reinterpret_cast<Part *>(to) : block;
    for (int64_t j = 0; j < m; j++) parts[j] = from[2 * (i + j)];
    if (!std::is_same_v<To, Part>) converter(DtypeOf<To>::value, DtypeOf<Part>::value)(to, parts, m);
  }
}

template <class To, class From>
void fromReal(void *dst, const void *src, int64_t n) {
  using Part = typename To::value_type;
  auto *to = static_cast<Part *>(dst);
  Part block[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    const From *const from = static_cast<const From *>(src) + i;
    const Part *parts = std::is_same_v<From, Part> ? reinterpret_cast<const Part *>(from) : block;
    if (!std::is_same_v<From, Part>) converter(DtypeOf<Part>::value, DtypeOf<From>::value)(block, from, m);
    for (int64_t j = 0; j < m; j++) {
      to[2 * (i + j)] = parts[j];
      to[2 * (i + j) + 1] = 0;
    }
  }
}

template <class To, class From>
constexpr Convert choose() {
  if constexpr (isComplexType<To> && isComplexType<From>)
    return convertParts<To, From>;
  else if constexpr (isComplexType<To>)
    return fromReal<To, From>;
  else if constexpr (std::is_same_v<To, bool> && isComplexType<From>)
    return test<From>;
  else if constexpr (isComplexType<From>)
    return toReal<To, From>;
  else
    return nullptr;
}

template <class To>
constexpr void fillRow(Convert *row) {
#define ENTRY(Name, _) row[TH_##Name] = choose<To, Element<TH_##Name>>();
  TH_FOR_all_complex(ENTRY, )
#undef ENTRY
}

constexpr ConvertTable converts = [] {
  ConvertTable table{};
#define ROW(Name, _) fillRow<Element<TH_##Name>>(table.to[TH_##Name]);
  TH_FOR_all_complex(ROW, )
#undef ROW
      return table;
}();

}  // namespace

Convert complexConverter(THDtype to, THDtype from) { return converts.to[to][from]; }

}  // namespace th
