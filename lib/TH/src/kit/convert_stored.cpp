// Conversion of the dtypes that are only stored: each to and from the one or two that are nearest to it, element by
// element; and by those, block by block, to and from all others. Compiled once, without a version per processor.
#include <algorithm>
#include <cstring>
#include "convert.hpp"
#include "scalar.hpp"

namespace th {
namespace {

template <THDtype to, THDtype from>
void convertEach(void *dst, const void *src, int64_t n) {
  using To = Element<to>;
  using From = Element<from>;
  if constexpr (to == from) {
    std::memcpy(dst, src, size_t(n) * sizeof(To));
  } else {
    for (int64_t i = 0; i < n; i++) static_cast<To *>(dst)[i] = convertTo<To>(static_cast<const From *>(src)[i]);
  }
}

// The dtype with kernels that holds every number of `stored`, or wraps as it does; for uint64, which no other holds,
// one that does not round twice on the way to or from `other`.
constexpr THDtype nearest(THDtype stored, THDtype other) {
  if (stored == TH_UInt16) return TH_Int;
  if (stored == TH_UInt32) return TH_Long;
  if (stored == TH_UInt64)
    return other == TH_Double || other == TH_ComplexDouble ? TH_Double
           : isFloating(other) || isComplex(other)         ? TH_Float
                                                           : TH_Long;
  return isComplex(stored) ? TH_ComplexFloat : TH_Float;
}

template <THDtype to, THDtype from, THDtype via>
void convertBy(void *dst, const void *src, int64_t n) {
  alignas(16) char block[kBlock * sizeof(Element<via>)];
  const Convert first = converter(via, from), second = converter(to, via);
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    first(block, static_cast<const Element<from> *>(src) + i, m);
    second(static_cast<Element<to> *>(dst) + i, block, m);
  }
}

template <THDtype to, THDtype from>
constexpr Convert choose() {
  if constexpr (!isStored(to) && !isStored(from)) {
    return nullptr;
  } else {
    constexpr THDtype via = isStored(from) ? nearest(from, to) : nearest(to, from);
    constexpr bool integers = dtypeTable[to].kind == TH_KIND_int && dtypeTable[from].kind == TH_KIND_int;
    if constexpr (to == from || via == to || via == from || integers)
      return convertEach<to, from>;
    else
      return convertBy<to, from, via>;
  }
}

template <THDtype to>
constexpr void fillRow(Convert *row) {
#define ENTRY(Name, type, kind, kernels, name, alias) row[TH_##Name] = choose<to, TH_##Name>();
  TH_DTYPES(ENTRY)
#undef ENTRY
}

constexpr ConvertTable converts = [] {
  ConvertTable table{};
#define ROW(Name, type, kind, kernels, name, alias) fillRow<TH_##Name>(table.to[TH_##Name]);
  TH_DTYPES(ROW)
#undef ROW
  return table;
}();

}  // namespace

Convert storedConverter(THDtype to, THDtype from) { return converts.to[to][from]; }

}  // namespace th
