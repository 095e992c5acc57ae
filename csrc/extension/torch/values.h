// C++ functions as kernels of operators: their types as a schema writes them, their arguments and results as Values.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <autograd/library.h>

#include <torch/tensor.h>

namespace torch {

// Sizes that somebody may want to be symbolic, in PyTorch; here every size is a number.
using SymInt = int64_t;
using SymIntArrayRef = IntArrayRef;
using OptionalIntArrayRef = std::optional<IntArrayRef>;
using string_view = std::string_view;

namespace operators {

[[noreturn]] inline void mismatch(const char *wanted, const Value &found) {
  static constexpr const char *names[] = {"None", "a number", "a str", "a Tensor", "a dtype", "a device", "a list"};
  torch::detail::fail(TH_ERROR_TYPE, "", "an operator's kernel takes ", wanted, " where it was given ",
                      names[found.any.index()]);
}
template <class T>
const T &get(const Value &value, const char *wanted) {
  const T *const found = std::get_if<T>(&value.any);
  if (!found) mismatch(wanted, value);
  return *found;
}
inline bool is_none(const Value &value) { return std::holds_alternative<std::monostate>(value.any); }

// How a type of C++ goes through a Value: its `name` in a schema; what is `Held` of it during a call, made by `from`;
// `seen` as the function takes it; `to` a Value.
template <class T>
struct Convert {
  static_assert(
      !std::is_same_v<T, T>,
      "operators take and return Tensor, int64_t, double, bool, std::string, Scalar, ScalarType, Device, lists of "
      "them (std::vector<T>, TensorList, IntArrayRef), std::optional of them, and std::tuple as a result");
};
template <class T>
struct Plain {
  using Held = T;
  static T &seen(Held &held) { return held; }
};

template <>
struct Convert<Tensor> : Plain<Tensor> {
  static std::string name() { return "Tensor"; }
  static Tensor from(const Value &value) {
    return is_none(value) ? Tensor() : Tensor(get<thpp::Tensor>(value, "a Tensor"));
  }
  static Value to(const Tensor &tensor) { return {static_cast<const thpp::Tensor &>(tensor)}; }
};
template <std::integral T>
  requires(!std::is_same_v<T, bool>)
struct Convert<T> : Plain<T> {
  static_assert(sizeof(T) == 8, "operators take integers as int64_t");
  static std::string name() { return "int"; }
  static T from(const Value &value) {
    const thpp::Scalar &number = get<thpp::Scalar>(value, "an int");
    if (number.kind > TH_KIND_uint && number.kind != TH_KIND_bool) mismatch("an int", value);
    return T(number.to_int());
  }
  static Value to(T number) { return {thpp::Scalar(int64_t(number))}; }
};
template <>
struct Convert<double> : Plain<double> {
  static std::string name() { return "float"; }
  static double from(const Value &value) { return get<thpp::Scalar>(value, "a float").to_double(); }
  static Value to(double number) { return {thpp::Scalar(number)}; }
};
template <>
struct Convert<bool> : Plain<bool> {
  static std::string name() { return "bool"; }
  static bool from(const Value &value) { return Scalar(get<thpp::Scalar>(value, "a bool")).toBool(); }
  static Value to(bool number) { return {thpp::Scalar(number)}; }
};
template <>
struct Convert<Scalar> : Plain<Scalar> {
  static std::string name() { return "Scalar"; }
  static Scalar from(const Value &value) { return get<thpp::Scalar>(value, "a number"); }
  static Value to(const Scalar &number) { return {static_cast<const thpp::Scalar &>(number)}; }
};
template <>
struct Convert<std::string> : Plain<std::string> {
  static std::string name() { return "str"; }
  static std::string from(const Value &value) { return get<std::string>(value, "a str"); }
  static Value to(std::string text) { return {std::move(text)}; }
};
template <>
struct Convert<std::string_view> {
  using Held = std::string;
  static std::string name() { return "str"; }
  static Held from(const Value &value) { return Convert<std::string>::from(value); }
  static std::string_view seen(const Held &held) { return held; }
  static Value to(std::string_view text) { return {std::string(text)}; }
};
template <>
struct Convert<ScalarType> : Plain<ScalarType> {
  static std::string name() { return "ScalarType"; }
  static ScalarType from(const Value &value) { return ScalarType(get<THDtype>(value, "a dtype")); }
  static Value to(ScalarType dtype) { return {THDtype(dtype)}; }
};
template <>
struct Convert<Device> : Plain<Device> {
  static std::string name() { return "Device"; }
  static Device from(const Value &value) { return get<THDevice>(value, "a device"); }
  static Value to(Device device) { return {THDevice(device)}; }
};

template <class T>
struct Convert<std::vector<T>> : Plain<std::vector<T>> {
  static std::string name() { return Convert<T>::name() + "[]"; }
  static std::vector<T> from(const Value &value) {
    std::vector<T> list;
    for (const Value &element : get<Values>(value, "a list")) list.push_back(Convert<T>::from(element));
    return list;
  }
  static Value to(const std::vector<T> &list) {
    Values values;
    for (const auto &element : list) values.push_back(Convert<T>::to(element));
    return {std::move(values)};
  }
};
template <class T>
struct Convert<List<T>> : Plain<List<T>> {
  static std::string name() { return Convert<std::vector<T>>::name(); }
  static List<T> from(const Value &value) { return Convert<std::vector<T>>::from(value); }
  static Value to(const List<T> &list) { return Convert<std::vector<T>>::to(list); }
};
// Lists that are borrowed: the vector lives as long as the call.
template <class T, class Element>
struct Borrowed {
  using Held = std::vector<Element>;
  static std::string name() { return Convert<Held>::name(); }
  static Held from(const Value &value) { return Convert<Held>::from(value); }
  static T seen(const Held &held) { return held; }
  static Value to(const T &list) {
    Held held;
    for (size_t i = 0; i < list.size(); ++i) held.push_back(list[i]);
    return Convert<Held>::to(held);
  }
};
template <>
struct Convert<IntArrayRef> : Borrowed<IntArrayRef, int64_t> {};
template <>
struct Convert<FloatList> : Borrowed<FloatList, double> {};
template <>
struct Convert<TensorList> : Borrowed<TensorList, Tensor> {};

template <class T>
struct Convert<std::optional<T>> {
  using Held = std::optional<typename Convert<T>::Held>;
  static std::string name() { return Convert<T>::name() + "?"; }
  static Held from(const Value &value) { return is_none(value) ? Held() : Held(Convert<T>::from(value)); }
  static decltype(auto) seen(Held &held) {
    if constexpr (std::is_same_v<typename Convert<T>::Held, T>)
      return (held);
    else
      return held ? std::optional<T>(Convert<T>::seen(*held)) : std::optional<T>();
  }
  static Value to(const std::optional<T> &value) { return value ? Convert<T>::to(*value) : Value(); }
};

// ---- results -----------------------------------------------------------------------------------------
template <class R>
struct Results {
  static std::string name() { return Convert<R>::name(); }
  static Values to(const R &result) { return {Convert<R>::to(result)}; }
  static R from(const Values &values) {
    TORCH_CHECK(values.size() == 1, "an operator gave ", values.size(), " results where one is expected");
    return Convert<R>::from(values[0]);
  }
};
template <class... R>
struct Results<std::tuple<R...>> {
  static std::string name() {
    std::string names;
    ((names += (names.empty() ? "" : ", ") + Convert<R>::name()), ...);
    return "(" + names + ")";
  }
  static Values to(const std::tuple<R...> &results) {
    return std::apply([](const R &...result) { return Values{Convert<R>::to(result)...}; }, results);
  }
  static std::tuple<R...> from(const Values &values) {
    TORCH_CHECK(values.size() == sizeof...(R), "an operator gave ", values.size(), " results where ", sizeof...(R),
                " are expected");
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return std::tuple<R...>{Convert<R>::from(values[i])...};
    }(std::index_sequence_for<R...>());
  }
};

// ---- functions ---------------------------------------------------------------------------------------
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R(A...)> {
  using Result = R;

  // "(Tensor _0, float _1) -> Tensor"
  static std::string schema() {
    std::string names;
    size_t place = 0;
    ((names += (place ? ", " : "") + Convert<std::decay_t<A>>::name() + " _" + std::to_string(place), ++place), ...);
    if constexpr (std::is_void_v<R>)
      return "(" + names + ") -> ()";
    else
      return "(" + names + ") -> " + Results<std::decay_t<R>>::name();
  }

  template <class F>
  static Kernel kernel(F function) {
    return [function](Values &values) {
      TORCH_CHECK(values.size() == sizeof...(A), "a kernel takes ", sizeof...(A), " arguments where it was given ",
                  values.size());
      run(function, values, std::index_sequence_for<A...>());
    };
  }

  static R call(const Operator &op, A... args) {
    Values values{Convert<std::decay_t<A>>::to(args)...};
    operators::call(op, values);
    if constexpr (std::is_reference_v<R>)
      return written<R>(args...);
    else if constexpr (!std::is_void_v<R>)
      return Results<R>::from(values);
  }

 private:
  template <class F, size_t... i>
  static void run(const F &function, Values &values, std::index_sequence<i...>) {
    std::tuple<typename Convert<std::decay_t<A>>::Held...> held{Convert<std::decay_t<A>>::from(values[i])...};
    if constexpr (std::is_void_v<R>) {
      function(Convert<std::decay_t<A>>::seen(std::get<i>(held))...);
      values.clear();
    } else {
      values = Results<std::decay_t<R>>::to(function(Convert<std::decay_t<A>>::seen(std::get<i>(held))...));
    }
  }
  // An operator that returns a reference returns the argument that it wrote: the first of that type.
  template <class T, class First, class... Rest>
  static T written(First &first, Rest &...rest) {
    if constexpr (std::is_same_v<std::decay_t<T>, std::decay_t<First>>)
      return first;
    else
      return written<T>(rest...);
  }
};
template <class R, class... A>
struct Signature<R (*)(A...)> : Signature<R(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R(A...)> {};

}  // namespace operators
}  // namespace torch
