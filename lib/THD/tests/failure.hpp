#pragma once

#include <gtest/gtest.h>

#include <THD/Error.h>

// What f raises, which must be of this kind; "" and a failure if it raises nothing.
template <class F>
std::string failure(thd::ErrorKind kind, const F &f) {
  try {
    f();
  } catch (const thd::Error &error) {
    EXPECT_EQ(int(error.kind()), int(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was raised";
  return "";
}
