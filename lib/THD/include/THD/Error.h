// What goes wrong between processes. The text names whom it happened to: rank, operation, sizes, peer, address, key.
#pragma once

#include <stdexcept>
#include <string>

#ifndef THD_API
#define THD_API __attribute__((visibility("default")))
#endif

namespace thd {

enum class ErrorKind {
  Value,    // an argument
  Runtime,  // the state of a group or store: what was asked for cannot be done in it
  Network,  // an address, a connection
  Store,    // a store does not answer, or not in time
  Backend,  // a collective operation failed
  QueueEmpty,
};

class THD_API Error : public std::runtime_error {
 public:
  THD_API Error(ErrorKind kind, const std::string &text);
  THD_API ~Error() override;
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace thd
