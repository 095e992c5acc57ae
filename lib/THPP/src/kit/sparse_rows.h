// What operators are of sparse tensors, which have rows of their own: the key `sparse` of declarations. A call with one among
// its tensors goes to its row before it is recorded: rows are made of operators that are.
#pragma once

#include <algorithm>
#include <bitset>
#include <initializer_list>
#include <tuple>

#include <THS/THS.h>

#include <THPP/Operators.h>
#include "backend.h"

namespace thpp {

// Generated: SparseRows.cpp.
extern const Operators kSparse;
struct SlotSet : std::bitset<sizeof(Operators) / sizeof(Untyped)> {
  SlotSet(std::initializer_list<size_t> slots) {
    for (size_t slot : slots) set(slot);
  }
};
extern const SlotSet kSparseParts;

// The row of a slot; nullptr: the body is to run. Raises where a sparse tensor has no such operator.
[[gnu::cold]] Untyped sparse_row(size_t slot);

namespace sparse {

// self with other values: f's result of those it has.
Tensor distinct(const Tensor &self);
void check_distinct(const Tensor &self);  // raises where that would be another tensor
Tensor values_of(const Tensor &self);
Tensor with_values(const Tensor &self, const Tensor &values);
// What in-place forms and those with out= do with a result; `written` counts as written, and has the result's history.
void assign(const Tensor &written, const Tensor &result);
void assign_in_place(const Tensor &written, const Tensor &result);  // of the same size
void check_unrecorded(const Tensor &out, const Tensor &result);  // raises where something is recorded
// What a tensor is that is to be written, as one that will not be, where that is recorded: the flags of all operands say so.
Tensor before_write(const Tensor &self, uint8_t flags);
// That one in the place of the tensor, wherever an argument is it.
inline const Tensor &instead(const Tensor &arg, const Tensor &self, const Tensor &before) {
  return arg.is_same(self) ? before : arg;
}
template <class A>
const A &instead(const A &arg, const Tensor &, const Tensor &) {
  return arg;
}

template <auto f, bool linear>
struct Values;
template <class... A, Tensor (*f)(const Tensor &, A...), bool linear>
struct Values<f, linear> {
  static Tensor call(const Tensor &self, A... rest) {
    const Tensor from = linear ? self : distinct(self);
    return with_values(from, f(values_of(from), rest...));
  }
};

template <auto f, bool linear>
struct ValuesInPlace;
template <class... A, const Tensor &(*f)(const Tensor &, A...), bool linear>
struct ValuesInPlace<f, linear> {
  static const Tensor &call(const Tensor &self, A... rest) {
    if (!linear) check_distinct(self);
    const Tensor from = before_write(self, flags_of(self, rest...));
    Tensor values = thpp::clone(values_of(from), MemoryFormat::Preserve);
    f(values, instead(rest, self, from)...);
    assign(self, with_values(from, values));
    return self;
  }
};

// The name of an operator, for messages.
template <size_t n>
struct Name {
  constexpr Name(const char (&name)[n]) { std::copy_n(name, n, text); }
  char text[n];
};

// What operators of two tensors, element by element, are made of. `apply` is the operator.
using Apply = Tensor (*)(const Tensor &, const Tensor &);
Tensor paired(const char *name, const Tensor &self, const Tensor &other, Apply apply);
// Raises unless f, applied to 0 of self's dtype, is 0.
void check_zero(const char *name, const Tensor &self, const Tensor &of_zero);
Tensor zero_like(const Tensor &self);  // of no dimensions

// An operator of values that may give something else than 0 where there are none, and is refused then.
template <auto f, Name name>
struct Zero;
template <class... A, Tensor (*f)(const Tensor &, A...), Name name>
struct Zero<f, name> {
  static Tensor call(const Tensor &self, A... rest) {
    check_zero(name.text, self, f(zero_like(self), rest...));
    const Tensor from = distinct(self);
    return with_values(from, f(values_of(from), rest...));
  }
};

// An operator of two tensors: sparse where both are, or the other one is a number, and it gives 0 of what is not there.
template <auto f, Name name>
struct Pair;
template <Tensor (*f)(const Tensor &, const Tensor &), Name name>
struct Pair<f, name> {
  static Tensor call(const Tensor &self, const Tensor &other) { return paired(name.text, self, other, f); }
};

template <auto f>
struct InPlace;
template <class... A, Tensor (*f)(const Tensor &, A...)>
struct InPlace<f> {
  static const Tensor &call(const Tensor &self, A... rest) {
    const Tensor before = before_write(self, flags_of(self, rest...));
    assign_in_place(self, f(before, instead(rest, self, before)...));
    return self;
  }
};

template <auto f>
struct Into;
inline void give(Tensor &out, const Tensor &result) {
  if (!out.defined()) {
    out = result;
    return;
  }
  check_unrecorded(out, result);
  assign(out, result);
}
template <class... A, Tensor (*f)(A...)>
struct Into<f> {
  static void call(Tensor &out, A... rest) { give(out, f(rest...)); }
};
template <class... R, class... A, std::tuple<R...> (*f)(A...)>
struct Into<f> {
  static void call(R &...outs, A... rest) {
    std::apply([&](const R &...results) { (give(outs, results), ...); }, f(rest...));
  }
};

}  // namespace sparse
}  // namespace thpp
