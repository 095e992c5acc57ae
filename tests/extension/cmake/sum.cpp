// Prints the sum of a tensor, what it says to a wrong argument, tensors, and what an operator of its own gives: no Python
// anywhere.
#include <iostream>

#include <torch/library.h>
#include <torch/torch.h>

namespace {

torch::Tensor plus_three(const torch::Tensor &x) { return x + 3; }
torch::Tensor times_two(const torch::Tensor &x) { return x * 2; }

torch::Tensor call(const char *name, const torch::Tensor &x) {
  return torch::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<decltype(plus_three)>().call(x);
}

}  // namespace

TORCH_LIBRARY(program, m) {
  m.def("implicit", &plus_three);
  m.def("by_device(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(program, CPU, m) { m.impl("by_device", &times_two); }

int main() {
  torch::Tensor x = torch::arange(6, torch::kDouble).view({2, 3});
  std::cout << (x * 2 + 1).sum().item<double>() << '\n';
  try {
    x.mm(x);
  } catch (const torch::Error &error) {
    std::cout << error.what() << '\n';
  }
  std::cout << x << '\n' << torch::arange(8).view({2, 2, 2}) << '\n' << torch::tensor(2.5) << torch::Tensor() << '\n';
  std::cout << call("program::by_device", call("program::implicit", x)).sum().item<double>() << '\n';
  for (const char *const name : {"program::by_device", "program::none"}) try {
      call(name, x.to(torch::kMeta));
    } catch (const torch::Error &error) {
      std::cout << error.what() << '\n';
    }
}
