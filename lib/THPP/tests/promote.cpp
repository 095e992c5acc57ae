#include "tensors.hpp"

namespace {

// torch's table, row by row: promote_types(row, column).
constexpr const char *kTable[TH_NUM_DTYPES][TH_NUM_DTYPES] = {
    {"Bool", "Byte", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double"},
    {"Byte", "Byte", "Short", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double"},
    {"Char", "Short", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double"},
    {"Short", "Short", "Short", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double"},
    {"Int", "Int", "Int", "Int", "Int", "Long", "Half", "BFloat16", "Float", "Double"},
    {"Long", "Long", "Long", "Long", "Long", "Long", "Half", "BFloat16", "Float", "Double"},
    {"Half", "Half", "Half", "Half", "Half", "Half", "Half", "Float", "Float", "Double"},
    {"BFloat16", "BFloat16", "BFloat16", "BFloat16", "BFloat16", "BFloat16", "Float", "BFloat16", "Float", "Double"},
    {"Float", "Float", "Float", "Float", "Float", "Float", "Float", "Float", "Float", "Double"},
    {"Double", "Double", "Double", "Double", "Double", "Double", "Double", "Double", "Double", "Double"},
};

TEST(Promote, Types) {
  for (int a = 0; a < TH_NUM_DTYPES; ++a)
    for (int b = 0; b < TH_NUM_DTYPES; ++b)
      EXPECT_STREQ(TH_typeName(promote_types(THDtype(a), THDtype(b))), kTable[a][b]);
}

TEST(Promote, CastsKeepTheKind) {
  EXPECT_TRUE(can_cast(TH_Long, TH_Byte));
  EXPECT_TRUE(can_cast(TH_Double, TH_Half));
  EXPECT_TRUE(can_cast(TH_Bool, TH_Bool));
  EXPECT_FALSE(can_cast(TH_Float, TH_Long));
  EXPECT_FALSE(can_cast(TH_Byte, TH_Bool));
}

TEST(Promote, FewerDimensionsCountLess) {
  const Tensor vector = ones({2}, TH_Half), scalar = ones({}, TH_Double), integer = ones({2}, TH_Byte);
  EXPECT_EQ(add(vector, scalar).dtype(), TH_Half);
  EXPECT_EQ(add(integer, scalar).dtype(), TH_Double);
  EXPECT_EQ(add(integer, ones({}, TH_Long)).dtype(), TH_Byte);
}

TEST(Promote, NumbersCountByKindOnly) {
  EXPECT_EQ(mul(ones({2}, TH_Byte), wrapped_number(1000)).dtype(), TH_Byte);
  EXPECT_EQ(mul(ones({2}, TH_Byte), wrapped_number(0.5)).dtype(), TH_Float);
  EXPECT_EQ(mul(ones({}, TH_Half), wrapped_number(0.5)).dtype(), TH_Half);
  EXPECT_EQ(mul(ones({2}, TH_Bool), wrapped_number(2)).dtype(), TH_Long);
  EXPECT_EQ(add(wrapped_number(1), wrapped_number(2.0)).dtype(), TH_Float);
}

TEST(Promote, DefaultDtype) {
  set_default_dtype(TH_Double);
  EXPECT_EQ(exp(ones({2}, TH_Int)).dtype(), TH_Double);
  EXPECT_EQ(zeros({2}).dtype(), TH_Double);
  set_default_dtype(TH_Float);
  EXPECT_EQ(exp(ones({2}, TH_Int)).dtype(), TH_Float);
  EXPECT_NE(failure([] { set_default_dtype(TH_Int); }, TH_ERROR_TYPE), "");
}

}  // namespace
