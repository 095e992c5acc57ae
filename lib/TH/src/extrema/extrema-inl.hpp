// The operations by which a largest or smallest element is found, compiled once per SIMD target.
#if defined(TH_EXTREMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_EXTREMA_INL
#undef TH_EXTREMA_INL
#else
#define TH_EXTREMA_INL
#endif

#include <limits>
#include "reduce/reduce-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> constexpr T lowest = std::numeric_limits<T>::lowest();
template <> constexpr float lowest<float> = -std::numeric_limits<float>::infinity();
template <> constexpr double lowest<double> = -std::numeric_limits<double>::infinity();
template <class T> constexpr T highest = std::numeric_limits<T>::max();
template <> constexpr float highest<float> = std::numeric_limits<float>::infinity();
template <> constexpr double highest<double> = std::numeric_limits<double>::infinity();

// a where it is NaN or wins; b also if it is NaN, because no comparison with NaN holds.
template <class T> struct Max {
  static constexpr T identity = lowest<T>;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = ((a != a) | (a >= b)) ? a : b; }
  // Is b, which comes later, to be taken instead of a? The first of equals stays, and the first NaN.
  static HWY_INLINE bool beats(T b, T a) { return (a == a) & !(a >= b); }
  // The same for vectors: then value and place become b and k.
  template <class V, class P> static HWY_INLINE void better(V &value, P &place, const V &b, const P &k) {
    const auto beaten = (value == value) & !(value >= b);
    value = beaten ? b : value;
    place = beaten ? k : place;
  }
};
template <class T> struct Min {
  static constexpr T identity = highest<T>;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = ((a != a) | (a <= b)) ? a : b; }
  static HWY_INLINE bool beats(T b, T a) { return (a == a) & !(a <= b); }
  // The same for vectors: then value and place become b and k.
  template <class V, class P> static HWY_INLINE void better(V &value, P &place, const V &b, const P &k) {
    const auto beaten = (value == value) & !(value <= b);
    value = beaten ? b : value;
    place = beaten ? k : place;
  }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
