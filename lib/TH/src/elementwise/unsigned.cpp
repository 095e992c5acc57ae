// What unsigned integers wider than 8 bits compute otherwise than signed ones: in uint64, to and from which the iterator
// converts the narrower ones. One loop per operator, without versions for processors.
#include <TH/THTensorUnsigned.h>

#include <numeric>

#include "kit/kernel.hpp"
#include "kit/reduce.hpp"

namespace th {
namespace {

using U = uint64_t;

// Divisors are not 0: `divide` below.
struct Quotient {
  U operator()(U a, U b) const { return a / b; }
};
struct Remainder {
  U operator()(U a, U b) const { return a % b; }
};
struct Power {
  U operator()(U base, U e) const {
    U result = 1;
    for (; e; e >>= 1, base *= base)
      if (e & 1) result *= base;
    return result;
  }
};
struct ShiftRight {
  U operator()(U a, U b) const { return b < 64 ? a >> b : 0; }
};
struct Divisor {
  U operator()(U a, U b) const { return std::gcd(a, b); }
};
// It wraps where the dtype does not hold it.
struct Multiple {
  U operator()(U a, U b) const {
    const U d = std::gcd(a, b);
    return d ? a / d * b : 0;
  }
};
struct Larger {
  U operator()(U a, U b) const { return a < b ? b : a; }
};
struct Smaller {
  U operator()(U a, U b) const { return b < a ? b : a; }
};
struct Step {
  U operator()(U a, U atZero) const { return a ? 1 : atZero; }
};
struct Less {
  bool operator()(U a, U b) const { return a < b; }
};
struct LessEqual {
  bool operator()(U a, U b) const { return a <= b; }
};
struct Greater {
  bool operator()(U a, U b) const { return a > b; }
};
struct GreaterEqual {
  bool operator()(U a, U b) const { return a >= b; }
};
struct Itself {
  U operator()(U a) const { return a; }
};
struct Sign {
  U operator()(U a) const { return a != 0; }
};

constexpr KernelTable onlyUInt64(Loop loop, THDtype out) {
  KernelTable table{};
  table.of[TH_UInt64] = {loop, TH_UInt64, out};
  return table;
}
template <class Op>
constexpr KernelTable binary = onlyUInt64(plainBinaryLoop<Op, U, U>, TH_UInt64);
template <class Op>
constexpr KernelTable compare = onlyUInt64(plainBinaryLoop<Op, bool, U>, TH_Bool);
template <class Op>
constexpr KernelTable unary = onlyUInt64(plainUnaryLoop<Op, U, U>, TH_UInt64);

// r = min(max(x, low), high)
void clampLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  const auto at = [&](int k, int64_t i) { return *reinterpret_cast<const U *>(data[k] + i * strides[k]); };
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<U *>(data[0] + i * strides[0]) = Smaller()(Larger()(at(1, i), at(2, i)), at(3, i));
}
constexpr KernelTable kClamp = onlyUInt64(clampLoop, TH_UInt64);

void clampTo(THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high) {
  if (low && high) return pointwise(kClamp, TH_UInt64, nullptr, r, {t, low, high});
  pointwise(low ? binary<Larger> : binary<Smaller>, TH_UInt64, nullptr, r, {t, low ? low : high});
}

// A division by zero must not stop half-way.
void divide(const KernelTable &table, THTensor *r, const THTensor *t, const THTensor *src) {
  if (t->numel && hasMemory(r) && !allTrue(TH_Long, src)) THError(TH_ERROR_RUNTIME, "ZeroDivisionError");
  pointwise(table, TH_UInt64, nullptr, r, {t, src});
}

}  // namespace
}  // namespace th

using namespace th;

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(cdivTrunc, uint64, BINARY, divide(binary<Quotient>, r, t, src))
TH_DEFINE(cdivFloor, uint64, BINARY, divide(binary<Quotient>, r, t, src))
TH_DEFINE(cremainder, uint64, BINARY, divide(binary<Remainder>, r, t, src))
TH_DEFINE(cfmod, uint64, BINARY, divide(binary<Remainder>, r, t, src))
TH_DEFINE(cpow, uint64, BINARY, pointwise(binary<Power>, dtype, nullptr, r, {t, src}))
TH_DEFINE(crshift, uint64, BINARY, pointwise(binary<ShiftRight>, dtype, nullptr, r, {t, src}))
TH_DEFINE(gcd, uint64, BINARY, pointwise(binary<Divisor>, dtype, nullptr, r, {t, src}))
TH_DEFINE(lcm, uint64, BINARY, pointwise(binary<Multiple>, dtype, nullptr, r, {t, src}))
TH_DEFINE(cmax, uint64, BINARY, pointwise(binary<Larger>, dtype, nullptr, r, {t, src}))
TH_DEFINE(cmin, uint64, BINARY, pointwise(binary<Smaller>, dtype, nullptr, r, {t, src}))
TH_DEFINE(fmax, uint64, BINARY, pointwise(binary<Larger>, dtype, nullptr, r, {t, src}))
TH_DEFINE(fmin, uint64, BINARY, pointwise(binary<Smaller>, dtype, nullptr, r, {t, src}))
TH_DEFINE(heaviside, uint64, BINARY, pointwise(binary<Step>, dtype, nullptr, r, {t, src}))
TH_DEFINE(clamp, uint64, (THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high),
          clampTo(r, t, low, high))

#define UNARY (THTensor *r, const THTensor *t)
TH_DEFINE(abs, uint64, UNARY, pointwise(unary<Itself>, dtype, nullptr, r, {t}))
TH_DEFINE(sign, uint64, UNARY, pointwise(unary<Sign>, dtype, nullptr, r, {t}))

#define COMPARE (THTensor *r, const THTensor *a, const THTensor *b)
TH_DEFINE(ltTensor, uint64, COMPARE, pointwise(compare<Less>, dtype, nullptr, r, {a, b}))
TH_DEFINE(leTensor, uint64, COMPARE, pointwise(compare<LessEqual>, dtype, nullptr, r, {a, b}))
TH_DEFINE(gtTensor, uint64, COMPARE, pointwise(compare<Greater>, dtype, nullptr, r, {a, b}))
TH_DEFINE(geTensor, uint64, COMPARE, pointwise(compare<GreaterEqual>, dtype, nullptr, r, {a, b}))
