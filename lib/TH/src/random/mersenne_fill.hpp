// Fills with the words of a Mersenne Twister: one element after the other, in one thread, for the words come one after
// the other, too.
#pragma once

#include "generator.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

namespace th {

// self's elements as they lie in memory, the innermost dimension last: the order in which PyTorch fills.
Ref inMemoryOrder(THTensor *self);

// self[i] = draw(twister).
template <class T, class Draw>
void fillInTurn(THTensor *self, Mersenne &twister, Draw draw) {
  requireMemory(self);  // before the generator moves on
  const Ref ordered = inMemoryOrder(self);
  ContiguousResult result(ordered);
  T *const data = result.data<T>();
  {
    const std::lock_guard lock(twister.mutex);
    for (int64_t i = 0; i < self->numel; i++) data[i] = draw(twister);
  }
  result.finish();
}

// A double as T: a half type's number by way of float.
template <class T> T rounded(double x) { return T(Compute<T>(x)); }

// Normal deviates for self. Where at least 16 lie one after the other, they are made by sixteens (mersenne_normal.cpp).
template <class T>
void normalInTurn(THTensor *self, Mersenne &twister, double mean, double std);

// An integer of [base, base + range), range 0 meaning all of 64 bits. The rest of a division, of a longer word where the shorter
// one would prefer the smaller rests by more than one in twenty.
inline int64_t integerInTurn(Mersenne &twister, uint64_t range, int64_t base) {
  if (range == 0) return int64_t(twister.word64());
  const uint64_t word = range >= uint64_t(1) << 28 ? twister.word64() : twister.word();
  return int64_t(word % range + uint64_t(base));
}

}  // namespace th
