// TORCH_CHECK(condition, parts...): an error with a message made of the parts, a RuntimeError in Python.
// The other macros pick another of Python's types. What is thrown is th::Exception, as from torch itself.
#pragma once

#if __cplusplus < 202002L
#error "torch's headers are C++20: compile with -std=c++20 (do not pass another -std)"
#endif

#include <cassert>  // files that include these take it for granted
#include <sstream>
#include <string>

#include <TH/THException.hpp>

namespace torch {

using Error = th::Exception;

namespace detail {

template <class... Parts>
std::string text(const Parts &...parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

template <class... Parts>
[[noreturn]] void fail(THErrorKind kind, const char *condition, const Parts &...parts) {
  if constexpr (sizeof...(parts) == 0)
    throw Error(kind, text("Expected ", condition, " to be true, but got false."));
  else
    throw Error(kind, text(parts...));
}

}  // namespace detail
}  // namespace torch

#define TORCH_CHECK_KIND(kind, condition, ...)                                            \
  do {                                                                                    \
    if (!(condition)) [[unlikely]]                                                        \
      ::torch::detail::fail(kind, #condition __VA_OPT__(, ) __VA_ARGS__);                 \
  } while (false)
#define TORCH_CHECK(condition, ...) TORCH_CHECK_KIND(TH_ERROR_RUNTIME, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK_KIND(TH_ERROR_INDEX, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK_KIND(TH_ERROR_VALUE, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK_KIND(TH_ERROR_TYPE, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) \
  TORCH_CHECK_KIND(TH_ERROR_NOT_IMPLEMENTED, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
// The names of 2018.
#define AT_CHECK TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_ASSERT TORCH_CHECK
#define AT_ERROR(...) ::torch::detail::fail(TH_ERROR_RUNTIME, "" __VA_OPT__(, ) __VA_ARGS__)
