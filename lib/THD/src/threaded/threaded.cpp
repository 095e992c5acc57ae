// Ranks that are threads of one process: they copy from each other's memory. For tests, where processes would cost
// more.
#include <cstring>
#include <numeric>

#include "hub.hpp"

namespace thd {
namespace {

using threaded::Hub;
using threaded::MeetingRef;
using threaded::Part;
using threaded::Ticket;

void copy(void *to, const void *from, size_t bytes) {
  if (bytes && to != from) std::memcpy(to, from, bytes);
}
char *at(void *data, int64_t bytes) { return static_cast<char *>(data) + bytes; }
const char *at(const void *data, int64_t bytes) { return static_cast<const char *>(data) + bytes; }

class Threaded : public Transport {
 public:
  Threaded(std::shared_ptr<Hub> hub, int rank) : Transport("threaded", rank, hub->size), hub_(std::move(hub)) {}
  ~Threaded() override { Threaded::leave(); }

  void broadcast(void *data, size_t bytes, int root, const Round &round) override {
    const Met all(*this, round, {"broadcast", root, data, {int64_t(bytes)}});
    all.check(int64_t(bytes), root, 0);
    copy(data, all[root].in, bytes);
  }

  void all_reduce(void *data, int64_t count, THDtype dtype, ReduceOp::Kind op, const Round &round) override {
    const int64_t bytes = count * int64_t(TH_elementSize(dtype));
    Bytes sum(size_t(bytes), '\0');
    {
      const Met all(*this, round, {"all_reduce", key(dtype, op), data, {bytes}});
      for (int r = 0; r < size; ++r) all.check(bytes, r, 0);
      add_up(all, sum.data(), 0, count, dtype, op);
    }
    copy(data, sum.data(), sum.size());
  }

  void reduce(const void *in, void *out, int64_t count, THDtype dtype, ReduceOp::Kind op, int root,
              const Round &round) override {
    const int64_t bytes = count * int64_t(TH_elementSize(dtype));
    Bytes sum(rank == root ? size_t(bytes) : 0, '\0');
    {
      const Met all(*this, round, {"reduce", key(dtype, op) * size + root, in, {bytes}});
      for (int r = 0; r < size; ++r) all.check(bytes, r, 0);
      if (rank == root) add_up(all, sum.data(), 0, count, dtype, op);
    }
    copy(out, sum.data(), sum.size());
  }

  void all_gather(const void *in, void *out, const Counts &bytes, const Round &round) override {
    const Met all(*this, round, {"all_gather", 0, in, {bytes[size_t(rank)]}});
    collect(all, out, bytes);
  }
  void gather(const void *in, void *out, const Counts &bytes, int root, const Round &round) override {
    const Met all(*this, round, {"gather", root, in, {bytes[size_t(rank)]}});
    if (rank == root) collect(all, out, bytes);
  }

  void scatter(const void *in, void *out, const Counts &bytes, int root, const Round &round) override {
    const Met all(*this, round, {"scatter", root, in, bytes});
    all.check(bytes[size_t(rank)], root, rank);
    int64_t before = 0;
    for (int r = 0; r < rank; ++r) before += all[root].bytes[size_t(r)];
    copy(out, at(all[root].in, before), size_t(bytes[size_t(rank)]));
  }

  void reduce_scatter(void *in, void *out, const Counts &counts, THDtype dtype, ReduceOp::Kind op,
                      const Round &round) override {
    const int64_t width = int64_t(TH_elementSize(dtype));
    Counts bytes;
    int64_t before = 0;
    for (int r = 0; r < size; ++r) {
      if (r == rank) before = std::accumulate(bytes.begin(), bytes.end(), int64_t(0));
      bytes.push_back(counts[size_t(r)] * width);
    }
    const Met all(*this, round, {"reduce_scatter", key(dtype, op), in, bytes});
    for (int r = 0; r < size; ++r)
      for (int part = 0; part < size; ++part) all.check(bytes[size_t(part)], r, part);
    add_up(all, static_cast<char *>(out), before, counts[size_t(rank)], dtype, op);
  }

  void all_to_all(const void *in, const Counts &in_bytes, void *out, const Counts &out_bytes,
                  const Round &round) override {
    const Met all(*this, round, {"all_to_all", 0, in, in_bytes});
    for (int r = 0; r < size; ++r) all.check(out_bytes[size_t(r)], r, rank);
    for (int r = 0; r < size; ++r) {
      int64_t before = 0;
      for (int other = 0; other < rank; ++other) before += all[r].bytes[size_t(other)];
      copy(out, at(all[r].in, before), size_t(out_bytes[size_t(r)]));
      out = at(out, out_bytes[size_t(r)]);
    }
  }

  void barrier(const Round &round) override { const Met all(*this, round, {"barrier", 0, nullptr, {}}); }

  std::unique_ptr<Posted> send(const void *data, size_t bytes, int to, uint32_t tag) override {
    hub_->send(data, bytes, rank, to, tag);
    return std::make_unique<Sent>(to);
  }
  std::unique_ptr<Posted> receive(void *data, size_t bytes, int from, uint32_t tag) override {
    auto message = std::make_unique<Received>(hub_, Ticket{data, bytes, rank, from, tag, false, ""});
    hub_->post(message->ticket);
    return message;
  }
  void abort() override { hub_->abort(rank); }
  void leave() override { hub_->leave(rank); }

 private:
  // While it lives, ranks' parts may be read.
  struct Met {
    Met(Threaded &self, const Round &round, Part part)
        : hub(*self.hub_), meeting(hub.meet(self.rank, round, std::move(part))) {}
    ~Met() { hub.part(meeting); }
    const Part &operator[](int r) const { return meeting->parts[size_t(r)]; }
    void check(int64_t mine, int r, int part) const {
      const int64_t theirs = (*this)[r].bytes[size_t(part)];
      if (mine != theirs)
        throw Error(ErrorKind::Backend, "rank " + std::to_string(r) + " has " + std::to_string(theirs) +
                                            " bytes for it, where this rank has " + std::to_string(mine));
    }
    Hub &hub;
    const MeetingRef meeting;
  };

  struct Sent : Posted {
    explicit Sent(int to) : to(to) {}
    int wait(Milliseconds) override { return to; }
    const int to;
  };
  struct Received : Posted {
    Received(std::shared_ptr<Hub> hub, Ticket ticket)
        : hub(std::move(hub)), ticket(std::make_shared<Ticket>(std::move(ticket))) {}
    ~Received() override { hub->cancel(ticket); }
    int wait(Milliseconds timeout) override { return hub->wait(ticket, timeout); }
    const std::shared_ptr<Hub> hub;
    const std::shared_ptr<Ticket> ticket;
  };

  static int64_t key(THDtype dtype, ReduceOp::Kind op) { return int64_t(dtype) * 16 + op; }

  void collect(const Met &all, void *out, const Counts &bytes) const {
    for (int r = 0; r < size; ++r) all.check(bytes[size_t(r)], r, 0);
    for (int r = 0; r < size; ++r) {
      copy(out, all[r].in, size_t(bytes[size_t(r)]));
      out = at(out, bytes[size_t(r)]);
    }
  }
  // In the order of ranks, so all get the same bits.
  void add_up(const Met &all, char *out, int64_t begin, int64_t count, THDtype dtype, ReduceOp::Kind op) const {
    const Reducer reducer = reducer_of(dtype, op);
    copy(out, at(all[0].in, begin), size_t(count) * TH_elementSize(dtype));
    for (int r = 1; r < size; ++r) reducer(out, out, at(all[r].in, begin), size_t(count));
  }

  const std::shared_ptr<Hub> hub_;
};

}  // namespace

GroupRef threaded_group(StoreRef store, int rank, int size, Milliseconds timeout) {
  check_place(store, rank, size, timeout);
  auto transport = std::make_unique<Threaded>(threaded::find_hub(store, rank, size, timeout), rank);
  return std::make_shared<ProcessGroup>(std::move(transport), std::move(store), timeout);
}

}  // namespace thd
