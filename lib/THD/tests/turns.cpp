// Operations of few bytes, which are run in the order of their calls, beside others, which are not.
#include <condition_variable>
#include <thread>

#include <THD/ProcessGroup.h>
#include <THPP/THPP.h>

#include "failure.hpp"
#include "ranks.hpp"

namespace thd {
namespace {

TEST(Turns, AreNotMixedUp) {
  for (const int size : {2, 3, 8})
    with_ranks(size, [&](ProcessGroup &group) {
      const double all = size * (size - 1) / 2.0;
      std::vector<std::pair<Tensor, double>> wanted;
      std::vector<WorkRef> works;
      const auto add = [&](int64_t count, bool async) {
        const double more = double(wanted.size());
        wanted.emplace_back(full({count}, group.rank() + more), all + size * more);
        works.push_back(group.all_reduce({wanted.back().first}, {}, {async}));
      };
      // 4 bytes an element: the last small one, the first that is none; the last that goes in two steps, and the next.
      for (int i = 0; i < 40; ++i) add(i % 2 ? 1024 : 1025, i % 5 != 0);
      for (const int64_t count : {0, 1, 262'144, 262'145}) add(count, true);
      group.barrier();
      const auto rows = [](int r) { return std::vector<int64_t>{r == 1 ? 0 : 10 + r}; };
      Tensors parts;
      for (int r = 0; r < size; ++r) parts.push_back(full(rows(r), -1));
      const WorkRef gathered = group.all_gather(parts, full(rows(group.rank()), group.rank()), {true});
      add(3, false);
      for (const WorkRef &work : works) work->wait();
      for (const auto &[tensor, value] : wanted) EXPECT_TRUE(all_are(tensor, value)) << tensor.numel();
      gathered->wait();
      for (int r = 0; r < size; ++r) EXPECT_TRUE(all_are(parts[size_t(r)], r));
    });
}

// Both threads of a group are in what follows an operation; one of them calls another operation, which is to come after
// operations that nobody has begun.
TEST(Turns, AreGivenByWhoWaitsForThem) {
  with_ranks(2, [](ProcessGroup &group) {
    std::mutex mutex;
    std::condition_variable changed;
    int called = 0, done = 0;
    const auto come_to = [&](int &number, int least) {
      std::unique_lock lock(mutex);
      EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(15), [&] { return number >= least; }));
    };
    const auto more = [&](int &number) {
      const std::lock_guard lock(mutex);
      ++number;
      changed.notify_all();
    };
    const Tensor a = full({1}, 1), b = full({1}, 2), c = full({1}, 3), d = full({1}, 4), e = full({1}, 5);
    const WorkRef first = group.all_reduce({a}, {}, {true}), second = group.all_reduce({b}, {}, {true});
    // What follows an operation that is done already runs where it is said, so not here.
    std::vector<std::jthread> sayers;
    sayers.emplace_back([&] {
      first->then([&](Work &) {
        come_to(called, 1);
        group.all_reduce({e}, {});
        more(done);
      });
    });
    sayers.emplace_back([&] { second->then([&](Work &) { come_to(done, 1); }); });
    const WorkRef third = group.all_reduce({c}, {}, {true}), fourth = group.all_reduce({d}, {}, {true});
    more(called);
    for (const WorkRef &work : {first, second, third, fourth}) work->wait();
    come_to(done, 1);
    for (const auto &[tensor, value] : {std::pair(a, 2), {b, 4}, {c, 6}, {d, 8}, {e, 10}})
      EXPECT_TRUE(all_are(tensor, value));
  });
}

TEST(Turns, AreNotTakenForAnother) {
  with_ranks(
      3,
      [](ProcessGroup &group) {
        group.barrier();
        const Tensor tensor = full({group.rank() == 2 ? 2 : 1}, 0);
        const std::string text = failure(ErrorKind::Backend, [&] { group.all_reduce({tensor}, {})->wait(); });
        EXPECT_NE(text.find(group.rank() == 2 ? "rank 0 does something else" : "rank 2 does something else"),
                  std::string::npos)
            << text;
      },
      Milliseconds(20'000), false);
}

}  // namespace
}  // namespace thd
