// What the recorders that codegen writes have in common. A generated node of an operator f(self, dim, …) has
//
//     Inputs                    the positions of the arguments that have edges, in the edges' order
//     save(old, self, dim, …)   keeps what formulas need of the arguments
//     save_results(result)      and of the results, where they need them
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include <autograd/info.h>
#include <autograd/record.h>

namespace torch::autograd {

const thpp::Operators &recorders();  // generated

// ---- what nodes keep of arguments that are no tensors ------------------------------------------
class SavedString {
 public:
  SavedString() = default;
  SavedString(const char *text) : text_(text ? std::optional<std::string>(text) : std::nullopt) {}
  operator const char *() const { return text_ ? text_->c_str() : nullptr; }

 private:
  std::optional<std::string> text_;
};
struct SavedScalar : thpp::Scalar {
  SavedScalar() : Scalar(0) {}
  SavedScalar(const Scalar &value) : Scalar(value) {}
};
template <class T>
struct SavedValues : std::vector<T> {
  SavedValues() = default;
  SavedValues(thpp::List<T> list) : std::vector<T>(list.begin(), list.end()) {
    // A list that was given and is empty has an address, which tells it from one that was not given.
    if (list.data() && list.empty()) this->reserve(1);
  }
};

template <class T>
struct SavedAs {
  using type = T;
};
template <>
struct SavedAs<const char *> {
  using type = SavedString;
};
template <>
struct SavedAs<thpp::Scalar> {
  using type = SavedScalar;
};
template <class T>
struct SavedAs<thpp::List<T>> {
  using type = SavedValues<T>;
};
template <class T>
using SavedAttribute = typename SavedAs<T>::type;

// A copy of the tensor that a call is about to write; others as they are. What names of nodes depend on, too.
struct SnapshotOfWritten {
  const Tensor *written = nullptr;
  const Tensor *result = nullptr;  // of a call that gives one tensor
  bool shared_by_result(const Tensor &t) const { return result && result->get()->storage == t.get()->storage; }
  Tensor operator()(const Tensor &t) const { return written && written->is_same(t) ? thpp::clone(t) : t; }
  thpp::TensorList operator()(thpp::TensorList tensors) const { return tensors; }
};

inline const Tensor *only_result(const Tensor &made) { return &made; }
inline const Tensor *only_result(const auto &) { return nullptr; }

// Of an argument that has no formula.
inline void throw_derivative(const char *name, const auto &tensors) {
  if (wants(tensors)) THError(TH_ERROR_NOT_IMPLEMENTED, "the derivative for '%s' is not implemented", name);
}

// ---- a node's list of what it keeps ---------------------------------------------------------------
// The list stands in each generated node as EACH_SAVED(T_(self) I_(other) V_(dim)): tensors, shapes and values.
#define EACH_SAVED(...)              \
  template <class Visit>             \
  void saved(const Visit &visit) {   \
    __VA_ARGS__                      \
  }
#define T_(name) visit(#name, name##_);
#define I_(name) visit(#name, name##_info);
#define V_(name) visit(#name, name);

struct ReleaseSaved {
  void operator()(const char *, Saved &saved) const { saved.release(); }
  void operator()(const char *, SavedList &saved) const { saved.release(); }
  void operator()(const char *, const auto &) const {}
};

struct ShowSaved {
  SavedVisitor &to;
  void operator()(const char *name, Saved &saved) const { to.tensor(name, saved); }
  void operator()(const char *name, SavedList &saved) const { to.list(name, saved.each(), saved.released()); }
  void operator()(const char *name, const TensorInfo &info) const { to.info(name, info); }
  void operator()(const char *, const std::vector<TensorInfo> &) const {}  // no name of theirs is agreed
  void operator()(const char *name, const SavedString &text) const {
    const char *const chars = text;
    to.value(name, chars ? SavedValue(std::string(chars)) : SavedValue());
  }
  void operator()(const char *name, const SavedScalar &number) const {
    to.value(name, static_cast<const thpp::Scalar &>(number));
  }
  template <class E>
  void operator()(const char *name, const SavedValues<E> &list) const {
    to.value(name, list.data() ? SavedValue(std::vector<E>(list)) : SavedValue());
  }
  template <class E>
  void operator()(const char *name, const std::optional<E> &value) const {
    to.value(name, value ? SavedValue(*value) : SavedValue());
  }
  template <class E>
    requires std::is_arithmetic_v<E>
  void operator()(const char *name, const E &value) const {
    if constexpr (std::is_same_v<E, bool> || std::is_floating_point_v<E>)
      to.value(name, value);
    else
      to.value(name, int64_t(value));
  }
};

// What generated nodes derive from.
template <class N>
struct Recorded : Node {
  void release_saved() final { self().saved(ReleaseSaved{}); }
  void each_saved(SavedVisitor &visitor) final { self().saved(ShowSaved{visitor}); }

 private:
  N &self() { return static_cast<N &>(*this); }
};

// ---- in apply() -----------------------------------------------------------------------------------
inline bool needs_any(const Node &node, size_t first, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (node.needs(first + i)) return true;
  return false;
}
inline std::vector<bool> needs_each(const Node &node, size_t first, size_t n) {
  std::vector<bool> each(n);
  for (size_t i = 0; i < n; ++i) each[i] = node.needs(first + i);
  return each;
}
inline void put(Grads &out, std::initializer_list<size_t> places, Grads &&made) {
  auto from = made.begin();
  for (const size_t place : places)
    if (from != made.end()) out[place] = std::move(*from++);
}
inline void put(Grads &out, size_t first, size_t n, Grads &&made) {
  std::move(made.begin(), made.begin() + std::min(n, made.size()), out.begin() + first);
}

// ---- recorders ------------------------------------------------------------------------------------
inline void record_results(const Tensor &result, const Ref<Node> &node) { record(result, node); }
inline void record_results(const std::vector<Tensor> &results, const Ref<Node> &node) { record(results, node); }
template <class... T>
void record_results(const std::tuple<T...> &results, const Ref<Node> &node) {
  std::apply([&](const auto &...result) { (record(result, node), ...); }, results);
}

template <class N>
void save_results(const Ref<N> &node, const auto &results) {
  if constexpr (requires { node->save_results(results); }) node->save_results(results);
}

// The node of a call with these arguments and its edges; null where there is nothing to record.
template <class N, size_t... i>
Ref<N> begin_node(std::index_sequence<i...>, const auto &arguments) {
  if (!wants_recording(std::get<i>(arguments)...)) return {};
  return make<N>(std::get<i>(arguments)...);
}

template <class N, auto body>
struct Functional;
template <class N, class R, class... P, R (*body)(P...)>
struct Functional<N, body> {
  static R call(P... p) {
    const Ref<N> node = begin_node<N>(typename N::Inputs(), std::tie(p...));
    R made = unrecorded([&] { return body(p...); });
    if (node) {
      // Now that it is there: some arguments are tensors without elements that the call fills for the backward pass, and
      // hooks that pack what is saved want to see them.
      node->save(SnapshotOfWritten{nullptr, only_result(made)}, p...);
      record_results(made, node);
      save_results(node, made);
    }
    return made;
  }
};

// Of a form that writes argument `at`, which is the node's first edge, or (`reshapes`) changes only how its elements lie.
template <class N, size_t at, auto body, bool reshapes>
struct Writing;
template <class N, size_t at, class R, class... P, R (*body)(P...), bool reshapes>
struct Writing<N, at, body, reshapes> {
  static R call(P... p) {
    const auto arguments = std::tie(p...);
    const Tensor &written = std::get<at>(arguments);
    const Ref<N> node = begin_node<N>(typename N::Inputs(), arguments);
    check_write(written, bool(node));
    if (node) node->save(SnapshotOfWritten{&written, nullptr}, p...);
    unrecorded([&] { body(p...); });
    // A view is another view of its base then, which is looked up when it is wanted: the version has changed.
    if (!reshapes || !is_view(written)) record_written(written, node);
    if (node) save_results(node, written);
    return static_cast<R>(written);
  }
};

// Of one that has no derivative: what was there before is gone, and has a gradient of zeros.
struct Overwritten final : Node {
  const char *called = nullptr;
  const char *name() const override { return called; }
  Grads apply(Grads &&grads) override { return {thpp::zeros_like(grads[0])}; }
};
// A text that is a template's argument.
template <size_t n>
struct Name {
  char text[n];
  constexpr Name(const char (&from)[n]) { std::copy_n(from, n, text); }
};
template <Name name, size_t at, auto body>
struct Overwriting;
template <Name name, size_t at, class R, class... P, R (*body)(P...)>
struct Overwriting<name, at, body> {
  static R call(P... p) {
    const Tensor &written = std::get<at>(std::tie(p...));
    Ref<Overwritten> node;
    if (wants_recording(written)) {
      node = make<Overwritten>(written);
      node->called = name.text;
    }
    check_write(written, bool(node));
    unrecorded([&] { body(p...); });
    record_written(written, node);
    return static_cast<R>(written);
  }
};

// Lines of the table. The slot tells which of several functions with a name is meant.
#define UNRECORDED_CALL(slot, function) static_cast<decltype(thpp::Operators::slot)>(thpp::function)
#define RECORD(node, slot, function) table.slot = Functional<node, UNRECORDED_CALL(slot, function)>::call
#define RECORD_WRITE(node, slot, function, at) table.slot = Writing<node, at, UNRECORDED_CALL(slot, function), false>::call
#define RECORD_RESHAPE(node, slot, function, at) table.slot = Writing<node, at, UNRECORDED_CALL(slot, function), true>::call
#define RECORD_OVERWRITE(name, slot, function, at) table.slot = Overwriting<name, at, UNRECORDED_CALL(slot, function)>::call

}  // namespace torch::autograd
