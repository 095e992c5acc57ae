// SIGPIPE ends a process that does not ask otherwise, as Python does.
#pragma once

#include <csignal>
#include <pthread.h>

namespace thd {

// While it lives, to write to a connection that the other side has closed is an error in the calling thread and no
// signal; and for good in threads that it starts meanwhile.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoPipeSignal(const NoPipeSignal &) = delete;
  ~NoPipeSignal() {
    if (sigismember(&before_, SIGPIPE)) return;
    sigset_t pending;
    const timespec now{};
    if (::sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE)) ::sigtimedwait(&pipe_, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
};

}  // namespace thd
