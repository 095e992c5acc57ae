// What each optimiser does to an element. A rule is a struct of its numbers, in the order of THNN/Optimizer.h; it takes the
// parameter p, the gradient g and the element's state x, returns the parameter's new value, and rounds by `r` what an operator
// would have stored; and the numbers that PyTorch's add takes, which it rounds to the tensors' dtype, unlike those of other
// operators. `state` says which places of x it has.
#if defined(THNN_OPTIMIZER_RULES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THNN_OPTIMIZER_RULES_INL
#undef THNN_OPTIMIZER_RULES_INL
#else
#define THNN_OPTIMIZER_RULES_INL
#endif

#include <bit>
#include <cmath>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// Roundings of what is computed in float: no calls, both sides of each condition computed.
struct ToSelf {
  template <class T> T operator()(T x) const { return x; }
};
inline uint32_t chosen(bool condition, uint32_t yes, uint32_t no) {
  const uint32_t mask = -uint32_t(condition);
  return (yes & mask) | (no & ~mask);
}
constexpr uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u;
struct ToBFloat16 {
  float operator()(float x) const {
    const uint32_t u = std::bit_cast<uint32_t>(x);
    const uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) & 0xffff0000u;
    return std::bit_cast<float>(chosen(int32_t(u & ~kSign) > int32_t(kInfinity), u, rounded));
  }
};
struct ToHalf {
  float operator()(float x) const {
    const uint32_t u = std::bit_cast<uint32_t>(x), sign = u & kSign, size = u & ~kSign;
    const uint32_t normal = (size + 0xfffu + ((size >> 13) & 1u)) & 0xffffe000u;
    const uint32_t bounded = normal >= 0x47800000u ? kInfinity : normal;  // 65536: infinity
    // Below 2^-14: the last bit of a sum with 0.5 is half's smallest step.
    const uint32_t small = std::bit_cast<uint32_t>((std::bit_cast<float>(size) + 0.5f) - 0.5f);
    const float rounded = std::bit_cast<float>((size < 0x38800000u ? small : bounded) | sign);
    return x != x ? x : rounded;
  }
};

// As TH's lerp: from the nearer end.
template <class T>
inline T towards(T a, T b, T weight) {
  return std::fabs(weight) < T(0.5) ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
}

// factor·x + rest·g²
template <class T, class Round>
inline T averageSquare(T x, T factor, T g, T rest, Round r) {
  return r(r(x * factor) + rest * g * g);
}

// The numbers that all have.
template <class T>
struct Numbers {
  T sign, decay;
  template <class Round>
  T direction(T p, T g, Round r) const {
    g = g * sign;
    return decay != 0 ? r(g + r(decay) * p) : g;
  }
};

template <class T, bool bounded>
struct Adam : Numbers<T> {
  static constexpr unsigned state = bounded ? 0b111 : 0b11;
  T shrink, rest1, beta2, rest2, root, eps, factor;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    p = r(p * shrink);
    const T m = x[0] = r(towards(x[0], g, rest1));
    T v = x[1] = averageSquare(x[1], beta2, g, rest2, r);
    if constexpr (bounded) x[2] = v = v > x[2] || v != v ? v : x[2];
    return r(p + factor * (m / r(r(r(std::sqrt(v)) / root) + r(eps))));
  }
};

template <class T, bool moving>
struct Sgd : Numbers<T> {
  static constexpr unsigned state = moving ? 0b1 : 0;
  T momentum, rest, factor, nesterov;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    if constexpr (moving) {
      const T moved = x[0] = r(r(x[0] * momentum) + r(rest) * g);
      g = nesterov != 0 ? r(g + r(momentum) * moved) : moved;
    }
    return r(p + r(factor) * g);
  }
};

template <class T, bool centered, bool moving>
struct RmsProp : Numbers<T> {
  static constexpr unsigned state = 0b1 | (centered ? 0b10 : 0) | (moving ? 0b100 : 0);
  T alpha, rest, eps, momentum, factor;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    T v = x[0] = averageSquare(x[0], alpha, g, rest, r);
    if constexpr (centered) {
      const T m = x[1] = r(towards(x[1], g, rest));
      v = r(v + T(-1) * m * m);
    }
    const T q = g / r(r(std::sqrt(v)) + r(eps));
    if constexpr (!moving) return r(p + factor * q);
    x[2] = r(r(x[2] * momentum) + q);
    return r(p + r(factor) * x[2]);
  }
};

template <class T>
struct Adagrad : Numbers<T> {
  static constexpr unsigned state = 0b1;
  T eps, factor;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    x[0] = r(x[0] + g * g);
    return r(p + factor * (g / r(r(std::sqrt(x[0])) + r(eps))));
  }
};

template <class T>
struct Adadelta : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T rho, rest, eps, factor;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    x[0] = averageSquare(x[0], rho, g, rest, r);
    const T size = r(std::sqrt(r(x[0] + r(eps)))), recent = r(std::sqrt(r(x[1] + r(eps))));
    const T d = r(r(recent / size) * g);
    x[1] = averageSquare(x[1], rho, d, rest, r);
    return r(p + r(factor) * d);
  }
};

template <class T>
struct Adamax : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T rest1, beta2, eps, factor;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    const T m = x[0] = r(towards(x[0], g, rest1));
    const T before = r(x[1] * beta2), now = r(std::fabs(g) + r(eps));
    x[1] = now > before || now != now ? now : before;
    return r(p + factor * (m / x[1]));
  }
};

template <class T>
struct NAdam : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T shrink, rest1, beta2, rest2, correction, eps, along, ahead;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    p = r(p * shrink);
    const T m = x[0] = r(towards(x[0], g, rest1));
    x[1] = averageSquare(x[1], beta2, g, rest2, r);
    const T d = r(r(std::sqrt(r(x[1] / correction))) + r(eps));
    p = r(p + along * (g / d));
    return r(p + ahead * (m / d));
  }
};

template <class T>
struct RAdam : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T shrink, rest1, beta2, rest2, correction, rate, adaptive, root, eps, rectified;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    p = r(p * shrink);
    const T m = x[0] = r(towards(x[0], g, rest1));
    x[1] = averageSquare(x[1], beta2, g, rest2, r);
    T u = r(r(m / correction) * rate);
    if (adaptive != 0) u = r(r(u * r(r(T(1) / r(r(std::sqrt(x[1])) + r(eps))) * root)) * rectified);
    return r(p - u);
  }
};

template <class T>
struct Asgd : Numbers<T> {
  static constexpr unsigned state = 0b1;
  T shrink, rate, weight;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    p = r(r(p * shrink) - r(rate) * g);
    x[0] = weight != 1 ? r(x[0] + r(r(p - x[0]) * weight)) : p;
    return p;
  }
};

template <class T>
struct Rprop : Numbers<T> {
  static constexpr unsigned state = 0b11;
  T minus, plus, least, most;
  template <class Round>
  T operator()(T p, T g, T *x, Round r) const {
    const T agreement = r(g * x[0]);
    const T factor = agreement < 0 ? r(minus) : agreement > 0 ? r(plus) : T(1);
    T size = r(x[1] * factor);
    size = size < least ? least : size;
    size = x[1] = r(size > most ? most : size);
    g = x[0] = agreement < 0 ? T(0) : g;
    return r(p - T((g > 0) - (g < 0)) * size);
  }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
