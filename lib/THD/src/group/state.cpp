#include "state.hpp"

#include <cstring>

namespace thd {

std::string ProcessGroup::State::failed(const std::string &what, const std::string &why, Milliseconds limit) const {
  return what + " on rank " + std::to_string(rank()) + " of " + std::to_string(size()) +
         (group->name.empty() ? "" : " in group '" + group->name + "'") + " failed (timeout " +
         std::to_string(limit.count()) + "ms): " + why;
}

void ProcessGroup::State::check_usable(const char *name) {
  const std::lock_guard lock(mutex);
  if (!transport) throw Error(ErrorKind::Runtime, std::string(name) + ": the process group has been shut down");
  if (aborted) throw Error(ErrorKind::Backend, std::string(name) + ": the process group has been aborted");
  if (!failure.empty())
    throw Error(ErrorKind::Backend, std::string(name) + ": the process group cannot be used any more, since " + failure);
}
void ProcessGroup::State::note_failure(const std::string &text) {
  const std::lock_guard lock(mutex);
  if (failure.empty()) failure = text;
}

WorkRef ProcessGroup::State::run(const char *name, std::string what, std::string signature, Call call, Tensors results,
                                 std::function<void(const Round &)> body) {
  check_usable(name);
  auto work = std::make_shared<Work>(name, rank());
  work->results = std::move(results);
  const uint32_t number = ++sequence;
  auto job = [this, work, number, call, what = std::move(what), signature = std::move(signature),
              body = std::move(body)]() mutable {
    const Milliseconds limit = this->limit(call);
    std::exception_ptr failure;
    try {
      if (debug_level() == DebugLevel::Detail && size() > 1) compare_signatures(signature, {2 * number + 1, limit});
      body({2 * number, limit});
    } catch (const std::exception &error) {
      const std::string text = failed(what, error.what(), limit);
      note_failure(text);
      failure = std::make_exception_ptr(Error(ErrorKind::Backend, text));
    }
    body = nullptr;
    work->finish(failure);
  };
  if (call.async)
    workers.add(std::move(job));
  else
    job();
  return work;
}

WorkRef ProcessGroup::State::message(const char *name, std::string what, Call call, Tensors results,
                                     const std::function<std::unique_ptr<Transport::Posted>()> &post,
                                     std::function<void()> done) {
  check_usable(name);
  auto work = std::make_shared<Work>(name, rank());
  work->results = std::move(results);
  std::shared_ptr<Transport::Posted> posted;
  const auto wrapped = [this, what = std::move(what)](const std::exception &error, Milliseconds limit) {
    const std::string text = failed(what, error.what(), limit);
    note_failure(text);
    return Error(ErrorKind::Backend, text);
  };
  try {
    posted = post();
  } catch (const std::exception &error) {
    throw wrapped(error, limit(call));
  }
  work->complete_by([this, call, posted, wrapped, done = std::move(done), raw = work.get()](Milliseconds given) {
    const Milliseconds limit = given == kNoTimeout ? this->limit(call) : given;
    try {
      raw->source = posted->wait(limit);
      if (done) done();
    } catch (const std::exception &error) {
      throw wrapped(error, limit);
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
  for (const auto &[wish, ranks] : wishes) text += (&wish == &wishes.front().first ? "" : "; ") + wish + " (rank " + ranks + ")";
  throw Error(ErrorKind::Backend, text);
}

}  // namespace thd
