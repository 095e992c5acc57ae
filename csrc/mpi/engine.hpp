// MPI, of which a process has one: it is started once and never again after its end, and its calls must not outlast it.
#pragma once

#define OMPI_SKIP_MPICXX 1  // C alone
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include <THD/Transport.h>

namespace thd::mpi {

// Starts MPI unless it runs (mpi4py may have started it). Raises ErrorKind::Runtime if it has ended, or runs in such a
// way that no thread but the first may use it.
void start();
int world_rank();
int world_size();
std::string version();  // of the library: "Open MPI v5.0.7, …"
std::string thread_level();  // "MPI_THREAD_MULTIPLE"
// Ends MPI, if it was started here. Not while operations are under way that others have left: MPI would wait for them.
// Then nothing is done, and whoever started the processes sees that this one ended without a word, and ends the others.
void finish();

// MPI may be called while one of these lives. Raises if MPI has ended.
class Call {
 public:
  Call();

 private:
  std::shared_lock<std::shared_mutex> shared_;
  std::unique_lock<std::shared_mutex> alone_;  // where MPI wants one thread at a time
};

// Raises std::runtime_error if `code` is no success: "MPI_Ibcast: …".
void check(int code, const char *function);

using Memory = std::unique_ptr<char[]>;  // not initialised
inline Memory memory(size_t bytes) { return std::make_unique_for_overwrite<char[]>(bytes ? bytes : 1); }

// Requests that are under way and the memory that they use, which is no tensor's: MPI has no way to end a collective
// operation that others do not join, and may write to its memory for ever. Whatever is let go of too early is kept here
// until it is done, at most until the process ends.
class Flight {
 public:
  Flight() = default;
  Flight(Flight &&) = default;
  Flight &operator=(Flight &&other) noexcept;
  ~Flight();

  char *take(size_t bytes) { return memory_.emplace_back(memory(bytes)).get(); }
  char *at(size_t i) const { return memory_[i].get(); }
  MPI_Request *request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  // Returns when all are done. Raises when the time is up, when `aborted`, or with what MPI says.
  void wait(Milliseconds timeout, const std::atomic<bool> &aborted);
  bool is_done();  // raises what MPI says
  void renew() { requests_.clear(); }  // the same memory, for other requests
  const MPI_Status &status(size_t i) const { return statuses_[i]; }
  void cancel();  // of receiving: what has not begun will not

 private:
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
  std::vector<Memory> memory_;
};

// So many bytes as an argument of MPI's, whose counts are ints.
class Length {
 public:
  explicit Length(size_t bytes);
  ~Length();
  Length(const Length &) = delete;
  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_;
};

// What MPI calls a dtype and a reduction: its own, where they do what THD's do, else made of THD's.
struct Reduction {
  MPI_Datatype type;
  MPI_Op op;
};
Reduction reduction_of(THDtype dtype, ReduceOp::Kind op);
void make_reductions();  // when MPI has started

// What every process of the world says, at most 255 bytes, by rank. Raises when the time is up.
std::vector<std::string> exchange(const std::string &mine, Milliseconds timeout);

// A group of the processes that meet at `store`. Returns when all `size` of them have come.
GroupRef group(StoreRef store, int rank, int size, Milliseconds timeout);

}  // namespace thd::mpi
