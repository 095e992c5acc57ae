// A store of the threads of one process.
#include <condition_variable>
#include <mutex>

#include "raise.hpp"
#include "table.hpp"

namespace thd {
namespace {

class HashStore : public Store {
  template <class F>
  auto reading(const F &f) {
    const std::lock_guard lock(mutex_);
    return f();
  }
  template <class F>
  auto changing(const F &f) {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
    return f(table_);
  }
  template <class F>
  auto waiting(const Keys &keys, Milliseconds timeout, const F &f) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, timeout, [&] { return table_.has_all(keys); })) {
      Keys missing;
      for (const std::string &key : keys)
        if (!table_.find(key)) missing.push_back(key);
      throw_timeout(timeout, missing);
    }
    return f(table_);
  }

 public:
  void set(const std::string &key, const Bytes &value) override {
    changing([&](Table &table) { table.value(key) = value; });
  }
  Bytes get(const std::string &key) override { return multi_get({key}).front(); }
  std::vector<Bytes> multi_get(const Keys &keys) override {
    return waiting(keys, timeout(), [&](Table &table) {
      std::vector<Bytes> values;
      for (const std::string &key : keys) values.push_back(*table.find(key));
      return values;
    });
  }
  int64_t add(const std::string &key, int64_t amount) override {
    return changing([&](Table &table) {
      const auto sum = table.add(key, amount);
      if (!sum) throw_not_a_number(key, amount);
      return *sum;
    });
  }
  Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) override {
    return changing([&](Table &table) { return table.compare_set(key, expected, desired).second; });
  }
  bool delete_key(const std::string &key) override {
    return changing([&](Table &table) { return table.erase(key); });
  }
  void append(const std::string &key, const Bytes &value) override {
    changing([&](Table &table) { table.value(key) += value; });
  }
  void multi_set(const Keys &keys, const std::vector<Bytes> &values) override {
    check_pairs(keys, values);
    changing([&](Table &table) {
      for (size_t i = 0; i < keys.size(); ++i) table.value(keys[i]) = values[i];
    });
  }
  bool check(const Keys &keys) override {
    return reading([&] { return table_.has_all(keys); });
  }
  int64_t num_keys() override {
    return reading([&] { return table_.size(); });
  }
  Keys list_keys() override {
    return reading([&] { return table_.keys(); });
  }
  using Store::wait;
  void wait(const Keys &keys, Milliseconds timeout) override {
    waiting(keys, timeout, [](Table &) {});
  }

  void queue_push(const std::string &key, const Bytes &value) override {
    changing([&](Table &table) { table.push(key, value); });
  }
  Bytes queue_pop(const std::string &key, bool block) override {
    std::unique_lock lock(mutex_);
    const Milliseconds limit = timeout();
    if (block && !changed_.wait_for(lock, limit, [&] { return table_.queue_len(key) > 0; }))
      throw_timeout(limit, {key});
    std::optional<Bytes> first = table_.pop(key);
    if (!first) throw_empty(key);
    return *std::move(first);
  }
  int64_t queue_len(const std::string &key) override {
    return reading([&] { return table_.queue_len(key); });
  }
  StoreRef clone() override { return shared_from_this(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Table table_;
};

}  // namespace

StoreRef hash_store() { return std::make_shared<HashStore>(); }

}  // namespace thd
