// Rows for methods and functions that are written by hand but bind like the generated ones.
#pragma once

#include <span>
#include <vector>

#include <torch_python/args.h>

namespace torch::python {

#define NATIVE_FLAGS (METH_FASTCALL | METH_KEYWORDS)

template <const Operator &op>
PyMethodDef method_row(const char *doc = nullptr) {
  return {op.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method<op>)), NATIVE_FLAGS, doc};
}
template <const Operator &op>
PyMethodDef function_row(const char *doc = nullptr) {
  return {op.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function<op>)), NATIVE_FLAGS, doc};
}

// An operator with one signature, called by a function of the same name with _call behind it.
#define NATIVE_OPERATOR(name, ...)                                             \
  static PyObject *name##_call(Args &args);                                    \
  static constexpr Param name##_params[] = {__VA_ARGS__};                      \
  static constexpr Signature name##_signatures[] = {                           \
      {name##_params, uint8_t(std::size(name##_params)), name##_call}};        \
  static constexpr Operator op_##name = {#name, name##_signatures, 1, kFunction | kMethod}

// The rows of all tables, and one that ends them. Raises SystemError with the names that have two rows: what is written
// by hand must not hide what is declared.
std::vector<PyMethodDef> joined(const char *owner, std::span<const PyMethodDef *const> tables);

constexpr Param kSelf = {"input", ArgType::Tensor, 0, nullptr};

}  // namespace torch::python
