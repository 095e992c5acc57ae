// A group over an engine that is not ours.
#include <unistd.h>

#include <csignal>
#include <cstring>

#include <THD/Transport.h>
#include <THPP/THPP.h>

#include "failure.hpp"
#include "ranks.hpp"

namespace thd {
namespace {

// Whatever it does is a write to a pipe that nobody reads from.
class BrokenPipe : public Transport {
 public:
  BrokenPipe() : Transport("broken", 0, 2) {
    int ends[2];
    if (::pipe(ends)) throw std::runtime_error("no pipe");
    ::close(ends[0]);
    end_ = ends[1];
  }
  ~BrokenPipe() override { ::close(end_); }
  void broadcast(void *, size_t, int, const Round &) override { write(); }
  void all_reduce(void *, int64_t, THDtype, ReduceOp::Kind, const Round &) override { write(); }
  void reduce(const void *, void *, int64_t, THDtype, ReduceOp::Kind, int, const Round &) override { write(); }
  void all_gather(const void *, void *, const Counts &, const Round &) override { write(); }
  void gather(const void *, void *, const Counts &, int, const Round &) override { write(); }
  void scatter(const void *, void *, const Counts &, int, const Round &) override { write(); }
  void reduce_scatter(void *, void *, const Counts &, THDtype, ReduceOp::Kind, const Round &) override { write(); }
  void all_to_all(const void *, const Counts &, void *, const Counts &, const Round &) override { write(); }
  void barrier(const Round &) override { write(); }
  std::unique_ptr<Posted> send(const void *, size_t, int, uint32_t) override {
    write();
    return nullptr;
  }
  std::unique_ptr<Posted> receive(void *, size_t, int, uint32_t) override {
    struct Late : Posted {
      explicit Late(int end) : end(end) {}
      int wait(Milliseconds) override {
        write_to(end);
        return 1;
      }
      const int end;
    };
    return std::make_unique<Late>(end_);
  }
  std::vector<std::pair<int, std::string>> broken() override {
    try {
      write();
    } catch (const std::exception &error) {
      return {{1, error.what()}};
    }
    return {};
  }
  void abort() override {}

 private:
  static void write_to(int end) {
    if (::write(end, "", 1) < 0) throw std::runtime_error(std::strerror(errno));
  }
  void write() const { write_to(end_); }
  int end_;
};

bool is_blocked(int signal) {
  sigset_t now;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal);
}

TEST(Engines, AreNotEndedByASignalOfAConnection) {
  ASSERT_EQ(std::signal(SIGPIPE, SIG_DFL), SIG_DFL);
  const Tensor tensor = full({3}, 1);
  const auto fails = [&](const auto &call) {
    ProcessGroup group(std::make_unique<BrokenPipe>(), hash_store(), Milliseconds(100));
    const std::string text = failure(ErrorKind::Backend, [&] { call(group)->wait(); });
    EXPECT_NE(text.find("lost: rank 1 (Broken pipe)"), std::string::npos) << text;
    EXPECT_FALSE(is_blocked(SIGPIPE));
  };
  for (const bool async : {false, true}) {
    fails([&](ProcessGroup &group) { return group.all_reduce({tensor}, {}, {async}); });
    fails([&](ProcessGroup &group) { return group.receive(tensor, 1, 0, {async}); });
  }
  fails([&](ProcessGroup &group) { return group.send(tensor, 1, 0); });
}

}  // namespace
}  // namespace thd
