// What all stores have in common.
#include <THD/Store.h>

namespace thd {

Error::Error(ErrorKind kind, const std::string &text) : std::runtime_error(text), kind_(kind) {}
Error::~Error() = default;

Store::Store(Milliseconds timeout) : timeout_(timeout) {}
Store::~Store() = default;

void Store::wait(const Keys &keys) { wait(keys, timeout()); }
std::shared_ptr<Store> Store::hasty(Milliseconds) { return shared_from_this(); }

Bytes Store::get(const std::string &key) { return multi_get({key}).front(); }

std::vector<Bytes> Store::multi_get(const Keys &keys) {
  std::vector<Bytes> values;
  for (const std::string &key : keys) values.push_back(get(key));
  return values;
}

void Store::set_timeout(Milliseconds timeout) {
  if (timeout < Milliseconds(1))
    throw Error(ErrorKind::Value,
                "a store's timeout must be at least 1ms, not " + std::to_string(timeout.count()) + "ms");
  timeout_ = timeout;
}
Milliseconds Store::timeout() const { return timeout_; }

}  // namespace thd
