// torch_shm_manager: removes the names of shared segments when the processes that use them are gone (shm/shm.h).
//
// It is two processes. The server talks to the clients; the guard holds all their sockets, too, and is told everything
// that the server is told before the server acts on it. A message is taken out of its socket last of all. So when the
// server is killed, the guard goes on from there; it has a copy of the table, and what was half done is done again. When
// the guard is killed, the server makes another. A client notices neither.
#include <cstdio>
#include <cstdlib>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "protocol.hpp"
#include "table.hpp"

namespace {

using namespace shm;

// What the server tells its guard.
struct Record {
  enum Kind : uint32_t { accepted, message, closed, done } kind;
  uint32_t client;
  Message text;
};

bool sendRecord(int to, const Record &record, int socket = -1) {
  iovec data{const_cast<Record *>(&record), sizeof record};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr packet{};
  packet.msg_iov = &data;
  packet.msg_iovlen = 1;
  if (socket >= 0) {
    packet.msg_control = control;
    packet.msg_controllen = sizeof control;
    cmsghdr *const header = CMSG_FIRSTHDR(&packet);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &socket, sizeof socket);
  }
  ssize_t n;
  do n = sendmsg(to, &packet, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == ssize_t(sizeof record);
}

bool receiveRecord(int from, Record &record, int &socket) {
  iovec data{&record, sizeof record};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr packet{};
  packet.msg_iov = &data;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof control;
  ssize_t n;
  do n = recvmsg(from, &packet, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  socket = -1;
  if (const cmsghdr *header = CMSG_FIRSTHDR(&packet); header && header->cmsg_type == SCM_RIGHTS)
    std::memcpy(&socket, CMSG_DATA(header), sizeof socket);
  return n == ssize_t(sizeof record);
}

class Server {
 public:
  explicit Server(int listener) : listener_(listener) {}
  void admit(int socket);
  [[noreturn]] void serve();

 private:
  void recruit();
  [[noreturn]] void guard(int channel);
  void tell(Record::Kind kind, uint32_t client, const Message &text = {}, int socket = -1);
  void acceptOne();
  void read(uint32_t id, int socket);

  Table table_;
  int listener_;
  int guard_ = -1;  // the socket to it
  uint32_t next_ = 1;
};

void Server::tell(Record::Kind kind, uint32_t client, const Message &text, int socket) {
  if (guard_ >= 0) sendRecord(guard_, {kind, client, text}, socket);  // `serve` sees when it is gone
}

void Server::admit(int socket) {
  const uint32_t id = next_++;
  tell(Record::accepted, id, {}, socket);
  table_.accept(id, socket);
}

void Server::recruit() {
  if (guard_ >= 0) close(guard_);
  guard_ = -1;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return;  // tried again with the next event
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    guard(ends[1]);
  }
  close(ends[1]);
  if (pid < 0)
    close(ends[0]);
  else
    guard_ = ends[0];
}

void Server::guard(int channel) {
  // A name and a group of its own: what kills all processes of a name, or of a group, spares the other.
  setsid();
  prctl(PR_SET_NAME, "torch_shm_guard");
  Record record;
  for (int socket; receiveRecord(channel, record, socket);) {
    switch (record.kind) {
      case Record::accepted:
        next_ = record.client + 1;
        table_.accept(record.client, socket);
        break;
      case Record::message: table_.apply(record.client, record.text); break;
      case Record::closed: table_.close(record.client); break;
      case Record::done: _exit(0);
    }
  }
  close(channel);
  prctl(PR_SET_NAME, "torch_shm_manager");
  serve();
}

void Server::acceptOne() {
  const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0) return;
  ucred who{};
  socklen_t size = sizeof who;
  // An abstract socket has no owner: anybody could connect.
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) || who.uid != geteuid())
    close(socket);
  else
    admit(socket);
}

void Server::read(uint32_t id, int socket) {
  Message message;
  const ssize_t n = recv(socket, &message, sizeof message, MSG_PEEK | MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n != ssize_t(sizeof message)) {  // its end, or nobody of ours
    tell(Record::closed, id);
    return table_.close(id);
  }
  tell(Record::message, id, message);
  table_.apply(id, message);
  if (message.verb == Verb::ask) send(socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
  recv(socket, &message, sizeof message, MSG_DONTWAIT);
}

void Server::serve() {
  guard_ = -1;
  recruit();
  std::vector<pollfd> waiting;
  std::vector<uint32_t> ids;
  for (;;) {
    const bool idle = table_.clients().empty();
    waiting = {{listener_, POLLIN, 0}, {guard_, POLLIN, 0}};  // of the guard there is only its end to read
    ids.clear();
    for (const auto &[id, client] : table_.clients()) {
      waiting.push_back({client.socket, POLLIN, 0});
      ids.push_back(id);
    }
    if (poll(waiting.data(), waiting.size(), idle ? 0 : -1) < 0 && errno != EINTR) _exit(1);
    if (waiting[1].revents || guard_ < 0) recruit();
    if (waiting[0].revents) acceptOne();
    if (idle && table_.clients().empty()) {
      tell(Record::done, 0);
      _exit(0);
    }
    for (size_t i = 0; i < ids.size(); ++i)
      if (waiting[i + 2].revents) read(ids[i], waiting[i + 2].fd);
  }
}

int openListener() {
  const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Without a name the kernel finds one.
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof(sa_family_t)) || listen(listener, 128)) return -1;
  return listener;
}

// To nobody: not to the terminal, whose Ctrl-C is for others, nor to files that whoever waits for them would wait for.
void detach() {
  setsid();
  if (chdir("/")) return;
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
  close_range(kFirstClient + 1, ~0U, 0);
  fcntl(kFirstClient, F_SETFD, FD_CLOEXEC);
  // It ends when its clients have: a shutdown that tells everybody to end tells them, too.
  for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGQUIT}) std::signal(signal, SIG_IGN);
  std::signal(SIGCHLD, SIG_IGN);  // guards are not waited for
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

int main(int count, char **) {
  struct stat info;
  if (count > 1 || fstat(kFirstClient, &info) || !S_ISSOCK(info.st_mode)) {
    std::fputs(
        "torch_shm_manager removes the names of shared memory when the processes that use it are gone.\n"
        "torch.multiprocessing starts it when a tensor is first shared by the strategy 'file_system'.\n",
        stderr);
    return 2;
  }
  const pid_t pid = fork();
  if (pid) return pid < 0;
  detach();
  const int listener = openListener();
  if (listener < 0) return 1;
  sockaddr_un address;
  socklen_t size = sizeof address;
  if (getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size)) return 1;
  Message first{};
  const size_t length = size - offsetof(sockaddr_un, sun_path) - 1;
  if (length >= kNameSize) return 1;
  std::memcpy(first.name, address.sun_path + 1, length);
  if (send(kFirstClient, &first, sizeof first, MSG_NOSIGNAL) != ssize_t(sizeof first)) return 1;
  Server server(listener);
  server.admit(kFirstClient);
  server.serve();
}
