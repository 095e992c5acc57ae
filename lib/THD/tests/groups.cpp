// Collective operations against their definitions.
#include <thread>

#include <THD/ProcessGroup.h>
#include <THPP/THPP.h>

#include "failure.hpp"
#include "ranks.hpp"

namespace thd {
namespace {

class Groups : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Groups, testing::Values(1, 2, 3, 4, 8));

TEST_P(Groups, Broadcast) {
  with_ranks(GetParam(), [](ProcessGroup &group) {
    for (int root = 0; root < group.size(); ++root)
      for (const int64_t n : {0, 1, 1000}) {
        const Tensor tensor = full({n, 2}, group.rank());
        group.broadcast(tensor, root)->wait();
        EXPECT_TRUE(all_are(tensor, root));
        const Tensor columns = thpp::t(full({3, n}, group.rank()));
        group.broadcast(columns, root)->wait();
        EXPECT_TRUE(all_are(columns, root));
      }
  });
}

TEST_P(Groups, AllReduceOfEveryDtype) {
  with_ranks(GetParam(), [](ProcessGroup &group) {
    const int n = group.size();
    for (const int64_t count : {0, 1, 7, 5000})
      for (const THDtype dtype : {TH_Byte, TH_Char, TH_Short, TH_Int, TH_Long, TH_Half, TH_BFloat16, TH_Float,
                                  TH_Double, TH_ComplexFloat, TH_ComplexDouble}) {
        const auto mine = [&] { return full({count}, group.rank() + 1, dtype); };
        const auto is = [&](ReduceOp::Kind op, double value) {
          const Tensor tensor = mine();
          group.all_reduce({tensor}, {op})->wait();
          EXPECT_TRUE(all_are(tensor, value)) << name_of(op) << " of dtype " << int(dtype) << ", " << n << " ranks";
        };
        is(ReduceOp::Sum, n * (n + 1) / 2);
        if (n < 5) is(ReduceOp::Product, n == 4 ? 24 : n == 3 ? 6 : n);
        if (dtype < TH_ComplexFloat) {
          is(ReduceOp::Min, 1);
          is(ReduceOp::Max, n);
        } else {
          failure(ErrorKind::Value, [&] { group.all_reduce({mine()}, {ReduceOp::Max}); });
        }
        if (dtype < TH_Half) {
          is(ReduceOp::Band, n == 1);
          is(ReduceOp::Bor, n == 1 ? 1 : n < 4 ? 3 : n < 8 ? 7 : 15);
          failure(ErrorKind::Value, [&] { group.all_reduce({mine()}, {ReduceOp::Avg}); });
        } else {
          is(ReduceOp::Avg, (n + 1) / 2.0);
          failure(ErrorKind::Value, [&] { group.all_reduce({mine()}, {ReduceOp::Bxor}); });
        }
      }
    const Tensor flag = full({3}, group.rank() == n - 1, TH_Bool), a = full({2, 3}, 1), b = thpp::t(full({5, 2}, 2));
    group.all_reduce({flag}, {ReduceOp::Sum})->wait();
    EXPECT_TRUE(all_are(flag, 1));
    group.all_reduce({a, b}, {ReduceOp::PremulSum, 0.5})->wait();
    EXPECT_TRUE(all_are(a, 0.5 * n) && all_are(b, n));
  });
}

TEST_P(Groups, ReduceAtOneRank) {
  with_ranks(GetParam(), [](ProcessGroup &group) {
    const int n = group.size();
    for (int root = 0; root < n; ++root) {
      const Tensor tensor = thpp::t(full({4, 300}, group.rank() + 1));
      group.reduce(tensor, root, {ReduceOp::Sum})->wait();
      EXPECT_TRUE(all_are(tensor, group.rank() == root ? n * (n + 1) / 2 : group.rank() + 1));
    }
  });
}

TEST_P(Groups, GatherAndScatter) {
  with_ranks(GetParam(), [](ProcessGroup &group) {
    const int n = group.size(), rank = group.rank();
    Tensors parts;
    for (int r = 0; r < n; ++r) parts.push_back(full({r, 3}, -1));  // of rank 0: nothing
    group.all_gather(parts, full({rank, 3}, rank))->wait();
    for (int r = 0; r < n; ++r) EXPECT_TRUE(all_are(parts[size_t(r)], r));
    const Tensor together = full({n, 2}, -1);
    group.all_gather_into(together, full({2}, rank))->wait();
    for (int r = 0; r < n; ++r) EXPECT_TRUE(all_are(thpp::select(together, 0, r), r));
    for (int root = 0; root < n; ++root) {
      Tensors all;
      for (int r = 0; rank == root && r < n; ++r) all.push_back(full({2}, -1));
      group.gather(all, full({2}, rank), root)->wait();
      for (size_t r = 0; r < all.size(); ++r) {
        EXPECT_TRUE(all_are(all[r], double(r)));
        thpp::add_(all[r], thpp::wrapped_number(10));
      }
      const Tensor mine = full({2}, -1);
      group.scatter(mine, all, root)->wait();
      EXPECT_TRUE(all_are(mine, rank + 10));
    }
  });
}

TEST_P(Groups, ReduceScatter) {
  with_ranks(GetParam(), [](ProcessGroup &group) {
    const int n = group.size(), rank = group.rank();
    Tensors parts;
    for (int r = 0; r < n; ++r) parts.push_back(full({r, 100}, r + rank));
    const Tensor mine = full({rank, 100}, -1);
    group.reduce_scatter(mine, parts, {ReduceOp::Sum})->wait();
    EXPECT_TRUE(all_are(mine, n * rank + n * (n - 1) / 2));
    const Tensor one = full({3}, -1, TH_Int);
    group.reduce_scatter_from(one, full({n * 3}, rank, TH_Int), {ReduceOp::Max})->wait();
    EXPECT_TRUE(all_are(one, n - 1));
  });
}

TEST_P(Groups, AllToAll) {
  with_ranks(GetParam(), [](ProcessGroup &group) {
    const int n = group.size(), rank = group.rank();
    // Rank a has a + b elements for rank b.
    Tensors in, out;
    std::vector<int64_t> rows;
    for (int r = 0; r < n; ++r) {
      in.push_back(full({rank + r}, 100 * rank + r));
      out.push_back(full({rank + r}, -1));
      rows.push_back(rank + r);
    }
    group.all_to_all(out, in)->wait();
    for (int r = 0; r < n; ++r) EXPECT_TRUE(all_are(out[size_t(r)], 100 * r + rank));
    const Tensor all = thpp::cat(in, 0), received = thpp::empty({all.numel()});
    group.all_to_all_single(received, all, rows, rows)->wait();
    EXPECT_TRUE(thpp::equal(received, thpp::cat(out, 0)));
  });
}

TEST(Groups, Messages) {
  with_ranks(3, [](ProcessGroup &group) {
    const int rank = group.rank(), next = (rank + 1) % 3, previous = (rank + 2) % 3;
    // All are posted before any is waited for, and tags tell them apart.
    const Tensor a = full({1000}, -1), b = thpp::t(full({2, 3}, -1));
    const WorkRef first = group.receive(a, previous, 7, {true}), second = group.receive(b, previous, 8, {true});
    const WorkRef sent = group.send(full({3, 2}, rank + 10), next, 8, {true});
    group.send(full({1000}, rank), next, 7)->wait();
    second->wait();
    first->wait();
    sent->wait();
    EXPECT_TRUE(all_are(a, previous) && all_are(b, previous + 10));
    EXPECT_EQ(first->source_rank(), previous);
    if (rank == 0) {
      double sum = 0;
      for (int i = 0; i < 2; ++i) {
        const Tensor any = full({1}, -1);
        const WorkRef work = group.receive_any(any, 9);
        EXPECT_TRUE(all_are(any, work->source_rank()));
        sum += work->source_rank();
      }
      EXPECT_EQ(sum, 3);
    } else {
      group.send(full({1}, rank), 0, 9)->wait();
    }
    failure(ErrorKind::Value, [&] { group.send(a, rank, 0); });
    failure(ErrorKind::Value, [&] { group.receive(a, 3, 0); });
  });
}

TEST(Groups, RunInTheBackground) {
  with_ranks(2, [](ProcessGroup &group) {
    std::vector<WorkRef> works;
    Tensors tensors;
    for (int i = 0; i < 50; ++i) {
      tensors.push_back(full({1 + i * 100}, i));
      works.push_back(group.all_reduce({tensors.back()}, {}, {true}));
    }
    const Tensor now = full({2}, 1);  // one that is waited for does not stand behind those
    group.all_reduce({now}, {})->wait();
    EXPECT_TRUE(all_are(now, 2));
    int called = 0;
    for (int i = 0; i < 50; ++i) {
      works[size_t(i)]->wait(Milliseconds(10'000));
      EXPECT_TRUE(works[size_t(i)]->is_success());
      EXPECT_TRUE(all_are(tensors[size_t(i)], 2 * i));
      works[size_t(i)]->then([&](Work &) { ++called; });
    }
    EXPECT_EQ(called, 50);
    failure(ErrorKind::Runtime, [&] { works[0]->source_rank(); });
  });
}

TEST(Groups, NameWhoIsMissing) {
  const StoreRef store = hash_store();
  GlooOptions options;
  options.interface = "lo";
  options.timeout = Milliseconds(2'000);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      const GroupRef group = gloo_group(store, rank, 3, options);
      group->monitored_barrier(kNoTimeout, false);
      if (rank == 2) {
        std::this_thread::sleep_for(Milliseconds(1'000));
        return;
      }
      const std::string text = failure(ErrorKind::Backend, [&] { group->monitored_barrier(Milliseconds(200), true); });
      EXPECT_NE(text.find("rank 2 did not come within 200ms"), std::string::npos) << text;
    });
  for (std::thread &thread : threads) thread.join();
}

TEST(Groups, EndInAnErrorWhereARankIsLost) {
  const StoreRef store = hash_store();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      GlooOptions options;
      options.interface = "lo";
      options.timeout = Milliseconds(500);
      const GroupRef group = gloo_group(store, rank, 2, options);
      group->barrier();
      if (rank == 1) return;
      const Tensor tensor = full({3}, 1);
      const WorkRef work = group->all_reduce({tensor}, {});
      const std::string text = failure(ErrorKind::Backend, [&] { work->wait(); });
      EXPECT_NE(text.find("all_reduce (SUM) of float32 [3] on rank 0 of 2"), std::string::npos) << text;
      EXPECT_FALSE(work->is_success());
      EXPECT_NE(failure(ErrorKind::Backend, [&] { group->barrier(); }).find("cannot be used any more"),
                std::string::npos);
    });
  for (std::thread &thread : threads) thread.join();
  failure(ErrorKind::Value, [&] { gloo_group(store, 2, 2); });
  GlooOptions alone;
  alone.interface = "lo";
  alone.timeout = Milliseconds(100);
  failure(ErrorKind::Store, [&] { gloo_group(hash_store(), 0, 2, alone); });
}

TEST(Groups, CompareWhatTheyDo) {
  set_debug_level(DebugLevel::Detail);
  with_ranks(3, [](ProcessGroup &group) {
    const Tensor tensor = full({2}, 1);
    group.all_reduce({tensor}, {})->wait();
    EXPECT_TRUE(all_are(tensor, 3));
  });
  const StoreRef store = hash_store();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      GlooOptions options;
      options.interface = "lo";
      const GroupRef group = gloo_group(store, rank, 3, options);
      const WorkRef work = rank == 1 ? group->broadcast(full({2}, 1), 0) : group->all_reduce({full({2}, 1)}, {});
      const std::string text = failure(ErrorKind::Backend, [&] { work->wait(); });
      EXPECT_NE(text.find("all_reduce (SUM) of float32 [2] (rank 0, 2); broadcast of float32 [2], root 0 (rank 1)"),
                std::string::npos)
          << text;
    });
  for (std::thread &thread : threads) thread.join();
  set_debug_level(DebugLevel::Off);
}

TEST(Groups, JudgeArguments) {
  with_ranks(2, [](ProcessGroup &group) {
    const Tensor a = full({2}, 1), b = full({3}, 1), c = full({2}, 1, TH_Double);
    const auto refused = [&](const auto &f) { return failure(ErrorKind::Value, f); };
    EXPECT_NE(refused([&] { group.broadcast(a, 2); }).find("0 to 1, not 2"), std::string::npos);
    refused([&] { group.broadcast(Tensor(), 0); });
    refused([&] { group.all_reduce({}, {}); });
    refused([&] { group.all_reduce({a, c}, {}); });
    refused([&] { group.all_gather({a}, a); });
    refused([&] { group.all_gather({b, b}, a); });
    refused([&] { group.all_gather_into(b, a); });
    refused([&] { group.scatter(a, group.rank() ? Tensors{a, a} : Tensors{}, 0); });
    refused([&] { group.gather(group.rank() ? Tensors{a, a} : Tensors{}, a, 0); });
    refused([&] { group.reduce_scatter_from(a, b, {}); });
    refused([&] { group.all_to_all_single(b, b, {}, {}); });
    refused([&] { group.all_to_all_single(a, a, {1, 2}, {1, 1}); });
    refused([&] { group.set_timeout(Milliseconds(0)); });
    EXPECT_EQ(group.sequence_number(), 0);
  });
}

}  // namespace
}  // namespace thd
