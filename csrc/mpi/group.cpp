// MPI as a group's engine. Collective operations are MPI's, of the kind that does not wait: so somebody can look at the
// clock. They work in memory of this file's, a piece at a time.
#include <algorithm>
#include <climits>
#include <cstring>
#include <numeric>
#include <optional>

#include "engine.hpp"

namespace thd::mpi {
namespace {

constexpr size_t kPiece = size_t(1) << 18;  // bytes: what is larger MPI moves in too many rounds, out of the cache

// What messages share that may outlive the group.
struct Ends {
  MPI_Comm messages = MPI_COMM_NULL, rounds = MPI_COMM_NULL;
  std::atomic<bool> aborted{false};
  std::atomic<bool> stuck{false};  // an operation has failed: MPI may be in it for ever
  int largest_tag = 32767;
  ~Ends() {
    if (stuck) return;
    try {
      const Call call;
      if (messages != MPI_COMM_NULL) MPI_Comm_free(&messages);
      if (rounds != MPI_COMM_NULL) MPI_Comm_free(&rounds);
    } catch (const Error &) {  // MPI has ended, and they with it
    }
  }
};

void copy(void *to, const void *from, size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}
char *at(void *data, int64_t bytes) { return static_cast<char *>(data) + bytes; }
const char *at(const void *data, int64_t bytes) { return static_cast<const char *>(data) + bytes; }
int64_t sum(const Counts &counts) { return std::accumulate(counts.begin(), counts.end(), int64_t(0)); }

class Engine : public Transport {
 public:
  Engine(std::shared_ptr<Ends> ends, int rank, int size) : Transport("mpi", rank, size), ends_(std::move(ends)) {
    in_turn = SIZE_MAX;
  }

  void broadcast(void *data, size_t bytes, int root, const Round &round) override {
    pieces(
        int64_t(bytes), 1, round,
        [&](char *memory, int64_t from, int64_t n, MPI_Request *request) {
          if (rank == root) copy(memory, at(data, from), size_t(n));
          check(MPI_Ibcast(memory, int(n), MPI_BYTE, root, ends_->rounds, request), "MPI_Ibcast");
        },
        [&](const char *memory, int64_t from, int64_t n) {
          if (rank != root) copy(at(data, from), memory, size_t(n));
        });
  }

  void all_reduce(void *data, int64_t count, THDtype dtype, ReduceOp::Kind op, const Round &round) override {
    const int64_t width = int64_t(TH_elementSize(dtype));
    const Reduction how = reduction_of(dtype, op);
    pieces(
        count, width, round,
        [&](char *memory, int64_t from, int64_t n, MPI_Request *request) {
          copy(memory, at(data, from * width), size_t(n * width));
          check(MPI_Iallreduce(MPI_IN_PLACE, memory, int(n), how.type, how.op, ends_->rounds, request),
                "MPI_Iallreduce");
        },
        [&](const char *memory, int64_t from, int64_t n) { copy(at(data, from * width), memory, size_t(n * width)); });
  }

  void reduce(const void *in, void *out, int64_t count, THDtype dtype, ReduceOp::Kind op, int root,
              const Round &round) override {
    const int64_t width = int64_t(TH_elementSize(dtype));
    const Reduction how = reduction_of(dtype, op);
    pieces(
        count, width, round,
        [&](char *memory, int64_t from, int64_t n, MPI_Request *request) {
          copy(memory, at(in, from * width), size_t(n * width));
          check(MPI_Ireduce(rank == root ? MPI_IN_PLACE : memory, memory, int(n), how.type, how.op, root, ends_->rounds,
                            request),
                "MPI_Ireduce");
        },
        [&](const char *memory, int64_t from, int64_t n) {
          if (rank == root) copy(at(out, from * width), memory, size_t(n * width));
        });
  }

  void all_gather(const void *in, void *out, const Counts &bytes, const Round &round) override {
    rows(
        bytes, 1, round,
        [&](const Row &row, MPI_Request *request) {
          copy(row.of(rank), at(in, row.from), size_t(row.counts[size_t(rank)]));
          check(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, row.memory, row.counts.data(), row.places.data(), MPI_BYTE,
                                ends_->rounds, request),
                "MPI_Iallgatherv");
        },
        [&](const Row &row) { spread(row, out, bytes, 1); });
  }
  void gather(const void *in, void *out, const Counts &bytes, int root, const Round &round) override {
    rows(
        bytes, 1, round,
        [&](const Row &row, MPI_Request *request) {
          copy(row.of(rank), at(in, row.from), size_t(row.counts[size_t(rank)]));
          const bool here = rank == root;
          check(MPI_Igatherv(here ? MPI_IN_PLACE : row.of(rank), row.counts[size_t(rank)], MPI_BYTE, row.memory,
                             row.counts.data(), row.places.data(), MPI_BYTE, root, ends_->rounds, request),
                "MPI_Igatherv");
        },
        [&](const Row &row) {
          if (rank == root) spread(row, out, bytes, 1);
        });
  }
  void scatter(const void *in, void *out, const Counts &bytes, int root, const Round &round) override {
    rows(
        bytes, 1, round,
        [&](const Row &row, MPI_Request *request) {
          if (rank == root) collect(row, in, bytes, 1);
          check(MPI_Iscatterv(row.memory, row.counts.data(), row.places.data(), MPI_BYTE,
                              rank == root ? MPI_IN_PLACE : row.of(rank), row.counts[size_t(rank)], MPI_BYTE, root,
                              ends_->rounds, request),
                "MPI_Iscatterv");
        },
        [&](const Row &row) { copy(at(out, row.from), row.of(rank), size_t(row.counts[size_t(rank)])); });
  }
  void reduce_scatter(void *in, void *out, const Counts &counts, THDtype dtype, ReduceOp::Kind op,
                      const Round &round) override {
    const int64_t width = int64_t(TH_elementSize(dtype));
    const Reduction how = reduction_of(dtype, op);
    rows(
        counts, width, round,
        [&](const Row &row, MPI_Request *request) {
          collect(row, in, counts, width);
          check(MPI_Ireduce_scatter(MPI_IN_PLACE, row.memory, row.counts.data(), how.type, how.op, ends_->rounds,
                                    request),
                "MPI_Ireduce_scatter");
        },
        [&](const Row &row) {
          // In place, what is received stands at the beginning.
          copy(at(out, row.from * width), row.memory, size_t(row.counts[size_t(rank)] * width));
        });
  }

  // Only two ranks know what goes between them, so these are messages.
  void all_to_all(const void *in, const Counts &in_bytes, void *out, const Counts &out_bytes,
                  const Round &round) override {
    Flight flight;
    char *const sent = flight.take(size_t(sum(in_bytes))), *const received = flight.take(size_t(sum(out_bytes)));
    copy(sent, in, size_t(sum(in_bytes)));
    const int tag = int(round.tag & uint32_t(ends_->largest_tag));
    {
      const Call call;
      int64_t place = 0;
      for (int r = 0; r < size; place += out_bytes[size_t(r++)]) {
        if (r == rank) continue;
        const Length length(size_t(out_bytes[size_t(r)]));
        check(MPI_Irecv(received + place, length.count(), length.type(), r, tag, ends_->rounds, flight.request()),
              "MPI_Irecv");
      }
      place = 0;
      for (int r = 0; r < size; place += in_bytes[size_t(r++)]) {
        if (r == rank) continue;
        const Length length(size_t(in_bytes[size_t(r)]));
        check(MPI_Isend(sent + place, length.count(), length.type(), r, tag, ends_->rounds, flight.request()),
              "MPI_Isend");
      }
    }
    wait(flight, round.timeout);
    size_t arrived = 0;
    int64_t from = 0, to = 0;
    for (int r = 0; r < size; ++r) {
      const int64_t n = out_bytes[size_t(r)];
      if (r != rank) check_length(flight.status(arrived++), r, n);
      copy(at(out, to), r == rank ? at(in, from) : received + to, size_t(n));
      from += in_bytes[size_t(r)];
      to += n;
    }
  }

  void barrier(const Round &round) override {
    Flight flight;
    {
      const Call call;
      check(MPI_Ibarrier(ends_->rounds, flight.request()), "MPI_Ibarrier");
    }
    wait(flight, round.timeout);
  }

  std::unique_ptr<Posted> send(const void *data, size_t bytes, int to, uint32_t tag) override {
    auto message = std::make_unique<Message>(ends_, nullptr, bytes, to);
    copy(message->flight.take(bytes), data, bytes);
    const Length length(bytes);
    const Call call;
    check(MPI_Isend(message->flight.at(0), length.count(), length.type(), to, checked(tag), ends_->messages,
                    message->flight.request()),
          "MPI_Isend");
    return message;
  }
  std::unique_ptr<Posted> receive(void *data, size_t bytes, int from, uint32_t tag) override {
    auto message = std::make_unique<Message>(ends_, data, bytes, from);
    message->flight.take(bytes);
    const Length length(bytes);
    const Call call;
    check(MPI_Irecv(message->flight.at(0), length.count(), length.type(), from < 0 ? MPI_ANY_SOURCE : from,
                    checked(tag), ends_->messages, message->flight.request()),
          "MPI_Irecv");
    return message;
  }

  void abort() override { ends_->aborted = true; }

 private:
  // Part of what every rank has: counts[r] elements of each, from element `from` of its own.
  struct Row {
    char *memory;
    int64_t from, width;
    std::vector<int> counts, places;
    char *of(int r) const { return memory + places[size_t(r)] * width; }
  };
  struct Message : Posted {
    Message(std::shared_ptr<Ends> ends, void *data, size_t bytes, int other)
        : ends(std::move(ends)), data(data), bytes(bytes), other(other) {}
    ~Message() override {
      // Nobody waits for it any more: what is sent arrives all the same, what is not received yet will not be.
      if (data && !waited) try {
          flight.cancel();
        } catch (const std::exception &) {
        }
    }
    int wait(Milliseconds timeout) override {
      try {
        flight.wait(timeout, ends->aborted);
      } catch (const std::exception &) {
        if (!data) ends->stuck = true;
        throw;
      }
      waited = true;
      if (!data) return other;
      const int source = flight.status(0).MPI_SOURCE;
      check_length(flight.status(0), source, int64_t(bytes));
      copy(data, flight.at(0), bytes);
      return source;
    }
    const std::shared_ptr<Ends> ends;
    void *const data;  // nullptr: it is sent
    const size_t bytes;
    const int other;
    bool waited = false;
    Flight flight;
  };

  static void check_length(const MPI_Status &status, int r, int64_t wanted) {
    MPI_Count came = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &came);
    if (came != wanted)
      throw Error(ErrorKind::Backend, "rank " + std::to_string(r) + " sent " + std::to_string(came) +
                                          " bytes, where this rank expects " + std::to_string(wanted));
  }
  int checked(uint32_t tag) const {
    if (tag > uint32_t(ends_->largest_tag))
      throw Error(ErrorKind::Value,
                  "a tag must be 0 to " + std::to_string(ends_->largest_tag) + ", not " + std::to_string(int32_t(tag)));
    return int(tag);
  }
  void wait(Flight &flight, Milliseconds timeout) {
    try {
      flight.wait(timeout, ends_->aborted);
    } catch (const std::exception &) {
      ends_->stuck = true;
      throw;
    }
  }

  // An operation in steps: while one is under way, the next one's memory is filled.
  template <class Begin, class End>
  void steps(int64_t count, size_t bytes, const Round &round, const Begin &begin, const End &end) {
    const auto until = std::chrono::steady_clock::now() + round.timeout;
    std::optional<Flight> flights[2];
    const auto finish = [&](int64_t step) {
      using std::chrono::ceil;
      std::optional<Flight> &flight = flights[step % 2];
      const auto left = ceil<Milliseconds>(until - std::chrono::steady_clock::now());
      wait(*flight, std::max(left, Milliseconds(1)));
      end(flight->at(0), step);
    };
    for (int64_t step = 0; step < count; ++step) {
      Flight &flight = flights[step % 2] ? *flights[step % 2] : flights[step % 2].emplace();
      if (step < 2) flight.take(bytes);
      flight.renew();
      {
        const Call call;
        begin(flight.at(0), step, flight.request());
      }
      if (step) finish(step - 1);
    }
    if (count) finish(count - 1);
  }
  template <class Begin, class End>
  void pieces(int64_t count, int64_t width, const Round &round, const Begin &begin, const End &end) {
    const int64_t each = std::clamp<int64_t>(int64_t(kPiece) / width, 1, std::max<int64_t>(count, 1));
    const auto length = [&](int64_t step) { return std::min(each, count - step * each); };
    steps((count + each - 1) / each, size_t(each * width), round,
          [&](char *memory, int64_t step, MPI_Request *request) { begin(memory, step * each, length(step), request); },
          [&](const char *memory, int64_t step) { end(memory, step * each, length(step)); });
  }
  template <class Begin, class End>
  void rows(const Counts &counts, int64_t width, const Round &round, const Begin &begin, const End &end) {
    const int64_t most = *std::max_element(counts.begin(), counts.end());
    const int64_t each = std::clamp<int64_t>(2 * int64_t(kPiece) / (width * size), 1, std::max<int64_t>(most, 1));
    const auto row = [&](char *memory, int64_t step) {
      Row row{memory, step * each, width, {}, {}};
      int place = 0;
      for (const int64_t n : counts) {
        row.places.push_back(place);
        row.counts.push_back(int(std::clamp<int64_t>(n - step * each, 0, each)));
        place += row.counts.back();
      }
      return row;
    };
    steps((most + each - 1) / each, size_t(each * width * size), round,
          [&](char *memory, int64_t step, MPI_Request *request) { begin(row(memory, step), request); },
          [&](char *memory, int64_t step) { end(row(memory, step)); });
  }
  // Between a row and what stands in the order of ranks, counts[r] elements of each.
  static void spread(const Row &row, void *all, const Counts &counts, int64_t width) {
    int64_t place = 0;
    for (size_t r = 0; r < counts.size(); place += counts[r++])
      copy(at(all, (place + row.from) * width), row.of(int(r)), size_t(row.counts[r] * width));
  }
  static void collect(const Row &row, const void *all, const Counts &counts, int64_t width) {
    int64_t place = 0;
    for (size_t r = 0; r < counts.size(); place += counts[r++])
      copy(row.of(int(r)), at(all, (place + row.from) * width), size_t(row.counts[r] * width));
  }

  const std::shared_ptr<Ends> ends_;
};

std::string list_of(const std::vector<int> &ranks) {
  std::string text;
  for (const int r : ranks) text += (text.empty() ? "" : ", ") + std::to_string(r);
  return text.empty() ? "none" : text;
}

// The places in MPI's world of the group's ranks, who all say theirs. Making a communicator waits without end for who
// does not come, so nobody begins before all are there.
std::vector<int> places_of_all(const StoreRef &store, int rank, int size, Milliseconds timeout) {
  store->set(std::to_string(rank), std::to_string(world_rank()));
  Keys keys;
  for (int r = 0; r < size; ++r) keys.push_back(std::to_string(r));
  try {
    store->wait(keys, timeout);
  } catch (const Error &error) {
    std::vector<int> came, missing;
    try {
      const StoreRef hasty = store->hasty(Milliseconds(1000));
      for (int r = 0; r < size; ++r) (hasty->check({keys[size_t(r)]}) ? came : missing).push_back(r);
    } catch (const Error &) {
      throw error;
    }
    throw Error(ErrorKind::Backend, "mpi: rank " + std::to_string(rank) + " of " + std::to_string(size) + " waited " +
                                        std::to_string(timeout.count()) + "ms; ranks that have come: " + list_of(came) +
                                        "; missing: " + list_of(missing));
  }
  std::vector<int> places;
  for (const Bytes &said : store->multi_get(keys)) {
    const int place = std::stoi(said);
    if (std::find(places.begin(), places.end(), place) != places.end())
      throw Error(ErrorKind::Value, "mpi: two ranks of a group are the process with MPI's rank " + said +
                                        ": were they started by one mpirun?");
    places.push_back(place);
  }
  return places;
}

}  // namespace

GroupRef group(StoreRef store, int rank, int size, Milliseconds timeout) {
  check_place(store, rank, size, timeout);
  start();
  if (size > world_size())
    throw Error(ErrorKind::Value, "mpi: a group of " + std::to_string(size) + " ranks, where MPI has started " +
                                      std::to_string(world_size()) + " processes: mpirun -np " + std::to_string(size));
  // Ranks that join a store's group again meet under another name.
  const int64_t times = store->add("joined/" + std::to_string(rank), 1);
  const StoreRef meeting = prefix_store("meeting " + std::to_string(times), store);
  static std::atomic<int> made{0};
  if (rank == 0) meeting->set("tag", std::to_string(made++ % 32768));
  const std::vector<int> places = places_of_all(meeting, rank, size, timeout);
  const int tag = std::stoi(meeting->get("tag"));
  auto ends = std::make_shared<Ends>();
  try {
    const Call call;
    MPI_Group world, members;
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    check(MPI_Group_incl(world, size, places.data(), &members), "MPI_Group_incl");
    const int code = MPI_Comm_create_group(MPI_COMM_WORLD, members, tag, &ends->messages);
    MPI_Group_free(&members);
    MPI_Group_free(&world);
    check(code, "MPI_Comm_create_group");
    check(MPI_Comm_set_errhandler(ends->messages, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_dup(ends->messages, &ends->rounds), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(ends->rounds, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int *largest = nullptr, known = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &known), "MPI_Comm_get_attr");
    if (known) ends->largest_tag = *largest;
  } catch (const std::runtime_error &error) {
    throw Error(ErrorKind::Backend, "mpi: rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                        " could not join the group: " + error.what());
  }
  return std::make_shared<ProcessGroup>(std::make_unique<Engine>(std::move(ends), rank, size), std::move(store),
                                        timeout);
}

}  // namespace thd::mpi
