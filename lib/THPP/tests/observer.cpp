// A thread's observer is told of calls, one within another, and of each call once.
#include <thread>

#include <THPP/Observer.h>

#include "tensors.hpp"

namespace {

struct Listing : Observer {
  explicit Listing(bool wants_arguments = false) : Observer(wants_arguments) { set_observer(this); }
  ~Listing() override { set_observer(nullptr); }

  size_t begin(const Op &op, std::span<const Argument> arguments, bool) override {
    count = arguments.size();
    return begin(op.aten, -1);
  }
  size_t begin(const char *name, int64_t) override {
    seen.push_back(std::string(depth++, ' ') + name);
    return seen.size() - 1;
  }
  void end(size_t) noexcept override { --depth; }

  std::vector<std::string> seen;
  size_t depth = 0, count = 0;
};

using Names = std::vector<std::string>;

TEST(Observer, HearsOfCallsAndWhatTheyAreMadeOf) {
  const Tensor x = ones({2, 2});
  Listing listing;
  thpp::matmul(x, x);
  thpp::mul_(x, x);
  EXPECT_EQ(listing.seen, (Names{"matmul", " mm", "mul_"}));
  EXPECT_EQ(listing.depth, 0u);
}

TEST(Observer, HearsOfFormsWithOutAndOfErrors) {
  const Tensor x = ones({2, 2});
  Tensor out = ones({2, 2});
  Listing listing(true);
  thpp::mul_out(out, x, x);
  EXPECT_EQ(listing.count, 3u);
  EXPECT_THROW(thpp::mm(x, ones({3, 3})), std::exception);
  EXPECT_EQ(listing.seen.front(), "mul");
  EXPECT_EQ(listing.depth, 0u);
}

TEST(Observer, IsOfOneThreadAndEnds) {
  const Tensor x = ones({2});
  {
    Listing listing;
    std::thread([&] { thpp::add(x, x); }).join();
    const ObservedScope scope(observer(), "scope", 3);
    thpp::mul(x, x);
    EXPECT_EQ(listing.seen, (Names{"scope", " mul"}));
  }
  EXPECT_EQ(observer(), nullptr);
  thpp::add(x, x);
}

}  // namespace
