// Normal deviates by sixteens, with the bits of PyTorch's vectors of eight floats: u is taken from eight numbers, the
// angle from the eight after them. Logarithm, sine and cosine are those of Cephes for single precision (Moshier, 1989):
// a polynomial between 1/√2 and √2, and two between 0 and π/4, with π in three parts. Each product that is added to
// something is fused with that sum: on processors that cannot, by a function of the C library.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/mersenne_normal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "mersenne_fill.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 8>;
using Ints = hn::RebindToSigned<Floats>;
using V = hn::Vec<Floats>;
using I = hn::Vec<Ints>;
HWY_INLINE V set(float x) { return hn::Set(Floats(), x); }
HWY_INLINE I integer(int32_t x) { return hn::Set(Ints(), x); }

HWY_INLINE V fused(V a, V b, V c) {  // a b + c, rounded once
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  float x[8], y[8], z[8];
  hn::StoreU(a, Floats(), x), hn::StoreU(b, Floats(), y), hn::StoreU(c, Floats(), z);
  for (size_t i = 0; i < hn::Lanes(Floats()); i++) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::LoadU(Floats(), z);
#endif
}
HWY_INLINE V fused(V a, V b, float c) { return fused(a, b, set(c)); }

// Of x in (0, 1], which is normal.
HWY_INLINE V logarithm(V x) {
  const Floats d;
  const I bits = hn::BitCast(Ints(), x);
  V e = hn::ConvertTo(d, hn::Sub(hn::ShiftRight<23>(bits), integer(126)));
  const V m = hn::BitCast(d, hn::Or(hn::And(bits, integer(0x007fffff)), integer(0x3f000000)));  // in [1/2, 1)
  const auto small = hn::Lt(m, set(0.707106781186547524f));
  e = hn::Sub(e, hn::IfThenElseZero(small, set(1)));
  const V s = hn::Add(hn::Sub(m, set(1)), hn::IfThenElseZero(small, m)), s2 = hn::Mul(s, s);
  V sum = set(7.0376836292e-2f);
  for (const float c : {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f,
                        2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f})
    sum = fused(sum, s, c);
  // ln 2 in two parts: 0.693359375 - 2.12194440e-4
  sum = fused(hn::Mul(sum, s), s2, hn::Mul(e, set(-2.12194440e-4f)));
  sum = fused(s2, set(-0.5f), sum);
  return fused(e, set(0.693359375f), hn::Add(s, sum));
}

HWY_INLINE void turn(V angle, V &cosine, V &sine) {  // of an angle in [0, 2π]
  const Floats d;
  const I one = integer(1), octant = hn::ConvertTo(Ints(), hn::Mul(angle, set(1.27323954473516f)));
  const I even = hn::AndNot(one, hn::Add(octant, one));  // the nearest even one
  const V j = hn::ConvertTo(d, even);
  V x = fused(j, set(-0.78515625f), angle);
  x = fused(j, set(-2.4187564849853515625e-4f), x);
  x = fused(j, set(-3.77489497744594108e-8f), x);
  const V x2 = hn::Mul(x, x);
  V c = fused(set(2.443315711809948e-5f), x2, -1.388731625493765e-3f);
  c = hn::Mul(fused(c, x2, 4.166664568298827e-2f), x2);
  c = hn::Add(fused(c, x2, hn::Mul(x2, set(-0.5f))), set(1));
  V s = fused(set(-1.9515295891e-4f), x2, 8.3321608736e-3f);
  s = hn::Mul(fused(s, x2, -1.6666654611e-1f), x2);
  s = fused(s, x, x);
  const auto swap = hn::RebindMask(d, hn::Ne(hn::And(even, integer(2)), hn::Zero(Ints())));
  const auto signOf = [&](I octants) { return hn::BitCast(d, hn::ShiftLeft<29>(hn::And(octants, integer(4)))); };
  sine = hn::Xor(hn::IfThenElse(swap, c, s), signOf(even));
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), signOf(hn::Add(even, integer(2))));
}

// 16 uniform numbers become 16 deviates, and so on; n is a multiple of 16.
void sixteens(float *data, int64_t n, float mean, float std) {
  const Floats d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  for (int64_t first = 0; first < n; first += 16)
    for (int64_t j = first; j < first + 8; j += lanes) {
      const V u = hn::Sub(set(1), hn::LoadU(d, data + j));
      const V radius = hn::Sqrt(hn::Mul(set(-2), logarithm(u)));
      V cosine, sine;
      turn(hn::Mul(set(6.2831853071795865f), hn::LoadU(d, data + j + 8)), cosine, sine);
      hn::StoreU(fused(hn::Mul(radius, cosine), set(std), set(mean)), d, data + j);
      hn::StoreU(fused(hn::Mul(radius, sine), set(std), set(mean)), d, data + j + 8);
    }
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace th {
namespace {

void deviates(float *data, int64_t n, double mean, double std) {
  TH_BEST_TARGET(sixteens)(data, n, float(mean), float(std));
}
void deviates(double *data, int64_t n, double mean, double std) {
  for (int64_t first = 0; first < n; first += 16)
    for (int64_t j = first; j < first + 8; j++) {
      const double radius = std::sqrt(-2 * std::log(1 - data[j])), angle = 2 * M_PI * data[j + 8];
      data[j] = std::fma(radius * std::cos(angle), std, mean);
      data[j + 8] = std::fma(radius * std::sin(angle), std, mean);
    }
}

// Blocks of 16; where the last is not whole, the last 16 elements are drawn once more.
template <class T>
void fillBySixteens(T *data, int64_t n, Mersenne &twister, double mean, double std) {
  using R = Compute<T>;
  constexpr int64_t chunk = 1024;
  alignas(64) R numbers[chunk];
  const auto draw = [&](int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i++) numbers[i] = twister.fraction<R>();
    deviates(numbers, count, mean, std);
    for (int64_t i = 0; i < count; i++) data[first + i] = T(numbers[i]);
  };
  const int64_t rest = n % 16;
  for (int64_t first = 0; first < n - rest; first += chunk) draw(first, std::min(chunk, n - rest - first));
  if (rest == 0) return;
  // PyTorch draws for the broken block, too, but where a number of the half types has to be converted
  if constexpr (std::is_same_v<T, R>)
    for (int64_t i = 0; i < rest; i++) twister.fraction<R>();
  draw(n - 16, 16);
}

}  // namespace

template <class T>
void normalInTurn(THTensor *self, Mersenne &twister, double mean, double std) {
  using R = Compute<T>;
  if (self->numel < 16 || !THTensor_isContiguous(self))
    return fillInTurn<T>(self, twister, [=](Mersenne &m) { return T(R(std::fma(m.normal(), std, mean))); });
  T *const data = elements<T>(self);  // requires memory here, before the generator moves on
  const std::lock_guard lock(twister.mutex);
  fillBySixteens(data, self->numel, twister, mean, std);
}
template void normalInTurn<half>(THTensor *, Mersenne &, double, double);
template void normalInTurn<bfloat16>(THTensor *, Mersenne &, double, double);
template void normalInTurn<float>(THTensor *, Mersenne &, double, double);
template void normalInTurn<double>(THTensor *, Mersenne &, double, double);

Ref inMemoryOrder(THTensor *self) {
  if (THTensor_isContiguous(self)) {
    THTensor_retain(self);
    return Ref(self);
  }
  int order[TH_MAX_DIM];
  const int64_t *const strides[] = {self->stride};
  strideOrder(self->ndim, self->size, 1, strides, order);
  int64_t size[TH_MAX_DIM], stride[TH_MAX_DIM];
  for (int i = 0; i < self->ndim; i++) {
    const int d = order[self->ndim - 1 - i];
    size[i] = self->size[d], stride[i] = self->stride[d];
  }
  return Ref(THTensor_newWithStorage(dtypeOf(self), self->storage, self->offset, self->ndim, size, stride));
}

}  // namespace th
#endif
