#include "hub.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace thd::threaded {
namespace {

[[noreturn]] void fail(const std::string &why) { throw Error(ErrorKind::Backend, why); }

std::string name_of(const std::vector<int> &ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i) text += (i ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

// Why parts do not make up one operation; "": they do.
std::string contradiction(const Meeting &meeting) {
  const Part &first = meeting.parts.front();
  for (size_t r = 1; r < meeting.parts.size(); ++r) {
    const Part &part = meeting.parts[r];
    const std::string who = " on rank " + std::to_string(r);
    if (std::strcmp(first.what, part.what) != 0) return std::string(first.what) + " on rank 0 meets " + part.what + who;
    if (first.key != part.key)
      return std::string(first.what) + " on rank 0 has another root, dtype or reduction than" + who;
  }
  return "";
}

}  // namespace

void Hub::check_alive() const {
  if (!aborted_.empty()) fail(aborted_);
}

MeetingRef Hub::meet(int rank, const Round &round, Part part) {
  std::unique_lock lock(mutex_);
  check_alive();
  MeetingRef &there = meetings_[round.number()];
  if (!there) {
    there = std::make_shared<Meeting>();
    there->parts.resize(size_t(size));
  }
  const MeetingRef meeting = there;
  if (!meeting->failure.empty()) fail(meeting->failure);
  meeting->parts[size_t(rank)] = std::move(part);
  if (++meeting->come == size) {
    meetings_.erase(round.number());
    meeting->failure = contradiction(*meeting);
    changed_.notify_all();
  }
  const auto missing = [&](bool gone) {
    std::vector<int> ranks;
    for (int r = 0; r < size; ++r)
      if (!meeting->parts[size_t(r)].what && (!gone || left_[size_t(r)])) ranks.push_back(r);
    return ranks;
  };
  const auto over = [&] {
    return meeting->come == size || !meeting->failure.empty() || !aborted_.empty() || !missing(true).empty();
  };
  // Who gives up says so in the meeting: nobody who comes later shall read its memory.
  if (!changed_.wait_for(lock, round.timeout, over))
    meeting->failure = name_of(missing(false)) + " did not come in time";
  if (meeting->come < size && meeting->failure.empty())
    meeting->failure = aborted_.empty() ? name_of(missing(true)) + " left the group" : aborted_;
  if (meeting->failure.empty()) return meeting;
  changed_.notify_all();
  fail(meeting->failure);
}

void Hub::part(const MeetingRef &meeting) {
  std::unique_lock lock(mutex_);
  if (++meeting->done == size) changed_.notify_all();
  changed_.wait(lock, [&] { return meeting->done == size; });
}

void Hub::deliver(Ticket &ticket, const void *data, size_t bytes, int from) {
  ticket.done = true;
  ticket.from = from;
  if (bytes != ticket.bytes)
    ticket.failure = "rank " + std::to_string(from) + " sent " + std::to_string(bytes) + " bytes where " +
                     std::to_string(ticket.bytes) + " were expected";
  else if (bytes)
    std::memcpy(ticket.data, data, bytes);
  changed_.notify_all();
}

void Hub::send(const void *data, size_t bytes, int from, int to, uint32_t tag) {
  const std::lock_guard lock(mutex_);
  check_alive();
  if (left_[size_t(to)]) fail("rank " + std::to_string(to) + " left the group");
  for (auto at = tickets_.begin(); at != tickets_.end(); ++at) {
    Ticket &ticket = **at;
    if (ticket.to != to || ticket.tag != tag || (ticket.from >= 0 && ticket.from != from)) continue;
    deliver(ticket, data, bytes, from);
    tickets_.erase(at);
    return;
  }
  messages_.push_back({Bytes(static_cast<const char *>(data), bytes), from, to, tag});
}

void Hub::post(const std::shared_ptr<Ticket> &ticket) {
  const std::lock_guard lock(mutex_);
  check_alive();
  for (auto at = messages_.begin(); at != messages_.end(); ++at) {
    if (at->to != ticket->to || at->tag != ticket->tag || (ticket->from >= 0 && at->from != ticket->from)) continue;
    deliver(*ticket, at->data.data(), at->data.size(), at->from);
    messages_.erase(at);
    return;
  }
  tickets_.push_back(ticket);
}

void Hub::cancel(const std::shared_ptr<Ticket> &ticket) {
  const std::lock_guard lock(mutex_);
  tickets_.remove(ticket);
}

int Hub::wait(const std::shared_ptr<Ticket> &ticket, Milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const auto gone = [&] {
    for (int r = 0; r < size; ++r)
      if (r != ticket->to && (ticket->from < 0 || ticket->from == r) && !left_[size_t(r)]) return false;
    return true;
  };
  const bool over = changed_.wait_for(lock, timeout, [&] { return ticket->done || !aborted_.empty() || gone(); });
  if (ticket->done && ticket->failure.empty()) return ticket->from;
  if (ticket->done) fail(ticket->failure);
  const std::string who = ticket->from < 0 ? "any rank" : "rank " + std::to_string(ticket->from);
  if (!over) fail("nothing came from " + who + " in time");
  check_alive();
  fail(ticket->from < 0 ? "all other ranks left the group" : who + " left the group");
}

void Hub::abort(int rank) {
  const std::lock_guard lock(mutex_);
  if (aborted_.empty()) aborted_ = "rank " + std::to_string(rank) + " aborted the group";
  changed_.notify_all();
}

void Hub::leave(int rank) {
  const std::lock_guard lock(mutex_);
  left_[size_t(rank)] = true;
  changed_.notify_all();
}

std::shared_ptr<Hub> find_hub(const StoreRef &store, int rank, int size, Milliseconds timeout) {
  static std::mutex mutex;
  static auto &hubs = *new std::map<int64_t, std::shared_ptr<Hub>>;
  static int64_t made = 0;
  constexpr const char *kKey = "threads";
  const std::string process = std::to_string(::getpid());
  if (rank == 0) {
    const auto hub = std::make_shared<Hub>(size);
    int64_t number;
    {
      const std::lock_guard lock(mutex);
      hubs[number = made++] = hub;
    }
    const auto forget = [&] {
      const std::lock_guard lock(mutex);
      hubs.erase(number);
    };
    try {
      store->set(kKey, process + " " + std::to_string(number));
      for (int r = 1; r < size; ++r) store->wait({"came " + std::to_string(r)}, timeout);
    } catch (...) {
      forget();
      throw;
    }
    forget();  // those that have come hold it
    return hub;
  }
  store->wait({kKey}, timeout);
  const Bytes value = store->get(kKey);
  const size_t space = value.find(' ');
  if (space == Bytes::npos || value.substr(0, space) != process)
    throw Error(ErrorKind::Value, "a threaded group is of threads of one process: rank " + std::to_string(rank) +
                                      " is in process " + process + ", rank 0 in " + value.substr(0, space));
  std::shared_ptr<Hub> hub;
  {
    const std::lock_guard lock(mutex);
    const auto at = hubs.find(std::stoll(value.substr(space + 1)));
    if (at != hubs.end()) hub = at->second;
  }
  if (!hub) fail("rank " + std::to_string(rank) + " came when rank 0 had given up, or a second time");
  if (hub->size != size)
    throw Error(ErrorKind::Value, "ranks do not agree in the group's size: " + std::to_string(size) + " on rank " +
                                      std::to_string(rank) + ", " + std::to_string(hub->size) + " on rank 0");
  store->set("came " + std::to_string(rank), "");
  return hub;
}

}  // namespace thd::threaded
