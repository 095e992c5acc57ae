// A thread's modes are asked before bodies run, below recording, and may answer.
#include <thread>

#include <THPP/DispatchMode.h>

#include "tensors.hpp"

namespace {

// Writes down what it is asked about, and answers what it was told to.
struct Listing : DispatchMode {
  std::vector<Tensor> call(const Op &op, std::span<const Argument> arguments,
                           const std::function<std::vector<Tensor>()> &run) override {
    seen.push_back(op.name + std::string(op.form == Form::InPlace ? "_" : ""));
    if (look) look(arguments);
    return answer.empty() ? run() : answer;
  }
  std::vector<std::string> seen;
  std::function<void(std::span<const Argument>)> look;
  std::vector<Tensor> answer;
};

struct Entered {
  explicit Entered(DispatchMode &mode) { push_dispatch_mode(&mode); }
  ~Entered() { pop_dispatch_mode(); }
};

using Names = std::vector<std::string>;

TEST(Modes, AreAskedAboutWhatRuns) {
  Listing mode;
  const Tensor x = ones({2});
  Tensor out = ones({2});
  {
    const Entered entered(mode);
    thpp::add(x, x, 2);
    thpp::mul_(x, x);
    thpp::mul_out(out, x, x);  // functions that are given their result are not asked about
  }
  thpp::add(x, x, 2);
  EXPECT_EQ(mode.seen, (Names{"add", "mul_"}));
}

TEST(Modes, SeeThePartsOfComposites) {
  Listing mode;
  const Tensor x = ones({2, 2});
  const Entered entered(mode);
  thpp::matmul(x, x);
  EXPECT_EQ(mode.seen, Names{"mm"});
}

TEST(Modes, AreGivenArguments) {
  Listing mode;
  const Tensor x = ones({2, 3});
  const Entered entered(mode);
  mode.look = [&](std::span<const Argument> given) {
    ASSERT_GE(given.size(), 3u);
    EXPECT_EQ(std::get<const Tensor *>(given[0])->get(), x.get());
    EXPECT_EQ(std::get<IntList>(given[1])[0], 1);
    EXPECT_TRUE(std::get<bool>(given[2]));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(given.back()));  // the dtype
  };
  thpp::sum(x, {1}, true);
  EXPECT_EQ(mode.seen, Names{"sum"});
}

TEST(Modes, AnswerForTheBody) {
  Listing mode;
  const Tensor x = ones({2});
  mode.answer = {zeros({2})};
  {
    const Entered entered(mode);
    EXPECT_EQ(thpp::add(x, x).get(), mode.answer[0].get());
    EXPECT_THROW(thpp::sort(x), std::exception);  // has two results
    EXPECT_EQ(thpp::add_(x, x).get(), x.get());  // an answer is no tensor that is written,
  }
  EXPECT_EQ(numbers(x), (V{1, 1}));  // and nothing else writes it
  EXPECT_EQ(mode.seen, (Names{"add", "sort", "add_"}));
}

TEST(Modes, MayEnterOthers) {
  Listing outer, inner, entered_inside;
  const Tensor x = ones({2});
  inner.look = [&](std::span<const Argument>) {
    EXPECT_THROW(pop_dispatch_mode(), std::exception);  // they were entered before
    {
      const Entered again(entered_inside);
      thpp::mul(x, x);
    }
    push_dispatch_mode(&entered_inside);  // is left when the call ends
  };
  const Entered first(outer), second(inner);
  thpp::add(x, x);
  EXPECT_EQ(inner.seen, Names{"add"});
  EXPECT_EQ(entered_inside.seen, (Names{"mul", "add"}));
  EXPECT_EQ(outer.seen, (Names{"mul", "add"}));
}

TEST(Modes, CanBeLeftOut) {
  Listing mode, other;
  const Tensor x = ones({2});
  const Entered entered(mode);
  {
    const WithoutModes none;
    thpp::add(x, x);
    EXPECT_THROW(pop_dispatch_mode(), std::exception);
    const Entered inside(other);
    thpp::sub(x, x);
  }
  thpp::mul(x, x);
  EXPECT_EQ(mode.seen, Names{"mul"});
  EXPECT_EQ(other.seen, Names{"sub"});
}

TEST(Modes, StandAboveEachOther) {
  Listing outer, inner;
  const Tensor x = ones({2});
  const Entered first(outer);
  {
    const Entered second(inner);
    thpp::add(x, x);
  }
  thpp::mul(x, x);
  EXPECT_EQ(inner.seen, Names{"add"});
  EXPECT_EQ(outer.seen, (Names{"add", "mul"}));
}

TEST(Modes, BelongToAThread) {
  Listing mode;
  const Tensor x = ones({2});
  const Entered entered(mode);
  std::thread([&] { thpp::add(x, x); }).join();
  EXPECT_TRUE(mode.seen.empty());
}

TEST(Modes, MayRaise) {
  struct Raising : DispatchMode {
    std::vector<Tensor> call(const Op &, std::span<const Argument>,
                             const std::function<std::vector<Tensor>()> &) override {
      throw std::runtime_error("no");
    }
  } raising;
  Listing mode;
  const Tensor x = ones({2});
  {
    const Entered entered(raising);
    EXPECT_THROW(thpp::add(x, x), std::runtime_error);
    EXPECT_THROW(thpp::add(x, x), std::runtime_error);  // it is asked again
  }
  EXPECT_THROW(pop_dispatch_mode(), std::exception);
  const Entered entered(mode);
  thpp::add(x, x);
  EXPECT_EQ(mode.seen, Names{"add"});
}

}  // namespace
