// Complex element types for C++: two parts, as C and std::complex lay them out. The standard's header
// would add half a second to the compilation of every file; its functions are wanted in few.
#ifndef TH_COMPLEX_HPP
#define TH_COMPLEX_HPP

namespace th {

template <class T>
struct complex {
  using value_type = T;

  complex() = default;
  constexpr complex(T real, T imag = 0) : real_(real), imag_(imag) {}
  template <class U>
  explicit constexpr complex(complex<U> z) : real_(T(z.real())), imag_(T(z.imag())) {}

  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }

  friend constexpr bool operator==(complex x, complex y) { return x.real_ == y.real_ && x.imag_ == y.imag_; }
  friend constexpr complex operator-(complex x) { return {-x.real_, -x.imag_}; }
  friend constexpr complex operator+(complex x, complex y) { return {x.real_ + y.real_, x.imag_ + y.imag_}; }
  friend constexpr complex operator-(complex x, complex y) { return {x.real_ - y.real_, x.imag_ - y.imag_}; }
  // Straight, without the second look at NaN and infinity that the C standard's has.
  friend constexpr complex operator*(complex x, complex y) {
    return {x.real_ * y.real_ - x.imag_ * y.imag_, x.real_ * y.imag_ + x.imag_ * y.real_};
  }
  // By the larger part of the divisor (R. L. Smith, "Algorithm 116: Complex division", CACM 1962), so
  // that no square of it can overflow.
  friend constexpr complex operator/(complex x, complex y) {
    const T a = x.real_, b = x.imag_, c = y.real_, d = y.imag_;
    if (magnitude(c) >= magnitude(d)) {
      if (c == 0) return {a / magnitude(c), b / magnitude(d)};
      const T ratio = d / c, scale = T(1) / (c + d * ratio);
      return {(a + b * ratio) * scale, (b - a * ratio) * scale};
    }
    const T ratio = c / d, scale = T(1) / (d + c * ratio);
    return {(a * ratio + b) * scale, (b * ratio - a) * scale};
  }
  constexpr complex &operator+=(complex z) { return *this = *this + z; }
  constexpr complex &operator*=(complex z) { return *this = *this * z; }

 private:
  static constexpr T magnitude(T x) { return T(__builtin_fabs(x)); }
  T real_, imag_;
};

}  // namespace th

#endif
