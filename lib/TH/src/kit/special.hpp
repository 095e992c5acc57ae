// Special functions of real numbers, in double.
#pragma once

#include <cmath>
#include <limits>

namespace th::special {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double erfinv(double x);
double lgamma(double x);
double digamma(double x);
double polygamma(int64_t n, double x);
double zeta(double s, double q);  // sum of (q + k)^-s, k = 0, 1, …
double besselI0(double x, bool scaled);  // scaled: times exp(-|x|)
double besselI1(double x, bool scaled);
double erfcx(double x);
double ndtr(double x);
double logNdtr(double x);
double ndtri(double p);

}  // namespace th::special
