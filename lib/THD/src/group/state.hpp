// What a group is made of, and how its operations run.
#pragma once

#include <atomic>
#include <mutex>

#include "../kit/transport.hpp"
#include "workers.hpp"

namespace thd {

struct ProcessGroup::State {
  State(ProcessGroup *group, std::unique_ptr<Transport> transport, Milliseconds timeout)
      : group(group), transport(std::move(transport)), timeout(timeout), workers(2) {}

  // Runs body(round), here or, for an asynchronous call, in a thread of the group's. `what`: for messages, as in "all_reduce
  // (SUM) of float32 [3]". `signature`: what ranks must agree in.
  WorkRef run(const char *name, std::string what, std::string signature, Call call, Tensors results,
              std::function<void(const Round &)> body);
  // A message. post() begins it; done() is called when it has been waited for.
  WorkRef message(const char *name, std::string what, Call call, Tensors results,
                  const std::function<std::unique_ptr<Transport::Posted>()> &post, std::function<void()> done);

  int rank() const { return transport->rank; }
  int size() const { return transport->size; }
  Milliseconds limit(Call call) const { return call.timeout == kNoTimeout ? timeout.load() : call.timeout; }
  std::string failed(const std::string &what, const std::string &why, Milliseconds limit) const;
  void check_usable(const char *name);
  void note_failure(const std::string &text);
  void compare_signatures(const std::string &signature, const Round &round);

  ProcessGroup *const group;
  std::unique_ptr<Transport> transport;
  std::atomic<Milliseconds> timeout;
  std::atomic<uint32_t> sequence{0};
  std::atomic<int> barriers{0};
  std::mutex mutex;
  std::string failure;  // of the first operation that failed
  bool aborted = false;
  Workers workers;
};

}  // namespace thd
