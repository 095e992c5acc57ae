// What a library that records sees of the operators, and what one that does not. The table here notes each call and
// runs the body, as autograd's will.
#include "tensors.hpp"

namespace {

std::vector<std::string> seen;

// A slot that notes `name` and calls the function that it stands for, whose result is to be recorded too.
template <auto function, class>
struct Noting;
template <auto function, class R, class... P>
struct Noting<function, R(P...)> {
  static inline const char *name;
  static R call(P... arguments) {
    seen.push_back(name);
    const NoRecording off;
    if constexpr (std::is_same_v<R, Tensor>) {
      Tensor result = function(arguments...);
      result.get()->flags |= TH_RECORDED;
      return result;
    } else {
      return function(arguments...);
    }
  }
};
#define NOTE(function) note<&thpp::function>(table.function, #function)

class Guard : public testing::Test {
 protected:
  void SetUp() override {
    seen.clear();
    NOTE(add), NOTE(add_), NOTE(add_out), NOTE(mul), NOTE(transpose), NOTE(select), NOTE(fill_), NOTE(cat), NOTE(sort);
    NOTE(permute);
    set_recorder(&table);
  }
  void TearDown() override { set_recorder(nullptr); }

  template <auto function, class F>
  void note(F *&slot, const char *name) {
    Noting<function, F>::name = name;
    slot = Noting<function, F>::call;
  }
  static Tensor recorded(IntList size, THDtype dtype = TH_Float) {
    Tensor tensor = counted(size, dtype);
    tensor.get()->flags |= TH_RECORDED;
    return tensor;
  }

  Operators table{};
};

using Calls = std::vector<std::string>;

TEST_F(Guard, OtherTensorsAreNoneOfItsBusiness) {
  const Tensor a = counted({2, 3});
  Tensor out = add(a, a);
  add_(out, a);
  add_out(out, a, a);
  fill_(select(transpose(a, 0, 1), 0, 1), wrapped_number(9));
  sort(flatten(a));
  EXPECT_EQ(seen, Calls());
}

TEST_F(Guard, SeesEveryForm) {
  const Tensor a = recorded({2, 3}), b = counted({2, 3});
  EXPECT_EQ(numbers(add(b, a)), (V{0, 2, 4, 6, 8, 10}));
  Tensor out = counted({2, 3});
  add_out(out, b, a);
  EXPECT_EQ(seen, (Calls{"add", "add_out"}));
  EXPECT_TRUE(add_(a, b).is_same(a));
  fill_(a, wrapped_number(1));
  EXPECT_EQ(seen, (Calls{"add", "add_out", "add_", "fill_"}));
  EXPECT_EQ(std::get<1>(sort(a)).dtype(), TH_Long);
  EXPECT_EQ(seen.back(), "sort");
}

TEST_F(Guard, SeesAResultThatIsGiven) {
  Tensor out = recorded({2});
  add_out(out, counted({2}), counted({2}));
  EXPECT_EQ(seen, Calls{"add_out"});
}

TEST_F(Guard, SeesViewsAndLists) {
  const Tensor a = recorded({2, 3});
  EXPECT_EQ(shape(select(transpose(a, 0, 1), 0, 1)), (std::vector<int64_t>{2}));
  cat({counted({1, 3}), a});
  EXPECT_EQ(seen, (Calls{"transpose", "select", "cat"}));
}

TEST_F(Guard, SeesACompositeByItsParts) {
  EXPECT_EQ(shape(movedim(recorded({2, 3}), {0}, {1})), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(seen, Calls{"permute"});
}

TEST_F(Guard, AResultThatIsStillToBeMadeIsRecordedAsTheFunctionalFormIs) {
  Tensor out;
  add_out(out, counted({2}), recorded({2}));
  EXPECT_EQ(seen, Calls{"add"});
  EXPECT_EQ(numbers(out), (V{0, 2}));
}

TEST_F(Guard, NothingIsRecordedWhereItsUserSaysSo) {
  set_grad_mode(false);
  add(recorded({2}), recorded({2}));
  set_grad_mode(true);
  EXPECT_EQ(seen, Calls());
}

TEST_F(Guard, AGivenResultOfWhatHasADerivativeIsRefused) {
  Tensor out = recorded({0});
  EXPECT_EQ(failure([&] { permute_copy_out(out, counted({2, 3}), {1, 0}); }, TH_ERROR_RUNTIME).substr(0, 14),
            "permute_copy()");
  EXPECT_EQ(out.numel(), 0);
}

TEST_F(Guard, NothingBelowARecordedCallIsRecorded) {
  table.rsub = [](const Tensor &self, const Tensor &other, const Scalar &alpha) {
    const NoRecording off;
    return rsub(self, other, alpha);
  };
  EXPECT_EQ(numbers(rsub(recorded({2}), counted({2}), 2)), (V{0, -1}));
  EXPECT_EQ(seen, Calls());
}

TEST_F(Guard, RunsWhatHasNoDerivative) {
  EXPECT_EQ(numbers(eq(recorded({2}), counted({2}))), (V{1, 1}));
  EXPECT_EQ(seen, Calls());
}

TEST_F(Guard, AComparisonInPlaceIsNoLongerWhatWasRecorded) {
  const Tensor a = recorded({2});
  EXPECT_EQ(failure([&] { eq_(a, counted({2})); }, TH_ERROR_NOT_IMPLEMENTED).substr(0, 5), "eq():");
  EXPECT_EQ(numbers(a), (V{0, 1}));
}

TEST_F(Guard, AnEmptySlotIsRefusedByName) {
  const Tensor a = recorded({2});
  EXPECT_EQ(failure([&] { atan2(a, a); }, TH_ERROR_NOT_IMPLEMENTED),
            "atan2(): a tensor asks for its operations to be recorded, which this operator does not support");
  EXPECT_EQ(failure([&] { atan2_(a, a); }, TH_ERROR_NOT_IMPLEMENTED).substr(0, 8), "atan2():");
  EXPECT_EQ(numbers(a), (V{0, 1}));
  set_recorder(nullptr);
  EXPECT_EQ(failure([&] { add(a, a); }, TH_ERROR_NOT_IMPLEMENTED),
            "add(): a tensor asks for its operations to be recorded, which no loaded library does");
  const NoRecording off;
  EXPECT_EQ(numbers(add(a, a)), (V{0, 2}));
}

TEST_F(Guard, TheTableIsDescribed) {
  const auto row = [](auto slot) {
    const Operators table{};
    return operators()[size_t(reinterpret_cast<const char *>(&(table.*slot)) - reinterpret_cast<const char *>(&table)) /
                       sizeof(void *)];
  };
  EXPECT_STREQ(row(&Operators::max_with_dim_out).name, "max");
  EXPECT_EQ(row(&Operators::max_with_dim_out).form, Form::Out);
  EXPECT_EQ(row(&Operators::add_).form, Form::InPlace);
  EXPECT_EQ(row(&Operators::fill_).form, Form::InPlace);
  EXPECT_EQ(row(&Operators::add).derivative, Derivative::Formula);
  EXPECT_EQ(row(&Operators::movedim).derivative, Derivative::Composite);
  EXPECT_EQ(row(&Operators::eq).derivative, Derivative::None);
  EXPECT_STREQ(row(&Operators::add_).aten, "add_");
  EXPECT_STREQ(row(&Operators::add_).overload, "Tensor");
  EXPECT_STREQ(row(&Operators::max_with_dim_out).overload, "dim_max");
  EXPECT_STREQ(row(&Operators::softmax).aten, "_softmax");
  EXPECT_STREQ(row(&Operators::_div_trunc).aten, "");
}

}  // namespace
