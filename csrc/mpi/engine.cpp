#include "engine.hpp"

#include <sched.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <thread>

namespace thd::mpi {
namespace {

using Clock = std::chrono::steady_clock;

std::shared_mutex gate;
std::mutex starting;
std::atomic<bool> running{false}, ending{false}, ended{false};
std::atomic<bool> ours{false}, one_at_a_time{false};
int level = MPI_THREAD_SINGLE;

// Flights that were let go of before they were done.
struct Left {
  std::mutex mutex;
  std::vector<Flight> flights;
};
Left &left() {
  static Left &all = *new Left;
  return all;
}
bool is_over(Flight &flight) {
  try {
    return flight.is_done();
  } catch (const std::exception &) {
    return false;  // nobody knows what MPI still does
  }
}
void reap() {
  const Call call;
  const std::lock_guard lock(left().mutex);
  std::erase_if(left().flights, [](Flight &flight) { return is_over(flight); });
}

}  // namespace

namespace {
// Whoever else has started MPI may have ended it.
void look_for_the_end() {
  int gone = 0;
  MPI_Finalized(&gone);
  if (gone) ended = true;
}
}  // namespace

Call::Call() {
  if (one_at_a_time)
    alone_ = std::unique_lock(gate);
  else
    shared_ = std::shared_lock(gate);
  if (!ours) look_for_the_end();
  if (!running || ended) throw Error(ErrorKind::Runtime, ended ? "MPI has ended" : "MPI has not been started");
}

void check(int code, const char *function) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(function) + ": " + text);
}

std::string thread_level() {
  switch (level) {
    case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
    case MPI_THREAD_MULTIPLE: return "MPI_THREAD_MULTIPLE";
    default: return std::to_string(level);
  }
}

void start() {
  const std::lock_guard lock(starting);
  look_for_the_end();
  if (running && !ended) return;
  int there = 0;
  if (ended)
    throw Error(ErrorKind::Runtime,
                "MPI has ended in this process, and can be started once: groups over it are joined "
                "before MPI_Finalize");
  MPI_Initialized(&there);
  if (there)
    MPI_Query_thread(&level);
  else
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
  ours = !there;
  if (level < MPI_THREAD_SERIALIZED)
    throw Error(ErrorKind::Runtime,
                "MPI runs with " + thread_level() + (there ? ", as who started it in this process has asked for" : "") +
                    "; a process group has threads of its own, and needs MPI_THREAD_MULTIPLE or MPI_THREAD_SERIALIZED");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_reductions();
  one_at_a_time = level == MPI_THREAD_SERIALIZED;
  running = true;
}

void finish() {
  const std::lock_guard lock(starting);
  if (!running || ended) return;
  ending = true;  // whoever waits gives up
  const std::unique_lock alone(gate);
  ended = true;
  int gone = 0;
  MPI_Finalized(&gone);
  if (gone || !ours) return;
  {
    const std::lock_guard lock(left().mutex);
    for (Flight &flight : left().flights)
      if (!is_over(flight)) return;
  }
  MPI_Finalize();
}

int world_rank() {
  const Call call;
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return rank;
}
int world_size() {
  const Call call;
  int size = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  return size;
}
std::string version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  return std::string(text, strnlen(text, sizeof text));
}

// ---- flights -------------------------------------------------------------------------------------

Flight &Flight::operator=(Flight &&other) noexcept {
  requests_.swap(other.requests_);
  statuses_.swap(other.statuses_);
  memory_.swap(other.memory_);
  return *this;
}
Flight::~Flight() {
  if (std::all_of(requests_.begin(), requests_.end(), [](MPI_Request one) { return one == MPI_REQUEST_NULL; })) return;
  try {
    const std::lock_guard lock(left().mutex);
    left().flights.push_back(std::move(*this));
    requests_.clear();
  } catch (const std::exception &) {  // no memory for it: then that of the flight stays where it is
    for (Memory &one : memory_) (void)one.release();
  }
}

bool Flight::is_done() {
  // Under a Call, or when MPI is about to end.
  int done = 0;
  statuses_.resize(requests_.size());
  const int code = MPI_Testall(int(requests_.size()), requests_.data(), &done, statuses_.data());
  if (code == MPI_ERR_IN_STATUS) {
    for (const MPI_Status &one : statuses_)
      if (one.MPI_ERROR != MPI_SUCCESS && one.MPI_ERROR != MPI_ERR_PENDING) check(one.MPI_ERROR, "MPI_Testall");
  }
  check(code, "MPI_Testall");
  return done;
}

void Flight::wait(Milliseconds timeout, const std::atomic<bool> &aborted) {
  const Clock::time_point end = Clock::now() + timeout;
  // MPI moves nothing by itself: somebody has to ask. Others may want the processor.
  auto pause = std::chrono::microseconds(10);
  for (int asked = 0;; ++asked) {
    {
      const Call call;
      if (is_done()) return;
    }
    if (aborted) throw Error(ErrorKind::Backend, "aborted");
    if (ending) throw Error(ErrorKind::Runtime, "the process is about to end");
    if (asked < 1000) {
      ::sched_yield();
      if (asked % 64 != 63) continue;
    } else {
      std::this_thread::sleep_for(pause);
      if (asked % 256 == 255) pause = std::min(2 * pause, std::chrono::microseconds(500));
    }
    if (Clock::now() > end) throw std::runtime_error("timed out: not every other rank has joined it, or sent its part");
  }
}

void Flight::cancel() {
  const Call call;
  for (MPI_Request &one : requests_)
    if (one != MPI_REQUEST_NULL) MPI_Cancel(&one);
}

// ---- lengths, messages to all --------------------------------------------------------------------

Length::Length(size_t bytes) : count_(int(bytes)), type_(MPI_BYTE) {
  if (bytes <= INT_MAX) return;
  constexpr size_t kBlock = size_t(1) << 24;
  MPI_Datatype block, rest;
  check(MPI_Type_contiguous(int(kBlock), MPI_BYTE, &block), "MPI_Type_contiguous");
  check(MPI_Type_contiguous(int(bytes % kBlock), MPI_BYTE, &rest), "MPI_Type_contiguous");
  int counts[2] = {int(bytes / kBlock), 1};
  MPI_Aint places[2] = {0, MPI_Aint(bytes / kBlock * kBlock)};
  MPI_Datatype parts[2] = {block, rest};
  check(MPI_Type_create_struct(2, counts, places, parts, &type_), "MPI_Type_create_struct");
  check(MPI_Type_commit(&type_), "MPI_Type_commit");
  MPI_Type_free(&block);
  MPI_Type_free(&rest);
  count_ = 1;
}
Length::~Length() {
  if (type_ != MPI_BYTE) MPI_Type_free(&type_);  // requests that use it keep what they need
}

std::vector<std::string> exchange(const std::string &mine, Milliseconds timeout) {
  constexpr size_t kEach = 256;
  const int size = world_size();
  Flight flight;
  char *const said = flight.take(kEach), *const all = flight.take(kEach * size_t(size));
  std::memset(said, 0, kEach);
  std::memcpy(said, mine.data(), std::min(mine.size(), kEach - 1));
  {
    const Call call;
    check(MPI_Iallgather(said, int(kEach), MPI_BYTE, all, int(kEach), MPI_BYTE, MPI_COMM_WORLD, flight.request()),
          "MPI_Iallgather");
  }
  const std::atomic<bool> never{false};
  try {
    flight.wait(timeout, never);
  } catch (const std::runtime_error &error) {
    throw Error(ErrorKind::Backend, "rank " + std::to_string(world_rank()) + " of the " + std::to_string(size) +
                                        " processes that MPI knows waited " + std::to_string(timeout.count()) +
                                        "ms for the others to join the process group: " + error.what());
  }
  std::vector<std::string> found;
  for (int r = 0; r < size; ++r) found.emplace_back(all + kEach * size_t(r));
  reap();
  return found;
}

}  // namespace thd::mpi
