// Processes that compute together, each with a rank, 0 … size - 1.
//
// Every rank of a group calls the same collective operations in the same order. An operation begins when it is called
// and returns a Work; without `async` it is done by then, in the calling thread. Arguments are judged before anything
// is sent, and raise ErrorKind::Value. What fails later raises from Work::wait, names rank, operation and sizes, and
// leaves the group unusable. Tensors may have any strides and any dtype; those of ranks must agree in dtype and numbers
// of elements.
#pragma once

#include <optional>

#include <THD/Work.h>

namespace thd {

using thpp::Tensor;
using Tensors = std::vector<Tensor>;

struct ReduceOp {
  enum Kind : uint8_t { Sum, Avg, Product, Min, Max, Band, Bor, Bxor, PremulSum };
  Kind kind = Sum;
  double factor = 1;  // PremulSum: of every rank's tensor, before the sum
};
THD_API const char *name_of(ReduceOp::Kind kind);

enum class DebugLevel { Off, Info, Detail };
// As TORCH_DISTRIBUTED_DEBUG says, or as it is set. Detail: before each collective operation ranks compare what they
// are about to do; where they differ every one of them raises, and says who wants what.
THD_API DebugLevel debug_level();
THD_API void set_debug_level(DebugLevel level);
THD_API void set_debug_level_from_environment();

// How an operation is called.
struct Call {
  bool async = false;
  Milliseconds timeout = kNoTimeout;
};

class Transport;

class ProcessGroup {
 public:
  THD_API ProcessGroup(std::unique_ptr<Transport> transport, StoreRef store, Milliseconds timeout);
  THD_API ~ProcessGroup();
  ProcessGroup(const ProcessGroup &) = delete;

  THD_API int rank() const;
  THD_API int size() const;
  THD_API const char *backend() const;  // "gloo"
  StoreRef store() const { return store_; }
  THD_API Milliseconds timeout() const;
  THD_API void set_timeout(Milliseconds timeout);
  std::string name, description;
  THD_API int64_t sequence_number() const;  // of the last collective operation

  // root's tensor, for all.
  THD_API WorkRef broadcast(const Tensor &tensor, int root, Call call = {});
  // The sum, or what `op` says, of all, for all. Ranks get the same bits.
  THD_API WorkRef all_reduce(const Tensors &tensors, ReduceOp op, Call call = {});
  // The same for root alone; the others' tensors stay.
  THD_API WorkRef reduce(const Tensor &tensor, int root, ReduceOp op, Call call = {});
  // out[r]: rank r's `in`, of its own size.
  THD_API WorkRef all_gather(const Tensors &out, const Tensor &in, Call call = {});
  THD_API WorkRef all_gather_into(const Tensor &out, const Tensor &in, Call call = {});
  THD_API WorkRef gather(const Tensors &out, const Tensor &in, int root, Call call = {});
  THD_API WorkRef scatter(const Tensor &out, const Tensors &in, int root, Call call = {});
  // out: what ranks' in[rank()] add up to.
  THD_API WorkRef reduce_scatter(const Tensor &out, const Tensors &in, ReduceOp op, Call call = {});
  THD_API WorkRef reduce_scatter_from(const Tensor &out, const Tensor &in, ReduceOp op, Call call = {});
  // out[r]: rank r's in[rank()].
  THD_API WorkRef all_to_all(const Tensors &out, const Tensors &in, Call call = {});
  // The same of rows of one tensor, so many for each rank; empty: as many for each.
  THD_API WorkRef all_to_all_single(const Tensor &out, const Tensor &in, const std::vector<int64_t> &out_rows,
                                    const std::vector<int64_t> &in_rows, Call call = {});
  THD_API WorkRef barrier(Call call = {});
  // Root waits for every rank, then lets all go on. Raises, at root, who did not come (the first, or all).
  THD_API void monitored_barrier(Milliseconds timeout, bool wait_all_ranks);

  // One to one, any time, in the order in which messages of one tag are sent.
  THD_API WorkRef send(const Tensor &tensor, int to, int tag, Call call = {});
  THD_API WorkRef receive(const Tensor &tensor, int from, int tag, Call call = {});
  THD_API WorkRef receive_any(const Tensor &tensor, int tag, Call call = {});

  // Ends what is under way, with an error, and all connections.
  THD_API void abort();
  // Waits for what is under way, then lets go of connections and threads. In a forked child, which has neither:
  // nothing.
  THD_API void shutdown();

 private:
  struct State;
  std::shared_ptr<State> state_;  // operations that are not waited for share it
  StoreRef store_;
};
using GroupRef = std::shared_ptr<ProcessGroup>;

struct GlooOptions {
  std::string interface;  // whose address others connect with; "": the one that this machine's name has, or loopback
  Milliseconds timeout{1'800'000};
};
// Over TCP, by gloo. Returns when all `size` ranks have come.
THD_API GroupRef gloo_group(StoreRef store, int rank, int size, const GlooOptions &options = {});

// Of threads of this process, which share `store`; for tests. Returns when all `size` of them have come.
THD_API GroupRef threaded_group(StoreRef store, int rank, int size, Milliseconds timeout);
// Of this rank alone: operations are done at once, and copy at most this rank's own elements.
THD_API GroupRef fake_group(StoreRef store, int rank, int size, Milliseconds timeout);

}  // namespace thd
