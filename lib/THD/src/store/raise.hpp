// What stores say when they cannot do what they were asked for.
#pragma once

#include <cerrno>
#include <cstring>

#include <THD/Store.h>

namespace thd {

// "'a', 'b', 'c' and 7 more"
inline std::string listed(const Keys &keys) {
  constexpr size_t kMost = 8;
  std::string text;
  for (size_t i = 0; i < std::min(keys.size(), kMost); ++i) text += (i ? ", '" : "'") + keys[i] + "'";
  if (keys.size() > kMost) text += " and " + std::to_string(keys.size() - kMost) + " more";
  return text;
}

[[noreturn]] inline void throw_timeout(Milliseconds timeout, const Keys &missing) {
  throw Error(ErrorKind::Store,
              "wait timeout after " + std::to_string(timeout.count()) + "ms, keys: " + listed(missing));
}
[[noreturn]] inline void throw_not_a_number(const std::string &key, int64_t amount) {
  throw Error(ErrorKind::Value, "store: " + std::to_string(amount) + " cannot be added to the value of '" + key +
                                    "': it is no number, or the sum has no room in 64 bits");
}
[[noreturn]] inline void throw_empty(const std::string &key) {
  throw Error(ErrorKind::QueueEmpty, "queue '" + key + "' is empty");
}
inline void check_pairs(const Keys &keys, const std::vector<Bytes> &values) {
  if (keys.size() != values.size())
    throw Error(ErrorKind::Store, "multi_set: " + std::to_string(keys.size()) + " keys and " +
                                      std::to_string(values.size()) + " values; each key takes one");
}
inline std::string system_error(int code) { return std::strerror(code); }

}  // namespace thd
