// Keys and values that processes share: how they find each other, and agree on small things.
//
// A value is bytes. What waits, waits until the store's timeout, or the one that is given, and then raises
// ErrorKind::Store, naming the keys that did not come; nothing has been changed then. All functions may be called from
// several threads at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <THD/Error.h>

namespace thd {

using Milliseconds = std::chrono::milliseconds;
using Bytes = std::string;
using Keys = std::vector<std::string>;
inline constexpr Milliseconds kStoreTimeout{300'000};

class THD_API Store : public std::enable_shared_from_this<Store> {
 public:
  THD_API explicit Store(Milliseconds timeout = kStoreTimeout);
  THD_API virtual ~Store();
  Store(const Store &) = delete;

  virtual void set(const std::string &key, const Bytes &value) = 0;
  // Waits for the key.
  THD_API virtual Bytes get(const std::string &key);
  // Adds to a decimal number, 0 where there is none, and returns the sum. Raises if the value is no number.
  virtual int64_t add(const std::string &key, int64_t amount) = 0;
  // Sets the value if it is `expected`, or there is none and `expected` is empty. Returns what is there then; where
  // there is nothing, `expected`.
  virtual Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) = 0;
  // Whether it was there.
  virtual bool delete_key(const std::string &key) = 0;
  virtual bool check(const Keys &keys) = 0;  // whether all are there
  virtual int64_t num_keys() = 0;
  virtual Keys list_keys() = 0;
  virtual void append(const std::string &key, const Bytes &value) = 0;
  virtual void multi_set(const Keys &keys, const std::vector<Bytes> &values) = 0;
  THD_API virtual std::vector<Bytes> multi_get(const Keys &keys);  // waits for all
  THD_API void wait(const Keys &keys);  // for the store's timeout
  virtual void wait(const Keys &keys, Milliseconds timeout) = 0;

  // Queues, one a key: what was pushed first is popped first. A queue is no key of the others.
  virtual void queue_push(const std::string &key, const Bytes &value) = 0;
  // block: waits for a value; otherwise raises ErrorKind::QueueEmpty.
  virtual Bytes queue_pop(const std::string &key, bool block) = 0;
  virtual int64_t queue_len(const std::string &key) = 0;

  // Another one of the same keys, which is not in the way of this one.
  virtual std::shared_ptr<Store> clone() = 0;
  // One of the same keys that gives up on a server which does not answer after `timeout`. Itself, where none can be
  // away.
  THD_API virtual std::shared_ptr<Store> hasty(Milliseconds timeout);

  THD_API virtual void set_timeout(Milliseconds timeout);
  THD_API virtual Milliseconds timeout() const;

 private:
  std::atomic<Milliseconds> timeout_;
};
using StoreRef = std::shared_ptr<Store>;

// Of the threads of one process.
THD_API StoreRef hash_store();

// In a file, which all processes can open; fcntl's locks keep them apart. world_size > 0: the last of so many that lets
// go of it removes the file. Raises ErrorKind::Value if the path cannot be opened.
THD_API StoreRef file_store(const std::string &path, int world_size);

// All keys of `store` that begin with "<prefix>/", without that.
THD_API StoreRef prefix_store(const std::string &prefix, StoreRef store);
// What a prefix store stands on, and its prefix; nullptr and "" for others.
THD_API StoreRef underlying_store(const StoreRef &store);
THD_API std::string prefix_of(const StoreRef &store);

// Of one process, which the others reach at an address. Who is_master serves there, by one thread of its own, until the
// store is let go of; port 0: a free one. It listens on the addresses of `host` and no others. What arrives counts
// for nothing until it is whole, and ends its connection if it is none of the store's messages. set() and multi_set()
// return when what is set is on its way: the store's own next question finds it, whichever thread asks, and raises if
// it was lost; another store, told by other means, may ask a moment too early.
struct TCPStoreOptions {
  std::string host;
  uint16_t port = 0;
  bool is_master = false;
  int world_size = -1;           // with wait_for_workers: how many have to come; -1: nobody is waited for
  bool wait_for_workers = true;
  bool multi_tenant = false;     // several stores of one process share a server of one port
  int listen_fd = -1;            // is_master: a socket that listens already
  Milliseconds timeout = kStoreTimeout;
};
THD_API StoreRef tcp_store(const TCPStoreOptions &options);
THD_API uint16_t tcp_store_port(const StoreRef &store);      // 0: of another kind
THD_API std::string tcp_store_host(const StoreRef &store);

}  // namespace thd
