// What the generated table of calls through modes is made of (codegen/emitters/function_rows.py).
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <THPP/DispatchMode.h>
#include <THPP/Operators.h>

namespace thpp {

// The row of a slot's function, or nullptr. Generated: DispatchMode.cpp.
extern const Operators kDispatch;

// The mode that the thread's calls ask, and those entered before it; nullptr: none.
struct EnteredMode {
  DispatchMode *mode;
  const EnteredMode *below;
};
extern constinit thread_local const EnteredMode *asked_mode;
std::vector<Tensor> ask_mode(size_t slot, std::span<const Argument> arguments,
                             const std::function<std::vector<Tensor>()> &run);
[[noreturn]] void wrong_count(size_t slot, size_t given, size_t wanted);

template <class T>
Argument argument(const T &value) {
  return Argument(std::in_place_type<T>, value);
}
inline Argument argument(const Tensor &value) { return &value; }
inline Argument argument(const Scalar &value) { return &value; }
template <class T>
Argument argument(const std::optional<T> &value) {
  return value ? argument(*value) : Argument();
}

// How results become a list, and a list results.
template <class R>
struct Results;
template <>
struct Results<Tensor> {
  static std::vector<Tensor> list(Tensor result) { return {std::move(result)}; }
  static Tensor of(size_t slot, std::vector<Tensor> list) {
    if (list.size() != 1) wrong_count(slot, list.size(), 1);
    return std::move(list[0]);
  }
};
template <>
struct Results<std::vector<Tensor>> {
  static std::vector<Tensor> list(std::vector<Tensor> results) { return results; }
  static std::vector<Tensor> of(size_t, std::vector<Tensor> list) { return list; }
};
template <class... T>
struct Results<std::tuple<T...>> {
  static std::vector<Tensor> list(const std::tuple<T...> &results) {
    return std::apply([](const auto &...result) { return std::vector<Tensor>{result...}; }, results);
  }
  static std::tuple<T...> of(size_t slot, std::vector<Tensor> list) {
    if (list.size() != sizeof...(T)) wrong_count(slot, list.size(), sizeof...(T));
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return std::tuple<T...>(std::move(list[i])...);
    }(std::make_index_sequence<sizeof...(T)>());
  }
};

// One body for all functions of a type: there are many more functions.
template <class R, class... A>
[[gnu::noinline]] R through(size_t slot, R (*f)(A...), A... given) {
  const std::array<Argument, sizeof...(A)> arguments{argument(given)...};
  if constexpr (std::is_reference_v<R>) {
    const Tensor &written = std::get<0>(std::tie(given...));
    ask_mode(slot, arguments, [&] {
      f(given...);
      return std::vector<Tensor>{written};
    });
    return written;
  } else {
    return Results<R>::of(slot, ask_mode(slot, arguments, [&] { return Results<R>::list(f(given...)); }));
  }
}

// Of the function f: what stands in the table.
template <size_t slot, auto f>
struct Through;
template <size_t slot, class R, class... A, R (*f)(A...)>
struct Through<slot, f> {
  static R call(A... given) { return through<R, A...>(slot, f, given...); }
};

}  // namespace thpp
