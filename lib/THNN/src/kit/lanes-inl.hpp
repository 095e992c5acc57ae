// Element by element in Highway's vectors, compiled once per SIMD target: what activations and criterions are made of, and
// their loops.
//
// A function is a struct of numbers of type T, its parameters, with an operator()(d, x…) of vectors; d describes their
// lanes. Every element goes the same way wherever it stands: the end of a run is padded to a full vector. NaN stays NaN.
#if defined(THNN_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THNN_LANES_INL
#undef THNN_LANES_INL
#else
#define THNN_LANES_INL
#endif

#include <algorithm>
#include <cstring>
#include <utility>
#include "kit/convert.hpp"
#include "kit/loops-inl.hpp"
#include "kit/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class N>
HWY_INLINE hn::Vec<D> set(D d, N x) {
  return hn::Set(d, hn::TFromD<D>(x));
}
template <class D, class V>
HWY_INLINE V positivePart(D d, V x) {  // NaN's is NaN
  return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
}

// ---- functions that several kernels need -------------------------------------------------------------
// e^-|x|, 0 where that is subnormal
template <class D, class V>
HWY_INLINE V decayOf(D d, V x) {
  using T = hn::TFromD<D>;
  using Format = ExpFormat<T>;
  const hn::RebindToSigned<D> integers;
  const V a = hn::Neg(hn::Abs(x)), t = hn::Max(a, set(d, Format::lowest)), rounder = hn::Set(d, kRounder<T>);
  const V sum = hn::MulAdd(t, set(d, 1.4426950408889634), rounder), n = hn::Sub(sum, rounder);
  const V r = hn::NegMulAdd(n, hn::Set(d, Format::low), hn::NegMulAdd(n, hn::Set(d, Format::high), t));
  const V p = polynomialOf(d, r, Format::terms);
  const auto exponent = hn::ShiftLeft<Format::mantissa>(hn::BitCast(integers, sum));
  const V y = hn::BitCast(d, hn::Add(hn::BitCast(integers, p), exponent));
  return hn::IfThenElse(hn::Eq(x, x), hn::IfThenZeroElse(hn::Lt(a, set(d, Format::lowest)), y), x);
}

// e^x - 1 for x <= 0, else anything: 2^n (1 + q) - 1 = 2^n q + (2^n - 1)
template <class D, class V>
HWY_INLINE V negativeExpm1(D d, V x) {
  using T = hn::TFromD<D>;
  using Format = ExpFormat<T>;
  const hn::RebindToSigned<D> integers;
  const V t = hn::Min(hn::Max(x, set(d, -60)), hn::Zero(d)), rounder = hn::Set(d, kRounder<T>);
  const V sum = hn::MulAdd(t, set(d, 1.4426950408889634), rounder), n = hn::Sub(sum, rounder);
  const V r = hn::NegMulAdd(n, hn::Set(d, Format::low), hn::NegMulAdd(n, hn::Set(d, Format::high), t));
  constexpr size_t more = sizeof Format::terms / sizeof(T) - 2;
  const V rest = polynomialOf<more>(r, [&](size_t k) HWY_ATTR { return hn::Set(d, Format::terms[k + 2]); });
  const V q = hn::MulAdd(hn::Mul(r, r), rest, r), one = set(d, 1);
  const auto exponent = hn::ShiftLeft<Format::mantissa>(hn::BitCast(integers, sum));
  const V power = hn::BitCast(d, hn::Add(hn::BitCast(integers, one), exponent));
  return hn::MulAdd(power, q, hn::Sub(power, one));
}

// log(1 + z) for z from 0 to 1: 2 artanh(s) with s = z / (2 + z), and 2 artanh(s) / s near-minimax in s^2 <= 1/9 (mpmath;
// relative error 1e-10 in float, 2e-18 in double).
template <class D, class V>
HWY_INLINE V log1pOfUnit(D d, V z) {
  const V s = hn::Div(z, hn::Add(z, set(d, 2))), w = hn::Mul(s, s);
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    constexpr float terms[] = {2,
                               0.666666790796725004f,
                               0.399987073796592431f,
                               0.286203054832753468f,
                               0.213975468977810524f,
                               0.243975707188274252f};
    return hn::Mul(s, polynomialOf(d, w, terms));
  } else {
    constexpr double terms[] = {2.0,
                                0.666666666666661463,
                                0.400000000001867409,
                                0.2857142854533909,
                                0.2222222408750548,
                                0.181817406046051647,
                                0.153866187188187629,
                                0.133003146648506848,
                                0.121106240189181186,
                                0.0832257396203280948,
                                0.170476490353584385};
    return hn::Mul(s, polynomialOf(d, w, terms));
  }
}

// log(1 + e^x), of which `decay` is e^-|x|
template <class D, class V>
HWY_INLINE V softPlusOf(D d, V x, V decay) {
  return hn::Add(positivePart(d, x), log1pOfUnit(d, decay));
}

// 1 / (1 + e^-x) and 1 less that, neither of which is the difference of larger numbers
template <class V> struct Shares {
  V value, rest;
};
template <class D, class V>
HWY_INLINE Shares<V> sigmoidOf(D d, V x) {
  const V z = decayOf(d, x), one = set(d, 1), larger = hn::Div(one, hn::Add(one, z)), smaller = hn::Mul(z, larger);
  const auto negative = hn::Lt(x, hn::Zero(d));
  return {hn::IfThenElse(negative, smaller, larger), hn::IfThenElse(negative, larger, smaller)};
}

// The normal distribution: its density without the factor 1 / sqrt(2 pi), and the area below x. With a = |x|, the area
// beyond a is e^(-a^2 / 2) times a polynomial of (a - k) / (a + k) (mpmath, least squares of relative errors: 8e-9 in
// float, 8e-19 in double).
template <class V> struct Normal {
  V density, area;
};
template <class D, class V>
HWY_INLINE Normal<V> normalOf(D d, V x) {
  const V a = hn::Abs(x), density = decayOf(d, hn::Mul(hn::Mul(x, x), set(d, 0.5)));
  V beyond;
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    constexpr float terms[] = {0.121513947603276936f,     -0.20640261810919067f,    0.123225030365261692f,
                               -0.0462133121035347844f,   0.00613208863926246603f,  0.00290467761342669733f,
                               -0.000983847357088209887f, -0.00033974770634673842f, 0.000115652397130565582f,
                               0.0000538749030190409039f};
    const V m = hn::Min(a, set(d, 20)), k = set(d, 3);
    beyond = polynomialOf(d, hn::Div(hn::Sub(m, k), hn::Add(m, k)), terms);
  } else {
    constexpr double terms[] = {
        0.0944106413019689366,    -0.17039772154845545,      0.124379255339263347,     -0.071707407337733994,
        0.0308648041063233873,    -0.00849209548220770353,   0.000507562074934490042,  0.000638813853127475074,
        -0.000187184268343351791, -0.0000455549060641103155, 0.0000286483358429115848, 4.63161913017105378e-6,
        -4.30350745214890299e-6,  -8.29610269126311526e-7,   6.61322028485701196e-7,   2.06422447224344927e-7,
        -9.37375903818760604e-8,  -5.33767082868340037e-8,   8.7099550647195e-9,       1.23714459034025841e-8,
        7.89343277744522895e-10,  -2.2354879372151592e-9,    -5.59501366141633089e-10, 2.30811784973969797e-10,
        9.32632995713411641e-11};
    const V m = hn::Min(a, set(d, 50)), k = set(d, 4);
    beyond = polynomialOf(d, hn::Div(hn::Sub(m, k), hn::Add(m, k)), terms);
  }
  beyond = hn::Mul(beyond, density);
  return {density, hn::IfThenElse(hn::Lt(x, hn::Zero(d)), beyond, hn::Sub(set(d, 1), beyond))};
}

// ---- loops -------------------------------------------------------------------------------------------
template <class Fn, class T, size_t... k>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> at(const Fn &fn, const T *const *from, const int64_t *step, int64_t i,
                                          std::index_sequence<k...>) {
  const hn::ScalableTag<T> d;
  return fn(d, hn::LoadU(d, from[k] + i * step[k])...);
}

// Contiguous elements, from m on, as operands that hold a full vector: `rests`, whose first m elements they are.
template <class T, int inputs>
void padded(T (*rests)[kMaxLanes<T>], const T **operands, const T *const *from, const int64_t *step, int64_t i,
            int64_t m) {
  for (int k = 0; k < inputs; k++) {
    const T *const first = from[k] + i * step[k];
    std::fill_n(rests[k], kMaxLanes<T>, *first);
    if (step[k]) std::memcpy(rests[k], first, size_t(m) * sizeof(T));
    operands[k] = rests[k];
  }
}

// r[i] = fn(operands…[i]) where they are contiguous; one of step 0 is a vector of one number.
template <class Fn, class T, int inputs>
HWY_NOINLINE void mapRun(const Fn &fn, T *r, const T *const *from, const int64_t *step, int64_t n) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  constexpr auto all = std::make_index_sequence<size_t(inputs)>();
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(at(fn, from, step, i, all), d, r + i);
  if (i == n) return;
  T rests[inputs][kMaxLanes<T>], result[kMaxLanes<T>];
  const T *operands[inputs];
  padded<T, inputs>(rests, operands, from, step, i, n - i);
  mapRun<Fn, T, inputs>(fn, result, operands, step, lanes);
  std::memcpy(r + i, result, size_t(n - i) * sizeof(T));
}

template <class Fn, class T, int inputs>
void mapLoop(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  const Fn fn = makeOp<Fn>(param);
  T numbers[inputs][kMaxLanes<T>];
  const T *from[inputs];
  int64_t step[inputs];
  bool direct = strides[0] == sizeof(T);
  for (int k = 0; k < inputs; k++) {
    from[k] = reinterpret_cast<const T *>(data[k + 1]);
    step[k] = strides[k + 1] ? 1 : 0;
    if (!step[k]) from[k] = std::fill_n(numbers[k], kMaxLanes<T>, *from[k]) - kMaxLanes<T>;
    direct = direct && (!step[k] || strides[k + 1] == sizeof(T));
  }
  if (direct) return mapRun<Fn, T, inputs>(fn, reinterpret_cast<T *>(data[0]), from, step, n);
  T blocks[inputs][kBlock], results[kBlock];
  const T *operands[inputs];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(n - i, kBlock);
    for (int k = 0; k < inputs; k++) {
      operands[k] = step[k] ? blocks[k] : from[k];
      if (step[k]) gather(blocks[k], data[k + 1] + i * strides[k + 1], strides[k + 1], m, sizeof(T));
    }
    mapRun<Fn, T, inputs>(fn, results, operands, step, m);
    scatter(data[0] + i * strides[0], strides[0], results, m, sizeof(T));
  }
}

// Kernels for makeTable.
template <template <class> class Fn, int inputs>
struct Map {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = native(d);
    return {mapLoop<Fn<Element<c>>, Element<c>, inputs>, c, c};
  }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
