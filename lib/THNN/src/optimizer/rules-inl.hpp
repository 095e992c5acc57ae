// What each optimiser does to an element. A rule is a struct of its numbers, of type T and in the order of THNN/Optimizer.h;
// it takes the parameter p, the gradient g and the element's state x, returns the parameter's new value, and rounds by `r`
// what an operator would have stored; and the numbers that PyTorch's add takes, which it rounds to the tensors' dtype, unlike
// those of other operators. `state` says which places of x it has. V is T, or a vector of elements.
#if defined(THNN_OPTIMIZER_RULES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THNN_OPTIMIZER_RULES_INL
#undef THNN_OPTIMIZER_RULES_INL
#else
#define THNN_OPTIMIZER_RULES_INL
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include "kit/halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
using std::fabs, std::sqrt;  // and those of vectors

// What vectors have, for a number: by reference the compiler sees `a < b ? b : a`.
template <class T>
const T &choose(bool condition, const T &yes, const T &no) {
  return condition ? yes : no;
}
template <class T>
T signOf(T x) {
  return T((x > 0) - (x < 0));
}
#if TH_HALF_VECTORS
HWY_INLINE Floats signOf(Floats x) { return choose(x > 0, Floats(1.f), choose(x < 0, Floats(-1.f), Floats(0.f))); }
#endif

// Roundings of what is computed in float: no calls, both sides of each condition computed. exact: to what memory has.
struct ToSelf {
  static constexpr bool exact = false;
  template <class T> T operator()(T x) const { return x; }
};
// NaN stays what it is for the zeros in its low half: all of them come from a bfloat16, a number of the step or (such as
// 0 / 0) from the processor.
struct ToBFloat16 {
  static constexpr bool exact = true;
  float operator()(float x) const {
    const uint32_t u = std::bit_cast<uint32_t>(x);
    return std::bit_cast<float>((u + 0x7fffu + ((u >> 16) & 1u)) & 0xffff0000u);
  }
#if TH_HALF_VECTORS
  HWY_INLINE Floats operator()(Floats x) const {
    const __m256i u = _mm256_castps_si256(x.v), odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
    return Floats(_mm256_and_si256(sum, _mm256_set1_epi32(int(0xffff0000u))));
  }
#endif
};
struct ToHalf {
  static constexpr bool exact = true;
  float operator()(float x) const {
    const uint32_t u = std::bit_cast<uint32_t>(x), sign = u & 0x80000000u, size = u & 0x7fffffffu;
    const uint32_t normal = (size + 0xfffu + ((size >> 13) & 1u)) & 0xffffe000u;
    const uint32_t bounded = chosen(normal, 0x47800000u, normal, 0x7f800000u);  // from 65536 on infinity
    // Below 2^-14: the last bit of a sum with 0.5 is half's smallest step.
    const uint32_t small = std::bit_cast<uint32_t>((std::bit_cast<float>(size) + 0.5f) - 0.5f);
    const uint32_t number = chosen(size, 0x38800000u, small, bounded);
    return std::bit_cast<float>(chosen(size, 0x7f800001u, number, size) | sign);  // NaN as it is
  }
#if TH_HALF_VECTORS
  HWY_INLINE Floats operator()(Floats x) const {
    return _mm256_cvtph_ps(_mm256_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
  }
#endif

 private:
  static uint32_t chosen(uint32_t x, uint32_t bound, uint32_t below, uint32_t otherwise) {
    const uint32_t mask = -uint32_t(int32_t(x) < int32_t(bound));
    return (below & mask) | (otherwise & ~mask);
  }
};

// As TH's lerp: from the nearer end.
template <class V, class T>
inline V towards(V a, V b, T weight) {
  return std::fabs(weight) < T(0.5) ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
}

// factor·x + rest·g²
template <class V, class T, class Round>
inline V averageSquare(V x, T factor, V g, T rest, Round r) {
  return r(r(x * factor) + rest * g * g);
}

// The numbers that all have.
template <class T>
struct Numbers {
  T sign, decay;
  template <class V, class Round>
  V direction(V p, V g, Round r) const {
    g = g * sign;
    return decay != 0 ? r(g + r(decay) * p) : g;
  }
};

template <class T, bool bounded>
struct Adam : Numbers<T> {
  static constexpr unsigned state = bounded ? 0b111 : 0b11;
  T shrink, rest1, beta2, rest2, root, eps, factor;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    p = r(p * shrink);
    const V m = x[0] = r(towards(x[0], g, rest1));
    V v = x[1] = averageSquare(x[1], beta2, g, rest2, r);
    if constexpr (bounded) x[2] = v = choose((v > x[2]) | (v != v), v, x[2]);
    return r(p + factor * (m / r(r(r(sqrt(v)) / root) + r(eps))));
  }
};

template <class T, bool moving>
struct Sgd : Numbers<T> {
  static constexpr unsigned state = moving ? 0b1 : 0;
  T momentum, rest, factor, nesterov;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    if constexpr (moving) {
      const V moved = x[0] = r(r(x[0] * momentum) + r(rest) * g);
      g = nesterov != 0 ? r(g + r(momentum) * moved) : moved;
    }
    return r(p + r(factor) * g);
  }
};

template <class T, bool centered, bool moving>
struct RmsProp : Numbers<T> {
  static constexpr unsigned state = 0b1 | (centered ? 0b10 : 0) | (moving ? 0b100 : 0);
  T alpha, rest, eps, momentum, factor;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    V v = x[0] = averageSquare(x[0], alpha, g, rest, r);
    if constexpr (centered) {
      const V m = x[1] = r(towards(x[1], g, rest));
      v = r(v + T(-1) * m * m);
    }
    const V q = g / r(r(sqrt(v)) + r(eps));
    if constexpr (!moving) return r(p + factor * q);
    x[2] = r(r(x[2] * momentum) + q);
    return r(p + r(factor) * x[2]);
  }
};

template <class T>
struct Adagrad : Numbers<T> {
  static constexpr unsigned state = 0b1;
  T eps, factor;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    x[0] = r(x[0] + g * g);
    return r(p + factor * (g / r(r(sqrt(x[0])) + r(eps))));
  }
};

template <class T>
struct Adadelta : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T rho, rest, eps, factor;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    x[0] = averageSquare(x[0], rho, g, rest, r);
    const V size = r(sqrt(r(x[0] + r(eps)))), recent = r(sqrt(r(x[1] + r(eps))));
    const V d = r(r(recent / size) * g);
    x[1] = averageSquare(x[1], rho, d, rest, r);
    return r(p + r(factor) * d);
  }
};

template <class T>
struct Adamax : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T rest1, beta2, eps, factor;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    const V m = x[0] = r(towards(x[0], g, rest1));
    const V before = r(x[1] * beta2), now = r(fabs(g) + r(eps));
    x[1] = choose((now > before) | (now != now), now, before);
    return r(p + factor * (m / x[1]));
  }
};

template <class T>
struct NAdam : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T shrink, rest1, beta2, rest2, correction, eps, along, ahead;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    p = r(p * shrink);
    const V m = x[0] = r(towards(x[0], g, rest1));
    x[1] = averageSquare(x[1], beta2, g, rest2, r);
    const V d = r(r(sqrt(r(x[1] / correction))) + r(eps));
    p = r(p + along * (g / d));
    return r(p + ahead * (m / d));
  }
};

template <class T>
struct RAdam : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T shrink, rest1, beta2, rest2, correction, rate, adaptive, root, eps, rectified;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    p = r(p * shrink);
    const V m = x[0] = r(towards(x[0], g, rest1));
    x[1] = averageSquare(x[1], beta2, g, rest2, r);
    V u = r(r(m / correction) * rate);
    if (adaptive != 0) u = r(r(u * r(r(T(1) / r(r(sqrt(x[1])) + r(eps))) * root)) * rectified);
    return r(p - u);
  }
};

template <class T>
struct Asgd : Numbers<T> {
  static constexpr unsigned state = 0b1;
  T shrink, rate, weight;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    p = r(r(p * shrink) - r(rate) * g);
    x[0] = weight != 1 ? r(x[0] + r(r(p - x[0]) * weight)) : p;
    return p;
  }
};

template <class T>
struct Rprop : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T minus, plus, least, most;
  template <class V, class Round>
  V operator()(V p, V g, V *x, Round r) const {
    const V agreement = r(g * x[0]);
    const V factor = choose(agreement < 0, V(r(minus)), choose(agreement > 0, V(r(plus)), V(T(1))));
    V size = r(x[1] * factor);
    size = choose(size < least, V(least), size);
    size = x[1] = r(choose(size > most, V(most), size));
    g = x[0] = choose(agreement < 0, V(T(0)), g);
    return r(p - signOf(g) * size);
  }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
