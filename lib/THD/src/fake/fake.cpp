// One rank that takes itself for a group: operations are done at once, and what others would send is what it has
// itself. For programs whose shapes, plans and memory are looked at, for a world that is not there.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <THD/Transport.h>

namespace thd {
namespace {

class Fake : public Transport {
 public:
  Fake(int rank, int size) : Transport("fake", rank, size) {}

  void broadcast(void *, size_t, int, const Round &) override {}
  void all_reduce(void *, int64_t, THDtype, ReduceOp::Kind, const Round &) override {}
  void reduce(const void *in, void *out, int64_t count, THDtype dtype, ReduceOp::Kind, int, const Round &) override {
    copy(out, 0, in, 0, count * int64_t(TH_elementSize(dtype)));
  }
  void all_gather(const void *in, void *out, const Counts &bytes, const Round &) override {
    int64_t at = 0;
    for (const int64_t n : bytes) {
      copy(out, at, in, 0, std::min(n, bytes[size_t(rank)]));
      at += n;
    }
  }
  void gather(const void *in, void *out, const Counts &bytes, int root, const Round &round) override {
    if (rank == root) all_gather(in, out, bytes, round);
  }
  void scatter(const void *in, void *out, const Counts &bytes, int root, const Round &) override {
    if (rank == root) copy(out, 0, in, before(bytes), bytes[size_t(rank)]);
  }
  void reduce_scatter(void *in, void *out, const Counts &counts, THDtype dtype, ReduceOp::Kind,
                      const Round &) override {
    const int64_t width = int64_t(TH_elementSize(dtype));
    copy(out, 0, in, before(counts) * width, counts[size_t(rank)] * width);
  }
  void all_to_all(const void *in, const Counts &in_bytes, void *out, const Counts &out_bytes, const Round &) override {
    int64_t from = 0, to = 0;
    for (size_t r = 0; r < out_bytes.size(); ++r) {
      copy(out, to, in, from, std::min(in_bytes[r], out_bytes[r]));
      from += in_bytes[r];
      to += out_bytes[r];
    }
  }
  void barrier(const Round &) override {}
  std::unique_ptr<Posted> send(const void *, size_t, int to, uint32_t) override { return std::make_unique<Done>(to); }
  std::unique_ptr<Posted> receive(void *, size_t, int from, uint32_t) override {
    return std::make_unique<Done>(from < 0 ? (rank + 1) % size : from);
  }
  void abort() override {}

 private:
  struct Done : Posted {
    explicit Done(int other) : other(other) {}
    int wait(Milliseconds) override { return other; }
    const int other;
  };
  int64_t before(const Counts &counts) const {
    return std::accumulate(counts.begin(), counts.begin() + rank, int64_t(0));
  }
  static void copy(void *to, int64_t to_at, const void *from, int64_t from_at, int64_t bytes) {
    if (bytes) std::memcpy(static_cast<char *>(to) + to_at, static_cast<const char *>(from) + from_at, size_t(bytes));
  }
};

}  // namespace

GroupRef fake_group(StoreRef store, int rank, int size, Milliseconds timeout) {
  check_place(store, rank, size, timeout);
  return std::make_shared<ProcessGroup>(std::make_unique<Fake>(rank, size), std::move(store), timeout);
}

}  // namespace thd
