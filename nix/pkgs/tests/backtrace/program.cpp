// Stops in a function of its own with something to look at.
#include <cstdlib>
#include <string>
#include <vector>

struct Tensor {
  std::vector<int> sizes;
  std::string name;
};

__attribute__((noinline)) void fail(const Tensor &tensor) {
  if (tensor.sizes.size() == 3 && !std::getenv("GCONV_PATH")) std::abort();
}

int main() {
  Tensor tensor{{2, 3, 4}, "weights"};
  fail(tensor);
}
