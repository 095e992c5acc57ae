// A store that another process serves, or this one.
#include <algorithm>
#include <mutex>

#include "raise.hpp"
#include "sockets.hpp"
#include "tcp_protocol.hpp"
#include "tcp_server.hpp"

namespace thd {
namespace {

using namespace tcp;
using Clock = std::chrono::steady_clock;

// How much longer than the server a client waits, at most, for an answer that the server gives in time.
constexpr Milliseconds kGrace{5'000};

class TCPStore : public Store {
 public:
  explicit TCPStore(const TCPStoreOptions &options) : Store(options.timeout), host_(options.host), port_(options.port) {
    if (options.timeout < Milliseconds(1))
      throw Error(ErrorKind::Value,
                  "a store's timeout must be at least 1ms, not " + std::to_string(options.timeout.count()) + "ms");
    if (options.is_master) {
      server_ = serve(host_, port_, options.listen_fd, options.multi_tenant);
      port_ = tcp::port_of(*server_);
    } else if (port_ == 0) {
      throw Error(ErrorKind::Value, "port 0 means a free one, and so is for the store's master alone");
    }
    who_ = "the store at (" + host_ + ", " + std::to_string(port_) + ")";
    give_back(connect());
    if (options.wait_for_workers && options.world_size > 0) meet(options.world_size);
  }
  TCPStore(const TCPStore &other)
      : Store(other.timeout()), host_(other.host_), port_(other.port_), who_(other.who_), server_(other.server_) {}

  void set(const std::string &key, const Bytes &value) override {
    tell(start(Ask::Set).number(1).bytes(key).number(1).bytes(value));
  }
  Bytes get(const std::string &key) override { return multi_get({key}).front(); }
  std::vector<Bytes> multi_get(const Keys &keys) override {
    if (told_) {  // and a question that waits would keep others from what is set next
      try {
        return ask(start(Ask::Get).number(0).list(keys)).list();
      } catch (const Error &error) {
        if (error.kind() != ErrorKind::Store) throw;
      }
    }
    const Milliseconds limit = timeout();
    return ask(start(Ask::Get).number(limit.count()).list(keys), limit).list();
  }
  void multi_set(const Keys &keys, const std::vector<Bytes> &values) override {
    check_pairs(keys, values);
    tell(start(Ask::Set).list(keys).list(values));
  }
  int64_t add(const std::string &key, int64_t amount) override {
    try {
      return ask(start(Ask::Add).bytes(key).number(amount)).number();
    } catch (const NotANumber &) {
      throw_not_a_number(key, amount);
    }
  }
  Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) override {
    return ask(start(Ask::CompareSet).bytes(key).bytes(expected).bytes(desired)).bytes();
  }
  bool delete_key(const std::string &key) override { return ask(start(Ask::Delete).bytes(key)).number() != 0; }
  bool check(const Keys &keys) override { return ask(start(Ask::Check).list(keys)).number() != 0; }
  int64_t num_keys() override { return ask(start(Ask::Count)).number(); }
  Keys list_keys() override { return ask(start(Ask::List)).list(); }
  void append(const std::string &key, const Bytes &value) override { ask(start(Ask::Append).bytes(key).bytes(value)); }
  using Store::wait;
  void wait(const Keys &keys, Milliseconds timeout) override {
    ask(start(Ask::Wait).number(timeout.count()).list(keys), timeout);
  }
  void queue_push(const std::string &key, const Bytes &value) override {
    ask(start(Ask::Push).bytes(key).bytes(value));
  }
  Bytes queue_pop(const std::string &key, bool block) override {
    if (!block) return ask(start(Ask::TryPop).bytes(key)).bytes();
    const Milliseconds limit = timeout();
    return ask(start(Ask::Pop).number(limit.count()).bytes(key), limit).bytes();
  }
  int64_t queue_len(const std::string &key) override { return ask(start(Ask::QueueLength).bytes(key)).number(); }
  StoreRef clone() override { return std::make_shared<TCPStore>(*this); }
  StoreRef hasty(Milliseconds timeout) override {
    const auto other = std::make_shared<TCPStore>(*this);
    other->set_timeout(std::max(timeout, Milliseconds(1)));
    return other;
  }

  const std::string &host() const { return host_; }
  uint16_t port() const { return port_; }

 private:
  static inline const std::string kMeeting = kInternal + std::string("workers");
  struct NotANumber {};
  static Writer start(Ask ask) { return Writer(char(ask)); }
  const std::string &who() const { return who_; }

  // An answer's fields, whose text lives as long as it.
  class Reply {
   public:
    explicit Reply(std::string &&text) : text_(std::move(text)), reader_(text_) {}
    Reply(Reply &&) = delete;
    char letter() { return reader_.letter(); }
    int64_t number() { return reader_.number(); }
    std::string bytes() { return reader_.bytes(); }
    std::vector<std::string> list() { return reader_.list(); }

   private:
    std::string text_;
    Reader reader_;
  };

  // Every question has a connection to itself, so threads do not wait for each other.
  Descriptor connect() {
    const Clock::time_point deadline = Clock::now() + timeout();
    Descriptor made = connect_to(host_, port_, deadline, timeout());
    send_all(made.get(), std::string(reinterpret_cast<const char *>(&kHello), 8), deadline, who());
    uint64_t hello = 0;
    receive_all(made.get(), reinterpret_cast<char *>(&hello), 8, deadline, who());
    if (hello != kHello) throw Error(ErrorKind::Network, who() + " is none: something else answers there");
    return made;
  }
  Descriptor take() {
    const std::lock_guard lock(mutex_);
    if (owner_ != ::getpid()) {  // after a fork both processes would speak on one connection
      idle_.clear();
      owner_ = ::getpid();
    }
    if (idle_.empty()) return Descriptor();
    Descriptor last = std::move(idle_.back());
    idle_.pop_back();
    return last;
  }
  void give_back(Descriptor &&connection) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < 4) idle_.push_back(std::move(connection));
  }

  static std::string checked(Writer &question) {
    std::string message = std::move(question).message();
    if (message.size() - 8 > kLargest)
      throw Error(ErrorKind::Value, "a store takes messages of up to " + std::to_string(kLargest) + " bytes, not " +
                                        std::to_string(message.size() - 8));
    return message;
  }
  Clock::time_point deadline(Milliseconds waits = Milliseconds(0)) const {
    return Clock::now() + std::max(waits, timeout()) + std::min(kGrace, timeout());
  }

  // What is set is sent, on a connection of its own, and not answered: nobody waits for the server there. Whatever this
  // store is asked next comes after it (settle), whichever thread asks; a connection that ends delivers what it holds.
  void tell(Writer &question) {
    const std::string message = checked(question);
    const std::lock_guard lock(telling_);
    on_teller([&](const Descriptor &connection) {
      if (!told_) check_open(connection.get(), who());  // else an end is known by the last one or the next question
      send_all(connection.get(), message, deadline(), who());
      told_ = true;
    });
  }
  // A question that the server answers at once goes the same way.
  std::string answer_to_teller(const std::string &message) {
    std::string text;
    const std::lock_guard lock(telling_);
    on_teller([&](const Descriptor &connection) {
      text = exchange(connection, message, deadline());
      told_ = false;
    });
    return text;
  }
  void settle() {
    if (told_) answer_to_teller(checked(start(Ask::Check).list(Keys())));
  }
  std::string answer(const std::string &message, Milliseconds waits) {
    settle();
    const Clock::time_point deadline = this->deadline(waits);
    Descriptor connection = take();
    if (!connection) connection = connect();
    std::string text = exchange(connection, message, deadline);
    give_back(std::move(connection));
    return text;
  }
  // Where f fails the connection is gone, and what it was told was lost with it.
  template <class F>
  void on_teller(const F &f) {
    if (std::exchange(teller_owner_, ::getpid()) != ::getpid()) {  // after a fork it is the parent's
      teller_ = Descriptor();
      told_ = false;
    }
    Descriptor connection = std::move(teller_);
    try {
      if (!connection) {
        connection = connect();
        send_at_once(connection.get());
      }
      f(connection);
    } catch (...) {
      told_ = false;
      throw;
    }
    teller_ = std::move(connection);
  }

  std::string exchange(const Descriptor &connection, const std::string &message, Clock::time_point deadline) const {
    send_all(connection.get(), message, deadline, who());
    // Most answers are short, and come as one piece.
    char block[4096];
    size_t came = 0;
    while (came < 8) came += receive_some(connection.get(), block + came, sizeof block - came, deadline, who());
    uint64_t length = 0;
    std::memcpy(&length, block, 8);
    came -= 8;
    if (length == 0 || length > kLargest || length < came) throw Malformed();
    std::string text(length, '\0');
    std::memcpy(text.data(), block + 8, came);
    receive_all(connection.get(), text.data() + came, length - came, deadline, who());
    return text;
  }

  Reply ask(Writer &question, Milliseconds waits) { return ask(std::move(question), waits); }
  Reply ask(Writer &question) { return ask(std::move(question), Milliseconds(0)); }
  Reply ask(Writer &&question, Milliseconds waits = Milliseconds(0)) try {
    const std::string message = checked(question);
    std::string text = told_ && waits == Milliseconds(0) ? answer_to_teller(message) : answer(message, waits);
    Reader reader(text);
    switch (Answer(reader.letter())) {
      case Answer::Ok: break;
      case Answer::Timeout: throw_timeout(waits, reader.list());
      case Answer::NotANumber: throw NotANumber();
      case Answer::TooLarge:
        throw Error(ErrorKind::Value, "the values that are asked for are more than " + std::to_string(kLargest) +
                                          " bytes together, which no message holds");
      case Answer::Empty: throw Error(ErrorKind::QueueEmpty, "the queue is empty");
    }
    text.erase(0, 1);
    return Reply(std::move(text));
  } catch (const Malformed &) {
    throw Error(ErrorKind::Network, who() + " answers what no store does");
  }

  void meet(int world_size) {
    const int64_t came = add(kMeeting, 1);
    const Clock::time_point end = Clock::now() + timeout();
    // The last one to come says so.
    const std::string all = kMeeting + "/" + std::to_string(world_size);
    if (came == world_size) set(all, "");
    try {
      wait({all}, std::max(Milliseconds(1), std::chrono::ceil<Milliseconds>(end - Clock::now())));
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::Store) throw;
      throw Error(ErrorKind::Store, who() + ": " + get(kMeeting) + " of " + std::to_string(world_size) +
                                        " workers have come within " + std::to_string(timeout().count()) + "ms");
    }
  }

  const std::string host_;
  uint16_t port_;
  std::string who_;  // as messages name it
  std::shared_ptr<Server> server_;
  std::mutex mutex_;
  pid_t owner_ = ::getpid();
  std::vector<Descriptor> idle_;
  std::mutex telling_;
  pid_t teller_owner_ = ::getpid();
  Descriptor teller_;
  std::atomic<bool> told_{false};  // and nothing of that has been confirmed since
};

}  // namespace

StoreRef tcp_store(const TCPStoreOptions &options) { return std::make_shared<TCPStore>(options); }
uint16_t tcp_store_port(const StoreRef &store) {
  const auto *tcp = dynamic_cast<const TCPStore *>(store.get());
  return tcp ? tcp->port() : 0;
}
std::string tcp_store_host(const StoreRef &store) {
  const auto *tcp = dynamic_cast<const TCPStore *>(store.get());
  return tcp ? tcp->host() : "";
}

}  // namespace thd
