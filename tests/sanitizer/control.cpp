// Mistakes that a sanitizer must see: `control NAME` makes one of them, `control` none. Compiled like the libraries.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

// The compiler must not see through them.
volatile int one = 1;
volatile int most = 2147483647;

int run(const std::string &name) {
  const auto block = std::make_unique<int[]>(4);
  std::memset(block.get(), 0, 4 * sizeof(int));
  volatile int stack[4] = {};
  if (name == "heap-buffer-overflow") return block[3 + one];
  if (name == "stack-buffer-overflow") return stack[3 + one];
  if (name == "heap-use-after-free") {
    int *freed = new int[4]();
    delete[] freed;
    return freed[one];
  }
  if (name == "signed integer overflow") return most + one;
  if (name == "shift exponent 32 is too large") return one << (31 + one);
  if (name == "misaligned address") return *reinterpret_cast<int *>(reinterpret_cast<char *>(block.get()) + one);
  if (name == "load of value 2") {
    const unsigned char two = 1 + one;
    bool truth;
    std::memcpy(&truth, &two, 1);
    return truth;
  }
  if (name == "data race") {
    std::thread other([&] { block[0] += one; });
    block[0] += one;
    other.join();
    return block[0];
  }
  if (name == "lock-order-inversion") {
    std::mutex a, b;
    for (int i = 0; i < 2; i++) {
      const std::lock_guard first(i ? b : a), second(i ? a : b);
    }
    return one;
  }
  // Of libstdc++, in each build.
  if (name == "Assertion") return std::vector<int>(3)[2 + one];
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  std::printf("%d\n", run(argc > 1 ? argv[1] : ""));
  return 0;
}
