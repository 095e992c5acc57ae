// What two ranks' elements become: one loop for each dtype and operation.
#include <THD/Transport.h>

#include <type_traits>

namespace thd {
namespace {

template <class T>
struct Computing {
  using type = T;
};
#define THD_WIDER(stored)      \
  template <>                  \
  struct Computing<stored> {   \
    using type = float;        \
  };
THD_WIDER(THHalf)
THD_WIDER(THBFloat16)
THD_WIDER(THFloat8_e4m3fn)
THD_WIDER(THFloat8_e5m2)
THD_WIDER(THFloat8_e4m3fnuz)
THD_WIDER(THFloat8_e5m2fnuz)
#undef THD_WIDER
template <>
struct Computing<THComplexHalf> {
  using type = THComplexFloat;
};
// Integers wrap around.
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct Computing<T> {
  using type = std::make_unsigned_t<T>;
};

template <class T, ReduceOp::Kind kOp>
void loop(void *out, const void *a, const void *b, size_t n) {
  using C = typename Computing<T>::type;
  const T *const x = static_cast<const T *>(a), *const y = static_cast<const T *>(b);
  T *const r = static_cast<T *>(out);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      constexpr bool kAll = kOp == ReduceOp::Product || kOp == ReduceOp::Min || kOp == ReduceOp::Band;
      r[i] = kAll ? x[i] && y[i] : kOp == ReduceOp::Bxor ? x[i] != y[i] : x[i] || y[i];
    } else if constexpr (kOp == ReduceOp::Min || kOp == ReduceOp::Max) {
      using O = std::conditional_t<std::is_integral_v<T>, T, C>;  // signs count
      const O u = O(x[i]), v = O(y[i]);
      const bool first = kOp == ReduceOp::Min ? u < v : u > v;
      r[i] = first || u != u ? x[i] : y[i];  // NaN wins
    } else if constexpr (kOp == ReduceOp::Band || kOp == ReduceOp::Bor || kOp == ReduceOp::Bxor) {
      r[i] = T(kOp == ReduceOp::Band ? x[i] & y[i] : kOp == ReduceOp::Bor ? x[i] | y[i] : x[i] ^ y[i]);
    } else if constexpr (kOp == ReduceOp::Product) {
      r[i] = T(C(C(x[i]) * C(y[i])));
    } else {
      r[i] = T(C(C(x[i]) + C(y[i])));
    }
  }
}

template <class T>
Reducer of(THKind kind, ReduceOp::Kind op) {
  switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Avg:
    case ReduceOp::PremulSum: return loop<T, ReduceOp::Sum>;
    case ReduceOp::Product: return loop<T, ReduceOp::Product>;
    case ReduceOp::Min:
      if constexpr (!requires(T a) { a.imag(); }) return loop<T, ReduceOp::Min>;
      break;
    case ReduceOp::Max:
      if constexpr (!requires(T a) { a.imag(); }) return loop<T, ReduceOp::Max>;
      break;
    case ReduceOp::Band:
      if constexpr (std::is_integral_v<T>) return loop<T, ReduceOp::Band>;
      break;
    case ReduceOp::Bor:
      if constexpr (std::is_integral_v<T>) return loop<T, ReduceOp::Bor>;
      break;
    case ReduceOp::Bxor:
      if constexpr (std::is_integral_v<T>) return loop<T, ReduceOp::Bxor>;
      break;
  }
  throw Error(ErrorKind::Value, std::string("ReduceOp.") + name_of(op) + " is not for " +
                                    (kind == TH_KIND_complex ? "complex numbers, which have no order and no bits"
                                                             : "floating-point numbers, whose bits are no flags"));
}

}  // namespace

Reducer reducer_of(THDtype dtype, ReduceOp::Kind op) {
  switch (dtype) {
#define THD_CASE(Name, type, kind, kernels, name, alias) \
  case TH_##Name: return of<type>(TH_KIND_##kind, op);
    TH_DTYPES(THD_CASE)
#undef THD_CASE
    case TH_NUM_DTYPES: break;
  }
  throw Error(ErrorKind::Value, "there is no dtype " + std::to_string(int(dtype)));
}

const char *name_of(ReduceOp::Kind kind) {
  constexpr const char *kNames[] = {"SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM"};
  return kNames[kind];
}

}  // namespace thd
