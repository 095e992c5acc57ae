// Part of another store's keys.
#include <THD/Store.h>

namespace thd {
namespace {

class PrefixStore : public Store {
 public:
  PrefixStore(const std::string &prefix, StoreRef store)
      : Store(store->timeout()), prefix(prefix), store(std::move(store)) {}

  void set(const std::string &key, const Bytes &value) override { store->set(full(key), value); }
  Bytes get(const std::string &key) override { return store->get(full(key)); }
  int64_t add(const std::string &key, int64_t amount) override { return store->add(full(key), amount); }
  Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) override {
    return store->compare_set(full(key), expected, desired);
  }
  bool delete_key(const std::string &key) override { return store->delete_key(full(key)); }
  bool check(const Keys &keys) override { return store->check(full(keys)); }
  int64_t num_keys() override { return store->num_keys(); }  // of the whole, as PyTorch has it
  Keys list_keys() override {
    Keys mine;
    const std::string begin = full("");
    for (const std::string &key : store->list_keys())
      if (key.starts_with(begin)) mine.push_back(key.substr(begin.size()));
    return mine;
  }
  void append(const std::string &key, const Bytes &value) override { store->append(full(key), value); }
  void multi_set(const Keys &keys, const std::vector<Bytes> &values) override { store->multi_set(full(keys), values); }
  std::vector<Bytes> multi_get(const Keys &keys) override { return store->multi_get(full(keys)); }
  using Store::wait;
  void wait(const Keys &keys, Milliseconds timeout) override { store->wait(full(keys), timeout); }
  void queue_push(const std::string &key, const Bytes &value) override { store->queue_push(full(key), value); }
  Bytes queue_pop(const std::string &key, bool block) override { return store->queue_pop(full(key), block); }
  int64_t queue_len(const std::string &key) override { return store->queue_len(full(key)); }
  StoreRef clone() override { return prefix_store(prefix, store->clone()); }
  StoreRef hasty(Milliseconds timeout) override { return prefix_store(prefix, store->hasty(timeout)); }
  void set_timeout(Milliseconds timeout) override { store->set_timeout(timeout); }
  Milliseconds timeout() const override { return store->timeout(); }

  const std::string prefix;
  const StoreRef store;

 private:
  std::string full(const std::string &key) const { return prefix + "/" + key; }
  Keys full(Keys keys) const {
    for (std::string &key : keys) key = full(key);
    return keys;
  }
};

}  // namespace

StoreRef prefix_store(const std::string &prefix, StoreRef store) {
  if (!store) throw Error(ErrorKind::Value, "a prefix store stands on another store, and none was given");
  return std::make_shared<PrefixStore>(prefix, std::move(store));
}
StoreRef underlying_store(const StoreRef &store) {
  const auto *prefixed = dynamic_cast<const PrefixStore *>(store.get());
  return prefixed ? prefixed->store : nullptr;
}
std::string prefix_of(const StoreRef &store) {
  const auto *prefixed = dynamic_cast<const PrefixStore *>(store.get());
  return prefixed ? prefixed->prefix : "";
}

}  // namespace thd
