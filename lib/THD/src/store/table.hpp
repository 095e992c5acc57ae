// What a store holds, in the memory of one process. Nothing here waits or locks.
#pragma once

#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <string_view>

#include <THD/Store.h>

namespace thd {

class Table {
 public:
  const Bytes *find(std::string_view key) const {
    const auto at = values_.find(key);
    return at == values_.end() ? nullptr : &at->second;
  }
  bool has_all(const Keys &keys) const {
    for (const std::string &key : keys)
      if (!values_.contains(key)) return false;
    return true;
  }
  Bytes &value(const std::string &key) { return values_[key]; }
  bool erase(const std::string &key) { return values_.erase(key) != 0; }
  int64_t size() const { return int64_t(values_.size()); }
  Keys keys() const {
    Keys all;
    for (const auto &[key, value] : values_) all.push_back(key);
    return all;
  }

  // The sum, if the value is a number that has room for it.
  std::optional<int64_t> add(const std::string &key, int64_t amount) {
    int64_t sum = 0;
    if (const Bytes *value = find(key)) {
      const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), sum);
      if (error != std::errc() || end != value->data() + value->size()) return {};
    }
    if (__builtin_add_overflow(sum, amount, &sum)) return {};
    values_[key] = std::to_string(sum);
    return sum;
  }
  // Whether it was set, and what is there then.
  std::pair<bool, Bytes> compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) {
    const Bytes *value = find(key);
    if (value ? *value != expected : !expected.empty()) return {false, value ? *value : expected};
    values_[key] = desired;
    return {true, desired};
  }

  void push(const std::string &key, const Bytes &value) { queues_[key].push_back(value); }
  std::optional<Bytes> pop(const std::string &key) {
    const auto at = queues_.find(key);
    if (at == queues_.end()) return {};
    Bytes first = std::move(at->second.front());
    at->second.pop_front();
    if (at->second.empty()) queues_.erase(at);
    return first;
  }
  int64_t queue_len(const std::string &key) const {
    const auto at = queues_.find(key);
    return at == queues_.end() ? 0 : int64_t(at->second.size());
  }

 private:
  std::map<std::string, Bytes, std::less<>> values_;
  std::map<std::string, std::deque<Bytes>, std::less<>> queues_;  // none is empty
};

}  // namespace thd
