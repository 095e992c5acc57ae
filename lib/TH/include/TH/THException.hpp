// What the default error handler throws. Header-only, so that link stubs need no C++ symbols.
#ifndef TH_EXCEPTION_HPP
#define TH_EXCEPTION_HPP

#include <exception>
#include <string>
#include <utility>
#include <TH/THGeneral.h>

namespace th {

class __attribute__((visibility("default"))) Exception : public std::exception {
 public:
  Exception(THErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  const char *what() const noexcept override { return message_.c_str(); }
  THErrorKind kind() const noexcept { return kind_; }

 private:
  THErrorKind kind_;
  std::string message_;
};

}  // namespace th

#endif
