// The TCP store's server among strangers, many clients, and nobody. THD_STRANGERS: how many messages strangers send.
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include <THD/Store.h>

#include "failure.hpp"

namespace thd {
namespace {

StoreRef master(const std::string &host = "127.0.0.1") {
  TCPStoreOptions options;
  options.host = host;
  options.is_master = true;
  return tcp_store(options);
}
StoreRef client_of(const StoreRef &store) {
  TCPStoreOptions options;
  options.host = tcp_store_host(store);
  options.port = tcp_store_port(store);
  return tcp_store(options);
}

// -1: nobody listens there.
int connected(uint16_t port, uint32_t address = INADDR_LOOPBACK) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(address);
  if (!::connect(fd, reinterpret_cast<sockaddr *>(&where), sizeof where)) return fd;
  ::close(fd);
  return -1;
}
void send(int fd, const std::string &text) { (void)!::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT); }

int64_t kilobytes(const char *what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(what, 0) == 0) return std::stoll(line.substr(line.find(':') + 1));
  return -1;
}

const std::string kHello("\x54\x48\x53\x74\x6f\x72\x65\x32", 8);
std::string number(uint64_t value) { return std::string(reinterpret_cast<const char *>(&value), 8); }
std::string bytes(const std::string &value) { return number(value.size()) + value; }

// A question of the protocol, as clients ask it.
std::string question(std::mt19937_64 &random) {
  const char letters[] = "sgw+cd?nlapqQL";
  std::string text(1, letters[random() % (sizeof letters - 1)]);
  const std::string key = bytes("stranger " + std::to_string(random() % 50)),
                    value = bytes(std::string(random() % 40, 'x'));
  switch (text[0]) {
    case 's': text += number(1) + key + number(1) + value; break;
    case 'g':
    case 'w': text += number(random() % 5) + number(1) + key; break;
    case '+': text += key + number(random() % 9); break;
    case 'c': text += key + value + value; break;
    case '?': text += number(2) + key + key; break;
    case 'a':
    case 'p': text += key + value; break;
    case 'q': text += number(1) + key; break;
    case 'n':
    case 'l': break;
    default: text += key;
  }
  return number(text.size()) + text;
}
std::string stranger(std::mt19937_64 &random) {
  std::string text;
  switch (random() % 6) {
    case 0:  // anything
      for (size_t n = random() % 64; n; --n) text += char(random());
      return text;
    case 1:  // a length that no message has, or that never comes
      return number(random() % 2 ? random() : random() % (uint64_t(1) << 28)) + question(random).substr(8);
    case 2:  // half of one
      text = question(random);
      return text.substr(0, random() % text.size());
    case 3:  // lengths within that lie
      text = std::string(1, "sgw?l"[random() % 5]) + number(random() % 3) + number(random() >> (random() % 60)) + "key";
      return number(text.size()) + text;
    default:  // one that has been changed
      text = question(random);
      for (int i = int(random() % 3); i >= 0; --i) text[random() % text.size()] = char(random());
      return text;
  }
}

TEST(Servers, LoseStrangersOnly) {
  const char *said = std::getenv("THD_STRANGERS");
  const int64_t messages = said ? std::stoll(said) : 2000;
  const StoreRef store = master();
  store->set("honest", "1");
  const int64_t before = kilobytes("VmHWM");
  std::atomic<bool> over{false};
  std::atomic<int64_t> asked{0};
  std::vector<std::thread> honest;
  for (int t = 0; t < 2; ++t)
    honest.emplace_back([&, t, mine = client_of(store)] {
      const std::string key = "counter" + std::to_string(t);
      for (int64_t i = 1; !over; ++i, ++asked) {
        ASSERT_EQ(mine->add(key, 1), i);
        ASSERT_EQ(mine->get("honest"), "1");
      }
    });
  std::mt19937_64 random(27);
  for (int64_t i = 0; i < messages;) {
    const int fd = connected(tcp_store_port(store));
    ASSERT_GE(fd, 0) << "after " << i << " messages";
    if (random() % 8) send(fd, kHello);
    for (int64_t n = int64_t(random() % 8); n >= 0; --n, ++i) send(fd, stranger(random));
    if (random() % 4 == 0) ::shutdown(fd, SHUT_WR);
    ::close(fd);
  }
  // A busy machine may not have let them ask yet.
  while (asked <= 10) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  over = true;
  for (std::thread &thread : honest) thread.join();
  EXPECT_EQ(store->get("honest"), "1");
  EXPECT_LT(kilobytes("VmHWM") - before, 64 * 1024 + messages / 20);  // some of them are sets, and are obeyed
  if (said)
    std::printf("%ld messages, %ld honest questions, %ld KiB more\n", long(messages), long(asked),
                long(kilobytes("VmHWM") - before));
}

TEST(Servers, TakeNoMemoryForAnswersThatNobodyReads) {
  const StoreRef store = master();
  store->set("big", std::string(1 << 20, 'x'));
  const int64_t before = kilobytes("VmHWM");
  const int fd = connected(tcp_store_port(store));
  std::string ask = "g" + number(0) + number(1) + bytes("big");
  ask = number(ask.size()) + ask;
  std::string many = kHello;
  for (int i = 0; i < 1000; ++i) many += ask;
  send(fd, many);
  EXPECT_EQ(store->get("big").size(), size_t(1) << 20);
  // One question whose answer is a gibibyte and more.
  const Keys keys(1100, "big");
  EXPECT_NE(failure(ErrorKind::Value, [&] { store->multi_get(keys); }).find("268435456"), std::string::npos);
  EXPECT_LT(kilobytes("VmHWM") - before, 32 * 1024);
  ::close(fd);
}

TEST(Servers, ListenWhereTheyAreTold) {
  const StoreRef store = master("127.0.0.2");
  const int there = connected(tcp_store_port(store), 0x7f000002);
  EXPECT_GE(there, 0);
  ::close(there);
  EXPECT_EQ(connected(tcp_store_port(store), INADDR_LOOPBACK), -1);
  EXPECT_EQ(connected(tcp_store_port(store), 0x7f000003), -1);
}

TEST(Servers, SleepWhereNothingHappens) {
  const StoreRef store = master();
  std::vector<int> silent;
  for (int i = 0; i < 40; ++i) silent.push_back(connected(tcp_store_port(store)));
  std::thread waits([other = client_of(store)] { other->wait({"end"}); });
  std::this_thread::sleep_for(Milliseconds(50));
  const auto spent = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
  };
  const auto before = spent();
  std::this_thread::sleep_for(Milliseconds(400));
  EXPECT_LT(spent() - before, 4'000);
  store->set("end", "");
  waits.join();
  for (const int fd : silent) ::close(fd);
}

TEST(Servers, SleepWithoutDescriptorsToo) {
  const StoreRef store = master();
  store->set("a", "1");
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const int knocks = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  rlimit none = limit;
  none.rlim_cur = rlim_t(knocks) + 1;
  // All lower numbers are taken, so that accept() finds none.
  std::vector<int> taken;
  ::setrlimit(RLIMIT_NOFILE, &none);
  for (int fd; (fd = ::dup(knocks)) >= 0;) taken.push_back(fd);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(tcp_store_port(store));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(knocks, reinterpret_cast<sockaddr *>(&where), sizeof where);
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  std::this_thread::sleep_for(Milliseconds(300));
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(store->get("a"), "1");  // over the connection that it has
  ::setrlimit(RLIMIT_NOFILE, &limit);
  for (const int fd : taken) ::close(fd);
  ::close(knocks);
  const auto microseconds = [](const rusage &u) {
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1'000'000 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
  };
  EXPECT_LT(microseconds(after) - microseconds(before), 20'000);
  EXPECT_EQ(client_of(store)->get("a"), "1");  // a new one
}

TEST(Servers, ServeManyClientsAndKeys) {
  const StoreRef store = master();
  std::vector<StoreRef> clients;
  for (int i = 0; i < 100; ++i) clients.push_back(client_of(store));
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < 40; ++k)
      clients[size_t(i)]->set(std::to_string(i) + "/" + std::to_string(k), std::to_string(i * k));
    EXPECT_TRUE(clients[size_t(i)]->check({std::to_string(i) + "/39"}));
  }
  EXPECT_EQ(store->num_keys(), 4000);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(clients[size_t(99 - i)]->get(std::to_string(i) + "/39"), std::to_string(i * 39));
  // Who waits for all of them, and who waits in vain.
  Keys all = store->list_keys();
  all.push_back("last");
  std::vector<std::thread> waiters;
  for (int i = 0; i < 8; ++i)
    waiters.emplace_back([&, mine = clients[size_t(i)]] {
      failure(ErrorKind::Store, [&] { mine->wait({"never"}, Milliseconds(50)); });
      mine->wait(all, Milliseconds(20'000));
    });
  std::this_thread::sleep_for(Milliseconds(20));
  store->set("last", "");
  for (std::thread &waiter : waiters) waiter.join();
}

TEST(Servers, LetOneWinARace) {
  const StoreRef store = master();
  for (int round = 0; round < 30; ++round) {
    const std::string key = "race " + std::to_string(round);
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] { winners += store->compare_set(key, "", std::to_string(t)) == std::to_string(t); });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
  }
}

}  // namespace
}  // namespace thd
