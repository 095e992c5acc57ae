// What the generated table of calls that an observer is told of is made of (codegen/emitters/function_rows.py).
#pragma once

#include <THPP/Observer.h>

#include "dispatch_mode.h"

namespace thpp {

// The row of a slot's function. Generated: Observed.cpp.
extern const Operators kObserved;

// The slot of the innermost call that the thread's observer was told of. A call of the same function inside of it is what
// a recorder, a cast or a mode makes of it.
constexpr size_t kUnobserved = SIZE_MAX, kNoCall = SIZE_MAX - 1;
extern constinit thread_local size_t observed_call;

class Observation {
 public:
  template <class... A>
  explicit Observation(size_t slot, const A &...given) : to_(observer()), before_(observed_call) {
    if (to_->wants_arguments) {
      const std::array<Argument, sizeof...(A)> arguments{argument(given)...};
      begin(slot, arguments);
    } else {
      begin(slot, {});
    }
  }
  ~Observation();
  Observation(const Observation &) = delete;

 private:
  void begin(size_t slot, std::span<const Argument> arguments);

  Observer *const to_;
  const size_t before_;
  size_t begun_ = 0;
};

// One body for all functions of a type.
template <class R, class... A>
[[gnu::noinline]] R observed(size_t slot, R (*f)(A...), A... given) {
  const Observation now(slot, given...);
  return f(static_cast<A>(given)...);
}

// Of the function f: what stands in the table.
template <size_t slot, auto f>
struct Observed;
template <size_t slot, class R, class... A, R (*f)(A...)>
struct Observed<slot, f> {
  static R call(A... given) { return observed<R, A...>(slot, f, static_cast<A>(given)...); }
};

}  // namespace thpp
