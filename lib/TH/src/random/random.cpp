// Fills with random numbers. Element i takes word i of the stream that starts at the generator's
// offset (two words where it needs more than 32 bits), so threads need not know of each other.
#include <TH/THPrepare.h>
#include <TH/THTensorUnsigned.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "deviates.hpp"
#include "random.hpp"

namespace th {
namespace {

// ---- uniform: as many random bits as T has digits ------------------------------------------------

template <class T>
void uniform(THTensor *self, THGenerator *generator, double from, double to) {
  using R = Compute<T>;
  if (!THPrepare_uniform(DtypeOf<T>::value, self, from, to)) return;
  const R low = R(from), width = R(to) - R(from);
  const R last = R(largestBelow(T(R(to)), T(low)));
  if (Mersenne *const twister = generator->twister)
    return fillInTurn<T>(self, *twister, [=](Mersenne &m) {
      const T x = T(std::fma(m.fraction<R>(), width, low));
      return R(x) == R(T(R(to))) ? T(low) : x;
    });
  if constexpr (std::is_same_v<T, double>) {
    fill<T>(self, generator, 2, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
      for (int64_t i = 0; i < count; i++) {
        const uint64_t w = words[2 * i] | uint64_t(words[2 * i + 1]) << 32;
        const double x = double(int64_t(w >> 11)) * 0x1p-53 * width + low;
        out[i] = x < last ? x : last;
      }
    });
  } else {
    constexpr int digits = kDigits<T>;
    fill<T>(self, generator, 1, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
      constexpr float step = 1.0f / float(1 << digits);
      for (int64_t i = 0; i < count; i++) {
        const float x = float(int32_t(words[i] >> (32 - digits))) * step * width + low;
        out[i] = T(x < last ? x : last);
      }
    });
  }
}

// ---- normal --------------------------------------------------------------------------------------

template <class T>
void normal(THTensor *self, THGenerator *generator, double mean, double std) {
  using R = Compute<T>;
  if (!THPrepare_normal(DtypeOf<T>::value, self, mean, std)) return;
  if (Mersenne *const twister = generator->twister) return normalInTurn<T>(self, *twister, mean, std);
  const R center = R(mean), scale = R(std);
  constexpr int wordsPerElement = std::is_same_v<T, double> ? 2 : 1;
  fill<T>(self, generator, wordsPerElement, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
    alignas(64) R z[kChunkWords / wordsPerElement];
    standardNormal(z, words, count);
    for (int64_t i = 0; i < count; i++) out[i] = T(z[i] * scale + center);
  });
}

// ---- integers: below32 and below64 of the words (draws.hpp) -------------------------------------------

// PyTorch's bounds for integers beyond those that T has one by one: at numbers of T.
template <class T>
void roundBounds(int64_t &from, int64_t &to) {
  if constexpr (!std::is_integral_v<T>) {
    const auto spacing = [](int64_t x) { return int64_t(1) << (std::bit_width(uint64_t(std::abs(x))) - kDigits<T>); };
    const int64_t above = convertTo<int64_t>(convertTo<T>(from + 1)), below = convertTo<int64_t>(convertTo<T>(to - 1));
    if (above < from) from = above + spacing(from + 1);
    if (below >= to) to = below - spacing(to - 1);
  }
}

template <class T>
void random(THTensor *self, THGenerator *generator, int64_t from, int64_t to) {
  if (!THPrepare_random(DtypeOf<T>::value, self, from, to)) return;
  if (Mersenne *const twister = generator->twister) {
    roundBounds<T>(from, to);
    const uint64_t width = uint64_t(to) - uint64_t(from);
    return fillInTurn<T>(self, *twister, [=](Mersenne &m) { return convertTo<T>(integerInTurn(m, width, from)); });
  }
  const uint64_t range = uint64_t(to) - uint64_t(from);
  if (range <= UINT32_MAX) {
    fill<T>(self, generator, 1, [=](T *out, const uint32_t *words, int64_t count, uint64_t first) {
      const uint64_t seed = generator->seed;
      for (int64_t i = 0; i < count; i++)
        out[i] = convertTo<T>(from + int64_t(below32(words[i], uint32_t(range), seed, first + uint64_t(i))));
    });
  } else if constexpr (sizeof(T) > 4 || !std::is_integral_v<T>) {
    fill<T>(self, generator, 2, [=](T *out, const uint32_t *words, int64_t count, uint64_t first) {
      const uint64_t seed = generator->seed;
      for (int64_t i = 0; i < count; i++) {
        const uint64_t word = words[2 * i] | uint64_t(words[2 * i + 1]) << 32;
        out[i] = convertTo<T>(int64_t(uint64_t(from) + below64(word, range, seed, first + uint64_t(i))));
      }
    });
  } else {  // all 2^32 values of int32
    fill<T>(self, generator, 1, [=](T *out, const uint32_t *words, int64_t count, uint64_t) {
      for (int64_t i = 0; i < count; i++) out[i] = T(words[i]);
    });
  }
}

void randomUpTo(THTensor *self, THGenerator *generator, int64_t from, int64_t last) {
  if (!THPrepare_randomUpTo(self, from, last)) return;
  if (last != INT64_MAX) return random<int64_t>(self, generator, from, last + 1);
  const uint64_t range = uint64_t(last) - uint64_t(from) + 1;  // 0: all 2^64
  if (Mersenne *const twister = generator->twister)
    return fillInTurn<int64_t>(self, *twister, [=](Mersenne &m) { return integerInTurn(m, range, from); });
  fill<int64_t>(self, generator, 2, [=](int64_t *out, const uint32_t *words, int64_t count, uint64_t first) {
    const uint64_t seed = generator->seed;
    for (int64_t i = 0; i < count; i++) {
      const uint64_t word = words[2 * i] | uint64_t(words[2 * i + 1]) << 32;
      out[i] = int64_t(range ? uint64_t(from) + below64(word, range, seed, first + uint64_t(i)) : word);
    }
  });
}

// PyTorch's numbers take one word each, where those of a range as wide take two.
void randomNonNegative(THTensor *self, THGenerator *generator) {
  if (!THPrepare_randomNonNegative(self)) return;
  Mersenne *const twister = generator->twister;
  if (!twister) return random<int32_t>(self, generator, 0, int64_t(INT32_MAX) + 1);
  fillInTurn<int32_t>(self, *twister, [](Mersenne &m) { return int32_t(m.word() & INT32_MAX); });
}

// ---- permutations: Fisher and Yates's shuffle -----------------------------------------------------

// With a Mersenne Twister below 2^32 / 20 numbers are exchanged with one of those to come, of which a word's rest by their
// number tells; from there on with one of those that stand, by a longer word.
template <class Index>
void shuffleInTurn(Index *p, int64_t n, Mersenne &twister) {
  const std::lock_guard lock(twister.mutex);
  if (n < int64_t(UINT32_MAX / 20)) {
    for (int64_t i = 0; i < n; i++) p[i] = Index(i);
    for (int64_t i = 0; i < n - 1; i++) std::swap(p[i], p[i + int64_t(twister.word() % uint64_t(n - i))]);
  } else {
    for (int64_t i = 0; i < n; i++) {
      const int64_t at = int64_t(twister.word64() % uint64_t(i + 1));
      p[i] = Index(i), std::swap(p[i], p[at]);
    }
  }
}

template <class Index>
void shuffle(Index *p, int64_t n, uint64_t seed, uint64_t offset) {
  constexpr int64_t chunk = sizeof(Index) == 4 ? kChunkWords : kChunkWords / 2;
  constexpr uint64_t perBlock = sizeof(Index) == 4 ? 4 : 2;
  alignas(64) uint32_t words[kChunkWords];
  for (int64_t i = 0; i < n; i++) p[i] = Index(i);
  for (int64_t first = 0; first < n; first += chunk) {
    philoxWords(words, seed, offset + uint64_t(first) / perBlock, kChunkBlocks);
    for (int64_t i = first; i < std::min(n, first + chunk); i++) {
      const uint64_t index = offset * perBlock + uint64_t(i), left = uint64_t(n - i);
      uint64_t jump;
      if constexpr (sizeof(Index) == 4) {
        jump = below32(words[i - first], uint32_t(left), seed, index);
      } else {
        const uint32_t *w = words + 2 * (i - first);
        jump = below64(w[0] | uint64_t(w[1]) << 32, left, seed, index);
      }
      std::swap(p[i], p[i + int64_t(jump)]);
    }
  }
}

void randperm(THDtype dtype, THTensor *r, THGenerator *generator, int64_t n) {
  THResult shape;
  THPrepare_randperm(&shape, dtype, r, n);
  if (!hasMemory(r)) return resizeResults(&shape);
  const bool wide = n > INT32_MAX;
  const uint64_t perBlock = wide ? 2 : 4;
  Ref p(newLike(r, wide ? TH_Long : TH_Int, 1, &n));
  resizeResults(&shape);
  ContiguousResult result(r);
  if (Mersenne *const twister = generator->twister) {
    wide ? shuffleInTurn(elements<int64_t>(p), n, *twister) : shuffleInTurn(elements<int32_t>(p), n, *twister);
  } else {
    const uint64_t offset = takeBlocks(generator, (uint64_t(n) + perBlock - 1) / perBlock);
    if (wide)
      shuffle(elements<int64_t>(p), n, generator->seed, offset);
    else
      shuffle(elements<int32_t>(p), n, generator->seed, offset);
  }
  THTensor_copy(result.tensor(), p);
  result.finish();
}

}  // namespace
}  // namespace th

TH_DEFINE(uniform, floating, (THTensor *self, THGenerator *generator, double from, double to),
          th::uniform<T>(self, generator, from, to))
TH_DEFINE(normal, floating, (THTensor *self, THGenerator *generator, double mean, double std),
          th::normal<T>(self, generator, mean, std))
TH_DEFINE(random, all, (THTensor *self, THGenerator *generator, int64_t from, int64_t to),
          th::random<T>(self, generator, from, to))
TH_DEFINE(randperm, number, (THTensor *r, THGenerator *generator, int64_t n), th::randperm(dtype, r, generator, n))
TH_DEFINE(randperm, uint64, (THTensor *r, THGenerator *generator, int64_t n),
          th::randperm(th::dtypeOf(r), r, generator, n))

void THLongTensor_randomUpTo(THTensor *self, THGenerator *generator, int64_t from, int64_t last) {
  th::randomUpTo(self, generator, from, last);
}
void THIntTensor_randomNonNegative(THTensor *self, THGenerator *generator) { th::randomNonNegative(self, generator); }
