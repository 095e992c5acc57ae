// What the tests share.
#pragma once

#include <string>
#include <vector>

#include <THPP/THPP.h>
#include <gtest/gtest.h>

using namespace thpp;
using V = std::vector<double>;

// 0, 1, 2, … in this shape and dtype
inline Tensor counted(IntList size, THDtype dtype = TH_Float) {
  return to(reshape(arange(TH_numel(int(size.size()), size.data())), size), dtype);
}

inline std::vector<double> numbers(const Tensor &tensor) {
  const NoRecording off;  // reading is no operation
  const Tensor flat = contiguous(to(tensor, TH_Double));
  return {flat.data<double>(), flat.data<double>() + flat.numel()};
}
inline std::vector<int64_t> shape(const Tensor &tensor) { return {tensor.sizes().begin(), tensor.sizes().end()}; }

// The message and kind with which f fails; "" if it does not.
template <class F>
std::string failure(F f, THErrorKind kind = TH_ERROR_RUNTIME) {
  try {
    f();
  } catch (const th::Exception &error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}
