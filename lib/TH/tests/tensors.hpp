// Tensors for tests: owned, made from functions, read as numbers, laid out in several ways.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>
#include <gtest/gtest.h>
#include <TH/TH.h>
#include <TH/THException.hpp>

namespace test {

using Shape = std::vector<int64_t>;

inline int64_t product(const Shape &shape) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  return n;
}

class Tensor {
 public:
  explicit Tensor(THTensor *t) : t_(t) {}
  explicit Tensor(THDtype dtype) : t_(THTensor_new(dtype)) {}
  Tensor(THDtype dtype, const Shape &shape) : t_(THTensor_newWithSize(dtype, int(shape.size()), shape.data())) {}
  Tensor(Tensor &&other) noexcept : t_(std::exchange(other.t_, nullptr)) {}
  Tensor &operator=(Tensor &&other) noexcept {
    std::swap(t_, other.t_);
    return *this;
  }
  ~Tensor() { THTensor_free(t_); }
  operator THTensor *() const { return t_; }
  THTensor *operator->() const { return t_; }

 private:
  THTensor *t_;
};

inline Shape shapeOf(const THTensor *t) { return Shape(t->size, t->size + t->ndim); }
inline Shape stridesOf(const THTensor *t) { return Shape(t->stride, t->stride + t->ndim); }

// Address of element i in row-major order.
inline void *address(const THTensor *t, int64_t i) {
  int64_t offset = 0;
  for (int d = t->ndim; d-- > 0; i /= t->size[d]) offset += i % t->size[d] * t->stride[d];
  return static_cast<char *>(THTensor_data(t)) + offset * int64_t(TH_elementSize(THDtype(t->dtype)));
}

// Those with kernels; kRealDtypes: of kernels that exist for real numbers only.
#define TEST_ITEM(Name, ...) TH_##Name,
constexpr THDtype kRealDtypes[] = {TH_FOR_all(TEST_ITEM, )}, kNumberDtypes[] = {TH_FOR_number(TEST_ITEM, )},
                  kFloatingDtypes[] = {TH_FOR_floating(TEST_ITEM, )},
                  kKernelDtypes[] = {TH_FOR_all_complex(TEST_ITEM, )};
#undef TEST_ITEM

// A complex number stands for its real part, and is made with minus that as the imaginary one.
template <class T> double toDouble(T x) { return double(x); }
template <class T> double toDouble(th::complex<T> x) { return double(x.real()); }
template <class T> T fromDouble(double x) {
  if constexpr (requires { typename T::value_type; })
    return {typename T::value_type(x), typename T::value_type(-x)};
  else
    return T(x);
}

inline double get(const THTensor *t, int64_t i) {
  switch (THDtype(t->dtype)) {
#define CASE(Name, type, kind, kernels, name, alias) \
  case TH_##Name: return toDouble(*static_cast<type *>(address(t, i)));
    TH_DTYPES(CASE)
#undef CASE
    default: return NAN;
  }
}

inline void set(THTensor *t, int64_t i, double value) {
  switch (THDtype(t->dtype)) {
#define CASE(Name, type, kind, kernels, name, alias) \
  case TH_##Name: *static_cast<type *>(address(t, i)) = fromDouble<type>(value); break;
    TH_DTYPES(CASE)
#undef CASE
    default: break;
  }
}

inline std::vector<double> values(const THTensor *t) {
  std::vector<double> v(size_t(t->numel));
  for (int64_t i = 0; i < t->numel; i++) v[size_t(i)] = get(t, i);
  return v;
}

// Element i (row-major) is f(i).
inline Tensor make(THDtype dtype, const Shape &shape, const std::function<double(int64_t)> &f) {
  Tensor t(dtype, shape);
  for (int64_t i = 0; i < t->numel; i++) set(t, i, f(i));
  return t;
}
inline Tensor of(THDtype dtype, const std::vector<double> &v) {
  return make(dtype, {int64_t(v.size())}, [&](int64_t i) { return v[size_t(i)]; });
}

// Numbers that look random and are the same everywhere: -range … range, whole for integers.
inline double noise(int64_t i, uint64_t seed = 1) {
  uint64_t x = uint64_t(i) * 0x9E3779B97F4A7C15u + seed * 0xD1342543DE82EF95u;
  x ^= x >> 31, x *= 0xBF58476D1CE4E5B9u, x ^= x >> 29, x *= 0x94D049BB133111EBu, x ^= x >> 32;
  return double(x >> 11) * 0x1p-53;
}
inline Tensor random(THDtype dtype, const Shape &shape, uint64_t seed = 1) {
  return make(dtype, shape, [&](int64_t i) {
    const double x = noise(i, seed);
    return TH_kind(dtype) >= TH_KIND_float  ? x * 4 - 2
           : TH_kind(dtype) == TH_KIND_bool ? double(x < 0.5)
           : dtype == TH_Byte               ? std::floor(x * 10)
                                            : std::floor(x * 19) - 9;
  });
}

// The same elements, differently in memory.
enum class Layout { contiguous, reversed, gapped, offset };
constexpr Layout kLayouts[] = {Layout::contiguous, Layout::reversed, Layout::gapped, Layout::offset};

inline Tensor uninitialised(THDtype dtype, const Shape &shape, Layout layout) {
  const int n = int(shape.size());
  if (layout == Layout::reversed && n > 1) {
    std::vector<int64_t> order;
    for (int d = n; d-- > 0;) order.push_back(d);
    return Tensor(THTensor_newPermute(Tensor(dtype, Shape(shape.rbegin(), shape.rend())), n, order.data()));
  }
  if (layout == Layout::gapped && n > 0) {
    Shape wide = shape;
    wide.back() = wide.back() * 2 + 1;
    return Tensor(THTensor_newSlice(Tensor(dtype, wide), n - 1, 1, wide.back(), 2));
  }
  if (layout == Layout::offset && n > 0) {
    Shape wide = shape;
    for (int64_t &length : wide) length += 2;
    Tensor t(dtype, wide);
    for (int d = 0; d < n; d++) t = Tensor(THTensor_newNarrow(t, d, 1, shape[size_t(d)]));
    return t;
  }
  return Tensor(dtype, shape);
}
inline Tensor relayout(const THTensor *t, Layout layout) {
  Tensor r = uninitialised(THDtype(t->dtype), shapeOf(t), layout);
  for (int64_t i = 0; i < t->numel; i++) set(r, i, get(t, i));
  return r;
}

// A tensor of the same geometry without memory.
inline Tensor onMeta(const THTensor *t) {
  THStorage *storage = THStorage_newOn({TH_Meta, 0}, t->storage->nbytes);
  Tensor r(THTensor_newWithStorage(THDtype(t->dtype), storage, t->offset, t->ndim, t->size, t->stride));
  THStorage_free(storage);
  return r;
}
inline Tensor newOnMeta(THDtype dtype, const Shape &shape) { return onMeta(Tensor(dtype, shape)); }

inline THScalar number(double x) {
  THScalar s;
  s.kind = TH_KIND_float;
  s.value.d = x;
  return s;
}

template <class F>
void expectRaises(THErrorKind kind, const std::string &text, const F &f) {
  try {
    f();
    ADD_FAILURE() << "no error, but expected: " << text;
  } catch (const th::Exception &e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << "expected: " << text << "\ngot: " << e.what();
  }
}

inline void expectSame(const THTensor *a, const THTensor *b) {
  ASSERT_EQ(shapeOf(a), shapeOf(b));
  ASSERT_EQ(a->dtype, b->dtype);
  for (int64_t i = 0; i < a->numel; i++)
    ASSERT_EQ(std::memcmp(address(a, i), address(b, i), TH_elementSize(THDtype(a->dtype))), 0)
        << "element " << i << ": " << get(a, i) << " and " << get(b, i);
}

// `compute` gives the same bits for any number of threads.
inline void expectThreadIndependent(const std::function<Tensor()> &compute) {
  const int before = TH_getNumThreads();
  TH_setNumThreads(1);
  const Tensor one = compute();
  for (int n : {2, 3, 5}) {
    TH_setNumThreads(n);
    const Tensor many = compute();
    expectSame(one, many);
  }
  TH_setNumThreads(before);
}

// A kernel's functions by dtype: TEST_FAMILY(number, dot)[TH_Float] is THFloatTensor_dot.
// Its type is that of any of them.
#define TEST_TYPE_all(op) decltype(&THIntTensor_##op)
#define TEST_TYPE_number(op) decltype(&THIntTensor_##op)
#define TEST_TYPE_integral(op) decltype(&THIntTensor_##op)
#define TEST_TYPE_bits(op) decltype(&THIntTensor_##op)
#define TEST_TYPE_complex(op) decltype(&THComplexFloatTensor_##op)
#define TEST_TYPE_floating(op) decltype(&THFloatTensor_##op)
#define TEST_ENTRY(Name, op) table[TH_##Name] = TH##Name##Tensor_##op;
#define TEST_FAMILY(dtypes, op)                                  \
  [] {                                                           \
    std::vector<TEST_TYPE_##dtypes(op)> table(TH_NUM_DTYPES, nullptr); \
    TH_FOR_##dtypes(TEST_ENTRY, op)                              \
    return table;                                                \
  }()

}  // namespace test
