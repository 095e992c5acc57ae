// What every public function of an operator does before its body.
#pragma once

#include <cstddef>

#include <THPP/Guard.h>
#include "backend.h"

namespace thpp {

template <class... T>
bool is_guarded(const T &...arguments) {
  return (0 | ... | flags(arguments)) & TH_GUARDED;
}

extern const Op kOperators[];  // generated, in the order of the slots

// Whom to call instead of the body of the function with this slot; nullptr: nobody. Raises if the operator cannot do
// what its tensors ask for.
[[gnu::cold]] Untyped intercept(size_t slot);

#define GUARD(slot, ...)                                                               \
  if (is_guarded(__VA_ARGS__)) [[unlikely]]                                            \
    if (const Untyped f = intercept(offsetof(Operators, slot) / sizeof(void *)))       \
  return reinterpret_cast<decltype(Operators::slot)>(f)(__VA_ARGS__)

#define BARE(...) __VA_ARGS__
// A function without outputs. Result and parameters stand in parentheses.
#define PLAIN(result, name, slot, parameters, ...) \
  BARE result name parameters {                    \
    GUARD(slot, __VA_ARGS__);                      \
    return body::name(__VA_ARGS__);                \
  }
// The forms of an operator with one output, whose body is name_out.
#define FORMS(name, slot, parameters, ...)              \
  Tensor name parameters {                              \
    GUARD(slot, __VA_ARGS__);                           \
    Tensor result;                                      \
    body::name##_out(result, __VA_ARGS__);              \
    return result;                                      \
  }                                                     \
  void name##_out(Tensor &result, BARE parameters) {    \
    GUARD(slot##_out, result, __VA_ARGS__);             \
    body::name##_out(result, __VA_ARGS__);              \
  }
#define FORMS_AND_IN_PLACE(name, slot, parameters, ...) \
  FORMS(name, slot, parameters, __VA_ARGS__)            \
  const Tensor &name##_ parameters {                    \
    GUARD(slot##_, __VA_ARGS__);                        \
    body::name##_out(in_place(self), __VA_ARGS__);      \
    return self;                                        \
  }

}  // namespace thpp
