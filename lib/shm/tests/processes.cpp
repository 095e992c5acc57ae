// Storages between processes, and what is left when one of them is killed. Every child is killed in the end; /dev/shm is
// looked at from here.
#include <shm/shm.h>

#include <TH/TH.h>

#include <fstream>
#include <poll.h>
#include <set>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "processes.hpp"

namespace {

using namespace test;

struct Handle {
  char manager[64], name[64];
};

Handle handleOf(THStorage *s) {
  Handle handle{};
  std::snprintf(handle.manager, sizeof handle.manager, "%s", THSharedStorage_manager(s));
  std::snprintf(handle.name, sizeof handle.name, "%s", THSharedStorage_name(s));
  return handle;
}

// A forked process that does what `body` does, with a socket to its parent.
class Child {
 public:
  template <class Body>
  explicit Child(Body body) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) throw std::runtime_error("socketpair");
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      try {
        body(ends[1]);
      } catch (const std::exception &error) {
        std::fprintf(stderr, "child: %s\n", error.what());
        _exit(1);
      }
      _exit(0);
    }
    close(ends[1]);
    socket_ = ends[0];
  }
  ~Child() {
    kill();
    close(socket_);
  }
  void kill() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    pid_ = 0;
  }
  int join() {
    int status;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }
  pid_t pid() const { return pid_; }
  Handle get() {
    Handle handle{};
    EXPECT_EQ(recv(socket_, &handle, sizeof handle, 0), ssize_t(sizeof handle));
    return handle;
  }
  void put(const Handle &handle) { EXPECT_EQ(send(socket_, &handle, sizeof handle, 0), ssize_t(sizeof handle)); }

 private:
  pid_t pid_;
  int socket_;
};

void put(int socket, const Handle &handle) {
  if (send(socket, &handle, sizeof handle, 0) < 0) _exit(2);
}
Handle get(int socket) {
  Handle handle{};
  if (recv(socket, &handle, sizeof handle, 0) <= 0) _exit(2);
  return handle;
}
bool exists(const Handle &handle) { return access((std::string("/dev/shm") + handle.name).c_str(), F_OK) == 0; }
int *ints(THStorage *s) { return static_cast<int *>(s->data); }

// Children have their parent's manager, so there is one for all of this.
class Processes : public testing::Test {
 protected:
  void SetUp() override { THSharedStorage_setProgram(MANAGER); }
};

THStorage *received(const Handle &handle, size_t nbytes) {
  THStorage *s = THSharedStorage_newWithName(handle.manager, handle.name, nbytes);
  THSharedStorage_received(handle.manager, handle.name);
  return s;
}

THStorage *fresh(int value) {
  THStorage *s = THSharedStorage_new(TH_SHARED_NAME, 4000);
  *ints(s) = value;
  return s;
}

TEST_F(Processes, ASegmentLivesFromTheSenderToTheReceiver) {
  Child producer([](int socket) {
    THStorage *s = fresh(5);
    THSharedStorage_sent(s);
    const Handle handle = handleOf(s);
    THStorage_free(s);  // under way: nobody but the manager has it
    put(socket, handle);
    pause();
  });
  const Handle handle = producer.get();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(exists(handle));
  THStorage *s = received(handle, 4000);
  EXPECT_EQ(*ints(s), 5);
  EXPECT_TRUE(exists(handle));
  THStorage_free(s);
  EXPECT_TRUE(soon([&] { return !exists(handle); }));
}

TEST_F(Processes, WhatWasUnderWayGoesWithItsKilledSender) {
  Child producer([](int socket) {
    THStorage *s = fresh(5);
    THSharedStorage_sent(s);
    put(socket, handleOf(s));
    pause();
  });
  const Handle handle = producer.get();
  EXPECT_TRUE(exists(handle));
  producer.kill();
  EXPECT_TRUE(soon([&] { return !exists(handle); }));
}

TEST_F(Processes, AReceiverKeepsWhatAKilledSenderMade) {
  Child producer([](int socket) {
    THStorage *s = fresh(6);
    THSharedStorage_sent(s);
    put(socket, handleOf(s));
    pause();
  });
  const Handle handle = producer.get();
  THStorage *s = received(handle, 4000);
  producer.kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(exists(handle));  // others may be given it
  EXPECT_EQ(*ints(s), 6);
  THStorage_free(s);
  EXPECT_TRUE(soon([&] { return !exists(handle); }));
}

TEST_F(Processes, AKilledReceiverLetsGo) {
  THStorage *s = fresh(7);
  THSharedStorage_sent(s);
  const Handle handle = handleOf(s);
  Child consumer([](int socket) {
    const Handle handle = get(socket);
    THStorage *s = received(handle, 4000);
    ++*ints(s);
    put(socket, handle);
    pause();
  });
  consumer.put(handle);
  consumer.get();
  EXPECT_EQ(*ints(s), 8);
  THStorage_free(s);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(exists(handle));
  consumer.kill();
  EXPECT_TRUE(soon([&] { return !exists(handle); }));
}

// ---- the manager and its guard ------------------------------------------------------------------
std::string commandOf(pid_t pid) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
  return name;
}
// Those that hold the abstract socket of this address: by its inode among their descriptors.
std::set<pid_t> managers(const std::string &address) {
  const std::string name = "@" + address.substr(0, address.find(':'));
  std::ifstream table("/proc/net/unix");
  std::set<std::string> inodes;
  for (std::string line; std::getline(table, line);) {
    const size_t at = line.rfind(' ');
    if (line.substr(at + 1) != name) continue;
    const size_t inode = line.rfind(' ', at - 1);
    inodes.insert("socket:[" + line.substr(inode + 1, at - inode - 1) + "]");
  }
  std::set<pid_t> found;
  DIR *all = opendir("/proc");
  while (const dirent *entry = readdir(all)) {
    const pid_t pid = std::atoi(entry->d_name);
    if (!pid || commandOf(pid).rfind("torch_shm", 0) != 0) continue;
    const std::string folder = std::string("/proc/") + entry->d_name + "/fd";
    DIR *files = opendir(folder.c_str());
    if (!files) continue;
    while (const dirent *file = readdir(files)) {
      char text[64];
      const ssize_t n = readlink((folder + "/" + file->d_name).c_str(), text, sizeof text);
      if (n > 0 && inodes.contains(std::string(text, n))) found.insert(pid);
    }
    closedir(files);
  }
  closedir(all);
  return found;
}
pid_t oneOf(const std::string &address, const std::string &command) {
  for (const pid_t pid : managers(address))
    if (commandOf(pid) == command) return pid;
  return 0;
}

TEST_F(Processes, AManagerThatIsKilledIsReplaced) {
  for (const char *victim : {"torch_shm_manag", "torch_shm_guard", "torch_shm_manag"}) {
    Child producer([](int socket) {
      THStorage *a = fresh(1), *b = fresh(2);
      put(socket, handleOf(a));
      put(socket, handleOf(b));
      get(socket);
      THStorage_free(a);
      THStorage *c = fresh(3);  // a client notices nothing
      put(socket, handleOf(c));
      pause();
      THStorage_free(b);
    });
    const Handle a = producer.get(), b = producer.get();
    pid_t pid = 0;
    ASSERT_TRUE(soon([&] { return (pid = oneOf(a.manager, victim)) != 0; })) << victim;
    ASSERT_EQ(kill(pid, SIGKILL), 0);
    EXPECT_TRUE(soon([&] { return managers(a.manager).size() == 2 && !managers(a.manager).contains(pid); }));
    EXPECT_TRUE(exists(a) && exists(b));
    producer.put(a);
    const Handle c = producer.get();
    EXPECT_TRUE(soon([&] { return !exists(a); }));
    EXPECT_TRUE(exists(b) && exists(c));
    producer.kill();
    EXPECT_TRUE(soon([&] { return !exists(b) && !exists(c); }));
  }
}

TEST_F(Processes, ManyAtOnceWhileManagersAreKilled) {
  Child producer([](int socket) {
    put(socket, handleOf(fresh(0)));
    for (;;) THStorage_free(fresh(1));
  });
  const Handle first = producer.get();
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto found = managers(first.manager);
    ASSERT_EQ(found.size(), 2u);
    const pid_t victim = i % 2 ? *found.begin() : *found.rbegin();
    kill(victim, SIGKILL);
    ASSERT_TRUE(soon([&] {
      const auto now = managers(first.manager);
      return now.size() == 2 && !now.contains(victim);
    }));
  }
  const std::string mine = "torch_" + std::to_string(producer.pid()) + "_";
  EXPECT_TRUE(exists(first));
  EXPECT_GT(entries("/dev/shm", mine), 0u);
  producer.kill();
  EXPECT_TRUE(soon([&] { return entries("/dev/shm", mine) == 0; }));
}

TEST_F(Processes, WhatWasLetGoWhenBothAreKilled) {
  Child producer([](int socket) {
    THStorage *a = fresh(1);
    const Handle handle = handleOf(a);
    put(socket, handle);
    get(socket);  // both are stopped
    THStorage_free(a);
    put(socket, handle);
    get(socket);  // both are killed
    fresh(2);
    put(socket, handle);
    pause();
  });
  const Handle a = producer.get();
  ASSERT_TRUE(soon([&] { return managers(a.manager).size() == 2; }));
  const auto both = managers(a.manager);
  for (const pid_t pid : both) kill(pid, SIGSTOP);
  producer.put(a);
  producer.get();
  EXPECT_TRUE(exists(a));
  for (const pid_t pid : both) kill(pid, SIGKILL);
  ASSERT_TRUE(soon([&] { return managers(a.manager).empty(); }));
  producer.put(a);
  producer.get();
  EXPECT_TRUE(soon([&] { return !exists(a); }));
}

TEST_F(Processes, BothKilledAtOnce) {
  Child producer([](int socket) {
    THStorage *a = fresh(1);
    put(socket, handleOf(a));
    get(socket);
    THStorage *b = fresh(2);  // by another manager, which takes over `a`, too
    put(socket, handleOf(a));
    put(socket, handleOf(b));
    pause();
  });
  const Handle a = producer.get();
  ASSERT_TRUE(soon([&] { return managers(a.manager).size() == 2; }));
  for (const pid_t pid : managers(a.manager)) kill(pid, SIGSTOP);
  for (const pid_t pid : managers(a.manager)) kill(pid, SIGKILL);
  ASSERT_TRUE(soon([&] { return managers(a.manager).empty(); }));
  producer.put(a);
  const Handle again = producer.get(), b = producer.get();
  EXPECT_STRNE(again.manager, a.manager);
  EXPECT_TRUE(exists(a) && exists(b));
  producer.kill();
  EXPECT_TRUE(soon([&] { return !exists(a) && !exists(b); }));
}

// ---- fork ---------------------------------------------------------------------------------------
TEST_F(Processes, AChildSharesWhatItsParentHad) {
  THStorage *s = fresh(1);
  const Handle handle = handleOf(s);
  Child child([&](int socket) {
    ++*ints(s);
    THSharedStorage_sent(s);
    const Handle mine = handleOf(s);
    THStorage_free(s);
    put(socket, mine);
    pause();
  });
  const Handle childs = child.get();
  EXPECT_STREQ(childs.name, handle.name);
  EXPECT_STRNE(childs.manager, handle.manager);  // a client of its own
  EXPECT_EQ(*ints(s), 2);
  THStorage *same = received(childs, 4000);
  EXPECT_EQ(same, s);
  THStorage_free(same);
  child.kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(exists(handle));  // its end is not the parent's
  THStorage_free(s);
  EXPECT_TRUE(soon([&] { return !exists(handle); }));
}

TEST_F(Processes, AChildsConnectionIsNotItsParents) {
  Child parent([](int socket) {
    THStorage *s = fresh(1);
    put(socket, handleOf(s));
    const pid_t child = fork();
    if (!child) {
      pause();
      _exit(0);
    }
    Handle about{};
    std::snprintf(about.name, sizeof about.name, "%d", int(child));
    put(socket, about);
    pause();
  });
  const Handle handle = parent.get();
  const pid_t grandchild = std::atoi(parent.get().name);
  parent.kill();
  EXPECT_TRUE(soon([&] { return !exists(handle); }));
  kill(grandchild, SIGKILL);
}

TEST_F(Processes, AChildCannotSendWhatItsParentLetGo) {
  Child parent([](int socket) {
    THStorage *s = fresh(1);
    const Handle handle = handleOf(s);
    int ends[2];
    if (pipe(ends)) _exit(3);
    const pid_t child = fork();
    if (!child) {
      char go;
      if (read(ends[0], &go, 1) != 1) _exit(4);
      if (!soon([&] { return !exists(handle); })) _exit(6);
      try {
        THSharedStorage_sent(s);
      } catch (const std::exception &error) {
        _exit(std::string(error.what()).find("unable to open shared memory object") == 0 && *ints(s) == 1 ? 0 : 5);
      }
      _exit(1);
    }
    THStorage_free(s);
    if (write(ends[1], "x", 1) != 1) _exit(3);
    int status;
    waitpid(child, &status, 0);
    put(socket, handle);
    _exit(WEXITSTATUS(status));
  });
  parent.get();
  EXPECT_EQ(WEXITSTATUS(parent.join()), 0);
}

}  // namespace
