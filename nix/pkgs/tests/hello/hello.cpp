#include <concepts>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "greet.h"

template <std::integral T>
std::string describe(T value) {
  if (value != 42) throw std::runtime_error("not 42");
  const std::string file = greet_file();
  return std::to_string(value) + " from " + file.substr(file.rfind('/') + 1);
}

int main() {
  std::puts(describe(42).c_str());
  try {
    describe(0);
  } catch (const std::exception &error) {
    return 0;
  }
  return 1;
}
