// Where the ranks of a threaded group meet: each says where its memory is, and the others read it there.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>

#include <THD/Transport.h>

namespace thd::threaded {

// What a rank brings to an operation. Ranks' must agree in `what` and `key`, the root or the dtype and the reduction.
struct Part {
  const char *what = nullptr;  // nullptr: it has not come
  int64_t key = 0;
  const void *in = nullptr;
  Counts bytes;  // of `in`: one, or one a rank
};

// One operation of all ranks.
struct Meeting {
  std::vector<Part> parts;
  int come = 0, done = 0;
  std::string failure;
};
using MeetingRef = std::shared_ptr<Meeting>;

// A receive that was posted: `data` is written by whoever sends.
struct Ticket {
  void *data;
  size_t bytes;
  int to, from;  // from: -1 for any
  uint32_t tag;
  bool done = false;
  std::string failure;
};

class Hub {
 public:
  explicit Hub(int size) : size(size), left_(size_t(size)) {}

  // Returns when all ranks have brought their parts. Raises if one does not, has left, or brings what does not fit.
  MeetingRef meet(int rank, const Round &round, Part part);
  // Returns when all ranks have called it: none of them reads parts any more. It waits for copies alone.
  void part(const MeetingRef &meeting);

  void send(const void *data, size_t bytes, int from, int to, uint32_t tag);
  void post(const std::shared_ptr<Ticket> &ticket);
  void cancel(const std::shared_ptr<Ticket> &ticket);
  int wait(const std::shared_ptr<Ticket> &ticket, Milliseconds timeout);  // who has sent

  void abort(int rank);
  void leave(int rank);

  const int size;

 private:
  struct Message {
    Bytes data;
    int from, to;
    uint32_t tag;
  };
  void deliver(Ticket &ticket, const void *data, size_t bytes, int from);
  void check_alive() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint32_t, MeetingRef> meetings_;  // of those that not all have come to
  std::list<Message> messages_;              // which nobody has asked for yet
  std::list<std::shared_ptr<Ticket>> tickets_;
  std::vector<bool> left_;
  std::string aborted_;
};

// The hub of the group whose ranks meet in `store`: rank 0 makes it. Raises if that was another process.
std::shared_ptr<Hub> find_hub(const StoreRef &store, int rank, int size, Milliseconds timeout);

}  // namespace thd::threaded
