#include "tensors.hpp"

namespace {

// torch's table, row by row: promote_types(row, column).
#define ITEM(Name, ...) TH_##Name,
constexpr THDtype kComputed[] = {TH_FOR_all_complex(ITEM, )};
constexpr const char *kTable[12][12] = {
    {"Bool", "Byte", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"Byte", "Byte", "Short", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"Char", "Short", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"Short", "Short", "Short", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"Int", "Int", "Int", "Int", "Int", "Long", "Half", "BFloat16", "Float", "Double", "ComplexFloat", "ComplexDouble"},
    {"Long", "Long", "Long", "Long", "Long", "Long", "Half", "BFloat16", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"Half", "Half", "Half", "Half", "Half", "Half", "Half", "Float", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"BFloat16", "BFloat16", "BFloat16", "BFloat16", "BFloat16", "BFloat16", "Float", "BFloat16", "Float", "Double",
     "ComplexFloat", "ComplexDouble"},
    {"Float", "Float", "Float", "Float", "Float", "Float", "Float", "Float", "Float", "Double", "ComplexFloat",
     "ComplexDouble"},
    {"Double", "Double", "Double", "Double", "Double", "Double", "Double", "Double", "Double", "Double",
     "ComplexDouble", "ComplexDouble"},
    {"ComplexFloat", "ComplexFloat", "ComplexFloat", "ComplexFloat", "ComplexFloat", "ComplexFloat", "ComplexFloat",
     "ComplexFloat", "ComplexFloat", "ComplexDouble", "ComplexFloat", "ComplexDouble"},
    {"ComplexDouble", "ComplexDouble", "ComplexDouble", "ComplexDouble", "ComplexDouble", "ComplexDouble",
     "ComplexDouble", "ComplexDouble", "ComplexDouble", "ComplexDouble", "ComplexDouble", "ComplexDouble"},
};

TEST(Promote, Types) {
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < 12; ++b) EXPECT_STREQ(TH_typeName(promote_types(kComputed[a], kComputed[b])), kTable[a][b]);
}

TEST(Promote, DtypesThatAreOnlyStored) {
  EXPECT_EQ(promote_types(TH_UInt16, TH_Half), TH_Half);
  EXPECT_EQ(promote_types(TH_UInt64, TH_UInt64), TH_UInt64);
  EXPECT_EQ(promote_types(TH_ComplexHalf, TH_Long), TH_ComplexHalf);
  EXPECT_EQ(promote_types(TH_BFloat16, TH_ComplexHalf), TH_ComplexFloat);
  EXPECT_EQ(promote_types(TH_ComplexHalf, TH_Double), TH_ComplexDouble);
  EXPECT_EQ(promote_types(TH_UInt16, TH_Byte), TH_UInt16);
  EXPECT_EQ(promote_types(TH_Char, TH_UInt16), TH_Int);
  EXPECT_EQ(promote_types(TH_Int, TH_UInt32), TH_Long);
  EXPECT_EQ(promote_types(TH_ComplexFloat, TH_UInt32), TH_ComplexFloat);
  EXPECT_NE(failure([] { promote_types(TH_UInt64, TH_Char); }, TH_ERROR_RUNTIME), "");
  EXPECT_NE(failure([] { promote_types(TH_Float8_e5m2, TH_Float); }, TH_ERROR_RUNTIME), "");
  EXPECT_NE(failure([] { set_default_dtype(TH_Float8_e5m2); }, TH_ERROR_TYPE), "");
}

TEST(Promote, StoredDtypesOfFewerDimensions) {
  const auto result = [](const Tensor &a, const Tensor &b) {
    const Tensor *both[] = {&a, &b};
    return result_type(both);
  };
  const Tensor wide = ones({2}, TH_UInt16), truth = ones({2}, TH_Bool), integer = ones({2}, TH_Int);
  EXPECT_EQ(result(wide, ones({}, TH_Half)), TH_Half);
  EXPECT_EQ(result(wide, ones({}, TH_ComplexHalf)), TH_ComplexHalf);
  EXPECT_EQ(result(integer, ones({}, TH_UInt16)), TH_Int);
  EXPECT_EQ(result(ones({2}, TH_Half), ones({}, TH_Float8_e5m2)), TH_Half);
  EXPECT_EQ(result(truth, ones({}, TH_UInt16)), TH_UInt16);
  EXPECT_NE(failure([&] { result(integer, ones({}, TH_Float8_e5m2)); }, TH_ERROR_RUNTIME), "");
}

TEST(Promote, NumbersBeyondInt64) {
  const Tensor number = wrapped_number(Scalar(~uint64_t(0)));
  EXPECT_EQ(number.dtype(), TH_UInt64);
  EXPECT_EQ(number.item().to_double(), 0x1p64);
  EXPECT_NE(failure([&] { number.item().to_int(); }, TH_ERROR_RUNTIME), "");
  EXPECT_EQ(wrapped_number(Scalar(uint64_t(7))).dtype(), TH_Long);
  EXPECT_EQ(mul(ones({2}, TH_Int), number).dtype(), TH_Int);
  EXPECT_EQ(mul(ones({2}, TH_Half), number).dtype(), TH_Half);
  EXPECT_EQ(mul(ones({2}, TH_Bool), number).dtype(), TH_UInt64);
  EXPECT_TRUE(all(eq(full({2}, Scalar(~uint64_t(0)), TH_UInt64), number)).item().to_int());
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

TEST(Promote, ComplexNumbers) {
  const Tensor wide = ones({2}, TH_Double), single = ones({2}, TH_Float), integer = ones({2}, TH_Long);
  const Scalar i(THComplexDouble(0, 1));
  EXPECT_EQ(mul(single, wrapped_number(i)).dtype(), TH_ComplexFloat);
  EXPECT_EQ(mul(wide, wrapped_number(i)).dtype(), TH_ComplexDouble);
  EXPECT_EQ(mul(integer, wrapped_number(i)).dtype(), TH_ComplexFloat);
  EXPECT_EQ(mul(single, ones({}, TH_ComplexDouble)).dtype(), TH_ComplexFloat);
  EXPECT_EQ(mul(wide, ones({}, TH_ComplexFloat)).dtype(), TH_ComplexDouble);
  EXPECT_EQ(mul(ones({2}, TH_ComplexFloat), ones({}, TH_Double)).dtype(), TH_ComplexFloat);
  EXPECT_EQ(abs(ones({2}, TH_ComplexDouble)).dtype(), TH_Double);
  EXPECT_FALSE(can_cast(TH_ComplexFloat, TH_Double));
  EXPECT_TRUE(can_cast(TH_ComplexDouble, TH_ComplexFloat));
}

TEST(Promote, DefaultDtype) {
  set_default_dtype(TH_Double);
  EXPECT_EQ(exp(ones({2}, TH_Int)).dtype(), TH_Double);
  EXPECT_EQ(zeros({2}).dtype(), TH_Double);
  EXPECT_EQ(full({2}, THComplexDouble(0, 1)).dtype(), TH_ComplexDouble);
  EXPECT_EQ(mul(ones({2}, TH_Int), wrapped_number(THComplexDouble(0, 1))).dtype(), TH_ComplexDouble);
  set_default_dtype(TH_Float);
  EXPECT_EQ(exp(ones({2}, TH_Int)).dtype(), TH_Float);
  EXPECT_NE(failure([] { set_default_dtype(TH_Int); }, TH_ERROR_TYPE), "");
}

}  // namespace
