// Prints the sum of a tensor, what it says to a wrong argument, and tensors: no Python anywhere.
#include <iostream>

#include <torch/torch.h>

int main() {
  torch::Tensor x = torch::arange(6, torch::kDouble).view({2, 3});
  std::cout << (x * 2 + 1).sum().item<double>() << '\n';
  try {
    x.mm(x);
  } catch (const torch::Error &error) {
    std::cout << error.what() << '\n';
  }
  std::cout << x << '\n' << torch::arange(8).view({2, 2, 2}) << '\n' << torch::tensor(2.5) << torch::Tensor() << '\n';
}
