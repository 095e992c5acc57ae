// What the functions of torch take besides tensors: dtypes, numbers, sizes, options.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <type_traits>
#include <utility>
#include <vector>

#include <THPP/Tensor.h>
#include <autograd/extension_api.h>

#include <torch/check.h>

// half and bfloat16 compute as floats, and are written as what they are. Two of a kind give that kind; with another type
// the built-in operators give a float.
namespace th {

template <class T>
concept HalfType = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
#define TORCH_OPERATOR(op)                        \
  template <HalfType T, std::same_as<T> U>        \
  T operator op(T a, U b) {                       \
    return float(a) op float(b);                  \
  }                                               \
  template <HalfType T>                           \
  T &operator op##=(T &a, float b) {              \
    return a = float(a) op b;                     \
  }
TORCH_OPERATOR(+)
TORCH_OPERATOR(-)
TORCH_OPERATOR(*)
TORCH_OPERATOR(/)
#undef TORCH_OPERATOR

}  // namespace th

namespace torch {

using std::nullopt;
using std::optional;
using thpp::FloatList;
using thpp::MemoryFormat;
using Half = th::half;
using BFloat16 = th::bfloat16;

// ---- dtypes -------------------------------------------------------------------------------------
enum class ScalarType : uint8_t {
#define TORCH_ROW(Name, type, kind, kernels, name, alias) Name = TH_##Name,
  TH_DTYPES(TORCH_ROW)
#undef TORCH_ROW
};

// kFloat, kLong, …
#define TORCH_ROW(Name, type, kind, kernels, name, alias) constexpr ScalarType k##Name = ScalarType::Name;
TH_DTYPES(TORCH_ROW)
#undef TORCH_ROW
constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;
constexpr ScalarType kComplex64 = kComplexFloat, kComplex128 = kComplexDouble;

// The dtype of a C++ type: scalar_type_of<float> is kFloat.
template <class T>
constexpr ScalarType scalar_type_of = [] {
  static_assert(!std::is_same_v<T, T>, "no dtype has elements of this C++ type");
  return kFloat;
}();
#define TORCH_ROW(Name, type, kind, kernels, name, alias) \
  template <>                                    \
  inline constexpr ScalarType scalar_type_of<type> = k##Name;
TH_DTYPES(TORCH_ROW)
#undef TORCH_ROW

inline const char *toString(ScalarType dtype) { return TH_typeName(THDtype(dtype)); }  // "Float"
inline std::ostream &operator<<(std::ostream &stream, ScalarType dtype) { return stream << toString(dtype); }
inline size_t elementSize(ScalarType dtype) { return TH_elementSize(THDtype(dtype)); }
inline bool isFloatingType(ScalarType dtype) { return TH_kind(THDtype(dtype)) == TH_KIND_float; }
inline bool isComplexType(ScalarType dtype) { return TH_kind(THDtype(dtype)) == TH_KIND_complex; }
inline bool isIntegralType(ScalarType dtype, bool with_bool = false) {
  return TH_kind(THDtype(dtype)) == TH_KIND_int || (with_bool && dtype == kBool);
}

// ---- numbers ------------------------------------------------------------------------------------
template <class T>
concept ComplexNumber = std::is_same_v<T, th::complex<float>> || std::is_same_v<T, th::complex<double>>;
template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> || ComplexNumber<T>;

struct Scalar : thpp::Scalar {
  Scalar() : thpp::Scalar(int64_t(0)) {}
  Scalar(const thpp::Scalar &number) : thpp::Scalar(number) {}
  template <Number T>
  Scalar(T number) : thpp::Scalar(widened(number)) {}

  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>)
      return to_complex() != 0.0;
    else if constexpr (ComplexNumber<T>)
      return T(to_complex());
    else if constexpr (std::is_same_v<T, uint64_t>)
      return kind == TH_KIND_uint ? value.u : T(to_int());
    else if constexpr (std::is_integral_v<T>)
      return T(to_int());
    else
      return T(to_double());
  }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  bool toBool() const { return to<bool>(); }
  bool isComplex() const { return is_complex(); }
  bool isFloatingPoint() const { return kind == TH_KIND_float; }
  bool isIntegral(bool with_bool = false) const {
    return kind == TH_KIND_int || kind == TH_KIND_uint || (with_bool && isBoolean());
  }
  bool isBoolean() const { return kind == TH_KIND_bool; }

 private:
  template <class T>
  static auto widened(T number) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, uint64_t>)
      return number;
    else if constexpr (ComplexNumber<T>)
      return th::complex<double>(number);
    else if constexpr (std::is_integral_v<T>)
      return int64_t(number);
    else
      return double(number);
  }
};

// A tensor, or a number that takes part in promotion by its kind alone. A parameter type: what it
// was made from must live on.
class Operand {
 public:
  Operand() : tensor_(&made_) {}  // left out
  Operand(const thpp::Tensor &tensor) : tensor_(&tensor) {}
  Operand(const thpp::Scalar &number) : made_(thpp::wrapped_number(number)), tensor_(&made_) {}
  template <Number T>
  Operand(T number) : Operand(static_cast<const thpp::Scalar &>(Scalar(number))) {}
  Operand(const Operand &) = delete;
  operator const thpp::Tensor &() const { return *tensor_; }

 private:
  thpp::Tensor made_;
  const thpp::Tensor *tensor_;
};

// ---- sizes and dimensions -----------------------------------------------------------------------
// Borrowed: of a vector, of {2, 3}, or of one number. A parameter type.
class IntArrayRef : public thpp::IntList {
 public:
  using thpp::IntList::IntList;
  IntArrayRef() = default;
  IntArrayRef(thpp::IntList list) : thpp::IntList(list) {}
  IntArrayRef(const std::initializer_list<int64_t> &list) : thpp::IntList(list) {}
  IntArrayRef(const std::vector<int64_t> &list) : thpp::IntList(list) {}
  IntArrayRef(const int64_t &one) : thpp::IntList(&one, 1) {}
  std::vector<int64_t> vec() const { return {begin(), end()}; }
  bool equals(thpp::IntList other) const { return std::ranges::equal(*this, other); }
};
using IntList = IntArrayRef;

inline bool operator==(IntArrayRef a, IntArrayRef b) { return a.equals(b); }
inline std::ostream &operator<<(std::ostream &stream, IntArrayRef list) {
  stream << '[';
  for (size_t i = 0; i < list.size(); ++i) stream << (i ? ", " : "") << list[i];
  return stream << ']';
}

// A list of values, which in PyTorch several may share; here each has its own.
template <class T>
class List : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  List(std::vector<T> list) : std::vector<T>(std::move(list)) {}
  T get(size_t i) const { return this->at(i); }
  const std::vector<T> &vec() const { return *this; }
};

// In which type sums of elements are computed: opmath_type as the elements but for the two half types, acc_type wider.
template <class T>
using opmath_type = std::conditional_t<th::HalfType<T>, float, T>;
template <class T, bool on_cuda>
using acc_type = std::conditional_t<std::is_same_v<T, float> && !on_cuda, double,
                                    std::conditional_t<std::is_integral_v<T>, int64_t, opmath_type<T>>>;

// ---- where and of what dtype --------------------------------------------------------------------
enum class DeviceType : int8_t {
#define TORCH_ROW(Name, name) Name = TH_##Name,
  TH_DEVICES(TORCH_ROW)
#undef TORCH_ROW
};
// kCPU, kMeta, …
#define TORCH_ROW(Name, name) constexpr DeviceType k##Name = DeviceType::Name;
TH_DEVICES(TORCH_ROW)
#undef TORCH_ROW
inline const char *toString(DeviceType type) {
  switch (type) {
#define TORCH_ROW(Name, name) \
  case DeviceType::Name: return #Name;
    TH_DEVICES(TORCH_ROW)
#undef TORCH_ROW
  }
  return "";
}
struct Device {
  Device(DeviceType type = kCPU, int8_t index = 0) : type_(type), index_(index) {}
  Device(THDevice device) : Device(DeviceType(device.kind), device.index) {}
  DeviceType type() const { return type_; }
  int8_t index() const { return index_; }
  bool is_cpu() const { return type_ == kCPU; }
  bool is_cuda() const { return type_ == kCUDA; }
  bool is_meta() const { return type_ == kMeta; }
  operator THDevice() const { return {int8_t(type_), index_}; }
  bool operator==(const Device &) const = default;

 private:
  DeviceType type_;
  int8_t index_;
};
inline std::ostream &operator<<(std::ostream &stream, Device device) {
  return stream << TH_deviceName(THDeviceKind(device.type()));
}

enum class Layout : uint8_t { Strided };
constexpr Layout kStrided = Layout::Strided;

// torch::dtype(torch::kLong), or just torch::kLong, where a function makes a tensor.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  TensorOptions(Device device) : device_(device) {}
  TensorOptions(DeviceType type) : device_(type) {}
  TensorOptions dtype(ScalarType dtype) const {
    TensorOptions changed = *this;
    changed.dtype_ = dtype;
    return changed;
  }
  TensorOptions device(Device device) const {
    TensorOptions changed = *this;
    changed.device_ = device;
    return changed;
  }
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions requires_grad(bool wanted) const {
    TensorOptions changed = *this;
    changed.requires_grad_ = wanted;
    return changed;
  }
  ScalarType dtype() const { return dtype_.value_or(ScalarType(thpp::default_dtype())); }
  bool has_dtype() const { return dtype_.has_value(); }
  Device device() const { return device_.value_or(kCPU); }
  bool has_device() const { return device_.has_value(); }
  bool requires_grad() const { return requires_grad_; }

 private:
  std::optional<ScalarType> dtype_;
  std::optional<Device> device_;
  bool requires_grad_ = false;
};
inline TensorOptions dtype(ScalarType dtype) { return TensorOptions(dtype); }
inline TensorOptions device(Device device) { return TensorOptions().device(device); }
inline TensorOptions requires_grad(bool wanted = true) { return TensorOptions().requires_grad(wanted); }

namespace detail {

// What a caller forgot to give, as null in C++ and None in Python, ends here and not in a crash.
inline const thpp::Tensor &defined(const thpp::Tensor &tensor) {
  TORCH_CHECK(tensor.defined(), "expected a tensor, but got an undefined one (None)");
  return tensor;
}
inline thpp::TensorList defined(thpp::TensorList tensors) {
  for (const thpp::Tensor &tensor : tensors) defined(tensor);
  return tensors;
}

inline THDtype native(ScalarType dtype) { return THDtype(dtype); }
inline std::optional<thpp::Scalar> native(const std::optional<Scalar> &value) {
  return value ? std::optional(static_cast<const thpp::Scalar &>(*value)) : std::nullopt;
}
inline std::optional<THDtype> native(const std::optional<ScalarType> &dtype) {
  return dtype ? std::optional(THDtype(*dtype)) : std::nullopt;
}
inline std::optional<THDtype> native(const TensorOptions &options) {
  return options.has_dtype() ? std::optional(THDtype(options.dtype())) : std::nullopt;
}
inline std::optional<THDevice> device(const TensorOptions &options) {
  return options.has_device() ? std::optional<THDevice>(options.device()) : std::nullopt;
}
// A tensor that a factory made, as a leaf that requires grad if that was asked for.
inline thpp::Tensor leaf(thpp::Tensor made, const TensorOptions &options) {
  if (options.requires_grad()) autograd::api::set_requires_grad(made, true);
  return made;
}

}  // namespace detail
}  // namespace torch

// The same things under the names of 2018.
namespace at = torch;
namespace c10 = torch;
