#include "sockets.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <thread>

#include "raise.hpp"

namespace thd::tcp {
namespace {

using Clock = std::chrono::steady_clock;

struct Addresses {
  addrinfo *first = nullptr;
  std::string failure;
  Addresses(const std::string &host, uint16_t port, bool passive) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0);
    const int code = ::getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &first);
    if (code) failure = code == EAI_SYSTEM ? system_error(errno) : ::gai_strerror(code);
  }
  ~Addresses() {
    if (first) ::freeaddrinfo(first);
  }
  Addresses(const Addresses &) = delete;
};

std::string place(const std::string &host, uint16_t port) { return "(" + host + ", " + std::to_string(port) + ")"; }

[[noreturn]] void throw_network(const std::string &text) { throw Error(ErrorKind::Network, text); }

[[noreturn]] void throw_closed(const std::string &who) {
  throw_network(who + " has closed the connection; did its process end?");
}

// Whether it is ready before the deadline.
bool ready(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{fd, events, 0};
    const int n = ::poll(&one, 1, int(std::min<int64_t>(left, 60'000)));
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) throw_network("store: " + system_error(errno));
  }
}

// 0, or why not.
int try_connect(const addrinfo &address, Clock::time_point deadline, Descriptor &made) {
  Descriptor socket(
      ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
  if (!socket) return errno;
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen)) {
    if (errno != EINPROGRESS) return errno;
    if (!ready(socket.get(), POLLOUT, deadline)) return ETIMEDOUT;
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &size);
    if (code) return code;
  }
  // Who knocks long enough at a free port of this machine is given that very port, and meets himself.
  sockaddr_storage here{}, there{};
  socklen_t here_size = sizeof here, there_size = sizeof there;
  if (!::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&here), &here_size) &&
      !::getpeername(socket.get(), reinterpret_cast<sockaddr *>(&there), &there_size) && here_size == there_size &&
      !std::memcmp(&here, &there, here_size))
    return ECONNREFUSED;
  send_at_once(socket.get());
  made = std::move(socket);
  return 0;
}

}  // namespace

std::vector<Descriptor> listen_on(const std::string &host, uint16_t port) {
  const Addresses addresses(host, port, true);
  if (!addresses.first)
    throw_network("store: no address to listen on is known of " + place(host, port) + ": " + addresses.failure);
  std::vector<Descriptor> listeners;
  int failure = 0;
  for (const addrinfo *at = addresses.first; at; at = at->ai_next) {
    Descriptor socket(::socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at->ai_protocol));
    if (!socket) {
      failure = errno;
      continue;
    }
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (at->ai_family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (port) {  // the one that the first address has got
      if (at->ai_family == AF_INET6)
        reinterpret_cast<sockaddr_in6 *>(at->ai_addr)->sin6_port = htons(port);
      else
        reinterpret_cast<sockaddr_in *>(at->ai_addr)->sin_port = htons(port);
    }
    if (::bind(socket.get(), at->ai_addr, at->ai_addrlen) || ::listen(socket.get(), 2048)) {
      failure = errno;
      // An address that this machine lacks is no obstacle where it has another one; one that is taken is.
      if (failure == EADDRINUSE) break;
      continue;
    }
    port = port_of_socket(socket.get());
    listeners.push_back(std::move(socket));
  }
  if (failure == EADDRINUSE || listeners.empty())
    throw_network("store: " + place(host, port) + " cannot be listened on: " + system_error(failure) +
                  (failure == EADDRINUSE ? " (EADDRINUSE)" : ""));
  return listeners;
}

Descriptor adopt_listener(int fd) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) || !listens)
    throw_network("store: descriptor " + std::to_string(fd) + " is no socket that listens");
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return Descriptor(fd);
}

uint16_t port_of_socket(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size)) throw_network("store: " + system_error(errno));
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 &>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in &>(address).sin_port);
}

void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void block_signals() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

Descriptor connect_to(const std::string &host, uint16_t port, Clock::time_point deadline, Milliseconds timeout) {
  std::string reason = "nobody answered";
  for (Clock::duration pause = Milliseconds(5);; pause = std::min<Clock::duration>(2 * pause, Milliseconds(500))) {
    const Addresses addresses(host, port, false);
    if (!addresses.first) reason = addresses.failure;
    for (const addrinfo *at = addresses.first; at; at = at->ai_next) {
      Descriptor made;
      const int code = try_connect(*at, deadline, made);
      if (!code) return made;
      reason = system_error(code);
    }
    if (Clock::now() + pause >= deadline)
      throw_network("the store at " + place(host, port) + " could not be reached: the client has timed out after " +
                    std::to_string(timeout.count()) + "ms (" + reason + ")");
    std::this_thread::sleep_for(pause);
  }
}

void send_all(int fd, const std::string &text, Clock::time_point deadline, const std::string &who) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = ::send(fd, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (n >= 0) {
      at += size_t(n);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!ready(fd, POLLOUT, deadline)) throw_network(who + " takes nothing any more");
    } else if (errno != EINTR) {
      throw_network(who + " cannot be sent to: " + system_error(errno));
    }
  }
}

size_t receive_some(int fd, char *to, size_t size, Clock::time_point deadline, const std::string &who) {
  for (;;) {
    const ssize_t n = ::recv(fd, to, size, 0);
    if (n > 0) return size_t(n);
    if (n == 0) throw_closed(who);
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!ready(fd, POLLIN, deadline)) throw_network(who + " did not answer in time");
    } else if (errno != EINTR) {
      throw_network(who + " cannot be read: " + system_error(errno));
    }
  }
}

void receive_all(int fd, char *to, size_t size, Clock::time_point deadline, const std::string &who) {
  for (size_t at = 0; at < size;) at += receive_some(fd, to + at, size - at, deadline, who);
}

void check_open(int fd, const std::string &who) {
  char next;
  if (::recv(fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0) throw_closed(who);
}

}  // namespace thd::tcp
