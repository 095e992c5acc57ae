#include "state.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "../kit/pipe_signal.hpp"

namespace thd {

namespace {

constexpr auto kRollCall = Milliseconds(2000);  // at most, for others to say that they have failed, too
constexpr auto kGone = Milliseconds(300);       // for those whose connection has broken

}  // namespace

ProcessGroup::State::~State() {
  if (!is_forked()) return;
  // The engine's threads are the parent's, and so are its connections: to close them here would end them there.
  workers.forget();
  (void)transport.release();
}

std::string ProcessGroup::State::failed(const std::string &what, const std::string &why, Milliseconds limit) {
  const std::lock_guard lock(mutex);
  return what + " on rank " + std::to_string(rank()) + " of " + std::to_string(size()) +
         (!group || group->name.empty() ? "" : " in group '" + group->name + "'") + " failed (timeout " +
         std::to_string(limit.count()) + "ms): " + why;
}

void ProcessGroup::State::check_usable(const char *name) {
  if (is_forked())
    throw Error(ErrorKind::Runtime, std::string(name) +
                                        ": the process group was joined by the process that forked this "
                                        "one; a child joins groups of its own");
  {
    const std::lock_guard lock(mutex);
    if (failure.empty() || closed || aborted) {
      begin_under(name);
      return;
    }
  }
  const std::lock_guard asked(asking);  // who has failed may be asking still who is lost
  const std::lock_guard lock(mutex);
  begin_under(name);
}
void ProcessGroup::State::begin_under(const char *name) {
  if (closed) throw Error(ErrorKind::Runtime, std::string(name) + ": the process group has been shut down");
  if (aborted) throw Error(ErrorKind::Backend, std::string(name) + ": the process group has been aborted");
  if (!failure.empty())
    throw Error(ErrorKind::Backend,
                std::string(name) + ": the process group cannot be used any more, since " + failure);
  ++under_way;
}
void ProcessGroup::State::leave() {
  if (is_forked()) return;
  std::unique_ptr<Transport> last;
  const std::lock_guard lock(mutex);
  if (--under_way == 0 && closed) last = std::move(transport);
}
void ProcessGroup::State::close() {
  std::unique_ptr<Transport> last;
  const std::lock_guard lock(mutex);
  if (transport && !closed) transport->leave();
  closed = true;
  if (under_way == 0) last = std::move(transport);
}

std::string ProcessGroup::State::who_is_lost(const std::string &what, Milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const NoPipeSignal quiet;
  std::map<int, std::string> gone;
  for (auto &[other, how] : transport->broken()) gone.emplace(other, std::move(how));
  // Others wait for this rank no longer.
  transport->abort();
  std::vector<int> silent;
  std::string first;
  try {
    const Milliseconds whole = std::clamp(limit / 4, Milliseconds(100), kRollCall);
    const StoreRef common = prefix_store("failed", store->hasty(whole));
    first = common->compare_set("first", "", what + " on rank " + std::to_string(rank()));
    common->set(std::to_string(rank()), "");
    const auto answers = [&](int other, Clock::time_point until) {
      const auto left = std::chrono::ceil<Milliseconds>(until - Clock::now());
      try {
        common->wait({std::to_string(other)}, std::max(left, Milliseconds(1)));
      } catch (const Error &error) {
        if (error.kind() != ErrorKind::Store) throw;
        return false;
      }
      return true;
    };
    // Who lives has closed its connections because it failed, too, and says so at once. Others may need their timeout
    // to see it, and are asked about only where nobody's connection has broken: then somebody is cut off.
    const Clock::time_point begin = Clock::now();
    std::erase_if(gone, [&](const auto &one) { return answers(one.first, begin + std::min(kGone, whole)); });
    for (int other = 0; gone.empty() && other < size(); ++other)
      if (other != rank() && !answers(other, begin + whole)) silent.push_back(other);
  } catch (const std::exception &error) {
    std::string text = std::string("; the store does not answer either (") + error.what() + ")";
    for (const auto &[other, how] : gone) text += "; lost: rank " + std::to_string(other) + " (" + how + ")";
    return text;
  }
  for (const int other : silent)
    gone.emplace(other, "no word from it: it has died, is cut off, or does something else");
  std::string text;
  for (const auto &[other, how] : gone) text += "; lost: rank " + std::to_string(other) + " (" + how + ")";
  if (!first.empty() && first != what + " on rank " + std::to_string(rank())) text += "; first to fail: " + first;
  return text;
}

Error ProcessGroup::State::broken(const std::string &what, const std::exception &error, Milliseconds limit) {
  std::string why = error.what();
  bool ask;
  {
    const std::lock_guard lock(mutex);
    if (aborted) why = "the process group has been aborted";
    ask = !aborted && size() > 1 && transport && !dynamic_cast<const Error *>(&error);
    if (failure.empty()) failure = what + " failed: " + why;
  }
  // Operations that fail together ask once.
  const std::lock_guard one(asking);
  if (ask && !lost) lost = who_is_lost(what, limit);
  if (ask) why += *lost;
  const std::string text = failed(what, why, limit);
  const std::lock_guard lock(mutex);
  if (ask && !std::exchange(told, true)) failure = text;
  return Error(ErrorKind::Backend, text);
}

WorkRef ProcessGroup::State::run(const char *name, std::string what, std::string signature, Shape shape, Call call,
                                 Tensors results, std::function<void(const Round &)> body, size_t bytes) {
  check_usable(name);
  const auto leave = std::make_shared<Leave>(shared_from_this());
  auto work = std::make_shared<Work>(name, rank());
  work->results = std::move(results);
  std::unique_lock order(calling);
  std::shared_ptr<Turns::Turn> turn = in_turn && bytes <= *in_turn ? turns->next() : nullptr;
  // 11 bits tell operations apart that may be under way at once, one tells the comparison from what is compared.
  const int64_t place = ++sequence;
  const uint32_t number = uint32_t(place & 0x7ff) << 21;
  auto job = [this, work, place, number, shape, call, what = std::move(what), signature = std::move(signature),
              body = std::move(body), turn = std::move(turn)]() mutable {
    const Milliseconds limit = this->limit(call);
    std::exception_ptr failure;
    try {
      if (turn) wait_for(*turn, place, limit);
      const NoPipeSignal quiet;
      if (debug_level() == DebugLevel::Detail && size() > 1) compare_signatures(signature, {number | 1u << 20, limit});
      body({number | shape.bits(), limit, turn != nullptr});
    } catch (const std::exception &error) {
      failure = std::make_exception_ptr(broken(what, error, limit));
    }
    body = nullptr;
    turn = nullptr;  // whoever is told may go on with the next
    work->finish(failure);
  };
  if (!call.async) {
    order.unlock();
    job();
  } else {
    if (!workers.add(place, [job = std::move(job), leave]() mutable { job(); }))
      throw Error(ErrorKind::Runtime, std::string(name) + ": the process group has been shut down");
  }
  return work;
}

void ProcessGroup::State::wait_for(const Turns::Turn &turn, int64_t call, Milliseconds limit) {
  // Operations before it, which nobody has begun, may need this thread, where what follows another operation calls it.
  const Workers::Away away(call);
  if (!turn.wait(limit)) throw std::runtime_error("what was called before it is not done");
}

WorkRef ProcessGroup::State::message(const char *name, std::string what, Call call, Tensors results,
                                     const std::function<std::unique_ptr<Transport::Posted>()> &post,
                                     std::function<void()> done) {
  check_usable(name);
  const auto leave = std::make_shared<Leave>(shared_from_this());
  auto work = std::make_shared<Work>(name, rank());
  work->results = std::move(results);
  std::shared_ptr<Transport::Posted> posted;
  try {
    const NoPipeSignal quiet;
    posted = post();
  } catch (const Error &error) {
    if (error.kind() == ErrorKind::Value) throw;  // nothing has begun
    throw broken(what, error, limit(call));
  } catch (const std::exception &error) {
    throw broken(what, error, limit(call));
  }
  // Whoever waits for it may have let go of the group.
  work->complete_by([self = shared_from_this(), leave, call, what = std::move(what), posted, done = std::move(done),
                     raw = work.get()](Milliseconds given) {
    const Milliseconds limit = given == kNoTimeout ? self->limit(call) : given;
    if (self->is_forked()) throw Error(ErrorKind::Runtime, what + " was begun by the process that forked this one");
    try {
      const NoPipeSignal quiet;
      raw->source = posted->wait(limit);
      if (done) done();
    } catch (const std::exception &error) {
      throw self->broken(what, error, limit);
    }
  });
  if (!call.async) work->wait();
  return work;
}

void ProcessGroup::State::compare_signatures(const std::string &signature, const Round &round) {
  constexpr size_t kLength = 256;
  std::string mine = signature.substr(0, kLength - 1);
  mine.resize(kLength);
  std::string all(kLength * size_t(size()), '\0');
  transport->all_gather(mine.data(), all.data(), Counts(size_t(size()), int64_t(kLength)), round);
  // Who wants the same stands together.
  std::vector<std::pair<std::string, std::string>> wishes;
  for (int r = 0; r < size(); ++r) {
    const std::string wish = all.data() + kLength * size_t(r);
    auto at = wishes.begin();
    while (at != wishes.end() && at->first != wish) ++at;
    if (at == wishes.end())
      wishes.emplace_back(wish, std::to_string(r));
    else
      at->second += ", " + std::to_string(r);
  }
  if (wishes.size() == 1) return;
  std::string text = "ranks do not agree in what to do: ";
  for (const auto &[wish, ranks] : wishes)
    text += (&wish == &wishes.front().first ? "" : "; ") + wish + " (rank " + ranks + ")";
  throw Error(ErrorKind::Backend, text);
}

}  // namespace thd
