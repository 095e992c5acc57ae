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

class Count {
 public:
  void up() {
    const std::lock_guard lock(mutex_);
    ++number_;
    changed_.notify_all();
  }
  void wait(int least) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(15), [&] { return number_ >= least; }));
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int number_ = 0;
};

// Two ranks reduce 1, 2, 3, ...: `calls` of them at once, `later` after. On rank 0 follow(works, late, done) says what
// follows the first ones, before rank 1 begins, so none is done by then; it calls the others, late(i, async).
template <class F>
void with_followers(int calls, int later, const F &follow) {
  Count ready, done;  // who waits for it may do so until the group's threads have ended
  with_ranks(2, [&](ProcessGroup &group) {
    Tensors all;
    for (int i = 0; i < calls + later; ++i) all.push_back(full({1}, i + 1));
    const auto begin = [&](int i, bool async) { return group.all_reduce({all[size_t(i)]}, {}, {async}); };
    std::vector<WorkRef> works;
    if (group.rank() == 1) ready.wait(1);
    for (int i = 0; i < calls; ++i) works.push_back(begin(i, true));
    if (group.rank() == 0) {
      follow(works, [&](int i, bool async) { return begin(calls + i, async); }, done);
      ready.up();
    } else {
      for (int i = 0; i < later; ++i) works.push_back(begin(calls + i, true));
    }
    for (const WorkRef &work : works) work->wait();
    if (group.rank() == 0) done.wait(later);
    for (size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(all_are(all[i], 2.0 * double(i + 1))) << i;
  });
}

// What follows an operation calls one that comes after operations which nobody has begun; what follows those waits for
// it. One thread of the group's waits until then.
TEST(Turns, AreGivenByWhoWaitsForThem) {
  Count begun;
  with_followers(5, 1, [&](const std::vector<WorkRef> &works, const auto &late, Count &done) {
    works[0]->then([&](Work &) { begun.wait(1); });
    works[1]->then([&, late](Work &) {
      late(0, false);
      done.up();
    });
    works[2]->then([&](Work &) {
      begun.up();
      done.wait(1);
    });
  });
}

// All threads of a group wait for operations that what follows others has begun.
TEST(Turns, AreTakenWhileAllThreadsWait) {
  Count called;
  with_followers(2, 2, [&](const std::vector<WorkRef> &works, const auto &late, Count &done) {
    for (int i = 0; i < 2; ++i)
      works[size_t(i)]->then([&, late, i](Work &) {
        called.wait(i);
        const WorkRef work = late(i, true);
        called.up();
        called.wait(2);
        work->wait();
        done.up();
      });
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
