// What a store's server and its clients send each other.
//
// A connection begins with kHello, both ways. Then the client asks and the server answers, one message each, but for
// Set, which has no answer. A message is its length (8 bytes) and so many bytes: a letter, and fields. A field is a
// number (8 bytes) or bytes after their length. Numbers are in the machine's order: hello differs between machines of
// two kinds.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include <THD/Store.h>

namespace thd::tcp {

inline constexpr uint64_t kHello = 0x32'65726f74'534854;  // "THStore2"
inline constexpr uint64_t kLargest = uint64_t(1) << 28;  // bytes of a message
inline constexpr char kInternal = '\1';  // begins keys that are not listed

enum class Ask : char {
  Set = 's',  // pairs
  Get = 'g',  // timeout, keys → values
  Wait = 'w',  // timeout, keys
  Add = '+',  // key, amount → sum
  CompareSet = 'c',  // key, expected, desired → value
  Delete = 'd',  // key → whether
  Check = '?',  // keys → whether
  Count = 'n',  // → number
  List = 'l',  // → keys
  Append = 'a',  // key, value
  Push = 'p',  // key, value
  Pop = 'q',  // timeout, key → value
  TryPop = 'Q',  // key → value
  QueueLength = 'L',  // key → number
};
enum class Answer : char { Ok = 'k', Timeout = 't', NotANumber = 'n', Empty = 'e', TooLarge = 'l' };

class Writer {
 public:
  explicit Writer(char letter) {
    text_.reserve(96);  // most messages are short
    text_.append(8, '\0') += letter;
  }
  Writer &number(int64_t value) {
    text_.append(reinterpret_cast<const char *>(&value), 8);
    return *this;
  }
  Writer &bytes(std::string_view value) {
    number(int64_t(value.size()));
    text_ += value;
    return *this;
  }
  template <class List>
  Writer &list(const List &values) {
    number(int64_t(values.size()));
    for (const auto &value : values) bytes(value);
    return *this;
  }
  std::string message() && {
    const uint64_t length = text_.size() - 8;
    std::memcpy(text_.data(), &length, 8);
    return std::move(text_);
  }

 private:
  std::string text_;
};

// Raises Malformed where the text ends before a field does.
struct Malformed {};
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}
  char letter() {
    if (left_.empty()) throw Malformed();
    const char first = left_.front();
    left_.remove_prefix(1);
    return first;
  }
  int64_t number() {
    if (left_.size() < 8) throw Malformed();
    int64_t value;
    std::memcpy(&value, left_.data(), 8);
    left_.remove_prefix(8);
    return value;
  }
  std::string bytes() {
    const uint64_t size = uint64_t(number());
    if (size > left_.size()) throw Malformed();
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }
  std::vector<std::string> list() {
    const uint64_t count = uint64_t(number());
    if (count > left_.size() / 8) throw Malformed();
    std::vector<std::string> values;
    values.reserve(std::min<uint64_t>(count, 1024));  // the rest as they come
    for (uint64_t i = 0; i < count; ++i) values.push_back(bytes());
    return values;
  }
  void end() const {
    if (!left_.empty()) throw Malformed();
  }

 private:
  std::string_view left_;
};

}  // namespace thd::tcp
