// What the tests share: children, what they leave behind, and waiting for it.
#pragma once

#include <TH/THException.hpp>

#include <chrono>
#include <csignal>
#include <dirent.h>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace test {

inline size_t entries(const char *folder, const std::string &prefix) {
  size_t n = 0;
  DIR *all = opendir(folder);
  if (!all) return 0;
  while (const dirent *entry = readdir(all)) n += std::string(entry->d_name).rfind(prefix, 0) == 0;
  closedir(all);
  return n;
}
// Names of this process and its children; others may run beside it.
inline std::string &family() {
  static std::string prefix = "torch_" + std::to_string(getpid()) + "_";
  return prefix;
}
inline size_t segments() { return entries("/dev/shm", family()); }
inline size_t descriptors() { return entries("/proc/self/fd", ""); }

// Whether it becomes true within a second.
inline bool soon(const std::function<bool()> &condition) {
  for (int i = 0; i < 200; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

inline void expectRaises(const std::string &part, const std::function<void()> &body) {
  try {
    body();
    ADD_FAILURE() << "nothing was raised; expected: " << part;
  } catch (const th::Exception &error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

struct Descriptor {
  int value = -1;
  ~Descriptor() {
    if (value >= 0) close(value);
  }
};

}  // namespace test
