// A store in a file: a log of what was set and deleted, which each process reads from where it stopped.
//
// A record is: its length (8 bytes, of all that follows), a letter, the key's length (8 bytes), the key, the value. Who
// writes holds the lock of the whole file, so half a record at its end was left by a process that died; it is cut off.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "../kit/descriptor.hpp"
#include "raise.hpp"
#include "table.hpp"

namespace thd {
namespace {

using Clock = std::chrono::steady_clock;
constexpr char kSet = 's', kAppend = 'a', kDelete = 'd';
constexpr char kHolders[] = "\1holders";  // no user's key: those begin with kUser
constexpr char kUser = 'k';

template <class T>
void put(std::string &to, T value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

class FileStore : public Store {
  // Calls f with the file locked and all of it read. Locks of open files, not of processes: two stores of one process
  // are kept apart, too.
  template <class F>
  auto transaction(const F &f) {
    const std::lock_guard mine(mutex_);
    struct Locked {
      FileStore &store;
      explicit Locked(FileStore &store) : store(store) { store.lock(F_WRLCK); }
      ~Locked() { store.lock(F_UNLCK); }
    } locked(*this);
    read();
    return f();
  }
  Keys missing(const Keys &keys) const {
    Keys all;
    for (const std::string &key : keys)
      if (!table_.find(kUser + key)) all.push_back(key);
    return all;
  }
  // A file tells nobody when it grows, on every kind of file system: it is looked at, more and more seldom.
  template <class F>
  auto waiting(const Keys &keys, Milliseconds timeout, const F &f) {
    const Clock::time_point end = Clock::now() + timeout;
    for (Clock::duration pause = std::chrono::microseconds(100);;
         pause = std::min<Clock::duration>(2 * pause, Milliseconds(10))) {
      const Keys absent = transaction([&] { return missing(keys); });
      if (absent.empty())
        return transaction([&] {
          if (const Keys gone = missing(keys); !gone.empty()) throw_timeout(timeout, gone);
          return f();
        });
      if (Clock::now() >= end) throw_timeout(timeout, absent);
      std::this_thread::sleep_for(std::min<Clock::duration>(pause, end - Clock::now()));
    }
  }

 public:
  FileStore(const std::string &path, int world_size) : path_(path), world_size_(world_size) {
    file_ = opened();
    if (world_size_ > 0) transaction([&] { count(1); });
  }
  ~FileStore() override {
    if (world_size_ <= 0) return;
    try {
      transaction([&] {
        if (count(-1) == 0) ::unlink(path_.c_str());
      });
    } catch (...) {  // it cannot be read any more: whoever finds it will say so
    }
  }

  void set(const std::string &key, const Bytes &value) override {
    transaction([&] { write(kSet, kUser + key, value); });
  }
  Bytes get(const std::string &key) override {
    return waiting({key}, timeout(), [&] { return *table_.find(kUser + key); });
  }
  int64_t add(const std::string &key, int64_t amount) override {
    return transaction([&] { return add_to(kUser + key, key, amount); });
  }
  Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) override {
    return transaction([&] {
      const Bytes *value = table_.find(kUser + key);
      if (value ? *value != expected : !expected.empty()) return value ? *value : expected;
      write(kSet, kUser + key, desired);
      return desired;
    });
  }
  bool delete_key(const std::string &key) override {
    return transaction([&] {
      const bool there = table_.find(kUser + key) != nullptr;
      if (there) write(kDelete, kUser + key, "");
      return there;
    });
  }
  void append(const std::string &key, const Bytes &value) override {
    transaction([&] { write(kAppend, kUser + key, value); });
  }
  void multi_set(const Keys &keys, const std::vector<Bytes> &values) override {
    check_pairs(keys, values);
    transaction([&] {
      for (size_t i = 0; i < keys.size(); ++i) write(kSet, kUser + keys[i], values[i]);
    });
  }
  bool check(const Keys &keys) override {
    return transaction([&] { return missing(keys).empty(); });
  }
  Keys list_keys() override {
    return transaction([&] {
      Keys all;
      for (const std::string &key : table_.keys())
        if (key.front() == kUser) all.push_back(key.substr(1));
      return all;
    });
  }
  int64_t num_keys() override { return int64_t(list_keys().size()); }
  using Store::wait;
  void wait(const Keys &keys, Milliseconds timeout) override {
    waiting(keys, timeout, [] {});
  }
  void queue_push(const std::string &, const Bytes &) override { throw_no_queues(); }
  Bytes queue_pop(const std::string &, bool) override { throw_no_queues(); }
  int64_t queue_len(const std::string &) override { throw_no_queues(); }
  StoreRef clone() override { return shared_from_this(); }

 private:
  [[noreturn]] void throw_no_queues() { throw Error(ErrorKind::Runtime, "a store in a file has no queues: " + path_); }
  [[noreturn]] void throw_system(const char *what) {
    throw Error(ErrorKind::Store, std::string("store: ") + what + " " + path_ + ": " + system_error(errno));
  }
  Descriptor opened() {
    Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file) throw_system("cannot open");
    return file;
  }

  void lock(short kind) {
    struct flock whole{};
    whole.l_type = kind;
    whole.l_whence = SEEK_SET;
    while (::fcntl(file_.get(), F_OFD_SETLKW, &whole))
      if (errno != EINTR && kind != F_UNLCK) throw_system("cannot lock");
  }

  void read() {
    struct stat status;
    if (::fstat(file_.get(), &status)) throw_system("cannot look at");
    if (status.st_size < read_) throw Error(ErrorKind::Store, "store: " + path_ + " was made shorter by somebody else");
    std::string fresh(size_t(status.st_size - read_), '\0');
    for (size_t at = 0; at < fresh.size();) {
      const ssize_t n = ::pread(file_.get(), fresh.data() + at, fresh.size() - at, read_ + off_t(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw_system("cannot read");
      at += size_t(n);
    }
    size_t at = 0;
    while (fresh.size() - at >= 8) {
      uint64_t length, key_length;
      std::memcpy(&length, fresh.data() + at, 8);
      if (length > fresh.size() - at - 8) break;
      if (length < 9) throw Error(ErrorKind::Store, "store: " + path_ + " is no store's file");
      const char *record = fresh.data() + at + 8;
      std::memcpy(&key_length, record + 1, 8);
      if (key_length > length - 9) throw Error(ErrorKind::Store, "store: " + path_ + " is no store's file");
      apply(record[0], std::string(record + 9, key_length), Bytes(record + 9 + key_length, length - 9 - key_length));
      at += 8 + length;
    }
    if (at < fresh.size() && ::ftruncate(file_.get(), read_ + off_t(at))) throw_system("cannot mend");
    read_ += off_t(at);
  }
  void apply(char what, const std::string &key, const Bytes &value) {
    if (what == kSet)
      table_.value(key) = value;
    else if (what == kAppend)
      table_.value(key) += value;
    else if (what == kDelete)
      table_.erase(key);
    else
      throw Error(ErrorKind::Store, "store: " + path_ + " is no store's file");
  }
  void write(char what, const std::string &key, const Bytes &value) {
    std::string record;
    put(record, uint64_t(1 + 8 + key.size() + value.size()));
    record += what;
    put(record, uint64_t(key.size()));
    record += key + value;
    for (size_t at = 0; at < record.size();) {
      const ssize_t n = ::pwrite(file_.get(), record.data() + at, record.size() - at, read_ + off_t(at));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {  // a full disk: what came to be there is no record
        const int error = errno;
        if (::ftruncate(file_.get(), read_)) errno = error;
        errno = error;
        throw_system("cannot write");
      }
      at += size_t(n);
    }
    read_ += off_t(record.size());
    apply(what, key, value);
  }
  int64_t add_to(const std::string &full, const std::string &key, int64_t amount) {
    Table scratch;
    if (const Bytes *value = table_.find(full)) scratch.value(full) = *value;
    const auto sum = scratch.add(full, amount);
    if (!sum) throw_not_a_number(key, amount);
    write(kSet, full, std::to_string(*sum));
    return *sum;
  }
  int64_t count(int64_t amount) { return add_to(kHolders, kHolders, amount); }

  const std::string path_;
  const int world_size_;
  std::mutex mutex_;
  Descriptor file_;
  off_t read_ = 0;
  Table table_;
};

}  // namespace

StoreRef file_store(const std::string &path, int world_size) { return std::make_shared<FileStore>(path, world_size); }

}  // namespace thd
