// torch::IValue: one value of a few types, which a custom function keeps for its backward pass.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <torch/tensor.h>

namespace torch {

struct IValueElement;

// None, a bool, an integer, a float, a text, a tensor, or a list of integers, floats or tensors. toInt() and its like
// raise where it holds another type; nothing is converted.
class IValue {
 public:
  IValue() = default;  // None
  IValue(bool value) : value_(value) {}
  template <std::integral T>
  IValue(T value) : value_(int64_t(value)) {}
  template <std::floating_point T>
  IValue(T value) : value_(double(value)) {}
  IValue(const char *text) : value_(std::string(text)) {}
  IValue(std::string text) : value_(std::move(text)) {}
  IValue(Tensor tensor) : value_(std::move(tensor)) {}
  IValue(thpp::IntList list) : value_(std::vector<int64_t>(list.begin(), list.end())) {}
  IValue(std::vector<int64_t> list) : value_(std::move(list)) {}
  IValue(std::vector<double> list) : value_(std::move(list)) {}
  IValue(std::vector<Tensor> list) : value_(std::move(list)) {}

  bool isNone() const { return holds<std::monostate>(); }
  bool isBool() const { return holds<bool>(); }
  bool isInt() const { return holds<int64_t>(); }
  bool isDouble() const { return holds<double>(); }
  bool isString() const { return holds<std::string>(); }
  bool isTensor() const { return holds<Tensor>(); }
  bool isIntList() const { return holds<std::vector<int64_t>>(); }
  bool isDoubleList() const { return holds<std::vector<double>>(); }
  bool isTensorList() const { return holds<std::vector<Tensor>>(); }
  const char *tagKind() const {
    static constexpr const char *names[] = {"None",   "Bool",    "Int",        "Double",    "String",
                                            "Tensor", "IntList", "DoubleList", "TensorList"};
    return names[value_.index()];
  }

  bool toBool() const { return get<bool>("Bool"); }
  int64_t toInt() const { return get<int64_t>("Int"); }
  int64_t toSymInt() const { return toInt(); }
  double toDouble() const { return get<double>("Double"); }
  const std::string &toStringRef() const { return get<std::string>("String"); }
  const Tensor &toTensor() const { return get<Tensor>("Tensor"); }
  std::vector<int64_t> toIntVector() const { return get<std::vector<int64_t>>("IntList"); }
  std::vector<double> toDoubleVector() const { return get<std::vector<double>>("DoubleList"); }
  std::vector<Tensor> toTensorVector() const { return get<std::vector<Tensor>>("TensorList"); }
  List<int64_t> toIntList() const { return toIntVector(); }
  List<double> toDoubleList() const { return toDoubleVector(); }
  List<Tensor> toTensorList() const { return toTensorVector(); }
  // A list of any of these, element by element: list[0].get().toInt().
  std::vector<IValueElement> toList() const;

 private:
  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(value_);
  }
  template <class T>
  const T &get(const char *wanted) const {
    const T *const found = std::get_if<T>(&value_);
    TORCH_CHECK(found, "Expected ", wanted, " but got ", tagKind());
    return *found;
  }
  std::variant<std::monostate, bool, int64_t, double, std::string, Tensor, std::vector<int64_t>, std::vector<double>,
               std::vector<Tensor>>
      value_;
};

struct IValueElement {
  IValue value;
  const IValue &get() const { return value; }
  operator const IValue &() const { return value; }
};
inline std::vector<IValueElement> IValue::toList() const {
  std::vector<IValueElement> list;
  const auto copy = [&](const auto &elements) {
    for (const auto &element : elements) list.push_back({IValue(element)});
  };
  if (isIntList())
    copy(toIntVector());
  else if (isDoubleList())
    copy(toDoubleVector());
  else
    copy(toTensorVector());
  return list;
}

}  // namespace torch
