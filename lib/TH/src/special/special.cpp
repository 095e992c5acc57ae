// Functions of formulas.hpp, compiled once.
#include <cstdint>

#include "formulas.hpp"

namespace th::special {

double erfinv(double x) { return formulas::erfinv(x); }
double lgamma(double x) { return formulas::lgamma(x); }
double digamma(double x) { return formulas::digamma(x); }
double polygamma(int64_t n, double x) { return formulas::polygamma(n, x); }
double zeta(double s, double q) { return formulas::zeta(s, q); }
double besselI0(double x, bool scaled) { return formulas::besselI0(x, scaled); }
double besselI1(double x, bool scaled) { return formulas::besselI1(x, scaled); }
double erfcx(double x) { return formulas::erfcx(x); }
double ndtr(double x) { return formulas::ndtr(x); }
double logNdtr(double x) { return formulas::logNdtr(x); }
double ndtri(double p) { return formulas::ndtri(p); }

}  // namespace th::special
