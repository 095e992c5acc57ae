// What every public function of an operator does before its body.
#pragma once

#include <atomic>
#include <cstddef>
#include <tuple>
#include <variant>
#include <vector>

#include <THPP/Guard.h>
#include <THPP/Inference.h>
#include <THPP/Meta.h>
#include "backend.h"

namespace thpp {

// ---- inference tensors are written in inference mode only -----------------------------------------------
[[gnu::cold]] void check_inference_write();
inline const Tensor &writable(const Tensor &t) {
  if (is_inference(t)) [[unlikely]]
    check_inference_write();
  return t;
}

// ---- versions: each call that writes counts one, or what its parts count -------------------------
// Of a tensor that a generated body writes. One that is not defined yet is the call's own, and begins at 0.
class WriteOfKernel {
 public:
  explicit WriteOfKernel(const Tensor &t) : tensor_(writable(t)), given_(t.defined()) {}
  void count() const {
    if (given_) tensor_.bump_version();
  }

 private:
  const Tensor &tensor_;
  bool given_;
};

// The same of a body written by hand. The operators that it is made of count their own writes: what they have counted
// may have been remembered since, and stays.
class WriteOfParts {
 public:
  explicit WriteOfParts(const Tensor &t) : tensor_(writable(t)), at_(t.defined() ? TH_versionOf(t.get()) : nullptr) {
    if (at_) before_ = t.version();
  }
  void count() const {
    if (at_ && (TH_versionOf(tensor_.get()) != at_ || tensor_.version() == before_)) tensor_.bump_version();
  }

 private:
  const Tensor &tensor_;
  const uint32_t *at_;
  uint32_t before_ = 0;
};

// Of a body that may leave its result as it was: parts count, where they write.
struct WriteOfNone {
  explicit WriteOfNone(const Tensor &) {}
  void count() const {}
};

// A new result is at version 0, however often its parts were written, if nobody can know of them; and no view of one of
// them.
inline void reset_new_result(uint8_t flags, const Tensor &result) {
  const THTensor *t = result.get();
  if (t && t->meta) [[unlikely]]
    forget_base({&result, 1});
  const auto single = [](const int32_t &count) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE) == 1; };
  if (t && !(flags & TH_GUARDED) && single(t->refcount) && single(t->storage->refcount)) *TH_versionOf(t) = 0;
}
inline void reset_new_result(uint8_t flags, TensorList results) {
  forget_base(results);
  for (const Tensor &result : results) reset_new_result(flags, result);
}
template <class... T>
void reset_new_result(uint8_t flags, const std::tuple<T...> &results) {
  std::apply([&](const auto &...result) { (reset_new_result(flags, result), ...); }, results);
}
template <class... T>
void reset_new_result(uint8_t flags, const std::variant<T...> &results) {
  std::visit([&](const auto &result) { reset_new_result(flags, result); }, results);
}

// ---- the functions ----------------------------------------------------------------------------------------
extern const Op kOperators[];  // generated, in the order of the slots

// Whom to call instead of the body of the function with this slot, for arguments with these flags; nullptr: nobody.
// Raises if the operator cannot do what its tensors ask for.
[[gnu::cold]] Untyped intercept(size_t slot, uint8_t flags);

// TH_GUARDED while a thread of the process is inside torch.autocast or a mode (THPP/DispatchMode.h): then calls intercept
// whatever their tensors say. Hidden, so that looking at it is one instruction.
extern constinit std::atomic<uint8_t> guarded_by_threads;
void count_guarding(int more);
inline bool is_guarded(uint8_t flags) {
  return (flags | guarded_by_threads.load(std::memory_order_relaxed)) & TH_GUARDED;
}

// Whether operators that are called now are recorded where their tensors, with these flags, ask for it.
[[gnu::cold]] bool is_recording();
inline bool records(uint8_t flags) { return (flags & TH_RECORDED) && is_recording(); }

#define GUARD(slot, ...)                                                         \
  [[maybe_unused]] const uint8_t flags = flags_of(__VA_ARGS__);                   \
  if (is_guarded(flags)) [[unlikely]]                                             \
    if (const Untyped f = intercept(offsetof(Operators, slot) / sizeof(void *), flags)) \
  return reinterpret_cast<decltype(Operators::slot)>(f)(__VA_ARGS__)

// The same of a form that is given its results. Where none is there yet, it makes them as the functional form does, and
// that is what is recorded.
#define GUARD_OUT(slot, missing, make, ...)                                      \
  [[maybe_unused]] const uint8_t flags = flags_of(__VA_ARGS__);                   \
  if (is_guarded(flags)) [[unlikely]] {                                           \
    if (missing) return void(make);                                              \
    if (const Untyped f = intercept(offsetof(Operators, slot) / sizeof(void *), flags)) \
      return reinterpret_cast<decltype(Operators::slot)>(f)(__VA_ARGS__);        \
  }

#define BARE(...) __VA_ARGS__
// What differs by whose body it is.
#define RUN_GENERATED(name, ...) body::name(flags __VA_OPT__(, ) __VA_ARGS__)
#define RUN_BY_HAND(name, ...) body::name(__VA_ARGS__)
#define WRITE_GENERATED WriteOfKernel
#define WRITE_BY_HAND WriteOfParts
#define BEGIN_GENERATED(result)
// A generated body that calls a composition of operators where there is no kernel.
#define RUN_WITH_FALLBACK RUN_GENERATED
#define WRITE_WITH_FALLBACK WriteOfParts
#define BEGIN_WITH_FALLBACK(result) reset_new_result(flags, result)
#define BEGIN_BY_HAND(result) reset_new_result(flags, result)
// `writes: none` of a declaration with results.
#define RUN_UNCOUNTED RUN_BY_HAND
#define WRITE_UNCOUNTED WriteOfNone
#define BEGIN_UNCOUNTED BEGIN_BY_HAND

// In a generated body: the kernel, for what is t there; or else `result`, which a fallback computes. That is called as well
// where its parts are to be `recorded`.
#define FALL_BACK(table, on, t, recorded, more, judged, result) \
  const auto kernel = table.find(on, t);                        \
  if (!kernel || recorded) [[unlikely]] {                       \
    table.require(on, t, more);                                 \
    judged;                                                     \
    return result;                                              \
  }
// What the kernel's prepare half refuses is refused there, too: the CPU's is called with tensors of the meta device.
#define JUDGE(table, t, arguments) \
  if (const auto judge = kernel ? nullptr : table.cpu[t]) judge arguments

// Functions without outputs. Result and parameters stand in parentheses.
#define PLAIN(by, result, name, slot, parameters, ...) \
  BARE result name parameters {                        \
    GUARD(slot, __VA_ARGS__);                          \
    return RUN_##by(name, __VA_ARGS__);                \
  }
#define MAKES(by, result, name, slot, parameters, ...) \
  BARE result name parameters {                        \
    GUARD(slot, __VA_ARGS__);                          \
    BARE result made = RUN_##by(name, __VA_ARGS__);    \
    BEGIN_##by(made);                                  \
    return made;                                       \
  }
// A view of the argument `of`.
#define VIEWS(by, of, result, name, slot, parameters, ...) \
  BARE result name parameters {                            \
    GUARD(slot, __VA_ARGS__);                              \
    BARE result made = RUN_##by(name, __VA_ARGS__);        \
    link_view(made, of);                                   \
    return made;                                           \
  }
#define WRITES(by, written, result, name, slot, parameters, ...) \
  BARE result name parameters {                                  \
    GUARD(slot, __VA_ARGS__);                                    \
    const WRITE_##by write(written);                             \
    RUN_##by(name, __VA_ARGS__);                                 \
    write.count();                                               \
    return static_cast<BARE result>(written);                    \
  }
// The forms of an operator with one output, whose body is name_out.
#define FORMS(by, name, slot, parameters, ...)           \
  Tensor name parameters {                               \
    GUARD(slot, __VA_ARGS__);                            \
    Tensor result;                                       \
    RUN_##by(name##_out, result, __VA_ARGS__);           \
    BEGIN_##by(result);                                  \
    return result;                                       \
  }                                                      \
  void name##_out(Tensor &result, BARE parameters) {     \
    GUARD_OUT(slot##_out, !result.defined(), result = thpp::name(__VA_ARGS__), result, __VA_ARGS__); \
    const WRITE_##by write(result);                      \
    RUN_##by(name##_out, result, __VA_ARGS__);           \
    write.count();                                       \
  }
#define FORMS_AND_IN_PLACE(by, name, slot, parameters, ...) \
  FORMS(by, name, slot, parameters, __VA_ARGS__)            \
  const Tensor &name##_ parameters {                        \
    GUARD(slot##_, __VA_ARGS__);                            \
    const WRITE_##by write(self);                           \
    RUN_##by(name##_out, in_place(self), __VA_ARGS__);      \
    write.count();                                          \
    return self;                                            \
  }

}  // namespace thpp
