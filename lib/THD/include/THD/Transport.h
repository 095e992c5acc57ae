// What an engine does for a group: bytes of memory, moved and added up. Tensors, checks, threads and errors are the
// group's affair. A function returns when it is done, and raises std::exception if it fails. Whoever derives from this
// has a backend: ProcessGroup(std::make_unique<Mine>(…), store, timeout).
#pragma once

#include <memory>
#include <optional>

#include <THD/ProcessGroup.h>

namespace thd {

// One operation among those that may be under way at once: ranks give it the same number. Ranks that mean different
// operations or numbers of elements by it have different numbers, but for one case in a million; so their messages do
// not meet, and the operation ends by its timeout, not in memory that is too small.
struct Round {
  uint32_t tag;  // the number, then 20 bits of what it means
  Milliseconds timeout;
  bool in_turn = false;  // those before it that have this are done on this rank, and none that comes later has begun
  uint32_t number() const { return tag >> 20; }
};
using Counts = std::vector<int64_t>;  // one a rank

class Transport {
 public:
  // A message that is under way.
  class Posted {
   public:
    virtual ~Posted() = default;
    virtual int wait(Milliseconds timeout) = 0;  // the other rank
  };

  Transport(const char *backend, int rank, int size) : backend(backend), rank(rank), size(size) {}
  virtual ~Transport() = default;
  Transport(const Transport &) = delete;

  virtual void broadcast(void *data, size_t bytes, int root, const Round &round) = 0;
  // count elements, in place
  virtual void all_reduce(void *data, int64_t count, THDtype dtype, ReduceOp::Kind op, const Round &round) = 0;
  virtual void reduce(const void *in, void *out, int64_t count, THDtype dtype, ReduceOp::Kind op, int root,
                      const Round &round) = 0;
  // Results follow each other in `out`, in the order of ranks. Counts are of bytes, but for reduce_scatter's.
  virtual void all_gather(const void *in, void *out, const Counts &bytes, const Round &round) = 0;
  virtual void gather(const void *in, void *out, const Counts &bytes, int root, const Round &round) = 0;
  virtual void scatter(const void *in, void *out, const Counts &bytes, int root, const Round &round) = 0;
  virtual void reduce_scatter(void *in, void *out, const Counts &counts, THDtype dtype, ReduceOp::Kind op,
                              const Round &round) = 0;  // `in` is lost
  virtual void all_to_all(const void *in, const Counts &in_bytes, void *out, const Counts &out_bytes,
                          const Round &round) = 0;
  virtual void barrier(const Round &round) = 0;
  virtual std::unique_ptr<Posted> send(const void *data, size_t bytes, int to, uint32_t tag) = 0;
  virtual std::unique_ptr<Posted> receive(void *data, size_t bytes, int from, uint32_t tag) = 0;  // -1: from any
  // Connections that have broken: the other rank, and how.
  virtual std::vector<std::pair<int, std::string>> broken() { return {}; }
  // Ends what is under way, with errors, and all connections.
  virtual void abort() = 0;
  virtual void leave() {}  // this rank begins nothing any more

  const char *const backend;
  const int rank, size;
  // all_reduce, all_gather and barrier of so many bytes a rank, at most, are run in turn. None: no operation is.
  // SIZE_MAX: every collective operation is, for an engine that matches them by the order in which ranks begin them,
  // not by `tag`.
  std::optional<size_t> in_turn;
};

// out[i] = op(a[i], b[i]) for i < n; Avg and PremulSum are sums. Half types are added up in float, each step rounded.
using Reducer = void (*)(void *out, const void *a, const void *b, size_t n);
// Raises ErrorKind::Value if the dtype has no such operation: order of complex numbers, bits of floating-point numbers.
THD_API Reducer reducer_of(THDtype dtype, ReduceOp::Kind op);

// Raises ErrorKind::Value unless a group can be made of these.
THD_API void check_place(const StoreRef &store, int rank, int size, Milliseconds timeout);

}  // namespace thd
