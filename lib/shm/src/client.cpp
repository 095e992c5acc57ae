#include "client.hpp"

#include <TH/THGeneral.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <pthread.h>
#include <set>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "protocol.hpp"
#include "segment.hpp"

extern char **environ;

namespace shm {

class Manager {
 public:
  std::string address;
  Descriptor socket;  // none: not connected with, in this process
  uint32_t number = 0;
  std::map<std::string, int> held;
  // Let go of, and perhaps still unread: a manager and its guard that are killed in one moment take that with them.
  std::vector<std::string> dropped;
};
constexpr size_t kUnread = 64;

namespace {

struct State {
  std::mutex mutex;
  std::string program;
  uint64_t token = 0;  // who this process is; 0: not drawn yet
  ManagerRef own;
  std::map<std::string, std::weak_ptr<Manager>> managers;  // by address
  std::set<ManagerRef> senders;  // with whom handles of ours may be under way: they end with the connection
};

State &state() {
  static auto *const one = new State;  // outlives every storage
  return *one;
}

void forget(Manager &manager) {
  manager.socket.reset();
  manager.number = 0;
  manager.held.clear();
  manager.dropped.clear();
}

// A child is a client of its own. It must not keep its parent's connections open: their end says that the parent is gone.
void afterForkInChild() {
  State &s = state();
  for (auto &[_, weak] : s.managers)
    if (const ManagerRef manager = weak.lock()) forget(*manager);
  s.token = 0;
  s.senders.clear();
  s.mutex.unlock();
}

[[maybe_unused]] const int registered = pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); },
                                                       afterForkInChild);

uint64_t token(State &s) {
  while (!s.token)
    if (getrandom(&s.token, sizeof s.token, 0) != sizeof s.token) s.token = uint64_t(getpid()) << 32 | 1;
  return s.token;
}

[[noreturn]] void raiseStart(const State &s, const char *what, int error) {
  THError(TH_ERROR_RUNTIME, "torch_shm_manager at \"%s\": %s: %s (%d)", s.program.c_str(), what, std::strerror(error),
          error);
}

void limitWaiting(int socket) {
  const timeval limit{20, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

bool receive(int socket, Message &message) {
  ssize_t n;
  do n = recv(socket, &message, sizeof message, 0);
  while (n < 0 && errno == EINTR);
  if (n == 0) errno = ECONNRESET;
  return n == ssize_t(sizeof message);
}

// Runs the program, whose first client this process is.
void start(State &s, Manager &manager) {
  if (s.program.empty())
    THError(TH_ERROR_RUNTIME, "shared storages with names need torch_shm_manager, and nobody has said where it is");
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) raiseStart(s, "no socket", errno);
  Descriptor ours(ends[0]), its(ends[1]);
  limitWaiting(ours.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, its.get(), kFirstClient);
  char *arguments[] = {const_cast<char *>("torch_shm_manager"), nullptr};
  pid_t pid;
  const int error = posix_spawn(&pid, s.program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) raiseStart(s, "cannot be run", error);
  // What was started ends at once, and leaves a child of its own to nobody.
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  its.reset();
  Message first{};
  if (!receive(ours.get(), first)) raiseStart(s, "did not answer", errno);
  manager.address.assign(first.name, strnlen(first.name, kNameSize));
  manager.socket = std::move(ours);
  manager.number = 0;
}

bool connectTo(Manager &manager) {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const sockaddr_un address = addressOf(manager.address.data(), manager.address.size());
  if (connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeOf(manager.address.size()))) return false;
  limitWaiting(socket.get());
  manager.socket = std::move(socket);
  manager.number = 0;
  return true;
}

bool put(State &s, Manager &manager, Verb verb, const std::string &name, uint64_t about) {
  Message message{verb, ++manager.number, about ? about : token(s), {}};
  name.copy(message.name, kNameSize - 1);
  ssize_t n;
  do n = send(manager.socket.get(), &message, sizeof message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == ssize_t(sizeof message);
}

bool introduce(State &s, Manager &manager) {
  if (!put(s, manager, Verb::hello, "", 0)) return false;
  return std::all_of(manager.held.begin(), manager.held.end(),
                     [&](const auto &row) { return put(s, manager, Verb::hold, row.first, 0); }) &&
         std::all_of(manager.dropped.begin(), manager.dropped.end(), [&](const std::string &name) {
           return put(s, manager, Verb::hold, name, 0) && put(s, manager, Verb::drop, name, 0);
         });
}

void startAnew(State &s, Manager &manager) {
  start(s, manager);
  if (!introduce(s, manager)) raiseStart(s, "has gone at once", errno);
}

// With the lock held. A manager and its guard may have been killed in one moment: then another takes over what this
// process has.
void say(State &s, const ManagerRef &manager, Verb verb, const std::string &name, uint64_t about = 0) {
  const bool connected = manager->socket.get() >= 0;
  if (connected && put(s, *manager, verb, name, about)) return;
  if (connectTo(*manager) && introduce(s, *manager) && put(s, *manager, verb, name, about)) return;
  const std::string before = manager->address;
  startAnew(s, *manager);
  s.managers.erase(before);
  s.managers[manager->address] = manager;
  if (!put(s, *manager, verb, name, about)) raiseStart(s, "has gone at once", errno);
}

// With the lock held: returns when the manager has done what was said.
void askFor(State &s, const ManagerRef &manager) {
  say(s, manager, Verb::ask, "");
  const uint32_t number = manager->number;
  Message answer{};
  // An answer may come twice, from a manager that was killed and from its guard.
  do {
    if (!receive(manager->socket.get(), answer)) {
      const int error = errno;
      manager->socket.reset();
      raiseStart(s, "did not answer", error);
    }
  } while (answer.number != number);
  manager->dropped.clear();
}

std::pair<std::string, uint64_t> parsed(const std::string &handle) {
  const size_t colon = handle.find(':');
  uint64_t about = 0;
  if (colon == std::string::npos || colon == 0 || colon >= kNameSize ||
      std::sscanf(handle.c_str() + colon + 1, "%" SCNx64, &about) != 1)
    THError(TH_ERROR_RUNTIME, "'%s' is no address of a torch_shm_manager", handle.c_str());
  return {handle.substr(0, colon), about};
}

ManagerRef known(State &s, const std::string &address) {
  const auto found = s.managers.find(address);
  return found == s.managers.end() ? nullptr : found->second.lock();
}

}  // namespace

void setProgram(const std::string &path) {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  s.program = path;
}

ManagerRef ownManager() {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  if (!s.own) {
    auto manager = std::make_shared<Manager>();
    startAnew(s, *manager);
    s.managers[manager->address] = manager;
    s.own = std::move(manager);
  }
  return s.own;
}

ManagerRef managerOf(const std::string &handle) {
  const std::string address = parsed(handle).first;
  State &s = state();
  const std::lock_guard lock(s.mutex);
  if (ManagerRef manager = known(s, address)) return manager;
  auto manager = std::make_shared<Manager>();
  manager->address = address;
  if (!connectTo(*manager) || !introduce(s, *manager))
    THError(TH_ERROR_RUNTIME,
            "the torch_shm_manager of the process that sent a shared storage is gone: %s (%d). The sender has to live "
            "until the storage has been received",
            std::strerror(errno), errno);
  std::erase_if(s.managers, [](const auto &row) { return row.second.expired(); });
  s.managers[address] = manager;
  return manager;
}

std::string handleOf(const ManagerRef &manager) {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  char text[24];
  std::snprintf(text, sizeof text, ":%" PRIx64, token(s));
  return manager->address + text;
}

void hold(const ManagerRef &manager, const std::string &name) {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  if (manager->held.contains(name)) return void(++manager->held[name]);
  say(s, manager, Verb::hold, name);
  manager->held[name] = 1;
}

void drop(const ManagerRef &manager, const std::string &name) noexcept try {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  const auto found = manager->held.find(name);
  if (found == manager->held.end() || --found->second) return;  // a child frees what its parent had
  manager->held.erase(found);
  manager->dropped.push_back(name);
  if ((manager->socket.get() >= 0 && put(s, *manager, Verb::drop, name, 0)) ||
      (connectTo(*manager) && introduce(s, *manager))) {
    if (manager->dropped.size() >= kUnread) askFor(s, manager);
    return;
  }
  manager->socket.reset();
  shm_unlink(name.c_str());  // there is nobody else who would
} catch (...) {
}

void sent(const ManagerRef &manager, const std::string &name) {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  say(s, manager, Verb::sent, name);
  s.senders.insert(manager);
}

void received(const std::string &handle, const std::string &name) noexcept try {
  const auto [address, about] = parsed(handle);
  State &s = state();
  const std::lock_guard lock(s.mutex);
  ManagerRef manager = known(s, address);
  if (!manager) {  // it was not wanted, and nothing else of that manager is here
    manager = std::make_shared<Manager>();
    manager->address = address;
    if (!connectTo(*manager) || !introduce(s, *manager)) return;
  }
  if (manager->socket.get() >= 0 || (connectTo(*manager) && introduce(s, *manager)))
    put(s, *manager, Verb::received, name, about);
} catch (...) {
}

void ask(const ManagerRef &manager) {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  askFor(s, manager);
}

}  // namespace shm
