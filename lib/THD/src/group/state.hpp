// What a group is made of, and how its operations run.
#pragma once

#include <unistd.h>

#include <atomic>
#include <mutex>

#include <THD/Transport.h>

#include "turns.hpp"
#include "workers.hpp"

namespace thd {

// What ranks must agree in for their messages to fit.
class Shape {
 public:
  template <class... Parts>
  explicit Shape(const char *name, const Parts &...parts) {
    for (const char *at = name; *at; ++at) mix(uint64_t(*at));
    (add(parts), ...);
  }
  uint32_t bits() const { return uint32_t(hash_ >> 44); }  // 20

 private:
  void mix(uint64_t value) { hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15u + (hash_ >> 29); }
  template <class T>
  void add(const T &value) {
    if constexpr (requires { value.begin(); })
      for (const auto &one : value) mix(uint64_t(one));
    else
      mix(uint64_t(value));
  }
  uint64_t hash_ = 0x243f6a8885a308d3u;
};

struct ProcessGroup::State : std::enable_shared_from_this<ProcessGroup::State> {
  State(ProcessGroup *group, std::unique_ptr<Transport> transport, StoreRef store, Milliseconds timeout)
      : group(group), transport(std::move(transport)), store(std::move(store)), timeout(timeout), workers(2) {}
  ~State();

  // Runs body(round), here or, for an asynchronous call, in a thread of the group's. `what`: for messages, as in
  // "all_reduce (SUM) of float32 [3]". `signature`: what ranks must agree in. `bytes`: at most so many go from rank to
  // rank, as all ranks know; kMany: not all know it, or it has no turn.
  WorkRef run(const char *name, std::string what, std::string signature, Shape shape, Call call, Tensors results,
              std::function<void(const Round &)> body, size_t bytes = kMany);
  static constexpr size_t kMany = SIZE_MAX;
  // A message. post() begins it; done() is called when it has been waited for.
  WorkRef message(const char *name, std::string what, Call call, Tensors results,
                  const std::function<std::unique_ptr<Transport::Posted>()> &post, std::function<void()> done);

  int rank() const { return rank_; }
  int size() const { return size_; }
  Milliseconds limit(Call call) const { return call.timeout == kNoTimeout ? timeout.load() : call.timeout; }
  std::string failed(const std::string &what, const std::string &why, Milliseconds limit);
  // The error of an operation whose engine raised `error`. The group is of no use then; ranks tell each other by the
  // store that they have failed, and who does not is named.
  Error broken(const std::string &what, const std::exception &error, Milliseconds limit);
  std::string who_is_lost(const std::string &what, Milliseconds limit);
  // Raises if no operation can begin. Else it is counted, until leave().
  void check_usable(const char *name);
  void leave();
  void begin_under(const char *name);  // the same, under the mutex
  void compare_signatures(const std::string &signature, const Round &round);
  void wait_for(const Turns::Turn &turn, int64_t call, Milliseconds limit);
  void close();  // the engine goes with the last operation under way
  struct Leave {
    explicit Leave(std::shared_ptr<State> state) : state(std::move(state)) {}
    Leave(const Leave &) = delete;
    ~Leave() { state->leave(); }
    const std::shared_ptr<State> state;
  };
  bool is_forked() const { return ::getpid() != owner; }

  ProcessGroup *group;  // nullptr: it has been let go of
  std::unique_ptr<Transport> transport;
  const StoreRef store;
  const int rank_ = transport->rank, size_ = transport->size;
  const char *const backend = transport->backend;
  const std::optional<size_t> in_turn = transport->in_turn;
  const pid_t owner = ::getpid();
  std::atomic<Milliseconds> timeout;
  std::mutex calling;  // held while a call gets its number, its turn and its place in `workers`, so that they agree
  std::atomic<int64_t> sequence{0};
  const std::shared_ptr<Turns> turns = std::make_shared<Turns>();
  std::atomic<int> barriers{0};
  std::mutex mutex;
  std::string failure;  // of the first operation that failed
  std::mutex asking;    // before `mutex`; held while others are asked
  std::optional<std::string> lost;
  bool told = false;
  bool aborted = false, closed = false;
  int under_way = 0;  // operations that use the engine; it lives as long as they do
  Workers workers;
};

}  // namespace thd
