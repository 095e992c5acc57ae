// What every store promises, and what is special of each.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include <THD/Store.h>

#include "failure.hpp"

namespace thd {
namespace {

std::string fresh_path() {
  char path[] = "/tmp/thd-store-XXXXXX";
  ::close(::mkstemp(path));
  ::unlink(path);
  return path;
}
StoreRef master() {
  TCPStoreOptions options;
  options.host = "127.0.0.1";
  options.is_master = true;
  return tcp_store(options);
}
TCPStoreOptions client_of(const StoreRef &store) {
  TCPStoreOptions options;
  options.host = "127.0.0.1";
  options.port = tcp_store_port(store);
  return options;
}
StoreRef of_kind(const std::string &kind) {
  if (kind == "hash") return hash_store();
  if (kind == "file") return file_store(fresh_path(), 1);
  if (kind == "prefix") return prefix_store("some", hash_store());
  return master();
}

class Stores : public testing::TestWithParam<const char *> {
 protected:
  const StoreRef store = of_kind(GetParam());
  bool has_queues() const { return std::string(GetParam()) != "file"; }
};
INSTANTIATE_TEST_SUITE_P(Kinds, Stores, testing::Values("hash", "file", "prefix", "tcp"),
                         [](const auto &info) { return info.param; });

TEST_P(Stores, KeepValues) {
  EXPECT_EQ(store->num_keys(), 0);
  const Bytes bytes("\0\xff x", 4);
  store->set("a", bytes);
  EXPECT_EQ(store->get("a"), bytes);
  store->set("a", "");
  EXPECT_EQ(store->get("a"), "");
  store->append("a", "1");
  store->append("b", "23");
  store->append("b", "4");
  store->multi_set({"c", "d"}, {"5", "6"});
  EXPECT_EQ((store->multi_get({"d", "a", "b"})), (std::vector<Bytes>{"6", "1", "234"}));
  EXPECT_EQ(store->num_keys(), 4);
  EXPECT_TRUE(store->check({"a", "b", "c", "d"}));
  EXPECT_TRUE(store->check({}));
  EXPECT_FALSE(store->check({"a", "e"}));
  EXPECT_TRUE(store->delete_key("a"));
  EXPECT_FALSE(store->delete_key("a"));
  EXPECT_EQ(store->list_keys().size(), 3u);
  EXPECT_NE(failure(ErrorKind::Store, [&] { store->multi_set({"x"}, {"1", "2"}); }), "");
  EXPECT_FALSE(store->check({"x"}));
}

TEST_P(Stores, AddAndCompare) {
  EXPECT_EQ(store->add("n", 3), 3);
  EXPECT_EQ(store->add("n", -5), -2);
  EXPECT_EQ(store->get("n"), "-2");
  store->set("text", "1x");
  EXPECT_NE(failure(ErrorKind::Value, [&] { store->add("text", 1); }).find("text'"), std::string::npos);
  store->set("most", std::to_string(INT64_MAX));
  failure(ErrorKind::Value, [&] { store->add("most", 1); });
  EXPECT_EQ(store->get("most"), std::to_string(INT64_MAX));
  EXPECT_EQ(store->compare_set("c", "", "v"), "v");
  EXPECT_EQ(store->compare_set("c", "w", "z"), "v");
  EXPECT_EQ(store->compare_set("c", "v", "z"), "z");
  EXPECT_EQ(store->compare_set("absent", "v", "z"), "v");
  EXPECT_FALSE(store->check({"absent"}));
}

TEST_P(Stores, WaitForAKey) {
  store->set("there", "1");
  store->wait({"there"}, Milliseconds(1));
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = failure(ErrorKind::Store, [&] { store->wait({"there", "never"}, Milliseconds(60)); });
  EXPECT_NE(text.find("60ms"), std::string::npos);
  EXPECT_NE(text.find("never'"), std::string::npos);
  EXPECT_EQ(text.find("there'"), std::string::npos);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, Milliseconds(60));
  store->set_timeout(Milliseconds(40));
  EXPECT_NE(failure(ErrorKind::Store, [&] { store->get("never"); }).find("40ms"), std::string::npos);
  EXPECT_NE(failure(ErrorKind::Value, [&] { store->set_timeout(Milliseconds(0)); }), "");
  store->set_timeout(Milliseconds(60'000));
  std::thread later([other = store->clone()] {
    std::this_thread::sleep_for(Milliseconds(30));
    other->set("late", "x");
  });
  EXPECT_EQ(store->get("late"), "x");
  later.join();
}

TEST_P(Stores, HaveQueues) {
  if (!has_queues()) {
    failure(ErrorKind::Runtime, [&] { store->queue_push("q", "1"); });
    return;
  }
  store->queue_push("q", "1");
  store->queue_push("q", "2");
  EXPECT_EQ(store->queue_len("q"), 2);
  EXPECT_EQ(store->queue_pop("q", true), "1");
  EXPECT_EQ(store->queue_pop("q", false), "2");
  EXPECT_EQ(store->queue_len("q"), 0);
  EXPECT_EQ(store->num_keys(), 0);
  failure(ErrorKind::QueueEmpty, [&] { store->queue_pop("q", false); });
  store->set_timeout(Milliseconds(30));
  failure(ErrorKind::Store, [&] { store->queue_pop("q", true); });
}

TEST_P(Stores, AreSharedByThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, mine = store->clone()] {
      for (int i = 0; i < 50; ++i) {
        mine->add("sum", 1);
        mine->append("all", "x");
      }
      if (mine->add("came", 1) == 4) mine->set("all came", "");
      mine->wait({"all came"});
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(store->add("sum", 0), 200);
  EXPECT_EQ(store->get("all").size(), 200u);
}

TEST(FileStores, AreSharedAndRemovedByTheLast) {
  const std::string path = fresh_path();
  {
    const StoreRef one = file_store(path, 2);
    {
      const StoreRef other = file_store(path, 2);
      other->set("a", "1");
    }
    EXPECT_EQ(one->get("a"), "1");
    EXPECT_EQ(one->num_keys(), 1);
  }
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  EXPECT_NE(failure(ErrorKind::Store, [] { file_store("/no/such/folder", 1); }).find("/no/such/folder"),
            std::string::npos);
}

TEST(FileStores, CutOffHalfARecord) {
  const std::string path = fresh_path();
  const StoreRef one = file_store(path, -1);
  one->set("a", "1");
  FILE *file = ::fopen(path.c_str(), "a");
  ::fwrite("\x30\0\0\0\0\0\0\0half", 1, 12, file);
  ::fclose(file);
  EXPECT_EQ(one->get("a"), "1");
  one->set("b", "2");
  EXPECT_EQ((file_store(path, -1)->multi_get({"a", "b"})), (std::vector<Bytes>{"1", "2"}));
  file = ::fopen(path.c_str(), "a");
  ::fwrite("\x0a\0\0\0\0\0\0\0zzzzzzzzzz", 1, 18, file);
  ::fclose(file);
  EXPECT_NE(failure(ErrorKind::Store, [&] { one->get("a"); }), "");
  ::unlink(path.c_str());
}

TEST(PrefixStores, NameTheirKeys) {
  const StoreRef whole = hash_store(), part = prefix_store("p", whole);
  part->set("a", "1");
  whole->set("b", "2");
  EXPECT_EQ(whole->get("p/a"), "1");
  EXPECT_EQ(part->list_keys(), Keys{"a"});
  EXPECT_EQ(prefix_of(part), "p");
  EXPECT_EQ(underlying_store(part), whole);
  EXPECT_EQ(underlying_store(whole), nullptr);
  failure(ErrorKind::Value, [] { prefix_store("p", nullptr); });
}

TEST(TCPStores, MeetAndPart) {
  StoreRef served = master();
  TCPStoreOptions options = client_of(served);
  options.world_size = 3;
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) workers.emplace_back([&] { tcp_store(options); });
  for (std::thread &worker : workers) worker.join();
  EXPECT_EQ(served->num_keys(), 0);
  options.world_size = 5;
  options.timeout = Milliseconds(100);
  EXPECT_NE(failure(ErrorKind::Store, [&] { tcp_store(options); }).find("4 of 5"), std::string::npos);
  const StoreRef client = tcp_store(client_of(served));
  served = nullptr;
  failure(ErrorKind::Network, [&] { client->get("a"); });
}

TEST(TCPStores, SayWhatIsWrongWithAnAddress) {
  const StoreRef served = master();
  TCPStoreOptions options = client_of(served);
  options.timeout = Milliseconds(150);
  options.is_master = true;
  EXPECT_NE(failure(ErrorKind::Network, [&] { tcp_store(options); }).find(std::to_string(options.port)),
            std::string::npos);
  options.is_master = false;
  options.port = 1;
  EXPECT_NE(failure(ErrorKind::Network, [&] { tcp_store(options); }).find("150ms"), std::string::npos);
  options.port = 0;
  failure(ErrorKind::Value, [&] { tcp_store(options); });
  options.port = 29500;
  options.host = "no.such.host.invalid";
  EXPECT_NE(failure(ErrorKind::Network, [&] { tcp_store(options); }).find(options.host), std::string::npos);
}

TEST(TCPStores, AreAskedAfterWhatIsSet) {
  const StoreRef store = master(), client = tcp_store(client_of(store));
  for (int i = 0; i < 100; ++i) {
    // Each thread asks on a connection of its own.
    const std::string key = std::to_string(i);
    client->multi_set({"big", key}, {std::string(100'000, 'x'), "1"});
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back([&] { EXPECT_TRUE(client->check({key})) << i; });
    for (std::thread &thread : threads) thread.join();
  }
}

TEST(TCPStores, DeliverWhatIsSetByWhoLeaves) {
  const StoreRef store = master();
  for (int i = 0; i < 50; ++i) tcp_store(client_of(store))->set(std::to_string(i), "left");
  for (int i = 0; i < 50; ++i) EXPECT_EQ(store->get(std::to_string(i)), "left");
}

TEST(TCPStores, SayThatWhatWasSetIsLost) {
  StoreRef store = master();
  const StoreRef client = tcp_store(client_of(store));
  client->set("a", "1");
  EXPECT_TRUE(client->check({"a"}));
  store.reset();
  const std::string text = failure(ErrorKind::Network, [&] { client->set("a", "2"); });
  EXPECT_NE(text.find("has closed the connection"), std::string::npos) << text;
}

TEST(TCPStores, ShareAServerIfAsked) {
  const StoreRef first = master();
  TCPStoreOptions options = client_of(first);
  TCPStoreOptions shared = options;
  shared.is_master = shared.multi_tenant = true;
  shared.port = 0;
  const StoreRef one = tcp_store(shared);
  shared.port = tcp_store_port(one);
  const StoreRef two = tcp_store(shared);
  one->set("a", "1");
  EXPECT_EQ(two->get("a"), "1");
}

TEST(TCPStores, GoOnInAForkedChild) {
  const StoreRef store = master();
  store->set("a", "1");
  const pid_t child = ::fork();
  if (!child) {
    const bool same = store->get("a") == "1";
    store->set("b", "2");
    ::_exit(same ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(store->get("b"), "2");
}

}  // namespace
}  // namespace thd
