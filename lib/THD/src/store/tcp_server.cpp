#include "tcp_server.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "../kit/descriptor.hpp"
#include "raise.hpp"
#include "sockets.hpp"
#include "table.hpp"
#include "tcp_protocol.hpp"

namespace thd::tcp {
namespace {

using Clock = std::chrono::steady_clock;

// Who waits for keys, or for something in a queue.
struct Waiting {
  Ask ask;
  Keys keys;
  Clock::time_point deadline;
};
struct Connection {
  Descriptor socket;
  bool greeted = false;
  std::string in, out;
  size_t sent = 0;  // of out
  std::unique_ptr<Waiting> waiting;
  uint32_t events = EPOLLIN | EPOLLRDHUP;
  Clock::time_point deadline = Clock::time_point::max();  // of what it waits for, or of its greeting
};

constexpr auto kToGreet = std::chrono::seconds(30);  // and who has said nothing by then is no client
constexpr auto kNoRoom = Milliseconds(100);          // between looks for a free descriptor
constexpr size_t kUnsent = 1 << 16;                  // answers that nobody reads; no more questions then
constexpr size_t kKept = 1 << 16;                    // of a buffer that is empty

}  // namespace

class Server {
 public:
  explicit Server(std::vector<Descriptor> &&listeners)
      : listeners_(std::move(listeners)), poll_(::epoll_create1(EPOLL_CLOEXEC)), stop_(::eventfd(0, EFD_CLOEXEC)) {
    if (!poll_ || !stop_) throw Error(ErrorKind::Network, "store: no server can be made: " + system_error(errno));
    port = port_of_socket(listeners_.front().get());
    for (const Descriptor &listener : listeners_) watch(listener.get(), EPOLLIN, EPOLL_CTL_ADD);
    watch(stop_.get(), EPOLLIN, EPOLL_CTL_ADD);
    thread_ = std::thread([this] { run(); });
  }
  ~Server() {
    if (::getpid() != owner_) {  // a forked child has no such thread
      thread_.detach();
      return;
    }
    const uint64_t one = 1;
    while (::write(stop_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
    thread_.join();
  }

  uint16_t port = 0;

 private:
  void watch(int fd, uint32_t events, int how) {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    ::epoll_ctl(poll_.get(), how, fd, &event);
  }

  void run() {
    block_signals();
    std::vector<epoll_event> events(64);
    for (;;) {
      const int n = ::epoll_wait(poll_.get(), events.data(), int(events.size()), until_deadline());
      for (int i = 0; i < n; ++i) {
        const int fd = events[size_t(i)].data.fd;
        if (fd == stop_.get()) return;
        if (std::any_of(listeners_.begin(), listeners_.end(), [&](const Descriptor &l) { return l.get() == fd; })) {
          accept(fd);
          continue;
        }
        const auto at = connections_.find(fd);
        if (at != connections_.end() && !serve(at->second, events[size_t(i)].events)) close(fd);
      }
      expire();
    }
  }
  void accept(int listener) {
    for (;;) {
      Descriptor socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket) {
        // Without a descriptor to spare the listener would wake this thread again and again.
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) pause();
        return;
      }
      send_at_once(socket.get());
      const int fd = socket.get();
      Connection &connection = connections_[fd];
      connection.socket = std::move(socket);
      expect(fd, connection, Clock::now() + kToGreet);
      watch(fd, connection.events, EPOLL_CTL_ADD);
    }
  }
  void pause() {
    for (const Descriptor &listener : listeners_) watch(listener.get(), 0, EPOLL_CTL_MOD);
    paused_until_ = Clock::now() + kNoRoom;
  }
  void close(int fd) {
    forget(fd);
    const auto at = connections_.find(fd);
    if (at == connections_.end()) return;
    expect(fd, at->second, Clock::time_point::max());
    connections_.erase(at);
  }
  // A deadline of the connection; max(): none.
  void expect(int fd, Connection &connection, Clock::time_point deadline) {
    if (connection.deadline != Clock::time_point::max()) deadlines_.erase({connection.deadline, fd});
    connection.deadline = deadline;
    if (deadline != Clock::time_point::max()) deadlines_.insert({deadline, fd});
  }

  // Whether the connection goes on.
  bool serve(Connection &connection, uint32_t events) {
    if (events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP) && !(events & EPOLLIN)) return false;
    try {
      if (events & EPOLLIN) {
        char block[1 << 16];
        for (;;) {
          const ssize_t n = ::recv(connection.socket.get(), block, sizeof block, 0);
          if (n < 0 && errno == EINTR) continue;
          if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
          if (n <= 0) return false;
          connection.in.append(block, size_t(n));
          if (!proceed(connection)) return false;
          if (size_t(n) < sizeof block || !(connection.events & EPOLLIN)) break;
        }
      }
      return proceed(connection);
    } catch (const Malformed &) {
      return false;
    } catch (const std::bad_alloc &) {
      return false;
    }
  }
  // Answers what has been asked, as far as answers are read.
  bool proceed(Connection &connection) {
    for (;;) {
      const size_t before = connection.in.size();
      if (!understand(connection) || !flush(connection)) return false;
      if (!connection.out.empty() || connection.in.size() == before) return true;
    }
  }
  bool understand(Connection &connection) {
    size_t at = 0;
    if (!connection.greeted) {
      if (connection.in.size() < 8) return std::memcmp(&kHello, connection.in.data(), connection.in.size()) == 0;
      if (std::memcmp(&kHello, connection.in.data(), 8)) return false;
      connection.greeted = true;
      expect(connection.socket.get(), connection, Clock::time_point::max());
      connection.out.append(reinterpret_cast<const char *>(&kHello), 8);
      at = 8;
    }
    // A client has one question under way: while it waits nothing more is listened to.
    while (!connection.waiting && connection.in.size() - at >= 8 && connection.out.size() <= kUnsent) {
      uint64_t length;
      std::memcpy(&length, connection.in.data() + at, 8);
      if (length > kLargest) return false;
      if (connection.in.size() - at - 8 < length) break;
      answer(connection, Reader(std::string_view(connection.in).substr(at + 8, length)));
      at += 8 + length;
    }
    connection.in.erase(0, at);
    if (connection.in.empty() && connection.in.capacity() > kKept) connection.in = std::string();
    return !connection.waiting || connection.in.size() <= kLargest;
  }
  bool flush(Connection &connection) {
    while (connection.sent < connection.out.size()) {
      const ssize_t n = ::send(connection.socket.get(), connection.out.data() + connection.sent,
                               connection.out.size() - connection.sent, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
      if (n < 0) return false;
      connection.sent += size_t(n);
    }
    if (connection.sent == connection.out.size()) {
      connection.out.clear();
      if (connection.out.capacity() > kKept) connection.out = std::string();
      connection.sent = 0;
    }
    const uint32_t events = EPOLLRDHUP | uint32_t(connection.out.empty() ? EPOLLIN : EPOLLOUT);
    if (events != connection.events) {
      connection.events = events;
      watch(connection.socket.get(), events, EPOLL_CTL_MOD);
    }
    return true;
  }

  Keys keys() const {
    Keys all = table_.keys();
    std::erase_if(all, [](const std::string &key) { return key.starts_with(kInternal); });
    return all;
  }
  static void say(Connection &connection, Writer &&writer) { connection.out += std::move(writer).message(); }
  static Writer ok() { return Writer(char(Answer::Ok)); }

  void answer(Connection &connection, Reader question) {
    const Ask ask = Ask(question.letter());
    switch (ask) {
      case Ask::Set: {
        const Keys keys = question.list();
        const std::vector<Bytes> values = question.list();
        question.end();
        if (keys.size() != values.size()) throw Malformed();
        for (size_t i = 0; i < keys.size(); ++i) table_.value(keys[i]) = values[i];
        for (const std::string &key : keys) wake(key);
        return;
      }
      case Ask::Get:
      case Ask::Wait: {
        const int64_t timeout = question.number();
        auto waiting = std::make_unique<Waiting>(Waiting{ask, question.list(), deadline(timeout)});
        question.end();
        return attend(connection, std::move(waiting));
      }
      case Ask::Pop: {
        const int64_t timeout = question.number();
        auto waiting = std::make_unique<Waiting>(Waiting{ask, {question.bytes()}, deadline(timeout)});
        question.end();
        return attend(connection, std::move(waiting));
      }
      case Ask::Add: {
        const std::string key = question.bytes();
        const int64_t amount = question.number();
        question.end();
        const auto sum = table_.add(key, amount);
        say(connection, sum ? std::move(ok().number(*sum)) : Writer(char(Answer::NotANumber)));
        return sum ? wake(key) : void();
      }
      case Ask::CompareSet: {
        const std::string key = question.bytes();
        const Bytes expected = question.bytes(), desired = question.bytes();
        question.end();
        const auto [set, value] = table_.compare_set(key, expected, desired);
        say(connection, std::move(ok().bytes(value)));
        return set ? wake(key) : void();
      }
      case Ask::Append: {
        const std::string key = question.bytes();
        const Bytes value = question.bytes();
        question.end();
        table_.value(key) += value;
        say(connection, ok());
        return wake(key);
      }
      case Ask::Push: {
        const std::string key = question.bytes();
        const Bytes value = question.bytes();
        question.end();
        table_.push(key, value);
        say(connection, ok());
        return wake(key);
      }
      case Ask::TryPop: {
        const std::string key = question.bytes();
        question.end();
        const auto first = table_.pop(key);
        return say(connection, first ? std::move(ok().bytes(*first)) : Writer(char(Answer::Empty)));
      }
      case Ask::Delete: {
        const std::string key = question.bytes();
        question.end();
        return say(connection, std::move(ok().number(table_.erase(key))));
      }
      case Ask::Check: {
        const Keys keys = question.list();
        question.end();
        return say(connection, std::move(ok().number(table_.has_all(keys))));
      }
      case Ask::QueueLength: {
        const std::string key = question.bytes();
        question.end();
        return say(connection, std::move(ok().number(table_.queue_len(key))));
      }
      case Ask::Count: question.end(); return say(connection, std::move(ok().number(int64_t(keys().size()))));
      case Ask::List: question.end(); return say(connection, std::move(ok().list(keys())));
    }
    throw Malformed();
  }

  static Clock::time_point deadline(int64_t milliseconds) {
    constexpr int64_t kYear = 365LL * 24 * 3600 * 1000;
    return Clock::now() + Milliseconds(std::clamp<int64_t>(milliseconds, 0, kYear));
  }
  // Answers at once, or when what is waited for has come.
  void attend(Connection &connection, std::unique_ptr<Waiting> waiting) {
    if (satisfy(connection, *waiting)) return;
    for (const std::string &key : waiting->keys) waiters_[key].insert(connection.socket.get());
    expect(connection.socket.get(), connection, waiting->deadline);
    connection.waiting = std::move(waiting);
  }
  bool satisfy(Connection &connection, const Waiting &waiting) {
    if (waiting.ask == Ask::Pop) {
      const auto first = table_.pop(waiting.keys.front());
      if (first) say(connection, std::move(ok().bytes(*first)));
      return first.has_value();
    }
    if (!table_.has_all(waiting.keys)) return false;
    if (waiting.ask == Ask::Wait) {
      say(connection, ok());
    } else {
      // A key may be asked for many times: what the answer takes is known before memory is taken for it.
      std::vector<std::string_view> values;
      uint64_t length = 16;
      for (const std::string &key : waiting.keys) length += 8 + values.emplace_back(*table_.find(key)).size();
      if (length > kLargest) return say(connection, Writer(char(Answer::TooLarge))), true;
      say(connection, std::move(ok().list(values)));
    }
    return true;
  }
  void wake(const std::string &key) {
    const auto at = waiters_.find(key);
    if (at == waiters_.end()) return;
    const std::vector<int> candidates(at->second.begin(), at->second.end());
    for (const int fd : candidates) {
      Connection &connection = connections_.at(fd);
      if (!connection.waiting || !satisfy(connection, *connection.waiting)) continue;
      forget(fd);
      go_on(fd, connection);
    }
  }
  void expire() {
    const Clock::time_point now = Clock::now();
    if (paused_until_ && *paused_until_ <= now) {
      paused_until_.reset();
      for (const Descriptor &listener : listeners_) watch(listener.get(), EPOLLIN, EPOLL_CTL_MOD);
    }
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
      const int fd = deadlines_.begin()->second;
      Connection &connection = connections_.at(fd);
      if (!connection.waiting) {
        close(fd);
        continue;
      }
      Keys missing;
      for (const std::string &key : connection.waiting->keys)
        if (connection.waiting->ask == Ask::Pop || !table_.find(key)) missing.push_back(key);
      say(connection, std::move(Writer(char(Answer::Timeout)).list(missing)));
      forget(fd);
      go_on(fd, connection);
    }
  }
  // Sends what has been said. Who cannot be reached is closed at its next event, where no loop runs over connections.
  void go_on(int fd, Connection &connection) {
    if (!flush(connection)) ::shutdown(fd, SHUT_RDWR);
  }
  void forget(int fd) {
    const auto at = connections_.find(fd);
    if (at == connections_.end() || !at->second.waiting) return;
    for (const std::string &key : at->second.waiting->keys) {
      const auto who = waiters_.find(key);
      if (who == waiters_.end()) continue;
      who->second.erase(fd);
      if (who->second.empty()) waiters_.erase(who);
    }
    at->second.waiting = nullptr;
    expect(fd, at->second, Clock::time_point::max());
  }
  int until_deadline() const {
    Clock::time_point first = paused_until_.value_or(Clock::time_point::max());
    if (!deadlines_.empty()) first = std::min(first, deadlines_.begin()->first);
    if (first == Clock::time_point::max()) return -1;
    const auto left = std::chrono::ceil<Milliseconds>(first - Clock::now()).count();
    return int(std::clamp<int64_t>(left, 0, 60'000));
  }

  const pid_t owner_ = ::getpid();
  std::vector<Descriptor> listeners_;
  Descriptor poll_, stop_;
  std::unordered_map<int, Connection> connections_;  // by socket
  std::set<std::pair<Clock::time_point, int>> deadlines_;
  std::optional<Clock::time_point> paused_until_;
  std::unordered_map<std::string, std::unordered_set<int>> waiters_;
  Table table_;
  std::thread thread_;
};

uint16_t port_of(const Server &server) { return server.port; }

std::shared_ptr<Server> serve(const std::string &host, uint16_t port, int listen_fd, bool shared) {
  static std::mutex mutex;
  static auto &servers = *new std::unordered_map<uint16_t, std::weak_ptr<Server>>;
  const std::lock_guard lock(mutex);
  if (shared)
    if (const auto at = servers.find(port); at != servers.end())
      if (std::shared_ptr<Server> running = at->second.lock()) return running;
  std::vector<Descriptor> listeners;
  if (listen_fd >= 0)
    listeners.push_back(adopt_listener(listen_fd));
  else
    listeners = listen_on(host, port);
  auto server = std::make_shared<Server>(std::move(listeners));
  if (shared) servers[server->port] = server;
  return server;
}

}  // namespace thd::tcp
