// What the generated calls are made of (codegen/emitters/python.py; nothing else includes this).
#pragma once

#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <torch_python/args.h>

#include <THPP/Functions.h>

// Rows of the generated tables: an operator by its signatures, and Python's row of it.
#define TORCH_OPERATOR(symbol, name, variants, ...)      \
  const Signature symbol##_signatures[] = {__VA_ARGS__}; \
  const Operator op_##symbol = {name, symbol##_signatures, std::size(symbol##_signatures), variants};
// The most frequent parameters.
#define TENSOR(name) {name, ArgType::Tensor, 0, nullptr}
#define OUT {"out", ArgType::Tensor, kOptional | kNullable | kKwargOnly, "None"}
#define TORCH_ROW(name, call) {name, _PyCFunction_CAST(call), METH_FASTCALL | METH_KEYWORDS, nullptr}

namespace torch::python {

using thpp::Tensor;

// How much work a call is, in elements, to decide whether to give up the interpreter's lock: that of its tensors, or of
// those that it makes.
inline double work(const Ints &sizes) {
  double n = 1;
  for (int64_t size : sizes) n *= double(size);
  return n;
}
inline double work(const std::vector<Tensor> &tensors) {
  double n = 0;
  for (const Tensor &tensor : tensors) n += work(tensor);
  return n;
}
inline double work(const std::optional<THDevice> &device) { return device && device->kind == TH_CUDA ? INFINITY : 0; }
template <class T>
double work(const T &) {
  return 0;
}

// f(arguments…) without the lock. The arguments have been read from Python when it is called.
template <class F, class... T>
auto free_run(F *f, const T &...arguments) -> decltype(f(arguments...)) {
  ReleaseGil free((work(arguments) + ... + 0));
  return f(arguments...);
}

// A new tensor, in pinned memory if parameter `at` asks for it.
PyObject *pinned(Args &a, int at, PyObject *made);  // tensor/construct.cpp

// Whether a resized out= is worth a warning: not where tensors are made of nothing, or drawn.
template <class... T>
constexpr bool kResizeWarns = ((std::is_same_v<T, Tensor> || std::is_same_v<T, std::vector<Tensor>>) || ...);
template <class... T>
  requires((std::is_same_v<T, THGenerator *> || ...))
constexpr bool kResizeWarns<T...> = false;

// The same into out=, which is parameter `at`.
template <class F, class... T>
PyObject *into(Args &a, int at, F *f, const T &...arguments) {
  Tensor out = a.tensor(at);
  const ResizeWatch watch(out);
  {
    ReleaseGil free((work(arguments) + ... + work(out)));
    f(out, arguments...);
  }
  if (kResizeWarns<T...>) watch.warn(out);
  return same(a.object(at));
}
// Into a tuple of tensors, the first parameters of f.
template <class>
constexpr size_t kParameters = 0;
template <class R, class... P>
constexpr size_t kParameters<R(P...)> = sizeof...(P);
template <class F, class... T>
PyObject *into_tuple(Args &a, int at, const char *op, std::initializer_list<const char *> names, F *f,
                     const T &...arguments) {
  std::vector<Tensor> out = a.tensors(at);
  if (out.size() != names.size())
    THError(TH_ERROR_TYPE, "%s(): out must be a tuple of %zu tensors, not %zu", op, names.size(), out.size());
  const std::vector<ResizeWatch> watches(out.begin(), out.end());
  {
    ReleaseGil free((work(arguments) + ... + work(out)));
    [&]<size_t... i>(std::index_sequence<i...>) {
      f(out[i]..., arguments...);
    }(std::make_index_sequence<kParameters<F> - sizeof...(T)>());
  }
  for (size_t i = 0; i < out.size(); ++i) watches[i].warn(out[i]);
  return same_named(op, names, a.object(at));
}

inline PyObject *wrap(const std::variant<Tensor, std::vector<Tensor>> &result) {
  return std::visit([](const auto &value) { return python::wrap(value); }, result);
}

}  // namespace torch::python
