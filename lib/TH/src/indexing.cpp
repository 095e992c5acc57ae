#include "indexing.hpp"

#include <algorithm>
#include <atomic>

namespace th {

Ref asLongs(const THTensor *index, int ndim, const int64_t *size) {
  if (dtypeOf(index) == TH_Long && THTensor_isContiguous(index) && sameShape(ndim, size, index)) {
    THTensor_retain(const_cast<THTensor *>(index));
    return Ref(const_cast<THTensor *>(index));
  }
  Ref longs(THTensor_newWithSize(TH_Long, ndim, size));
  THTensor_copy(longs, index);
  return longs;
}

int64_t findOutside(const int64_t *numbers, int64_t n, int64_t low, int64_t high) {
  // Negative if x is below `low` or above `high` - 1; low <= 0 <= high, so wrapping keeps that.
  const auto sign = [=](int64_t x) { return (uint64_t(x) - uint64_t(low)) | (uint64_t(high - 1) - uint64_t(x)); };
  std::atomic<int64_t> first{n};
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t block = 1024;
    for (int64_t i = begin; i < end; i += block) {
      const int64_t stop = std::min(end, i + block);
      uint64_t outside = 0;
      for (int64_t j = i; j < stop; j++) outside |= sign(numbers[j]);
      if (int64_t(outside) >= 0) continue;
      int64_t j = i;
      while (int64_t(sign(numbers[j])) >= 0) j++;
      for (int64_t seen = first; j < seen && !first.compare_exchange_weak(seen, j);) {
      }
      return;
    }
  });
  return first == n ? -1 : int64_t(first);
}

void Offsets::add(int64_t size, int64_t stride) {
  count_ *= size;
  if (size == 1) return;
  if (!dims_.empty() && dims_.back().stride == stride * size)
    dims_.back() = {dims_.back().size * size, stride};
  else
    dims_.push_back({size, stride});
}

Offsets::Dim Offsets::takeInner() {
  if (dims_.empty()) return {1, 0};
  const Dim inner = dims_.back();
  dims_.pop_back();
  count_ = 1;
  for (const Dim &d : dims_) count_ *= d.size;
  return inner;
}

}  // namespace th
