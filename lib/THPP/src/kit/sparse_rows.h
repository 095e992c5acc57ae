// What operators are of sparse tensors, which have rows of their own: the key `sparse` of declarations. A call with one among
// its tensors goes to its row before it is recorded: rows are made of operators that are.
#pragma once

#include <bitset>
#include <initializer_list>

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
Tensor values_of(const Tensor &self);
Tensor with_values(const Tensor &self, const Tensor &values);
// What in-place forms and those with out= do with a result; `written` counts as written.
void assign(const Tensor &written, const Tensor &result);

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
    const Tensor from = linear ? self : distinct(self);
    Tensor values = thpp::clone(values_of(from), MemoryFormat::Preserve);
    f(values, rest...);
    assign(self, with_values(from, values));
    return self;
  }
};

template <auto f>
struct InPlace;
template <class... A, Tensor (*f)(const Tensor &, A...)>
struct InPlace<f> {
  static const Tensor &call(const Tensor &self, A... rest) {
    assign(self, f(self, rest...));
    return self;
  }
};

template <auto f>
struct Into;
template <class... A, Tensor (*f)(A...)>
struct Into<f> {
  static void call(Tensor &out, A... rest) {
    const Tensor result = f(rest...);
    if (out.defined())
      assign(out, result);
    else
      out = result;
  }
};

}  // namespace sparse
}  // namespace thpp
