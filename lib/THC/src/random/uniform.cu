// Uniform numbers and integers; bernoulli.
#include <TH/THPrepare.h>

#include "random/fill.cuh"

namespace thc {
namespace {

template <class T>
struct Uniform {
  Compute<T> low, width, last;

  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t) const {
    using R = Compute<T>;
    for (int i = 0; i < 4 / kWords<T>; i++) {
      R x;
      if constexpr (kWords<T> == 2) {
        x = double(int64_t(wideWord(words, i) >> 11)) * 0x1p-53 * width + low;
      } else {
        constexpr int digits = th::kDigits<T>;
        constexpr float step = 1.0f / float(1 << digits);
        x = float(int32_t(words[size_t(i)] >> (32 - digits))) * step * width + low;
      }
      out[i] = T(x < last ? x : last);
    }
  }
};

template <class T>
void uniform(THTensor *self, THGenerator *generator, double from, double to) {
  using R = Compute<T>;
  if (!THPrepare_uniform(th::DtypeOf<T>::value, self, from, to)) return;
  const R low = R(from);
  fill<T, kWords<T>>(self, generator, Uniform<T>{low, R(to) - low, R(th::largestBelow(T(R(to)), T(low)))});
}

// ---- integers -----------------------------------------------------------------------------------------------
template <class T>
struct Integers {  // of a range of at most 32 bits; 0: all 2^32
  int64_t from;
  uint32_t range;
  uint64_t seed;

  __device__ void operator()(th::Stored<T> *out, const th::PhiloxBlock &words, uint64_t first) const {
    for (int i = 0; i < 4; i++) {
      const uint32_t word = words[size_t(i)];
      const uint32_t jump = range ? th::below32(word, range, seed, first + uint64_t(i)) : word;
      out[i] = th::convertTo<T>(int64_t(uint64_t(from) + jump));
    }
  }
};
template <class T>
struct WideIntegers {  // 0: all 2^64
  int64_t from;
  uint64_t range, seed;

  __device__ void operator()(T *out, const th::PhiloxBlock &words, uint64_t first) const {
    for (int i = 0; i < 2; i++) {
      const uint64_t word = wideWord(words, i);
      const uint64_t jump = range ? th::below64(word, range, seed, first + uint64_t(i)) : word;
      out[i] = th::convertTo<T>(int64_t(uint64_t(from) + jump));
    }
  }
};

// Of all 2^32 or 2^64 values the words are the numbers: the range, in as many bits, is 0 then.
template <class T>
void randomIn(THTensor *self, THGenerator *generator, int64_t from, uint64_t range) {
  const uint64_t seed = THGenerator_initialSeed(generator);
  if constexpr (sizeof(T) > 4 || !std::is_integral_v<T>)
    if (range == 0 || range > UINT32_MAX)
      return fill<T, 2>(self, generator, WideIntegers<T>{range ? from : 0, range, seed});
  fill<T, 1>(self, generator, Integers<T>{uint32_t(range) ? from : 0, uint32_t(range), seed});
}

template <class T>
void random(THTensor *self, THGenerator *generator, int64_t from, int64_t to) {
  if (THPrepare_random(th::DtypeOf<T>::value, self, from, to))
    randomIn<T>(self, generator, from, uint64_t(to) - uint64_t(from));
}

// ---- bernoulli: the words of a double in [0, 1), compared with p -----------------------------------------------
template <class T>
struct Bernoulli {
  uint64_t below;  // of 2^53 numbers that are equally likely

  __device__ void operator()(th::Stored<T> *out, const th::PhiloxBlock &words, uint64_t) const {
    for (int i = 0; i < 2; i++) out[i] = th::convertTo<T>(int(wideWord(words, i) >> 11 < below));
  }
};

template <class T>
void bernoulli(THTensor *self, THGenerator *generator, double p) {
  if (THPrepare_bernoulli(th::DtypeOf<T>::value, self, p))
    fill<T, 2>(self, generator, Bernoulli<T>{uint64_t(std::ceil(p * 0x1p53))});
}

}  // namespace
}  // namespace thc

THC_DEFINE(uniform, floating, (THTensor *self, THGenerator *generator, double from, double to),
           thc::uniform<T>(self, generator, from, to))
THC_DEFINE(random, all, (THTensor *self, THGenerator *generator, int64_t from, int64_t to),
           thc::random<T>(self, generator, from, to))
THC_DEFINE(bernoulli, all, (THTensor *self, THGenerator *generator, double p), thc::bernoulli<T>(self, generator, p))

void THCudaLongTensor_randomUpTo(THTensor *self, THGenerator *generator, int64_t from, int64_t last) {
  const thc::Operator named("random");
  if (THPrepare_randomUpTo(self, from, last))
    thc::randomIn<int64_t>(self, generator, from, uint64_t(last) - uint64_t(from) + 1);
}
